// How far each coordinate swings along a periodic motion: its least and greatest values, its mean,
// and the amplitude and lag of the first harmonic of its period,
//   q = mean + amplitude cos(2 pi t/T - lag) + ...,
// with the coefficients 2/T int q cos(w t) dt and 2/T int q sin(w t) dt, w = 2 pi/T. Time is that
// of the model: the lag is behind a force cos(w t).
//
// Where a motion is followed by runs or steps, the period is cut where things happen and into
// pieces with Gauss's nodes, twice as many until the integrals and the extremes stay. Between two
// nodes a coordinate is the polynomial of fifth degree with their values, velocities and
// accelerations (Hermite), which tells extremes where the velocity changes its sign. Where that
// does not settle, forces jump on the way: dry friction does so where a velocity changes its sign,
// and the period is cut there, too.
#include "study/swing.h"

#include "study/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-13;
static const double agreed = 1e-13; // of the largest value: nodes are enough
static const double known = 1e-8;   // of the same: worse integrals are not told
static const double returns = 1e-6; // of the same: what a coordinate may be off after the period
static const double instant = 1e-7; // of the period: a moment beside a happening
static const double sharp = 1e-13;  // of the period: the moment of a turn
enum {
  fewest = 8,
  most = 512,
  most_steps = 200000,
  turns = 60,
  looks = 64,
  parts = 8,
  most_cuts = 16
};

study_swings study_swings_new(study_stability* r)
{
  study_swings s = {.n = r->n, .t = r->t, .period = r->period};
  const int n = r->n;
  if (!r->swing) {
    double* states = base_arena_take(r->arena, sizeof(double) * (size_t)(4 * n * n + 1));
    r->swing = base_arena_take(r->arena, sizeof *r->swing * (size_t)(n + 1));
    for (int c = 0; c < n; c++) r->swing[c].at_least = states + 4 * n * c;
    for (int c = 0; c < n; c++) r->swing[c].at_most = states + 4 * n * c + 2 * n;
  }
  s.of = r->swing;
  s.sums = base_arena_take(r->arena, sizeof(double) * (size_t)(3 * n + 1));
  for (int c = 0; c < n; c++) {
    s.of[c].least = INFINITY;
    s.of[c].most = -INFINITY;
  }
  return s;
}

void study_swings_reach(study_swings* s, int c, double value, const double* state)
{
  study_swing* x = &s->of[c];
  const size_t bytes = sizeof(double) * (size_t)(2 * s->n);
  if (value < x->least) memcpy(x->at_least, state, bytes);
  if (value > x->most) memcpy(x->at_most, state, bytes);
  x->least = fmin(x->least, value);
  x->most = fmax(x->most, value);
}

void study_swings_add(study_swings* s, double t, double weight, const double* q)
{
  const double w = 2 * M_PI / s->period,
               with[3] = {weight, weight * cos(w * t), weight * sin(w * t)};
  for (int c = 0; c < s->n; c++)
    for (int k = 0; k < 3; k++) s->sums[3 * c + k] += with[k] * q[c];
}

void study_swings_finish(study_swings* s, const double* begin, const double* end)
{
  for (int c = 0; c < s->n; c++) {
    study_swing* x = &s->of[c];
    const double *sum = s->sums + 3 * c, size = fmax(fabs(x->least), fabs(x->most));
    const bool back = fabs(end[c] - begin[c]) <= returns * (1 + size);
    x->mean = back ? sum[0] : NAN;
    x->amplitude = back ? 2 * hypot(sum[1], sum[2]) : NAN;
    x->lag = back ? atan2(sum[2], sum[1]) : NAN;
  }
}

// ---- followed anew ------------------------------------------------------------------------------

// value and velocity at the share s between two nodes h apart, of a coordinate with (q, v, a) there
static double hermite(double s, double h, const double from[3], const double to[3], double* speed)
{
  // from + h v s + h^2 a s^2/2 + s^3 (c3 + c4 s + c5 s^2)
  const double v = h * from[1], a = h * h * from[2] / 2;
  const double p = to[0] - from[0] - v - a, d = h * to[1] - v - 2 * a, e = h * h * to[2] - 2 * a;
  const double c3 = 10 * p - 4 * d + e / 2, c4 = -15 * p + 7 * d - e, c5 = 6 * p - 3 * d + e / 2;
  *speed = v + s * (2 * a + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)));
  return from[0] + s * (v + s * (a + s * (c3 + s * (c4 + s * c5))));
}

// the same of coordinate c, with (q, v, a) of all at the nodes
static double between(int n, int c, double s, double h, const double* a, const double* b,
                      double* speed)
{
  const double from[3] = {a[c], a[n + c], a[2 * n + c]}, to[3] = {b[c], b[n + c], b[2 * n + c]};
  return hermite(s, h, from, to, speed);
}

// where a coordinate is level between two nodes
static void reach_between(study_swings* s, int c, double h, const double* a, const double* b)
{
  const int n = s->n;
  const double before = a[n + c], behind = b[n + c];
  if (!((before > 0 && behind <= 0) || (before < 0 && behind >= 0))) return;
  double low = 0, high = 1, speed, value = 0;
  for (int turn = 0; turn < turns && high - low > 1e-12; turn++) {
    value = between(n, c, (low + high) / 2, h, a, b, &speed);
    *((speed > 0) == (before > 0) ? &low : &high) = (low + high) / 2;
  }
  if (!(value < s->of[c].least || value > s->of[c].most)) return;
  double* state = base_alloc(sizeof(double) * (size_t)(2 * n));
  for (int k = 0; k < n; k++) {
    state[k] = between(n, k, (low + high) / 2, h, a, b, &speed);
    state[n + k] = speed / h;
  }
  state[n + c] = 0;
  study_swings_reach(s, c, value, state);
  free(state);
}

// on to time t, a node that counts so much or none; what lies between it and the one before
static bool visit(study_swings* s, const study_followed* f, double t, double weight, double* last,
                  double* x)
{
  double *before = x, *here = x + 3 * s->n;
  if (!f->go(f->context, t, here)) return false;
  if (weight > 0) study_swings_add(s, t, weight, here);
  for (int c = 0; c < s->n; c++) {
    study_swings_reach(s, c, here[c], here);
    if (*last < t) reach_between(s, c, t - *last, before, here);
  }
  memcpy(before, here, sizeof(double) * (size_t)(3 * s->n));
  *last = t;
  return true;
}

// One stretch between `from` and `to`, shares of the period, in so many pieces, and from a moment
// behind its start to a moment before its end; `x`: room for two states
static bool follow_stretch(study_swings* s, const study_followed* f, const study_mesh_table* g,
                           double from, double to, int pieces, double* x)
{
  double last = NAN;
  const double length = (to - from) / pieces;
  if (to - from < 3 * instant) return true;
  bool fine = visit(s, f, s->t + s->period * (from + instant), 0, &last, x);
  for (int i = 0; i < pieces; i++)
    for (int j = 0; j < study_mesh_degree && fine; j++)
      fine = visit(s, f, s->t + s->period * (from + length * (i + g->c[j])), length * g->b[j],
                   &last, x);
  return fine && visit(s, f, s->t + s->period * (to - instant), 0, &last, x);
}

// moments at which the period is cut beside those of happenings, shares of it, ascending
typedef struct cuts
{
  int count;
  double at[most_cuts];
} cuts;

// the stretches between two shares of the period, cut where it is to be
static bool follow_cut(study_swings* s, const study_followed* f, const study_mesh_table* g,
                       const cuts* c, double from, double to, int pieces, double* x)
{
  for (int k = 0; k <= c->count; k++) {
    const double end = k < c->count ? c->at[k] : to;
    if (!(end > from && end <= to)) continue;
    if (!follow_stretch(s, f, g, from, end, (int)ceil(pieces * (end - from)), x)) return false;
    from = end;
  }
  return true;
}

static bool follow_all(study_swings* s, const study_followed* f, const study_mesh_table* g,
                       const study_stability* r, const cuts* c, int pieces, double* x)
{
  double from = 0;
  if (!f->begin(f->context)) return false;
  for (int k = 0; k <= r->happenings; k++) {
    const study_happening* h = k < r->happenings ? &r->happening[k] : NULL;
    const double to = h ? h->t / r->period : 1;
    for (int i = 0; i < r->n && h; i++) {
      if (h->before) study_swings_reach(s, i, h->before[i], h->before);
      if (h->after) study_swings_reach(s, i, h->after[i], h->after);
    }
    if (to > from && !follow_cut(s, f, g, c, from, to, pieces, x)) return false;
    from = to;
  }
  memcpy(x, r->q, sizeof(double) * (size_t)r->n);
  memcpy(x + r->n, r->v, sizeof(double) * (size_t)r->n);
  for (int i = 0; i < r->n; i++) study_swings_reach(s, i, r->q[i], x);
  return f->go(f->context, r->t + r->period, x);
}

// The part of the times from a to b, cut into `count`, in which the velocity of a coordinate first
// changes its sign from the number `from` of parts on; -1: in none. Times are shares of the period.
static int turn_between(const study_stability* r, const study_followed* f, int c, double a,
                        double b, int count, int from, double* x)
{
  double before = NAN;
  if (!f->begin(f->context)) return -1;
  for (int k = from; k <= count; k++) {
    if (!f->go(f->context, r->t + r->period * (a + (b - a) * k / count), x)) return -1;
    if (before * x[r->n + c] < 0) return k - 1;
    before = x[r->n + c];
  }
  return -1;
}

// where velocities change their signs
static cuts find_turns(const study_stability* r, const study_followed* f, double* x)
{
  cuts found = {0};
  for (int c = 0; c < r->n; c++)
    for (int k = -1; (k = turn_between(r, f, c, 0, 1, looks, k + 1, x)) >= 0;) {
      double a = (double)k / looks, b = (k + 1.0) / looks;
      for (int part = 0; part >= 0 && b - a > sharp;) {
        part = turn_between(r, f, c, a, b, parts, 0, x);
        const double wide = (b - a) / parts;
        if (part >= 0) a += part * wide;
        if (part >= 0) b = a + wide;
      }
      int at = found.count;
      if (at == most_cuts) return found;
      for (; at > 0 && found.at[at - 1] > a; at--) found.at[at] = found.at[at - 1];
      found.at[at] = (a + b) / 2;
      found.count++;
    }
  return found;
}

// how far two of them are apart, relative to what is largest
static double apart(int n, const study_swing* a, const study_swing* b)
{
  double size = 0, off = 0;
  for (int c = 0; c < n; c++) {
    size = fmax(size, fmax(fabs(a[c].least), fabs(a[c].most)));
    off = fmax(off, fmax(fabs(a[c].least - b[c].least), fabs(a[c].most - b[c].most)));
    if (!isfinite(a[c].mean)) continue;
    off = fmax(off, fabs(a[c].mean - b[c].mean));
    off = fmax(off, hypot(a[c].amplitude * cos(a[c].lag) - b[c].amplitude * cos(b[c].lag),
                          a[c].amplitude * sin(a[c].lag) - b[c].amplitude * sin(b[c].lag)));
  }
  return size > 0 ? off / size : 0;
}

// with more and more pieces, until nothing changes; what is left of changes, nan where the motion
// cannot be followed
static double settle(study_stability* r, const study_followed* f, const cuts* c, double* x)
{
  const study_mesh_table g = study_mesh_numbers();
  const size_t bytes = sizeof(study_swing) * (size_t)r->n;
  study_swing* last = base_alloc(bytes + 1);
  double off = INFINITY;
  for (int pieces = fewest; pieces <= most && off > agreed; pieces *= 2) {
    study_swings s = study_swings_new(r);
    if (!follow_all(&s, f, &g, r, c, pieces, x)) off = NAN;
    if (isnan(off)) break;
    study_swings_finish(&s, r->q, x);
    if (pieces > fewest) off = apart(r->n, s.of, last);
    memcpy(last, s.of, bytes);
  }
  free(last);
  return off;
}

void study_swings_follow(study_stability* r, const study_followed* f)
{
  double* x = base_alloc(sizeof(double) * (size_t)(6 * r->n + 1));
  double off = settle(r, f, &(cuts){0}, x);
  if (off > agreed) {
    const cuts c = find_turns(r, f, x);
    if (c.count) off = settle(r, f, &c, x);
  }
  for (int c = 0; c < r->n && off > known; c++)
    r->swing[c].mean = r->swing[c].amplitude = r->swing[c].lag = NAN;
  if (isnan(off)) r->swing = NULL;
  free(x);
}

// ---- by steps -----------------------------------------------------------------------------------

typedef struct stepped
{
  study_linear* l;
  const study_stability* r;
  step_stepper* stepper;
  double t, *y;
} stepped;

static int rhs(void* context, double t, const double* y, double* dy)
{
  return study_linear_motion(((const stepped*)context)->l, t, y, dy);
}

static bool begin_steps(void* context)
{
  stepped* w = context;
  const size_t bytes = sizeof(double) * (size_t)w->r->n;
  w->t = w->r->t;
  memcpy(w->y, w->r->q, bytes);
  memcpy(w->y + w->r->n, w->r->v, bytes);
  return true;
}

static bool go_by_steps(void* context, double t, double* x)
{
  stepped* w = context;
  engine* e = w->l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  const step_way way = {.most_steps = most_steps};
  if (t > w->t && step_carry(w->stepper, w->t, w->y, t, &way) != STEP_OK) return false;
  if (t > w->t) memcpy(w->y, w->stepper->y, bytes);
  w->t = t;
  engine_state(e, t, w->y, w->y + e->n);
  e->factored = false;
  if (contact_accelerations(e)) return false;
  memcpy(x, w->y, bytes);
  memcpy(x + 2 * e->n, e->a, bytes / 2);
  return true;
}

void study_swings_by_steps(study_linear* l, study_stability* r)
{
  const int N = 2 * l->n;
  double* abs_tol = base_alloc(sizeof(double) * (size_t)(2 * N + 1));
  for (int i = 0; i < N; i++) abs_tol[i] = tolerance;
  stepped w = {.l = l, .r = r, .y = abs_tol + N};
  const step_ode ode = {
      .n = N, .rhs = rhs, .context = &w, .rel_tol = tolerance, .abs_tol = abs_tol};
  const step_method* method = &step_method_dop853;
  w.stepper = method->create(method, &ode);
  study_swings_follow(r, &(study_followed){begin_steps, go_by_steps, &w});
  method->destroy(w.stepper);
  free(abs_tol);
}
