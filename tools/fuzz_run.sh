#!/usr/bin/env bash
# run.sh SECONDS OUT [CORES] [SEED]: feed all stages on all cores for SECONDS of the clock. Into the folder OUT go counts.txt
# (a line for each program and stage, and the sum), findings.tar.gz (inputs that broke something, each with what was said) and
# corpus.tar.gz (inputs that reached something new). Beside the programs of a kit; see tools/fuzz_kit.sh.
set -uo pipefail
kit=$(cd "$(dirname "$0")" && pwd)
seconds=$1
out=$2
cores=${3:-$(nproc)}
seed=${4:-$(date +%s)}
work=$(mktemp -d)
mkdir -p "$out" "$work/findings"
cp -r "$kit/corpus" "$work/corpus"
feed() { # program, stage, number of the core, seconds
  "$kit/lib/ld-linux-x86-64.so.2" --library-path "$kit/lib" "$kit/fuzz-$1" "$2" --seconds "$4" --seed "$((seed * 1000 + $3))" \
    --corpus "$work/corpus/$2" --findings "$work/findings/$1" --models "$kit/models" 2>> "$work/$3.log" | sed "s/^/$1 /" >> "$work/$3.counts"
}
stages=$("$kit/lib/ld-linux-x86-64.so.2" --library-path "$kit/lib" "$kit/fuzz-guided" --list)
plan() { # core: what it feeds, one program and stage after the other; later cores begin elsewhere
  local i=0 share=0
  for program in guided fast checked; do
    for stage in $stages; do
      # the slow stages where more is left to be found, the fast ones for their numbers
      case $program-$stage in
        guided-* | checked-*) share=1 ;;
        fast-derive | fast-start | fast-whole) share=3 ;;
        fast-parse | fast-model | fast-expression | fast-algebra) share=2 ;;
        *) share=1 ;;
      esac
      echo "$share $program $stage"
    done
  done
}
total=$(plan | awk '{ n += $1 } END { print n }')
for ((core = 0; core < cores; core++)); do
  (
    mapfile -t jobs < <(plan)
    for ((k = 0; k < ${#jobs[@]}; k++)); do
      read -r share program stage <<< "${jobs[$(((k + core * 7) % ${#jobs[@]}))]}"
      feed "$program" "$stage" "$core" "$(awk -v s="$seconds" -v n="$share" -v t="$total" 'BEGIN { print s*n/t }')"
    done
  ) &
done
wait
cat "$work"/*.counts | awk '{ key = $1 " " $2; n[key] += $3; f[key] += $10; all += $3; found += $10; cpu[key] += $3/$5 }
  END { for (k in n) printf "%-20s %12d inputs %9.0f a second of the processor %6d findings\n", k, n[k], n[k]/cpu[k], f[k] | "sort"
        close("sort"); printf "%-20s %12d inputs, %d findings\n", "all", all, found }' | tee "$out/counts.txt"
cat "$work"/*.log | head -c 4000000 > "$out/said.txt"
tar -C "$work" -czf "$out/findings.tar.gz" findings
tar -C "$work" -czf "$out/corpus.tar.gz" corpus
rm -rf "$work"
