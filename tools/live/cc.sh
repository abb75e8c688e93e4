#!/usr/bin/env bash
# emcc, without its start for each file: what it would call to compile is called here, by way of ccache where there is one.
# Everything else, linking above all, is left to it.
export EM_CACHE=${EM_CACHE:-/usr/share/emscripten/cache} NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
clang=$(command -v clang-14) && [ -d "$EM_CACHE/sysroot" ] || exec emcc "$@"
for word in "$@"; do
  case $word in
    -c) compiles=yes ;;
    *.c) source=yes ;;
  esac
done
[ "${compiles:-}${source:-}" = yesyes ] || exec emcc "$@"
through=()
command -v ccache > /dev/null && through=(ccache)
exec "${through[@]}" "$clang" -target wasm32-unknown-emscripten -DEMSCRIPTEN -D__EMSCRIPTEN_major__=3 -D__EMSCRIPTEN_minor__=1 \
  -D__EMSCRIPTEN_tiny__=6 -fignore-exceptions -mllvm -combiner-global-alias-analysis=false -mllvm -enable-emscripten-sjlj \
  -mllvm -disable-lsr -Werror=implicit-function-declaration --sysroot="$EM_CACHE/sysroot" \
  -Xclang -iwithsysroot/include/compat "$@"
