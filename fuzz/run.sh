#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes each target, or one, for so many seconds: sh fuzz/run.sh SECONDS [TARGET]
# Prints a line a target, with the seconds that a processor worked on it, and ends with status 1 when
# there was a finding, which is then in fuzz/findings/. Nothing else is written into the source tree;
# BUILD names a folder to build in and to keep, with the inputs found: the next run there goes on from
# them. CLANG names the compiler, FUZZ_FLAGS has more flags for libFuzzer, OPTIMIZE=-Os takes the
# small build instead of -O1's, SANITIZE=memory looks for what was not set instead of for the rest.
set -eu

cd "$(dirname "$0")/.."
. tests/support/shell.sh

CLANG=${CLANG:-clang}
SANITIZE=${SANITIZE:-address,undefined}
flags="-std=c99 -g ${OPTIMIZE:--O1} -fno-omit-frame-pointer -fno-sanitize-recover=all"
duration=${1:-}
wanted=${2:-}

fail() {
    echo "fuzz/run.sh: $*" >&2
    exit 2
}

case $duration in
'' | *[!0-9]* | 0*) fail "takes seconds, 1 or more, and maybe a target: sh fuzz/run.sh 60 fuzz_read" ;;
esac
[ -z "$wanted" ] || [ -f "fuzz/$wanted.c" ] || fail "there is no fuzz/$wanted.c"

if [ -n "${BUILD:-}" ]; then
    mkdir -p "$BUILD"
    scratch=$(cd "$BUILD" && pwd)
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
fi

# Whether clang has libFuzzer and the sanitizers.
has_fuzzer() {
    command -v "$CLANG" >/dev/null 2>&1 || return 1
    printf '%s\n' '#include <stddef.h>' \
        'int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);' \
        'int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)' \
        '{ return (void)data, (void)size, 0; }' >"$scratch/probe.c"
    "$CLANG" "-fsanitize=fuzzer,$SANITIZE" "$scratch/probe.c" -o "$scratch/probe" \
        >/dev/null 2>&1
}

install_clang() {
    command -v apt-get >/dev/null || fail "needs clang with libFuzzer, and there is no apt-get"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
        command -v sudo >/dev/null || fail "installing clang takes root, and there is no sudo"
    fi
    echo "fuzz/run.sh: installing clang and its runtime" >&2
    $as_root apt-get update -qq >&2
    # Debian has the runtime in a package of its own, which clang only recommends.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq clang >&2
    runtime=libclang-rt-$("$CLANG" -dumpversion | cut -d. -f1)-dev
    has_fuzzer || $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$runtime" >&2
    has_fuzzer || fail "$CLANG has no libFuzzer"
}

# Sources of a target beside the library's.
more_sources() {
    [ "$1" != fuzz_json ] || echo src/cli/json_reader.c src/cli/json_schema.c
}

# shellcheck disable=SC2046,SC2086 # flags and sources are words
build() {
    "$CLANG" $flags -fsanitize="fuzzer,$SANITIZE" -Iinclude -Isrc/cli src/*.c \
        $(more_sources "$1") "fuzz/$1.c" -o "$scratch/$1"
}

# What a run printed last for a statistic: FILE NAME
statistic() {
    sed -n "s/^stat::$2: *//p" "$1" | tail -n 1
}

# Copies what was found into the source tree, and tells of each: TARGET
keep_findings() {
    for found in "$scratch/found/$1"/*; do
        [ -f "$found" ] || continue
        mkdir -p fuzz/findings
        cp "$found" "fuzz/findings/$1-${found##*/}"
        echo "  fuzz/findings/$1-${found##*/}"
    done
}

# Runs a target from its seeds, and prints what came of it.
# shellcheck disable=SC2086 # FUZZ_FLAGS has words
fuzz() {
    target=$1
    log=$scratch/$target.log
    rm -rf "$scratch/found/$target"
    mkdir -p "$scratch/found/$target" "$scratch/corpus/$target"
    for seeds in "fuzz/corpus/$target" "fuzz/regressions/$target"; do
        [ ! -d "$seeds" ] || cp "$seeds"/* "$scratch/corpus/$target/"
    done
    count_seconds "$scratch/times"
    before=$seconds
    if "$scratch/$target" -max_total_time="$duration" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
        -print_final_stats=1 -dict=fuzz/dictionary -artifact_prefix="$scratch/found/$target/" \
        ${FUZZ_FLAGS:-} "$scratch/corpus/$target" >"$log" 2>&1; then
        outcome='no finding'
    else
        outcome='A FINDING'
        result=1
    fi
    coverage=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) .*/\1 edges, \2 features/p' "$log" |
        tail -n 1)
    count_seconds "$scratch/times"
    echo "$target: $(statistic "$log" number_of_executed_units) executions" \
        "in $((seconds - before)) s of a processor, coverage ${coverage:-not known}, $outcome"
    [ "$outcome" = 'no finding' ] && return
    grep -m 3 -E '^(SUMMARY|==[0-9]+==ERROR)|not so:|runtime error:' "$log" || tail -n 5 "$log"
    keep_findings "$target"
}

has_fuzzer || install_clang
result=0
for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    [ -z "$wanted" ] || [ "$wanted" = "$name" ] || continue
    build "$name" || fail "$name does not compile"
    fuzz "$name"
done
exit $result
