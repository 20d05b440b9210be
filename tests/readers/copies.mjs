// SPDX-License-Identifier: Apache-2.0
//
// The copies that write.c made of tests/data: none is missing, and each has the schema that stands
// in tests/data/expected.
import { existsSync, readFileSync } from 'node:fs'
import { complete, differences, parse } from './neutral.mjs'

const data = new URL('../data/', import.meta.url)

// Samples are little-endian only.
const bigEndian = 'flatc-2.0.8__big-endian.message'

/** The files that are good, by the manifest. */
function goodFiles() {
    const [head, ...rows] = readFileSync(new URL('MANIFEST.tsv', data)).toString().trim()
        .split('\n').map(line => line.split('\t'))
    const [file, arrow] = ['file', 'arrow'].map(name => head.indexOf(name))
    return rows.filter(row => row[arrow] === 'ok').map(row => row[file])
        .filter(name => name !== bigEndian)
}

function differencesOf(name, samples) {
    const copy = samples.find(sample => sample.name === `copy_${name}`)
    const expected = new URL(`expected/${name}.json`, data)
    if (!copy) return ['was not copied']
    if (!existsSync(expected)) return ['there is no expected/']
    return differences(copy.schema, complete(parse(readFileSync(expected).toString())))
}

/** What is wrong with each of the good files, by name. */
export const checkCopies = samples =>
    new Map(goodFiles().map(name => [name, differencesOf(name, samples)]))
