// Periodic motions: multipliers of the linearised equations over one period.
//
// With the state x(t) its changes obey X' = J(t) X; from a basis W of the admissible changes at the
// start, X(T) = W Phi where the motion closes, and the eigenvalues of Phi are the multipliers
// (Floquet 1883). J is exact at every state, and X is integrated together with x.
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A multiplier with left and right vectors x, y is known to |x| |y|/|x.y| times what Phi is known
// to (Wilkinson 1965); a double one, to the root of that only.
static const double phi_known = 1e-12, sharpest = 1e-9, widest = 1e-5, coarsest = 1e-3;

// Multipliers that are one because a shift leads to another such motion: of an ignorable
// coordinate, or along the motion itself where time does not appear.
static int expected_ones(const study_stability* r, bool timed)
{
  int count = 0;
  bool moves = false;
  for (int i = 0; i < r->n; i++) {
    count += r->ignorable[i] && i < r->model->places;
    moves = moves || (!r->ignorable[i] && fabs(r->v[i]) > 0);
  }
  return count + (!timed && moves);
}

// how well each multiplier is known; off: what entries of Phi are known to be off by
static void find_blur(study_stability* r, const double* Phi, double off)
{
  const int d = r->multipliers;
  double *t = base_alloc(sizeof(double) * (size_t)(d * d + 4 * d + 1)), size = 1;
  double *x = t + d * d, *y = x + d, *u = y + d, *w = u + d;
  r->multiplier_blur = base_arena_take(r->arena, sizeof(double) * (size_t)(d + 1));
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      t[j * d + i] = Phi[i * d + j];
      size = fmax(size, fabs(Phi[i * d + j]));
    }
  for (int k = 0; k < d; k++) {
    num_eigen_vector(d, Phi, r->multiplier_re[k], r->multiplier_im[k], x, y);
    num_eigen_vector(d, t, r->multiplier_re[k], r->multiplier_im[k], u, w);
    double right = 0, left = 0, re = 0, im = 0;
    for (int i = 0; i < d; i++) {
      right += x[i] * x[i] + y[i] * y[i];
      left += u[i] * u[i] + w[i] * w[i];
      re += u[i] * x[i] - w[i] * y[i];
      im += u[i] * y[i] + w[i] * x[i];
    }
    const double known = fmax((phi_known + r->closure + r->derived) * size, off) * d;
    const double blur = known * sqrt(right * left) / hypot(re, im);
    r->multiplier_blur[k] = fmax(sharpest, fmin(blur, fmax(widest, fmin(coarsest, sqrt(known)))));
  }
  free(t);
}

// Phi^T w Phi = w for the canonical form w = d(dT/dv) ^ dq on the changes W of the state: a
// Hamiltonian system. What is missing, relative.
static double symplectic(study_orbit* o, const study_stability* r, const double* Phi)
{
  study_linear* l = o->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n, d = o->d;
  expr_pool* p = e->s->pool;
  engine_state(e, r->t, r->q, r->v);
  double* w = base_alloc(sizeof(double) * (size_t)(N * N + d * d + 1));
  double *S = w + N * N, size = 0, off = 0;
  for (int i = 0; i < n; i++) {
    const expr momentum = expr_diff(p, e->model->T, e->s->v[i]);
    for (int j = 0; j < N; j++) {
      const double slope =
          engine_value(e, expr_diff(p, momentum, j < n ? e->s->q[j] : e->s->v[j - n]));
      w[j * N + i] += slope;
      w[i * N + j] -= slope;
    }
  }
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++)
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          S[a * d + b] += o->W[i * d + a] * w[i * N + j] * o->W[j * d + b];
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++) {
      double sum = 0;
      for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) sum += Phi[i * d + a] * S[i * d + j] * Phi[j * d + b];
      off = fmax(off, fabs(sum - S[a * d + b]));
      size = fmax(size, fabs(S[a * d + b]));
    }
  free(w);
  return size > 0 ? off / size : 0;
}

// Shifts along the motion are changes of it that come back as they are: what is missing tells how
// well Phi is known.
static double missing(int d, const double* Phi, const double* shift)
{
  double size = 0, off = 0;
  for (int i = 0; i < d; i++) {
    double sum = -shift[i];
    for (int j = 0; j < d; j++) sum += Phi[i * d + j] * shift[j];
    size = fmax(size, fabs(shift[i]));
    off = fmax(off, fabs(sum));
  }
  return size > 0 ? off / size : 0;
}

// The multipliers that are one by themselves are so exactly, wherever rounding puts them: those
// nearest to one lie on the circle.
static void take_ones(study_stability* r, int count)
{
  for (int i = 0; i < r->multipliers; i++) {
    const double off = hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]);
    int nearer = 0;
    for (int j = 0; j < r->multipliers; j++) {
      const double other = hypot(r->multiplier_re[j] - 1, r->multiplier_im[j]);
      nearer += other < off || (other == off && j < i);
    }
    if (nearer < count && off < widest)
      r->multiplier_blur[i] = fmax(r->multiplier_blur[i], 2 * off);
  }
}

static void judge(study_stability* r, bool timed)
{
  int ones = 0, on_circle = 0;
  bool outside = false;
  r->largest = -INFINITY;
  for (int i = 0; i < r->multipliers; i++) {
    const double modulus = hypot(r->multiplier_re[i], r->multiplier_im[i]);
    const double blur = r->multiplier_blur[i];
    ones += hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]) < widest;
    on_circle += fabs(modulus - 1) <= blur;
    outside = outside || modulus - 1 > blur;
    r->largest = fmax(r->largest, modulus - 1);
  }
  r->verdict = STUDY_MARGINAL;
  if (outside) {
    r->verdict = STUDY_UNSTABLE;
    r->why = "a multiplier lies outside the unit circle";
  } else if (on_circle == 0) {
    r->verdict = STUDY_STABLE;
    r->why = "all multipliers lie inside the unit circle";
  } else if (on_circle == ones && ones <= expected_ones(r, timed)) {
    r->verdict = STUDY_STABLE;
    r->why = "all multipliers but those of shifts along the motion lie inside the unit circle";
  } else {
    r->why = "multipliers lie on the unit circle: linearisation does not decide";
  }
}

// The multiplier of shifts along the motion is one. Where none is, motions next to this one part by
// so many orders within the period and come together again, as near one from rest to rest, that
// nothing is known of the multipliers. Along a family it is double, and rounding parts the two by
// its root: their mean is known as well as a simple one is.
static bool is_known(const study_stability* r, bool timed, int families)
{
  double nearest = INFINITY;
  for (int i = 0; i < r->multipliers; i++) {
    nearest = fmin(nearest, hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]));
    for (int j = 0; j < i && families > 0; j++) {
      const double re = (r->multiplier_re[i] + r->multiplier_re[j]) / 2 - 1;
      const double im = (r->multiplier_im[i] + r->multiplier_im[j]) / 2;
      if (hypot(r->multiplier_re[i] - 1, r->multiplier_im[i]) < coarsest)
        nearest = fmin(nearest, hypot(re, im));
    }
  }
  return nearest < widest || expected_ones(r, timed) == 0;
}

bool study_floquet_spectrum(study_stability* r, int d, const double* Phi, const double* shift,
                            bool timed, int families)
{
  r->multipliers = d;
  r->multiplier_re = base_arena_take(r->arena, sizeof(double) * (size_t)(d + 1));
  r->multiplier_im = base_arena_take(r->arena, sizeof(double) * (size_t)(d + 1));
  if (!num_eigen(d, Phi, r->multiplier_re, r->multiplier_im) || !is_known(r, timed, families))
    return false;
  find_blur(r, Phi, shift ? missing(d, Phi, shift) : 0);
  r->idle = expected_ones(r, timed) + families;
  take_ones(r, r->idle);
  judge(r, timed);
  return true;
}

void study_floquet_linear(study_linear* l, study_stability* r)
{
  if (r->verdict != STUDY_MARGINAL || !study_stability_multipliers_are_simple(r) ||
      !study_stability_is_linear(l, r))
    return;
  r->verdict = STUDY_STABLE;
  r->why =
      "the equations are linear, no multiplier lies outside the unit circle, and they are simple";
}

bool study_floquet(study_linear* l, const bool* ignorable, bool timed, study_stability* r,
                   base_notes* notes)
{
  engine* e = l->e;
  const int N = 2 * e->n;
  if (study_linear_at(l)) {
    base_error(notes, BASE_NOWHERE, "no accelerations at the start: %s", e->reason);
    return false;
  }
  if (timed) r->period = study_period_told(l, r->period);
  if (timed && !study_period_repeats(l, r->period)) {
    base_error(notes, BASE_NOWHERE, "the equations depend on time, but not with the period %.10g s",
               r->period);
    base_help(notes, "the period of a term cos(k*t) is 2*pi/k");
    return false;
  }
  engine_state(e, r->t, r->q, r->v);
  if (study_linear_at(l)) return false;
  study_orbit o = study_orbit_new(l, ignorable, timed, r->arena);
  if (!study_orbit_close(&o, r, notes)) return false;
  const int d = r->dimension = o.d;
  double* Phi = base_arena_take(r->arena, sizeof(double) * (size_t)(d * d + 1));
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++)
      for (int i = 0; i < N; i++) Phi[h * d + k] += o.W[i * d + h] * o.y[N + i * d + k];
  double* shift = base_arena_take(r->arena, sizeof(double) * (size_t)(d + 1));
  engine_state(e, r->t, r->q, r->v);
  e->factored = false;
  const bool carried = !timed && !r->C && !study_linear_at(l);
  for (int h = 0; h < d; h++)
    for (int i = 0; i < N; i++) shift[h] += o.W[i * d + h] * (i < e->n ? e->v[i] : e->a[i - e->n]);
  if (!study_floquet_spectrum(r, d, Phi, carried ? shift : NULL, timed, 0)) {
    base_error(notes, BASE_NOWHERE, "the multipliers are not known");
    base_help(notes, "motions next to this one part too far within one period");
    return false;
  }
  r->symplectic = symplectic(&o, r, Phi);
  study_orbit_sharpen(&o, r);
  study_floquet_linear(l, r);
  study_chetaev_look(l, o.s, r);
  if (r->chetaev.speaks && r->verdict != STUDY_UNSTABLE) {
    r->verdict = STUDY_UNSTABLE;
    r->why = "Chetaev's function proves it; the multipliers do not tell";
  }
  return true;
}
