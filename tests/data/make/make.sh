#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rewrite the test files beside this folder with the encoders named in package.json and with flatc.
# Run by hand, on x86-64 Linux, never by CI: the files are committed. Needs node, npm, python3 and
# Debian's flatbuffers-compiler 2.0.8. Nothing is left behind but the files.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
data=$(dirname -- "$here")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

case $(flatc --version) in
*' 2.0.8') ;;
*) echo 'make.sh: flatc 2.0.8 is wanted: the names of the files say so' >&2 && exit 1 ;;
esac

cp -R "$here/." "$scratch"
cd "$scratch"
npm install --ignore-scripts --no-audit --no-fund --no-package-lock
mkdir made
node make.mjs made
cp made/* "$data"

# An expected line for every file whose verdict at level arrow is ok.
awk -F '\t' '$4 == "ok" { print $1, $2 }' "$data/MANIFEST.tsv" | while read -r file kind; do
    python3 expect.py --as "$kind" "$data/$file" >"$data/expected/$file.json"
done
