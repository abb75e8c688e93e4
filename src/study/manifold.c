// Stable and unstable manifolds of a saddle: motions that come from it, or end there.
//
// Of a steady motion with one eigenvalue lambda to the right, motions that come from it are two
// curves, along both sides of its eigenvector w. From x0 + e w the motion is followed: it is off
// the manifold by e^2, and comes nearer to it. For the stable one time runs backwards.
//
// Of a periodic motion of equations with a period of their own, points at multiples of the period
// lie on a curve, too. With the multiplier m and the map P over a period (over two where m < 0),
//   x0 + e m^s w,  0 <= s <= 1,
// is a piece of the curve from a point to its image, and P^k makes all further pieces of it. Where
// images of neighbours have moved apart, more of them are taken in between.
#include "study/manifold.h"
#include "study/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { first_seeds = 16, most_points = 20000, inside = 4, most_steps = 200000 };
static const double away = 1e-5;    // of the scale: where a curve begins
static const double apart = 0.02;   // of the scale: neighbours
static const double farthest = 100; // scales from the saddle at which curves end
static const double longest = 40;   // and scales along them, where no time is told
static const double same = 1e-12;   // seeds

typedef BASE_LIST(double) list;

typedef struct work
{
  study_linear* l;
  study_manifolds* r;
  const study_manifold_options* o;
  int N;
  double* x0; // the saddle
  double scale;
  step_stepper* s;
  double *y, *next;
  list found;
  double length; // of what was found
} work;

// ---- motions ------------------------------------------------------------------------------------

static int rhs(void* context, double t, const double* y, double* dy)
{
  return study_linear_motion(((const work*)context)->l, t, y, dy);
}

// y on the constraints; false where there is no such state
static bool put_back(work* w, double t, double* y)
{
  engine* e = w->l->e;
  bool moved;
  if (!e->mode.rows) return true;
  engine_state(e, t, y, y + e->n);
  if (engine_project(e, &moved)) return false;
  memcpy(y, e->q, sizeof(double) * (size_t)e->n);
  memcpy(y + e->n, e->v, sizeof(double) * (size_t)e->n);
  return true;
}

static double distance(const work* w, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < w->N; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

// ---- one curve ----------------------------------------------------------------------------------

static void note(work* w, double t, const double* y)
{
  if (w->found.n) w->length += distance(w, y, w->found.at + w->found.n - w->N);
  base_push(&w->found, t);
  for (int i = 0; i < w->N; i++) base_push(&w->found, y[i]);
}

// why no more of the curve is followed; null: it is
static const char* is_enough(const work* w)
{
  if (w->found.n >= most_points * (w->N + 1)) return "as many points as are kept";
  return !isfinite(w->o->until) && w->length > longest * w->scale ? "it is long" : NULL;
}

static bool is_far(const work* w, const double* y)
{
  return !(distance(w, y, w->x0) < farthest * w->scale);
}

// the motion itself, forwards or backwards; how it ends
static const char* along_motion(work* w, const study_manifold* c, const double* vector)
{
  const double usual = 2 * log(1 / away) / fabs(c->rate);
  const double span = isfinite(w->o->until) ? w->o->until : usual;
  const double sign = c->stable ? -1 : 1, end = sign * span;
  step_stepper* s = w->s;
  for (int i = 0; i < w->N; i++) w->y[i] = w->x0[i] + c->side * away * w->scale * vector[i];
  if (!put_back(w, 0, w->y) || s->method->start(s, 0, w->y, end) != STEP_OK)
    return "the motion has no start";
  note(w, 0, w->y);
  for (int steps = 0; s->t != end; steps++) {
    if (steps == most_steps || is_enough(w))
      return is_enough(w) ? is_enough(w) : "its steps are many";
    if (s->method->step(s, end) != STEP_OK) return "the motion cannot be followed further";
    for (int k = 1; k <= inside; k++) {
      const double t = k == inside ? s->t : s->t_old + (s->t - s->t_old) * k / inside;
      s->method->dense(s, t, w->next);
      note(w, t, w->next);
    }
    memcpy(w->y, s->y, sizeof(double) * (size_t)w->N);
    if (is_far(w, w->y)) return "it has gone far from the saddle";
    if (!w->l->e->mode.rows) continue;
    if (!put_back(w, s->t, w->y) || s->method->amend(s, w->y) != STEP_OK)
      return "the constraints cannot be kept further";
  }
  return isfinite(w->o->until) ? "the time ends" : "it could have come back";
}

// the piece of the curve from seed to seed, behind so many maps
typedef struct piece
{
  work* w;
  const study_manifold* c;
  const double* vector;
  double time, factor; // of a map, below zero on stable curves; what it does to small changes
  list seed, state;
} piece;

static bool fly(const piece* p, double t, double* y)
{
  work* w = p->w;
  const step_way way = {.most_steps = most_steps, .context = w};
  if (step_carry(w->s, t, y, t + p->time, &way) != STEP_OK) return false;
  memcpy(y, w->s->y, sizeof(double) * (size_t)w->N);
  return put_back(w, t + p->time, y) && isfinite(y[0]);
}

// P^maps of the seed; false where there is no such point
static bool point_of(const piece* p, double seed, int maps, double* y)
{
  const work* w = p->w;
  const double e = away * w->scale * pow(p->factor, seed);
  for (int i = 0; i < w->N; i++) y[i] = w->x0[i] + p->c->side * e * p->vector[i];
  bool there = put_back(p->w, w->r->t, y);
  for (int k = 0; k < maps && there; k++) there = fly(p, w->r->t, y) && !is_far(w, y);
  return there;
}

// one more seed behind number i; false where it does not help
static bool insert(piece* p, int i, int maps)
{
  const work* w = p->w;
  const int N = w->N;
  const double seed = (p->seed.at[i] + p->seed.at[i + 1]) / 2;
  if (p->seed.at[i + 1] - p->seed.at[i] < same) return false;
  if (!point_of(p, seed, maps, p->w->next)) return false;
  base_push(&p->seed, 0.0);
  for (int k = 0; k < N; k++) base_push(&p->state, 0.0);
  const size_t behind = (size_t)(p->seed.n - 2 - i);
  memmove(p->seed.at + i + 2, p->seed.at + i + 1, sizeof(double) * behind);
  memmove(p->state.at + (i + 2) * N, p->state.at + (i + 1) * N,
          sizeof(double) * behind * (size_t)N);
  p->seed.at[i + 1] = seed;
  memcpy(p->state.at + (i + 1) * N, w->next, sizeof(double) * (size_t)N);
  return true;
}

// the images of all seeds, with more of them where they have moved apart; how many are good
static int advance(piece* p, int maps)
{
  const work* w = p->w;
  const int N = w->N;
  int good = 0;
  while (good < p->seed.n) {
    double* y = p->state.at + good * N;
    if (maps && (!fly(p, w->r->t, y) || is_far(w, y))) break;
    good++;
  }
  p->seed.n = good;
  p->state.n = good * N;
  const int room = most_points - w->found.n / (N + 1);
  double length = w->length;
  const bool timed = isfinite(w->o->until);
  for (int i = 0; i + 1 < p->seed.n && i < room && (timed || length < longest * w->scale);) {
    const double off = distance(w, p->state.at + i * N, p->state.at + (i + 1) * N);
    if (off > apart * w->scale && insert(p, i, maps)) continue;
    length += off;
    i++;
  }
  return good;
}

// points at multiples of the period; how they end
static const char* along_map(work* w, const study_manifold* c, const double* vector)
{
  const int rounds = c->rate < 0 ? 2 : 1;
  piece p = {
      .w = w, .c = c, .vector = vector, .time = (c->stable ? -1 : 1) * rounds * w->r->period};
  p.factor = pow(c->stable ? 1 / fabs(c->rate) : fabs(c->rate), rounds);
  const double span = fabs(p.time);
  const int maps = isfinite(w->o->until)
                       ? (int)fmin(floor(w->o->until / span + 1e-9), 1e6)
                       : (int)fmin(fmax(1, 2 * log(1 / away) / log(p.factor)), 1e6);
  const char* why = isfinite(w->o->until) ? "the time ends" : "it could have come back";
  for (int i = 0; i <= first_seeds; i++) {
    base_push(&p.seed, (double)i / first_seeds);
    for (int k = 0; k < w->N; k++) base_push(&p.state, 0.0);
    if (!point_of(&p, p.seed.at[i], 0, p.state.at + i * w->N)) why = "the motion has no start";
  }
  for (int k = 0; k <= maps; k++) {
    const int before = p.seed.n, good = advance(&p, k);
    for (int i = k > 0; i < p.seed.n && !is_enough(w); i++)
      note(w, k * p.time, p.state.at + i * w->N);
    if (is_enough(w))
      why = is_enough(w);
    else if (good < before)
      why = "it has gone far from the saddle";
    if (good < before || is_enough(w)) break;
  }
  free(p.seed.at);
  free(p.state.at);
  return why;
}

// how near it comes to the saddle behind its farthest point
static void measure(const work* w, study_manifold* c)
{
  const int width = w->N + 1;
  double most = 0;
  c->back = INFINITY;
  for (int k = 0; k < c->points; k++) {
    const double* y = c->point + k * width + 1;
    const double far = distance(w, y, w->x0);
    if (far > most) c->back = INFINITY;
    most = fmax(most, far);
    c->back = fmin(c->back, far);
  }
}

static void follow(work* w, bool stable, double rate, const double* vector)
{
  for (int side = 1; side >= -1; side -= 2) {
    study_manifold* c = &w->r->curve[w->r->count++];
    *c = (study_manifold){.stable = stable, .side = side, .rate = rate};
    w->found.n = 0;
    w->length = 0;
    c->ends = w->r->period > 0 ? along_map(w, c, vector) : along_motion(w, c, vector);
    c->length = w->length;
    c->points = w->found.n / (w->N + 1);
    c->point = base_arena_take(w->r->arena, sizeof(double) * (size_t)(w->found.n + 1));
    if (w->found.n) memcpy(c->point, w->found.at, sizeof(double) * (size_t)w->found.n);
    measure(w, c);
  }
}

static bool take_saddle(work* w, base_notes* notes)
{
  study_manifolds* r = w->r;
  study_saddle z = {.l = w->l, .t = r->t, .period = r->period, .x0 = w->x0, .arena = r->arena};
  double* vector = base_arena_take(r->arena, sizeof(double) * (size_t)(2 * w->N + 1));
  if (!study_saddle_take(&z, w->o->tolerance)) {
    base_error(notes, BASE_NOWHERE, "the motion next to the state cannot be linearised");
    return false;
  }
  const int out = study_saddle_only(&z, false, &r->unstable);
  const int in = study_saddle_only(&z, true, &r->stable);
  if (out < 0 && in < 0) {
    base_error(notes, BASE_NOWHERE,
               "it is no saddle with curves: its unstable manifold has %d dimension%s, its stable "
               "one %d",
               r->unstable, r->unstable == 1 ? "" : "s", r->stable);
    base_help(notes,
              "manifolds of one dimension are followed; --state tells which motion is meant");
    return false;
  }
  double* abs_tol = vector + w->N;
  for (int i = 0; i < w->N; i++) abs_tol[i] = w->o->tolerance * w->scale;
  const step_ode ode = {
      .n = w->N, .rhs = rhs, .context = w, .rel_tol = w->o->tolerance, .abs_tol = abs_tol};
  w->s = step_method_dop853.create(&step_method_dop853, &ode);
  for (int stable = 0; stable < 2; stable++) {
    const int which = stable ? in : out;
    if (which < 0) continue;
    study_saddle_vector(&z, which, vector);
    follow(w, stable, z.re[which], vector);
  }
  step_method_dop853.destroy(w->s);
  free(w->found.at);
  return true;
}

// is the motion one whose manifolds are curves of states? False with an error noted.
static bool is_taken(const study_stability* r, bool timed, base_notes* notes)
{
  if (r->C)
    base_error(notes, BASE_NOWHERE,
               "the motion is carried along by a turn: manifolds of such "
               "motions are not followed");
  else if (r->period > 0 && !timed)
    base_error(notes, BASE_NOWHERE,
               "the equations do not depend on time: manifolds of a periodic motion are surfaces, "
               "and only curves are followed");
  else
    return true;
  return false;
}

static bool find(work* w, const study_stability* near, base_notes* notes)
{
  study_manifolds* r = w->r;
  engine* e = w->l->e;
  const int n = e->n;
  bool timed, *ignorable = base_alloc((size_t)n + 1);
  engine_state(e, near->t, near->q, near->v);
  e->factored = false;
  const bool fine =
      study_steady_look(w->l, ignorable, &timed, notes) && is_taken(near, timed, notes);
  free(ignorable);
  if (!fine) return false;
  w->N = 2 * n;
  w->scale = 1;
  w->x0 = base_arena_take(r->arena, sizeof(double) * (size_t)(3 * w->N + 1));
  w->y = w->x0 + w->N;
  w->next = w->y + w->N;
  memcpy(w->x0, near->q, sizeof(double) * (size_t)n);
  memcpy(w->x0 + n, near->v, sizeof(double) * (size_t)n);
  r->q = w->x0;
  r->v = w->x0 + n;
  r->t = near->t;
  r->period = near->period;
  return take_saddle(w, notes);
}

study_manifolds* study_manifolds_find(mech_system* s, const study_manifold_options* o,
                                      base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return NULL;
  base_arena* arena = base_arena_new();
  study_manifolds* r = base_arena_take(arena, sizeof *r);
  *r = (study_manifolds){.arena = arena, .model = e->model, .n = e->n};
  work w = {.r = r, .o = o};
  const bool suits = study_chaos_suits(e, "manifolds are made of smooth motions", notes);
  const study_stability_options start = {.period = o->period, .given = o->given, .state = o->state};
  study_stability* near = suits ? study_stability_find(s, &start, notes) : NULL;
  w.l = near && study_stability_begin(e, &start, notes) ? study_linear_new(e, notes) : NULL;
  const bool fine = w.l && find(&w, near, notes);
  study_linear_free(w.l);
  study_stability_free(near);
  engine_free(e);
  if (fine) return r;
  base_arena_free(arena);
  return NULL;
}

void study_manifolds_free(study_manifolds* r)
{
  if (r) base_arena_free(r->arena);
}
