// SPDX-License-Identifier: Apache-2.0
//
// arrow-rs, as the WebAssembly of parquet-wasm, once more: what it exports through the C data
// interface fletch imports in the same memory.
import arrowRs, { using } from './arrow_rs.mjs'
import { asSet, changeFields } from './neutral.mjs'
import { fletchIn, isMissing } from './ours.mjs'

/** Ids are counted in pre-order, since the C data interface has none. */
function numbered({ fields, metadata }) {
    let next = 0
    const number = f => ({
        ...f,
        dictionary: f.dictionary && { ...f.dictionary, id: String(next++) },
        children: f.children.map(number),
    })
    return { fields: fields.map(number), metadata }
}

function sorted(schema) {
    const seen = changeFields(schema, f => ({ ...f, metadata: asSet(f.metadata) }))
    return { ...seen, metadata: asSet(seen.metadata) }
}

export default {
    package: 'parquet-wasm',
    note: '(arrow-rs, whose exports fletch imports)',
    isMissing,
    kinds: ['stream'],

    read: bytes => using(library => {
        const tree = library.Table.fromIPCStream(bytes).schema.intoFFI()
        try {
            return sorted(fletchIn(library.wasmMemory()).importing(tree.addr()))
        } finally {
            tree.free()
        }
    }),

    view: schema => numbered(arrowRs.view(schema, 'cdata')),
    refuses: arrowRs.refuses,
}
