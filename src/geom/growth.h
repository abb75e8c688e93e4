// Private to geom: the distribution and its iterated Lie brackets.
#pragma once

#include "geom/kernel.h"

typedef struct geom_growth
{
  int length;
  int* dimension;
  bool whole; // followed until it stopped growing
  // orthonormal basis of the last one at each point: closure[point] is dim[point] by N
  double* closure[GEOM_POINTS];
  int dim[GEOM_POINTS];
} geom_growth;

// `solid`: forms known to be integrable by themselves; no bracket ever leaves them
geom_growth geom_growth_find(const geom_pfaff* f, const geom_fields* D, const geom_points* at,
                             const bool* solid);
