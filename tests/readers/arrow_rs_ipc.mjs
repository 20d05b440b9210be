// SPDX-License-Identifier: Apache-2.0
//
// arrow-rs once more: what it writes of a schema that it read, so that what the C data interface
// cannot carry, and what arrow-rs forgets in it, is compared as well.
import flechette from './flechette.mjs'
import arrowRs, { deepest, using } from './arrow_rs.mjs'
import { changeFields, depthOf } from './neutral.mjs'

export default {
    package: 'parquet-wasm',
    note: '(arrow-rs, written again)',
    kinds: ['stream'],

    read(bytes) {
        const again = using(({ Table }) => Table.fromIPCStream(bytes).schema.intoIPCStream())
        return sorted(flechette.read(again, 'stream'))
    },

    // Dictionary ids are counted anew.
    view: schema => sorted(arrowRs.view(schema, 'ipc')),

    refuses(schema) {
        if (depthOf(schema) > deepest) return `fields nested deeper than ${deepest}`
    },
}

function sorted(schema) {
    const seen = changeFields(schema, f => ({
        ...f,
        dictionary: f.dictionary && { ...f.dictionary, id: null },
        metadata: byKey(f.metadata),
    }))
    return { ...seen, metadata: byKey(seen.metadata) }
}

const byKey = metadata => [...metadata].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
