#!/usr/bin/env bash
# The libraries that zwang is made with, as WebAssembly: their Debian sources, compiled by emscripten into DIR/lib, with
# headers in DIR/include and pkg-config files beside them. What is there is not made again. Of GMP it is the small one
# that comes with its source (mini-gmp): mpz and mpq, which is all that expressions need.
# usage: kit.sh DIR
set -euo pipefail
kit=$1
mkdir -p "$kit"
kit=$(cd "$kit" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
[ -e "$kit/done" ] && [ ! "$0" -nt "$kit/done" ] && [ ! "$here/gmp.h" -nt "$kit/done" ] && exit 0
say() { echo "live: $*" >&2; }

# ---- sources, by a list of packages of our own: the machine's is not touched ----------------------

fetch() {
  local lists=$kit/apt
  mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial" "$kit/source"
  local machine=/etc/apt/sources.list.d/debian.sources list=$lists/debian.sources
  if [ -e "$machine" ]; then
    sed 's/^Types: .*/Types: deb-src/' "$machine" > "$list"
  elif list=$lists/debian.list && grep -q '^deb ' /etc/apt/sources.list 2> /dev/null; then
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > "$list"
  else
    say "this machine has no list of Debian's packages: put the sources of $* into $kit/source"
    exit 1
  fi
  local ours=(-qq -o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=-
    -o "Dir::State::lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o Acquire::Retries=1 -o APT::Sandbox::User=root)
  say "fetching the sources of $*"
  apt-get "${ours[@]}" update && (cd "$kit/source" && apt-get "${ours[@]}" --only-source --download-only source "$@")
}

# unpack NAME what...: the parts of a source package
unpack() {
  local name=$1 from
  shift
  rm -rf "$kit/source/$name"
  mkdir -p "$kit/source/$name"
  from=$(ls "$kit/source/${name}"_*.orig.tar.* | tail -1)
  tar xf "$from" -C "$kit/source/$name" --strip-components=1 --wildcards "$@"
}

packages=(gmp jansson utf8proc suitesparse sundials)
missing=()
for p in "${packages[@]}"; do ls "$kit/source/${p}"_*.orig.tar.* > /dev/null 2>&1 || missing+=("$p"); done
[ ${#missing[@]} -eq 0 ] || fetch "${missing[@]}"
unpack gmp '*/mini-gmp/*'
unpack jansson '*/src/*'
unpack utf8proc '*/utf8proc*.[ch]'
unpack suitesparse '*/AMD/*' '*/SuiteSparse_config/*'
unpack sundials '*/src/*' '*/include/*'

# ---- compiled ---------------------------------------------------------------------------------------

source=$kit/source include=$kit/include lib=$kit/lib
rm -rf "$include" "$lib"
mkdir -p "$include/suitesparse" "$lib/pkgconfig"

# library NAME flags... -- files...: paths may hold blanks
library() {
  local name=$1 flags=() file objects=()
  shift
  while [ "$1" != -- ]; do flags+=("$1") && shift; done
  shift
  say "lib$name"
  mkdir -p "$kit/objects/$name"
  for file in "$@"; do
    local object
    object=$kit/objects/$name/$(echo "${file#"$source"/}" | tr / _).o
    emcc -O2 -w -ffp-contract=off -I"$include" "${flags[@]}" -c "$file" -o "$object"
    objects+=("$object")
  done
  emar rcs "$lib/lib$name.a" "${objects[@]}"
}

describe() { # NAME VERSION LIBRARY
  printf 'Name: %s\nDescription: %s as WebAssembly\nVersion: %s\nLibs: "-L%s" -l%s\nCflags: "-I%s"\n' \
    "$1" "$1" "$2" "$lib" "$3" "$include" > "$lib/pkgconfig/$1.pc"
}

cp "$here/gmp.h" "$here/stdlib.h" "$include/"
cp "$source"/gmp/mini-gmp/mini-{gmp,mpq}.h "$include/"
printf '#include "gmp.h"\n#include "mini-gmp.c"\n#include "mini-mpq.c"\n' > "$source/gmp/mini-gmp/both.c" # mpq knows macros of mpz
library gmp "-I$source/gmp/mini-gmp" -- "$source/gmp/mini-gmp/both.c"
describe gmp 6.2.1 gmp

j=$source/jansson/src
printf '#pragma once\n#define JSON_INLINE inline\n#define JSON_INTEGER_IS_LONG_LONG 1\n#define JSON_HAVE_LOCALECONV 1\n#define JSON_HAVE_ATOMIC_BUILTINS 1\n#define JSON_HAVE_SYNC_BUILTINS 1\n#define JSON_PARSER_MAX_DEPTH 2048\n' > "$include/jansson_config.h"
cp "$j/jansson.h" "$include/"
touch "$j/jansson_private_config.h"
library jansson -DHAVE_STDINT_H -DHAVE_UNISTD_H -- "$j"/{dump,error,hashtable,hashtable_seed,load,memory,pack_unpack,strbuffer,strconv,utf,value,version}.c
describe jansson 2.14 jansson

cp "$source/utf8proc/utf8proc.h" "$include/"
library utf8proc -DUTF8PROC_STATIC -- "$source/utf8proc/utf8proc.c"
describe libutf8proc 2.8.0 utf8proc

cp "$source"/suitesparse/AMD/Include/amd.h "$source"/suitesparse/SuiteSparse_config/SuiteSparse_config.h "$include/suitesparse/"
library amd "-I$include/suitesparse" "-I$source/suitesparse/AMD/Include" -DNTIMER -- \
  "$source"/suitesparse/AMD/Source/amd_*.c "$source/suitesparse/SuiteSparse_config/SuiteSparse_config.c"

s=$source/sundials
cp -r "$s/include/." "$include/"
cp "$here/sundials_config.h" "$include/sundials/sundials_config.h"
for what in EXPORT DEPRECATED DEPRECATED_EXPORT NO_EXPORT; do echo "#define SUNDIALS_$what"; done > "$include/sundials/sundials_export.h"
echo '#define SUNDIALS_DEPRECATED_EXPORT_MSG(TEXT)' >> "$include/sundials/sundials_export.h"
library sundials_nvecserial "-I$s/src/sundials" -- "$s/src/nvector/serial/nvector_serial.c" \
  "$s"/src/sundials/sundials_{band,context,dense,direct,iterative,linearsolver,logger,math,matrix,memory,nonlinearsolver,nvector,nvector_senswrapper,version}.c \
  "$s/src/sunmatrix/dense/sunmatrix_dense.c" "$s/src/sunmatrix/band/sunmatrix_band.c" "$s/src/sunmatrix/sparse/sunmatrix_sparse.c" \
  "$s/src/sunlinsol/dense/sunlinsol_dense.c" "$s/src/sunlinsol/band/sunlinsol_band.c" "$s/src/sunnonlinsol/newton/sunnonlinsol_newton.c" \
  "$s/src/sunnonlinsol/fixedpoint/sunnonlinsol_fixedpoint.c"
library sundials_cvode "-I$s/src/sundials" "-I$s/src/cvode" -- "$s"/src/cvode/cvode{,_bandpre,_diag,_direct,_io,_ls,_nls,_proj}.c
library sundials_ida "-I$s/src/sundials" "-I$s/src/ida" -- "$s"/src/ida/ida{,_direct,_ic,_io,_ls,_nls}.c
touch "$kit/done"
