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

#include "study/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double widest = 0.02;   // step along q, in units of the state
static const double singular = 1e-8; // of A: eigenvalues against the largest
static const double same = 1e-12;  // coefficients of several widths, relative: no others are tried
static const double agreed = 1e-7; // the same: they are past what differences leave out
enum { halvings = 6 };

// l1 times 2 w from the derivatives; nan where a matrix is singular
static double combine(const study_mode* f, double w)
{
  const int d = f->d;
  double *room = base_alloc(sizeof(double) * (size_t)(12 * d + 1)), *start = room;
  const study_pair mixed = study_pair_take(&room, d), square = study_pair_take(&room, d);
  const study_pair a = study_pair_take(&room, d), b = study_pair_take(&room, d);
  const study_pair sum = study_pair_take(&room, d);
  study_mode_add_square(f, true, 1, f->q, mixed);
  study_mode_add_square(f, false, 1, f->q, square);
  double value = NAN;
  // A^-1 x = -(0 - A)^-1 x
  if (study_mode_solve(f, 0, mixed, a) && study_mode_solve(f, 2 * w, square, b)) {
    study_mode_add_square(f, false, 2, a, sum);
    study_mode_add_square(f, true, 1, b, sum);
    study_mode_add_cube(f, 1, f->q, sum);
    value = creal(study_mode_with(f, sum));
  }
  free(start);
  return value;
}

// the eigenvalue of A next to i w; false where another one is nothing
static bool pick(const study_mode* f, double* w)
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

double study_fold_coefficient(study_linear* l, const bool* ignorable, base_arena* arena,
                              double* error)
{
  *error = INFINITY;
  study_chart c = study_chart_new(l, ignorable, arena);
  const int d = c.d;
  double* A = base_arena_take(arena, sizeof(double) * (size_t)(d * d + d + 1));
  study_mode f = study_mode_new(&c, A, arena);
  if (d < 1 || !study_chart_slope(&c, A + d * d, A) || !study_mode_vectors(&f, 0)) return NAN;
  double last = NAN, best = NAN, h = widest;
  for (int turn = 0; turn < halvings; turn++, h /= 2) {
    if (!study_mode_bend(&f, h)) continue;
    double value = 0;
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) value += f.p.re[i] * f.B[0][i * d + j] * f.q.re[j] / 2;
    const double away = fabs(value - last);
    last = value;
    if (!(away < *error)) continue;
    *error = away;
    best = value;
    if (away < same * fabs(value)) break;
  }
  // of a vector and its negative neither is the right one
  return fabs(best);
}

// the mode of the eigenvalue next to i w, in the chart that is made for it; false where there is
// none
static bool take_mode(study_linear* l, const bool* ignorable, double* w, base_arena* arena,
                      study_chart* c, study_mode* f)
{
  *c = study_chart_new(l, ignorable, arena);
  const int d = c->d;
  double* A = base_arena_take(arena, sizeof(double) * (size_t)(d * d + d + 1));
  *f = study_mode_new(c, A, arena);
  // the equilibrium itself is at z = 0
  return d >= 2 && study_chart_slope(c, A + d * d, A) && pick(f, w) && study_mode_vectors(f, *w);
}

bool study_hopf_shape(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                      double* shape)
{
  study_chart c;
  study_mode f;
  if (!take_mode(l, ignorable, &w, arena, &c, &f)) return false;
  const int N = 2 * l->n, d = c.d;
  for (int j = 0; j < N; j++) {
    shape[j] = shape[N + j] = 0;
    for (int k = 0; k < d; k++) {
      shape[j] += c.U[j * d + k] * f.q.re[k];
      shape[N + j] += c.U[j * d + k] * f.q.im[k];
    }
  }
  return true;
}

double study_hopf_coefficient(study_linear* l, const bool* ignorable, double w, base_arena* arena,
                              double* error)
{
  *error = INFINITY;
  study_chart c;
  study_mode f;
  if (!take_mode(l, ignorable, &w, arena, &c, &f)) return NAN;
  // differences of three widths that say the same
  double last[2] = {NAN, NAN}, best = NAN, h = widest;
  for (int turn = 0; turn < halvings; turn++, h /= 2) {
    if (!study_mode_bend(&f, h)) continue;
    const double value = combine(&f, w) / (2 * w);
    const double away = fabs(value - last[0]) + fabs(value - last[1]);
    last[1] = last[0];
    last[0] = value;
    if (!(away < *error)) {
      // what agreed well does so less: narrower ones are rounding
      if (*error < agreed * fabs(best)) break;
      continue;
    }
    *error = away;
    best = value;
    if (away < same * fabs(value)) break;
  }
  return best;
}
