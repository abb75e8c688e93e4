// Private to geom: random points near the given one, on the position constraints.
#pragma once

#include "geom/pfaff.h"

#define GEOM_POINTS 5

typedef struct geom_points
{
  int count;      // at most GEOM_POINTS
  double* values; // count times f->symbols: all numbers at each point
} geom_points;

geom_points geom_points_make(const geom_pfaff* f);
// values of expressions at a point
void geom_points_eval(const geom_pfaff* f, const geom_points* at, int point, int count,
                      const expr* e, double* out);
