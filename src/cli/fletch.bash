# SPDX-License-Identifier: Apache-2.0
#
# Completion of `fletch` for bash. It leans on nothing but bash; tests/completions.sh holds its
# words against what `fletch --help` says.

# The options of a command; those that take a value end with `=`.
_fletch_options() {
    case $1 in
    show) echo "--match= --depth= --count --full --color= --as= --help" ;;
    explain) echo "--match= --depth= --full --color= --as= --help" ;;
    verify) echo "--level= --as= --help" ;;
    json) echo "--as= --help" ;;
    convert) echo "--to= --legacy --as= --help" ;;
    build) echo "--to= --help" ;;
    diff) echo "--ignore= --full --as= --help" ;;
    *) echo "--help --version" ;;
    esac
}

# The values of an option, where they are words.
_fletch_values() {
    case $1 in
    --as) echo "schema message footer encapsulated stream file parquet base64" ;;
    --to) echo "schema message footer encapsulated stream file base64" ;;
    --color) echo "auto always never" ;;
    --level) echo "structure arrow strict" ;;
    --ignore)
        echo "metadata metadata-order child-names dictionary-ids endianness features"
        ;;
    esac
}

_fletch_words() {
    COMPREPLY=($(compgen -W "$1" -- "$2"))
}

_fletch() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} option=

    COMPREPLY=()
    # `=` is a word of its own, unless it was taken out of COMP_WORDBREAKS.
    if [[ $word == = ]]; then
        option=$before word=
    elif [[ $before == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $word == --*=* ]]; then
        _fletch_words "$(_fletch_values "${word%%=*}")" "${word#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/${word%%=*}=}")
        return
    fi
    if [[ -n $option ]]; then
        _fletch_words "$(_fletch_values "$option")" "$word"
    elif ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
        _fletch_words "show explain verify json convert build diff" "$word"
    elif [[ $word == -* ]]; then
        ((COMP_CWORD == 1)) && command=
        _fletch_words "$(_fletch_options "$command")" "$word"
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    else
        compopt -o filenames 2>/dev/null
        local IFS=$'\n'
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}

complete -F _fletch fletch
