// Every form against the common problem, and Gauss's principle, at random states.
//
// Gauss (1829): among the accelerations the constraints admit at a state, the real ones make
//   U(a) = 1/2 (a - M^-1 F)^T M (a - M^-1 F)
// least. For an admissible change d (A d = 0):  U(a + d) - U(a) = 1/2 d^T M d + d^T (M a - F).
//
// A declared integral I is conserved where dI/dt, with the accelerations of the motion, vanishes at
// every such state, and where it stays what it is in a run: each step adds an error of the order of
// the tolerance.
#include "engine/engine.h"
#include "study/forms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double agreement_limit = 1e-10, rounding = 1e-6;
// of what rounding each term once would do: terms are rounded some times on their way
static const double roundings = 32;
static const double rate_limit = 1e-9, errors_per_step = 10;
// s; of a model without a run of its own
static const double default_span = 10;
// of equations made for another state
static const double well_conditioned = 1e-13;
enum { changes_per_state = 20, most_kept_tried = 4 };

static double draw(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// guesses for all coordinates and velocities, around the initial state
static void throw_state(const model* m, const study_point* start, uint64_t* seed,
                        model_initial* out)
{
  for (int i = 0; i < 2 * m->coords; i++) {
    const int k = i % m->coords, order = i / m->coords;
    const double x = (order ? start->v : start->q)[k] + 0.3 * draw(seed);
    const expr value = expr_double(m->pool, x);
    out[i] = (model_initial){.f = expr_sub(m->pool, order ? m->coord[k].v : m->coord[k].q, value),
                             .guess = true,
                             .coord = k,
                             .order = order,
                             .value = value,
                             .place = BASE_NOWHERE};
  }
}

static double apart(int n, const double* a, const double* b)
{
  double most = 0, size = 1;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / size;
}

// what holds a quaternion to its sphere is no force: each form may give it another value
static double reactions_apart(const model* m, const double* a, const double* b)
{
  double most = 0, size = 1;
  for (int k = 0; k < m->constraints; k++) {
    if (m->constraint[k].internal) continue;
    most = fmax(most, fabs(a[k] - b[k]));
    size = fmax(size, fabs(a[k]));
  }
  return most / size;
}

// Directions that the ideal equations leave free, into e->Z; how many. Controls and resistances are
// forces here, at the values found.
static int admissible(engine* e)
{
  const int n = e->n;
  int rows = 0;
  engine_equations(e);
  for (int r = 0; r < e->mode.rows; r++)
    if (engine_is_ideal(e, e->mode.row[r]) && !e->model->constraint[e->mode.row[r]].sense)
      memcpy(e->work.Ar + rows++ * n, e->A + e->mode.row[r] * n, sizeof(double) * (size_t)n);
  e->factored = false;
  const int rank = num_null_factor(e->work.null, rows, n, e->work.Ar, 0);
  num_null_basis(e->work.null, e->work.Z);
  return n - rank;
}

// Where the set of admissible accelerations is curved: random points of it must not lie below the
// one found. 1 while none does, less by as much as one is below.
static double curved_gain(engine* e, uint64_t* seed)
{
  double start[LEAST_STATIONARY_MOST], gain = 1;
  for (int trial = 0; trial < changes_per_state; trial++) {
    for (int k = 0; k < LEAST_STATIONARY_MOST; k++) start[k] = draw(seed);
    gain = fmin(gain, 1 + fmin(0, engine_curved_gain(e, start)));
  }
  return gain;
}

// does the change d of the accelerations loosen every stressed inequality, or leave it? (Sinitsyn
// 1990, (1.3))
static bool loosens(const engine* e, const double* d)
{
  for (int k = 0; k < e->m; k++) {
    const int sense = e->model->constraint[k].sense;
    if (!sense || !e->mode.active[k]) continue;
    double along = 0;
    for (int j = 0; j < e->n; j++) along += e->A[k * e->n + j] * d[j];
    if (sense * along < 0) return false;
  }
  return true;
}

// the least relative gain of Gauss's function over random admissible changes of the accelerations
static double least_gain(engine* e, uint64_t* seed)
{
  if (e->mode.curved) return curved_gain(e, seed);
  const int n = e->n, l = admissible(e);
  double least = INFINITY, size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(e->a[i]));
  if (size == 0) size = 1;
  double* d = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int trial = 0; trial < changes_per_state && l > 0; trial++) {
    memset(d, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < l; k++) {
      const double r = size * draw(seed);
      for (int i = 0; i < n; i++) d[i] += r * e->work.Z[i * l + k];
    }
    if (e->unilateral && !loosens(e, d)) {
      for (int i = 0; i < n; i++) d[i] = -d[i];
      if (!loosens(e, d)) continue;
    }
    double square = 0, linear = 0;
    for (int i = 0; i < n; i++) {
      double push = -e->F[i];
      for (int j = 0; j < n; j++) {
        square += d[i] * e->M[i * n + j] * d[j] / 2;
        push += e->M[i * n + j] * e->a[j];
      }
      linear += push * d[i];
    }
    if (square > 0) least = fmin(least, (square + linear) / square);
  }
  free(d);
  return least;
}

// Gauss's principle and the integrals at the motion in the engine
static void look_at(engine* e, uint64_t* seed, study_verdict* v)
{
  v->gauss_gain = fmin(v->gauss_gain, least_gain(e, seed));
  for (int i = 0; i < v->integrals; i++) {
    const double rate = walk_integral_rate(e, engine_integral_at(e->model, i));
    if (!(rate <= v->integral[i].rate)) v->integral[i].rate = rate; // keeps a nan
  }
}

// the drift of the integrals in the model's own run
static void follow_integrals(mech_system* s, study_verdict* v, base_notes* notes)
{
  walk_options o = walk_options_default();
  if (!s->model->has_run && !s->model->stages) o.until = default_span;
  walk_track* t = v->integrals ? walk_run(s, &o, notes) : NULL;
  v->conserves = !v->integrals || (t && !*t->doubt);
  if (!t) return;
  v->run_from = t->t_from;
  v->run_to = t->t_reached;
  const double steps = fmax(1, (double)t->counts.steps);
  for (int i = 0; i < v->integrals; i++) {
    study_conservation* x = &v->integral[i];
    x->drift = t->integral[i].drift;
    // integrals are followed in doubles, however exact the run is
    x->bound = errors_per_step * steps * fmax(t->tolerance, DBL_EPSILON);
    x->steady = x->rate <= rate_limit;
    x->conserved = x->steady && x->drift <= x->bound;
    v->conserves = v->conserves && x->conserved;
  }
  walk_track_free(t);
}

// a state, its motion by the common problem, and what forms make of it
typedef struct trial
{
  engine* e;
  study_forms* forms;
  bool* active; // at the start of each
  double *a, *lambda;
  double rounding; // how far that takes forms apart at this state
} trial;

static void restore(const trial* x)
{
  memcpy(x->e->a, x->a, sizeof(double) * (size_t)x->e->n);
  memcpy(x->e->lambda, x->lambda, sizeof(double) * (size_t)x->e->m);
}

static double off_now(const trial* x)
{
  return fmax(apart(x->e->n, x->a, x->e->a), reactions_apart(x->e->model, x->lambda, x->e->lambda));
}

// Equations made for another state first; where these are singular or ill-conditioned here, others
// with dependent velocities of this state's choice. Nan where none can be solved.
static double difference_of(trial* x, const mech_form* form)
{
  double least = NAN;
  for (int k = 0; k < most_kept_tried; k++) {
    restore(x);
    if (!study_forms_again(x->forms, x->e, form, k)) continue;
    least = fmin(least, off_now(x));
    if (least <= fmax(well_conditioned, x->rounding)) return least;
  }
  base_notes* quiet = base_notes_new();
  restore(x);
  if (study_forms_solve(x->forms, x->e, form, quiet)) least = fmin(least, off_now(x));
  base_notes_free(quiet);
  return least;
}

// Does a contact stay at its limit by what holds with it, in a sliding regime? The motion is then a
// mixture of two systems, and has no equations of its own.
static bool is_mixed(const engine* e)
{
  bool mixed = e->unilateral && e->mode.regime >= 0;
  for (int p = 0; p < e->parts; p++) mixed = mixed || is_mixed(e->part[p].e);
  return mixed;
}

// the motion at a state; false where there is none, or none that equations of a form could have
static bool stand(trial* x, double t, int count, const model_initial* state)
{
  engine* e = x->e;
  base_notes* quiet = base_notes_new();
  memcpy(e->mode.active, x->active, (size_t)e->m);
  memset(e->mode.implied, 0, (size_t)e->m);
  e->mode.implied_count = 0;
  engine_rows(e);
  engine_time(e, t);
  bool fine = walk_start(e, t, count, state, quiet, NULL);
  if (fine) {
    engine_time(e, t);
    engine_set_aside(e);
    fine = walk_first_accelerations(e, quiet);
  }
  fine = fine && !is_mixed(e);
  if (fine) {
    contact_reactions(e);
    memcpy(x->a, e->a, sizeof(double) * (size_t)e->n);
    memcpy(x->lambda, e->lambda, sizeof(double) * (size_t)e->m);
    x->rounding = roundings * study_verify_rounding(e);
  }
  base_notes_free(quiet);
  return fine;
}

static void compare_forms(trial* x, study_verdict* v)
{
  v->states++;
  for (int i = 0; i < v->forms; i++) {
    study_agreement* a = &v->agreement[i];
    if (a->unsuited) continue;
    const double off = difference_of(x, a->form);
    if (isnan(off)) {
      a->refused++;
      continue;
    }
    a->difference = fmax(a->difference, off);
    a->disagrees = a->disagrees || !(off <= fmax(agreement_limit, x->rounding));
    a->states++;
  }
  restore(x);
}

static study_verdict* make_verdict(mech_system* s)
{
  base_arena* arena = base_arena_new();
  study_verdict* v = base_arena_take(arena, sizeof *v);
  v->arena = arena;
  v->forms = mech_form_count();
  v->agreement = base_arena_take(arena, sizeof *v->agreement * (size_t)(v->forms + 1));
  v->gauss_gain = INFINITY;
  v->integrals = engine_integral_count(s->model);
  v->integral = base_arena_take(arena, sizeof *v->integral * (size_t)(v->integrals + 1));
  for (int i = 0; i < v->integrals; i++)
    v->integral[i].name = engine_integral_at(s->model, i)->name;
  for (int i = 0; i < v->forms; i++) {
    v->agreement[i].form = mech_form_at(i);
    v->agreement[i].unsuited = mech_form_unsuited(v->agreement[i].form, s, arena);
  }
  return v;
}

study_verdict* study_verify(mech_system* s, int states, base_notes* notes)
{
  const model* m = s->model;
  study_point* start = study_point_solve(s, NULL, 0, NULL, notes);
  engine* e = start ? contact_engine_new(s, notes) : NULL;
  study_verdict* v = NULL;
  if (e) engine_time(e, start->t);
  if (e && m->stages) walk_change_first(e, &m->stage[0].change, notes);
  if (e) {
    v = make_verdict(s);
    model_initial* state = base_alloc(sizeof *state * (size_t)(2 * m->coords + 1));
    trial x = {.e = e, .forms = study_forms_new()};
    x.a = base_arena_take(v->arena, sizeof(double) * (size_t)(e->n + e->m + 1));
    x.lambda = x.a + e->n;
    x.active = base_arena_take(v->arena, (size_t)e->m + 1);
    memcpy(x.active, e->mode.active, (size_t)e->m);
    uint64_t seed = 1829;
    for (int i = 0; i < states; i++) {
      // inequalities are stressed at the initial state rather than at one thrown
      const bool first = i == 0 && e->unilateral;
      throw_state(m, start, &seed, state);
      if (!stand(&x, start->t, first ? m->initials : 2 * m->coords, first ? m->initial : state))
        continue;
      compare_forms(&x, v);
      look_at(e, &seed, v);
    }
    study_forms_free(x.forms);
    free(state);
    v->agrees = v->states > 0;
    for (int i = 0; i < v->forms; i++) {
      const study_agreement* a = &v->agreement[i];
      v->agrees = v->agrees && !a->disagrees;
    }
    v->least = v->gauss_gain >= 1 - rounding;
    follow_integrals(s, v, notes);
  }
  engine_free(e);
  study_point_free(start);
  return v;
}

void study_verdict_free(study_verdict* v)
{
  if (v) base_arena_free(v->arena);
}
