#!/usr/bin/env bash
# zwang as WebAssembly, from the same C: DIR/zwang.js and DIR/zwang.wasm. The first time it installs emscripten and fetches
# the sources of the libraries zwang is made with (see kit.sh); later it compiles what has changed.
# usage: build.sh DIR
set -euo pipefail
dir=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
needed=()
for package in emscripten node-acorn clang-14 lld-14; do needed+=("$package:no zwang in the browser"); done
# Node.js and its packages may come from elsewhere than Debian
command -v npm > /dev/null || needed+=("npm:no live viewer, only zwang.wasm")
"$root/tools/setup.sh" --only "${needed[@]}"
if ! command -v emcc > /dev/null; then
  echo "live: emscripten is not installed (Debian: apt-get install emscripten node-acorn); zwang cannot become WebAssembly" >&2
  exit 2
fi
# Debian's libraries are ready made, and its Node.js modules lie where Node.js from elsewhere does not look
export EM_CACHE=${EM_CACHE:-/usr/share/emscripten/cache} NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
"$here/kit.sh" "$dir/kit"
if [ ! -e "$dir/wasm/build.ninja" ]; then
  "$here/cross.sh" "$dir/kit" > "$dir/cross.ini"
  rm -rf "$dir/wasm"
  # Meson takes emscripten's version for clang's, which would not know C17
  meson setup "$dir/wasm" "$root" --cross-file "$dir/cross.ini" -Dc_std=none -Dwerror=false -Ddebug=false -Doptimization=2 > "$dir/setup.log" ||
    { tail -20 "$dir/setup.log" >&2; exit 1; }
fi
ninja -C "$dir/wasm" --quiet > "$dir/build.log" 2>&1 || { grep -B2 -A12 'FAILED\|error:' "$dir/build.log" | head -60 >&2; exit 1; }
cp "$dir/wasm/zwang.js" "$dir/"
node "$here/fuse.mjs" "$dir/wasm/zwang.wasm" "$dir/zwang.wasm"
"$root/tools/setup_web.sh"
if command -v node > /dev/null && [ -d "$root/web/node_modules/esbuild" ]; then
  node "$root/web/live.mjs" "$dir"
else
  echo "live: without npm and its packages there is no live viewer, only zwang.wasm" >&2
fi
ls -l "$dir/zwang.wasm" | awk '{ printf "live: zwang.wasm, %.2f MB\n", $5 / 1e6 }'
