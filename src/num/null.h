// Inside of num_null, for neighbours in this room that place one in memory of their own.
#pragma once

#include "num/num.h"

// Legend: D = diag(weight); S = diag(1/norm) A D, its rows in the order of `order`; S^T = Q R.
// W holds, row by row of S: R^T left of the diagonal, the Householder vectors right of it.
struct num_null
{
  int m_max, n_max;
  int m, n, rank;
  int live;         // rows that are not zero; the others stand last in order
  bool broken;      // an entry was not finite: every answer is nan
  double margin;    // smallest kept pivot over the largest
  double* W;        // m by n
  double* across;   // where there are NUM_NULL_WIDE rows or more: the same, column by column
  double* norm;     // norm of row i of A D, in A's order
  double* diagonal; // R_kk
  double* tau;      // H_k = 1 - tau_k v_k v_k^T, v_k(k) = 1
  double* left;     // squared norm of what is left of each row of W
  double* scratch;  // max(m, n)
  double* u;        // m: multipliers in W's order
  double* N;        // null space of A^T, at most m by m
  int* order;
  const double* weight; // of the columns; null: all one
};

enum { NUM_NULL_WIDE = 8 };

// numbers of one column of as many rows, as they lie across
static inline size_t num_null_across(size_t rows)
{
  return rows < NUM_NULL_WIDE ? 0 : (rows + NUM_NULL_WIDE - 1) / NUM_NULL_WIDE * NUM_NULL_WIDE;
}

static inline size_t num_null_columns(const num_null* f)
{
  return num_null_across((size_t)f->live);
}

// ---- null_wide.c: many at once ------------------------------------------------------------------

void num_null_spread(num_null* f);           // rows across
void num_null_take_row(num_null* f, int k);  // back into W
void num_null_turn_rows(num_null* f, int k); // H_k on the rows behind it that lie across
// H_k on all q columns of Z
void num_null_turn_all(const num_null* f, int k, int q, double* Z);

// ---- memory -------------------------------------------------------------------------------------

size_t num_null_size(int m_max, int n_max);
// lay a factorisation out in memory of num_null_size bytes, aligned for doubles
num_null* num_null_place(void* memory, int m_max, int n_max);
