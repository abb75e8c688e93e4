#!/usr/bin/env bash
# The main job: the skater benchmark for its three control moments, as one table and one picture.
# usage: run_skater.sh ZWANG FOLDER
set -eu
zwang=$1
folder=$2
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
skater() {
  "$zwang" run "$here/models/skater_benchmark.zw" --compare L5=1,0.65,0.3 --points 301 "$@"
}
if command -v gnuplot >/dev/null; then
  skater --out "$folder/skater.csv" --plot "$folder/skater.svg"
  skater --quiet --plot "$folder/skater.png"
  picture="$folder/skater.svg (and skater.png)"
else
  skater --out "$folder/skater.csv" --plot "$folder/skater.gp"
  picture="$folder/skater.gp: a script for gnuplot, which is not installed"
fi
echo
echo "table:    $folder/skater.csv"
echo "picture:  $picture"
