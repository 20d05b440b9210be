#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Looks for mistakes in src/ without running it: clang's analyzer, gcc -fanalyzer, clang-tidy
# (bugprone, cert, misc) and cppcheck. sh tests/analyse.sh [clang|gcc|clang-tidy|cppcheck]..., from
# any folder; all four if none is named. Says what passed; whatever is found and not told below to
# be no mistake is printed, and ends it with 1. Installs what is missing, on Debian and Ubuntu.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# What is found but is no mistake, and why: the tool, what matches `FILE: FINDING`, and the reason.
known() {
    cat <<'END'
clang | ^src/cdata_import.c: Dereference of null pointer .loaded from variable 'end' | the text's end starts at the text, which import_node refuses if NULL, and only moves on
clang | ^src/(tables.c|decode.h): 3rd function call argument is an uninitialized value | a vtable has as many slots as its shape has rows, set by the same loop count
clang | ^src/decode.h: Undefined or garbage value returned to caller | likewise
clang | ^src/store.c: 2nd function call argument is an uninitialized value | find_layout lays out each member that is there, unless the layout has the key already
clang | ^src/decode.h: 2nd function call argument is an uninitialized value | set by read_vector unless that gives false, as fail always does
clang | ^src/cli/json_reader.c: Passed-by-value struct argument contains uninitialized data | the second pass, which goes the way of the first, has set the key of each member that is linked
clang | ^src/cdata_export.c: Access to field 'has_parameters' results in a dereference | check_rules refuses a type without a format, since every such type breaks a rule
gcc | ^src/cli/objects.c: leak of .(all|places). | both are kept in the struct, which free_objects frees
gcc | ^src/cdata_export.c: dereference of NULL .(0|format). | check_rules refuses a type without a format, since every such type breaks a rule
clang-tidy | bugprone-easily-swappable-parameters | positions, counts and sizes are numbers; every call names them by its variables
clang-tidy | ^src/(base64|cli/json_reader).c: .*bugprone-narrowing-conversions | a character constant is an int in C; its value is one of a char
clang-tidy | bugprone-reserved-identifier | _POSIX_C_SOURCE and _FILE_OFFSET_BITS are POSIX's own names, for us to define
clang-tidy | cert-err33-c | standard output is checked for errors once, at the end; standard error has nobody to tell; sentences may be cut
clang-tidy | ^src/cli/json_(reader|schema).c: .*misc-no-recursion | as deep as the JSON, which the reader bounds
clang-tidy | bugprone-implicit-widening-of-multiplication-result | at most 4 * 8, and 2 * 65535 / 2 where a vtable is sniffed
clang-tidy | switch has .*bugprone-branch-clone | written by a list of all types, equal where the types are
clang-tidy | ^src/(text|wrap).c: .*bugprone-not-null-terminated-result | bytes with a size, no string
cppcheck | ctuuninitvar | the argument is what the called function fills
cppcheck | Null pointer dereference: row .ctunullpointer | types without rows have a row count of 0, and no row is looked at
cppcheck | ^src/decode.h: (Possible n|N)ull pointer dereference: vtable | only who has no walk, and so no places, needs a vtable of its own
END
}

install_tools() {
    for tool in gcc clang clang-tidy cppcheck; do
        command -v "$tool" >/dev/null 2>&1 && continue
        install gcc libc6-dev clang clang-tidy cppcheck
        return
    done
}

# Runs the command with each source file as its last word, on all processors.
for_each_source() {
    printf '%s\n' src/*.c src/cli/*.c | xargs -P "$jobs" -n 1 "$@" 2>&1
}

run_clang() {
    for_each_source clang --analyze -std=c99 -Iinclude -Isrc -Xclang -analyzer-output=text -Xclang \
        -analyzer-checker=core,deadcode,nullability,optin.portability,security,unix,valist
}

run_gcc() {
    for_each_source gcc -std=c99 -O1 -Iinclude -Isrc -fanalyzer -c -o /dev/null
}

run_clang_tidy() {
    for_each_source clang-tidy --quiet --checks='-*,bugprone-*,cert-*,misc-*' \
        --extra-arg=-std=c99 --extra-arg=-Iinclude --extra-arg=-Isrc
}

# On preprocessed files, since its own preprocessor is lost in the lists of rows.h.
run_cppcheck() {
    for source in src/*.c src/cli/*.c; do
        gcc -E -std=c99 -Iinclude -Isrc "$source" -o "$scratch/$(echo "$source" | tr / -)"
    done
    cppcheck --std=c99 --enable=warning,performance,portability --inconclusive --quiet \
        --suppress='*:/usr/*' "$scratch"/*.c 2>&1
}

# Findings of a tool as FILE:LINE: TEXT, each once.
findings_of() {
    grep -E '^[^ ]+:[0-9]+:([0-9]+:)? (fatal error|error|warning|performance|portability): ' "$1" |
        sed -E "s#^$PWD/##"';s/^([^:]+:[0-9]+):([0-9]+:)? [a-z ]+: /\1: /' | sort -u
}

# Takes away what is known of the tool; prints the rest.
unknown_of() {
    known | while IFS= read -r row; do
        [ "${row%% | *}" = "$1" ] || continue
        row=${row#* | }
        printf '%s\n' "${row%% | *}"
    done >"$scratch/patterns"
    while IFS= read -r finding; do
        without_line=$(printf '%s\n' "$finding" | sed -E 's/^([^:]+):[0-9]+:/\1:/')
        printf '%s\n' "$without_line" | grep -qE -f "$scratch/patterns" || printf '%s\n' "$finding"
    done
}

analyse() {
    case $1 in
    clang) run_clang ;;
    gcc) run_gcc ;;
    clang-tidy) run_clang_tidy ;;
    cppcheck) run_cppcheck ;;
    *)
        echo "tests/analyse.sh: no tool $1" >&2
        exit 2
        ;;
    esac >"$scratch/log" || true
    findings_of "$scratch/log" >"$scratch/findings" || true
    unknown_of "$1" <"$scratch/findings" >"$scratch/unknown"
    if [ -s "$scratch/unknown" ]; then
        cat "$scratch/unknown"
        fail "$1"
    fi
    passed "$1, nothing but $(wc -l <"$scratch/findings") findings known to be no mistake"
}

install_tools
[ $# -gt 0 ] || set -- clang gcc clang-tidy cppcheck
for tool in "$@"; do
    analyse "$tool"
done
