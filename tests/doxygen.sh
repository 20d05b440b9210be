#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The reference: every public function, type, member, enumerator and macro is documented in its
# header. Doxygen says so without a warning, from any folder:
#
#     sh tests/doxygen.sh            checks
#     sh tests/doxygen.sh FOLDER     and leaves the reference as FOLDER/html/index.html
#
# The headers' comments are Doxygen's but for two things, which a filter adds: the comment at the
# top is the file's, and what is not for users to touch is left out.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
folder=$scratch
[ $# -eq 0 ] || folder=$(mkdir -p "$1" && CDPATH='' cd -- "$1" && pwd)
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh

command -v doxygen >/dev/null || install doxygen

# Lines stay where they are, so that warnings tell the right ones.
cat >"$scratch/filter.awk" <<'END'
FNR == 1 { name = FILENAME; sub(/.*\//, "", name) }
FNR == 2 { sub(/^\/\*/, "/** @file " name) }
/[Nn]ot for users to touch/ { is_private = 1 }
is_private && /^[}#]/ {
    if (is_hidden) $0 = "/** @endcond */ " $0
    is_private = is_hidden = 0
}
is_private && !is_hidden && (/ \{$/ || /^ +\/\*/) {
    $0 = $0 " /** @cond */"
    is_hidden = 1
}
{ print }
END

# check INPUT...: what Doxygen has to say of these files, with the reference in $folder.
check() {
    cat >"$scratch/Doxyfile" <<END
PROJECT_NAME = fletch
PROJECT_NUMBER = $(sed -n 's/^#define FLETCH_VERSION  *"\(.*\)"/\1/p' include/fletch/base.h)
INPUT = $*
OUTPUT_DIRECTORY = "$folder"
FILTER_PATTERNS = *.h="awk -f '$scratch/filter.awk'"
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
MARKDOWN_SUPPORT = NO
EXTRACT_STATIC = YES
MACRO_EXPANSION = YES
HAVE_DOT = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
END
    doxygen "$scratch/Doxyfile" >"$scratch/log" 2>&1
}

# Enumerators without a comment, which Doxygen does not ask for; those of statuses are told by
# their rows.
bare_enumerators() {
    awk '
        /<enumvalue / { name = ""; has_text = 0 }
        /<name>/ && name == "" { name = $0 }
        /<para>/ { has_text = 1 }
        /<\/enumvalue>/ && !has_text { print name }' "$folder"/xml/*_8h.xml |
        sed -e 's/<[^>]*>//g' -e 's/^ *//' | sort -u >"$scratch/bare"
    sed -n 's/^    X(\([A-Z0-9_]*\),.*/FLETCH_\1/p' include/fletch/base.h | sort -u |
        comm -13 - "$scratch/bare"
}

# A comment that is missing must be found, or all this is worth nothing: one each of a function, a
# member, a macro and a type is taken away.
check_that_it_checks() {
    for lost in 'The type id of child' 'false: absent, not just' 'The most that fields can nest' \
        'How much is checked;'; do
        sed "s|^\( *.*\)/\*\*.*$lost.*|\1|" include/fletch/read.h >"$scratch/read.h"
        ! cmp -s "$scratch/read.h" include/fletch/read.h || fail "no comment says: $lost"
        ! (folder=$scratch && check "$scratch/read.h") &&
            grep -q 'is not documented' "$scratch/log" ||
            fail "a comment is missing and not missed: $lost"
    done
}

check_that_it_checks
check include/fletch || {
    cat "$scratch/log"
    fail "Doxygen has warnings"
}
bare=$(bare_enumerators)
[ -z "$bare" ] || fail "enumerators without a comment:" $bare
echo "passed: all that is public is documented, $(doxygen --version) has no warning"
