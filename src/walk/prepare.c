// Before the first step of a run: its span, its rows, its method, its initial state.
#include "contact/contact.h"
#include "engine/engine.h"
#include "walk/method.h"
#include "walk/moreau.h"
#include "walk/singular.h"
#include "walk/step_ends.h"
#include "walk/sticking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { default_points = 501, many_rows = 40 };

static int compare_doubles(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// the end of the last stage, where all stages end at known times
static double end_of_stages(walk_job* r)
{
  const model* m = r->s->model;
  double end = -INFINITY;
  for (int i = 0; i < m->stages; i++) {
    if (m->stage[i].until_time == EXPR_NONE) return INFINITY;
    end = fmax(end, engine_value_again(r->e, m->stage[i].until_time));
  }
  return end;
}

bool walk_run_span(walk_job* r)
{
  const model* m = r->s->model;
  walk_track* t = r->track;
  t->t_from = m->has_run ? engine_value_again(r->e, m->run_from) : 0;
  r->t_end = !isnan(r->o->until) ? r->o->until
             : m->has_run        ? engine_value_again(r->e, m->run_to)
             : m->stages         ? end_of_stages(r)
                                 : 10;
  for (int i = 0; i < r->o->at_count; i++) {
    if (r->o->at[i] < t->t_from) {
      base_error(r->notes, BASE_NOWHERE, "--at %g lies before the start of the run at t = %g",
                 r->o->at[i], t->t_from);
      return false;
    }
    if (r->o->at[i] <= r->t_end) continue;
    if (!isnan(r->o->until)) {
      base_error(r->notes, BASE_NOWHERE, "--at %g lies behind the end of the run at t = %g",
                 r->o->at[i], r->t_end);
      return false;
    }
    r->t_end = r->o->at[i];
  }
  if (!(r->t_end > t->t_from)) {
    base_error(r->notes, BASE_NOWHERE, "the run ends at t = %g, not after its start at t = %g",
               r->t_end, t->t_from);
    return false;
  }
  t->t_to = r->t_end;
  return true;
}

static void even_times(walk_rows* c, base_arena* a, double from, double to, int count)
{
  c->times = base_arena_take(a, sizeof(double) * (size_t)count);
  c->count = count;
  for (int i = 0; i + 1 < count; i++) c->times[i] = from + (to - from) * i / (count - 1);
  c->times[count - 1] = to;
}

bool walk_run_rows(walk_job* r)
{
  walk_rows* c = r->record;
  const walk_options* o = r->o;
  base_arena* a = r->track->arena;
  const double from = r->track->t_from;
  c->curves = o->curves && r->track->curve_columns > 1;
  if (o->no_rows) {
    even_times(c, a, from, from, 1);
    c->fixed_rows = true;
    return true;
  }
  if (o->at_count) {
    c->times = base_arena_take(a, sizeof(double) * (size_t)o->at_count);
    memcpy(c->times, o->at, sizeof(double) * (size_t)o->at_count);
    qsort(c->times, (size_t)o->at_count, sizeof(double), compare_doubles);
    c->count = o->at_count;
    c->fixed_rows = true;
    return true;
  }
  const bool endless = isinf(r->t_end);
  if (o->every > 0) {
    const double most =
        endless ? 1e6 : floor((r->t_end - from) / o->every * (1 + engine_row_rounding)) + 1;
    if (most > 2e7) {
      base_error(r->notes, BASE_NOWHERE, "--every %g would give %.3g rows, more than 20 million",
                 o->every, most);
      return false;
    }
    c->count = (int)most;
    c->times = base_arena_take(a, sizeof(double) * (size_t)c->count);
    for (int i = 0; i < c->count; i++) {
      c->times[i] = from + i * o->every;
      if (c->times[i] > r->t_end) c->times[i] = r->t_end;
    }
    return true;
  }
  // the last row comes with the end, wherever that is
  if (endless && o->points == 2) {
    even_times(c, a, from, from, 1);
    return true;
  }
  if (endless && o->points) {
    base_error(r->notes, BASE_NOWHERE, "--points needs to know the end of the run");
    base_help(r->notes, "say where it ends with --until, or use --every");
    return false;
  }
  if (!endless) even_times(c, a, from, r->t_end, o->points ? o->points : default_points);
  return true;
}

void walk_run_warn_redundant(walk_job* r)
{
  walk_track* t = r->track;
  t->redundant_row = base_arena_take(t->arena, sizeof(int) * (size_t)(r->e->m + 1));
  engine_set_aside(r->e);
  for (int k = 0; k < r->e->m; k++)
    if (r->e->mode.implied[k]) t->redundant_row[t->redundant++] = k;
  bool rubs = false;
  for (int i = 0; i < t->redundant; i++) {
    const model_constraint* c = &r->s->model->constraint[t->redundant_row[i]];
    if (c->sticks) {
      if (!rubs)
        base_warning(r->notes, c->place,
                     "more contacts stick than the rest needs: how they share the forces is not "
                     "determined, one way that their friction allows is given");
      rubs = true;
      continue;
    }
    base_warning(r->notes, c->place,
                 "the constraint `%s` follows from the others; reactions of least norm are given",
                 c->name);
  }
}

// is a table asked outside its range at the start?
static bool is_left(engine* e, base_notes* notes)
{
  const model* m = e->model;
  bool left = false;
  if (!m->silent) return false;
  double* value = base_alloc(sizeof(double) * (size_t)(m->events + m->stages + 1));
  code_run(e->program->watches, e->in, value, e->work.scratch);
  for (int i = 0; i < m->events && !left; i++) {
    left = m->event[i].action == MODEL_LEAVE && value[i] < 0;
    if (left) base_error(notes, m->event[i].place, "at the start: %s", m->event[i].name);
  }
  free(value);
  return left;
}

// can the accelerations be found at the start, and do redundant constraints agree?
bool walk_first_accelerations(engine* e, base_notes* notes)
{
  if (is_left(e, notes)) return false;
  if (contact_guard_broken(e) || walk_stick_start(e) || contact_sides(e) ||
      contact_accelerations(e)) {
    walk_start_fault(e, notes);
    return false;
  }
  if (walk_start_cancels(e, notes)) return false;
  engine_scales_see_all(e, e->q, e->v, e->a);
  engine_scales_see_terms(e);
  if (!engine_curved_complete(e))
    base_info(notes, BASE_NOWHERE,
              "the least of Gauss's function was found by search: that no other accelerations are "
              "less is not proved");
  double worst = 0, fastest = 0;
  const double quick = engine_scale_quick(e);
  int which = -1;
  for (int j = 0; j < e->n; j++) fastest = fmax(fastest, fabs(e->a[j]));
  // where forces balance, what is left of the accelerations is rounding
  for (int j = 0; j < e->n; j++)
    if (engine_mass_of(e, j) > 0)
      fastest = fmax(fastest, engine_balance_left * fabs(e->F[j]) / engine_mass_of(e, j));
  if (e->sparse) fastest = fmax(fastest, engine_balance_left * engine_sparse_push(e));
  for (int k = 0; k < e->m; k++) {
    if (!e->mode.active[k]) continue;
    const double left = engine_row_dot(e, k, e->a) - e->c[k], norm = engine_row_norm(e, k);
    const double size = fabs(e->c[k]) + norm * fastest;
    // of a motion that begins without acceleration, as that of a control may, all is rounding
    if (fabs(left) * quick <= engine_noise_force * engine_scale_row(e, k, 1)) continue;
    if (size == 0 || fabs(left) / size <= worst) continue;
    worst = fabs(left) / size;
    which = k;
  }
  if (worst <= engine_contradiction) return true;
  base_error(
      notes, e->model->constraint[which].place,
      "the constraint `%s` contradicts the others: no accelerations satisfy all of them (relative "
      "residual %.3g)",
      e->model->constraint[which].name, worst);
  return false;
}

void walk_run_begin_stage(walk_job* r, int stage)
{
  const model* m = r->s->model;
  r->stage = stage;
  r->stage_until = INFINITY;
  r->open_time = engine_scale_motion(r->e);
  if (m->stage[stage].until_time != EXPR_NONE)
    r->stage_until = engine_value_again(r->e, m->stage[stage].until_time);
}

// A force that depends on time by itself may do nothing for long and then act briefly: steps stay
// short enough to see what a user would draw.
static double longest_step(const walk_job* r)
{
  const bool timed = r->e->program->timed && isfinite(r->t_end);
  return timed ? (r->t_end - r->track->t_from) / default_points : INFINITY;
}

static void warn_gained(walk_job* r, double t)
{
  if (!r->e->unilateral || r->told_gained || !(r->e->unilateral->gained > 0)) return;
  r->told_gained = true;
  base_warning(r->notes, BASE_NOWHERE,
               "at t = %.10g: by the law of impact the motion has more energy after the impact "
               "than before, by %.6g",
               t, r->e->unilateral->gained);
  base_help(r->notes, "Newton's law can do that with friction; `poisson` may do better");
}

void walk_run_warn_laws(walk_job* r, double t)
{
  warn_gained(r, t);
  if (!r->e->ambiguous) return;
  r->e->ambiguous = false;
  if (r->told_ambiguous) return;
  r->told_ambiguous = true;
  const char* answers = contact_paradox_answers(r->e);
  base_warning(r->notes, BASE_NOWHERE,
               "at t = %.10g: more than one motion satisfies the laws of resistance; the one that "
               "%s is taken%s%s",
               t, r->e->beyond == MODEL_BEYOND_SLIP ? "slips" : "sticks, or goes on as before,",
               *answers ? ": " : "", answers);
}

// the initial state, with its first stage; false with errors noted
static bool find_start(walk_job* r)
{
  const model* m = r->s->model;
  const bool leaps = r->e->by_impulses;
  walk_track* t = r->track;
  engine_time(r->e, 0);
  if (!walk_run_span(r)) return false;
  engine_scales_span(r->e, r->t_end - t->t_from);
  engine_time(r->e, t->t_from);
  r->stage = -1;
  r->stage_until = INFINITY;
  if (leaps && !walk_moreau_open(r)) return false;
  if (m->stages && walk_change_first(r->e, &m->stage[0].change, r->notes)) return false;
  r->e->look_ahead = !leaps;
  if (!walk_start(r->e, t->t_from, m->initials, m->initial, r->notes, &t->guesses)) return false;
  if (leaps) walk_moreau_started(r->e);
  engine_time(r->e, t->t_from);
  engine_delays_stand(r->e);
  walk_sample_open(r);
  if (!walk_sample_start(r)) return false;
  if (walk_gradient_missing(r->e, r->notes)) return false;
  walk_run_warn_redundant(r);
  if (m->mechanism && walk_freedom_left(r->e, r->notes)) return false;
  return leaps || walk_first_accelerations(r->e, r->notes);
}

// off by a share of itself, to this side or that
static void put_off(walk_job* r)
{
  const double share = r->o->off_at_first;
  for (int i = 0; i < 2 * r->e->n && i < r->f->ode.n && share > 0; i++)
    r->y[i] *= 1 + (i % 3 == 1 ? -share : share);
}

// what the steps write down, at once
static void take_memory(walk_job* r)
{
  const int n = r->e->n, all = r->f->ode.n;
  const struct
  {
    double** at;
    int count;
  } list[] = {{&r->before, r->watch->count + 1},
              {&r->approach, r->s->model->events + 1},
              {&r->least_before, n},
              {&r->y, all + 2 * r->e->m},
              {&r->y_start, all},
              {&r->places, 2 * walk_watchdog_rows * n + 1}};
  const int lists = sizeof list / sizeof *list;
  size_t sum = 0;
  for (int i = 0; i < lists; i++) sum += (size_t)list[i].count;
  double* at = base_arena_take(r->track->arena, sizeof(double) * sum);
  for (int i = 0; i < lists; at += list[i++].count) *list[i].at = at;
  r->before_t = NAN;
  r->least_jumps = base_arena_take(r->track->arena, (size_t)engine_curved_places(r->e));
}

bool walk_run_prepare(walk_job* r)
{
  const model* m = r->s->model;
  walk_track* t = r->track;
  if (!find_start(r)) return false;
  t->tolerance = r->moreau             ? cone_many_tolerance
                 : r->o->tolerance > 0 ? r->o->tolerance
                 : m->tolerance > 0    ? m->tolerance
                                       : engine_usual_tolerance;
  const step_method* method = walk_method_choose(r);
  if (!method) return false;
  if (r->o->step > 0 && !r->moreau) {
    base_error(r->notes, BASE_NOWHERE,
               "--step is for the method moreau; `%s` chooses its own steps", method->name);
    base_help(r->notes, "--tol says how exact they are");
    return false;
  }
  walk_run_warn_laws(r, t->t_from);
  walk_method_prepare(r, method);
  if (r->moreau && !walk_moreau_prepare(r)) return false;
  if (rate_flow_rebase(r->f)) {
    walk_start_fault(r->e, r->notes);
    return false;
  }
  r->record = walk_rows_new(t, r->f);
  r->watch = walk_events_new(r->f);
  take_memory(r);
  if (!walk_run_rows(r)) return false;
  if (r->record->count >= many_rows) engine_native(r->e);
  r->stepper = method->create(method, &r->f->ode);
  r->singular = method->decides ? NULL : walk_singular_new(r);
  rate_flow_store(r->f, 0, r->y);
  if (!walk_method_refine(r)) return false;
  put_off(r);
  rate_flow_scale(r->f, r->y);
  r->ends = walk_ends_new(r);
  r->longest_step = r->moreau ? INFINITY : longest_step(r);
  if (r->e->delays) r->longest_step = fmin(r->longest_step, r->e->delays->shortest);
  if (m->stages) walk_run_begin_stage(r, 0);
  return true;
}
