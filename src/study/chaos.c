// Lyapunov exponents and Poincare sections of a motion.
//
// Changes X of the state x(t) obey X' = J(t) X with J exact at every state (linear.c), integrated
// together with x. After each block of time the state is put back on the constraints, X is taken
// along their tangent space W and made orthonormal, X = W Q R; the mean of ln R_ii over time is the
// i-th exponent (Benettin, Galgani, Giorgilli, Strelcyn 1980). What they are known to is told by
// the means of batches of blocks, and by how far the sums of ln R_ii stray from a straight line.
// Kaplan and Yorke (1979): with sums S_j of the largest j exponents
// and j the last with S_j >= 0 the dimension of the attractor is j + S_j/|lambda_{j+1}|.
#include "study/chaos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 40, LEAST_BATCH = 5, STEPS_A_BLOCK = 8 };
enum { usual_steps = 1000000, enough = 2000, often = 500 }; // where no end is told: steps, blocks
static const double instant = 1e-15; // relative: an instant is told from the next
static const double transient = 0.1; // of the time, left out
static const double sure = 3;        // errors beyond which an exponent is told from zero
static const double powers = 4;      // of time, that regular motions may grow by
static const double good = 0.004;    // relative error of the largest with which it may end

// ---- the flow -----------------------------------------------------------------------------------

static int rhs(void* context, double t, const double* y, double* dy)
{
  const study_exponents* w = context;
  return study_linear_flow(w->l, w->d, t, y, dy);
}

double study_exponents_across(int d, int k, double* C)
{
  double *c = C + k * d, square = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < k; j++) {
      double sum = 0;
      for (int h = 0; h < d; h++) sum += c[h] * C[j * d + h];
      for (int h = 0; h < d; h++) c[h] -= sum * C[j * d + h];
    }
  for (int h = 0; h < d; h++) square += c[h] * c[h];
  return sqrt(square);
}

// d vectors of d numbers, row by row, made orthonormal; the logarithms of their lengths into grown
static void make_orthonormal(int d, double* C, double* grown)
{
  for (int k = 0; k < d; k++) {
    const double size = study_exponents_across(d, k, C);
    grown[k] = log(size);
    for (int h = 0; h < d; h++) C[k * d + h] /= size;
  }
}

// the state on its constraints, X along them and orthonormal; ln R_ii into `grown`. False with a
// reason in the engine.
static bool renew(study_exponents* w, double t, double* grown)
{
  study_linear* l = w->l;
  engine* e = l->e;
  const int n = e->n, N = 2 * n, d = w->d;
  bool moved;
  engine_state(e, t, w->y, w->y + n);
  if (e->mode.rows && engine_project(e, &moved)) return false;
  if (study_linear_at(l) || study_linear_tangent(l) != d) return false;
  memcpy(w->y, e->q, sizeof(double) * (size_t)n);
  memcpy(w->y + n, e->v, sizeof(double) * (size_t)n);
  double* X = w->y + N;
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++) {
      double sum = 0;
      for (int i = 0; i < N; i++) sum += l->W[i * d + h] * X[i * d + k];
      w->C[k * d + h] = sum; // column k of X as a row
    }
  make_orthonormal(d, w->C, grown);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < d; k++) {
      double sum = 0;
      for (int h = 0; h < d; h++) sum += l->W[i * d + h] * w->C[k * d + h];
      X[i * d + k] = sum;
    }
  return true;
}

// ---- sections -----------------------------------------------------------------------------------

typedef struct crossing
{
  study_exponents* w;
  step_stepper* s;
} crossing;

static double section_value(study_exponents* w, double t, const double* y)
{
  engine* e = w->l->e;
  double g;
  engine_state(e, t, y, y + e->n);
  code_run(w->section, e->in, &g, w->scratch);
  return g;
}

static double section_inside(void* context, double t)
{
  crossing* c = context;
  c->s->method->dense(c->s, t, c->w->next);
  return section_value(c->w, t, c->w->next);
}

static void note_section(study_exponents* w, double t, const double* y)
{
  base_push(&w->found, t);
  for (int i = 0; i < 2 * w->l->n; i++) base_push(&w->found, y[i]);
  w->crossings++;
}

// points of the last step on the section: where g rises through zero, or at multiples of a time
static void look(study_exponents* w, step_stepper* s)
{
  const study_chaos_options* o = w->o;
  if (o->every > 0) {
    for (double k = floor((s->t_old - w->r->from) / o->every) + 1;
         w->r->from + k * o->every <= s->t; k++) {
      const double t = w->r->from + k * o->every;
      s->method->dense(s, t, w->next);
      note_section(w, t, w->next);
    }
  } else if (w->section) {
    crossing c = {w, s};
    const double lo = section_inside(&c, s->t_old), hi = section_value(w, s->t, s->y);
    if (!(lo < 0 && hi >= 0)) return;
    const double t = num_bracket(section_inside, &c, s->t_old, lo, s->t, hi,
                                 instant * (fabs(s->t) + fabs(s->t - s->t_old)));
    s->method->dense(s, t, w->next);
    note_section(w, t, w->next);
  }
}

// ---- what is known ------------------------------------------------------------------------------

// standard error of the k-th exponent by the means of batches, as if they were independent
static double batch_error(const study_exponents* w, int k, int first, int batches)
{
  const int blocks = w->length.n;
  double square = 0;
  for (int m = 0; m < batches; m++) {
    const int from = first + (blocks - first) * m / batches,
              to = first + (blocks - first) * (m + 1) / batches;
    double s = 0, t = 0;
    for (int b = from; b < to; b++) {
      s += w->log.at[b * w->d + k];
      t += w->length.at[b];
    }
    square += (s / t - w->r->value[k]) * (s / t - w->r->value[k]);
  }
  return sqrt(square / (batches * (batches - 1.0)));
}

// The sum S(t) of ln R_kk is value * t + p(t), p nothing at both ends: the value is off by no more
// than the range of p over the time where p is bounded, as along periodic motions, of which batches
// hold no whole number. Of independent parts p is Brown's bridge, whose range is sqrt(pi/2)
// standard errors times the time in the mean (Feller 1951).
static double stray_error(const study_exponents* w, int k, int first, double time)
{
  double p = 0, least = 0, most = 0;
  for (int b = first; b < w->length.n; b++) {
    p += w->log.at[b * w->d + k] - w->r->value[k] * w->length.at[b];
    least = fmin(least, p);
    most = fmax(most, p);
  }
  return (most - least) / (sqrt(M_PI / 2) * time);
}

// exponents and their errors from the blocks behind the transient
static void estimate(study_exponents* w)
{
  study_chaos* r = w->r;
  const int blocks = w->length.n, d = w->d, first = (int)(transient * blocks);
  const int batches =
      (blocks - first) / LEAST_BATCH < BATCHES ? (blocks - first) / LEAST_BATCH : BATCHES;
  r->exponents = d;
  for (int k = 0; k < d; k++) {
    double sum = 0, time = 0;
    for (int b = first; b < blocks; b++) {
      sum += w->log.at[b * d + k];
      time += w->length.at[b];
    }
    r->value[k] = time > 0 ? sum / time : NAN;
    r->counted = time;
    // what is lost within one block is lost for ever
    if (batches < 2)
      r->error[k] = NAN;
    else if (isinf(sum))
      r->error[k] = 0;
    else
      r->error[k] = fmax(batch_error(w, k, first, batches), stray_error(w, k, first, time));
  }
}

static void sort(study_chaos* r)
{
  for (int i = 0; i < r->exponents; i++)
    for (int j = i + 1; j < r->exponents; j++)
      if (r->value[j] > r->value[i]) {
        const double value = r->value[i], error = r->error[i];
        r->value[i] = r->value[j];
        r->error[i] = r->error[j];
        r->value[j] = value;
        r->error[j] = error;
      }
}

static void kaplan_yorke(study_chaos* r)
{
  double sum = 0, blur = 0;
  int j = 0;
  for (; j < r->exponents; j++) {
    blur = hypot(blur, r->error[j]);
    if (sum + r->value[j] < -2 * blur) break;
    sum += r->value[j];
  }
  r->sum = 0;
  for (int i = 0; i < r->exponents; i++) r->sum += r->value[i];
  r->dimension = j < r->exponents ? j + fmax(sum, 0) / fabs(r->value[j]) : j;
}

// ---- the way ------------------------------------------------------------------------------------

void study_exponents_note(study_exponents* w, const double* grown, double length)
{
  for (int k = 0; k < w->d; k++) base_push(&w->log, grown[k]);
  base_push(&w->length, length);
  if (w->length.n % often == 0) estimate(w);
}

bool study_exponents_enough(const study_exponents* w)
{
  const study_chaos* r = w->r;
  if (isfinite(w->o->until)) return false;
  return r->steps >= usual_steps ||
         (w->length.n >= enough && fabs(r->error[0]) < good * fabs(r->value[0]));
}

// what was seen up to t
bool study_exponents_conclude(study_exponents* w, double t, base_notes* notes)
{
  study_chaos* r = w->r;
  r->to = t;
  estimate(w);
  // points of a section may be all that is wanted
  if (w->d && !isfinite(r->error[0]) && !w->section) {
    base_error(notes, BASE_NOWHERE,
               "up to t = %.6g there is too little of the motion for errors of "
               "its exponents",
               t);
    base_help(notes, "give a later --until, or none");
    return false;
  }
  sort(r);
  kaplan_yorke(r);
  // changes of regular motions grow like powers of time
  r->chaotic = w->d > 0 && r->value[0] > sure * r->error[0] &&
               r->value[0] * r->counted > powers * log((double)r->steps);
  return true;
}

// blocks of some steps each until the end
static bool follow(study_exponents* w, step_stepper* s, double t, base_notes* notes)
{
  const engine* e = w->l->e;
  study_chaos* r = w->r;
  double* grown = base_arena_take(r->arena, sizeof(double) * (size_t)(w->d + 1));
  const double end = isfinite(w->o->until) ? w->o->until : INFINITY;
  if (!(end > t)) {
    base_error(notes, BASE_NOWHERE,
               "exponents need time: the end, t = %.6g, is not behind the start", end);
    return false;
  }
  if (!renew(w, t, grown)) {
    base_error(notes, BASE_NOWHERE, "the motion cannot be linearised at its start: %s", e->reason);
    return false;
  }
  while (t < end && !study_exponents_enough(w)) {
    step_status status = s->method->start(s, t, w->y, isfinite(end) ? end : t + 1e6);
    for (int k = 0; k < STEPS_A_BLOCK && status == STEP_OK && s->t < end; k++) {
      status = s->method->step(s, end);
      r->steps++;
      if (status == STEP_OK) look(w, s);
    }
    if (status == STEP_OK) memcpy(w->y, s->y, sizeof(double) * (size_t)(2 * e->n * (1 + w->d)));
    if (status != STEP_OK || !renew(w, s->t, grown)) {
      base_error(notes, BASE_NOWHERE, "the motion could not be followed beyond t = %.6g: %s", s->t,
                 status != STEP_OK ? s->reason : e->reason);
      return false;
    }
    study_exponents_note(w, grown, s->t - t);
    t = s->t;
  }
  return study_exponents_conclude(w, t, notes);
}

static const char* unsuited(const engine* e)
{
  const model* m = e->model;
  if (m->stages > 1) return "stages change the motion";
  for (int i = 0; i < m->events; i++)
    if (m->event[i].action == MODEL_CHANGE) return "events change the motion";
  if (e->program->modes.count) return "forces have corners, at which small changes jump";
  for (int i = 0; i < m->coords; i++)
    if (i >= m->places) return "it has states of first order";
  return NULL;
}

bool study_chaos_suits(const engine* e, const char* what, base_notes* notes)
{
  const char* why = unsuited(e);
  if (!why) return true;
  base_error(notes, BASE_NOWHERE, "%s, and %s", what, why);
  base_help(notes, "leave these out, or look at one smooth piece of the motion");
  return false;
}

static bool make_section(study_exponents* w, base_notes* notes)
{
  engine* e = w->l->e;
  expr g = w->o->section, missing = EXPR_NONE;
  if (g == EXPR_NONE) return true;
  engine_fix(e->program, 1, &g, &g);
  w->section = code_build(e->s->pool, 1, &g, e->program->inputs, e->program->input, &missing);
  if (!w->section) {
    base_error(notes, BASE_NOWHERE, "the section cannot be evaluated");
    return false;
  }
  w->scratch = base_arena_take(w->r->arena, sizeof(double) * (code_scratch(w->section) + 1));
  return true;
}

static bool run(study_exponents* w, base_notes* notes)
{
  engine* e = w->l->e;
  study_chaos* r = w->r;
  const int N = 2 * e->n;
  if (study_linear_at(w->l)) return false;
  const int d = w->d = study_linear_tangent(w->l), size = N * (1 + d);
  w->y = base_arena_take(r->arena, sizeof(double) * (size_t)(2 * size + d * d + 2));
  w->next = w->y + size;
  w->C = w->next + size;
  r->value = base_arena_take(r->arena, sizeof(double) * (size_t)(2 * d + 2));
  r->error = r->value + d + 1;
  memcpy(w->y, e->q, sizeof(double) * (size_t)e->n);
  memcpy(w->y + e->n, e->v, sizeof(double) * (size_t)e->n);
  memcpy(w->y + N, w->l->W, sizeof(double) * (size_t)(N * d));
  double* abs_tol = base_arena_take(r->arena, sizeof(double) * (size_t)(size + 1));
  for (int i = 0; i < size; i++) abs_tol[i] = w->o->tolerance;
  const step_ode ode = {
      .n = size, .rhs = rhs, .context = w, .rel_tol = w->o->tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  r->from = e->in[0];
  const bool fine = make_section(w, notes) && follow(w, s, r->from, notes);
  step_method_dop853.destroy(s);
  r->points = (int)w->crossings;
  r->point = base_arena_take(r->arena, sizeof(double) * (size_t)(w->found.n + 1));
  if (w->found.n) memcpy(r->point, w->found.at, sizeof(double) * (size_t)w->found.n);
  code_free(w->section);
  return fine;
}

study_chaos* study_chaos_find(mech_system* s, const study_chaos_options* o, base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return NULL;
  base_arena* arena = base_arena_new();
  study_chaos* r = base_arena_take(arena, sizeof *r);
  *r = (study_chaos){.arena = arena, .model = e->model, .n = e->n};
  study_exponents w = {.r = r, .o = o};
  const bool runs = study_hybrid_is(e) && o->section == EXPR_NONE && !(o->every > 0);
  const bool suits = !runs && study_chaos_suits(e, "exponents are those of a smooth motion", notes);
  const study_stability_options start = {.given = o->given, .state = o->state};
  w.l = suits && study_stability_begin(e, &start, notes) ? study_linear_new(e, notes) : NULL;
  const bool fine = runs ? study_exponents_by_runs(&w, s, notes) : w.l && run(&w, notes);
  study_linear_free(w.l);
  free(w.log.at);
  free(w.length.at);
  free(w.found.at);
  engine_free(e);
  if (fine) return r;
  base_arena_free(arena);
  return NULL;
}

void study_chaos_free(study_chaos* r)
{
  if (r) base_arena_free(r->arena);
}
