// Private to geom: a map with a given metric, found by least squares on its coefficients.
#pragma once

#include "geom/patch.h"

enum { GEOM_FIT = 5 }; // coordinates beyond which no map is fitted

typedef struct geom_isometry
{
  geom_patch patch;
  double error;  // largest |x_a.x_b - g_ab| / sqrt(g_aa g_bb) on a fine grid of the box
  double before; // the same of the degree below; nan: there is none
} geom_isometry;

// g (n by n) at q; false where it has no value
bool geom_space_metric(const geom_space* s, const double* q, double* g);

// error of a map's metric on a grid of the box with `points` to a side, its edges included
typedef void geom_map_slope(const void* map, const double* q, double* dx);
double geom_isometry_error(const geom_space* s, const void* map, geom_map_slope* slope, int N,
                           const double* low, const double* high, int points);

// From the start's coefficients (of low degree), degree by degree up to `most`, until the error is
// below `wanted` or no work is left (operations, counted down). Memory from the arena. error: nan
// where the metric has no value on the box.
geom_isometry geom_isometry_find(const geom_space* s, base_arena* arena, const geom_patch* start,
                                 int most, double wanted, double* work);
