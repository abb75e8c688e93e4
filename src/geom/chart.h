// Private to geom: a surface of constraints that no formula solves, in some of its coordinates.
#pragma once

#include "geom/space.h"

// q(u) near a point: u the coordinates chosen there, the others from the constraints
typedef struct geom_chart
{
  const geom_space* around;
  int d, rank;
  int* chosen; // d numbers among the coordinates of the space around
  int* column; // rank: those that follow
  int* row;    // rank: the constraints they follow from
  double* base;
} geom_chart;

// The space of the coordinates that parametrise the surface at the point; null where there are
// none. To be freed before s.
geom_space* geom_chart_make(const geom_space* s);
// all coordinates q (and q_a, n by d, unless null) at u; false where they cannot be followed there
bool geom_chart_solve(const geom_chart* c, const double* u, double* q, double* slope);
