// SPDX-License-Identifier: Apache-2.0
//
// arrow-js-ffi, which reads struct ArrowSchema out of the memory of WebAssembly: it reads what
// fletch exports there, and makes schemas of Arrow's own library for JavaScript of it.
import { DataType } from 'apache-arrow'
import { parseSchema } from 'arrow-js-ffi'
import { field as plainField } from './arrow_js.mjs'
import { allFields, asMap, changeFields, ownChildren, pairs } from './neutral.mjs'
import { fletchIn, isMissing } from './ours.mjs'

const memory = isMissing() ? null : new WebAssembly.Memory({ initial: 1 })

/** The number of a type that this library has for itself. */
const ownLargeList = 30

/** A dictionary's values are a field here, and large lists are of that type. */
function field(f) {
    const isDictionary = DataType.isDictionary(f.type)
    const { type } = isDictionary ? f.type.dictionary : f
    const children = (type.children ?? []).map(field)
    const own = type.typeId === ownLargeList ? { name: 'largelist' }
        : plainField({ name: '', type: Object.create(type, { children: { value: [] } }) }).type
    return {
        name: f.name, nullable: f.nullable, type: own, children,
        dictionary: isDictionary
            ? { id: null, indexType: plainField({ type: f.type.indices }).type,
                isOrdered: f.type.isOrdered }
            : null,
        metadata: pairs(f.metadata),
    }
}

const unknown = {
    binaryview: 'no views', utf8view: 'no views', listview: 'no list views',
    largelistview: 'no list views', runendencoded: 'no run-end encoding',
}

/** What the specification says, but for what this library makes of it. */
function view(f) {
    const flags = {}
    const isSorted = f.type.name === 'map' && f.type.keysSorted
    const isOrdered = f.dictionary?.isOrdered ?? false

    // It reads flags as a string of binary digits, the highest first: any flag that stands highest
    // is taken for NULLABLE, the next for ORDERED.
    flags.nullable = f.nullable || isOrdered || (isSorted && !f.dictionary)
    const dictionary = f.dictionary
        && { ...f.dictionary, id: null, isOrdered: isOrdered && f.nullable }
    let { type } = f
    if (type.name === 'map') type = { ...type, keysSorted: false }
    // "+us:" has no ids; it finds one that is 0.
    if (type.name === 'union' && !type.typeIds.length) type = { ...type, typeIds: [0] }
    return {
        ...f, ...flags, type, dictionary, children: mapNames({ ...f, children: ownChildren(f) }),
        metadata: asMap(f.metadata),
    }
}

/** Arrow's library gives maps the format's own names (ARROW-8716). */
function mapNames({ type, children }) {
    if (type.name !== 'map') return children
    const [entries] = children
    const columns = entries.children.map((child, i) => ({ ...child, name: ['key', 'value'][i] }))
    return [{ ...entries, name: 'entries', children: columns }]
}

export default {
    package: 'arrow-js-ffi',
    note: '(reads what fletch exports)',
    isMissing,
    kinds: ['stream'],

    read: stream => fletchIn(memory).exporting(stream, tree => {
        const { fields, metadata } = parseSchema(memory.buffer, tree)
        return { fields: fields.map(field), metadata: pairs(metadata) }
    }),

    view(schema) {
        const seen = changeFields(schema, view)
        return { ...seen, metadata: asMap(seen.metadata) }
    },

    refuses(schema) {
        for (const { field: f } of allFields(schema.fields)) {
            if (f.name.includes('\0')) return 'fletch: a NUL in a name, which is a C string'
            if (f.children.length && !ownChildren(f).length)
                return 'fletch: children of a type that has none'
            if (unknown[f.type.name]) return unknown[f.type.name]
        }
    },
}
