#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual and the completions of the program: all commands, options and values that the program
# itself names stand in all of them, and no others; the completions complete, in bash and in zsh.
# From any folder: sh tests/completions.sh
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

install_tools() {
    for tool in cc bash zsh mandoc man groff; do
        command -v "$tool" >/dev/null && continue
        install gcc libc6-dev bash zsh mandoc man-db groff >"$scratch/log" 2>&1 || {
            cat "$scratch/log"
            fail "apt-get install"
        }
        break
    done
    cc -O1 -Iinclude src/*.c src/cli/*.c -o "$scratch/fletch"
    passed "the tools are there, and the program is built"
}

# What the program names: `commands`, `COMMAND.options`, `OPTION.values`, one a line, sorted.

commands() {
    "$scratch/fletch" --help | sed -n 's/^  fletch \([a-z]*\) .*/\1/p'
}

options() {
    "$scratch/fletch" "$1" --help | sed -n 's/^  \(--[a-z]*\).*/\1/p'
    echo --help
}

takes_value() {
    "$scratch/fletch" "$1" --help | grep -q "^  $2="
}

# A value that no option takes is answered with those there are.
values() {
    ! "$scratch/fletch" "$1" "$2=@" x 2>&1 >"$scratch/log" | grep ': none of ' |
        sed 's/.*: none of //' | tr -d ' ' | tr ',' '\n'
}

list_words() {
    commands | sort >"$scratch/commands"
    for command in $(commands); do
        options "$command" | sort >"$scratch/$command.options"
        for option in $(options "$command"); do
            case $option in
            --match | --depth | --help) continue ;;
            esac
            takes_value "$command" "$option" || continue
            values "$command" "$option" | sort >"$scratch/$option.values"
            [ -s "$scratch/$option.values" ] || fail "no values of $command $option"
        done
    done
    [ "$(wc -l <"$scratch/commands")" -ge 7 ] || fail "the help names too few commands"
    passed "the program names $(wc -l <"$scratch/commands") commands," \
        "$(cat "$scratch"/*.options | sort -u | wc -l) options," \
        "$(cat "$scratch"/*.values | sort -u | wc -l) values"
}

# The manual

# What the synopsis has of a command.
synopsis() {
    awk -v name="$1" '/^\.Nm fletch/ { own = $3 == name } /^\.Sh DESCRIPTION/ { exit } own' \
        src/cli/fletch.1
}

check_manual() {
    for command in $(commands); do
        grep -qx "\.Ss $command" src/cli/fletch.1 || fail "the manual has no part on $command"
        synopsis "$command" | sed -n 's/.*Fl -\([a-z]*\).*/--\1/p' | sort >"$scratch/found"
        grep -vx -e --help "$scratch/$command.options" | cmp -s - "$scratch/found" ||
            fail "the manual's synopsis of $command has other options than its help"
    done
    sed -n 's/^\.It Fl -\([a-z]*\).*/--\1/p' src/cli/fletch.1 | sort >"$scratch/found"
    { cat "$scratch"/*.options && echo --version; } | sort -u | cmp -s - "$scratch/found" ||
        fail "the manual explains other options than the program has"
    for word in $(cat "$scratch"/*.values); do
        grep -Eqx "\.Cm $word( .*)?" src/cli/fletch.1 || fail "the manual does not name $word"
    done
    passed "the manual has every command, option and value"
}

check_manual_form() {
    # What mandoc says of other manuals, which may not be installed, is not about this one; and the
    # version stands where systems put their own name.
    mandoc -Tlint src/cli/fletch.1 2>&1 | grep -Ev 'mandoc\.db|operating system explicitly' \
        >"$scratch/found" || true
    [ ! -s "$scratch/found" ] || { cat "$scratch/found" && fail "mandoc -Tlint"; }
    LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$root/src/cli/fletch.1" \
        >"$scratch/out" 2>"$scratch/found"
    [ ! -s "$scratch/found" ] || { cat "$scratch/found" && fail "man --warnings"; }
    [ -s "$scratch/out" ] || fail "man shows nothing"
    passed "mandoc and groff have nothing against the manual"
}

# Completions: SHELL_complete WORD... writes what the last word becomes, one a line.

write_bash_script() {
    cat >"$scratch/complete.bash" <<'END'
source "$1/src/cli/fletch.bash"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_fletch
printf '%s\n' "${COMPREPLY[@]}"
END
}

bash_complete() {
    bash --norc "$scratch/complete.bash" "$root" "$@" | sort
}

# The option and its value are words apart, as bash has them.
bash_values() {
    bash_complete fletch "$1" "$2" = | sort
}

# A shell on a terminal of its own, where compadd notes what it is given.
write_zsh_script() {
    cat >"$scratch/inner.zsh" <<'END'
compadd() {
    local -a hits
    if [[ " ${@[1,(i)(-|--)]} " == *\ -[a-zA-Z]#[OAD]\ * ]]; then
        builtin compadd "$@"
        return
    fi
    builtin compadd -A hits "$@"
    print -rl -- $hits >>$found
    builtin compadd "$@"
}
end_line() {
    BUFFER=
    mv $found $found.done
}
setopt extendedglob
zle -N end_line
bindkey '^X' end_line
END
    cat >"$scratch/complete.zsh" <<'END'
zmodload zsh/zpty
local folder=$1 found=$2/hits n
shift 2
rm -f $found.done
: >$found
zpty shell zsh -f -i
zpty -w shell "fpath=($folder/src/cli \$fpath) found=$found PS1= TERM=dumb"
zpty -w shell "autoload -Uz compinit && compinit -u -D && source ${0:h}/inner.zsh"
zpty -w -n shell "$*"$'\t'$'\x18'
for ((n = 0; n < 200; n++)); do
    [[ -e $found.done ]] && break
    sleep 0.1
done
zpty -d shell
[[ -e $found.done ]] && grep . $found.done
END
}

zsh_complete() {
    zsh -f "$scratch/complete.zsh" "$root" "$scratch" "$@" </dev/null | sort -u
}

zsh_values() {
    zsh_complete fletch "$1" "$2="
}

# Holds what is completed (standard input) against what the program names.
same_words() {
    sed 's/=$//' >"$scratch/found"
    sort "$1" | cmp -s - "$scratch/found" || {
        diff "$1" "$scratch/found" || true
        fail "$2"
    }
}

check_completion() {
    shell=$1
    "${shell}_complete" fletch "" | same_words "$scratch/commands" "$shell: commands"
    for command in $(commands); do
        "${shell}_complete" fletch "$command" -- |
            same_words "$scratch/$command.options" "$shell: options of $command"
        for option in $(cat "$scratch/$command.options"); do
            [ -e "$scratch/$option.values" ] || continue
            "${shell}_values" "$command" "$option" |
                same_words "$scratch/$option.values" "$shell: values of $command $option"
        done
    done
    passed "$shell completes every command, option and value"
}

check_bash_words() {
    bash_complete fletch sh | grep -qx show || fail "bash: the beginning of a command"
    bash_complete fletch convert --to = str | grep -qx stream || fail "bash: a part of a value"
    bash_complete fletch convert --to=str | grep -qx -e --to=stream ||
        fail "bash: a value in one word"
    bash_complete fletch show src/cli/fletch. | grep -qx src/cli/fletch.1 || fail "bash: a file"
    passed "bash completes parts of words, and files"
}

install_tools
list_words
check_manual
check_manual_form
write_bash_script
check_completion bash
check_bash_words
# zsh completes on a terminal only, which some containers cannot give.
zsh -fc 'zmodload zsh/zpty && zpty -b probe cat && zpty -d probe' 2>/dev/null || {
    echo "skipped: zsh's completion, since there is no terminal to be had"
    exit 0
}
write_zsh_script
check_completion zsh
