// Steps of elimination that are exact: pivots that are numbers, on expressions, which are then
// simplified. Private to the room.
#pragma once

#include "code/code.h"

// Rows [A | b | 1] with the dependent columns cleared (Gauss and Jordan); false when a pivot that
// is a number is missing. row_of: by dependent unknown.
bool code_exact_rows(expr_pool* p, const code_linear* s, expr* rows, int* row_of);
// S^T M S (lower triangle) and S^T (F - M [0; c]) of the independent unknowns
void code_exact_reduce(expr_pool* p, const code_linear* s, const expr* rows, const int* row_of,
                       int count, const int* independent, expr* R, expr* y);
// Steps of R = L D L^T (lower triangle, count by count) by pivots that are numbers, as long as what
// they leave takes no more operations than the steps would on a tape. Returns how many; order:
// their unknowns. Their columns then hold L, and R x = y becomes x_k = y_k - sum L_ik x_i for the
// k-th, over those not yet eliminated, and a problem of the same kind for the others.
int code_exact_pivots(expr_pool* p, int count, expr* R, expr* y, int* order);

// Unknowns coupled to no other by M, with a number as their mass: how many, marked in `alone`.
int code_exact_alone(const expr_pool* p, const code_linear* s, bool* alone);
// What they leave of the constraints: -A M^-1 A^T (lower triangle) and -b - A M^-1 F over them
void code_exact_border(expr_pool* p, const code_linear* s, const bool* alone, expr* G, expr* y);
