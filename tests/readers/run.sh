#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lets other libraries read what fletch writes, from any folder: sh tests/readers/run.sh
# They are npm packages of exact versions, installed into tests/readers/node_modules, and flatc of
# Debian's flatbuffers-compiler, installed with apt-get where that can be, as are clang and lld, for
# the library as WebAssembly. The rest of what is made goes into a folder of its own that is removed
# again. CC, CFLAGS and CLANG can be set from outside.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")"

has() {
    command -v "$1" >/dev/null 2>&1
}

skip() {
    echo "skipped: $*"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

has node || skip "node is missing"
has npm || skip "node is missing: there is no npm"
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || skip "node is older than 20"

# Installs what a tool is in: TOOL PACKAGE...
install() {
    tool=$1
    shift
    if has "$tool" || ! has apt-get; then return 0; fi
    echo "tests/readers: installing $*"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then as_root=sudo; fi
    if $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@"; then return 0; fi >/dev/null 2>&1
    echo "tests/readers: $* was not installed"
}

CLANG=${CLANG:-clang}
install flatc flatbuffers-compiler
install "$CLANG" clang
install wasm-ld lld

# What is there already stays, if it is of this very list.
if ! cmp -s package-lock.json node_modules/.installed.json; then
    npm ci --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.installed.json
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c99 ${CFLAGS:--O1} -I../../include write.c ../../src/*.c -o "$scratch/write"
mkdir "$scratch/schemas"

# The two that exchange schemas with others through the C data interface. What can't be compiled is
# told, and its readers are then missing.
# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c99 ${CFLAGS:--O1} -I../../include duckdb.c ../../src/*.c -ldl \
    -o "$scratch/schemas/duckdb" ||
    echo "tests/readers: duckdb.c does not compile here"
"$CLANG" --target=wasm32 -std=c99 -O1 -ffreestanding -fno-builtin -nostdlib -Iwasm \
    -I../../include -Wl,--no-entry,--import-memory,--global-base=67108864 wasm/exchange.c \
    ../../src/*.c -o "$scratch/schemas/exchange.wasm" ||
    echo "tests/readers: $CLANG makes no WebAssembly here"

"$scratch/write" "$scratch/schemas" ../data/*__*

# Some readers print to standard error on their own when they refuse.
status=0
node readers.mjs "$scratch/schemas" 2>"$scratch/noise" || status=$?
[ $status -eq 0 ] || tail -n 20 "$scratch/noise" >&2
exit $status
