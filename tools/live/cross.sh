#!/usr/bin/env bash
# Meson's description of the machine that a browser is: emscripten, and the libraries of a kit (see kit.sh).
# usage: cross.sh KIT > FILE
set -euo pipefail
kit=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cat <<END
[binaries]
c = '$here/cc.sh'
ar = 'emar'
ranlib = 'emranlib'
pkgconfig = 'pkg-config'
[built-in options]
c_args = ['-I$kit/include', '-msimd128']
c_link_args = ['-L$kit/lib']
[properties]
pkg_config_libdir = '$kit/lib/pkgconfig'
[host_machine]
system = 'emscripten'
cpu_family = 'wasm32'
cpu = 'wasm32'
endian = 'little'
END
