// Inside of num_many, for its own files.
#pragma once

#include "cone/cone.h"

// what Newton takes a row for
typedef enum num_many_state {
  NUM_MANY_OFF,  // x = 0
  NUM_MANY_HELD, // w = 0
  NUM_MANY_UP,   // a tangent on its bound, x = mu x_n
  NUM_MANY_DOWN, // x = -mu x_n
  NUM_MANY_SLIP  // one of two on the bound, x = mu x_n y/|y| with y = x - w/G_ii of both
} num_many_state;

struct num_many
{
  int r_max;
  bool siconos; // is asked first
  num_band* band;
  const num_many_problem* p;
  double *x, *w; // of the problem under way
  double* diagonal;
  double *centre, *right;
  double *unit, *turn; // of a tangent that slips in space: y/|y|, and mu x_n/|y|
  num_many_state* state;
  int *order, *index, *unknown;
  bool* seen;
};

// the other tangent of row i, -1
static inline int num_many_pair(const num_many* f, int i)
{
  return f->p->pair && f->p->kind[i] == NUM_MANY_TANGENT ? f->p->pair[i] : -1;
}
// G_ii of a row; of two tangents the larger, so that a step turns with them
static inline double num_many_scale(const num_many* f, int i)
{
  const int o = num_many_pair(f, i);
  return o < 0 || f->diagonal[i] > f->diagonal[o] ? f->diagonal[i] : f->diagonal[o];
}

// w from x
void num_many_product(num_many* f);
// a small problem by the methods of contact.c, into x; false: not to the fault allowed
bool num_many_dense(num_many* f, double allowed);
// by Siconos, into x
bool num_many_siconos(num_many* f);
// the worst breach of a law at x and w, relative
double num_many_fault(const num_many* f);
// neighbours stand near one another in f->order
void num_many_sort(num_many* f);
// Newton on the states from x; true when x obeys the laws to the tolerance. Linear systems solved
// are added to *turns. Patient: for states that run in circles.
bool num_many_newton(num_many* f, bool patient, int* turns);
