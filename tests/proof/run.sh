#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves with Frama-C's Eva that reading has no run-time errors, for inputs of some sizes whatever
# their bytes: sh tests/proof/run.sh [DRIVER...], from any folder. Without drivers, those
# that are free of alarms; see README.md.
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

# Statements where few states are to be kept apart; elsewhere history keeps them, see README.md.
apart=fletch_walk_over:80,fletch_check_vtable:100,fletch_decode:100
apart=$apart,holds:6,load_u8:6,load_u16:6,load_u32:6,fletch_walk_next:30

# analyse DRIVER SIZE HISTORY [DEFINITION...]: one line
analyse() {
    driver=$1 size=$2 history=$3
    shift 3
    begin=$(date +%s)
    status=0
    frama-c -machdep gcc_x86_64 \
        -cpp-extra-args="-I$source_root/include -I$source_root/src -DSIZE=$size $*" \
        "$source_root"/src/base.c "$source_root"/src/base64.c "$source_root"/src/ipc.c \
        "$source_root"/src/parquet.c "$source_root"/src/read.c "$source_root"/src/rules.c \
        "$source_root"/src/tables.c "$source_root"/src/verify.c "$source_root"/src/walk.c \
        "prove_$driver.c" -eva -main prove \
        -eva-slevel 0 -eva-slevel-function "$apart" -eva-auto-loop-unroll 10 \
        -eva-split-return auto -eva-domains equality -eva-partition-history "$history" \
        -eva-interprocedural-history -eva-widening-delay 1 -eva-no-show-progress -eva-no-results \
        -eva-msg-key=-initial-state,-final-states >"$scratch/log" 2>&1 || status=$?
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
    error) analyse error 0 2 ;;
    base64) for size in 0 1 2 3 4 5 64 4096; do analyse base64 "$size" 0; done ;;
    parquet) for size in 0 1 16 64 4096; do analyse parquet "$size" 0; done ;;
    find) for size in 0 1 7; do analyse find "$size" 2; done ;;
    steps) for size in 0 4 64 4096; do analyse steps "$size" 2; done ;;
    open)
        for size in 0 4 8 64 4096; do
            analyse open "$size" 2 -DLEVEL=FLETCH_LEVEL_STRUCTURE
        done
        ;;
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
[ $# -gt 0 ] || set -- error base64 parquet
for driver in "$@"; do
    prove "$driver"
done
[ "$alarms" -eq 0 ] || exit 1
