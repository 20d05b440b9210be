#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the library takes of its users' names, and needs of their system: its symbols and macros have
# its prefix, it needs five functions of the C library, and it keeps no state. From any folder:
# sh tests/symbols.sh
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

command -v gcc >/dev/null || install gcc libc6-dev

macros_of() {
    gcc -Iinclude -dM -E -x c - | awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u
}

# The headers define no macro that is not ours, but for the C data interface's own.
check_macros() {
    printf '#include <%s>\n' stdbool.h stddef.h stdint.h stdlib.h | macros_of >"$scratch/before"
    (cd include && printf '#include <%s>\n' fletch/*.h) | macros_of >"$scratch/after"
    foreign=$(comm -13 "$scratch/before" "$scratch/after" | grep -Ev '^(FLETCH|ARROW)_' || true)
    [ -z "$foreign" ] || fail "macros of the headers without our prefix:" $foreign
    passed "macros of the headers begin with FLETCH_"
}

# fletch.h is all of the library, but for the header that links malloc.
check_whole() {
    for header in include/fletch/*.h; do
        name=${header##*/}
        case $name in fletch.h | heap.h) continue ;; esac
        grep -q "^#include \"$name\"" include/fletch/fletch.h || fail "fletch.h is without $name"
    done
    ! grep -q 'include.*heap' include/fletch/fletch.h || fail "fletch.h has heap.h"
    passed "fletch.h includes all headers but heap.h"
}

# The numbers of statuses are part of what users store and pass on: they stay.
check_numbers() {
    number=0
    echo '#include <fletch/base.h>' >"$scratch/numbers.c"
    for name in OK EMPTY TRUNCATED UNRECOGNISED MALFORMED LIMIT UNSUPPORTED MISSING INVALID \
        BAD_BASE64 NOT_A_MESSAGE NOT_A_SCHEMA NO_SPACE NO_MEMORY TOO_LARGE MISUSE DIFFERENT; do
        echo "typedef char is_${number}[FLETCH_$name == $number ? 1 : -1];" >>"$scratch/numbers.c"
        number=$((number + 1))
    done
    gcc -std=c99 -Iinclude -fsyntax-only "$scratch/numbers.c" || fail "the numbers of statuses"
    passed "the $number statuses have the numbers they had"
}

compile() {
    for source in src/*.c; do
        gcc -std=c99 -O2 -fno-pic -U_FORTIFY_SOURCE -fno-stack-protector -Iinclude -c "$source" \
            -o "$scratch/$(basename "$source" .c).o"
    done
}

# What the library defines begins with fletch_, and what it needs is next to nothing.
check_symbols() {
    foreign=$(nm -g --defined-only "$scratch"/*.o |
        awk 'NF == 3 && $3 !~ /^fletch_/ { print $3 }')
    [ -z "$foreign" ] || fail "external symbols without our prefix:" $foreign
    needed=$(nm -u "$scratch"/*.o | awk '$1 == "U" && $2 !~ /^fletch_/ { print $2 }' | sort -u |
        grep -Ev '^(memcpy|memmove|memset|memcmp|strlen)$' || true)
    [ -z "$needed" ] || fail "the library must not need:" $needed
    passed "external symbols begin with fletch_; memcpy and kin are all that is needed"
}

# No object of the library can be written to: there is no .data, and no .bss.
check_state() {
    state=$(nm "$scratch"/*.o | awk 'NF == 3 && $2 ~ /^[bBcCdDgGsS]$/ { print $3 }')
    [ -z "$state" ] || fail "global state:" $state
    passed "the library has no global state"
}

check_macros
check_whole
check_numbers
compile
check_symbols
check_state
