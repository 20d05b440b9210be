#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the benchmark against Google's FlatBuffers, from the root of the project:
#   sh tests/bench/run.sh [--quick] [--csv] [--columns N] [--shape NAME]
# Nothing is written into the source tree. CC, CXX, CFLAGS, CXXFLAGS, LDFLAGS and BUILD (a folder to
# build in and keep) can be set from outside.
set -eu

cd "$(dirname "$0")/../.."
bench=tests/bench

CC=${CC:-gcc}
CXX=${CXX:-g++}
CFLAGS=${CFLAGS:--O2 -DNDEBUG}
CXXFLAGS=${CXXFLAGS:-$CFLAGS}
LDFLAGS=${LDFLAGS:-}

# Prints the Debian packages that are wanted and not there.
missing_packages() {
    command -v flatc >/dev/null || echo flatbuffers-compiler
    [ -f /usr/include/flatbuffers/flatbuffers.h ] || echo libflatbuffers-dev
    command -v "$CC" >/dev/null || echo gcc
    command -v "$CXX" >/dev/null || echo g++
}

install_packages() {
    if ! command -v apt-get >/dev/null; then
        echo "benchmark: needs $*; there is no apt-get to install them with" >&2
        exit 1
    fi
    echo "benchmark: installing $*" >&2
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
        command -v sudo >/dev/null || { echo "benchmark: needs root for that" >&2; exit 1; }
    fi
    $as_root apt-get update -qq >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >&2
}

packages=$(missing_packages)
# shellcheck disable=SC2086 # one word a package
[ -z "$packages" ] || install_packages $packages

if [ -n "${BUILD:-}" ]; then
    mkdir -p "$BUILD"
else
    BUILD=$(mktemp -d)
    trap 'rm -rf "$BUILD"' EXIT
    trap 'exit 1' HUP INT TERM
fi

flatc --cpp --cpp-std c++11 -o "$BUILD" "$bench/arrow.fbs"

# shellcheck disable=SC2086 # flags are words
compile() {
    object=$BUILD/$(basename "$1").o
    case $1 in
    *.c) $CC $CFLAGS -std=c99 -Iinclude -c "$1" -o "$object" ;;
    *.cc) $CXX $CXXFLAGS -std=c++11 -isystem "$BUILD" -c "$1" -o "$object" ;;
    esac
}

rm -f "$BUILD"/*.o
for source in src/*.c "$bench"/*.c "$bench"/*.cc; do
    [ "$source" != "$bench/size.c" ] || continue # a program of its own, see size.sh
    compile "$source"
done
# shellcheck disable=SC2086
$CXX $CXXFLAGS $LDFLAGS -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
    "$BUILD"/*.o -o "$BUILD/bench"

# glibc's heap keeps what it was given: else fresh encoding measures which blocks the kernel gets
# back and hands out anew, which differs with all that was freed before.
MALLOC_MMAP_THRESHOLD_=${MALLOC_MMAP_THRESHOLD_:-4294967296}
MALLOC_TRIM_THRESHOLD_=${MALLOC_TRIM_THRESHOLD_:-4294967296}
export MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_

echo "# $("$CC" --version | head -n 1); $(flatc --version); flags: $CFLAGS" >&2
"$BUILD/bench" "$@"
