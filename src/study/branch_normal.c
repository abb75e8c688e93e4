// Normal forms where a periodic motion doubles its period or becomes a torus.
//
// With A, B, C the derivatives of the map from period to period on the section across the motion,
// A q = m q, A^T p = conj(m) p, <q, q> = <p, q> = 1 (Kuznetsov, Elements of Applied Bifurcation
// Theory, (5.37) and (5.39)):
//   m = -1:       c = <p, C(q,q,q) + 3 B(q, (1 - A)^-1 B(q,q))>/6
//   m = exp(i s): d = exp(-i s) <p, C(q,q,q*) + 2 B(q, (1 - A)^-1 B(q,q*))
//                                   + B(q*, (m^2 - A)^-1 B(q,q))>/2
// Motions of twice the period are stable where c > 0, the torus where Re d < 0. A is exact; B(q, .)
// and C(q, q, .) are differences of it along the parts of q, of the fourth order.
#include "study/branch.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { sides = 5, most_returns = 12 };
static const double spacing = 2e-3;   // of differences, in units of the state
static const double agreed = 1e-3;    // coefficients by two spacings, relative
static const double nothing = 1e-7;   // coefficients that are rounding
static const double returned = 1e-12; // onto the section
static const double strong = 1e-2;    // distance of m^k from 1, k up to 4

typedef struct section
{
  study_rounds* o;
  const double* u;
  int N, d;         // of the state; of the section
  double *Z, *end;  // its basis, N by d; the end of the flight on it
  double *x, *full; // work space: unknowns; N by d
} section;

// A of the map at x0 + Z y, d by d; false where the motion does not come back
static bool derive(section* s, const double* y, double* A)
{
  study_rounds* o = s->o;
  const int N = s->N, d = s->d, wide = N + 1;
  memcpy(s->x, s->u, sizeof(double) * (size_t)(N + 2));
  for (int i = 0; i < N; i++)
    for (int k = 0; k < d; k++) s->x[i] += s->Z[i * d + k] * y[k];
  double along = 0, off = INFINITY;
  for (int turn = 0; turn < most_returns && fabs(off) > returned; turn++) {
    if (!study_rounds_steps(o, s->x)) return false;
    if (o->timed) break;
    // the time is that of the return to the section
    along = off = 0;
    for (int i = 0; i < N; i++) {
      double gap = o->y[i] - s->u[i];
      if (i < N / 2 && o->angle[i]) gap -= 2 * M_PI * round(gap / (2 * M_PI));
      off += o->phase[i] * gap;
      along += o->phase[i] * o->end[i];
    }
    s->x[N] -= off / along;
    if (!(s->x[N] > 0)) return false;
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < d; k++) {
      s->full[i * d + k] = 0;
      for (int j = 0; j < N; j++) s->full[i * d + k] += o->y[N + i * wide + j] * s->Z[j * d + k];
    }
  for (int k = 0; k < d && !o->timed; k++) {
    double late = 0;
    for (int i = 0; i < N; i++) late += o->phase[i] * s->full[i * d + k] / along;
    for (int i = 0; i < N; i++) s->full[i * d + k] -= late * o->end[i];
  }
  memset(A, 0, sizeof(double) * (size_t)(d * d));
  for (int i = 0; i < N; i++)
    for (int h = 0; h < d; h++)
      for (int k = 0; k < d; k++) A[h * d + k] += s->Z[i * d + h] * s->full[i * d + k];
  return true;
}

// B(a, .) and C(a, a, .) as matrices
static bool bend(section* s, const double* A0, const double* a, double h, double* B, double* C)
{
  static const int at[sides - 1] = {1, -1, 2, -2};
  static const double first[sides - 1] = {8, -8, -1, 1}, second[sides - 1] = {16, 16, -1, -1};
  const int d = s->d;
  double *y = base_alloc(sizeof(double) * (size_t)(d + d * d)), *A = y + d;
  bool fine = true;
  for (int i = 0; i < d * d; i++) B[i] = 0;
  for (int i = 0; i < d * d; i++) C[i] = -30 * A0[i] / (12 * h * h);
  for (int k = 0; k < sides - 1 && fine; k++) {
    for (int i = 0; i < d; i++) y[i] = at[k] * h * a[i];
    fine = derive(s, y, A);
    for (int i = 0; i < d * d && fine; i++) {
      B[i] += first[k] * A[i] / (12 * h);
      C[i] += second[k] * A[i] / (12 * h * h);
    }
  }
  free(y);
  return fine;
}

// x <- (m - A)^-1 x, or of the transposed; elimination with pivots
static void solve(int d, const double* A, bool turned, double complex m, double complex* x)
{
  double complex* M = base_alloc(sizeof *M * (size_t)(d * d + 1));
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      M[i * d + j] = (i == j ? m : 0) - (turned ? A[j * d + i] : A[i * d + j]);
  for (int k = 0; k < d; k++) {
    int p = k;
    for (int i = k + 1; i < d; i++)
      if (cabs(M[i * d + k]) > cabs(M[p * d + k])) p = i;
    for (int j = 0; j < d; j++) {
      const double complex swap = M[k * d + j];
      M[k * d + j] = M[p * d + j];
      M[p * d + j] = swap;
    }
    const double complex swap = x[k];
    x[k] = x[p];
    x[p] = swap;
    for (int i = k + 1; i < d; i++) {
      const double complex f = M[i * d + k] / M[k * d + k];
      for (int j = k; j < d; j++) M[i * d + j] -= f * M[k * d + j];
      x[i] -= f * x[k];
    }
  }
  for (int k = d - 1; k >= 0; k--) {
    for (int j = k + 1; j < d; j++) x[k] -= M[k * d + j] * x[j];
    x[k] /= M[k * d + k];
  }
  free(M);
}

// <a, b>
static double complex dot(int d, const double complex* a, const double complex* b)
{
  double complex sum = 0;
  for (int i = 0; i < d; i++) sum += conj(a[i]) * b[i];
  return sum;
}

// the vector of the multiplier m, of length one, by inverse iteration
static void vector_of(int d, const double* A, bool turned, double complex m, double complex* x)
{
  for (int i = 0; i < d; i++) x[i] = 1 + 0.37 * i + 0.11 * _Complex_I * (i % 3);
  for (int turn = 0; turn < 4; turn++) {
    solve(d, A, turned, m * (1 + 1e-9), x);
    const double size = sqrt(creal(dot(d, x, x)));
    for (int i = 0; i < d; i++) x[i] /= size;
  }
  // the real one is to be real
  int most = 0;
  for (int i = 0; i < d; i++)
    if (cabs(x[i]) > cabs(x[most])) most = i;
  const double complex turn = conj(x[most]) / cabs(x[most]);
  for (int i = 0; i < d; i++) x[i] *= turn;
}

// out <- (Ba + i Bb) x
static void apply(int d, const double* Ba, const double* Bb, double sign, const double complex* x,
                  double complex* out)
{
  for (int i = 0; i < d; i++) {
    out[i] = 0;
    for (int j = 0; j < d; j++)
      out[i] += (Ba[i * d + j] + sign * _Complex_I * Bb[i * d + j]) * x[j];
  }
}

// the coefficient with differences of this spacing; nan where a flight is missing
static double coefficient(section* s, double angle, double h)
{
  const int d = s->d;
  const bool doubles = angle >= M_PI;
  double* room = base_alloc(sizeof(double) * (size_t)(5 * d * d + 2 * d));
  double *A = room, *Ba = A + d * d, *Ca = Ba + d * d, *Bb = Ca + d * d, *Cb = Bb + d * d;
  double *a = Cb + d * d, *b = a + d, out = NAN;
  double complex* v = base_alloc(sizeof *v * (size_t)(6 * d));
  double complex *q = v, *p = q + d, *bar = p + d, *c = bar + d, *x = c + d, *y = x + d;
  const double complex m = doubles ? -1 : cexp(_Complex_I * angle);
  bool fine = derive(s, a, A);
  if (fine) {
    vector_of(d, A, false, m, q);
    vector_of(d, A, true, conj(m), p);
    const double complex scale = dot(d, p, q);
    for (int i = 0; i < d; i++) p[i] /= conj(scale);
    for (int i = 0; i < d; i++) a[i] = creal(q[i]);
    for (int i = 0; i < d; i++) b[i] = doubles ? 0 : cimag(q[i]);
    for (int i = 0; i < d; i++) bar[i] = conj(q[i]);
    fine = bend(s, A, a, h, Ba, Ca) && (doubles || bend(s, A, b, h, Bb, Cb));
  }
  if (fine) {
    // C(q, q*, .) = C(a, a, .) + C(b, b, .)
    for (int i = 0; i < d * d; i++) Ca[i] += Cb[i];
    apply(d, Ca, Cb, 0, q, c);
    apply(d, Ba, Bb, 1, bar, x);
    solve(d, A, false, 1, x);
    apply(d, Ba, Bb, 1, x, y);
    for (int i = 0; i < d; i++) c[i] += (doubles ? 3 : 2) * y[i];
    if (!doubles) {
      apply(d, Ba, Bb, 1, q, x);
      solve(d, A, false, m * m, x);
      apply(d, Ba, Bb, -1, x, y);
      for (int i = 0; i < d; i++) c[i] += y[i];
    }
    out = creal(doubles ? dot(d, p, c) / 6 : conj(m) * dot(d, p, c) / 2);
  }
  free(v);
  free(room);
  return out;
}

// basis of the section: all of the state where the equations have a period of their own, else what
// is across the motion
static int take_basis(const study_rounds* o, int N, double* Z)
{
  if (!o->timed) return study_steady_null(N, 1, o->phase, 0, 1e-12, Z);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) Z[i * N + j] = i == j;
  return N;
}

double study_rounds_normal(void* context, const double* u, double im)
{
  study_rounds* o = context;
  const int N = 2 * o->l->n;
  const bool doubles = im >= M_PI;
  for (int k = 1; k <= 4 && !doubles; k++)
    if (cabs(cexp(_Complex_I * k * im) - 1) < strong) return NAN;
  // motions of a family, and starts on a surface, have sections of fewer dimensions
  if (o->pins || o->constraints || o->over != STUDY_OVER_PARAM) return NAN;
  double* room = base_alloc(sizeof(double) * (size_t)(2 * N * N + 2 * N + 4));
  section s = {.o = o, .u = u, .N = N, .Z = room, .full = room + N * N, .x = room + 2 * N * N};
  s.d = take_basis(o, N, s.Z);
  double size = 0;
  for (int i = 0; i < N; i++) size = fmax(size, fabs(u[i]));
  const double h = spacing * fmax(size, 0.1);
  const double wide = coefficient(&s, im, 2 * h), near = coefficient(&s, im, h);
  free(room);
  o->flown = false;
  const double off = fabs(wide - near);
  if (!isfinite(off)) return NAN;
  // what differences do not tell from nothing is nothing: linear equations have no cubic terms
  if (fabs(near) <= nothing && off <= nothing) return 0;
  return off <= agreed * fabs(near) ? near : NAN;
}
