// The matrices of a linear model and what their lines are called.
#pragma once

#include "out/out.h"

typedef struct out_matrix
{
  const char* name;
  int rows, columns;
  const double* at;
  char row, column; // what its lines are: x states, u inputs, y outputs
} out_matrix;

enum { OUT_MATRICES = 4 };

void out_matrices(const study_linearised* r, out_matrix out[OUT_MATRICES]);
// a state of first order is kept as the velocity of a coordinate that has no place
bool out_matrix_is_state(const study_linearised* r, int coord);
// of state, input or output i; x, or x' of the velocity behind it; to be freed
char* out_matrix_label(const study_linearised* r, char kind, int i);
