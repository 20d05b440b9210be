#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds fletch in build/ and runs all its tests, from any folder: sh tests/run.sh
# What is missing of a C compiler, make, cmake, pkg-config and cmocka is installed first, with the
# package manager of the system; sudo is used where that takes it.
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."

has() {
    command -v "$1" >/dev/null 2>&1
}

has_cmocka() {
    pkg-config --exists cmocka
}

is_complete() {
    has "${CC:-cc}" && has make && has cmake && has pkg-config && has_cmocka
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif has sudo; then
        echo "tests/run.sh: sudo $*"
        sudo "$@"
    else
        echo "tests/run.sh: this takes root, and there is no sudo: $*" >&2
        exit 1
    fi
}

install_tools() {
    echo "tests/run.sh: installing a C compiler, make, cmake, pkg-config and cmocka"
    if has apt-get; then
        as_root apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
            gcc libc6-dev make cmake pkg-config libcmocka-dev
    elif has dnf; then
        as_root dnf install -y gcc make cmake pkgconf-pkg-config libcmocka-devel
    elif has apk; then
        as_root apk add build-base cmake pkgconf cmocka-dev
    elif has zypper; then
        as_root zypper --non-interactive install gcc make cmake pkg-config libcmocka-devel
    elif has pacman; then
        as_root pacman -S --needed --noconfirm gcc make cmake pkgconf cmocka
    elif has pkg; then
        as_root pkg install -y cmake pkgconf cmocka
    elif has brew; then
        brew install cmake pkg-config cmocka
    else
        echo "tests/run.sh: no package manager known here; install those by hand" >&2
        exit 1
    fi
}

is_complete || install_tools
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
cmake -S . -B build -DFLETCH_TESTS=ON -DFLETCH_PROGRAM=ON
cmake --build build -j "$jobs"
cd build
ctest --output-on-failure -j "$jobs"
