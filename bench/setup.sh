#!/bin/sh
# Install the programs zwang is compared with: BENCH_PEERS=1 bench/setup.sh. Without the flag it only
# says what is missing; make bench runs without them.
packages="libgsl-dev libsundials-dev python3-scipy python3-sympy libginac-dev g++ maxima libsimbody-dev libode-dev
  libmujoco-dev libsiconos-numerics-dev"
missing=
for package in $packages; do
  dpkg-query -W -f='${db:Status-Status}' $package 2>/dev/null | grep -qx installed ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "${BENCH_PEERS:-}" != 1 ]; then
  echo "bench: not installed:$missing (BENCH_PEERS=1 $0 installs them)" >&2
  exit 0
fi
as=
[ "$(id -u)" -eq 0 ] || as=sudo
$as apt-get install -y --no-install-recommends $missing
