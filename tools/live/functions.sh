#!/usr/bin/env bash
# Sines, powers and other functions of the C library that browsers get, for this machine: a library to be loaded before the
# program (LD_PRELOAD), which then has the browser's bits. Silent where the sources of emscripten are not there.
# usage: functions.sh FILE.so
set -euo pipefail
to=$1
here=$(cd "$(dirname "$0")" && pwd)
musl=${EMSCRIPTEN_MUSL:-/usr/share/emscripten/system/lib/libc/musl}
[ -e "$musl/src/math/sin.c" ] && command -v gcc > /dev/null || exit 0
[ "$to" -nt "$0" ] && exit 0
names=(sin cos sincos tan asin acos atan atan2 exp expm1 exp2 log log1p log2 log10 pow cbrt hypot sinh cosh tanh asinh acosh atanh
  __sin __cos __tan __rem_pio2 __rem_pio2_large __expo2 exp_data log_data log2_data pow_data
  __math_divzero __math_invalid __math_oflow __math_uflow __math_xflow)
files=()
for name in "${names[@]}"; do files+=("$musl/src/math/$name.c"); done
gcc -shared -fPIC -O2 -std=gnu99 -ffp-contract=off -fno-builtin -fexcess-precision=standard -frounding-math -w -Wl,-Bsymbolic \
  '-Dweak_alias(a,b)=' -Dhidden= -I"$here/functions" -I"$musl/src/internal" -I"$musl/arch/generic" -o "$to" "${files[@]}"
