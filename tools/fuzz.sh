#!/usr/bin/env bash
# tools/fuzz.sh BUILD SECONDS: run every fuzzer of BUILD for SECONDS, starting from the models and the wrong inputs
# of the repository, and then random tapes. What breaks it stays in BUILD/findings; the exit status says whether anything did.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
status=0
ran=0
mkdir -p "$build/findings"
for fuzzer in "$build"/test/fuzz/fuzz_*; do
  [ -f "$fuzzer" ] && [ -x "$fuzzer" ] || continue
  name=$(basename "$fuzzer")
  mkdir -p "$build/corpus/$name"
  seeds=()
  for folder in models test/fuzz/seeds test/golden/errors; do [ -d "$folder" ] && seeds+=("$folder"); done
  ran=$((ran + 1))
  echo "$name: $seconds s"
  "$fuzzer" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 -max_len=20000 -print_final_stats=1 \
    -artifact_prefix="$build/findings/$name-" -dict=test/fuzz/zw.dict \
    "$build/corpus/$name" ${seeds[@]+"${seeds[@]}"} >"$build/$name.log" 2>&1 || status=1
  grep -E 'ERROR|SUMMARY|stat::(number_of_executed_units|average_exec_per_sec)|Test unit written' "$build/$name.log" || true
done
# random tapes, machine code against the interpreter
if [ -x "$build/test/test_code" ]; then
  echo "tapes: 200000"
  ZWANG_TAPES=200000 "$build/test/test_code" >"$build/tapes.log" || { grep -A5 '^not ok' "$build/tapes.log"; status=1; }
fi
[ $ran -gt 0 ] || { echo "no fuzzers in $build/test/fuzz" >&2; exit 1; }
[ $status -eq 0 ] && echo "no findings" || echo "findings are in $build/findings"
exit $status
