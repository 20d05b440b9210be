// SPDX-License-Identifier: Apache-2.0
//
// Flechette: a second library for JavaScript, with a FlatBuffers decoder of its own.
import { Type, tableFromIPC } from '@uwdata/flechette'
import {
    allFields, asMap, changeFields, dateUnits, intervalUnits, modes, ownChildren, pairs, precisions,
    units,
} from './neutral.mjs'

const types = {
    [Type.Null]: () => ({ name: 'null' }),
    [Type.Int]: t => ({ name: 'int', bitWidth: t.bitWidth, isSigned: t.signed }),
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
    [Type.FixedSizeBinary]: t => ({ name: 'fixedsizebinary', byteWidth: t.stride }),
    [Type.FixedSizeList]: t => ({ name: 'fixedsizelist', listSize: t.stride }),
    [Type.Map]: t => ({ name: 'map', keysSorted: t.keysSorted }),
    [Type.Duration]: t => ({ name: 'duration', unit: units[t.unit] }),
    [Type.LargeBinary]: () => ({ name: 'largebinary' }),
    [Type.LargeUtf8]: () => ({ name: 'largeutf8' }),
    [Type.LargeList]: () => ({ name: 'largelist' }),
    [Type.RunEndEncoded]: () => ({ name: 'runendencoded' }),
    [Type.BinaryView]: () => ({ name: 'binaryview' }),
    [Type.Utf8View]: () => ({ name: 'utf8view' }),
    [Type.ListView]: () => ({ name: 'listview' }),
    [Type.LargeListView]: () => ({ name: 'largelistview' }),
}

function field({ name, nullable, type, metadata }) {
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
                isOrdered: type.ordered,
            }
            : null,
        metadata: pairs(metadata),
    }
}

export default {
    package: '@uwdata/flechette',
    kinds: ['stream', 'arrow', 'b64'],

    read(bytes, kind) {
        const ipc = kind === 'b64' ? Buffer.from(bytes.toString(), 'base64') : bytes
        const { schema } = tableFromIPC(new Uint8Array(ipc))
        return { fields: schema.fields.map(field), metadata: pairs(schema.metadata) }
    },

    // Metadata is a Map, leaves have no children.
    view(schema) {
        const seen = changeFields(schema, f =>
            ({ ...f, children: ownChildren(f), metadata: asMap(f.metadata) }))
        return { ...seen, metadata: asMap(seen.metadata) }
    },

    refuses(schema) {
        for (const { field: f } of allFields(schema.fields))
            if (f.dictionary && !Number.isSafeInteger(Number(f.dictionary.id)))
                return 'dictionary ids of at most 53 bits'
    },
}
