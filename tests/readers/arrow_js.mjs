// SPDX-License-Identifier: Apache-2.0
//
// Arrow's own library for JavaScript: streams and files by RecordBatchReader, bare messages and
// schemas by the decoders below it.
import { MetadataVersion, RecordBatchReader, Type } from 'apache-arrow'
import { Message } from 'apache-arrow/ipc/metadata/message'
import { Schema as FlatSchema } from 'apache-arrow/fb/schema'
import { Schema } from 'apache-arrow/schema'
import { ByteBuffer } from 'flatbuffers'
import {
    allFields, asMap, changeFields, dateUnits, intervalUnits, modes, ownChildren, pairs, precisions,
    units,
} from './neutral.mjs'

const types = {
    [Type.Null]: () => ({ name: 'null' }),
    [Type.Int]: t => ({ name: 'int', bitWidth: t.bitWidth, isSigned: t.isSigned }),
    [Type.Float]: t => ({ name: 'floatingpoint', precision: precisions[t.precision] }),
    [Type.Binary]: () => ({ name: 'binary' }),
    [Type.Utf8]: () => ({ name: 'utf8' }),
    [Type.Bool]: () => ({ name: 'bool' }),
    [Type.Decimal]: t =>
        ({ name: 'decimal', precision: t.precision, scale: t.scale, bitWidth: t.bitWidth }),
    [Type.Date]: t => ({ name: 'date', unit: dateUnits[t.unit] }),
    [Type.Time]: t => ({ name: 'time', unit: units[t.unit], bitWidth: t.bitWidth }),
    [Type.Timestamp]: t =>
        ({ name: 'timestamp', unit: units[t.unit], timezone: t.timezone ?? '' }),
    [Type.Interval]: t => ({ name: 'interval', unit: intervalUnits[t.unit] }),
    [Type.List]: () => ({ name: 'list' }),
    [Type.Struct]: () => ({ name: 'struct' }),
    [Type.Union]: t => ({ name: 'union', mode: modes[t.mode], typeIds: [...t.typeIds] }),
    [Type.FixedSizeBinary]: t => ({ name: 'fixedsizebinary', byteWidth: t.byteWidth }),
    [Type.FixedSizeList]: t => ({ name: 'fixedsizelist', listSize: t.listSize }),
    [Type.Map]: t => ({ name: 'map', keysSorted: t.keysSorted }),
    [Type.Duration]: t => ({ name: 'duration', unit: units[t.unit] }),
    [Type.LargeBinary]: () => ({ name: 'largebinary' }),
    [Type.LargeUtf8]: () => ({ name: 'largeutf8' }),
    [Type.LargeList]: () => ({ name: 'largelist' }),
    [Type.BinaryView]: () => ({ name: 'binaryview' }),
    [Type.Utf8View]: () => ({ name: 'utf8view' }),
}

export function field({ name, nullable, type, metadata }) {
    const isDictionary = type.typeId === Type.Dictionary
    const values = isDictionary ? type.dictionary : type
    return {
        name, nullable,
        type: types[values.typeId](values),
        children: (values.children ?? []).map(field),
        dictionary: isDictionary
            ? {
                id: String(type.id),
                indexType: types[Type.Int](type.indices),
                isOrdered: type.isOrdered,
            }
            : null,
        metadata: pairs(metadata),
    }
}

const decoders = {
    stream: bytes => RecordBatchReader.from(bytes).open().schema,
    arrow: bytes => RecordBatchReader.from(bytes).open().schema,
    b64: bytes => RecordBatchReader.from(Buffer.from(bytes.toString(), 'base64')).open().schema,
    message: bytes => Message.decode(bytes).header(),
    schema: bytes => Schema.decode(FlatSchema.getRootAsSchema(new ByteBuffer(bytes))),
}

const unknown = new Map([
    ['listview', 'no list views'],
    ['largelistview', 'no list views'],
    ['runendencoded', 'no run-end encoding'],
])

export default {
    package: 'apache-arrow',
    kinds: Object.keys(decoders),

    read(bytes, kind) {
        const schema = decoders[kind](bytes)
        const got = { fields: schema.fields.map(field), metadata: pairs(schema.metadata) }
        if (kind !== 'message') return got
        const { version, metadata } = Message.decode(bytes)
        return { ...got, version: MetadataVersion[version], message: pairs(metadata) }
    },

    // Metadata is a Map, maps get the format's own names (ARROW-8716), leaves have no children.
    view(schema, kind, bytes, { facts }) {
        const seen = changeFields(schema, f => {
            const metadata = asMap(f.metadata)
            if (f.type.name !== 'map') return { ...f, children: ownChildren(f), metadata }
            const [entries] = f.children
            const columns = entries.children.map((child, i) =>
                ({ ...child, name: ['key', 'value'][i] }))
            const children = [{ ...entries, name: 'entries', children: columns }]
            return { ...f, metadata, children }
        })
        const wanted = { ...seen, metadata: asMap(seen.metadata) }
        return kind === 'message'
            ? { ...wanted, version: facts.version, message: facts.message }
            : wanted
    },

    refuses(schema) {
        for (const { field: f } of allFields(schema.fields)) {
            if (unknown.has(f.type.name)) return unknown.get(f.type.name)
            if (f.dictionary && !Number.isSafeInteger(Number(f.dictionary.id)))
                return 'dictionary ids of at most 53 bits'
        }
    },
}
