#!/bin/sh
# Install the programs zwang is compared with, as far as Debian has them here; what is missing is
# named and left out of the comparison. ZWANG_SETUP=no leaves the machine alone.
exec "$(dirname "$0")/../tools/setup.sh" --only \
  "auto-07p:no AUTO" \
  "gfortran:no AUTO" \
  "libgsl-dev:no GSL" \
  "libsundials-dev:no CVODE, ARKODE and IDA" \
  "python3-scipy:no SciPy" \
  "python3-sympy:no SymPy" \
  "g++:no GiNaC and no Simbody" \
  "libginac-dev:no GiNaC" \
  "maxima:no Maxima" \
  "libsimbody-dev:no Simbody" \
  "libode-dev:no ODE" \
  "libmujoco-dev:no MuJoCo" \
  "libbox2d-dev:no Box2D" \
  "libsiconos-numerics-dev:no Siconos"
