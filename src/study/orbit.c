// Periodic motions found by shooting.
//
// The motion x(t) from the state x0 and its changes X' = J(t) X, X(0) = W (a basis of the
// admissible changes), are followed over the time T. Where x(T) - x0 = rho is not nothing,
//   (X(T) - W) y + x'(T) dT = -rho,   x0 += W y,   T += dT
// is repeated (Newton; Keller 1968), the shortest y being taken: along the motion, and along
// families of such motions, nothing is asked for. dT = 0 where the equations have a period of their
// own, and first of all where they do not: motions with the period told are looked for before
// others. Ignorable coordinates may have moved on, and angles by a multiple of 2 pi.
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double study_orbit_closed = 1e-7;
static const double tolerance = 1e-13, same = 1e-9, found = 1e-11, damping = 1e-9;
static const double most_work = 4e9, work_unasked = 6e8; // with the period told, or found
enum { stages = 12, most_steps = 200000, most_turns = 40, looks = 3 };

// ---- one flight ---------------------------------------------------------------------------------

static int rhs(void* context, double t, const double* y, double* dy)
{
  const study_orbit* o = context;
  return study_linear_flow(o->l, o->d, t, y, dy);
}

// operations of a right side, roughly: the derivatives, the linear problem, the changes
static double cost(const study_orbit* o)
{
  const study_linear* l = o->l;
  const double n = l->n, m = l->e->m, wide = n + m;
  return 10 * (n + 3 * m) * l->width + wide * wide * wide + 4 * n * n * o->d;
}

// what a search may cost is spent with its steps
static step_status spend(void* context, step_stepper* s)
{
  study_orbit* o = context;
  (void)s;
  return o->searching && (o->left -= stages * cost(o)) < 0 ? STEP_TOO_MANY : STEP_OK;
}

bool study_orbit_fly(study_orbit* o, double t, double period, base_notes* notes)
{
  const int size = 2 * o->l->n * (1 + o->d);
  double* abs_tol = base_alloc(sizeof(double) * (size_t)size);
  for (int i = 0; i < size; i++) abs_tol[i] = tolerance;
  const step_ode ode = {
      .n = size, .rhs = rhs, .context = o, .rel_tol = tolerance, .abs_tol = abs_tol};
  const step_method* method = &step_method_dop853;
  step_stepper* s = method->create(method, &ode);
  const step_way way = {.most_steps = most_steps, .ask = spend, .context = o};
  const step_status status = step_carry(s, t, o->y, t + period, &way);
  memcpy(o->y, s->y, sizeof(double) * (size_t)size);
  if (status != STEP_OK)
    base_error(notes, BASE_NOWHERE,
               "the motion could not be followed over the period: at t = %.6g %s", s->t,
               status == STEP_TOO_MANY ? "the steps became too many" : s->reason);
  method->destroy(s);
  free(abs_tol);
  return status == STEP_OK;
}

// what is missing for the state to come back, into o->behind; the largest part, relative
static double gap(study_orbit* o, const study_stability* r)
{
  const int n = r->n;
  double most = 0;
  for (int i = 0; i < n; i++) {
    double off = o->y[i] - r->q[i];
    if (o->angle[i]) off -= 2 * M_PI * round(off / (2 * M_PI));
    o->behind[i] = o->ignorable[i] ? 0 : off;
    o->behind[n + i] = o->y[n + i] - r->v[i];
    most = fmax(most, fabs(o->behind[i]) / (1 + fabs(r->q[i])));
    most = fmax(most, fabs(o->behind[n + i]) / (1 + fabs(r->v[i])));
  }
  return most;
}

// from r's state over r's period; the gap, nan where it could not be followed
static double shoot(study_orbit* o, const study_stability* r, base_notes* notes)
{
  study_linear* l = o->l;
  engine* e = l->e;
  const int N = 2 * e->n;
  engine_state(e, r->t, r->q, r->v);
  e->factored = false;
  if (study_linear_at(l)) return NAN;
  o->d = study_linear_tangent(l);
  memcpy(o->W, l->W, sizeof(double) * (size_t)(N * o->d));
  memcpy(o->y, e->q, sizeof(double) * (size_t)N);
  memcpy(o->y + N, o->W, sizeof(double) * (size_t)(N * o->d));
  if (!study_orbit_fly(o, r->t, r->period, notes)) return NAN;
  study_orbit_lead_back(o);
  return gap(o, r);
}

// ---- angles -------------------------------------------------------------------------------------

// are the accelerations, and the constraints, the same after a turn of coordinate i?
static bool turns(study_linear* l, int i)
{
  engine* e = l->e;
  const int n = e->n;
  double *before = base_alloc(sizeof(double) * (size_t)(n + 1)), size = 1, off = 0;
  const bool fine = !contact_accelerations(e);
  memcpy(before, e->a, sizeof(double) * (size_t)n);
  e->q[i] += 2 * M_PI;
  e->factored = false;
  bool whole = fine && !contact_accelerations(e);
  for (int j = 0; j < n; j++) {
    size = fmax(size, fabs(before[j]));
    off = fmax(off, fabs(before[j] - e->a[j]));
  }
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int r = 0; r < e->mode.rows; r++) {
    if (e->model->constraint[e->mode.row[r]].order == 0)
      off = fmax(off, fabs(e->f0[e->mode.row[r]]));
    if (e->model->constraint[e->mode.row[r]].order <= 1)
      off = fmax(off, fabs(e->f1[e->mode.row[r]]));
  }
  e->q[i] -= 2 * M_PI;
  e->factored = false;
  free(before);
  return whole && off < same * size;
}

void study_orbit_angles(study_linear* l, const bool* ignorable, bool* angle)
{
  engine* e = l->e;
  const int n = e->n;
  double* here = base_alloc(sizeof(double) * (size_t)(2 * n));
  memcpy(here, e->q, sizeof(double) * (size_t)(2 * n));
  for (int i = 0; i < n; i++) angle[i] = !ignorable[i];
  uint64_t seed = 1968;
  for (int turn = 0; turn < looks; turn++) {
    bool moved;
    for (int i = 0; i < 2 * n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      e->q[i] = here[i] + (turn ? 0.2 : 0) * ((double)(seed >> 11) / 4503599627370496.0 - 1);
    }
    e->factored = false;
    if (engine_project(e, &moved)) continue;
    for (int i = 0; i < n; i++) angle[i] = angle[i] && turns(l, i);
  }
  memcpy(e->q, here, sizeof(double) * (size_t)(2 * n));
  e->factored = false;
  free(here);
}

study_orbit study_orbit_new(study_linear* l, const bool* ignorable, bool timed, base_arena* arena)
{
  const int n = l->n, N = 2 * n;
  study_orbit o = {.l = l, .ignorable = ignorable, .timed = timed};
  o.angle = base_arena_take(arena, (size_t)n + 1);
  o.W = base_arena_take(arena, sizeof(double) * (size_t)(N * N + 1));
  o.y = base_arena_take(arena, sizeof(double) * (size_t)(N * (1 + N) + 1));
  o.behind = base_arena_take(arena, sizeof(double) * (size_t)(N + 1));
  study_orbit_angles(l, ignorable, o.angle);
  return o;
}

// ---- the periodic motion next to a state --------------------------------------------------------

// y, dT and the change of the turn from the flight just made; false where they have no value
static bool newton_step(study_orbit* o, const study_stability* r, bool free_time, double* y)
{
  engine* e = o->l->e;
  const int n = e->n, N = 2 * n, d = o->d, g = o->s ? o->s->count : 0;
  const int turn = d + free_time, wide = turn + g, rows = N + wide;
  double* A = base_alloc(sizeof(double) * (size_t)(rows * wide + rows + N * (g + 1)));
  double *b = A + rows * wide, *X = b + rows, size = 0;
  for (int k = 0; k < g; k++) study_symmetry_at(o->s, k, r->q, r->v, X + k * N);
  if (free_time) {
    engine_state(e, e->in[0], o->y, o->y + n);
    e->factored = false;
    if (contact_accelerations(e)) {
      free(A);
      return false;
    }
  }
  for (int i = 0; i < N; i++) {
    b[i] = -o->behind[i];
    if (i < n && o->ignorable[i]) continue;
    for (int k = 0; k < d; k++) A[i * wide + k] = o->y[N + i * d + k] - o->W[i * d + k];
    if (free_time) A[i * wide + d] = i < n ? o->y[n + i] : e->a[i - n];
    for (int k = 0; k < g; k++) A[i * wide + turn + k] = -X[k * N + i];
    for (int k = 0; k < wide; k++) size = fmax(size, fabs(A[i * wide + k]));
  }
  // the shortest of many: a little of every unknown is asked to be nothing
  for (int k = 0; k < wide; k++) A[(N + k) * wide + k] = damping * (size + 1);
  num_least_squares(rows, wide, A, b, y);
  free(A);
  bool fine = true;
  for (int k = 0; k < wide; k++) fine = fine && isfinite(y[k]);
  return fine;
}

// r's state and period moved by the step, no further than a part of their size
static bool move(study_orbit* o, study_stability* r, const double* y, bool free_time)
{
  engine* e = o->l->e;
  const int n = e->n, N = 2 * n, d = o->d;
  double* step = base_alloc(sizeof(double) * (size_t)(N + 1 + (o->s ? o->s->count : 0)));
  double most = free_time ? fabs(y[d]) / (0.2 * r->period) : 0;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < d; k++) step[i] += o->W[i * d + k] * y[k];
    most = fmax(most, fabs(step[i]) / (0.5 * (1 + fabs(i < n ? r->q[i] : r->v[i - n]))));
  }
  const double part = most > 1 ? 1 / most : 1;
  if (o->s) {
    for (int k = 0; k < o->s->count; k++) step[N + k] = part * y[d + free_time + k];
    study_orbit_turn(o, step + N);
  }
  for (int i = 0; i < n; i++) {
    e->q[i] = r->q[i] + part * step[i];
    e->v[i] = r->v[i] + part * step[n + i];
  }
  free(step);
  engine_time(e, r->t);
  e->factored = false;
  bool moved;
  if (engine_project(e, &moved)) return false;
  memcpy(r->q, e->q, sizeof(double) * (size_t)n);
  memcpy(r->v, e->v, sizeof(double) * (size_t)n);
  if (free_time) r->period += part * y[d];
  return r->period > 0;
}

// how fast the state changes in what is not ignorable
static double speed(study_orbit* o, const study_stability* r)
{
  engine* e = o->l->e;
  double sum = 0;
  engine_state(e, r->t, r->q, r->v);
  e->factored = false;
  if (contact_accelerations(e)) return NAN;
  for (int i = 0; i < e->n; i++)
    sum += e->a[i] * e->a[i] + (o->ignorable[i] ? 0 : e->v[i] * e->v[i]);
  return sqrt(sum);
}

static bool search(study_orbit* o, study_stability* r, bool free_time)
{
  const int N = 2 * o->l->n;
  const double told = r->period, before = speed(o, r);
  const int group = o->s ? o->s->count : 0;
  double *y = base_alloc(sizeof(double) * (size_t)(N + 2 + group)), last = INFINITY;
  base_notes* quiet = base_notes_new();
  bool done = false;
  for (int turn = 0; turn < most_turns; turn++) {
    const double off = shoot(o, r, quiet);
    if (!isfinite(off)) break;
    done = off < study_orbit_closed;
    if (off < found || (done && off > last / 2)) break;
    last = off;
    if (!newton_step(o, r, free_time, y) || !move(o, r, y, free_time)) {
      done = false;
      break;
    }
    if (r->period < 0.3 * told || r->period > 3 * told) break;
  }
  base_notes_free(quiet);
  free(y);
  if (!done) return false;
  // rest comes back after any time: it is no answer where something moved
  return o->timed || speed(o, r) > 1e-4 * before;
}

// The ways a motion may come back, in this order: with the period told, then with another; by
// itself, then after a turn. Where a turn alone explains most of the gap, it comes first.
typedef struct way
{
  bool free_time, group;
} way;

static bool try_ways(study_orbit* o, study_stability* r, const study_symmetry* s, bool turn_first,
                     base_arena* arena)
{
  const size_t bytes = sizeof(double) * (size_t)r->n;
  const double told = r->period;
  double *here = base_alloc(4 * bytes + 1), *end = here + 2 * r->n;
  bool done = false;
  memcpy(here, r->q, bytes);
  memcpy(here + r->n, r->v, bytes);
  for (int i = 0; i < 4 && !done; i++) {
    const way w = {.free_time = i % 2, .group = (i / 2) != turn_first};
    if ((w.free_time && o->timed) || (w.group && s->count == 0)) continue;
    memcpy(r->q, here, bytes);
    memcpy(r->v, here + r->n, bytes);
    r->period = told;
    o->s = NULL;
    if (w.group) {
      base_notes* quiet = base_notes_new();
      const bool flown = isfinite(shoot(o, r, quiet));
      base_notes_free(quiet);
      if (!flown) continue;
      memcpy(end, o->y, 2 * bytes);
      study_orbit_use_group(o, s, arena);
      study_orbit_fit(o, r, end);
    }
    done = search(o, r, w.free_time);
  }
  free(here);
  return done;
}

// the state and the period as they were, to what they are known to
static bool is_near(const study_stability* r, const double* here, double told)
{
  double most = fabs(r->period - told) / told;
  for (int i = 0; i < r->n; i++) {
    most = fmax(most, fabs(r->q[i] - here[i]) / (1 + fabs(here[i])));
    most = fmax(most, fabs(r->v[i] - here[r->n + i]) / (1 + fabs(here[r->n + i])));
  }
  return most < 1e-6;
}

bool study_orbit_close(study_orbit* o, study_stability* r, base_notes* notes)
{
  const size_t bytes = sizeof(double) * (size_t)r->n;
  const double told = r->period, first = shoot(o, r, notes);
  if (!isfinite(first)) return false;
  if (first < found) {
    r->closure = first;
    return true;
  }
  double *here = base_alloc(4 * bytes + 1), *end = here + 2 * r->n, turned = INFINITY;
  memcpy(here, r->q, bytes);
  memcpy(here + r->n, r->v, bytes);
  memcpy(end, o->y, 2 * bytes);
  engine_state(o->l->e, r->t, r->q, r->v);
  o->l->e->factored = false;
  study_symmetry* s = base_arena_take(r->arena, sizeof *s);
  if (first > study_orbit_closed) *s = study_symmetry_find(o->l, o->timed ? told : 0, r->arena);
  if (s->count) {
    study_orbit_use_group(o, s, r->arena);
    turned = study_orbit_fit(o, r, end);
  }
  o->searching = true;
  o->left = r->own_period ? work_unasked : most_work;
  const bool done = try_ways(o, r, s, turned < 0.3 * first, r->arena) || first < study_orbit_closed;
  r->moved = done && !is_near(r, here, told);
  if (first < study_orbit_closed && r->moved) {
    // it is the motion told, and stays it
    memcpy(r->q, here, bytes);
    memcpy(r->v, here + r->n, bytes);
    r->period = told;
    r->moved = false;
    o->s = NULL;
  }
  free(here);
  o->searching = false;
  if (done) r->closure = shoot(o, r, notes);
  if (!done) {
    base_error(notes, BASE_NOWHERE,
               "the motion does not come back after %.10g s: off by %.3g of the state, and no "
               "periodic motion was found next to it",
               told, first);
    base_help(notes, "give a state nearer to a periodic motion with `--state`, and its period");
    return false;
  }
  if (o->s) {
    r->C = base_arena_take(r->arena, sizeof(double) * (size_t)(r->n * r->n + 1));
    r->c = base_arena_take(r->arena, sizeof(double) * (size_t)(r->n + 1));
    if (!study_orbit_map(o, r->C, r->c)) r->C = r->c = NULL;
  }
  return true;
}
