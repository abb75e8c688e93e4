// Private to geom: roots, line integrals and checks of formulas.
#pragma once

#include "geom/space.h"

// sqrt(e) with even powers taken out of the root, signs left open: sqrt(r^2) is r
expr geom_root(expr_pool* p, expr e);
// F with dF = sum w_i dq_i, by rules; EXPR_NONE where they do not reach
expr geom_line_integral(expr_pool* p, int n, const expr* w, const expr* q);
// do the N functions x of q have the metric g, proved?
bool geom_has_metric(expr_pool* p, int n, const expr* q, const expr* g, int N, const expr* x);
