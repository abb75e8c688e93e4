// Forces with corners and jumps: abs, sign, min, max, if. Private to sim.
#pragma once

#include "expr/expr.h"

// Each such node has a switching function s; on either side of s = 0 the node is smooth. During a
// step the side is held (an input of the kernels, +1 or -1), and the step ends where s passes
// through zero.
typedef struct sim_modes
{
  int count;
  expr* node;     // as it stands in the equations, inner ones first
  expr* smooth;   // with the side as a symbol
  expr* side;     // those symbols
  expr* s;        // switching functions, themselves smooth
  expr* rate;     // their time derivatives, holding accelerations
  bool* slides;   // a jump by sign(): the motion may be held at s = 0, between the sides
  bool* reactive; // s holds a reaction: the side is found with the accelerations
} sim_modes;

// the nodes found in a list of expressions; `reaction` are the symbols of the m reactions
sim_modes sim_modes_find(expr_pool* p, base_arena* arena, int n, const expr* list, int m,
                         const expr* reaction);
// the same list with every node replaced by its smooth form
void sim_modes_hold(const sim_modes* m, expr_pool* p, int n, const expr* list, expr* out);
