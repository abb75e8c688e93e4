// The equations of motion linearised about a state. Private to sim.
#pragma once

#include "contact/contact.h"
#include "engine/engine.h"
#include "num/num.h"
#include "rate/rate.h"
#include "step/step.h"
#include "study/study.h"
#include "walk/walk.h"

typedef struct sim_linear
{
  sim_engine* e;
  int n, d;            // coordinates; dimension of the tangent space of the constraints
  code_kernel* kernel; // derivatives of the residuals R, f0 and f1 by q, v, t, a, Lambda
  int width;           // symbols differentiated by: 3n + 1 + m
  double *out, *scratch;
  double *R, *D0, *D1; // into `out`: n + m rows, m rows, m rows
  num_null *null, *tangent;
  double *K, *right, *x; // of the linear problem for the changes of a and Lambda
  double* J;             // 2n by 2n: changes of (q', v') by (q, v)
  double *G, *W; // gradients of the constraints, 2n wide; basis of their null space, 2n by d
  int rows;      // of G
} sim_linear;

// Null with errors noted.
sim_linear* sim_linear_new(sim_engine* e, base_notes* notes);
void sim_linear_free(sim_linear* l);
// accelerations, reactions and J at the state in the engine's input block; 0, or 1 with its reason
int sim_linear_at(sim_linear* l);
// the same without the accelerations, which are there
void sim_linear_again(sim_linear* l);
// G and W there (after one of the above); returns d
int sim_linear_tangent(sim_linear* l);
// W^T J W into a d by d block; returns how far J leads out of the tangent space, relative
double sim_linear_reduce(const sim_linear* l, double* out);
// largest derivative by coordinate i, or by time (i = -1), against the largest of all
double sim_linear_depends(const sim_linear* l, int i);
