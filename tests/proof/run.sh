#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves with Frama-C's Eva that reading has no run-time errors, for inputs of some sizes whatever
# their bytes: sh tests/proof/run.sh [--all] [--alarms] [DRIVER[:SIZE]...], from any folder. Without
# drivers, all of them; --all: with those sizes too that take minutes each; see README.md.
# Says for each analysis how many alarms there are (0: proven), how many functions and statements
# it reached, and the seconds of a processor it took; --alarms prints the alarms too. Ends with 1 if
# there are any.
# PROOF_SOURCE is the folder that holds include/ and src/, if not this project's.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")"
. ../support/shell.sh
source_root=${PROOF_SOURCE:-$(CDPATH='' cd -- ../.. && pwd)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
alarms=0
show_alarms=no
set=default

if ! command -v frama-c >/dev/null 2>&1; then
    echo "tests/proof/run.sh: installing frama-c-base"
    install frama-c-base
fi

# What an analysis of any driver counts on: options that trade time for precision.
common="-eva-auto-loop-unroll 10 -eva-widening-delay 1 -eva-no-show-progress -eva-no-results
    -eva-msg-key=-initial-state,-final-states"

# The options of a driver.
precision() {
    case $1 in
    error)
        echo "-eva-slevel 0 -eva-split-return auto -eva-domains equality" \
            "-eva-interprocedural-history -eva-partition-history 2" \
            "-eva-slevel-function forget_places:80"
        ;;
    base64)
        echo "-eva-slevel 0 -eva-split-return auto -eva-domains equality" \
            "-eva-interprocedural-history"
        ;;
    parquet) echo "$(precision base64) -eva-slevel-function take_value:10,take_binary:10" ;;
    state) echo "-eva-slevel 10 -eva-split-return 0 -eva-slevel-function forget_places:80" ;;
    vtable) echo "-eva-slevel 60 -eva-split-return 0 -eva-slevel-function fletch_check_vtable:20" ;;
    rules) echo "-eva-slevel 100 -eva-split-return 0 -eva-interprocedural-splits" \
        "-eva-slevel-function prove:0" ;;
    steps)
        echo "-eva-slevel 100 -eva-split-return 0 -eva-split-return-function" \
            "fletch_walk_step:0:1:2:3,step:0:1:2:3"
        ;;
    views) echo "-eva-slevel 20 -eva-split-return 0" ;;
    types)
        echo "-eva-slevel 100 -eva-split-return 0 -eva-interprocedural-splits" \
            "-eva-slevel-function prove:0 -eva-split-return-function" \
            "decode_member:full,decode_members:full,decode_type_members:full,decode_type:full,decode_any:full"
        ;;
    containers)
        echo "-eva-slevel 60 -eva-split-return 0 -eva-interprocedural-splits -eva-split-limit 5000" \
            "-eva-slevel-function" \
            "find_in_parquet:9000,find_in_file:9000,find_stream_copy:9000,find_kind:9000,find_source:9000,fletch_open_with:9000,sniff:0,sniff_others:0"
        ;;
    extents)
        echo "-eva-slevel 7 -eva-split-return 0 -eva-widening-period 1 -eva-slevel-function" \
            "forget_places:80,visit_schema:0,visit_bytes:0,give_fields:1,give_pairs:1" \
            "-eva-split-return-function fletch_walk_step:0:1:2:3,give_step:0:1:2:3"
        ;;
    dictionaries) echo "-eva-slevel 20 -eva-split-return 0" ;;
    names) echo "-eva-slevel 100 -eva-split-return 0 -eva-slevel-function is_named:0,end_of_name:0,find_named:1,fletch_find_path:10" \
        "-eva-split-return-function fletch_decode_name:full" ;;
    pairs)
        echo "-eva-slevel 100 -eva-split-return 0 -eva-slevel-function fletch_find_metadata:1000" \
            "-eva-split-return-function" \
            "decode_member:full,decode_members:full,decode_pair:full,fletch_decode_pair:full,fletch_next_metadata:full"
        ;;
    find) echo "-eva-slevel 20 -eva-split-return 0" ;;
    open)
        echo "-eva-slevel 15 -eva-split-return 0 -eva-slevel-function" \
            "forget_places:80,fletch_walk_check:1,check_run:1,fletch_walk_check_pairs:1,check_pairs:1,check_steps:1,check_fields:1" \
            "-eva-split-return-function check_step:0:1:2:3,fletch_walk_step:0:1:2:3,step:0:1:2:3"
        ;;
    esac
}

# The sources that a driver does not bring or stand in for itself.
sources() {
    for name in base base64 dictionaries entries extents ipc parquet read rules same tables verify walk; do
        grep -q "^#include \"$name\.c\"" "prove_$1.c" && continue
        [ "$name" = tables ] && grep -q '^#include "vtable.h"' "prove_$1.c" && continue
        [ "$name" = walk ] && grep -q '^#include "any_walk.h"' "prove_$1.c" && continue
        case $1:$name in
        find:parquet | open:parquet | containers:parquet | containers:base64) continue ;;
        esac
        echo "$source_root/src/$name.c"
    done
}

# analyse DRIVER SIZE: one line
analyse() {
    driver=${1%-*} name=$1 size=$2
    count_seconds "$scratch/times"
    begin=$seconds
    status=0
    domains="-eva-domains symbolic-locations"
    case $driver in error | base64 | parquet) domains= ;; esac
    flags="-I$source_root/include -I$source_root/src -DSIZE=$size"
    case $driver in
    names | pairs | types) flags="$flags -include $PWD/views.h" ;;
    open)
        level=$(echo "${name#open-}" | tr '[:lower:]' '[:upper:]')
        flags="$flags -DLEVEL=FLETCH_LEVEL_$level -include $PWD/open.h"
        ;;
    containers)
        kind=$(echo "${name#containers-}" | tr '[:lower:]' '[:upper:]')
        flags="$flags -DKIND=FLETCH_$kind"
        ;;
    esac
    # shellcheck disable=SC2046,SC2086 # options and files are words
    frama-c -machdep gcc_x86_64 -cpp-extra-args="$flags" \
        $(sources "$driver") "prove_$driver.c" -eva -main prove \
        $common $domains $(precision "$driver") >"$scratch/log" 2>&1 || status=$?
    if [ "$status" -ne 0 ] || ! grep -q 'ANALYSIS SUMMARY' "$scratch/log"; then
        cat "$scratch/log" >&2
        echo "tests/proof/run.sh: the analysis of $name failed" >&2
        exit 1
    fi
    if grep 'neither code nor specification' "$scratch/log" >&2; then
        echo "tests/proof/run.sh: $name leaves a function out" >&2
        exit 1
    fi
    found=$(grep -c 'eva:alarm' "$scratch/log" || true)
    functions=$(sed -n 's/^ *\([0-9]*\) functions\{0,1\} analyzed.*/\1/p' "$scratch/log")
    statements=$(sed -n 's/.* \([0-9]*\) statements\{0,1\} reached (out of \([0-9]*\)).*/\1 of \2/p' \
        "$scratch/log")
    count_seconds "$scratch/times"
    printf '%-14s %5s bytes  %3s alarms  %3s functions, %4s statements  %4s s\n' \
        "$name" "$size" "$found" "$functions" "$statements" "$((seconds - begin))"
    [ "$show_alarms" = no ] || grep -A 1 'eva:alarm' "$scratch/log" || true
    alarms=$((alarms + found))
}

# The sizes that a driver is analysed for: those of every run, and with --all those after the bar.
sizes() {
    case $1 in
    error | state) echo "0 |" ;;
    base64) echo "1 2 3 4096 | 0 4 5 64" ;;
    parquet) echo "0 1 16 | 64" ;;
    vtable) echo "4096 | 64" ;;
    views) echo "0 4 64 | 4096" ;;
    steps) echo "0 4096 | 64" ;;
    find) echo "7 4096 | 64" ;;
    names | pairs) echo "4096 | 64" ;;
    rules | types | open-*) echo "64 | 4096" ;;
    dictionaries) echo "4096 | 64" ;;
    containers-base64 | containers-stream) echo "4096 | 64" ;;
    containers-file) echo "64 |" ;;
    containers-parquet) echo "24 |" ;; # each place in each footer is a case
    containers-sniff) echo "1 24 64 |" ;;
    extents) echo "4096 | 64" ;;
    *)
        echo "tests/proof/run.sh: no driver $1" >&2
        exit 2
        ;;
    esac
}

# prove DRIVER[:SIZE]
prove() {
    wanted=$(sizes "${1%:*}")
    [ "$set" = all ] || wanted=${wanted%|*}
    [ "$1" = "${1%:*}" ] || wanted=${1#*:}
    for size in $wanted; do
        [ "$size" = "|" ] || analyse "${1%:*}" "$size"
    done
}

while :; do
    case ${1:-} in
    --alarms) show_alarms=yes ;;
    --all) set=all ;;
    *) break ;;
    esac
    shift
done
if [ $# -eq 0 ]; then
    set -- error base64 parquet state vtable views rules steps types names pairs dictionaries \
        find containers-stream containers-file containers-base64 \
        containers-parquet containers-sniff open-structure open-arrow open-strict extents
fi
for driver in "$@"; do
    prove "$driver"
done
[ "$alarms" -eq 0 ] || exit 1
