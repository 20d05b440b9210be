#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes fletch beside the verifier that Google's flatc generates: sh fuzz/differential.sh SECONDS
# Prints executions and how often each known class of disagreement came up; any other disagreement
# ends it with status 1, and the input is then in fuzz/findings/. BUILD names a folder to build in
# and to keep, with the inputs found: the next run there goes on from them. CLANG names the
# compiler (CLANG++ is that with ++), FUZZ_FLAGS has more flags for libFuzzer.
set -eu

cd "$(dirname "$0")/.."

CLANG=${CLANG:-clang}
CLANGXX=${CLANGXX:-$(echo "$CLANG" | sed 's/clang/clang++/')}
flags='-g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all'
seconds=${1:-}

fail() {
    echo "fuzz/differential.sh: $*" >&2
    exit 2
}

case $seconds in
'' | *[!0-9]* | 0*) fail "takes seconds, 1 or more: sh fuzz/differential.sh 60" ;;
esac

if [ -n "${BUILD:-}" ]; then
    mkdir -p "$BUILD"
    scratch=$(cd "$BUILD" && pwd)
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
fi

# Whether clang has libFuzzer, the sanitizers and C++.
has_fuzzer() {
    command -v "$CLANGXX" >/dev/null 2>&1 || return 1
    printf '%s\n' '#include <string>' \
        'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)' \
        '{ return std::string((const char *)data, size).size() > 1u << 30; }' >"$scratch/probe.cc"
    "$CLANGXX" -fsanitize=fuzzer,address,undefined "$scratch/probe.cc" -o "$scratch/probe" \
        >/dev/null 2>&1
}

has_tools() {
    has_fuzzer && command -v flatc >/dev/null &&
        [ -f /usr/include/flatbuffers/reflection_generated.h ]
}

install_tools() {
    command -v apt-get >/dev/null || fail "needs clang, flatc and its headers, and apt-get is not there"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
        command -v sudo >/dev/null || fail "installing packages takes root, and there is no sudo"
    fi
    $as_root apt-get update -qq >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        clang g++ flatbuffers-compiler libflatbuffers-dev >&2
    # Debian has clang's runtime in a package of its own, which clang only recommends.
    runtime=libclang-rt-$("$CLANG" -dumpversion | cut -d. -f1)-dev
    has_fuzzer || $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$runtime" >&2
    has_tools || fail "$CLANGXX has no libFuzzer, or flatc is not there"
}

# shellcheck disable=SC2086 # flags are words
build() {
    flatc --cpp --cpp-std c++11 --bfbs-gen-embed -I tests/bench -o "$scratch" \
        tests/bench/arrow.fbs fuzz/differential/footer.fbs
    rm -f "$scratch"/*.o
    for source in src/*.c fuzz/differential/*.c; do
        "$CLANG" -std=c99 $flags -Iinclude -c "$source" -o "$scratch/$(basename "$source").o"
    done
    for source in fuzz/differential/*.cc; do
        # Google's reader loads 8-byte values wherever they stand.
        "$CLANGXX" -std=c++11 $flags -fno-sanitize=alignment -Iinclude -isystem "$scratch" \
            -c "$source" -o "$scratch/$(basename "$source").o"
    done
    "$CLANGXX" $flags -fsanitize=fuzzer "$scratch"/*.o -o "$scratch/differential"
}

# Copies what was found into the source tree, and tells of each.
keep_findings() {
    for found in "$scratch/found"/*; do
        [ -f "$found" ] || continue
        mkdir -p fuzz/findings
        cp "$found" "fuzz/findings/differential-${found##*/}"
        echo "  fuzz/findings/differential-${found##*/}"
    done
}

has_tools || install_tools
build
rm -rf "$scratch/found"
mkdir -p "$scratch/found" "$scratch/corpus"
cp fuzz/corpus/fuzz_read/* "$scratch/corpus/"
log=$scratch/log
result=0
# shellcheck disable=SC2086 # FUZZ_FLAGS has words
"$scratch/differential" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -print_final_stats=1 -dict=fuzz/dictionary -artifact_prefix="$scratch/found/" \
    ${FUZZ_FLAGS:-} "$scratch/corpus" >"$log" 2>&1 || result=1
sed -n 's/^counts\t//p' "$log" | sed "s/$(printf '\t')/ | /g"
executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
coverage=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) .*/\1 edges, \2 features/p' "$log" | tail -n 1)
if [ "$result" -ne 0 ]; then
    echo "differential: ${executions:-not known} executions, A FINDING"
    tail -n 40 "$log"
    keep_findings
    exit 1
fi
echo "differential: $executions executions of three roots each, coverage $coverage, no finding"
