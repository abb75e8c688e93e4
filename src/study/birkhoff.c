// Two oscillations of a Hamiltonian system, one of which has negative energy: Birkhoff's form.
//
// In complex amplitudes of the modes A q_k = i w_k q_k, w_k > 0, the equations are, but for terms
// that averaging takes away,
//   z1' = i z1 (w1 + g11 |z1|^2 + g12 |z2|^2),  z2' = i z2 (w2 + g21 |z1|^2 + g22 |z2|^2)
// (Kuznetsov, Elements of Applied Bifurcation Theory, 8.6, with real g as energy is kept), where
// w1 is none of w2, 2 w2, 3 w2. With the actions J_k = s_k |z_k|^2, w_k s_k = conj(q_k) H'' q_k,
// the energy is
//   w1 J1 + w2 J2 + (a J1^2 + 2 b J1 J2 + c J2^2)/2,
//   a = g11/s1, b = g12/s2 = g21/s1, c = g22/s2,
// and the equilibrium is stable where it does not vanish along the level of its linear part,
//   D = a w2^2 - 2 b w1 w2 + c w1^2 != 0:
// tori on each level of the energy, of two dimensions in three, keep the motion between them
// (Arnold 1961, Moser 1962). Forces that do no work make the system Hamiltonian where they are
// linear in the velocities: on a surface of two dimensions every such force is a magnetic field.
#include "study/birkhoff.h"

#include "study/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double widest = 0.02;    // step along q, in units of the state
static const double resonant = 1e-6;  // frequencies in whole ratios
static const double told = 1e-3;      // error of D against it
static const double vanishing = 1e-6; // D against its terms
static const double agreed = 1e-4;    // what must be real, and the same, against the largest
enum { halvings = 6 };

// ---- is it Hamiltonian? -------------------------------------------------------------------------

static bool is_nothing(expr_pool* p, expr x)
{
  return x != EXPR_NONE && !expr_pool_full(p) && expr_is_zero(p, x) == EXPR_YES;
}

static bool is_magnetic(engine* e)
{
  expr_pool* p = e->s->pool;
  const int n = e->model->places;
  const expr *Q = e->model->Q, *v = e->s->v;
  bool fine = true;
  for (int i = 0; i < n && fine; i++)
    for (int j = 0; j < n && fine; j++) {
      const expr slope = expr_diff(p, Q[i], v[j]), other = expr_diff(p, Q[j], v[i]);
      fine = slope != EXPR_NONE && other != EXPR_NONE && is_nothing(p, expr_add(p, slope, other));
      for (int k = 0; k < n && fine; k++) fine = is_nothing(p, expr_diff(p, slope, v[k]));
    }
  return fine;
}

// ---- the form -----------------------------------------------------------------------------------

typedef struct duet
{
  study_mode m[2];
  double w[2], s[2];
  double a, b, c, D, terms;
} duet;

// out = (i k - A)^-1 B(q, x), with conj(q) where `conjugate` is
static bool respond(const study_mode* f, bool conjugate, study_pair x, double k, study_pair work,
                    study_pair out)
{
  memset(work.re, 0, sizeof(double) * (size_t)(2 * f->d));
  study_mode_add_square(f, conjugate, 1, x, work);
  return study_mode_solve(f, k, work, out);
}

// g_kk: how the frequency of mode k changes with its own amplitude
static double complex own(const duet* u, int k, double* room)
{
  const study_mode* f = &u->m[k];
  const study_pair work = study_pair_take(&room, f->d), even = study_pair_take(&room, f->d);
  const study_pair twice = study_pair_take(&room, f->d), sum = study_pair_take(&room, f->d);
  if (!respond(f, true, f->q, 0, work, even) || !respond(f, false, f->q, 2 * u->w[k], work, twice))
    return NAN;
  study_mode_add_cube(f, 1, f->q, sum);
  study_mode_add_square(f, true, 1, twice, sum);
  study_mode_add_square(f, false, 2, even, sum);
  return study_mode_with(f, sum) / 2;
}

// g_kh: with the amplitude of the other
static double complex mutual(const duet* u, int k, double* room)
{
  const study_mode *f = &u->m[k], *o = &u->m[1 - k];
  const study_pair work = study_pair_take(&room, f->d), even = study_pair_take(&room, f->d);
  const study_pair plus = study_pair_take(&room, f->d), minus = study_pair_take(&room, f->d);
  const study_pair sum = study_pair_take(&room, f->d);
  if (!respond(o, true, o->q, 0, work, even) ||
      !respond(o, false, f->q, u->w[k] + u->w[1 - k], work, plus) ||
      !respond(o, true, f->q, u->w[k] - u->w[1 - k], work, minus))
    return NAN;
  study_mode_add_cube(o, 1, f->q, sum);
  study_mode_add_square(o, true, 1, plus, sum);
  study_mode_add_square(o, false, 1, minus, sum);
  study_mode_add_square(f, false, 1, even, sum);
  return study_mode_with(f, sum);
}

// a, b, c and D from derivatives of width h; false where the form is not that of such a system
static bool take_form(duet* u, double h, double* room)
{
  const double w1 = u->w[0], w2 = u->w[1], *s = u->s;
  if (!study_mode_bend(&u->m[0], h) || !study_mode_bend(&u->m[1], h)) return false;
  const double complex g11 = own(u, 0, room), g22 = own(u, 1, room);
  const double complex g12 = mutual(u, 0, room), g21 = mutual(u, 1, room);
  u->a = cimag(g11) / s[0];
  u->b = (cimag(g12) / s[1] + cimag(g21) / s[0]) / 2;
  u->c = cimag(g22) / s[1];
  u->D = u->a * w2 * w2 - 2 * u->b * w1 * w2 + u->c * w1 * w1;
  u->terms = fabs(u->a) * w2 * w2 + 2 * fabs(u->b) * w1 * w2 + fabs(u->c) * w1 * w1;
  const double most =
      fmax(fmax(cabs(g11 / s[0]), cabs(g22 / s[1])), fmax(cabs(g12 / s[1]), cabs(g21 / s[0])));
  const double real = fmax(fmax(fabs(creal(g11) / s[0]), fabs(creal(g22) / s[1])),
                           fmax(fabs(creal(g12) / s[1]), fabs(creal(g21) / s[0])));
  const double apart = fabs(cimag(g12) / s[1] - cimag(g21) / s[0]);
  return isfinite(u->D) && fmax(real, apart) <= agreed * most;
}

// conj(q) H'' q/w: the energy of the mode over its frequency
static double action(const study_energy* y, const study_chart* c, const study_mode* f, double w)
{
  const int N = 2 * c->l->n, d = c->d;
  double *x = base_alloc(sizeof(double) * (size_t)(2 * N + 1)), *z = x + N, sum = 0;
  for (int j = 0; j < N; j++)
    for (int k = 0; k < d; k++) {
      x[j] += c->U[j * d + k] * f->q.re[k];
      z[j] += c->U[j * d + k] * f->q.im[k];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += y->H[i * N + j] * (x[i] * x[j] + z[i] * z[j]);
  free(x);
  return sum / w;
}

// D by differences of several widths, and what it may be off by
static bool find(study_linear* l, const study_energy* y, const study_stability* r, duet* best,
                 double* error)
{
  base_arena* arena = base_arena_new();
  study_chart c = study_chart_new(l, r->ignorable, arena);
  const int d = c.d;
  double* A = base_arena_take(arena, sizeof(double) * (size_t)(d * d + 11 * d + 1));
  double* room = A + d * d;
  duet u = *best;
  bool fine = d == 4 && study_chart_slope(&c, room, A), found = false;
  for (int k = 0; k < 2 && fine; k++) {
    u.m[k] = study_mode_new(&c, A, arena);
    fine = study_mode_vectors(&u.m[k], u.w[k]);
    u.s[k] = fine ? action(y, &c, &u.m[k], u.w[k]) : 0;
    fine = fine && u.s[k] != 0;
  }
  double last = NAN, h = widest;
  for (int turn = 0; turn < halvings && fine; turn++, h /= 2) {
    if (!take_form(&u, h, room)) continue;
    const double off = fabs(u.D - last);
    last = u.D;
    if (!(off < *error)) continue;
    *error = off;
    *best = u;
    found = true;
  }
  base_arena_free(arena);
  engine_state(l->e, r->t, r->q, r->v);
  l->e->factored = false;
  study_linear_at(l);
  return found;
}

// ---- the verdict --------------------------------------------------------------------------------

// is this the case that is decided here: two imaginary pairs, w1 > w2, of a Hamiltonian system?
static bool is_asked(study_linear* l, const study_energy* y, const study_stability* r, double* w)
{
  engine* e = l->e;
  if (y->work != STUDY_WORK_NONE || !y->holonomic || y->zero || r->family || r->count != 4 || r->C)
    return false;
  w[0] = w[1] = 0;
  for (int i = 0; i < 4; i++) {
    if (r->im[i] <= w[1]) continue;
    w[1] = r->im[i];
    if (w[1] > w[0]) {
      w[1] = w[0];
      w[0] = r->im[i];
    }
  }
  return w[1] > 0 && !e->program->modes.count && is_magnetic(e);
}

void study_birkhoff_judge(study_linear* l, const study_energy* y, study_stability* r)
{
  duet u = {0};
  double error = INFINITY;
  if (!is_asked(l, y, r, u.w)) return;
  for (int m = 1; m <= 3; m++)
    if (fabs(u.w[0] - m * u.w[1]) <= resonant * u.w[0]) {
      r->why = base_arena_printf(r->arena,
                                 "linearisation does not decide, nor does the energy: the "
                                 "frequencies are as %d to 1, where Birkhoff's form has more terms",
                                 m);
      return;
    }
  if (!find(l, y, r, &u, &error) || !(error < told * u.terms)) return;
  if (fabs(u.D) <= fmax(vanishing * u.terms, error / told)) {
    r->why = base_arena_printf(r->arena,
                               "linearisation does not decide, nor does the energy, nor Birkhoff's "
                               "form: its determinant is %.3g, not told from zero",
                               u.D);
    return;
  }
  r->verdict = STUDY_STABLE;
  r->why = base_arena_printf(r->arena,
                             "two oscillations with energies of both signs, and the determinant of "
                             "Birkhoff's form is %.9g, not zero: tori keep the motion between "
                             "them (Arnold, Moser)",
                             u.D);
}
