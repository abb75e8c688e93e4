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
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { first_seeds = 16, most_points = 20000, inside = 4, most_steps = 200000, more_rounds = 3 };
static const double away = 1e-5;    // of the scale: where a curve begins
static const double apart = 0.02;   // of the scale: neighbours
static const double farthest = 100; // scales from the saddle at which curves end
static const double told = 1e-6;    // eigenvalues (logarithms of multipliers) that are not zero
static const double same = 1e-12;   // seeds

typedef BASE_LIST(double) list;

typedef struct work
{
  study_linear* l;
  study_manifolds* r;
  const study_manifold_options* o;
  int N, d;
  double* x0; // the saddle
  double scale;
  step_ode ode;
  step_stepper* s;
  double *y, *next;
  list found;
} work;

// ---- motions ------------------------------------------------------------------------------------

static int rhs(void* context, double t, const double* y, double* dy)
{
  const work* w = context;
  engine* e = w->l->e;
  engine_state(e, t, y, y + e->n);
  e->factored = false;
  if (contact_accelerations(e)) return 1;
  memcpy(dy, y + e->n, sizeof(double) * (size_t)e->n);
  memcpy(dy + e->n, e->a, sizeof(double) * (size_t)e->n);
  return 0;
}

static int rhs_changes(void* context, double t, const double* y, double* dy)
{
  const work* w = context;
  return study_linear_flow(w->l, w->d, t, y, dy);
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

static step_stepper* stepper_of(work* w, int size, int (*f)(void*, double, const double*, double*))
{
  double* abs_tol = base_arena_take(w->r->arena, sizeof(double) * (size_t)(size + 1));
  for (int i = 0; i < size; i++) abs_tol[i] = w->o->tolerance * w->scale;
  w->ode =
      (step_ode){.n = size, .rhs = f, .context = w, .rel_tol = w->o->tolerance, .abs_tol = abs_tol};
  return step_method_dop853.create(&step_method_dop853, &w->ode);
}

// ---- the saddle ---------------------------------------------------------------------------------

// the changes of the state over a period, or its rates of change, in the basis W
static bool linear_map(work* w, double* B)
{
  study_linear* l = w->l;
  engine* e = l->e;
  const int N = w->N;
  engine_state(e, w->r->t, w->x0, w->x0 + e->n);
  e->factored = false;
  if (study_linear_at(l)) return false;
  const int d = w->d = study_linear_tangent(l), size = N * (1 + d);
  double* W = base_arena_take(w->r->arena, sizeof(double) * (size_t)(N * d + size + 1));
  double* y = W + N * d;
  memcpy(W, l->W, sizeof(double) * (size_t)(N * d));
  memset(B, 0, sizeof(double) * (size_t)(d * d));
  if (w->r->period > 0) {
    memcpy(y, w->x0, sizeof(double) * (size_t)N);
    memcpy(y + N, W, sizeof(double) * (size_t)(N * d));
    step_stepper* s = stepper_of(w, size, rhs_changes);
    const step_way way = {.most_steps = most_steps, .context = w};
    const bool there = step_carry(s, w->r->t, y, w->r->t + w->r->period, &way) == STEP_OK;
    if (there) memcpy(y, s->y, sizeof(double) * (size_t)size);
    step_method_dop853.destroy(s);
    if (!there) return false;
  } else {
    for (int i = 0; i < N; i++)
      for (int k = 0; k < d; k++) {
        y[N + i * d + k] = 0;
        for (int j = 0; j < N; j++) y[N + i * d + k] += l->J[i * N + j] * W[j * d + k];
      }
  }
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++)
      for (int i = 0; i < N; i++) B[h * d + k] += W[i * d + h] * y[N + i * d + k];
  memcpy(l->W, W, sizeof(double) * (size_t)(N * d));
  return true;
}

// how fast changes along an eigenvector grow
static double growth(const work* w, double re, double im)
{
  return w->r->period > 0 ? log(hypot(re, im)) / w->r->period : re;
}

// The only one that grows (falls, where stable); -1: there is none or are several. How many into
// `count`.
static int only_one(const work* w, const double* re, const double* im, bool stable, int* count)
{
  double size = 0;
  int which = -1;
  *count = 0;
  for (int k = 0; k < w->d; k++) size = fmax(size, fabs(growth(w, re[k], im[k])));
  for (int k = 0; k < w->d; k++) {
    const double g = growth(w, re[k], im[k]);
    if (!(stable ? g < -told * size : g > told * size)) continue;
    (*count)++;
    which = k;
  }
  return *count == 1 ? which : -1;
}

// its unit vector in the space of states
static void vector_of(const work* w, const double* B, double re, double* out)
{
  const int d = w->d;
  double *x = base_alloc(sizeof(double) * (size_t)(2 * d + 1)), size = 0;
  num_eigenvectors* v = num_eigenvectors_new(d, B);
  num_eigenvectors_of(v, re, 0, x, x + d);
  num_eigenvectors_free(v);
  for (int i = 0; i < w->N; i++) {
    out[i] = 0;
    for (int k = 0; k < d; k++) out[i] += w->l->W[i * d + k] * x[k];
    size += out[i] * out[i];
  }
  // the first part that is not nothing is positive: sides are told by it
  int first = 0;
  while (first < w->N - 1 && fabs(out[first]) < 1e-9 * sqrt(size)) first++;
  const double by = copysign(1 / sqrt(size), out[first]);
  for (int i = 0; i < w->N; i++) out[i] *= by;
  free(x);
}

// ---- one curve ----------------------------------------------------------------------------------

static void note(work* w, double t, const double* y)
{
  base_push(&w->found, t);
  for (int i = 0; i < w->N; i++) base_push(&w->found, y[i]);
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
    if (steps == most_steps || w->found.n > most_points * (w->N + 1))
      return "as many points as are kept";
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
  for (int i = 0; i + 1 < p->seed.n && p->seed.n < room;) {
    const double off = distance(w, p->state.at + i * N, p->state.at + (i + 1) * N);
    if (!(off > apart * w->scale) || !insert(p, i, maps)) i++;
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
  const int maps = isfinite(w->o->until) ? (int)fmin(floor(w->o->until / span + 1e-9), 1e6)
                                         : (int)ceil(log(1 / away) / log(p.factor)) + more_rounds;
  const char* why = isfinite(w->o->until) ? "the time ends" : "it could have come back";
  for (int i = 0; i <= first_seeds; i++) {
    base_push(&p.seed, (double)i / first_seeds);
    for (int k = 0; k < w->N; k++) base_push(&p.state, 0.0);
    if (!point_of(&p, p.seed.at[i], 0, p.state.at + i * w->N)) why = "the motion has no start";
  }
  for (int k = 0; k <= maps; k++) {
    const int before = p.seed.n, good = advance(&p, k);
    for (int i = k > 0; i < p.seed.n; i++) note(w, k * p.time, p.state.at + i * w->N);
    if (good < before) why = "it has gone far from the saddle";
    if (w->found.n >= most_points * (w->N + 1) || p.seed.n >= most_points)
      why = "as many points as are kept";
    if (good < before || w->found.n >= most_points * (w->N + 1)) break;
  }
  free(p.seed.at);
  free(p.state.at);
  return why;
}

// how long it is, and how near it comes to the saddle behind its farthest point
static void measure(const work* w, study_manifold* c)
{
  const int width = w->N + 1;
  double most = 0;
  c->back = INFINITY;
  for (int k = 0; k < c->points; k++) {
    const double* y = c->point + k * width + 1;
    const double far = distance(w, y, w->x0);
    if (k) c->length += distance(w, y, y - width);
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
    c->ends = w->r->period > 0 ? along_map(w, c, vector) : along_motion(w, c, vector);
    c->points = w->found.n / (w->N + 1);
    c->point = base_arena_take(w->r->arena, sizeof(double) * (size_t)(w->found.n + 1));
    if (w->found.n) memcpy(c->point, w->found.at, sizeof(double) * (size_t)w->found.n);
    measure(w, c);
  }
}

static bool take_saddle(work* w, base_notes* notes)
{
  study_manifolds* r = w->r;
  const int N = w->N;
  double *B = base_arena_take(r->arena, sizeof(double) * (size_t)(N * N + 2 * N + 2 * N + 1)),
         *re = B + N * N, *im = re + N, *vector = im + N;
  if (!linear_map(w, B) || !num_eigen(w->d, B, re, im)) {
    base_error(notes, BASE_NOWHERE, "the motion next to the state cannot be linearised");
    return false;
  }
  const int out = only_one(w, re, im, false, &r->unstable);
  const int in = only_one(w, re, im, true, &r->stable);
  if (out < 0 && in < 0) {
    base_error(notes, BASE_NOWHERE,
               "it is no saddle with curves: its unstable manifold has %d dimension%s, its stable "
               "one %d",
               r->unstable, r->unstable == 1 ? "" : "s", r->stable);
    base_help(notes,
              "manifolds of one dimension are followed; --state tells which motion is meant");
    return false;
  }
  w->s = stepper_of(w, N, rhs);
  if (out >= 0) {
    vector_of(w, B, re[out], vector);
    follow(w, false, re[out], vector);
  }
  if (in >= 0) {
    vector_of(w, B, re[in], vector);
    follow(w, true, re[in], vector);
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
  const char* why = study_chaos_unsuited(e);
  if (why) {
    base_error(notes, BASE_NOWHERE, "manifolds are made of smooth motions, and %s", why);
    base_help(notes, "leave these out, or look at one smooth piece of the motion");
  }
  const study_stability_options start = {.period = o->period, .given = o->given, .state = o->state};
  study_stability* near = why ? NULL : study_stability_find(s, &start, notes);
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
