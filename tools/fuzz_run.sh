#!/usr/bin/env bash
# run.sh SECONDS OUT [CORES] [SEED] [ONLY]: feed all stages, or those that match the expression ONLY (fast-parse|fast-model),
# on all cores for SECONDS of the clock. Into the folder OUT go counts.txt
# (a line for each program and stage, and the sum), findings.tar.gz (inputs that broke something, each with what was said) and
# corpus.tar.gz (inputs that reached something new). Beside what tools/fuzz_kit.sh packs.
set -uo pipefail
from=$(cd "$(dirname "$0")" && pwd)
seconds=$1
out=$2
cores=${3:-$(nproc)}
seed=${4:-$(date +%s)}
only=${5:-.*}
work=$(mktemp -d)
mkdir -p "$out" "$work/findings"
tar -C "$work" -xzf "$from/all.tar.gz"
feed() { # program, stage, number of the core, seconds
  "$work/lib/ld-linux-x86-64.so.2" --library-path "$work/lib" "$work/fuzz-$1" "$2" --seconds "$4" --seed "$((seed * 1000 + $3))" \
    --corpus "$work/corpus/$2" --findings "$work/findings/$1" --models "$work/models" 2>> "$work/$3.log" | sed "s/^/$1 /" >> "$work/$3.counts"
}
stages=$("$work/lib/ld-linux-x86-64.so.2" --library-path "$work/lib" "$work/fuzz-guided" --list)
plan() { # what a core feeds, one program and stage after the other, each with its share of the time
  local share
  for program in guided fast checked; do
    for stage in $stages; do
      # the slow stages make few inputs in the same time
      case $program-$stage in
        guided-* | checked-*) share=1 ;;
        fast-model | fast-derive | fast-start | fast-whole) share=4 ;;
        fast-parse) share=2 ;;
        *) share=1 ;;
      esac
      [[ $program-$stage =~ ^($only)$ ]] && echo "$share $program $stage"
    done
  done
}
until=$(($(date +%s) + seconds))
total=$(plan | awk '{ n += $1 } END { print n }')
for ((core = 0; core < cores; core++)); do
  # not all at the same stage at once
  (
    mapfile -t jobs < <(plan)
    for ((k = 0; k < ${#jobs[@]}; k++)); do
      read -r share program stage <<< "${jobs[$(((k + core * 7) % ${#jobs[@]}))]}"
      # the last one ends in time, whatever the others took
      most=$(awk -v s="$seconds" -v n="$share" -v t="$total" -v left=$((until - $(date +%s))) 'BEGIN { x = s*n/t; print x < left ? x : left }')
      [ "${most#-}" = "$most" ] && [ "$most" != 0 ] && feed "$program" "$stage" "$core" "$most"
    done
  ) &
done
wait
cat "$work"/*.counts | awk '{ key = $1 " " $2; n[key] += $3; f[key] += $11; all += $3; found += $11; if ($5 > 0) cpu[key] += $3/$5 }
  END { for (k in n) printf "%-20s %12d inputs %9.0f a second of the processor %6d findings\n", k, n[k], (cpu[k] > 0 ? n[k]/cpu[k] : 0), f[k] | "sort"
        close("sort"); printf "%-20s %12d inputs, %d findings\n", "all", all, found }' | tee "$out/counts.txt"
cat "$work"/*.log | head -c 4000000 > "$out/said.txt"
tar -C "$work" -czf "$out/findings.tar.gz" findings
tar -C "$work" -czf "$out/corpus.tar.gz" corpus
rm -rf "$work"
