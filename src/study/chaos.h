// Lyapunov exponents: what is gathered block by block of time. Private to study.
#pragma once

#include "study/hybrid.h"

typedef BASE_LIST(double) study_numbers;

typedef struct study_exponents
{
  study_linear* l;
  study_chaos* r;
  const study_chaos_options* o;
  int d;
  double* y; // q, v, X: 2n by d, row by row
  double *C, *next;
  study_numbers log;    // blocks by d: ln R_ii
  study_numbers length; // of the blocks
  code_kernel* section;
  double* scratch;
  study_numbers found; // sections: t, q, v
  long crossings;
} study_exponents;

// Of vectors of d numbers, row by row, number k less its parts along those before, which are
// orthonormal; its length
double study_exponents_across(int d, int k, double* C);
// a block of this length is over, in which they have grown so much
void study_exponents_note(study_exponents* w, const double* grown, double length);
// is enough known, or so much done that it has to be?
bool study_exponents_enough(const study_exponents* w);
// what was seen up to t; false with errors noted
bool study_exponents_conclude(study_exponents* w, double t, base_notes* notes);

// exponents of a motion through events, impacts, stick and slip (chaos_runs.c)
bool study_exponents_by_runs(study_exponents* w, mech_system* s, base_notes* notes);
