// SPDX-License-Identifier: Apache-2.0
//
// Arrow C++, as the WebAssembly of DuckDB has it: its reader of streams checks with Google's
// verifier for C++ and with Arrow's own rules, and hands the schema to DuckDB. What is compared is
// the empty table that DuckDB makes of it: names, nesting, and DuckDB's type for each of Arrow's.
//
// It awaits a batch of each dictionary before it tells the schema, so empty ones are put behind the
// schema's message.
import {
    BufferRegion, DictionaryBatch, FieldNode, Message, RecordBatch,
} from 'apache-arrow/ipc/metadata/message'
import { createRequire } from 'node:module'
import path from 'node:path'
import { field } from './arrow_js.mjs'
import { allFields, changeFields, depthOf } from './neutral.mjs'

const require = createRequire(import.meta.url)
const home = '@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs'
const duckdb = require(home)
const database = await open()
const deepest = 63
const widest = Math.floor((2 ** 31 - 1) / 8)

async function open() {
    const module = name => ({
        mainModule: path.join(path.dirname(require.resolve(home)), `duckdb-${name}.wasm`),
        mainWorker: '',
    })
    const made = await duckdb.createDuckDB({ mvp: module('mvp'), eh: module('eh') },
        new duckdb.VoidLogger(), duckdb.NODE_RUNTIME)
    await made.instantiate(() => {})
    made.open({})
    return made
}

/** The buffers of a column itself, in version V5; two where nothing is said. */
const bufferCounts = {
    null: 0, runendencoded: 0, struct: 1, fixedsizelist: 1,
    binary: 3, utf8: 3, largebinary: 3, largeutf8: 3, listview: 3, largelistview: 3,
}

/** The columns of a field in a record batch, itself first: their types' names. */
const columnsOf = f =>
    (f.dictionary ? ['int'] : [f.type.name, ...f.children.flatMap(columnsOf)])

/** An empty batch of a field's dictionary, framed. */
function dictionaryBatch(f) {
    const columns = columnsOf({ ...f, dictionary: null })
    const buffers = columns.flatMap(name => Array(bufferCounts[name] ?? 2).fill(0))
    const views = columns.filter(name => name.endsWith('view') && !name.endsWith('listview'))
    const batch = new RecordBatch(0, columns.map(() => new FieldNode(0, 0)),
        buffers.map(() => new BufferRegion(0, 0)), null, views.map(() => 0))
    const dictionary = new DictionaryBatch(batch, 0)
    dictionary._id = BigInt(f.dictionary.id) // which its constructor makes a number
    const flat = Message.encode(Message.from(dictionary))
    const size = Math.ceil(flat.length / 8) * 8
    const message = Buffer.alloc(8 + size)
    message.writeInt32LE(-1)
    message.writeInt32LE(size, 4)
    message.set(flat, 8)
    return message
}

/** A stream with an empty batch for each dictionary, those within others first. */
function withDictionaries(stream, schema) {
    const fields = [...allFields(schema.fields)].map(({ field: f }) => f).reverse()
    const batches = new Map(fields.filter(f => f.dictionary)
        .map(f => [f.dictionary.id, dictionaryBatch(f)]))
    if (!batches.size) return stream
    return Buffer.concat([stream.subarray(0, -8), ...batches.values(), stream.subarray(-8)])
}

const text = { name: 'utf8' }
const bytes = { name: 'binary' }
const list = { name: 'list' }
const span = { name: 'interval', unit: 'MONTH_DAY_NANO' }

/** The types that DuckDB makes of Arrow's, as it writes them. */
const changed = {
    null: () => ({ name: 'int', bitWidth: 32, isSigned: true }),
    utf8: () => text, largeutf8: () => text, utf8view: () => text,
    binary: () => bytes, largebinary: () => bytes, binaryview: () => bytes,
    fixedsizebinary: () => bytes,
    date: () => ({ name: 'date', unit: 'DAY' }),
    time: () => ({ name: 'time', unit: 'MICROSECOND', bitWidth: 64 }),
    timestamp: t => (t.timezone ? { ...t, unit: 'MICROSECOND', timezone: 'UTC' } : t),
    duration: () => span, interval: () => span,
    list: () => list, largelist: () => list, listview: () => list, largelistview: () => list,
    map: () => ({ name: 'map', keysSorted: false }),
    union: t => ({ ...t, typeIds: t.typeIds.map((_, i) => i) }),
}

const lists = new Set(['list', 'largelist', 'fixedsizelist', 'listview', 'largelistview'])

const extensionOf = f => f.metadata.find(({ key }) => key === 'ARROW:extension:name')?.value

/** DuckDB knows no nullability, no metadata, and only the values of dictionaries and run ends. */
function view(f) {
    if (f.type.name === 'runendencoded') return { ...f.children[1], name: f.name }
    const type = extensionOf(f) === 'arrow.uuid' ? text
        : changed[f.type.name]?.(f.type) ?? f.type
    const children = lists.has(f.type.name) ? [{ ...f.children[0], name: 'item' }]
        : f.type.name === 'map' ? [entriesOf(f.children[0])] : f.children
    return { ...f, type, children, dictionary: null, nullable: null, metadata: [] }
}

function entriesOf(entries) {
    const [key, value] = entries.children
    return {
        ...entries, name: 'entries',
        children: [{ ...key, name: 'key' }, { ...value, name: 'value' }],
    }
}

/** Columns without a name get one, and of two with one name the second another. */
function nameColumns(fields) {
    const seen = new Map()
    return fields.map((f, i) => {
        const name = f.name || `v${i}`
        const count = seen.get(name) ?? 0
        seen.set(name, count + 1)
        return { ...f, name: count ? `${name}_${count}` : name }
    })
}

const unknown = f =>
    ({ ...f, nullable: null, metadata: [], name: f.name,
        children: lists.has(f.type.name) ? [{ ...f.children[0], name: 'item' }] : f.children })

function lackOf({ field: f, parent }) {
    const { type, children, name } = f
    if (type.name === 'floatingpoint' && type.precision === 'HALF') return 'DuckDB: no half floats'
    if (type.name === 'decimal' && type.bitWidth < 128)
        return 'decimals of 128 and 256 bits, in this version of Arrow C++'
    if (type.name === 'decimal' && type.bitWidth > 128) return 'DuckDB: no decimals of 256 bits'
    if (type.name === 'decimal' && type.scale < 0) return 'DuckDB: no negative scales'
    if (type.name === 'fixedsizebinary' && type.byteWidth > widest)
        return `fixed size binary of at most ${widest} bytes`
    if (type.name === 'union' && (type.mode === 'DENSE' || !children.length))
        return 'DuckDB: no dense unions'
    if (type.name === 'struct' && !children.length) return 'DuckDB: no structs without fields'
    if (type.name === 'struct' && parent?.type.name !== 'map' &&
        new Set(children.map(child => child.name)).size < children.length)
        return 'DuckDB: no two fields of one name in a struct'
    if (type.name === 'runendencoded' && children[1].children.length)
        return 'DuckDB: no run-end encoding of nested types'
    if (type.name === 'map' && children[0].nullable) return 'no nullable entries of maps'
}

export default {
    package: '@duckdb/duckdb-wasm',
    note: '(Arrow C++)',
    kinds: ['stream'],
    load: ({ file, schema }) => withDictionaries(file('stream'), schema),

    // What is left of a stream that was refused goes with its connection.
    read(stream) {
        const connection = database.connect()
        try {
            connection.insertArrowFromIPCStream(stream, { name: 'it', create: true })
            const { fields } = connection.query('SELECT * FROM it').schema
            connection.query('DROP TABLE it')
            return changeFields({ fields: fields.map(field), metadata: [] }, unknown)
        } finally {
            connection.close()
        }
    },

    view: ({ fields }) => ({
        fields: nameColumns(changeFields({ fields }, view).fields), metadata: [],
    }),

    skips(schema) {
        for (const { field: f } of allFields(schema.fields)) {
            const inner = [...allFields(f.children)]
            if (f.dictionary && inner.some(({ field: child }) => child.dictionary))
                return 'DuckDB takes the index for the value of a dictionary in a dictionary'
            if (f.name.includes('\0')) return 'DuckDB cuts names at a NUL'
            if (f.type.name === 'fixedsizelist' && f.type.listSize === 2 ** 31 - 1)
                return 'DuckDB makes room for the longest list at once'
        }
    },

    refuses(schema) {
        if (!schema.fields.length) return 'DuckDB: no tables without columns'
        if (depthOf(schema) > deepest)
            return `fields nested deeper than ${deepest}, in its C data interface`
        for (const place of allFields(schema.fields)) {
            const lack = lackOf(place)
            if (lack) return lack
        }
    },
}
