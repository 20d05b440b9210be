// SPDX-License-Identifier: Apache-2.0
//
// fletch as WebAssembly (wasm/exchange.c), in the memory of another module or in one of its own.
// run.sh compiles it into FOLDER, where clang can do that.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, complete } from './neutral.mjs'

const file = path.join(process.argv[2], 'exchange.wasm')
const isThere = existsSync(file)
const compiled = isThere ? new WebAssembly.Module(readFileSync(file)) : null

/** What reader.isMissing is for those who need it. */
export const isMissing = () => !isThere

// What it was linked for: --global-base, with what stands above it.
const page = 65536, base = 64 << 20, room = 1 << 20
const instances = new WeakMap()

/** The library in a memory: its bytes below `base` are left alone. */
export function fletchIn(memory) {
    if (!instances.has(memory)) instances.set(memory, start(memory))
    return instances.get(memory)
}

function start(memory) {
    const missing = base + room - memory.buffer.byteLength
    if (missing <= room) throw new Error('the memory of the other has grown too large')
    memory.grow(Math.ceil(missing / page))
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
    const said = () => Buffer.from(memory.buffer, exports.said_text(), exports.said_size())
        .toString()

    return {
        /** What use(address of the ArrowSchema) gives, of the schema of a stream. */
        exporting(stream, use) {
            exports.forget()
            const bytes = exports.take(stream.length)
            new Uint8Array(memory.buffer, bytes, stream.length).set(stream)
            const tree = exports.export_stream(bytes, stream.length)
            if (!tree) throw new Error(said())
            try {
                return use(tree)
            } finally {
                exports.release(tree)
                if (exports.count_exports()) throw new Error('an export was not given back')
            }
        },

        /** The schema of the ArrowSchema at an address, in the neutral form. */
        importing(tree) {
            exports.forget()
            if (!exports.import_tree(tree)) throw new Error(said())
            return complete(parse(said()))
        },
    }
}
