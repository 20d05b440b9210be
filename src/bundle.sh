#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The whole library as one header and one source, to be copied into another project:
#
#     sh src/bundle.sh FOLDER            writes FOLDER/fletch.h and FOLDER/fletch.c
#     sh src/bundle.sh FOLDER PREFIX     writes FOLDER/PREFIX.h and FOLDER/PREFIX.c
#
# With a PREFIX, every name that begins with fletch_ or FLETCH_ begins with it instead, so that two
# copies, of two versions even, can be in one program. heap.h is in the header too, for those who
# define FLETCH_WITH_HEAP before they include it.
#
# What is static in one file may have the name of something in another. In the one source, such
# names get their file's before them ("ipc_refuse"), and a file's macros end with it. The same
# sources give the same bytes on every machine.
set -eu

usage() {
    echo "usage: sh src/bundle.sh FOLDER [PREFIX], a PREFIX as a C name in lower case" >&2
    exit 2
}

[ $# -eq 1 ] || [ $# -eq 2 ] || usage
case $1 in
-*) usage ;;
esac
prefix=${2:-fletch}
case $prefix in
[!a-z]* | *[!a-z0-9_]*) usage ;;
esac
mkdir -p "$1"
folder=$(CDPATH='' cd -- "$1" && pwd)
CDPATH='' cd -- "$(dirname -- "$0")/.."
LC_ALL=C
export LC_ALL

# bundle WHAT: the header or the source.
bundle() {
    awk -v what="$1" -v prefix="$prefix" '
    function fail(text) {
        print "src/bundle.sh: " text > "/dev/stderr"
        failed = 1
        exit 1
    }

    # Reads a file into lines[path, 1...]; sizes[path] is their number.
    function load(path,    line, n) {
        if (path in sizes) return
        while ((getline line < path) > 0) lines[path, ++n] = line
        close(path)
        if (n == 0) fail(path " cannot be read")
        sizes[path] = n
    }

    # The file that an #include "..." in `path` means.
    function included(path, line,    name) {
        split(line, name, "\"")
        if (name[2] ~ /^fletch\//) return "include/" name[2]
        sub(/[^\/]*$/, "", path)
        return path name[2]
    }

    # Notes that `path` defines a name for all of the file; tags are "struct NAME".
    function define(path, name) {
        if (name == "" || (path, name) in defines) return
        defines[path, name] = 1
        definers[name]++
        names[path, ++name_count[path]] = name
    }

    # The names that the text inside the braces of an enum defines.
    function define_enumerators(path, text,    list, i, n) {
        n = split(text, list, ",")
        for (i = 1; i <= n; i++)
            if (match(list[i], /[A-Z][A-Z0-9_]*/)) define(path, substr(list[i], RSTART, RLENGTH))
    }

    # Looks through a file for the macros, tags and statics it defines.
    function find_names(path,    i, line, word, in_enum) {
        for (i = 1; i <= sizes[path]; i++) {
            line = lines[path, i]
            gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
            sub(/\/\*.*/, "", line)
            if (line ~ /^#define /) {
                match(substr(line, 9), /[A-Za-z0-9_]+/)
                macros[path, ++macro_count[path]] = substr(line, 8 + RSTART, RLENGTH)
                is_macro[path, substr(line, 8 + RSTART, RLENGTH)] = 1
            } else if (line ~ /^(typedef )?(enum|struct|union)( [a-z_0-9]+)? \{/) {
                split(line, word, / \{/)
                sub(/^typedef /, "", word[1])
                if (word[1] ~ / /) define(path, word[1])
                in_enum = line ~ /^(typedef )?enum/
                sub(/^[^{]*\{/, "", line)
                if (in_enum) define_enumerators(path, line)
                if (line ~ /\}/) in_enum = 0
            } else if (line ~ /^\}/) {
                in_enum = 0
                if (match(line, /[a-z_0-9]+/)) define(path, substr(line, RSTART, RLENGTH))
            } else if (in_enum && line !~ /^#/) {
                define_enumerators(path, line)
            } else if (line ~ /^(static|FORCE_INLINE|COLD) /) {
                sub(/[[(=;].*/, "", line)
                sub(/ +$/, "", line)
                sub(/^.*[ *]/, "", line)
                define(path, line)
            } else if (line ~ /^ +static const [a-z_]+ [a-z_]+ = /) {
                split(line, word, " ")
                definers[word[4]]++ # hides what another file has of that name
            }
        }
    }

    # What a word is called under the prefix.
    function prefixed(word) {
        if (word ~ /^fletch_/) return prefix substr(word, 7)
        if (word ~ /^FLETCH_/) return toupper(prefix) substr(word, 7)
        return word
    }

    # What a word of the code at `path` is called in the bundle, behind what stands before it.
    function renamed(path, word, before,    name) {
        name = word
        if (match(before, /(enum|struct|union) $/)) name = substr(before, RSTART) word
        if (!((path, name) in defines) || definers[name] < 2) return prefixed(word)
        if (path ~ /\.h$/ || before ~ /(\.|->)$/) return word # shared, or a member
        return stem(path) "_" word
    }

    function stem(path) {
        sub(/^.*\//, "", path)
        sub(/\..*$/, "", path)
        return path
    }

    # The comment that begins `text`, or goes on in it, to its end or that of the line.
    function comment_of(text,    from, end) {
        from = in_comment ? 1 : 3
        end = index(substr(text, from), "*/")
        in_comment = end == 0
        return in_comment ? text : substr(text, 1, from + end)
    }

    # Where the literal that begins `text` ends.
    function literal_end(text,    quote, i) {
        quote = substr(text, 1, 1)
        for (i = 2; substr(text, i, 1) != quote; i++)
            if (substr(text, i, 1) == "\\") i++
        return i
    }

    function prefix_all(text,    done) {
        while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
            done = done substr(text, 1, RSTART - 1) prefixed(substr(text, RSTART, RLENGTH))
            text = substr(text, RSTART + RLENGTH)
        }
        return done text
    }

    # Prints a line: words of the code are renamed, those of comments get the prefix only, and
    # literals stay as they are.
    function print_line(path, line,    done, part) {
        while (in_comment || match(line, /[A-Za-z_][A-Za-z0-9_]*|["\047]|\/\*/)) {
            if (!in_comment) {
                done = done substr(line, 1, RSTART - 1)
                line = substr(line, RSTART)
                part = substr(line, 1, RLENGTH)
            }
            if (in_comment || part == "/*") {
                part = comment_of(line)
                done = done prefix_all(part)
            } else if (part ~ /["\047]/) {
                part = substr(line, 1, literal_end(line))
                done = done part
            } else {
                done = done renamed(path, part, done)
            }
            line = substr(line, length(part) + 1)
            if (line == "") break
        }
        print done line
    }

    # Prints a file, with what it includes where it includes it first.
    function print_file(path,    i, line) {
        if (path in printed) return
        printed[path] = 1
        for (i = 1; i <= sizes[path]; i++) {
            line = lines[path, i]
            if (line ~ /^#include "/) print_file(included(path, line))
            else if (line !~ /^\/\* SPDX/) print_line(path, line)
        }
        end_macros(path)
    }

    # Macros of a source end with it, if they have not ended before.
    function end_macros(path,    i, j, name, header) {
        if (path !~ /\.c$/) return
        for (i = 1; i <= macro_count[path]; i++) {
            name = macros[path, i]
            for (j = 1; j <= file_count && !(files[j] ~ /\.h$/ && (files[j], name) in is_macro);) j++
            if (j > file_count) print_line(path, "#undef " name)
        }
    }

    # The public headers that fletch.h has, in its order, then heap.h.
    function print_header(    guard, top, i) {
        top = "include/fletch/fletch.h"
        for (i = 1; i <= sizes[top]; i++)
            if (lines[top, i] ~ /^#include/) print_file(included(top, lines[top, i]))
        print ""
        print_line("", "#ifdef FLETCH_WITH_HEAP")
        print_file("include/fletch/heap.h")
        print "#endif"
    }

    function print_source(    i) {
        print ""
        print "#include \"" prefix ".h\""
        for (i = 1; i <= file_count; i++) if (files[i] ~ /^include/) printed[files[i]] = 1
        for (i = 1; i <= file_count; i++) {
            if (files[i] !~ /\.c$/) continue
            print ""
            print "/* " files[i] " */"
            print_file(files[i])
        }
    }

    BEGIN {
        for (file_count = ARGC - 1; ++i < ARGC;) {
            files[i] = ARGV[i]
            load(ARGV[i])
            find_names(ARGV[i])
        }
        for (i = 1; version == "" && i <= sizes["include/fletch/base.h"]; i++)
            if (lines["include/fletch/base.h", i] ~ /^#define FLETCH_VERSION +"/) {
                split(lines["include/fletch/base.h", i], version_parts, "\"")
                version = version_parts[2]
            }
        print "/* SPDX-License-Identifier: Apache-2.0 */"
        print "/* All of fletch " version " in one " what ", made by src/bundle.sh of its sources. */"
        if (what == "header") print_header()
        else print_source()
    }' include/fletch/*.h src/*.h src/*.c
}

bundle header >"$folder/$prefix.h"
bundle source >"$folder/$prefix.c"
