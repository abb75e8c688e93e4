// Private to num: the parts of a sparse saddle-point problem.
#pragma once

#include "num/num.h"

// Nodes are the n coordinates, then the m constraints; `place` is their order of elimination.
// L is kept by columns, D apart: P (K A^T; A 0) P^T = L D L^T.
struct num_saddle
{
  base_arena* arena;
  int n, m, nodes;
  int* place;
  num_rows K, A;
  bool stiff; // K + sum over k of gamma_k a_k a_k^T stands for K

  // columns of L in the order of elimination
  size_t entries;
  size_t* start; // nodes + 1
  int* row;
  double *L, *D, *inverse; // 1/D, 0 where the node drops out
  // rows of L: the columns k that hold an entry in row j, and where
  size_t* left_start;
  int* left_column;
  size_t* left_at;
  bool* is_row; // by place: a constraint, whose pivots are negative

  // where the entries of K and A, and the products of A with itself, go: an entry of L, or
  // entries + place for the diagonal
  size_t *K_at, *A_at, *AA_at;
  double *gamma, *A_value; // of the last factorisation, where stiff
  bool* dependent;         // m
  double* work;            // nodes, zero between uses
  double* x;               // nodes
};

// order of elimination into s->place; false where memory would not do
bool num_saddle_order(num_saddle* s);
// pattern of L from the order; false where it has more entries than the limit
bool num_saddle_pattern(num_saddle* s);
