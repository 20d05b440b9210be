#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Case 103, the single-file bundle: src/bundle.sh makes the same bytes each time, and what it makes
# is the library: clean as C99 and from C++, under every prefix and beside another one, and passing
# the library's own tests. From any folder: sh tests/bundle.sh
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align
    -Wundef -Wvla -Werror'

passed() {
    echo "passed: case 103, $*"
}

fail() {
    echo "FAILED: case 103, $*" >&2
    exit 1
}

install_tools() {
    for tool in gcc g++ clang cmake make; do
        command -v $tool >/dev/null && continue
        install build-essential clang cmake libcmocka-dev pkg-config
        return
    done
}

make_bundles() {
    mkdir "$scratch/a folder" "$scratch/again"
    sh src/bundle.sh "$scratch/a folder"
    (cd / && sh "$root/src/bundle.sh" "$scratch/again")
    cmp "$scratch/a folder/fletch.h" "$scratch/again/fletch.h"
    cmp "$scratch/a folder/fletch.c" "$scratch/again/fletch.c"
    passed "the bundle has the same bytes when it is made again"
    sh src/bundle.sh "$scratch/a folder" acme
    sh src/bundle.sh "$scratch/a folder" second_copy
    ! sh src/bundle.sh "$scratch/again" Capital 2>/dev/null || fail "a wrong prefix is taken"
}

# As C99 by both compilers, with and without optimisation; the header as C++ of both ends.
check_warnings() {
    for compiler in gcc clang; do
        for source in fletch acme; do
            for level in -O0 -O2; do
                $compiler -std=c99 $warnings -Wstrict-prototypes $level \
                    -c "$scratch/a folder/$source.c" -o "$scratch/$source.o"
            done
            printf '#define %s_WITH_HEAP\n#include "%s.h"\n' \
                "$(echo $source | tr a-z A-Z)" $source >"$scratch/a folder/alone.cc"
            for standard in c++11 c++20; do
                $compiler -std=$standard -x c++ $warnings -fsyntax-only \
                    "$scratch/a folder/alone.cc"
            done
        done
    done
    passed "the bundle is clean as C99, its header as C++11 and C++20, by gcc and clang"
}

# What a copy defines, in objects and macros, begins with its prefix.
check_names() {
    foreign=$(nm -g --defined-only "$scratch/acme.o" | awk '$3 !~ /^acme_/ { print $3 }')
    [ -z "$foreign" ] || fail "external symbols without the prefix: $foreign"
    foreign=$(echo '#include "acme.h"' | gcc -I"$scratch/a folder" -dM -E -x c - |
        awk '{ print $2 }' | grep -i fletch || true)
    [ -z "$foreign" ] || fail "macros without the prefix: $foreign"
    ! grep -Ei 'fletch_' "$scratch/a folder/acme.h" || fail "names in the header"
    passed "under another prefix no symbol, type or macro has the name it had"
}

# One program of two copies and of the library itself, the user's code in C and in C++.
check_two_copies() {
    cat >"$scratch/a folder/user.c" <<'END'
#include "acme.h"
#include "second_copy.h"
#include "fletch.h"

#include <string.h>

int main(void)
{
    unsigned char memory[ACME_BUILD_SPACE(1, 0, 0, 1, 1, 0, 0)];
    acme_builder builder;
    second_copy_schema schema;
    fletch_schema same;
    const void *bytes;
    size_t size;

    acme_builder_init(&builder, memory, sizeof memory);
    acme_add_field(&builder, "x", acme_utf8(), ACME_NULLABLE);
    if (acme_finish(&builder, ACME_STREAM, &bytes, &size, NULL) != ACME_OK) return 1;
    if (second_copy_open(bytes, size, &schema, NULL) != SECOND_COPY_OK) return 2;
    if (fletch_open(bytes, size, &same, NULL) != FLETCH_OK) return 3;
    return fletch_count_fields(&same.fields) == 1 && schema.has_fields &&
                   strcmp(acme_version(), SECOND_COPY_VERSION) == 0
               ? 0
               : 4;
}
END
    (
        cd "$scratch/a folder"
        gcc -std=c99 $warnings user.c fletch.c acme.c second_copy.c -o two
        ./two
        gcc -std=c99 -O2 -c fletch.c acme.c second_copy.c
        g++ -x c++ $warnings user.c -x none fletch.o acme.o second_copy.o -o two
        ./two
        # and one of them as a part of the user's own file
        (echo '#include "acme.c"' && cat user.c) >one.c
        gcc -std=c99 $warnings one.c fletch.o second_copy.o -o one
        ./one
    )
    passed "copies under three names are in one program, used from C and from C++"
}

# The library's own tests, of the bundle: a tree whose only source is the bundle's, and whose
# headers are all the bundle's. The program is no part of it.
run_tests() {
    tree="$scratch/a tree"
    mkdir -p "$tree/include/fletch" "$tree/src"
    cp -R CMakeLists.txt README.md tests fuzz "$tree"
    cp -R src/cli src/*.h "$tree/src"
    cp "$scratch/a folder/fletch.c" "$tree/src"
    for header in include/fletch/*.h; do
        echo '#include "base.h"' >"$tree/$header"
    done
    cp "$scratch/a folder/fletch.h" "$tree/include/fletch/base.h"
    printf '#define FLETCH_WITH_HEAP\n#include "base.h"\n' >"$tree/include/fletch/heap.h"
    echo '#include <fletch/fletch.h>' >"$tree/src/fletch.h"
    cmake -S "$tree" -B "$tree/build" -DFLETCH_PROGRAM=OFF >"$scratch/log" 2>&1 &&
        cmake --build "$tree/build" -j "$(nproc)" >>"$scratch/log" 2>&1 &&
        (cd "$tree/build" && ctest --output-on-failure -j "$(nproc)") >>"$scratch/log" 2>&1 || {
        cat "$scratch/log"
        fail "the library's tests"
    }
    passed "the library's tests, of the bundle: $(grep 'tests passed' "$scratch/log")"
}

install_tools
make_bundles
check_warnings
check_names
check_two_copies
run_tests
