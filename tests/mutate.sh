#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Changes one thing at a time in the library's source and looks whether a test notices:
#   sh tests/mutate.sh --sample 600 [--seed N]     # so many changes, picked by the seed
#   sh tests/mutate.sh --files src/walk.c,src/flat.h   # every change in those files
#   sh tests/mutate.sh                                 # every change: takes hours
# Further: --jobs N tries so many side by side (as many as there are processors), --minutes N begins
# no more after so many, --list prints the changes instead of trying them, --below PERCENT is what
# fails it (95), --kept FILE writes what survived, --again FILE tries only what such a list has,
# --tests NAME,NAME runs only those. A change that no test can notice is named in
# tests/mutate/equivalent with the reason; an entry there that is no change any more fails, too.
# Nothing is written into the source tree; BUILD names a folder to build in and to keep, which the
# next run uses if the tree is the same.
set -eu

cd "$(dirname "$0")/.."

has_tools() {
    command -v python3 >/dev/null && command -v gcc >/dev/null && command -v pkg-config >/dev/null &&
        pkg-config --exists cmocka
}

install_tools() {
    command -v apt-get >/dev/null || {
        echo "tests/mutate.sh: needs gcc, cmocka, pkg-config and python3" >&2
        exit 1
    }
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root apt-get update -qq >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        gcc libc6-dev pkg-config libcmocka-dev python3 >&2
}

has_tools || install_tools
exec python3 tests/mutate/mutate.py "$@"
