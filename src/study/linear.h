// The equations of motion linearised about a state. Private to study.
#pragma once

#include "contact/contact.h"
#include "engine/engine.h"
#include "num/num.h"
#include "rate/rate.h"
#include "step/step.h"
#include "study/study.h"
#include "walk/walk.h"

typedef struct study_linear
{
  engine* e;
  int n, d;            // coordinates; dimension of the tangent space of the constraints
  code_kernel* kernel; // derivatives of the residuals R, f0 and f1 by q, v, t, a, Lambda; or null,
  struct study_slopes* slopes; // and these by numbers,
  int* input;                  // by the inputs of the engine
  int width; // symbols differentiated by: 3n + 1 + m, and the param where there is one
  int param; // given with the run, that is differentiated by, too; or -1
  double *out, *scratch;
  double *R, *D0, *D1; // into `out`: n + m rows, m rows, m rows
  num_null *null, *tangent;
  double *K, *right, *x; // of the linear problem for the changes of a and Lambda
  double* J;             // 2n by 2n: changes of (q', v') by (q, v)
  double* Jp;            // n: changes of v' by the param
  code_kernel* rates;    // accelerations and their derivatives, where they are solved for; or null
  bool rates_sought;     // whether they can be was asked
  double *rates_out, *rates_scratch;
  double *G, *W;     // gradients of the constraints, 2n wide; basis of their null space, 2n by d
  int rows;          // of G
  base_arena* aside; // what nobody asks for behind a look
} study_linear;

// Null with errors noted.
study_linear* study_linear_new(engine* e, base_notes* notes);
// the same with derivatives by a param that is given with the run
study_linear* study_linear_new_by(engine* e, int param, base_notes* notes);
void study_linear_free(study_linear* l);
// M a - F - A^T Lambda, A a - c, f0 and f1 of all constraints; how many
int study_linear_residuals(const engine* e, expr* list);
// does constraint k bring an unknown force: an ideal reaction, or a control?
bool study_linear_is_unknown(const engine* e, int k);
// accelerations, reactions and J at the state in the engine's input block; 0, or 1 with its reason
int study_linear_at(study_linear* l);
// Accelerations, the lower half of J and Jp alone: what changes along a motion need. 0, or 1 with
// the engine's reason.
int study_linear_rates(study_linear* l);
// numbers in the place of params that do not change
void study_linear_fix(const engine* e, int count, expr* list);
// y' of y = (q, v) alone; 0, or 1 with the engine's reason
int study_linear_motion(const study_linear* l, double t, const double* y, double* dy);
// y' of y = (q, v, X), X the d columns of changes of (q, v), row by row; 0, or 1 with the engine's
// reason
int study_linear_flow(study_linear* l, int d, double t, const double* y, double* dy);
// the same without the accelerations, which are there
void study_linear_again(study_linear* l);
// G and W there (after one of the above); returns d
int study_linear_tangent(study_linear* l);
// W^T J W into a d by d block; returns how far J leads out of the tangent space, relative
double study_linear_reduce(const study_linear* l, double* out);
// largest derivative by coordinate i, or by time (i = -1), against the largest of all
double study_linear_depends(const study_linear* l, int i);
