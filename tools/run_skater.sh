#!/usr/bin/env bash
# The main job: the skater benchmark for its three control moments, as one table and one picture.
# usage: run_skater.sh ZWANG FOLDER
set -eu
zwang=$1
folder=$2
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
"$zwang" run "$here/models/skater_benchmark.zw" --compare L5=1,0.65,0.3 --points 301 \
  --out "$folder/skater.csv" --plot "$folder/skater.svg"
"$zwang" run "$here/models/skater_benchmark.zw" --compare L5=1,0.65,0.3 --points 301 --quiet \
  --plot "$folder/skater.png"
echo
echo "table:    $folder/skater.csv"
echo "picture:  $folder/skater.svg (and skater.png)"
