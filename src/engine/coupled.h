// The linear problem of accelerations, reactions, controls and held corners, inside engine.
#pragma once

#include "engine/engine.h"

// the numbering of the unknowns: accelerations, forces of constraints, held corners; and the sign
// of the determinant of the problem solved last
typedef struct engine_layout
{
  int n, forces, held, size, sign;
} engine_layout;

engine_layout engine_coupled_lay_out(const engine* e, bool hold);
// has constraint k a reaction or a control: an unknown?
bool engine_coupled_has_force(const engine* e, int k);
// Rows, forces and slopes evaluated last as K x = K_right in x_j / K_column_j, the right side being
// that over K_row_i; false where it cannot be of one size
bool engine_coupled_fill(engine* e, const engine_layout* l);
// 1, with e->reason
int engine_coupled_not_determined(engine* e);
