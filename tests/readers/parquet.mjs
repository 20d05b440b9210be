// SPDX-License-Identifier: Apache-2.0
//
// Parquet files with our value of ARROW:schema: parquet-wasm writes one for the same schema, and
// the value of that key in its footer, arrow-rs's own, is replaced by ours. A reader must then see
// in both files the same, whatever it makes of a type.
import polars from 'nodejs-polars'
import * as arrowRs from './arrow_rs.mjs'
import { allFields } from './neutral.mjs'
import * as ofPolars from './polars.mjs'

const key = Buffer.from('ARROW:schema')
const stringField = 0x18 // of Thrift's compact protocol: the next field, a string
const footerEnd = 8      // the footer's length and "PAR1"

function varint(number) {
    const bytes = []
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push(number % 128 + 128)
    return Buffer.from([...bytes, number])
}

function readVarint(bytes, at) {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++]
        value += byte % 128 * scale
        if (byte < 128) return [value, at]
    }
}

function replaceKey(file, text) {
    const at = file.lastIndexOf(key) + key.length
    if (at < key.length || file[at] !== stringField) throw new Error('no ARROW:schema')
    const [size, begin] = readVarint(file, at + 1)
    const value = Buffer.concat([varint(text.length), text])
    const end = file.length - footerEnd
    const length = Buffer.alloc(4)
    length.writeUInt32LE(file.readUInt32LE(end) + value.length - (begin + size - at - 1))
    return Buffer.concat([file.subarray(0, at + 1), value, file.subarray(begin + size, end), length,
        file.subarray(-4)])
}

const write = stream => arrowRs.using(({ Table, writeParquet }) =>
    Buffer.from(writeParquet(Table.fromIPCStream(stream))))

const readers = {
    'parquet-wasm': file => arrowRs.using(library => arrowRs.report(library.readParquet(file))),
    'nodejs-polars': file => ofPolars.report(polars.readParquet(file)),
}

const readerOf = name => ({
    package: name,
    note: '(ARROW:schema of Parquet)',
    kinds: ['b64'],

    load({ file }) {
        const own = write(file('stream'))
        return { own, ours: replaceKey(own, file('b64')) }
    },

    read: ({ ours }) => readers[name](ours),
    view: (schema, kind, { own }) => readers[name](own),

    skips(schema, { file, facts }) {
        if (facts.is_legacy) return 'no legacy framing in ARROW:schema'
        for (const { field } of allFields(schema.fields))
            if (field.type.name === 'runendencoded')
                return 'no run-end encoding where arrow-rs wrote the key'
        try {
            readers[name](write(file('stream')))
        } catch {
            return 'not read where arrow-rs wrote the key either'
        }
    },
})

export default Object.keys(readers).map(readerOf)
