// Private to geom: places of the entries of tensors, and jets of a metric.
#pragma once

#include "geom/geom.h"

// value and derivatives of a metric at a point
typedef struct geom_jet
{
  int n;
  double* g;   // n by n
  double* dg;  // [k][i][j]: d g_ij / d q_k
  double* ddg; // [k][l][i][j]
} geom_jet;

geom_jet geom_jet_take(base_arena* arena, int n);
geom_numbers* geom_numbers_make(base_arena* arena, const geom_jet* j);

// number of unordered pairs of n indices
static inline int geom_pairs(int n)
{
  return n * (n - 1) / 2;
}
// place of the pair i < j
static inline int geom_pair(int n, int i, int j)
{
  return i * n - i * (i + 1) / 2 + j - i - 1;
}
