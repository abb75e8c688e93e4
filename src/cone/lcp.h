// Inside of cone_lcp, for its own files and for neighbours that solve with it.
#pragma once

#include "cone/active_factor.h"
#include "cone/cone.h"

// Working memory of the dual active set method. Legend: S x + q = a >= 0, x >= 0, x.a = 0, S
// symmetric positive semidefinite with a diagonal of about one; F the working set, S_FF = L L^T.
typedef struct cone_lcp_set
{
  int r_max, r;
  cone_active_factor set;
  bool* excused; // r: cannot be obeyed, but by no more than the noise
  double* x;     // r
  double* a;     // r: S x + q
  double* size;  // r: |q_s| + sum |S_sj x_j|
  double* dx;    // k: change of x_F per unit of the entering x_s
  double* u;     // k: L^-1 S_Fs
  double* y;     // r: certificate
  int pivots;
} cone_lcp_set;

typedef enum cone_lcp_outcome {
  CONE_LCP_DONE,
  CONE_LCP_EMPTY, // y >= 0 with S y = 0, q.y < 0
  CONE_LCP_LOST   // pivots ran out
} cone_lcp_outcome;

cone_lcp_set* cone_lcp_set_new(int r_max);
void cone_lcp_set_free(cone_lcp_set* f);
// guess and noise (each r) may be null
cone_lcp_outcome cone_lcp_dual(cone_lcp_set* f, int r, const double* S, const double* q,
                               const bool* guess, const double* noise);

struct cone_lcp
{
  int r_max;
  cone_lcp_set *set, *inner; // the problem; the problems about its set of solutions
  num_null* null;            // of S on the rows with a = 0
  double* d;                 // r: sqrt(A_ss), 0 for a row of zeros
  double *S, *q, *noise;     // scaled
  double *x, *a;             // scaled answer
  double *P, *p, *Z;         // projector on the null space, shifted start, basis
  int* B;                    // rows with a = 0
  double *lambda, *alpha, *y;
  cone_lcp_mode* mode;
  double* tableau; // Lemke: r by (2 r + 2)
  int *basis, *pivot;
};

// x of least norm among the solutions; true if there is only one. x and a are the scaled answer.
bool cone_lcp_shortest(cone_lcp* f, int r, double scale);
