#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# How much code of the library an application has that builds, verifies (level structure) and reads
# bare schemas: size.c, compiled with -Os for x86-64 and for Cortex-M4, by file and in all. From any
# folder: sh tests/bench/size.sh
# ENTRIES=file keeps a line for each function: processor, file, name, bytes, what it is.
#
#     linked   bytes of functions that the linker keeps
#     entered  of them, those that belong to functions which size.c enters, for good input and for
#              broken
#     silent   of them, those that it enters when it asks for no words about what is wrong
#
# What is linked but not entered serves other kinds and levels, which are arguments: no linker can
# tell that they are never asked for. What is entered is counted, by gcov, in a build where every
# function of the source is one of its own. Which function an instruction belongs to is what the
# debugging information says: the innermost, where one was inlined into another.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/../.."
. tests/support/shell.sh
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

command -v gcc >/dev/null || install gcc libc6-dev
command -v arm-none-eabi-gcc >/dev/null && [ -f "$(arm-none-eabi-gcc -print-file-name=libc.a)" ] ||
    install gcc-arm-none-eabi libnewlib-arm-none-eabi >"$scratch/log" 2>&1

# Compiles the library and the application: FOLDER COMPILER [ARGUMENT...]
compile() {
    folder=$scratch/$1
    compiler=$2
    shift 2
    mkdir "$folder"
    for source in "$root"/src/*.c "$root/tests/bench/size.c"; do
        name=$(basename "$source" .c)
        (cd "$folder" && "$compiler" "$@" -std=c99 -I"$root/include" -c "$source" -o "$name.o")
    done
}

# What gcov counted, as lines "file function".
entered() {
    for object in "$scratch"/counted/*.gcda; do
        name=$(basename "$object" .gcda)
        mkdir "$scratch/counts"
        (cd "$scratch/counts" && gcov -b "$object" >"$scratch/log" 2>&1)
        cat "$scratch"/counts/*.gcov |
            awk -v name="$name" '$1 == "function" && $3 == "called" && $4 > 0 { print name, $2 }'
        rm -r "$scratch/counts"
    done | sort -u
}

count() {
    compile counted gcc -O0 -D__OPTIMIZE_SIZE__ --coverage # what -Os compiles, but not inlined
    (cd "$scratch/counted" && gcc --coverage ./*.o -o application)
    "$scratch/counted/application" || fail "the application"
    entered >"$scratch/entered"
    rm "$scratch"/counted/*.gcda
    "$scratch/counted/application" silently || fail "the application, silently"
    entered >"$scratch/silent"
}

# The sections of the library's functions that a linker's map has, as lines "file section".
kept() {
    awk '
    /^Linker script and memory map/ { is_linked = 1 }
    !is_linked { next }
    /^ \.text\./ {
        section = $1
        if (NF == 1 && (getline) <= 0) exit
        file = $NF
        sub(/.*\//, "", file)
        if (sub(/\.o$/, "", file) != 0 && $(NF - 1) != "0x0") print file, section
    }' "$1"
}

# The functions of the library that were linked, as lines "file function bytes": FOLDER OBJDUMP
linked() {
    kept "$scratch/$1.map" >"$scratch/kept"
    for source in src/*.c; do
        name=$(basename "$source" .c)
        "$2" -d -l -z "$scratch/$1/$name.o" | awk -v name="$name" '
        NR == FNR { if ($1 == name) is_kept[$2] = 1; next }
        /^Disassembly of section / { sub(/:$/, "", $4); section = $4 }
        /^[A-Za-z_0-9.]+\(\):$/ { owner = $1; sub(/[.(].*/, "", owner) }
        /^ *[0-9a-f]+:\t/ && section in is_kept {
            split($0, columns, "\t")
            gsub(/ /, "", columns[2])
            bytes[owner] += length(columns[2]) / 2
        }
        END { for (owner in bytes) print name, owner, bytes[owner] }' "$scratch/kept" -
    done
}

# The table for a processor: FOLDER OBJDUMP GOAL
report() {
    linked "$1" "$2" >"$scratch/linked"
    [ -s "$scratch/linked" ] || fail "no function in the map of $1"
    [ -z "${ENTRIES:-}" ] || awk -v processor="$1" '
        FILENAME ~ /entered$/ { kind[$1 " " $2] = "entered"; next }
        FILENAME ~ /silent$/ { kind[$1 " " $2] = "silent"; next }
        {
            what = kind[$1 " " $2]
            print processor, $0, what != "" ? what : "linked"
        }' "$scratch/entered" "$scratch/silent" "$scratch/linked" >>"$ENTRIES"
    awk -v processor="$1" -v goal="$3" '
        function line(name, a, b, c) { printf "%-10s %8d %8d %8d\n", name, a, b, c }
        FILENAME ~ /entered$/ { is_entered[$1 " " $2] = 1; next }
        FILENAME ~ /silent$/ { is_silent[$1 " " $2] = 1; next }
        {
            if (!($1 in all)) files[++count] = $1
            all[$1] += $3
            if (($1 " " $2) in is_entered) told[$1] += $3
            if (($1 " " $2) in is_silent) silent[$1] += $3
        }
        END {
            printf "%-10s %8s %8s %8s\n", processor, "linked", "entered", "silent"
            for (i = 1; i <= count; i++) {
                line(files[i], all[files[i]], told[files[i]], silent[files[i]])
                a += all[files[i]]
                b += told[files[i]]
                c += silent[files[i]]
            }
            line("in all", a, b, c)
            printf "%-10s %8.1f %8.1f %8.1f KB; flatcc: %s\n\n", "", a / 1000, b / 1000, c / 1000, goal
        }' "$scratch/entered" "$scratch/silent" "$scratch/linked"
}

[ -z "${ENTRIES:-}" ] || : >"$ENTRIES"
count
sections='-Os -g -ffunction-sections -fdata-sections'
# shellcheck disable=SC2086 # words
compile x86-64 gcc -fno-pic -fno-asynchronous-unwind-tables $sections
gcc -no-pie -Wl,--gc-sections -Wl,-Map="$scratch/x86-64.map" "$scratch"/x86-64/*.o \
    -o "$scratch/application"
report x86-64 objdump "14.0 KB, Google's C++: 9.2 KB"
# shellcheck disable=SC2086 # words
compile cortex-m4 arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb $sections
arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -nostartfiles -Wl,-e,main -Wl,--gc-sections \
    -Wl,-Map="$scratch/cortex-m4.map" "$scratch"/cortex-m4/*.o -o "$scratch/application" \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" && fail "linking for Cortex-M4"; }
report cortex-m4 arm-none-eabi-objdump "10.4 KB, Google's C++: 6.1 KB"
