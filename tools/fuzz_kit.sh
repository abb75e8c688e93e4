#!/usr/bin/env bash
# tools/fuzz_kit.sh KIT CORPUS NAME=BUILD...: the fuzz programs of several builds with all libraries they need, models and
# a corpus, in one folder that runs on any machine of this architecture: KIT/run.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
kit=$1
corpus=$2
shift 2
rm -rf "$kit"
mkdir -p "$kit/lib" "$kit/models"
for pair in "$@"; do
  program=${pair#*=}/test/fuzz/fuzz
  cp "$program" "$kit/fuzz-${pair%%=*}"
  strip --strip-debug "$kit/fuzz-${pair%%=*}"
  ldd "$program" | awk '$3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' | xargs cp -Lu -t "$kit/lib"
done
cp models/*.zw test/fuzz/seeds/*.zw "$kit/models"
[ ! -d "$corpus" ] || cp -r "$corpus" "$kit/corpus"
mkdir -p "$kit/corpus"
cp tools/fuzz_run.sh "$kit/run.sh"
du -sh "$kit"
