// SPDX-License-Identifier: Apache-2.0
//
// Prints the fingerprint of everything.c: node run_wasm.cjs FILE.wasm
// The module is given nothing, so whatever it would import makes it fail.
'use strict';

const fs = require('fs');

const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const number = BigInt.asUintN(64, new WebAssembly.Instance(module_, {}).exports.fingerprint());
console.log(number.toString(16).toUpperCase().padStart(16, '0'));
process.exitCode = number === 0n ? 1 : 0;
