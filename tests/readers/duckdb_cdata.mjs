// SPDX-License-Identifier: Apache-2.0
//
// DuckDB's own library, which is not built on Arrow's: duckdb.c hands it what fletch exports as a
// table, and imports the schema of that table again. What is compared is what DuckDB made of it:
// names, nesting, and DuckDB's type for each of Arrow's.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { allFields, changeFields, complete, ownChildren, parse } from './neutral.mjs'

const folder = process.argv[2]
const program = path.join(folder, 'duckdb')
const name = '@duckdb/node-bindings-linux-x64'
const library = fileURLToPath(new URL(`node_modules/${name}/libduckdb.so`, import.meta.url))
const isMissing = () => !existsSync(program) || !existsSync(library)

/** What the program prints, or an error with what it told. */
function run(...words) {
    const { status, signal, stdout, stderr } = spawnSync(program, [library, ...words],
        { encoding: 'utf8', maxBuffer: 1 << 26, env: { TZ: 'UTC' } })
    if (status !== 0) throw new Error(signal ?? stderr.trim())
    return complete(parse(stdout))
}

const text = { name: 'utf8' }
const bytes = { name: 'binary' }
const span = { name: 'interval', unit: 'MONTH_DAY_NANO' }

/** The types that DuckDB makes of Arrow's, as it exports them. */
const changed = {
    null: () => ({ name: 'int', bitWidth: 32, isSigned: true }),
    utf8: () => text, largeutf8: () => text, utf8view: () => text,
    binary: () => bytes, largebinary: () => bytes, binaryview: () => bytes,
    fixedsizebinary: () => bytes,
    decimal: t => ({ ...t, bitWidth: 128 }),
    date: () => ({ name: 'date', unit: 'DAY' }),
    time: ({ unit }) =>
        ({ name: 'time', unit: unit === 'NANOSECOND' ? unit : 'MICROSECOND', bitWidth: 64 }),
    timestamp: t => (t.timezone ? { ...t, unit: 'MICROSECOND', timezone: 'UTC' } : t),
    duration: () => span, interval: () => span,
    list: () => ({ name: 'list' }), largelist: () => ({ name: 'list' }),
    listview: () => ({ name: 'list' }), largelistview: () => ({ name: 'list' }),
    map: () => ({ name: 'map', keysSorted: false }),
    union: t => ({ ...t, typeIds: t.typeIds.map((_, i) => i) }),
}

const lists = new Set(['list', 'largelist', 'listview', 'largelistview'])

const extensionOf = f => f.metadata.find(({ key }) => key === 'ARROW:extension:name')?.value

/** DuckDB knows no nullability, no metadata, and only the values of dictionaries and run ends. */
function view(f) {
    if (f.type.name === 'runendencoded') return { ...f.children[1], name: f.name }
    const isUuid = extensionOf(f) === 'arrow.uuid'
    return {
        ...f,
        type: isUuid ? text : changed[f.type.name]?.(f.type) ?? f.type,
        children: childrenOf(f),
        dictionary: null,
        nullable: true,
        metadata: [],
    }
}

function childrenOf({ type, children }) {
    if (lists.has(type.name)) return [{ ...children[0], name: 'l' }]
    if (type.name === 'fixedsizelist') return [{ ...children[0], name: '' }]
    if (type.name !== 'map') return children
    const [key, value] = children[0].children
    return [{
        ...children[0], name: 'entries', nullable: false,
        children: [{ ...key, name: 'key', nullable: false }, { ...value, name: 'value' }],
    }]
}

/** Columns without a name get one, and of two with one name the second another. */
function nameColumns(fields) {
    const seen = new Map()
    return fields.map((f, i) => {
        const own = f.name || `v${i}`
        const count = seen.get(own) ?? 0
        seen.set(own, count + 1)
        return { ...f, name: count ? `${own}_${count}` : own }
    })
}

/** What DuckDB has no type for. */
function lackOf({ field: f, parent }) {
    const { type, children } = f
    if (type.name === 'floatingpoint' && type.precision === 'HALF') return 'no half floats'
    if (type.name === 'decimal' && type.bitWidth > 128) return 'no decimals of 256 bits'
    if (type.name === 'decimal' && (type.scale < 0 || type.scale > 255)) return 'no such scales'
    if (type.name === 'union' && (type.mode === 'DENSE' || !children.length))
        return 'no dense unions'
    if (type.name === 'struct' && !children.length) return 'no structs without fields'
    if (type.name === 'struct' && parent?.type.name !== 'map' &&
        new Set(children.map(child => child.name)).size < children.length)
        return 'no two fields of one name in a struct'
    if (type.name === 'runendencoded' && children[1].children.length)
        return 'no run-end encoding of nested types'
}

const exchanged = {
    package: name,
    note: '(takes what fletch exports, and exports it)',
    isMissing,
    kinds: ['stream'],
    load: sample => path.join(folder, `${sample.name}.stream`),
    read: file => run(file),
    view: ({ fields }) => ({
        fields: nameColumns(changeFields({ fields }, view).fields), metadata: [],
    }),

    skips(schema) {
        for (const { field: f } of allFields(schema.fields)) {
            const inner = [...allFields(f.children)]
            if (f.dictionary && inner.some(({ field: child }) => child.dictionary))
                return 'it takes the index for the value of a dictionary in a dictionary'
            if (f.type.name === 'fixedsizelist' && f.type.listSize === 2 ** 31 - 1)
                return 'it makes room for the longest list at once'
        }
    },

    refuses(schema) {
        if (!schema.fields.length) return 'no tables without columns'
        for (const place of allFields(schema.fields)) {
            const { field: f } = place
            if (f.name.includes('\0')) return 'fletch: a NUL in a name, which is a C string'
            if (f.children.length && !ownChildren(f).length)
                return 'fletch: children of a type that has none'
            const lack = lackOf(place)
            if (lack) return lack
        }
    },
}

// What DuckDB exports of its own types: the settings, then the columns of a query.

const int = (bitWidth, isSigned = true) => ({ name: 'int', bitWidth, isSigned })
const decimal = (precision, scale, bitWidth) => ({ name: 'decimal', precision, scale, bitWidth })
const float = precision => ({ name: 'floatingpoint', precision })
const timestamp = (unit, timezone = '') => ({ name: 'timestamp', unit, timezone })
const micros = { name: 'time', unit: 'MICROSECOND', bitWidth: 64 }
const fixed = byteWidth => ({ name: 'fixedsizebinary', byteWidth })

const column = (name, type, more) =>
    ({ name, nullable: true, type, children: [], dictionary: null, metadata: [], ...more })

const extension = (name, metadata = '') => ({
    metadata: [
        { key: 'ARROW:extension:metadata', value: metadata },
        { key: 'ARROW:extension:name', value: name },
    ],
})

const opaque = type => extension('arrow.opaque', `{"type_name":"${type}","vendor_name":"DuckDB"}`)

const coded = bitWidth =>
    ({ dictionary: { id: '0', indexType: int(bitWidth, false), isOrdered: false } })

/** Columns whose type no setting changes. */
const fixedColumns = {
    TINYINT: [int(8)], SMALLINT: [int(16)], INTEGER: [int(32)], BIGINT: [int(64)],
    UTINYINT: [int(8, false)], USMALLINT: [int(16, false)], UINTEGER: [int(32, false)],
    UBIGINT: [int(64, false)],
    FLOAT: [float('SINGLE')], DOUBLE: [float('DOUBLE')], DATE: [{ name: 'date', unit: 'DAY' }],
    TIME: [micros], INTERVAL: [span], 'DECIMAL(38,10)': [decimal(38, 10, 128)],
    TIMESTAMP: [timestamp('MICROSECOND')], TIMESTAMP_S: [timestamp('SECOND')],
    TIMESTAMP_MS: [timestamp('MILLISECOND')], TIMESTAMP_NS: [timestamp('NANOSECOND')],
    TIMESTAMPTZ: [timestamp('MICROSECOND', 'UTC')],
    "ENUM('a', 'b')": [text, coded(8)],
    'INTEGER[3]': [{ name: 'fixedsizelist', listSize: 3 }, { children: [column('', int(32))] }],
}

/** Columns with text, bytes and lists, of the types that they are given. */
const freeColumns = (own, ownBytes, list) => {
    const listed = item => ({ children: [column('l', item)] })
    const pair = [column('key', own, { nullable: false }), column('value', list, listed(int(32)))]
    return {
        VARCHAR: [own], BLOB: [ownBytes], 'INTEGER[]': [list, listed(int(32))],
        'VARCHAR[][]': [list, { children: [column('l', list, listed(own))] }],
        'STRUCT("a b" VARCHAR, c BLOB[])': [{ name: 'struct' }, {
            children: [column('a b', own), column('c', list, listed(ownBytes))],
        }],
        'MAP(VARCHAR, INTEGER[])': [{ name: 'map', keysSorted: false }, {
            children: [column('entries', { name: 'struct' }, { nullable: false, children: pair })],
        }],
        'UNION(n INTEGER, s VARCHAR)': [{ name: 'union', mode: 'SPARSE', typeIds: [0, 1] }, {
            children: [column('n', int(32)), column('s', own)],
        }],
    }
}

const lossy = {
    BOOLEAN: [{ name: 'bool' }], HUGEINT: [decimal(38, 0, 128)], TIMETZ: [micros], UUID: [text],
    JSON: [text],
}

const lossless = {
    BOOLEAN: [int(8), extension('arrow.bool8')], JSON: [text, extension('arrow.json')],
    HUGEINT: [fixed(16), opaque('hugeint')], UHUGEINT: [fixed(16), opaque('uhugeint')],
    BIT: [bytes, opaque('bit')], TIMETZ: [fixed(8), opaque('time_tz')],
    UUID: [fixed(16), extension('arrow.uuid')],
}

const narrow = { 'DECIMAL(4,1)': [decimal(4, 1, 32)], 'DECIMAL(18,3)': [decimal(18, 3, 64)] }
const wide = { 'DECIMAL(4,1)': [decimal(4, 1, 128)], 'DECIMAL(18,3)': [decimal(18, 3, 128)] }
const enums = [300, 70000].map(count =>
    `CREATE TYPE e${count} AS ENUM (SELECT 'v' || range FROM range(${count}))`)
const list = { name: 'list' }
const newest = "SET arrow_output_version = '1.5'"

const produced = [
    ['as it is', [], { ...lossy, ...wide, ...freeColumns(text, bytes, list) }],
    ['large', ['SET arrow_large_buffer_size = true'],
        freeColumns({ name: 'largeutf8' }, { name: 'largebinary' }, { name: 'largelist' })],
    ['list views', [newest, 'SET arrow_output_list_view = true'],
        freeColumns(text, { name: 'binaryview' }, { name: 'listview' })],
    ['lossless', ['SET arrow_lossless_conversion = true'], lossless],
    ['views', [newest, 'SET produce_arrow_string_view = true'],
        { ...narrow, ...freeColumns({ name: 'utf8view' }, { name: 'binaryview' }, list) }],
    ['long enums', enums, { e300: [text, coded(16)], e70000: [text, coded(32)] }],
].map(([sampleName, settings, own]) => sampleOf(sampleName, settings, { ...fixedColumns, ...own }))

function sampleOf(sampleName, settings, columns) {
    let next = 0
    const number = f => (f.dictionary
        ? { ...f, dictionary: { ...f.dictionary, id: String(next++) } } : f)
    const names = Object.keys(columns)
    const query = `SELECT ${names.map((type, i) => `NULL::${type} AS c${i}`).join(', ')}`
    return {
        name: sampleName, words: ['--query', ...settings, query], facts: {},
        schema: {
            fields: names.map((type, i) => number(column(`c${i}`, ...columns[type]))),
            metadata: [],
        },
    }
}

const exporter = {
    package: name,
    note: '(whose exports fletch imports)',
    isMissing,
    samples: produced,
    kinds: ['query'],
    load: sample => sample.words,
    read: words => run(...words),
    view: schema => schema,
}

export default [exchanged, exporter]
