// Small islands without friction or in the plane, to the last digit: an active set method.
//
// The cone |x_t| <= mu x_n of a contact in the plane is all sums of (1, mu) and (1, -mu) with
// factors y >= 0: of as many as it has rows. With s = mu |w_t| added to the normal velocities
// (De Saxce and Feng 1998), s of the round before, its law is complementary,
//   a = S y + b >= 0,  y >= 0,  y.a = 0,   S = E^T G E, b = E^T (q + s n),
// which the dual method of Goldfarb and Idnani (1983) solves however redundant the rows are
// (lcp_dual.c says how), from the set of those that press after a few sweeps. L of S_FF = L L^T
// stays from round to round, and a row that enters or leaves costs no more than a sweep or two.
// Without friction the first round is the last.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 400, turns_a_row = 6 };
static const double steepest = 100; // a coefficient of friction with which sums still differ

static void make_room(cone_many_active* s, int r)
{
  if (r > s->room) {
    const size_t n = (size_t)(s->room = r);
    s->S = base_realloc(s->S, (2 * n * n + 6 * n) * sizeof(double));
    s->set.F = base_realloc(s->set.F, (n * n + 2 * n + 1) * sizeof *s->set.F);
    s->set.in = base_realloc(s->set.in, 2 * n * sizeof *s->set.in);
  }
  s->excused = s->set.in + s->room;
  s->near_start = s->set.F + s->room;
  s->near = s->near_start + s->room + 1;
  const size_t n = (size_t)s->room;
  double* at = s->S + n * n;
  s->set.L = at, at += n * n;
  double** all[] = {&s->scale, &s->b, &s->y, &s->a, &s->u, &s->dy};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++, at += n) *all[k] = at;
  s->r = s->set.stride = r;
}

static double* row(const cone_many_active* s, int i)
{
  return s->S + (size_t)i * (size_t)s->r;
}

// ---- the problem --------------------------------------------------------------------------------

static bool is_taken(const cone_many* f)
{
  const cone_many_problem* p = f->p;
  if (p->r > most_rows) return false;
  for (int i = 0; i < p->r; i++) {
    if (f->first[i + 1] - f->first[i] > 1) return false;
    if (p->kind[i] == CONE_MANY_TANGENT && !(p->mu[i] > 0 && p->mu[i] < steepest)) return false;
  }
  return true;
}

// the tangent of a normal row, -1
static int tangent_of(const cone_many* f, int n)
{
  return f->first[n] < f->first[n + 1] ? f->tangent[f->first[n]] : -1;
}

static void fill(cone_many* f)
{
  const cone_many_problem* p = f->p;
  cone_many_active* s = &f->active;
  const int r = p->r;
  memset(s->S, 0, sizeof(double) * (size_t)(r * r));
  for (int i = 0; i < r; i++)
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      // of gyroscopic forces, which are small by the step, Newton sees more afterwards
      row(s, i)[p->column[k]] += p->G[k] / 2;
      row(s, p->column[k])[i] += p->G[k] / 2;
    }
  for (int n = 0; n < r; n++) {
    const int t = tangent_of(f, n);
    if (t < 0) continue;
    for (int i = 0; i < r; i++) {
      const double normal = row(s, i)[n], along = p->mu[t] * row(s, i)[t];
      row(s, i)[n] = normal + along;
      row(s, i)[t] = normal - along;
    }
    for (int i = 0; i < r; i++) {
      const double normal = row(s, n)[i], along = p->mu[t] * row(s, t)[i];
      row(s, n)[i] = normal + along;
      row(s, t)[i] = normal - along;
    }
  }
  for (int i = 0; i < r; i++) s->scale[i] = 1 / sqrt(row(s, i)[i]);
  int at = 0;
  for (int i = 0; i < r; i++) {
    s->near_start[i] = at;
    for (int j = 0; j < r; j++) {
      if (row(s, i)[j] == 0) continue;
      row(s, i)[j] *= s->scale[i] * s->scale[j];
      s->near[at++] = j;
    }
  }
  s->near_start[r] = at;
}

// b with s of the velocities in f->w, and y of the impulses in f->x
static void take(cone_many* f)
{
  const cone_many_problem* p = f->p;
  cone_many_active* s = &f->active;
  memcpy(s->b, p->q, sizeof(double) * (size_t)p->r);
  memcpy(s->y, f->x, sizeof(double) * (size_t)p->r);
  for (int n = 0; n < p->r; n++) {
    const int t = tangent_of(f, n);
    if (t < 0) continue;
    const double mu = p->mu[t], normal = p->q[n] + mu * fabs(f->w[t]), x = f->x[t] / mu;
    s->b[n] = normal + mu * p->q[t];
    s->b[t] = normal - mu * p->q[t];
    s->y[n] = (f->x[n] + x) / 2;
    s->y[t] = (f->x[n] - x) / 2;
  }
  for (int i = 0; i < p->r; i++) {
    s->b[i] *= s->scale[i];
    s->y[i] /= s->scale[i];
  }
}

static void give(cone_many* f)
{
  const cone_many_problem* p = f->p;
  const cone_many_active* s = &f->active;
  for (int i = 0; i < p->r; i++) f->x[i] = s->y[i] * s->scale[i];
  for (int n = 0; n < p->r; n++) {
    const int t = tangent_of(f, n);
    if (t < 0) continue;
    const double one = f->x[n], other = f->x[t];
    f->x[n] = one + other;
    f->x[t] = p->mu[t] * (one - other);
  }
}

// ---- the set ------------------------------------------------------------------------------------

static bool is_free(const cone_many* f, int i)
{
  return f->p->kind[i] == CONE_MANY_EQUAL;
}

// u = L^-1 S_Fi, and what is left of S_ii
static double left_of(cone_many_active* s, int i)
{
  const double* S = row(s, i);
  double left = 1;
  int first = 0; // most of a column is zero, and so is u up to there
  while (first < s->set.k && S[s->set.F[first]] == 0) s->u[first++] = 0;
  for (int k = first; k < s->set.k; k++) {
    const double* L = cone_active_factor_row(&s->set, k);
    s->u[k] = (S[s->set.F[k]] - cone_active_dot(k - first, L + first, s->u + first)) / L[k];
    left -= s->u[k] * s->u[k];
  }
  return left;
}

static void append(cone_many_active* s, int i, double left)
{
  cone_active_factor_append(&s->set, i, s->u, left);
}

static void leave(cone_many_active* s, int at)
{
  s->y[cone_active_factor_leave(&s->set, at)] = 0;
}

// y_F with a_F = 0
static void solve_set(cone_many_active* s)
{
  for (int k = 0; k < s->set.k; k++) {
    const double* L = cone_active_factor_row(&s->set, k);
    s->u[k] = (-s->b[s->set.F[k]] - cone_active_dot(k, L, s->u)) / L[k];
  }
  cone_active_factor_back(&s->set, s->u);
  memset(s->y, 0, sizeof(double) * (size_t)s->r);
  for (int k = 0; k < s->set.k; k++) s->y[s->set.F[k]] = s->u[k];
}

static void evaluate(cone_many_active* s)
{
  memcpy(s->a, s->b, sizeof(double) * (size_t)s->r);
  for (int k = 0; k < s->set.k; k++) {
    const int i = s->set.F[k], to = s->near_start[i + 1];
    const double *S = row(s, i), y = s->y[i];
    for (int e = s->near_start[i]; e < to; e++) s->a[s->near[e]] += y * S[s->near[e]];
  }
}

// y_F solved afresh; those that would have to pull are let go, the strongest first
static void settle(const cone_many* f, cone_many_active* s, int* changes)
{
  for (;;) {
    solve_set(s);
    int worst = -1;
    for (int k = 0; k < s->set.k; k++) {
      const double y = s->y[s->set.F[k]];
      if (y < 0 && !is_free(f, s->set.F[k]) && (worst < 0 || y < s->y[s->set.F[worst]])) worst = k;
    }
    if (worst < 0) break;
    leave(s, worst);
    (*changes)++;
  }
  evaluate(s);
}

// equations always, then what presses
static void begin(cone_many* f)
{
  cone_many_active* s = &f->active;
  double most = 0;
  for (int i = 0; i < s->r; i++) {
    s->set.in[i] = false;
    most = fmax(most, s->y[i]);
  }
  s->set.k = 0;
  for (int equal = 1; equal >= 0; equal--)
    for (int i = 0; i < s->r; i++) {
      if (is_free(f, i) != equal || (!equal && !(s->y[i] > cone_active_guess * most))) continue;
      const double left = left_of(s, i);
      if (left > cone_active_dependent) append(s, i, left);
    }
}

// ---- a row enters -------------------------------------------------------------------------------

// the member that falls to zero first, and when; -1: none
static int first_to_fall(const cone_many* f, const cone_many_active* s, double* when)
{
  double most = 1;
  int first = -1;
  *when = INFINITY;
  for (int k = 0; k < s->set.k; k++) most = fmax(most, fabs(s->dy[k]));
  for (int k = 0; k < s->set.k; k++) {
    // a change of rounding is none
    if (!(s->dy[k] < -cone_dual_none * most) || is_free(f, s->set.F[k])) continue;
    const double t = fmax(0, s->y[s->set.F[k]]) / -s->dy[k];
    if (!(t < *when)) continue;
    *when = t;
    first = k;
  }
  return first;
}

typedef enum entry { ENTERED, EXCUSED, NOWHERE } entry;

// Row i has nowhere to go: the members and it can press along dy, 1 without moving anything. Where
// none of that is friction no velocities obey all rows, whatever slips: x >= 0, A^T x = 0, q.x < 0.
static bool excludes(const cone_many* f, const cone_many_active* s, int i)
{
  double *x = s->u, most = 0, rough = 0;
  memset(x, 0, sizeof *x * (size_t)s->r);
  for (int k = 0; k < s->set.k; k++) x[s->set.F[k]] = s->dy[k] * s->scale[s->set.F[k]];
  x[i] = s->scale[i];
  for (int n = 0; n < s->r; n++) {
    const int t = tangent_of(f, n);
    most = fmax(most, fabs(x[n]));
    if (t >= 0) rough = fmax(rough, f->p->mu[t] * fabs(x[n] - x[t]));
  }
  return rough <= cone_active_smooth * most;
}

// y_i grows until a_i = 0, the others of the set following, if anything brings it there. A row that
// others make up is excused what these leave of it by rounding: chased, it would ask for impulses
// without end.
static entry enter(cone_many* f, cone_many_active* s, int i, double noise, int* changes)
{
  for (bool first_time = true;; first_time = false, (*changes)++) {
    const double left = left_of(s, i);
    const bool flat = !(left > cone_active_dependent);
    if (flat && first_time && s->a[i] > -noise) return EXCUSED;
    for (int k = 0; k < s->set.k; k++) s->dy[k] = -s->u[k];
    cone_active_factor_back(&s->set, s->dy);
    double fall;
    const int first = first_to_fall(f, s, &fall);
    const double full = flat ? INFINITY : fmax(0, -s->a[i] / left), way = fmin(full, fall);
    if (!isfinite(way)) {
      f->nowhere = true;
      f->excluded = excludes(f, s, i);
      return NOWHERE;
    }
    for (int k = 0; k < s->set.k; k++) s->y[s->set.F[k]] += way * s->dy[k];
    s->y[i] += way;
    if (!flat) s->a[i] += way * left;
    if (full <= fall) {
      append(s, i, left);
      evaluate(s);
      return ENTERED;
    }
    leave(s, first);
  }
}

static int most_violated(const cone_many_active* s, double small)
{
  int worst = -1;
  for (int i = 0; i < s->r; i++)
    if (!s->set.in[i] && !s->excused[i] && s->a[i] < (worst < 0 ? -small : s->a[worst])) worst = i;
  return worst;
}

// false: turns ran out, or no answer was found
static bool solve_round(cone_many* f, double fast, int* changes)
{
  cone_many_active* s = &f->active;
  const int most = *changes + turns_a_row * s->r;
  settle(f, s, changes);
  memset(s->excused, 0, sizeof *s->excused * (size_t)s->r);
  while (*changes < most) {
    const int i = most_violated(s, cone_active_violated * fast);
    if (i < 0) return true;
    const entry e = enter(f, s, i, cone_many_enough / 2 * fast, changes);
    if (e == NOWHERE) return false;
    s->excused[i] = e == EXCUSED;
    (*changes)++;
  }
  return false;
}

bool cone_many_active_begin(cone_many* f)
{
  if (!is_taken(f)) return false;
  make_room(&f->active, f->p->r);
  fill(f);
  take(f);
  begin(f);
  return true;
}

bool cone_many_active_round(cone_many* f, int* changes)
{
  cone_many_active* s = &f->active;
  double fast = 0;
  take(f);
  for (int i = 0; i < s->r; i++) fast = fmax(fast, fabs(s->b[i]));
  if (!solve_round(f, fast, changes)) return false;
  settle(f, s, changes);
  give(f);
  return true;
}
