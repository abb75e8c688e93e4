// What normal forms at an equilibrium are made of: eigenvectors, and the second and third
// derivatives of the equations along them.
//
// The matrices B(r, .) and C(r, r, .) are derivatives of the exact A = dg/dz along a line:
// differences of the eighth order.
#include "study/normal.h"

#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { reach = 4 };

// B and C along one line by differences of width h; false where A is not known there
static bool along(study_mode* f, const double* line, double h, double* B, double* C)
{
  static const double first[reach] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  static const double second[reach] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  const int d = f->d, size = d * d;
  double* G = base_alloc(sizeof(double) * (size_t)(size + d + 1));
  double* z = G + size;
  bool fine = true, moves = false;
  for (int j = 0; j < d; j++) moves = moves || line[j] != 0;
  memset(B, 0, sizeof(double) * (size_t)size);
  // along no line nothing changes
  for (int i = 0; i < size; i++) C[i] = moves ? -205.0 / 72 * f->A[i] / (h * h) : 0;
  for (int k = 0; k < 2 * reach && fine && moves; k++) {
    const int far = k / 2 + 1, side = k % 2 ? -1 : 1;
    for (int j = 0; j < d; j++) z[j] = h * far * side * line[j];
    fine = study_chart_slope(f->c, z, G);
    for (int i = 0; i < size && fine; i++) {
      B[i] += side * first[far - 1] * G[i] / h;
      C[i] += second[far - 1] * G[i] / (h * h);
    }
  }
  free(G);
  return fine;
}

bool study_mode_bend(study_mode* f, double h)
{
  return along(f, f->q.re, h, f->B[0], f->C[0]) && along(f, f->q.im, h, f->B[1], f->C[1]);
}

// out += factor (re + i im)(M r' + i M s') for the pair x = r' + i s'
void study_pair_add(int d, const double* M, double re, double im, study_pair x, study_pair out)
{
  for (int i = 0; i < d; i++) {
    double a = 0, b = 0;
    for (int j = 0; j < d; j++) {
      a += M[i * d + j] * x.re[j];
      b += M[i * d + j] * x.im[j];
    }
    out.re[i] += re * a - im * b;
    out.im[i] += re * b + im * a;
  }
}

study_pair study_pair_take(double** room, int d)
{
  const study_pair p = {*room, *room + d};
  *room += 2 * d;
  memset(p.re, 0, sizeof(double) * (size_t)(2 * d));
  return p;
}

// B(q, x) = B(r, x) + i B(s, x)
void study_mode_add_square(const study_mode* f, bool conjugate, double times, study_pair x,
                           study_pair out)
{
  study_pair_add(f->d, f->B[0], times, 0, x, out);
  study_pair_add(f->d, f->B[1], 0, conjugate ? -times : times, x, out);
}

// C(q, conj(q), x) = C(r, r, x) + C(s, s, x)
void study_mode_add_cube(const study_mode* f, double times, study_pair x, study_pair out)
{
  study_pair_add(f->d, f->C[0], times, 0, x, out);
  study_pair_add(f->d, f->C[1], times, 0, x, out);
}

double complex study_mode_with(const study_mode* f, study_pair x)
{
  double complex sum = 0;
  for (int j = 0; j < f->d; j++) sum += CMPLX(f->p.re[j], -f->p.im[j]) * CMPLX(x.re[j], x.im[j]);
  return sum;
}

// x = (i k - A)^-1 b
bool study_mode_solve(const study_mode* f, double k, study_pair b, study_pair x)
{
  const int d = f->d, D = 2 * d;
  double *M = base_alloc(sizeof(double) * (size_t)(D * D + D + 1)), *y = M + D * D;
  int* pivot = base_alloc(sizeof(int) * (size_t)(D + 1));
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) M[i * D + j] = M[(d + i) * D + d + j] = -f->A[i * d + j];
    M[i * D + d + i] = -k;
    M[(d + i) * D + i] = k;
    y[i] = b.re[i];
    y[d + i] = b.im[i];
  }
  const bool fine = num_lu(D, M, pivot);
  if (fine) num_lu_solve(D, M, pivot, y);
  memcpy(x.re, y, sizeof(double) * (size_t)d);
  memcpy(x.im, y + d, sizeof(double) * (size_t)d);
  free(pivot);
  free(M);
  return fine;
}

// q and p of the eigenvalue i w, normed
bool study_mode_vectors(study_mode* f, double w)
{
  const int d = f->d;
  double* t = base_alloc(sizeof(double) * (size_t)(d * d + 1));
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) t[j * d + i] = f->A[i * d + j];
  num_eigen_vector(d, f->A, 0, w, f->q.re, f->q.im);
  num_eigen_vector(d, t, 0, -w, f->p.re, f->p.im);
  free(t);
  double size = 0, re = 0, im = 0;
  for (int j = 0; j < d; j++) size += f->q.re[j] * f->q.re[j] + f->q.im[j] * f->q.im[j];
  for (int j = 0; j < d; j++) {
    f->q.re[j] /= sqrt(size);
    f->q.im[j] /= sqrt(size);
    re += f->p.re[j] * f->q.re[j] + f->p.im[j] * f->q.im[j];
    im += f->p.re[j] * f->q.im[j] - f->p.im[j] * f->q.re[j];
  }
  const double all = re * re + im * im;
  // conj(p) q = 1: p divided by the conjugate of what it is
  for (int j = 0; j < d && all > 0; j++) {
    const double x = f->p.re[j], y = f->p.im[j];
    f->p.re[j] = (x * re - y * im) / all;
    f->p.im[j] = (y * re + x * im) / all;
  }
  return all > 0 && size > 0;
}

study_mode study_mode_new(study_chart* c, double* A, base_arena* arena)
{
  const int d = c->d, size = d * d;
  double* room = base_arena_take(arena, sizeof(double) * (size_t)(4 * size + 4 * d + 1));
  study_mode f = {.c = c, .d = d, .A = A};
  for (int k = 0; k < 2; k++, room += 2 * size) {
    f.B[k] = room;
    f.C[k] = room + size;
  }
  f.q = study_pair_take(&room, d);
  f.p = study_pair_take(&room, d);
  return f;
}
