// Steady motions: nothing accelerates, and only coordinates move that the equations do not hold.
//
// For such a motion the linearised equations have constant coefficients. It is looked for next to
// the initial state by Newton's method with least-norm steps. Steady motions come in families (an
// ignorable coordinate may have any value and, mostly, any speed); a change along the family is led
// into a shift of ignorable coordinates and no further, so the family is invariant under the
// linearised equations, with eigenvalue zero alone; what decides is the rest.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double absent = 1e-11;   // relative derivative of something that is not there
static const double noise = 1e-12;    // relative entries of a linear system that are rounding
static const double vanished = 1e-9;  // pivots of the conditions of a family
static const double rounding = 1e-13; // accelerations against the linear system
static const double steady = 1e-10;   // accelerations left by Newton's method
enum { near_looks = 4, looks = 7, most_turns = 100, shakes = 8 };

// ---- ignorable coordinates ----------------------------------------------------------------------

static double draw(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

bool study_steady_look(study_linear* l, bool* ignorable, bool* timed, base_notes* notes)
{
  engine* e = l->e;
  const int n = e->n;
  const double t = e->in[0];
  double* here = base_alloc(sizeof(double) * (size_t)(2 * n + 1));
  memcpy(here, e->q, sizeof(double) * (size_t)(2 * n));
  for (int i = 0; i < n; i++) ignorable[i] = true;
  *timed = false;
  uint64_t seed = 1892;
  int seen = 0;
  for (int turn = 0; turn < (e->program->modes.count ? near_looks : looks); turn++) {
    // far away as well, where forces are smooth: those of high degree are nothing near by
    const double near = turn ? 0.1 : 0, size = turn >= near_looks ? 1 : near;
    bool moved;
    for (int i = 0; i < 2 * n; i++) e->q[i] = here[i] + size * draw(&seed);
    engine_time(e, t + near * draw(&seed));
    e->factored = false;
    if (engine_project(e, &moved) || contact_sides(e) || study_linear_at(l)) continue;
    seen++;
    for (int i = 0; i < n; i++) ignorable[i] = ignorable[i] && study_linear_depends(l, i) < absent;
    *timed = *timed || study_linear_depends(l, -1) >= absent;
  }
  // what a jump or corner is told by does not show in derivatives
  const engine_corners* corners = &e->program->modes;
  for (int k = 0; k < corners->count; k++)
    for (int i = 0; i < n; i++)
      ignorable[i] = ignorable[i] && !expr_has(e->s->pool, corners->s[k], e->s->q[i]);
  memcpy(e->q, here, sizeof(double) * (size_t)(2 * n));
  engine_time(e, t);
  e->factored = false;
  free(here);
  if (!seen)
    base_error(notes, BASE_NOWHERE, "no accelerations near the initial state: %s", e->reason);
  return seen > 0;
}

// ---- the steady motion next to a state ----------------------------------------------------------

typedef struct conditions
{
  study_linear* l;
  const bool* ignorable;
  study_kept kept; // initial equations on velocities of ignorable coordinates
} conditions;

static int evaluate(void* context, const double* x, double* F, double* J)
{
  conditions* c = context;
  study_linear* l = c->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  memcpy(e->q, x, sizeof(double) * (size_t)N);
  e->factored = false;
  if (study_linear_at(l)) return 1;
  study_linear_tangent(l);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  int at = 0;
  double size = 0;
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  for (int i = 0; i < n; i++, at++) {
    F[at] = e->a[i];
    // rounding in the row of an acceleration that nothing changes is not a direction
    for (int j = 0; J && j < N; j++) {
      const double slope = l->J[(n + i) * N + j];
      J[at * N + j] = fabs(slope) > noise * size ? slope : 0;
    }
  }
  if (J) memcpy(J + at * N, l->G, sizeof(double) * (size_t)(l->rows * N));
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    if (order == 0) F[at++] = e->f0[k];
    if (order <= 1) F[at++] = e->f1[k];
  }
  for (int i = 0; i < n; i++) {
    if (c->ignorable[i]) continue;
    F[at] = e->v[i];
    for (int j = 0; J && j < N; j++) J[at * N + j] = j == n + i;
    at++;
  }
  study_kept_run(e, &c->kept);
  for (int k = 0; k < c->kept.count; k++, at++) {
    F[at] = c->kept.value[k];
    if (J) memcpy(J + at * N, c->kept.value + c->kept.count + k * N, sizeof(double) * (size_t)N);
  }
  int bad = 0;
  for (int i = 0; i < at; i++) bad |= !isfinite(F[i]);
  return bad;
}

static bool holds_speed(const engine* e, const bool* ignorable, const model_initial* g)
{
  // states start where they are said to, and rest elsewhere
  for (int i = 0; i < e->model->places; i++)
    if (ignorable[i] && expr_has(e->s->pool, g->f, e->s->v[i])) return true;
  return false;
}

// the initial equations that stay: level -1 all, 0 those that hold a speed, 1 those that give one,
// 2 none
static void keep(conditions* c, int level, int count, const model_initial* initial)
{
  engine* e = c->l->e;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < count && level < 2; i++)
    if (!initial[i].guess && initial[i].coord != MODEL_TIME &&
        (level < 0 ||
         ((level == 0 || initial[i].coord >= 0) && holds_speed(e, c->ignorable, &initial[i]))))
      base_push(&list, initial[i].f);
  study_kept_build(e, -1, list.n, list.at, &c->kept);
  base_list_free(&list);
}

static int condition_rows(const engine* e, const bool* ignorable, int kept)
{
  int rows = e->n + kept;
  for (int i = 0; i < e->n; i++) rows += !ignorable[i];
  for (int r = 0; r < e->mode.rows; r++) {
    const int order = e->model->constraint[e->mode.row[r]].order;
    rows += order == 0 ? 2 : order == 1;
  }
  return rows;
}

static bool try_to_find(study_linear* l, const bool* ignorable, int level, int count,
                        const model_initial* initial, int* kept)
{
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  conditions c = {.l = l, .ignorable = ignorable};
  keep(&c, level, count, initial);
  *kept = c.kept.count;
  const int rows = condition_rows(e, ignorable, c.kept.count);
  double *x = base_alloc(sizeof(double) * (size_t)(2 * N)), *weight = x + N;
  memcpy(x, e->q, sizeof(double) * (size_t)N);
  // speeds of ignorable coordinates are what the user chose
  for (int i = 0; i < N; i++) weight[i] = i >= n && ignorable[i - n] ? 10 : 1;
  const num_newton_result r =
      num_newton(rows, N, evaluate, &c, weight, NULL, steady, most_turns, x);
  if (r.solved) memcpy(e->q, x, sizeof(double) * (size_t)N);
  study_kept_free(&c.kept);
  free(x);
  return r.solved;
}

bool study_steady_try(study_linear* l, const bool* ignorable, int count,
                      const model_initial* initial)
{
  int kept;
  return try_to_find(l, ignorable, 0, count, initial, &kept);
}

static double distance(int n, const double* a, const double* b)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
  return most;
}

// does it move, so that a family of steady motions may be told by places as well as by speeds?
static bool moves_along(const engine* e, const bool* ignorable)
{
  for (int i = 0; i < e->model->places; i++)
    if (ignorable[i] && e->v[i] != 0) return true;
  return false;
}

bool study_steady_find(study_linear* l, const bool* ignorable, int count,
                       const model_initial* initial, bool* moved, base_notes* notes)
{
  engine* e = l->e;
  const int N = 2 * e->n;
  double* here = base_alloc(sizeof(double) * (size_t)N);
  memcpy(here, e->q, sizeof(double) * (size_t)N);
  int asked = 0, kept = 0;
  uint64_t seed = 1750;
  // as all of it is told, where there is such a motion: a lean that is given stays
  bool found = moves_along(e, ignorable) && try_to_find(l, ignorable, -1, count, initial, &kept);
  // shaken more and more where Newton's method finds nothing: forces may be largest at the guess
  for (int turn = 0; turn < shakes && !found; turn++)
    for (int level = 0; level <= 2 && !found; level++) {
      const double size = turn ? 0.1 * (1 + turn) : 0;
      for (int i = 0; i < N; i++) {
        const bool speed = i >= e->n && ignorable[i - e->n];
        e->q[i] = here[i] + (speed ? 0 : size * draw(&seed));
      }
      found = try_to_find(l, ignorable, level, count, initial, &kept);
      asked = kept > asked ? kept : asked;
    }
  if (found) *moved = distance(N, here, e->q) > 1e-9;
  free(here);
  e->factored = false;
  if (found && kept < asked)
    base_warning(notes, BASE_NOWHERE,
                 "no steady motion has all the speeds that the initial equations give; the one "
                 "found next to them is shown");
  if (!found) {
    base_error(notes, BASE_NOWHERE,
               "no steady motion was found near the initial state: with the coordinates that the "
               "equations hold at rest, some acceleration stays");
    base_help(notes, "give a state near one with `--state \"x=1, x'=2\"`, or the period of a "
                     "periodic motion with `--period T`");
  }
  return found;
}

// ---- the family ---------------------------------------------------------------------------------

// rounding is not to be scaled up to a condition
static void add_row(int N, const double* row, double size, double* rows, int* count)
{
  double* to = rows + (*count)++ * N;
  for (int j = 0; j < N; j++) to[j] = fabs(row[j]) > noise * size ? row[j] : 0;
}

int study_steady_null(int N, int count, const double* rows, double size, double tolerance,
                      double* out)
{
  double* clean = base_alloc(sizeof(double) * (size_t)((count + 1) * N));
  num_null* f = num_null_new(count + 1, N);
  int at = 0;
  for (int i = 0; i < count; i++) add_row(N, rows + i * N, size, clean, &at);
  const int rank = num_null_factor(f, count, N, clean, tolerance);
  num_null_basis(f, out);
  num_null_free(f);
  free(clean);
  return N - rank;
}

// ---- do steady motions really lie there? --------------------------------------------------------

// Where the linear conditions are silent, nonlinear ones may still speak (the minimum of x^4): a
// direction belongs to the family where a steady motion lies at a distance along it.
typedef struct along
{
  conditions c;
  int f, rows; // directions; conditions without them
  const double *F, *from, *to;
} along;

static int evaluate_along(void* context, const double* x, double* R, double* J)
{
  along* a = context;
  const int N = 2 * a->c.l->n;
  if (evaluate(&a->c, x, R, J)) return 1;
  for (int k = 0; k < a->f; k++) {
    double* row = J ? J + (a->rows + k) * N : NULL;
    R[a->rows + k] = -a->to[k];
    for (int i = 0; i < N; i++) {
      R[a->rows + k] += a->F[i * a->f + k] * (x[i] - a->from[i]);
      if (row) row[i] = a->F[i * a->f + k];
    }
  }
  return 0;
}

// accelerations left at x along the direction, the largest
static double left_along(along* a, const double* x)
{
  double *R = base_alloc(sizeof(double) * (size_t)(a->rows + a->f + 1)), most = 0;
  if (evaluate_along(a, x, R, NULL)) most = INFINITY;
  for (int i = 0; i < a->rows && isfinite(most); i++) most = fmax(most, fabs(R[i]));
  free(R);
  return most;
}

// At the larger distances first: forces of high degree hide in rounding nearer by. What is nearly
// steady far away, but not steady, is such a force; what is far from it may be a family that ends.
static bool reaches(study_linear* l, const bool* ignorable, int f, const double* F,
                    const double* to)
{
  static const double distances[] = {0.4, 0.2, 0.1};
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  double *here = base_alloc(sizeof(double) * (size_t)(2 * N + f)), *x = here + N, *far = x + N;
  memcpy(here, e->q, sizeof(double) * (size_t)N);
  along a = {.c = {.l = l, .ignorable = ignorable}, .f = f, .F = F, .from = here, .to = far};
  a.rows = condition_rows(e, ignorable, 0);
  double size = 1, longest = 0;
  for (int k = 0; k < f; k++) longest = fmax(longest, fabs(to[k]));
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  // the motion itself was found as well as it could be
  for (int k = 0; k < f; k++) far[k] = 0;
  const double exact = fmin(steady, fmax(rounding * size, 4 * left_along(&a, here)));
  bool found = false, nearly = false;
  for (int turn = 0; turn < 3 && !found && !nearly; turn++) {
    memcpy(x, here, sizeof(double) * (size_t)N);
    for (int k = 0; k < f; k++) {
      far[k] = distances[turn] * to[k] / longest;
      for (int i = 0; i < N; i++) x[i] += F[i * f + k] * far[k];
    }
    found = num_newton(a.rows + f, N, evaluate_along, &a, NULL, NULL, exact, most_turns, x).solved;
    nearly = !found && left_along(&a, x) < 1e-3 * size;
  }
  memcpy(e->q, here, sizeof(double) * (size_t)N);
  e->factored = false;
  free(here);
  return found;
}

// columns of F made plain: each with a one where the others have a zero
static void echelon(int N, int f, double* F)
{
  for (int k = 0; k < f; k++) {
    int row = 0, column = k;
    for (int i = 0; i < N; i++)
      for (int j = k; j < f; j++)
        if (fabs(F[i * f + j]) > 1.000001 * fabs(F[row * f + column])) row = i, column = j;
    for (int i = 0; i < N; i++) {
      const double swap = F[i * f + k];
      F[i * f + k] = F[i * f + column];
      F[i * f + column] = swap;
    }
    const double pivot = F[row * f + k];
    for (int i = 0; i < N; i++) F[i * f + k] /= pivot;
    for (int j = 0; j < f; j++) {
      const double part = j == k ? 0 : F[row * f + j];
      for (int i = 0; i < N; i++) F[i * f + j] -= part * F[i * f + k];
    }
  }
}

// keep the columns chosen
static int choose(int N, int f, const bool* keep, double* F)
{
  int count = 0;
  for (int k = 0; k < f; k++) count += keep[k];
  for (int i = 0, at = 0; i < N; i++)
    for (int k = 0; k < f; k++)
      if (keep[k]) F[at++] = F[i * f + k];
  return count;
}

static int keep_true(study_linear* l, const bool* ignorable, int f, double* F)
{
  const int N = 2 * l->n;
  double* to = base_alloc(sizeof(double) * (size_t)(f + 1));
  bool* keep = base_alloc((size_t)f + 1);
  uint64_t seed = 1905;
  for (int k = 0; k < f; k++) to[k] = draw(&seed);
  // mostly all of them at once
  bool all = reaches(l, ignorable, f, F, to);
  for (int k = 0; k < f; k++) to[k] = draw(&seed);
  all = all && reaches(l, ignorable, f, F, to);
  if (!all) {
    echelon(N, f, F);
    for (int k = 0; k < f; k++) {
      for (int j = 0; j < f; j++) to[j] = j == k;
      keep[k] = reaches(l, ignorable, f, F, to);
    }
    f = choose(N, f, keep, F);
    for (int k = 0; k < f; k++) to[k] = draw(&seed);
    // shifts of ignorable coordinates are exact in any case
    if (f && !reaches(l, ignorable, f, F, to)) {
      for (int k = 0; k < f; k++) {
        keep[k] = true;
        for (int i = 0; i < N; i++)
          keep[k] = keep[k] && ((i < l->n && ignorable[i]) || fabs(F[i * f + k]) < vanished);
      }
      f = choose(N, f, keep, F);
    }
    f = study_symmetry_family(l, f, F);
  }
  free(keep);
  free(to);
  return f;
}

// nothing depends on the integrals of states: they stay where they are
static void pin_integrals(const study_linear* l, double* one, double* rows, int* count)
{
  const int N = 2 * l->n;
  for (int i = l->e->model->places; i < l->n; i++) {
    for (int j = 0; j < N; j++) one[j] = j == i;
    add_row(N, one, 0, rows, count);
  }
}

int study_steady_family(study_linear* l, const bool* ignorable, double* F, double* U)
{
  const int n = l->n, N = 2 * n;
  double* rows = base_alloc(sizeof(double) * (size_t)((4 * N + l->rows) * N + N));
  double *one = rows + (4 * N + l->rows) * N, size = 0;
  for (int i = 0; i < N * N; i++) size = fmax(size, fabs(l->J[i]));
  int count = 0;
  for (int i = 0; i < n; i++) add_row(N, l->J + (n + i) * N, size, rows, &count);
  for (int i = 0; i < l->rows; i++) add_row(N, l->G + i * N, 0, rows, &count);
  for (int i = 0; i < n; i++) {
    if (ignorable[i]) continue;
    for (int j = 0; j < N; j++) one[j] = j == n + i;
    add_row(N, one, 0, rows, &count);
  }
  pin_integrals(l, one, rows, &count);
  int f = study_steady_null(N, count, rows, 0, vanished, F);
  if (f) {
    f = keep_true(l, ignorable, f, F);
    // the linear system is that of the steady motion again
    if (!study_linear_at(l)) study_linear_tangent(l);
  }
  count = 0;
  for (int i = 0; i < l->rows; i++) add_row(N, l->G + i * N, 0, rows, &count);
  pin_integrals(l, one, rows, &count);
  for (int k = 0; k < f; k++) {
    for (int j = 0; j < N; j++) one[j] = F[j * f + k];
    add_row(N, one, 0, rows, &count);
  }
  study_steady_null(N, count, rows, 0, vanished, U);
  free(rows);
  return f;
}
