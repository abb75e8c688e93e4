// The equations of motion in coordinates of the constraint surface. Private to study.
#pragma once

#include "study/linear.h"

// Around the state x0 the surface is x(z) = x0 + U z + what is across, U^T (x - x0) = z, with an
// orthonormal basis U of the admissible changes but for shifts of ignorable coordinates; there
//   z' = g(z) = U^T x'(x(z)).
typedef struct study_chart
{
  study_linear* l;
  const bool* ignorable;
  bool flat;     // there are no conditions: all of space is the surface
  int d;         // coordinates z
  double t, *x0; // 2n
  double *U, *N; // 2n by d: at x0, and at the place looked at
  double* work;
} study_chart;

// At the engine's state, after study_linear_at().
study_chart study_chart_new(study_linear* l, const bool* ignorable, base_arena* arena);
// dg/dz at z into G, d by d; false where there is no such place
bool study_chart_slope(study_chart* c, const double* z, double* G);
