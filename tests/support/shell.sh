# SPDX-License-Identifier: Apache-2.0
#
# What the scripts of tests/ and fuzz/ share. They read it from the root of the project:
# . tests/support/shell.sh

passed() {
    echo "passed: $*"
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs packages, on Debian and Ubuntu.
install() {
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -q -y \
        --no-install-recommends "$@"
}

# Sets `seconds` to those that processors worked so far on what this shell started: FILE is scratch.
count_seconds() {
    times >"$1"
    seconds=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }' "$1")
}
