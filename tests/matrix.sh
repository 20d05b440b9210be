#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds everything and runs all tests on the machines and compilers where C breaks, a line each:
# sh tests/matrix.sh [LINE...], all lines if none is named; --list says what there are, --ci runs
# a part of some that takes little time. Tells of each line: ok or FAILED, tests that passed and
# were skipped, seconds; below it, which tests were skipped or left out. Ends with 1 if a line failed.
#
# Needs Debian or Ubuntu: what a line needs is installed when its turn comes. The tests' library,
# cmocka, is built from the distribution's own source for all but this machine, so nothing here
# needs packages of another architecture. MATRIX_BUILD names a folder to build in and to keep;
# MATRIX_JOBS is how much to run at once, MATRIX_TESTS a regular expression of the tests to run.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
root=$PWD
jobs=${MATRIX_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

child=
if [ -n "${MATRIX_BUILD:-}" ]; then
    mkdir -p "$MATRIX_BUILD"
    scratch=$(cd "$MATRIX_BUILD" && pwd)
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
fi
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 1' HUP INT TERM

# The lines: name, how it is run, and with what.
all_lines() {
    cat <<'END'
gcc-c99-O0      native gcc 99 -O0
gcc-c11-O2      native gcc 11 -O2
gcc-c17-O3-lto  native gcc 17 -O3 -flto
gcc-c2x-Os      native gcc 23 -Os
clang-c99-O0    native clang 99 -O0
clang-c11-O2    native clang 11 -O2
clang-c17-O3-lto native clang 17 -O3 -flto
clang-c2x-Os    native clang 23 -Os
headers         headers
asan-ubsan      sanitized clang address,undefined,alignment
asan-ubsan-gcc  sanitized gcc address,undefined,alignment
msan            sanitized clang memory -fsanitize-ignorelist=tests/matrix/msan.txt
tsan            sanitized clang thread
valgrind        valgrind
m32             cross gcc "" -m32
s390x           cross s390x-linux-gnu-gcc qemu-s390x
armhf           cross arm-linux-gnueabihf-gcc qemu-arm -mno-unaligned-access -fsanitize=alignment -fsanitize-undefined-trap-on-error
ppc64           cross powerpc64-linux-gnu-gcc qemu-ppc64
mips            cross mips-linux-gnu-gcc qemu-mips
riscv64         cross riscv64-linux-gnu-gcc qemu-riscv64
musl            cross musl-gcc ""
mingw           mingw
cortex-m0       cortex_m0
wasm32          wasm32
END
}

# Why a test is not run at all in a line.
left_out() {
    case $1:$2 in
    tsan:test_scribble) echo "the races it makes are what it is for" ;;
    esac
}

# Tests of the lines that run a part of them: building, and reading what was built.
part='^test_(build|cases_build|corpus|ipc|random|read|round_trip|same_bytes|verify|wrap)$'

### What is needed

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs those packages that are missing.
need() {
    missing=
    for package in "$@"; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if [ ! -e "$scratch/updated" ]; then
        as_root apt-get update -q
        touch "$scratch/updated"
    fi
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -q -y \
        --no-install-recommends $missing
}

# The compiler's own version of the package that lets it build for 32 bits; gcc-multilib itself
# excludes cross compilers.
multilib() {
    echo "gcc-$(gcc -dumpversion | cut -d. -f1)-multilib"
}

packages_for() {
    case $1 in
    gcc | clang) echo "$1" ;;
    s390x-linux-gnu-gcc) echo gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user ;;
    arm-linux-gnueabihf-gcc) echo gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user ;;
    powerpc64-linux-gnu-gcc) echo gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross qemu-user ;;
    mips-linux-gnu-gcc) echo gcc-mips-linux-gnu libc6-dev-mips-cross qemu-user ;;
    riscv64-linux-gnu-gcc) echo gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user ;;
    musl-gcc) echo musl-tools ;;
    x86_64-w64-mingw32-gcc-posix) echo gcc-mingw-w64-x86-64-posix wine wine64 ;;
    arm-none-eabi-gcc) echo gcc-arm-none-eabi qemu-user ;;
    esac
}

need_for() {
    # shellcheck disable=SC2046
    need gcc libc6-dev make cmake pkg-config $(packages_for "$1")
}

# The newest source of cmocka that the distribution has, as it was released.
get_cmocka() {
    [ ! -e "$scratch/cmocka/CMakeLists.txt" ] || return 0
    need dpkg-dev
    rm -rf "$scratch/get" "$scratch/cmocka"
    mkdir -p "$scratch/get/sources" "$scratch/get/lists/partial" "$scratch/cmocka"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >>"$scratch/get/sources/all.list"
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" \
            >"$scratch/get/sources/${list##*/}"
    done
    (
        cd "$scratch/get"
        set -- -o Dir::Etc::SourceList=- -o Dir::Etc::SourceParts="$PWD/sources" \
            -o Dir::State::Lists="$PWD/lists" -o APT::Sandbox::User=root \
            -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache=
        apt-get "$@" update -q
        apt-get "$@" source -q --download-only cmocka
        tar -xf cmocka_*.orig.tar.[gx]z --strip-components 1 -C "$scratch/cmocka"
    )
}

# build_cmocka LINE CMAKE-ARGUMENT...: for the line's machine, in $scratch/LINE.cmocka
build_cmocka() {
    line=$1
    shift
    get_cmocka
    cmake -S "$scratch/cmocka" -B "$scratch/$line.cmocka" -DWITH_STATIC_LIB=ON \
        -DWITH_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=None "$@"
    cmake --build "$scratch/$line.cmocka" -j "$jobs" --target cmocka-static
}

### Building and testing

# build LINE CMAKE-ARGUMENT...: all of it, or what `chosen` names
build() {
    line=$1
    shift
    cmake -S . -B "$scratch/$line" -DFLETCH_WERROR=ON -DFLETCH_INSTALL=OFF \
        -DFLETCH_TEST_TIMEOUT=3000 -DCMAKE_BUILD_TYPE=None "$@"
    if [ -z "$chosen" ]; then
        cmake --build "$scratch/$line" -j "$jobs"
        return
    fi
    # shellcheck disable=SC2046
    cmake --build "$scratch/$line" -j "$jobs" --target $(chosen_targets)
}

chosen_targets() {
    for source in tests/test_*.c; do
        basename "$source" .c
    done | grep -E "$chosen"
}

# Puts a script in the place of the program, so that tests that start it start `launcher` with it.
launch_program() {
    program=$scratch/$1/fletch
    if [ ! -e "$program" ] || head -c 2 "$program" | grep -q '#!'; then return; fi
    mv "$program" "$program.binary"
    printf '#!/bin/sh\nexec %s %s.binary "$@"\n' "$launcher" "$program" >"$program"
    chmod +x "$program"
}

# run_tests LINE
run_tests() {
    excluded=
    for source in tests/test_*.c; do
        name=$(basename "$source" .c)
        [ -z "$(left_out "$1" "$name")" ] || excluded="$excluded|$name"
    done
    [ -z "$launcher" ] || launch_program "$1"
    (
        cd "$scratch/$1"
        ctest -j "$jobs" --output-on-failure -R "${chosen:-.}" -E "^(none$excluded)\$"
    )
}

### Lines

native() {
    compiler=$1 standard=$2
    shift 2
    need_for "$compiler"
    need libcmocka-dev
    set -- -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_STANDARD="$standard" -DCMAKE_C_FLAGS="$*"
    case $name in
    gcc-*lto) set -- "$@" -DCMAKE_AR="$(command -v gcc-ar)" ;;
    clang-*lto)
        need lld llvm
        set -- "$@" -DCMAKE_AR="$(command -v llvm-ar)" -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
        ;;
    esac
    build "$name" "$@"
    run_tests "$name"
}

# With cmocka built alike, since what the sanitizers don't see they take for wrong.
sanitized() {
    compiler=$1 sanitizers=$2
    shift 2
    need_for "$compiler"
    [ "$compiler" = gcc ] || need "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
    flags="-g -O1 -fno-omit-frame-pointer -fsanitize=$sanitizers -fno-sanitize-recover=all"
    # What gcc cannot follow through the sanitizers' calls it takes to be any number.
    [ "$compiler" = clang ] || flags="$flags -Wno-format-truncation"
    for option in "$@"; do
        flags="$flags $(echo "$option" | sed "s#=tests/#=$root/tests/#")"
    done
    set -- -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags"
    build_cmocka "$name" "$@"
    build "$name" "$@" -DFLETCH_CMOCKA_INCLUDE="$scratch/cmocka/include" \
        -DFLETCH_CMOCKA_LIBRARY="$scratch/$name.cmocka/src/libcmocka-static.a"
    UBSAN_OPTIONS=print_stacktrace=1 run_tests "$name"
}

valgrind() {
    need_for gcc
    need libcmocka-dev valgrind
    launcher="$(command -v valgrind) -q --error-exitcode=99 --leak-check=full"
    build "$name" -DCMAKE_C_FLAGS='-g -O1' -DCMAKE_SYSTEM_NAME=Linux \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$(echo "$launcher" | tr ' ' ';')"
    run_tests "$name"
}

# Whether this machine's kernel takes programs of 32 bits, built with those flags: some take none.
runs_32_bits() {
    echo 'int main(void) { return 0; }' >"$scratch/32_bits.c"
    gcc "$@" -static "$scratch/32_bits.c" -o "$scratch/32_bits"
    "$scratch/32_bits"
}

# cross COMPILER EMULATOR [FLAG...]: linked statically, so that the emulator needs nothing else.
cross() {
    compiler=$1 emulator=$2
    shift 2
    need_for "$compiler"
    if [ "$name" = m32 ]; then
        need "$(multilib)"
        set -- "$@" -idirafter "/usr/include/$(gcc -print-multiarch)" # asm/
        runs_32_bits "$@" || emulator=qemu-i386
        [ -z "$emulator" ] || need qemu-user
    fi
    set -- -DCMAKE_C_COMPILER="$compiler" -DCMAKE_SYSTEM_NAME=Linux \
        -DCMAKE_C_FLAGS="-g -O2 $*" -DCMAKE_EXE_LINKER_FLAGS=-static
    if [ -n "$emulator" ]; then
        launcher=$(command -v "$emulator")
        set -- "$@" -DCMAKE_CROSSCOMPILING_EMULATOR="$launcher"
    fi
    build_cmocka "$name" "$@"
    build "$name" "$@" -DFLETCH_CMOCKA_INCLUDE="$scratch/cmocka/include" \
        -DFLETCH_CMOCKA_LIBRARY="$scratch/$name.cmocka/src/libcmocka-static.a"
    run_tests "$name"
}

# Windows' own; the program is not built, since it needs POSIX. C99's printf is MinGW's there, which
# cmocka.h, that declares its functions like the one of Windows, does not know.
mingw() {
    need_for x86_64-w64-mingw32-gcc-posix
    set -- -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc-posix -DCMAKE_SYSTEM_NAME=Windows \
        -DCMAKE_C_FLAGS='-g -O2 -D__USE_MINGW_ANSI_STDIO=1 -Wno-format' \
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v wine)"
    build_cmocka "$name" "$@"
    build "$name" "$@" -DFLETCH_PROGRAM=OFF \
        -DFLETCH_CMOCKA_INCLUDE="$scratch/cmocka/include" \
        -DFLETCH_CMOCKA_LIBRARY="$scratch/$name.cmocka/src/libcmocka-static.a"
    WINEPREFIX=$scratch/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
    export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
    wine wineboot --init
    status=0
    run_tests "$name" || status=1
    wineserver --kill || true
    return "$status"
}

warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual
    -Wcast-align -Wundef -Wvla -Werror'

# Each header alone, in all the standards of both languages; and a C++ program that uses all.
headers() {
    need_for gcc
    need g++ clang
    mkdir -p "$scratch/$name"
    for header in include/fletch/*.h; do
        echo "#include <fletch/${header##*/}>" >"$scratch/$name/alone.c"
        for compiler in gcc clang; do
            for standard in c99 c11 c17 c2x; do
                # shellcheck disable=SC2086
                $compiler -std=$standard $warnings -Wstrict-prototypes -Iinclude -fsyntax-only \
                    "$scratch/$name/alone.c"
                echo '[       OK ]'
            done
            for standard in c++11 c++14 c++17 c++20; do
                # shellcheck disable=SC2086
                $compiler -std=$standard $warnings -Wold-style-cast -Iinclude -fsyntax-only \
                    -x c++ "$scratch/$name/alone.c"
                echo '[       OK ]'
            done
        done
    done
    for source in src/*.c; do
        gcc -std=c99 -O1 -Iinclude -c "$source" -o "$scratch/$name/$(basename "$source" .c).o"
    done
    gcc -std=c99 -Iinclude tests/matrix/hosted.c tests/matrix/everything.c "$scratch/$name"/*.o \
        -o "$scratch/$name/c"
    for compiler in g++ clang++; do
        for standard in c++11 c++14 c++17 c++20; do
            # shellcheck disable=SC2086
            $compiler -std=$standard $warnings -Iinclude -x c++ tests/matrix/hosted.c \
                tests/matrix/everything.c -x none "$scratch/$name"/*.o -o "$scratch/$name/cxx"
            [ "$("$scratch/$name/cxx")" = "$("$scratch/$name/c")" ]
            echo '[       OK ]'
        done
    done
}

### Freestanding: without a C library, memcpy and kin excepted

# What tests/matrix/everything.c gives on this machine, as its bytes' fingerprint.
expected_fingerprint() {
    mkdir -p "$scratch/host"
    gcc -std=c99 -Iinclude src/*.c tests/matrix/everything.c tests/matrix/hosted.c \
        -o "$scratch/host/everything"
    "$scratch/host/everything"
}

# Objects of the library, in $scratch/$name: compile_freestanding COMPILER-AND-FLAGS...
compile_freestanding() {
    mkdir -p "$scratch/$name"
    for source in src/*.c tests/matrix/everything.c tests/matrix/memory.c; do
        # shellcheck disable=SC2086
        "$@" -std=c99 -Os -ffreestanding $warnings -Iinclude -Itests/matrix/include \
            -c "$source" -o "$scratch/$name/$(basename "$source" .c).o"
    done
}

# check_undefined RUNTIME-PATTERN: what the library leaves undefined is memcpy and kin, or the
# compiler's own.
check_undefined() {
    for source in src/*.c; do
        llvm-nm --undefined-only "$scratch/$name/$(basename "$source" .c).o"
    done | sed 's/.* //' | sort -u | grep -Ev '^(fletch_.*|.*:|)$' >"$scratch/$name/undefined"
    echo "undefined:" $(cat "$scratch/$name/undefined")
    if grep -Ev "^(memcpy|memmove|memset|memcmp|strlen|$1)\$" "$scratch/$name/undefined"; then return 1; fi
    echo '[       OK ]'
}

# expect_output WHAT: the second says what the first says on this machine
expect_output() {
    expected=$(expected_fingerprint)
    echo "$1 here, $2 there: $expected"
    [ "$1" = "$expected" ]
    echo '[       OK ]'
}

cortex_m0() {
    need_for arm-none-eabi-gcc
    need llvm
    compile_freestanding arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -fsanitize=alignment \
        -fsanitize-undefined-trap-on-error
    check_undefined '__aeabi_.*|__gnu_thumb1_case_.*'
    arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -Os -ffreestanding -nostdlib -static \
        -Itests/matrix/include -Iinclude tests/matrix/arm_linux.c "$scratch/$name"/*.o -lgcc \
        -o "$scratch/$name/everything"
    echo '[       OK ]'
    expect_output "$(qemu-arm "$scratch/$name/everything")" cortex-m0
}

wasm32() {
    need_for gcc
    need clang lld llvm nodejs
    compile_freestanding clang --target=wasm32-unknown-unknown
    check_undefined '__stack_pointer|__indirect_function_table|__linear_memory'
    wasm-ld --no-entry --export=fingerprint "$scratch/$name"/*.o -o "$scratch/$name/everything.wasm"
    echo '[       OK ]'
    expect_output "$(node tests/matrix/run_wasm.cjs "$scratch/$name/everything.wasm")" wasm32
}

### Running

# The names of the tests that were skipped, and by whom.
tell_skipped() {
    sed -n 's/^\[  SKIPPED \] \(.*\)/\1/p' "$1" | grep -v ' test(s)' | sort -u |
        sed 's/^/    skipped: /'
    for source in tests/test_*.c; do
        test=$(basename "$source" .c)
        reason=$(left_out "$line" "$test")
        [ -z "$reason" ] || echo "    left out: $test, since $reason"
    done
}

count() {
    grep -c "$1" "$2" || true
}

# run_line LINE ACTION [ARGUMENT...]
run_line() {
    name=$1
    line=$1
    shift
    log=$scratch/$name.log
    begin=$(date +%s)
    status=ok
    # In a shell of its own, where set -e holds.
    rm -f "$scratch/$name/Testing/Temporary/LastTest.log"
    (
        trap - EXIT
        set -e
        launcher=
        "$@"
    ) >"$log" 2>&1 </dev/null &
    child=$!
    wait "$child" || status=FAILED
    child=
    results=$scratch/$name/Testing/Temporary/LastTest.log
    [ -e "$results" ] || results=$log
    printf '%-17s %-6s  passed %4s  skipped %2s  %4s s\n' "$line" "$status" \
        "$(count '^\[       OK \]' "$results")" \
        "$(sed -n 's/^\[  SKIPPED \] \([^0-9].*\)/\1/p' "$results" | sort -u | wc -l)" \
        "$(($(date +%s) - begin))"
    tell_skipped "$results"
    if [ "$status" != ok ]; then
        failed=$((failed + 1))
        tail -n 40 "$log" | sed 's/^/    | /'
    fi
    [ -n "${MATRIX_BUILD:-}" ] || rm -rf "${scratch:?}/$name" "$scratch/$name.cmocka"
}

run_named() {
    arguments=$(all_lines | sed -n "s/^$1  *//p")
    if [ -z "$arguments" ]; then
        echo "tests/matrix.sh: no line $1; there are:" $(all_lines | sed 's/ .*//') >&2
        exit 2
    fi
    eval "run_line $1 $arguments"
}

failed=0
chosen=${MATRIX_TESTS:-}
case ${1:-} in
--list)
    all_lines
    exit
    ;;
--ci)
    chosen=$part
    set -- m32 s390x msan cortex-m0 wasm32
    ;;
'')
    # shellcheck disable=SC2046
    set -- $(all_lines | sed 's/ .*//')
    ;;
esac
[ -z "$chosen" ] || echo "only tests that match $chosen"
for wanted in "$@"; do
    run_named "$wanted"
done
[ "$failed" -eq 0 ]
echo "passed: $# lines of the matrix: $*"
