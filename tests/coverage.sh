#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Measures which lines and branches of src/ the tests reach: sh tests/coverage.sh
# Prints a table, a line a file, and what is not reached; ends with status 1 where a bound is
# missed: all lines and branches of the library, 95 % of the program's. What no test can reach is
# named in tests/coverage/exclusions with the reason. Nothing is written into the source tree; BUILD
# names a folder to build in and to keep. CLANG names the compiler.
set -eu

cd "$(dirname "$0")/.."

CLANG=${CLANG:-clang}

# Not measured: what its threads reach, they reach now and then, and a measurement must not depend
# on luck. What only bytes that change under the reader can reach is named in the exclusions.
UNSTEADY='^test_scribble$'

fail() {
    echo "tests/coverage.sh: $*" >&2
    exit 1
}

if [ -n "${BUILD:-}" ]; then
    mkdir -p "$BUILD"
    scratch=$(cd "$BUILD" && pwd)
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
fi

has_tools() {
    for tool in "$CLANG" llvm-profdata llvm-cov cmake python3 pkg-config; do
        command -v "$tool" >/dev/null || return 1
    done
    pkg-config --exists cmocka || return 1
    echo 'int main(void) { return 0; }' | "$CLANG" -fprofile-instr-generate -fcoverage-mapping \
        -x c - -o "$scratch/probe" 2>/dev/null
}

install_tools() {
    command -v apt-get >/dev/null || fail "needs clang, llvm, cmake, cmocka and python3"
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root apt-get update -qq >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        clang llvm cmake make pkg-config libcmocka-dev python3 >&2
    # Debian has clang's runtime in a package of its own, which clang only recommends.
    runtime=libclang-rt-$("$CLANG" -dumpversion | cut -d. -f1)-dev
    has_tools || $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$runtime" >&2
    has_tools || fail "$CLANG cannot measure coverage"
}

quietly() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" && fail "$*"; }
}

# All that has been linked with the library.
executables() {
    find "$1" -maxdepth 1 -type f -perm -u+x \( -name 'test_*' -o -name 'replay-*' \) | sort |
        sed 's/^/-object /'
}

# Builds, tests and exports what was reached: FOLDER FLAGS
# Optimised, since that takes half the time: what is counted is the source's, so the figures stay.
# shellcheck disable=SC2046 # a word each
measure() {
    quietly cmake -S . -B "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$CLANG" \
        -DCMAKE_C_FLAGS="-O1 -fprofile-instr-generate -fcoverage-mapping $2"
    quietly cmake --build "$1" -j "$(nproc)"
    rm -rf "$1/profiles"
    mkdir "$1/profiles"
    (
        cd "$1"
        LLVM_PROFILE_FILE=$1/profiles/%4m.profraw
        export LLVM_PROFILE_FILE
        quietly ctest -E "$UNSTEADY" --output-on-failure -j "$(nproc)"
    )
    llvm-profdata merge -sparse "$1"/profiles/*.profraw -o "$1/profile"
    llvm-cov export -format=lcov "$1/fletch" $(executables "$1") -instr-profile="$1/profile" \
        "$PWD/src" >"$1/lines"
    llvm-cov export -format=text "$1/fletch" $(executables "$1") -instr-profile="$1/profile" \
        "$PWD/src" >"$1/branches"
}

has_tools || install_tools
measure "$scratch/build" ''
# As built for size, see IS_SMALL in src/fault.h.
measure "$scratch/small" -D__OPTIMIZE_SIZE__
python3 tests/coverage/report.py "$scratch/build/lines" "$scratch/build/branches" \
    "$scratch/small/lines" "$scratch/small/branches"
