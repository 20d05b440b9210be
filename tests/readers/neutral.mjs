// SPDX-License-Identifier: Apache-2.0
//
// The neutral form that all readers' reports are brought to, and the comparison of two.
//
// It is Arrow's integration JSON with nothing left out: a schema is {fields, metadata}, a field
// {name, nullable, type, children, dictionary, metadata}; dictionary is null where there is none,
// its id a string of digits; metadata a list of {key, value}.

export const units = ['SECOND', 'MILLISECOND', 'MICROSECOND', 'NANOSECOND']
export const precisions = ['HALF', 'SINGLE', 'DOUBLE']
export const dateUnits = ['DAY', 'MILLISECOND']
export const intervalUnits = ['YEAR_MONTH', 'DAY_TIME', 'MONTH_DAY_NANO']
export const modes = ['SPARSE', 'DENSE']

export const pairs = map => [...(map ?? [])].map(([key, value]) => ({ key, value }))

/** Parses JSON in which ids may have 64 bits: they become strings. */
export function parse(text, key = 'id') {
    return JSON.parse(text.replaceAll(new RegExp(`"${key}": ?(-?\\d+)`, 'g'), `"${key}":"$1"`))
}

/** What fletch printed of a schema, with all that it may leave out. */
export function complete({ schema }) {
    return { fields: schema.fields.map(completeField), metadata: schema.metadata ?? [] }
}

function completeField({ name, nullable, type, children, dictionary, metadata }) {
    return {
        name, nullable,
        type: type.name === 'timestamp' ? { ...type, timezone: type.timezone ?? '' } : type,
        children: children.map(completeField),
        dictionary: dictionary ?? null,
        metadata: metadata ?? [],
    }
}

const nested = new Set(['list', 'largelist', 'fixedsizelist', 'listview', 'largelistview', 'struct',
    'map', 'union', 'runendencoded'])

/** The children of a field, but for those that a leaf has against the rules. */
export const ownChildren = ({ type, children }) => (nested.has(type.name) ? children : [])

/** A schema with every field, children first, replaced by change(field). */
export function changeFields(schema, change) {
    const changed = field => change({ ...field, children: field.children.map(changed) })
    return { ...schema, fields: schema.fields.map(changed) }
}

/** All fields of a schema, parents first. */
export function* allFields(fields, depth = 1, parent = null) {
    for (const field of fields) {
        yield { field, depth, parent }
        yield* allFields(field.children, depth + 1, field)
    }
}

export const depthOf = schema =>
    Math.max(0, ...[...allFields(schema.fields)].map(({ depth }) => depth))

/** Pairs as a map holds them: the last value of a key, where its first stood. */
export const asMap = metadata =>
    pairs(new Map(metadata.map(({ key, value }) => [key, value])))

/** The same without an order. */
export const asSet = metadata =>
    asMap(metadata).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))

/** Where two values differ, as "path: got, wanted" lines. */
export function differences(got, wanted, path = '') {
    const isObject = value => value !== null && typeof value === 'object'
    if (!isObject(got) || !isObject(wanted) || Array.isArray(got) !== Array.isArray(wanted))
        return Object.is(got, wanted)
            ? []
            : [`${path}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`]
    const keys = new Set([...Object.keys(wanted), ...Object.keys(got)])
    return [...keys].flatMap(key =>
        differences(got[key], wanted[key], Array.isArray(wanted) ? `${path}[${key}]`
            : path ? `${path}.${key}` : key))
}
