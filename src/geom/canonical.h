// Private to geom: coordinates of a flat metric in formulas.
#pragma once

#include "geom/formula.h"

// n functions x of q with sum dx^2 = g, proved; false where the rules do not find them
bool geom_canonical_find(expr_pool* p, int n, const expr* q, const expr* g, expr* x);
