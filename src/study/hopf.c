// The first Lyapunov coefficient where a pair of eigenvalues crosses the imaginary axis.
//
// On the constraint surface z' = g(z) (chart.c), A = dg/dz, B and C the second and third
// derivatives of g. With A q = i w q, A^T p = -i w p, <q, q> = <p, q> = 1, <a, b> = sum conj(a) b,
//   l1 = Re( <p, C(q, q, q*)> - 2 <p, B(q, A^-1 B(q, q*))> + <p, B(q*, (2 i w - A)^-1 B(q, q))>
//   )/(2 w)
// (Kuznetsov, Elements of Applied Bifurcation Theory, (3.20)): below zero a stable cycle is born on
// the unstable side. All of it comes from the matrices B(r, .), B(s, .), C(r, r, .), C(s, s, .) for
// q = r + i s, that is from A along two lines; they are differences of the eighth order of the
// exact A.
#include "study/hopf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double widest = 0.02;   // step along q, in units of the state
static const double singular = 1e-8; // of A: eigenvalues against the largest
enum { reach = 4, halvings = 6 };

// real and imaginary part of vectors of d numbers
typedef struct pair
{
  double *re, *im;
} pair;

typedef struct form
{
  study_chart* c;
  int d;
  double *A, *B[2], *C[2]; // derivatives along r and s
  pair q, p;
} form;

// ---- derivatives --------------------------------------------------------------------------------

// B and C along one line by differences of width h; false where A is not known there
static bool along(form* f, const double* line, double h, double* B, double* C)
{
  static const double first[reach] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  static const double second[reach] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  const int d = f->d, size = d * d;
  double* G = base_alloc(sizeof(double) * (size_t)(size + d + 1));
  double* z = G + size;
  bool fine = true;
  memset(B, 0, sizeof(double) * (size_t)size);
  for (int i = 0; i < size; i++) C[i] = -205.0 / 72 * f->A[i] / (h * h);
  for (int k = 0; k < 2 * reach && fine; k++) {
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

// ---- the form -----------------------------------------------------------------------------------

// out += factor (re + i im)(M r' + i M s') for the pair x = r' + i s'
static void add(int d, const double* M, double re, double im, pair x, pair out)
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

static pair take(double** room, int d)
{
  const pair p = {*room, *room + d};
  *room += 2 * d;
  memset(p.re, 0, sizeof(double) * (size_t)(2 * d));
  return p;
}

// Re <p, x>
static double with_p(const form* f, pair x)
{
  double sum = 0;
  for (int j = 0; j < f->d; j++) sum += f->p.re[j] * x.re[j] + f->p.im[j] * x.im[j];
  return sum;
}

// x = (i k - A)^-1 b
static bool solve(const form* f, double k, pair b, pair x)
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

// l1 times 2 w from the derivatives; nan where a matrix is singular
static double combine(const form* f, double w)
{
  const int d = f->d;
  double *room = base_alloc(sizeof(double) * (size_t)(16 * d + 1)), *start = room;
  const pair conjugate = take(&room, d), mixed = take(&room, d), square = take(&room, d);
  const pair a = take(&room, d), b = take(&room, d), sum = take(&room, d);
  for (int j = 0; j < d; j++) {
    conjugate.re[j] = f->q.re[j];
    conjugate.im[j] = -f->q.im[j];
  }
  // B(q, x) = B(r, x) + i B(s, x)
  add(d, f->B[0], 1, 0, conjugate, mixed);
  add(d, f->B[1], 0, 1, conjugate, mixed);
  add(d, f->B[0], 1, 0, f->q, square);
  add(d, f->B[1], 0, 1, f->q, square);
  double value = NAN;
  // A^-1 x = -(0 - A)^-1 x
  if (solve(f, 0, mixed, a) && solve(f, 2 * w, square, b)) {
    add(d, f->B[0], 2, 0, a, sum);
    add(d, f->B[1], 0, 2, a, sum);
    add(d, f->B[0], 1, 0, b, sum);
    add(d, f->B[1], 0, -1, b, sum);
    // C(q, q, q*) = C(r, r, r) + C(s, s, r) + i (C(r, r, s) + C(s, s, s))
    add(d, f->C[0], 1, 0, f->q, sum);
    add(d, f->C[1], 1, 0, f->q, sum);
    value = with_p(f, sum);
  }
  free(start);
  return value;
}

// q and p of the eigenvalue i w, normed
static bool vectors(form* f, double w)
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

// the eigenvalue of A next to i w; false where another one is nothing
static bool pick(const form* f, double* w)
{
  const int d = f->d;
  double *re = base_alloc(sizeof(double) * (size_t)(2 * d + 1)), *im = re + d;
  bool fine = num_eigen(d, f->A, re, im);
  double near = INFINITY, most = 0, least = INFINITY, at = *w;
  for (int i = 0; i < d && fine; i++) {
    const double size = hypot(re[i], im[i]), off = hypot(re[i], im[i] - *w);
    most = fmax(most, size);
    least = fmin(least, size);
    if (off < near) at = im[i];
    near = fmin(near, off);
  }
  free(re);
  *w = at;
  return fine && least > singular * most && *w > 0;
}

double study_hopf_coefficient(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                              double* shape, double* error)
{
  *error = INFINITY;
  study_chart c = study_chart_new(l, ignorable, arena);
  const int d = c.d, size = d * d;
  double* room = base_arena_take(arena, sizeof(double) * (size_t)(9 * size + 5 * d + 1));
  form f = {.c = &c, .d = d, .A = room};
  room += size;
  for (int k = 0; k < 2; k++, room += 2 * size) {
    f.B[k] = room;
    f.C[k] = room + size;
  }
  f.q = take(&room, d);
  f.p = take(&room, d);
  double* z = room;
  memset(z, 0, sizeof(double) * (size_t)d);
  if (d < 2 || !study_chart_slope(&c, z, f.A) || !pick(&f, &w) || !vectors(&f, w)) return NAN;
  const int N = 2 * l->n;
  for (int j = 0; j < N && shape; j++) {
    shape[j] = shape[N + j] = 0;
    for (int k = 0; k < d; k++) {
      shape[j] += c.U[j * d + k] * f.q.re[k];
      shape[N + j] += c.U[j * d + k] * f.q.im[k];
    }
  }
  // differences of three widths that say the same
  double last[2] = {NAN, NAN}, best = NAN, h = widest;
  for (int turn = 0; turn < halvings; turn++, h /= 2) {
    if (!along(&f, f.q.re, h, f.B[0], f.C[0]) || !along(&f, f.q.im, h, f.B[1], f.C[1])) continue;
    const double value = combine(&f, w) / (2 * w);
    const double away = fabs(value - last[0]) + fabs(value - last[1]);
    last[1] = last[0];
    last[0] = value;
    if (!(away < *error)) continue;
    *error = away;
    best = value;
  }
  return best;
}
