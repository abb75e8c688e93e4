// Under which conditions equations hold: a part of what is kept of them. Private to out.
#pragma once

#include "out/out.h"

// A sentence about a constraint or a quasi-velocity, or about where an expression is zero.
typedef struct out_condition
{
  const char *before, *after; // around the name or the expression
  const char* constraint;     // null: an expression
  expr zero;
} out_condition;

// Those of the equations of a form, in the arena; how many
int out_conditions(const mech_system* s, const mech_equations* e, base_arena* arena,
                   out_condition** list);
// The arguments of sign() in the forces that depend on velocities: where one is zero, the force may
// be any between its sides.
int out_conditions_jumps(const mech_system* s, base_arena* arena, expr** list);
// a sentence in the notation of the model language
void out_condition_text(const mech_system* s, const out_condition* c, base_text* out);
