// Private to geom: coordinates of a flat metric in formulas.
#pragma once

#include "geom/formula.h"

// n functions x of q with sum dx^2 = g, proved; false where the rules do not find them
bool geom_canonical_find(expr_pool* p, int n, const expr* q, const expr* g, expr* x);
// Coordinate j as a straight line: x along it, and coordinates and metric of what is left, n - 1;
// false where it is none.
bool geom_canonical_split(expr_pool* p, int n, const expr* q, const expr* g, int j, expr* x,
                          expr* left_q, expr* left_g);
