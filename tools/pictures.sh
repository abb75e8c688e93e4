#!/usr/bin/env bash
# Draw the pictures of README.md and docs/ anew, by zwang itself.  usage: pictures.sh ZWANG
set -euo pipefail
zwang=$(realpath "$1")
cd "$(dirname "$0")/.."
still() { # NAME MODEL TIME options
  "$zwang" view "models/$2.zw" --film "docs/pictures/$1.png" --frame "$3" --size 800x450 --quiet "${@:4}"
}
still view_skater skater_stages 5
still view_rattleback rattleback 3
still view_string string_pendulum 0.9
still view_cam cam_flywheel 3
still view_compare skater_stages 12 --compare L5=1,0.65,0.3

# a whole page needs the tests' own way to a browser
page=$(mktemp --suffix=.html)
trap 'rm -f "$page"' EXIT
"$zwang" view models/skater_stages.zw --out "$page" --quiet
node web/test/picture.mjs "$page" docs/pictures/view_page.png 5
