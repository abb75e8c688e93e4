// geom: the geometry behind a model: are its velocity constraints integrable, what can be reached.
// Takes a model and a point; gives integrability by Frobenius, growth vectors, hidden potentials.
// Computes no motion.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "model/model.h"
#include "num/num.h"

typedef struct geom_constraint
{
  expr_truth integrable; // by itself or together with the others; position constraints: YES
  bool alone;            // integrable by itself, without help of the other constraints
  expr potential;        // P with constraint <=> P = const, or EXPR_NONE
  const char* why;       // one line of words
} geom_constraint;

typedef struct geom_report
{
  base_arena* arena;
  int constraints;
  geom_constraint* constraint;
  // dimensions of D, D + [D, D], ... at a generic point near the one given; constraints that depend
  // on time or are affine are taken on the space with t added, drift included (growth_note says so)
  int growth_length;
  int* growth;
  bool growth_known; // false: nonlinear velocity constraints, the notion does not apply
  const char* growth_note;
  int position_rank; // largest rank of the gradients of the position constraints near the point
} geom_report;

// Growth and rank are those of the constraints that hold at the start.
// `symbols`/`values` give the params, t and a point q that satisfies the position constraints.
geom_report* geom_integrability(const model* m, int n, const expr* symbols, const double* values);
void geom_report_free(geom_report* r);
