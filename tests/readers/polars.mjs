// SPDX-License-Identifier: Apache-2.0
//
// Polars: its own readers of IPC streams and files, over a FlatBuffers library of its own. What it
// read is what it writes again, decoded by Flechette: Polars' types, as Arrow has them.
import polars from 'nodejs-polars'
import flechette from './flechette.mjs'
import { allFields, changeFields } from './neutral.mjs'

const readers = {
    stream: bytes => polars.readIPCStream(bytes),
    arrow: bytes => polars.readIPC(bytes),
}

const text = new Set(['utf8', 'largeutf8', 'utf8view'])

/** The types that Polars makes of Arrow's. */
const changed = {
    utf8: () => ({ name: 'largeutf8' }), utf8view: () => ({ name: 'largeutf8' }),
    binary: () => ({ name: 'largebinary' }), binaryview: () => ({ name: 'largebinary' }),
    fixedsizebinary: () => ({ name: 'largebinary' }),
    list: () => ({ name: 'largelist' }), map: () => ({ name: 'largelist' }),
    date: t => (t.unit === 'DAY' ? t : { name: 'timestamp', unit: t.unit, timezone: '' }),
    time: () => ({ name: 'time', unit: 'NANOSECOND', bitWidth: 64 }),
    timestamp: t => (t.unit === 'SECOND' ? { ...t, unit: 'MILLISECOND' } : t),
    duration: t => (t.unit === 'SECOND' ? { ...t, unit: 'MILLISECOND' } : t),
}

const uint32 = { name: 'int', bitWidth: 32, isSigned: false }
const lists = new Set(['list', 'largelist', 'fixedsizelist', 'map'])

// Dictionaries of text become categoricals, others their values; items have one name.
function view(f) {
    const type = changed[f.type.name]?.(f.type) ?? f.type
    const children = lists.has(f.type.name) ? f.children.map(child => ({ ...child, name: 'item' }))
        : type.name === 'struct' ? f.children : []
    const isCategorical = f.dictionary && text.has(f.type.name)
    return {
        name: f.name, nullable: true, type, children,
        dictionary: isCategorical
            ? { id: null, indexType: uint32, isOrdered: false }
            : null,
        metadata: [],
    }
}

const forget = f =>
    ({ ...f, dictionary: f.dictionary && { ...f.dictionary, id: null }, metadata: [] })

const lacks = {
    union: 'no unions', interval: 'no intervals', runendencoded: 'no run-end encoding',
    listview: 'no list views', largelistview: 'no list views',
}

const hasTwice = fields => new Set(fields.map(f => f.name)).size < fields.length

function lackOf({ type, children, metadata }, parent) {
    if (lacks[type.name]) return lacks[type.name]
    if (metadata.some(({ key }) => key === 'ARROW:extension:name')) return 'no extension types'
    if (type.name === 'decimal' && type.bitWidth !== 128) return 'decimals of 128 bits only'
    if (type.name === 'decimal' && type.scale < 0) return 'no negative scales'
    if (type.name === 'timestamp' && type.timezone.startsWith('+')) return 'no offsets for zones'
    if (type.name === 'struct' && parent?.type.name !== 'map' && hasTwice(children))
        return 'no two columns of one name'
}

/** What a frame is, in the neutral form. */
export function report(frame) {
    const { fields } = flechette.read(frame.writeIPCStream(), 'stream')
    return changeFields({ fields, metadata: [] }, forget)
}

export default {
    package: 'nodejs-polars',
    kinds: Object.keys(readers),

    read: (bytes, kind) => report(readers[kind](bytes)),

    view: schema => ({ ...changeFields(schema, view), metadata: [] }),

    // Of columns with one name it keeps the last, without a word.
    skips: schema => (hasTwice(schema.fields) ? 'no two columns of one name' : undefined),

    refuses(schema) {
        for (const { field, parent } of allFields(schema.fields)) {
            const lack = lackOf(field, parent)
            if (lack) return lack
        }
    },
}
