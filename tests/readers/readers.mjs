// SPDX-License-Identifier: Apache-2.0
//
// Real readers on what fletch wrote: node readers.mjs FOLDER [MODULE...]
//
// FOLDER is what write.c filled. Every reader reads every schema in every kind it knows; what it
// reports is compared field by field with what fletch says, less what that reader has no place for
// (its `view`). A schema with something that it does not support must be refused with an error
// (`refuses`), or is left out where the reader is known to end or lie (`skips`); both count as
// skipped and are printed with the reason. Anything else that is not equal is a failure, and so is
// a schema that is read although it was to be refused.
//
// A module has one reader or a list: {package, note?, kinds, load?, read, view, refuses?, skips?,
// isMissing?, samples?}, the last of which are its own instead of those in FOLDER.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { checkCopies } from './copies.mjs'
import { complete, differences, parse } from './neutral.mjs'

const modules = ['arrow_js', 'flechette', 'arrow_rs', 'arrow_rs_ipc', 'polars', 'parquet',
    'arrow_cpp', 'flatc', 'arrow_js_ffi', 'arrow_rs_cdata', 'duckdb_cdata']
const ofFiles = new Set(['arrow', 'head']) // there are no files of legacy framing
const mostShown = 8

const [folder, ...wantedModules] = process.argv.slice(2)
const { dependencies, optionalDependencies } =
    JSON.parse(readFileSync(new URL('package.json', import.meta.url)))
const versions = { ...dependencies, ...optionalDependencies }

function loadSamples() {
    const ending = '.facts.json'
    const names = readdirSync(folder).filter(file => file.endsWith(ending))
        .map(file => file.slice(0, -ending.length))
    return names.sort().map(name => {
        const file = kind => readFileSync(path.join(folder, `${name}.${kind}`))
        return {
            name, file,
            schema: complete(parse(file('json').toString())),
            facts: JSON.parse(file('facts.json')),
        }
    })
}

/** What is wrong with one kind of one sample in one reader. */
function attempt(reader, sample, kind, isRefused) {
    let got, wanted
    try {
        const bytes = reader.load ? reader.load(sample, kind) : sample.file(kind)
        got = reader.read(bytes, kind)
        wanted = reader.view(sample.schema, kind, bytes, sample)
    } catch (error) {
        return isRefused ? [] : [`refused: ${error.message ?? error}`]
    }
    const wrong = differences(got, wanted)
    if (!isRefused) return wrong
    return wrong.length ? ['was not refused, but read as another', ...wrong]
        : ['is said to be refused, but was read']
}

/** Tries a sample in all kinds: what is wrong, and why it counts as skipped. */
function trySample(reader, sample) {
    const skip = reader.skips?.(sample.schema, sample)
    if (skip) return { wrong: [], reason: skip }
    const reason = reader.refuses?.(sample.schema)
    const kinds = reader.kinds.filter(kind => !sample.facts.is_legacy || !ofFiles.has(kind))
    const wrong = kinds.flatMap(kind => attempt(reader, sample, kind, reason !== undefined)
        .slice(0, mostShown).map(line => `${sample.name}.${kind}: ${line}`))
    return { wrong, reason }
}

function tryReader(reader, samples) {
    const tally = { equal: 0, failed: 0, skipped: new Map(), lines: [] }
    for (const sample of samples) {
        const { wrong, reason } = trySample(reader, sample)
        tally.lines.push(...wrong)
        if (wrong.length) tally.failed++
        else if (reason === undefined) tally.equal++
        else tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
    }
    return tally
}

const total = { equal: 0, failed: 0, skipped: 0 }

function tell(title, { equal, failed, skipped, lines }) {
    const count = [...skipped.values()].reduce((a, b) => a + b, 0)
    const reasons = [...skipped].map(([why, n]) => `${n}: ${why}`).join('; ')
    lines.forEach(line => console.log(`${title}: ${line}`))
    console.log(`${title}: ${equal} schemas equal, ${count} skipped` +
        (reasons && ` (${reasons})`) + (failed ? `, ${failed} FAILED` : ''))
    total.equal += equal
    total.failed += failed
    total.skipped += count
}

function tellCopies(samples) {
    const wrong = [...checkCopies(samples)]
    const bad = wrong.filter(([, lines]) => lines.length)
    tell('copies of tests/data', {
        equal: wrong.length - bad.length, failed: bad.length, skipped: new Map(),
        lines: bad.flatMap(([name, lines]) => lines.map(line => `${name}: ${line}`)),
    })
}

async function tellModule(name, samples) {
    const { default: readers } = await import(`./${name}.mjs`)
    for (const reader of [readers].flat()) {
        const version = versions[reader.package] ?? reader.version?.() ?? ''
        tell([reader.package, version, reader.note].filter(Boolean).join(' '), reader.isMissing?.()
            ? { equal: 0, failed: 0, skipped: new Map([['it is missing', 1]]), lines: [] }
            : tryReader(reader, reader.samples ?? samples))
    }
}

const samples = loadSamples()
tellCopies(samples)
for (const name of wantedModules.length ? wantedModules : modules) await tellModule(name, samples)
console.log(`${total.equal} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed || !total.equal ? 1 : 0
