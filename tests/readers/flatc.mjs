// SPDX-License-Identifier: Apache-2.0
//
// flatc, the compiler of FlatBuffers, on bare flatbuffers: the tables exactly as they stand, the
// wrapper's members too, by a schema of our own. It knows nothing of Arrow and lets all pass.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from './neutral.mjs'

const grammar = fileURLToPath(new URL('arrow.fbs', import.meta.url))
const magic = 8       // "ARROW1" and two bytes of padding
const prefix = 8      // FFFFFFFF and a length
const footerEnd = 10  // a length and "ARROW1"

const upper = text => text.toUpperCase()
const units = { Second: 'SECOND', Millisecond: 'MILLISECOND', Microsecond: 'MICROSECOND',
    Nanosecond: 'NANOSECOND' }
const intervals = { YearMonth: 'YEAR_MONTH', DayTime: 'DAY_TIME', MonthDayNano: 'MONTH_DAY_NANO' }

const int = t => ({ bitWidth: t.bit_width, isSigned: t.is_signed })

/** The parameters of a type, by the name of its table. */
const parameters = {
    Int: int,
    FloatingPoint: t => ({ precision: upper(t.precision) }),
    Decimal: t => ({ precision: t.precision, scale: t.scale, bitWidth: t.bit_width }),
    Date: t => ({ unit: upper(t.unit) }),
    Time: t => ({ unit: units[t.unit], bitWidth: t.bit_width }),
    Timestamp: t => ({ unit: units[t.unit], timezone: t.timezone ?? '' }),
    Interval: t => ({ unit: intervals[t.unit] }),
    Union: t => ({ mode: upper(t.mode), typeIds: t.type_ids }),
    FixedSizeBinary: t => ({ byteWidth: t.byte_width }),
    FixedSizeList: t => ({ listSize: t.list_size }),
    Map: t => ({ keysSorted: t.keys_sorted }),
    Duration: t => ({ unit: units[t.unit] }),
}

function field({ name, nullable, type, dictionary, children, ...rest }) {
    const { type_type: table, custom_metadata: metadata } = rest
    return {
        name, nullable,
        type: { name: table.toLowerCase(), ...parameters[table]?.(type) },
        children: children.map(field),
        dictionary: dictionary
            ? {
                id: dictionary.id,
                indexType: { name: 'int', ...int(dictionary.index_type) },
                isOrdered: dictionary.is_ordered,
            }
            : null,
        metadata: metadata ?? [],
    }
}

const schema = ({ fields, custom_metadata: metadata, endianness, features }) => ({
    fields: fields.map(field), metadata: metadata ?? [],
    endianness, features: features ?? [],
})

/** Where the flatbuffer of a kind stands in the file that holds it, and what its root has. */
const kinds = {
    schema: { root: 'Schema', find: file => file('schema'), report: schema },
    message: { root: 'Message', find: file => file('message'), report: message },
    stream: { root: 'Message', find: file => framed(file('stream')), report: message },
    // the message at the head of a file, and its footer
    head: { root: 'Message', find: file => framed(file('arrow').subarray(magic)), report: message },
    arrow: {
        root: 'Footer',
        find(file) {
            const bytes = file('arrow')
            const end = bytes.length - footerEnd
            return bytes.subarray(end - bytes.readInt32LE(end), end)
        },
        report: footer => ({
            ...schema(footer.schema), version: footer.version,
            blocks: [...footer.dictionaries, ...footer.record_batches],
            wrapper: footer.custom_metadata ?? [],
        }),
    },
}

function message(root) {
    return {
        ...schema(root.header), version: root.version, bodyLength: root.body_length,
        wrapper: root.custom_metadata ?? [],
    }
}

function framed(bytes) {
    const isLegacy = bytes.readInt32LE(0) !== -1
    const begin = isLegacy ? prefix / 2 : prefix
    return bytes.subarray(begin, begin + bytes.readInt32LE(begin - 4))
}

const version = (() => {
    try {
        return execFileSync('flatc', ['--version']).toString().trim().split(' ').at(-1)
    } catch {
        return null
    }
})()

function json(bytes, root) {
    const folder = mkdtempSync(path.join(tmpdir(), 'fletch-flatc-'))
    try {
        writeFileSync(path.join(folder, 'it.bin'), bytes)
        execFileSync('flatc', ['--json', '--strict-json', '--defaults-json', '--raw-binary',
            '--root-type', `bench.arrow.${root}`, '-o', folder, grammar, '--',
            path.join(folder, 'it.bin')])
        return parse(readFileSync(path.join(folder, 'it.json')).toString())
    } finally {
        rmSync(folder, { recursive: true })
    }
}

export default {
    package: 'flatc',
    kinds: Object.keys(kinds),
    isMissing: () => version === null,
    version: () => version,

    load: ({ file }, kind) => kinds[kind].find(file),
    read: (bytes, kind) => kinds[kind].report(json(bytes, kinds[kind].root)),

    view(wanted, kind, bytes, { facts }) {
        const seen = { ...wanted, endianness: 'Little', features: facts.features }
        if (kind === 'schema') return seen
        return kind === 'arrow'
            ? { ...seen, version: facts.version, blocks: [], wrapper: facts.footer }
            : { ...seen, version: facts.version, bodyLength: 0, wrapper: facts.message }
    },
}
