#!/usr/bin/env bash
# tools/fuzz_kit.sh KIT CORPUS NAME=BUILD...: the fuzz programs of several builds with all libraries they need, models and
# a corpus, in a folder of two files that runs on any machine of this architecture: KIT/run.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
kit=$1
corpus=$2
shift 2
rm -rf "$kit"
mkdir -p "$kit"
all=$(mktemp -d)
mkdir "$all/lib" "$all/models" "$all/corpus"
for pair in "$@"; do
  program=${pair#*=}/test/fuzz/fuzz
  cp "$program" "$all/fuzz-${pair%%=*}"
  strip "$all/fuzz-${pair%%=*}"
  ldd "$program" | awk '$3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' | xargs cp -Lu -t "$all/lib"
done
cp models/*.zw test/fuzz/seeds/*.zw "$all/models"
# told of a crash by who called whom
cp -L "$(cc -print-file-name=libgcc_s.so.1)" "$all/lib"
[ ! -d "$corpus" ] || cp -r "$corpus/." "$all/corpus"
tar -C "$all" -czf "$kit/all.tar.gz" .
rm -rf "$all"
cp tools/fuzz_run.sh "$kit/run.sh"
du -sh "$kit"
