// Eigenvalues of the equations linearised about a steady motion, across the family it belongs to.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double plain_zero = 1e-12; // pivots of a singular matrix
static const double leads_out = 1e-7;   // of the constraint surface: the linear system is wrong

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

// U^T J U
static void across(const study_linear* l, int k, const double* U, double* B)
{
  const int N = 2 * l->n;
  for (int h = 0; h < k; h++)
    for (int j = 0; j < k; j++) B[h * k + j] = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < k; j++) {
      double sum = 0;
      for (int m = 0; m < N; m++) sum += l->J[i * N + m] * U[m * k + j];
      for (int h = 0; h < k; h++) B[h * k + j] += U[i * k + h] * sum;
    }
}

static void take_shapes(const study_linear* l, const double* U, const double* B, study_stability* r)
{
  const int N = 2 * l->n, k = r->count;
  double *x = doubles(r->arena, k), *y = doubles(r->arena, k);
  r->shape_re = doubles(r->arena, k * N);
  r->shape_im = doubles(r->arena, k * N);
  num_eigenvectors* v = num_eigenvectors_new(k, B);
  for (int m = 0; m < k; m++) {
    // that of the conjugate is the conjugate
    if (m && r->im[m] != 0 && r->re[m] == r->re[m - 1] && r->im[m] == -r->im[m - 1]) {
      memcpy(r->shape_re + m * N, r->shape_re + (m - 1) * N, sizeof(double) * (size_t)N);
      for (int i = 0; i < N; i++) r->shape_im[m * N + i] = -r->shape_im[(m - 1) * N + i];
      continue;
    }
    num_eigenvectors_of(v, r->re[m], r->im[m], x, y);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < k; j++) {
        r->shape_re[m * N + i] += U[i * k + j] * x[j];
        r->shape_im[m * N + i] += U[i * k + j] * y[j];
      }
  }
  num_eigenvectors_free(v);
}

// B on the complement of its null space, in place; returns the new size
static int without_null(base_arena* arena, int k, double* B, double size)
{
  double *V = doubles(arena, k * k), *T = doubles(arena, k * k), *Nt = doubles(arena, k * k);
  const int z = study_steady_null(k, k, B, size, plain_zero, V);
  if (z == 0) return k;
  for (int i = 0; i < k; i++)
    for (int h = 0; h < z; h++) Nt[h * k + i] = V[i * z + h];
  const int rest = study_steady_null(k, z, Nt, 0, plain_zero, V);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < rest; j++)
      for (int m = 0; m < k; m++) T[i * rest + j] += B[i * k + m] * V[m * rest + j];
  memset(B, 0, sizeof(double) * (size_t)(k * k));
  for (int h = 0; h < rest; h++)
    for (int j = 0; j < rest; j++)
      for (int i = 0; i < k; i++) B[h * rest + j] += V[i * rest + h] * T[i * rest + j];
  return rest;
}

// a pair whose real part is rounding
static bool is_on_axis(double re, double im)
{
  return fabs(re) < 1e-13 * fabs(im);
}

// Eigenvalues of B. Zeros that are no part of the family (a turn that comes with a lean) are taken
// out first by their vectors, again and again while there are any: as members of a chain they would
// only be known to a root of rounding. `size` is what entries of B are compared with.
static bool eigenvalues(base_arena* arena, int k, const double* B, double size, double* re,
                        double* im)
{
  double* C = doubles(arena, k * k);
  memcpy(C, B, sizeof(double) * (size_t)(k * k));
  int rest = k;
  for (int before = k + 1; rest > 0 && rest < before;) {
    before = rest;
    rest = without_null(arena, rest, C, size);
  }
  if (!num_eigen(rest, C, re, im)) return false;
  // zeros to their place among the others, which are in order: before pairs on the axis
  for (int h = rest; h < k; h++) {
    int at = h;
    for (; at > 0 && (re[at - 1] > 0 || is_on_axis(re[at - 1], im[at - 1])); at--) {
      re[at] = re[at - 1];
      im[at] = im[at - 1];
    }
    re[at] = im[at] = 0;
  }
  return true;
}

static double largest(int count, const double* x)
{
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// F, U, B: N by N each
static bool look(study_linear* l, const study_carrier* c, study_family* family, double* F,
                 double* U, double* B, study_stability* r, base_notes* notes)
{
  const int N = 2 * l->n;
  r->dimension = study_linear_tangent(l);
  if (c->relative) study_relative_turn(l, &c->s, c->xi);
  const double off = study_linear_reduce(l, B);
  if (!(off < leads_out)) {
    base_error(
        notes, BASE_NOWHERE,
        "the linearised equations do not keep the constraints (off by %.1e): the constraints "
        "lose rank at this motion",
        off);
    return false;
  }
  if (family)
    r->family = study_family_follow(l, c, r->ignorable, family, F, U);
  else
    r->family = c->relative ? study_relative_family(l, &c->s, F, U)
                            : study_steady_family(l, r->ignorable, F, U);
  r->count = r->dimension - r->family;
  across(l, r->count, U, B);
  r->re = doubles(r->arena, r->count);
  r->im = doubles(r->arena, r->count);
  if (!eigenvalues(l->aside, r->count, B, largest(N * N, l->J), r->re, r->im)) {
    base_error(notes, BASE_NOWHERE, "the eigenvalues could not be computed");
    return false;
  }
  if (c->care == STUDY_CARE_ALL) take_shapes(l, U, B, r);
  study_stability_judge(l, &c->s, c->relative ? NULL : F, c->care, r);
  return true;
}

bool study_spectrum(study_linear* l, const study_carrier* c, study_family* family,
                    study_stability* r, base_notes* notes)
{
  const int N = 2 * l->n;
  const size_t mark = base_arena_mark(l->aside);
  double *F = doubles(l->aside, N * N), *U = doubles(l->aside, N * N),
         *B = doubles(l->aside, N * N);
  const bool fine = look(l, c, family, F, U, B, r, notes);
  base_arena_cut(l->aside, mark);
  return fine;
}
