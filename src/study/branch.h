// What branches are made of: steady motions, or periodic ones. Private to study.
#pragma once

#include "study/path.h"

// Steady motions over a param: unknowns (q, xi, p), equations those of a motion that the group of
// all symmetries carries along, and what picks one of each family (branch_steady.c)
typedef struct study_ways
{
  study_linear* l;
  base_arena* arena;
  study_symmetry s, shifts; // of the equations; of ignorable coordinates alone
  study_carried c;
  const bool* ignorable;
  int pins; // linear conditions: rows of `wide`, and their values
  double *pin, *pinned;
  study_family family;
} study_ways;

// The engine of l stands at a steady motion for the value of the param; `u` becomes its unknowns.
// count, initial: equations that pick one of the family where they hold.
study_ways* study_ways_new(study_linear* l, const bool* ignorable, int count,
                           const model_initial* initial, double value, base_arena* arena,
                           double* u);
void study_ways_free(study_ways* w);
int study_ways_rows(const study_ways* w);
int study_ways_at(void* context, const double* u, double* F, double* J); // num_equations
study_stability* study_ways_look(void* context, const double* u);
