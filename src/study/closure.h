// The equations that close a mechanism, over complex numbers. Private to study.
#pragma once

#include "engine/engine.h"
#include "num/num.h"
#include "study/study.h"

// Unknowns: the coordinates, then one for each square root in the equations, w with w^2 = u, so
// that the equations are analytic everywhere.
typedef struct study_closure
{
  engine* e;
  base_arena* arena;
  int n, lifts, N; // coordinates, square roots, both
  int rows;        // equations, those of the roots last; at least N
  expr* row;
  base_place* place;
  code_kernel* kernel; // values and derivatives of the rows
  double *in, *out, *scratch;
  double complex* mix; // N by rows: the equations that are followed; null: the rows are
  double* size;        // of the unknowns
  bool* periodic;      // coordinates: the same after a turn by 2 pi
  bool* even;          // parts of a quaternion whose sign means nothing
  int64_t work;        // operations so far
} study_closure;

// At the time and with the params in the engine's input block. Null with errors noted.
study_closure* study_closure_new(engine* e, int initials, const model_initial* initial,
                                 base_notes* notes);
void study_closure_free(study_closure* c);
// rows and their derivatives (rows by N) at x, into c->out as complex numbers
void study_closure_run(study_closure* c, const double complex* x);
// as num_monodromy wants them, the context being the closure
void study_closure_values(void* closure, const double complex* x, double complex* F,
                          double complex* J);
int study_closure_marks(const study_closure* c);
void study_closure_mark(void* closure, const double complex* x, double complex* out);
