#!/usr/bin/env bash
# Install the Debian packages zwang is built with, only those that are missing; with --tests also what
# its tests need beyond that. Does nothing, and quickly, when all are there. ZWANG_SETUP=no leaves the
# machine alone. With --only PACKAGE:LOSS ... it sees to those instead, and none of them is required.
set -uo pipefail

required=(make gcc libc6-dev meson ninja-build pkg-config python3 libgmp-dev libutf8proc-dev
          libjansson-dev libsundials-dev libsuitesparse-dev)
# package and what is lost without it
optional=("libhdf5-dev:no results as .h5"
          "libflint-arb-dev:no zwang run --certify, no referee"
          "gnuplot-nox:no plots")
if [ "${1:-}" = --tests ]; then
  optional+=("libsiconos-numerics7:no --contact-solver siconos, contacts are not tested against it"
             "clang:warnings are checked with one compiler only"
             "clang-format:formatting is not checked, no make format"
             "chromium:the page is not tested in a browser, no films"
             "ffmpeg:no films"
             "neovim:the language server is not tested with an editor"
             "openmpi-bin:no sweeps under mpirun"
             "python3-numpy:the Python package is not tested"
             "python3-venv:it is not tested in fresh environments"
             "python3-scipy:it is not tested with SciPy"
             "python3-sympy:it is not tested with SymPy"
             "python3-pandas:it is not tested with pandas"
             "python3-matplotlib:it is not tested with matplotlib"
             "python3-ipykernel:the notebooks are not run"
             "python3-nbconvert:the notebooks are not run"
             "texlive-latex-base:equations in LaTeX are not set by the tests")
  # Node.js may come from elsewhere than Debian
  command -v npm >/dev/null || optional+=("nodejs:the viewer is taken as it was bundled, its page is not tested"
                                          "npm:the viewer is taken as it was bundled, its page is not tested")
fi

if [ "${1:-}" = --only ]; then
  shift
  required=()
  optional=("$@")
fi

say() { echo "setup: $*" >&2; }

# names of the packages in "$@" that are not installed
missing_of() {
  [ $# -gt 0 ] || return
  local installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    sed -n 's/ installed$//p')
  printf '%s\n' "$@" | grep -vxF -e "$installed"
}

apt() { # needs the array `as`
  "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" >&2
}

updated=no
update() {
  [ $updated = yes ] && return 1
  updated=yes
  say "reading the list of packages"
  apt update
}

# install "$@" together, or else those that can be had one by one
install() {
  apt-cache show --no-all-versions "$@" >/dev/null 2>&1 || update
  say "installing $*"
  apt install -y --no-install-recommends "$@" && return
  update && apt install -y --no-install-recommends "$@" && return
  [ $# -gt 1 ] || return
  local one
  for one in "$@"; do apt install -y --no-install-recommends "$one"; done
}

[ "${ZWANG_SETUP:-}" = no ] && exit 0
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is no Debian; please see to these yourself: ${required[*]} ${optional[*]%%:*}"
  exit 0
fi

mapfile -t need < <(missing_of ${required[@]+"${required[@]}"})
mapfile -t wish < <(missing_of "${optional[@]%%:*}")
[ $((${#need[@]} + ${#wish[@]})) -eq 0 ] && exit 0

as=()
may=yes
if [ "$(id -u)" -ne 0 ]; then
  as=(sudo)
  # only what is required is worth a question for the password
  [ ${#need[@]} -eq 0 ] && as=(sudo -n)
  command -v sudo >/dev/null && "${as[@]}" true 2>/dev/null || may=no
fi
if [ $may = yes ]; then
  [ ${#need[@]} -gt 0 ] && install "${need[@]}"
  [ ${#wish[@]} -gt 0 ] && install "${wish[@]}"
else
  say "not root and no sudo: nothing can be installed"
fi

mapfile -t wish < <(missing_of "${optional[@]%%:*}")
for package in "${optional[@]}"; do
  for lost in ${wish[@]+"${wish[@]}"}; do
    [ "$lost" = "${package%%:*}" ] && say "without $lost: ${package#*:}"
  done
done
mapfile -t need < <(missing_of ${required[@]+"${required[@]}"})
[ ${#need[@]} -eq 0 ] && exit 0
say "could not install: ${need[*]}"
say "zwang cannot be built without them; as root: apt-get install ${need[*]}"
exit 1
