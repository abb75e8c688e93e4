// Inside of cone_many, for its own files.
#pragma once

#include "cone/cone.h"

// what Newton takes a row for
typedef enum cone_many_state {
  CONE_MANY_OFF,  // x = 0
  CONE_MANY_HELD, // w = 0
  CONE_MANY_UP,   // a tangent on its bound, x = mu x_n
  CONE_MANY_DOWN, // x = -mu x_n
  CONE_MANY_SLIP  // one of two on the bound, x = mu x_n y/|y| with y = x - w/G_ii of both
} cone_many_state;

struct cone_many
{
  int r_max;
  bool siconos; // is asked first
  cone_band* band;
  const cone_many_problem* p;
  double *x, *w; // of the problem under way
  double* diagonal;
  double *centre, *right;
  double *unit, *turn; // of a tangent that slips in space: y/|y|, and mu x_n/|y|
  cone_many_state* state;
  int *order, *index, *unknown;
  bool* seen;
};

// the other tangent of row i, -1
static inline int cone_many_pair(const cone_many* f, int i)
{
  return f->p->pair && f->p->kind[i] == CONE_MANY_TANGENT ? f->p->pair[i] : -1;
}
// G_ii of a row; of two tangents the larger, so that a step turns with them
static inline double cone_many_scale(const cone_many* f, int i)
{
  const int o = cone_many_pair(f, i);
  return o < 0 || f->diagonal[i] > f->diagonal[o] ? f->diagonal[i] : f->diagonal[o];
}

// w from x
void cone_many_product(cone_many* f);
// a small problem by the methods of contact.c, into x; false: not to the fault allowed
bool cone_many_dense(cone_many* f, double allowed);
// by Siconos, into x
bool cone_many_siconos(cone_many* f);
// the worst breach of a law at x and w, relative
double cone_many_fault(const cone_many* f);
// neighbours stand near one another in f->order
void cone_many_sort(cone_many* f);
// Newton on the states from x; true when x obeys the laws to the tolerance. Linear systems solved
// are added to *turns. Patient: for states that run in circles.
bool cone_many_newton(cone_many* f, bool patient, int* turns);
