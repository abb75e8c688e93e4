// Private to geom: the velocity-level constraints of a model as one-forms on its space.
#pragma once

#include "geom/geom.h"

// omega_k = sum_i w_ki dx_i on the space x = (q, and t where a constraint depends on it).
typedef struct geom_pfaff
{
  const model* m;
  expr_pool* pool;
  base_arena* arena;
  expr zero;
  bool timed; // t is the last of x
  int N;
  expr* x;
  int count; // forms
  int* of;   // the constraint each form belongs to
  expr* w;   // count by N
  // all numbers known: params, t, the point
  int symbols;
  expr* symbol;
  double* value;
} geom_pfaff;

// forms of every position constraint and every linear velocity constraint; those of other kinds
// are left out, and so are those that `use` leaves out. Rates of driven params are taken as zero.
geom_pfaff geom_pfaff_make(const model* m, const bool* use, base_arena* arena, int n,
                           const expr* symbols, const double* values);
// the forms with every constant param replaced by its exact value
expr* geom_pfaff_numbers(const geom_pfaff* f);

// a held configuration of the driven params: their rates are zero
expr geom_hold_params(const model* m, expr e);
// a simpler equal expression where that is affordable
expr geom_tidy(expr_pool* p, expr e);
// component (i, j) of d omega: d w_j / d x_i - d w_i / d x_j
expr geom_curl(const geom_pfaff* f, const expr* w, int i, int j);
