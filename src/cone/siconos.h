// Siconos, a second solver of contact problems, opened at run time where it is installed.
#pragma once

#include "cone/cone.h"

// The problem of friction in space: v = D r + q, and for each contact (normal, two tangents) its
// law with the bound mu. D (3c by 3c, by columns), q and mu are taken over, allocated by
// base_alloc. r: the answer. False: not found to the tolerance, or Siconos is not here.
bool cone_siconos_solve(int contacts, double* D, double* q, double* mu, double tolerance,
                        double* r);
