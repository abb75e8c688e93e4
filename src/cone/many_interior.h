// The interior point method, for its own two files.
#pragma once

#include "cone/many.h"

// numbers of the rows of a contact
static inline void cone_many_get(int size, const int* row, const double* from, double* to)
{
  for (int k = 0; k < size; k++) to[k] = from[row[k]];
}

static inline void cone_many_put(int size, const int* row, const double* from, double* to)
{
  for (int k = 0; k < size; k++) to[row[k]] = from[k];
}

// mu times the direction of the slip, smoothly
static inline double cone_many_follows(const cone_many* f, int n, int tangent)
{
  return f->inner.taken * f->p->mu[tangent] * f->w[tangent] / f->inner.p[n];
}

// many_interior_bodies.c: room, the equations of a turn, x <- (T G + D)^-1 x, and dz with it
void cone_many_inner_room(cone_many_inner* s, const cone_many_bodies* b);
bool cone_many_inner_factor(cone_many* f);
void cone_many_inner_solve(cone_many* f, double* x);
void cone_many_inner_follow(const cone_many* f, double* dz);
