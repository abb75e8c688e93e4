// Power series of a solution as machine code: what is kept, and how it is laid out. Private to the
// room.
//
// Coefficient k of an operation is linear in the coefficients k of its operands, with numbers of
// order 0 as factors, once the sums over lower orders
//   S = sum over j = 1 .. k-1 of f_j g_(k-j)
// are known. These sums need nothing of order k: all of them are made first, in lanes side by side,
// and what is left is one straight-line kernel, the same for every order.
#pragma once

#include "code/kernel.h"

enum { SERIES_LANES = 8 }; // doubles of the widest vectors

// The inputs of that kernel, in this order:
//   sums, those that are divided by k last  as many as there are lanes
//   numbers of order 0, K_0, r_0            outputs of the kernel `early`
//   numbers of order 0 that need x_0, z_0   outputs of the kernel `late`
//   k, x_0, the inverse of K_0, coefficients of inputs
// Its outputs are a row: the factors f of the sums, the factors g, x_k, z_k.
struct code_series
{
  int order, inputs;
  int unknowns, cells, starts; // x, entries of K, further numbers of order 0
  int lanes, plain;            // all sums, and how many lanes have none that is divided by k
  double* over;                // by lane: 1 where the sum is divided
  int width, stride;           // inputs of the kernel; doubles from row to row
  int early_at, K_at;          // places among the inputs
  int late_at, also_at, k_at, x_at, inverse_at, none_at;
  int* place; // by input: where its coefficient goes
  code_kernel *early, *late, *step;
  size_t work;     // doubles of scratch the kernels need
  int also_inputs; // pairs of unknown and input
  int *unknown_of, *input_of;
  double* sign;
  void (*sums)(const code_series* s, int k, const double* rows, double* in);
};

// ---- series_make.c ------------------------------------------------------------------------------

// the kernels and the layout; false where there is nothing to gain
bool code_series_make(code_series* s, const code_series_plan* plan);

// ---- series_sums.c ------------------------------------------------------------------------------

void code_series_sums_choose(code_series* s, code_level level);
