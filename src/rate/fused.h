// Kernels with the linear problem solved in them: what fused.c makes, and who chooses among them.
// Private to rate.
#pragma once

#include "rate/key.h"

// operations up to which it is worth to simplify what is eliminated exactly
enum { rate_fused_most_exact = 150 };
// digits are lost where, with all velocities kept, pivots shrink
static const double rate_fused_least_pivot = 0.01;

// the velocity that each active row makes dependent, by the rows as they were evaluated last; false
// where some row has none that is safe
bool rate_fused_active(engine* e, int* dependent);
// may the kernel be believed at the engine's state? guard: number of that output
bool rate_fused_is_safe(const engine* e, const code_kernel* k, int guard, double* out);

// The cheapest of all ways among those that are safe at the engine's state, null if none is; of
// those that eliminate, and of those with all velocities alike. *sure becomes false where a cheaper
// one was not safe: elsewhere it may be.
const code_kernel* rate_fused_cheapest(engine* e, const rate_fused* f, const rate_problem* p,
                                       bool* sure);
const code_kernel* rate_fused_cheapest_free(engine* e, const rate_fused* f, const rate_problem* p,
                                            bool* sure);
