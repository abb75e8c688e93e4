// What normal forms at an equilibrium are made of. Private to study.
#pragma once

#include "study/chart.h"

#include <complex.h>

// real and imaginary part of vectors of d numbers
typedef struct study_pair
{
  double *re, *im;
} study_pair;

// An eigenvalue i w of z' = g(z) = A z + B(z, z)/2 + C(z, z, z)/6 + ... on the constraint surface,
// its vectors A q = i w q, A^T p = -i w p, <q, q> = <p, q> = 1, <a, b> = sum conj(a) b, and the
// matrices B(r, .), C(r, r, .), B(s, .), C(s, s, .) for q = r + i s.
typedef struct study_mode
{
  study_chart* c;
  int d;
  double *A, *B[2], *C[2];
  // what A is next to the equilibrium along both lines, as far as it was looked last: where widths
  // are halved, every other place is known
  double width, *near[2], *spare;
  study_pair q, p;
} study_mode;

// for the linear part A, which is shared; vectors and matrices are yet empty
study_mode study_mode_new(study_chart* c, double* A, base_arena* arena);
// q and p of the eigenvalue i w; false where they are not told
bool study_mode_vectors(study_mode* f, double w);
// B and C by differences of width h; false where the equations have no values there
bool study_mode_bend(study_mode* f, double h);
study_pair study_pair_take(double** room, int d);
// out += (re + i im) M x
void study_pair_add(int d, const double* M, double re, double im, study_pair x, study_pair out);
// out += B(q, x), or with conj(q) where `conjugate` is
void study_mode_add_square(const study_mode* f, bool conjugate, double times, study_pair x,
                           study_pair out);
// out += C(q, conj(q), x)
void study_mode_add_cube(const study_mode* f, double times, study_pair x, study_pair out);
// <p, x>
double complex study_mode_with(const study_mode* f, study_pair x);
// x = (i k - A)^-1 b
bool study_mode_solve(const study_mode* f, double k, study_pair b, study_pair x);
