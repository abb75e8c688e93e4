// Which method integrates a run, and what happens where the chosen one cannot go on.
#include "walk/method.h"

#include "rate/rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// series of this many operations or more do not fit the fast memory: measured on the gallery
enum { most_series_operations = 4000 };
// a kernel of more takes longer to make than most runs take without it
enum { most_kernel_operations = 1000 };
// a margin of the constraints that leaves their multipliers all digits; of many rows, each of which
// meets few others, it falls with the root of their number wherever they are
static const double clear = 0.3, clear_of_many = 0.8;

const char* walk_method_name(int i)
{
  return i < 0 || i >= step_method_count() ? NULL : step_method_at(i)->name;
}

const char* walk_method_summary(int i)
{
  return i < 0 || i >= step_method_count() ? NULL : step_method_at(i)->summary;
}

bool walk_method_known(const char* name, base_place place, base_notes* notes)
{
  if (step_method_find(name)) return true;
  base_text list = {0};
  for (int i = 0; walk_method_name(i); i++)
    base_text_printf(&list, "%s%s", i ? ", " : "", walk_method_name(i));
  base_error(notes, place, "there is no method `%s`", name);
  base_help(notes, "the methods are %s", list.at);
  base_text_free(&list);
  return false;
}

// does a change let params follow the limit of fast motions, which are many?
static bool goes_to_limits(const model* m)
{
  bool found = false;
  for (int i = 0; i < m->events + m->stages; i++) {
    const model_change* c = i < m->events ? &m->event[i].change : &m->stage[i - m->events].change;
    for (int k = 0; k < c->sets && c->carry == MODEL_CARRY_LIMIT; k++)
      found = found || (c->set[k].target == MODEL_SET_PARAM && c->set[k].over == EXPR_NONE);
  }
  return found;
}

// Are full matrices needed? Power series and twice the digits are made of them.
static bool needs_full(const walk_job* r, const step_method* method)
{
  if (r->s->n > MECH_MANY) return false;
  const double asked = r->o->tolerance > 0 ? r->o->tolerance : r->s->model->tolerance;
  return (asked > 0 && asked < engine_doubles_end) ||
         (method && (method->series_form || method->implicit_form));
}

engine* walk_method_engine(const walk_job* r)
{
  const model* m = r->s->model;
  const step_method* method = step_method_find(r->o->method ? r->o->method : m->method);
  const bool leaps = method && method->leap_form;
  // steps need no accelerations, but those motions do
  const engine_kind stepped = {.most = MECH_MANY,
                               .large = !needs_full(r, method),
                               .divide = !(method && method->flight_form),
                               .given = true},
                    leapt = {.most = MECH_FULL,
                             .large = goes_to_limits(m) || r->s->n > MECH_FULL,
                             .given = true};
  const engine_program* p = engine_program_of(r->s, leaps ? leapt : stepped, r->notes);
  if (!p) return NULL;
  if (method && method->flight_form) return contact_engine_flights_of(p, r->o->number, r->notes);
  return leaps ? contact_engine_leaps_of(p, r->o->number, r->notes)
               : contact_engine_of(p, r->o->number, r->notes);
}

// states side by side, with a kernel for the start; null where there is none. The flow sets them up
// when it chooses its velocities.
static rate_lanes* make_abreast(walk_job* r, bool turning)
{
  if (rate_refusal(RATE_EIGHT, rate_lasting_features(r->e))) return NULL;
  r->abreast = rate_lanes_new(r->e, turning ? RATE_TURNED : RATE_ELIMINATED);
  return rate_lanes_ready(r->abreast) ? r->abreast : NULL;
}

static const step_method* asked_for(walk_job* r, const char* name, bool by_option)
{
  const base_place place = by_option ? BASE_NOWHERE : r->s->model->method_place;
  if (!walk_method_known(name, place, r->notes)) return NULL;
  const step_method* method = step_method_find(name);
  // the implicit form takes what series take
  const rate_form form = method->abreast_form                           ? RATE_EIGHT
                         : method->series_form || method->implicit_form ? RATE_SERIES
                                                                        : RATE_ONE;
  const char* unsuited =
      method->flight_form ? walk_flights_open(r) : rate_refusal(form, rate_lasting_features(r->e));
  if (method->abreast_form && !unsuited && !make_abreast(r, true))
    unsuited = "its constraints are near a singular position at the start";
  if (!unsuited) return method;
  base_error(r->notes, place, "the method `%s` does not suit this model: %s", name, unsuited);
  if (method->flight_form)
    base_help(r->notes, "`moreau` takes many contacts in steps of time");
  else
    base_help(r->notes, "`dop853` takes every model; without a method one is chosen");
  return NULL;
}

// for a tolerance that only twice the digits can meet
static const step_method* choose_wide(walk_job* r)
{
  walk_track* t = r->track;
  const bool by_option = r->o->method != NULL;
  const char* name = by_option ? r->o->method : r->s->model->method;
  if (*name && strcmp(name, step_method_taylor.name) != 0) {
    if (!asked_for(r, name, by_option)) return NULL;
    base_error(r->notes, by_option ? BASE_NOWHERE : r->s->model->method_place,
               "the method `%s` has no digits for a tolerance of %g", name, t->tolerance);
    base_help(r->notes, "`taylor` has twice the digits; without a method it is taken");
    return NULL;
  }
  const char* unsuited = rate_refusal(RATE_TWICE, rate_lasting_features(r->e));
  if (unsuited) {
    base_error(r->notes, BASE_NOWHERE,
               "a tolerance of %g needs twice the digits of a double, which this model does not "
               "allow: %s",
               t->tolerance, unsuited);
    base_help(r->notes, "tolerances from 1e-15 on need no more than doubles");
    return NULL;
  }
  t->method_why = "the tolerance is beyond the digits of doubles";
  return &step_method_taylor_wide;
}

// nothing happens on the way, and the constraints are not near a singular position
static bool is_quiet(const walk_job* r)
{
  const model* m = r->s->model;
  const int rows = r->e->mode.rows;
  return !m->events && !m->stages && !m->contacts &&
         !(rows && r->e->margin < fmin(clear, clear_of_many / sqrt(rows)));
}

const step_method* walk_method_choose(walk_job* r)
{
  walk_track* t = r->track;
  if (t->tolerance < engine_doubles_end) return choose_wide(r);
  t->method_why = "asked for";
  if (r->o->method) return asked_for(r, r->o->method, true);
  if (*r->s->model->method) return asked_for(r, r->s->model->method, false);
  r->may_change_method = true;
  const char* unsuited = rate_refusal(RATE_SERIES, rate_lasting_features(r->e));
  const int operations = (int)engine_operations(r->e->program);
  if (unsuited)
    t->method_why = base_arena_printf(t->arena, "no power series: %s", unsuited);
  else if (operations >= most_series_operations)
    t->method_why = base_arena_printf(t->arena, "large: %d operations", operations);
  else if (t->tolerance > engine_loose)
    t->method_why = "the tolerance is loose";
  else
    t->method_why = "smooth, and the tolerance is tight";
  // along a tree, or through the few entries of many coordinates, a kernel is made in no time, and
  // grows with the joints alone
  const bool worth = (operations <= most_kernel_operations && !rate_matrix_is_large(r->e)) ||
                     r->e->sparse || engine_tree_is_free(r->e);
  if (t->tolerance <= engine_loose && worth && is_quiet(r) && make_abreast(r, true)) {
    t->method_why = "smooth without events, one kernel, and the tolerance is tight";
    return &step_method_gauss16;
  }
  const bool series =
      !unsuited && operations < most_series_operations && t->tolerance <= engine_loose;
  return series ? &step_method_taylor : &step_method_dop853;
}

void walk_method_prepare(walk_job* r, const step_method* method)
{
  walk_track* t = r->track;
  const bool wide = method == &step_method_taylor_wide;
  t->method = method->name;
  const bool by_ours = method->series_form || method->abreast_form;
  const bool full = method->implicit_form || method->decides || by_ours || wide;
  r->f = rate_flow_new(r->e, t->tolerance, full);
  r->f->lasting = method->has_history;
  if (r->flights) walk_flights_prepare(r);
  r->f->heeds_noise = method->heeds_noise;
  if (wide) {
    r->f->wide = rate_wide_new(r->e, step_method_taylor_wide_order(t->tolerance));
    r->f->ode.wide_series = rate_table[RATE_WIDE].twice;
    r->f->ode.wide_settle = rate_wide_settle;
  }
  if (method->abreast_form) {
    rate_flow_take_kernel(r->f, r->abreast);
    r->f->ode.abreast = rate_lanes_ode(r->f->abreast);
    if (!r->e->sparse) engine_native(r->e);
    if (t->tolerance <= step_all_digits && !rate_lanes_eliminates(r->abreast) && !r->e->sparse)
      r->f->levels = rate_wide_levels_new(r->e);
    if (r->f->levels) r->f->ode.wide_settle = rate_wide_nudge;
  }
  r->e->every_bit = by_ours && t->tolerance <= engine_every_bit;
  if (!method->series_form) return;
  r->f->series = rate_series_new(r->e, step_method_taylor_order(t->tolerance));
  r->f->ode.series = rate_of_series;
  // beside machine code for the series, one kernel for the ends of steps
  const bool worth =
      r->f->series->native && engine_operations(r->e->program) <= most_kernel_operations;
  if (!worth || !make_abreast(r, false)) return;
  rate_flow_take_kernel(r->f, r->abreast);
  engine_native(r->e);
  rate_series_direct_make(r->f);
}

bool walk_method_refine(walk_job* r)
{
  rate_wide* w = r->f->wide;
  const model* m = r->s->model;
  if (!w) return true;
  w->stepper = r->stepper;
  const base_wide t = base_wide_decimal(r->track->t_from);
  if (!rate_wide_start(w, t, m->initials, m->initial, r->notes)) return false;
  for (int i = 0; i < 2 * r->e->n; i++) r->y[i] = r->e->q[i] = w->y[i].hi;
  return true;
}

step_status walk_method_start(walk_job* r, double t)
{
  rate_wide* w = r->f->wide;
  if (!w) return r->stepper->method->start(r->stepper, t, r->y, r->t_end);
  const base_wide time = base_wide_decimal(t);
  if (rate_wide_settle(r->f, time, w->y)) return STEP_NOT_FINITE;
  return step_method_taylor_wide_start(r->stepper, time, w->y, r->t_end);
}

step_stepper* walk_method_renew(walk_job* r)
{
  step_stepper* s = r->stepper;
  const step_method* method = s->method;
  // it has as many as there are constraints now
  if (!method->implicit_form || s->ode.dae_n == r->f->ode.dae_n) return s;
  const step_counts counts = s->counts;
  method->destroy(s);
  s = method->create(method, &r->f->ode);
  s->counts = counts;
  return s;
}

bool walk_method_change(walk_job* r, const step_method* method, const char* reason)
{
  const step_method* now = r->stepper->method;
  step_stepper* old = r->stepper;
  walk_track* t = r->track;
  char why[300];
  snprintf(why, sizeof why, "%schanged from %s at t = %.10g: %s",
           method == &step_method_bdf ? "stiff: " : "", now->name, old->t, reason);
  if (rate_flow_load(r->f, old->t, old->y)) return false;
  r->f->full = engine_is_large(r->e);
  r->f->lasting = method->has_history;
  r->f->heeds_noise = method->heeds_noise;
  rate_flow_leave_kernel(r->f);
  rate_wide_free(r->f->levels);
  r->f->levels = NULL;
  r->e->every_bit = false;
  if (rate_flow_rebase(r->f)) return false;
  rate_flow_store(r->f, old->y[2 * r->e->n], r->y);
  step_stepper* s = method->create(method, &r->f->ode);
  const int order = s->counts.order;
  s->counts = old->counts;
  s->counts.order = order;
  if (method->start(s, old->t, r->y, r->t_end) != STEP_OK) {
    method->destroy(s);
    return false;
  }
  old->method->destroy(old);
  r->stepper = s;
  t->method = method->name;
  t->method_why = base_arena_strdup(t->arena, why);
  return true;
}

bool walk_method_fall_back(walk_job* r, const char* reason, bool stiff)
{
  const step_method* now = r->stepper->method;
  if (!r->may_change_method) return false;
  if (now->series_form || now->abreast_form)
    return walk_method_change(r, &step_method_dop853, reason);
  // steps far shorter than the motion asks for, by two methods one after the other
  return stiff && now == &step_method_dop853 && walk_method_change(r, &step_method_bdf, reason);
}
