#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# README's start works word for word, with nothing around but a C compiler; and every compiler at
# hand takes its one command without a warning, with the same results. From any folder:
# sh tests/portable.sh
# gcc, clang, tcc and MinGW-w64 are installed where they are missing; what cannot be had is skipped.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

has() {
    command -v "$1" >/dev/null
}

install_tools() {
    has gcc && has clang && has tcc && has x86_64-w64-mingw32-gcc && return
    for package in gcc libc6-dev clang tcc gcc-mingw-w64-x86-64; do
        install "$package" >"$scratch/log" 2>&1 || echo "tests/portable.sh: there is no $package"
    done
}

# A clone as others get it: the files of git, in a folder with spaces.
copy_tree() {
    mkdir "$scratch/a clone"
    git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - |
        tar -C "$scratch/a clone" -xf -
}

# README's first five minutes, word for word, where PATH has a shell, a C compiler's parts, cat and
# mkdir only.
walk_start() {
    awk '/^## Five minutes/ { on = 1; next } /^## / { on = 0 } on && sub(/^    /, "")' README.md \
        >"$scratch/start.sh"
    [ "$(grep -c '^cc ' "$scratch/start.sh")" -eq 2 ] || fail "README's start is not found"
    mkdir "$scratch/bin"
    for tool in sh cc as ld cat mkdir; do
        ln -s "$(command -v $tool)" "$scratch/bin/$tool"
    done
    (cd "$scratch/a clone" && env -i PATH="$scratch/bin" sh -e "$scratch/start.sh") \
        >"$scratch/shown" || fail "README's start"
    for line in '  tiny  *int8' 'city: LargeUtf8'; do
        grep -qx "$line" "$scratch/shown" || fail "README's start does not show: $line"
    done
    version=$(sed -n 's/^#define FLETCH_VERSION  *"\(.*\)"/\1/p' include/fletch/base.h)
    [ "$("$scratch/a clone/fletch" --version)" = "fletch $version" ] || fail "fletch --version"
    passed "README's first five minutes, with a C compiler and nothing else"
}

# What a program says of every file of tests/data.
answers() {
    for file in tests/data/*__*; do
        for command in verify show json; do
            "$1" $command "$file" 2>&1 || echo "exit code $?"
        done
    done
}

# The command by one compiler: NAME COMPILER [FLAG...]
check_compiler() {
    name=$1
    shift
    has "$1" || {
        echo "skipped: $name, which is not there"
        return
    }
    "$@" -Iinclude src/*.c src/cli/*.c -o "$scratch/fletch" || fail "$name"
    answers "$scratch/fletch" >"$scratch/answers"
    [ -f "$scratch/first answers" ] || cp "$scratch/answers" "$scratch/first answers"
    cmp "$scratch/answers" "$scratch/first answers" || fail "$name: other answers"
    passed "$name: no warning, the same answers"
}

# The library for Windows, where `long` has 32 bits and size_t 64; static with a user, and a DLL.
check_mingw() {
    compiler=x86_64-w64-mingw32-gcc
    has $compiler || {
        echo "skipped: MinGW-w64, which is not there"
        return
    }
    mkdir "$scratch/mingw"
    for source in src/*.c tests/examples/*.c; do
        object=$(echo "$source" | tr / _)
        $compiler -std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude \
            -c "$source" -o "$scratch/mingw/$object.o"
    done
    echo 'int print_columns(const void *, unsigned long long);
        int main(void) { return print_columns("", 0) == 1 ? 0 : 1; }' >"$scratch/user.c"
    $compiler "$scratch/user.c" "$scratch/mingw"/*.o -o "$scratch/user.exe"
    $compiler -shared "$scratch/mingw"/src_*.o -o "$scratch/fletch.dll"
    passed "$($compiler --version | head -n 1): no warning"
}

install_tools
copy_tree
walk_start
check_compiler "gcc, -Wall -Wextra" gcc -O2 -Wall -Wextra -Werror
check_compiler "gcc, C99 without extensions, for size" gcc -Os -std=c99 -Wall -Wextra -Werror
check_compiler "clang, -Wall -Wextra" clang -O2 -Wall -Wextra -Werror
check_compiler "tcc" tcc -Wall -Werror
check_mingw
