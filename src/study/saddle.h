// Small changes of a steady or periodic motion: which grow, which fall, and along what. Private to
// study.
#pragma once

#include "study/stability.h"

typedef struct study_saddle
{
  study_linear* l;
  double t, period; // 0: a steady motion
  const double* x0; // its state (q, v) at t
  base_arena* arena;
  int d;           // dimensions of states that the constraints leave
  double *W, *B;   // basis of changes, 2n by d; their rates in it, or their map over the period
  double *re, *im; // eigenvalues, or multipliers
} study_saddle;

// fills d to im; false where there are no such numbers
bool study_saddle_take(study_saddle* z, double tolerance);
// The number of the only one that grows (falls, where stable), -1: there is none or are several;
// how many into `count`.
int study_saddle_only(const study_saddle* z, bool stable, int* count);
// its unit vector in the space of states, the first part of it that is not nothing above zero
void study_saddle_vector(const study_saddle* z, int which, double* out);
