// SPDX-License-Identifier: Apache-2.0
//
// arrow-rs, as the WebAssembly of parquet-wasm: it checks the flatbuffer with Google's verifier for
// Rust, and reports the schema through the Arrow C data interface, read here out of its memory.
import { createRequire } from 'node:module'
import {
    allFields, asSet, changeFields, dateUnits, depthOf, intervalUnits, ownChildren, units,
} from './neutral.mjs'

const require = createRequire(import.meta.url)
let library = require('parquet-wasm')

// A panic leaves the instance of WebAssembly in pieces.
function renew() {
    delete require.cache[require.resolve('parquet-wasm')]
    library = require('parquet-wasm')
}

/** Does something with the library. */
export function using(action) {
    try {
        return action(library)
    } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) renew()
        throw error
    }
}

/** Fields within fields that the verifier lets pass. */
export const deepest = 61

const ordered = 1, nullable = 2, sorted = 4

const int = (bitWidth, isSigned) => ({ name: 'int', bitWidth, isSigned })

const letters = {
    n: { name: 'null' }, b: { name: 'bool' },
    c: int(8, true), s: int(16, true), i: int(32, true), l: int(64, true),
    C: int(8, false), S: int(16, false), I: int(32, false), L: int(64, false),
    e: { name: 'floatingpoint', precision: 'HALF' },
    f: { name: 'floatingpoint', precision: 'SINGLE' },
    g: { name: 'floatingpoint', precision: 'DOUBLE' },
    z: { name: 'binary' }, Z: { name: 'largebinary' }, vz: { name: 'binaryview' },
    u: { name: 'utf8' }, U: { name: 'largeutf8' }, vu: { name: 'utf8view' },
    tdD: { name: 'date', unit: dateUnits[0] }, tdm: { name: 'date', unit: dateUnits[1] },
    tiM: { name: 'interval', unit: intervalUnits[0] },
    tiD: { name: 'interval', unit: intervalUnits[1] },
    tin: { name: 'interval', unit: intervalUnits[2] },
    '+l': { name: 'list' }, '+L': { name: 'largelist' }, '+s': { name: 'struct' },
    '+vl': { name: 'listview' }, '+vL': { name: 'largelistview' }, '+r': { name: 'runendencoded' },
}

const numbers = text => text.split(',').filter(part => part !== '').map(Number)

/** The type that a format string of the C data interface stands for. */
function typeOf(format, flags) {
    if (Object.hasOwn(letters, format)) return letters[format]
    const colon = format.indexOf(':')
    const head = colon < 0 ? format : format.slice(0, colon)
    const tail = colon < 0 ? '' : format.slice(colon + 1)
    const unit = units['smun'.indexOf(head[2])]
    switch (head) {
    case 'd': {
        const [precision, scale, bitWidth = 128] = numbers(tail)
        return { name: 'decimal', precision, scale, bitWidth }
    }
    case 'w': return { name: 'fixedsizebinary', byteWidth: Number(tail) }
    case '+w': return { name: 'fixedsizelist', listSize: Number(tail) }
    case '+m': return { name: 'map', keysSorted: (flags & sorted) !== 0 }
    case '+us': return { name: 'union', mode: 'SPARSE', typeIds: numbers(tail) }
    case '+ud': return { name: 'union', mode: 'DENSE', typeIds: numbers(tail) }
    case 'tts': case 'ttm': return { name: 'time', unit, bitWidth: 32 }
    case 'ttu': case 'ttn': return { name: 'time', unit, bitWidth: 64 }
    case 'tDs': case 'tDm': case 'tDu': case 'tDn': return { name: 'duration', unit }
    case 'tss': case 'tsm': case 'tsu': case 'tsn':
        return { name: 'timestamp', unit, timezone: tail }
    default: throw new Error(`format ${format}`)
    }
}

/** Reads struct ArrowSchema of a 32-bit machine at an address. */
function fieldAt(memory, address) {
    const view = new DataView(memory)
    const word = at => view.getUint32(at, true)
    const text = (at, size) => Buffer.from(memory, at, size).toString()
    const cText = at => (at ? text(at, new Uint8Array(memory).indexOf(0, at) - at) : null)
    const [formatAt, nameAt, metadataAt] = [0, 4, 8].map(i => word(address + i))
    const flags = Number(view.getBigInt64(address + 16, true))
    const count = Number(view.getBigInt64(address + 24, true))
    const [childrenAt, dictionaryAt] = [32, 36].map(i => word(address + i))
    const type = typeOf(cText(formatAt), flags)
    const children = Array.from({ length: count }, (_, i) =>
        fieldAt(memory, word(childrenAt + 4 * i)))
    const values = dictionaryAt ? fieldAt(memory, dictionaryAt) : null
    return {
        name: cText(nameAt) ?? '',
        nullable: (flags & nullable) !== 0,
        type: values ? values.type : type,
        children: values ? values.children : children,
        dictionary: values
            ? { id: null, indexType: type, isOrdered: (flags & ordered) !== 0 }
            : null,
        metadata: metadataAt ? metadataOf(view, metadataAt, text) : [],
    }
}

function metadataOf(view, at, text) {
    const next = () => (at += 4, view.getInt32(at - 4, true))
    const string = () => { const size = next(); at += size; return text(at - size, size) }
    return asSet(Array.from({ length: next() }, () => ({ key: string(), value: string() })))
}

/** What the schema of a table is, in the neutral form. */
export function report(table) {
    const schema = table.schema.intoFFI()
    const { children, metadata } = fieldAt(library.wasmMemory().buffer, schema.addr())
    schema.free()
    return { fields: children, metadata }
}

export default {
    package: 'parquet-wasm',
    note: '(arrow-rs)',
    kinds: ['stream', 'b64'],

    read(bytes, kind) {
        const ipc = kind === 'b64' ? Buffer.from(bytes.toString(), 'base64') : bytes
        return using(({ Table }) => report(Table.fromIPCStream(ipc)))
    },

    // Metadata is a HashMap, leaves have no children, the C data interface has no dictionary ids,
    // and arrow-rs forgets the flag of sorted keys in it.
    view(schema, kind) {
        const seen = changeFields(schema, f => ({
            ...f,
            type: f.type.name === 'map' && kind !== 'ipc'
                ? { ...f.type, keysSorted: false }
                : f.type,
            children: ownChildren(f),
            dictionary: f.dictionary && { ...f.dictionary, id: null },
            metadata: asSet(f.metadata),
        }))
        return { ...seen, metadata: asSet(seen.metadata) }
    },

    refuses(schema) {
        if (depthOf(schema) > deepest) return `fields nested deeper than ${deepest}`
        for (const { field } of allFields(schema.fields))
            if (field.name.includes('\0')) return 'names with NUL, in the C data interface'
    },
}
