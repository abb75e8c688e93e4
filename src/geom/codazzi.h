// Private to geom: the second tensor of a surface with a given metric, and the surface it makes.
#pragma once

#include "geom/isometry.h"

// b_11, b_12, b_22 on a box, as polynomials in xi = (q - middle)/half of the unit box, of the
// metric in these coordinates.
typedef struct geom_second
{
  geom_patch b;              // three components on [-1, 1]^2
  double middle[2], half[2]; // of the box
  double residual;           // largest of Gauss's and Codazzi's equations off the nodes
  double least, most;        // curvature on the box
} geom_second;

// Gauss's and Codazzi's equations solved on the box, degree by degree up to `most`, until they hold
// to `wanted`. near: a map whose metric is nearly right, its second tensor is the start; or null.
// False where the metric has no value on the box.
bool geom_second_find(const geom_space* s, base_arena* arena, const double* low, const double* high,
                      const geom_patch* near, int most, double wanted, geom_second* out);

// The derivational formulas integrated from the middle of the box: x as polynomials. `apart`: how
// far two ways to the corners end from each other, relative. False where they cannot be.
bool geom_second_surface(const geom_space* s, base_arena* arena, const geom_second* b,
                         const double* low, const double* high, int degree, geom_patch* x,
                         double* apart);
