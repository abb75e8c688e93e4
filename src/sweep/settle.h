// What puts the end of a step back on the constraints. Private to sweep.
#pragma once

#include "code/code.h"

typedef struct sweep_settle
{
  int n;
  code_kernel* places; // of t, q, v and more: changes that put q on its constraints (n), guard;
                       // null: none
  code_kernel* speeds; // the same of q'
  bool straight;       // the latter are linear: one change suffices
} sweep_settle;

// the change of least length with A d + f = 0, and a guard
code_kernel* sweep_shift_new(expr_pool* pool, base_arena* arena, int n, int rows, const expr* A,
                             const expr* f, int inputs, const expr* input);
bool sweep_settles(const sweep_settle* s);
void sweep_settle_ready(const sweep_settle* s, int width);
void sweep_settle_free(sweep_settle* s);
// in: t, q, v and more of each lane; well: 1 where it could be done, else 0. out: so many numbers,
// scratch: of theirs
void sweep_settle_lanes(const sweep_settle* s, int width, double* out, double* scratch, double* in,
                        double* well);
size_t sweep_settle_room(const sweep_settle* s, int width);
size_t sweep_settle_scratch(const sweep_settle* s, int width);

// Of the tolerance, what steps with all velocities are held to; below the least one that would be
// less than the roundings of a state. Smallest share of itself a pivot of the accelerations may be
// reduced to. Of the squared gradient of a constraint at the beginning: the least it may be.
extern const double sweep_finer, sweep_least_tolerance, sweep_least_pivot, sweep_least_gradient;
