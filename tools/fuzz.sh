#!/usr/bin/env bash
# tools/fuzz.sh BUILD SECONDS CORPUS: feed every stage with the fuzz program of BUILD for SECONDS of the clock each, from
# the inputs kept in CORPUS and the models of the repository. What reaches something new is kept in CORPUS, what breaks
# a stage stays in BUILD/findings; the exit status says whether anything did.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
corpus=$3
fuzz=$build/test/fuzz/fuzz
status=0
mkdir -p "$corpus"
for stage in $("$fuzz" --list); do
  "$fuzz" "$stage" --seconds "$seconds" --seed "$(date +%s)" --corpus "$corpus/$stage" --findings "$build/findings" \
    --models models --models test/fuzz/seeds --models test/golden/errors || status=1
done
[ $status -eq 0 ] && echo "no findings" || echo "findings are in $build/findings"
exit $status
