#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves with Frama-C's Eva that reading has no run-time errors, for inputs of some sizes whatever
# their bytes: sh tests/proof/run.sh [--alarms] [DRIVER...], from any folder. Without drivers, all of
# them; see README.md.
# Says for each analysis how many alarms there are (0: proven), how many functions and statements
# it reached, and how long it took; --alarms prints the alarms too. Ends with 1 if there are any.
# PROOF_SOURCE is the folder that holds include/ and src/, if not this project's.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")"
source_root=${PROOF_SOURCE:-$(CDPATH='' cd -- ../.. && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
alarms=0
show_alarms=no

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

if ! command -v frama-c >/dev/null 2>&1; then
    echo "tests/proof/run.sh: installing frama-c-base"
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        frama-c-base
fi

# What an analysis of any driver counts on: options that trade time for precision.
common="-eva-auto-loop-unroll 10 -eva-widening-delay 1 -eva-no-show-progress -eva-no-results
    -eva-msg-key=-initial-state,-final-states"

# The options of a driver.
precision() {
    case $1 in
    error | base64 | parquet)
        echo "-eva-slevel 0 -eva-split-return auto -eva-domains equality" \
            "-eva-interprocedural-history"
        ;;
    state) echo "-eva-slevel 10 -eva-split-return 0 -eva-slevel-function fletch_walk_over:80" ;;
    vtable) echo "-eva-slevel 60 -eva-split-return 0 -eva-slevel-function fletch_check_vtable:20" ;;
    rules) echo "-eva-slevel 100 -eva-split-return 0 -eva-interprocedural-splits" \
        "-eva-slevel-function prove:0" ;;
    steps)
        echo "-eva-slevel 100 -eva-split-return 0 -eva-split-return-function step:0:1:2:3"
        ;;
    find) echo "-eva-slevel 20 -eva-split-return 0" ;;
    open)
        echo "-eva-slevel 60 -eva-split-return 0 -eva-slevel-function" \
            "begin_walk_over:80,fletch_walk_check:1,check_run:1,fletch_walk_check_pairs:1,check_pairs:1"
        ;;
    esac
}

# The sources that a driver does not bring or stand in for itself.
sources() {
    for name in base base64 ipc parquet read rules tables verify walk; do
        grep -q "^#include \"$name\.c\"" "prove_$1.c" && continue
        [ "$name" = tables ] && grep -q '^#include "vtable.h"' "prove_$1.c" && continue
        [ "$name" = parquet ] && [ "$1" = find ] && continue
        echo "$source_root/src/$name.c"
    done
}

# analyse DRIVER SIZE [OPTION...]: one line
analyse() {
    driver=$1 size=$2
    shift 2
    begin=$(date +%s)
    status=0
    domains="-eva-domains symbolic-locations"
    case $driver in error | base64 | parquet) domains= ;; esac
    # shellcheck disable=SC2046,SC2086 # options and files are words
    frama-c -machdep gcc_x86_64 \
        -cpp-extra-args="-I$source_root/include -I$source_root/src -DSIZE=$size ${LEVEL:-}" \
        $(sources "$driver") "prove_$driver.c" -eva -main prove \
        $common $domains $(precision "$driver") "$@" >"$scratch/log" 2>&1 || status=$?
    if [ "$status" -ne 0 ] || ! grep -q 'ANALYSIS SUMMARY' "$scratch/log"; then
        cat "$scratch/log" >&2
        echo "tests/proof/run.sh: the analysis of $driver failed" >&2
        exit 1
    fi
    found=$(grep -c 'eva:alarm' "$scratch/log" || true)
    functions=$(sed -n 's/^ *\([0-9]*\) functions\{0,1\} analyzed.*/\1/p' "$scratch/log")
    statements=$(sed -n 's/.* \([0-9]*\) statements\{0,1\} reached (out of \([0-9]*\)).*/\1 of \2/p' \
        "$scratch/log")
    printf '%-8s %5s bytes  %3s alarms  %3s functions, %4s statements  %4s s\n' \
        "$driver" "$size" "$found" "$functions" "$statements" "$(($(date +%s) - begin))"
    [ "$show_alarms" = no ] || grep -A 1 'eva:alarm' "$scratch/log" || true
    alarms=$((alarms + found))
}

prove() {
    case $1 in
    error) analyse error 0 -eva-partition-history 2 \
        -eva-slevel-function fletch_walk_over:80 ;;
    base64) for size in 0 1 2 3 4 5 64 4096; do analyse base64 "$size"; done ;;
    parquet) for size in 0 1 16 64 4096; do analyse parquet "$size"; done ;;
    state) analyse state 0 ;;
    vtable) for size in 64; do analyse vtable "$size"; done ;;
    rules) for size in 64; do analyse rules "$size"; done ;;
    steps) for size in 0 64; do analyse steps "$size"; done ;;
    find) for size in 7 64; do analyse find "$size"; done ;;
    open) for size in 64; do LEVEL=-DLEVEL=FLETCH_LEVEL_STRUCTURE analyse open "$size"; done ;;
    *)
        echo "tests/proof/run.sh: no driver $1" >&2
        exit 2
        ;;
    esac
}

if [ "${1:-}" = --alarms ]; then
    show_alarms=yes
    shift
fi
[ $# -gt 0 ] || set -- error base64 parquet state vtable rules steps find open
for driver in "$@"; do
    prove "$driver"
done
[ "$alarms" -eq 0 ] || exit 1
