// Private to geom: what the files on geodesics share.
#pragma once

#include "geom/space.h"
#include "step/step.h"

// Jacobi fields along a geodesic that vanish at its start, in a parallel frame across it: A (k by
// k) and its slope
typedef struct geom_fields
{
  int k;
  double* work; // room of geom_conjugate_room(k)
} geom_fields;

int geom_conjugate_room(int k);
// Fields at an instant of the last step into y: A, then A'
typedef void geom_fields_at(void* context, double s, double* y);
// The conjugate points of the way from `from` to `to`, which one step has gone: places into at (k
// at most), how many come together at each into multiple; returns how many places
int geom_conjugate_find(const geom_fields* f, geom_fields_at* fields, void* context, double from,
                        double to, double* at, int* multiple);
