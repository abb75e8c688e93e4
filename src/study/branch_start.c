// Where branches begin: the motion next to a state, steady or periodic.
#include "study/branch.h"
#include "study/orbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { usual_points = 100, many_points = 20 };
static const double beside = 1e-3;    // of the range: where a start that hides things is looked at
static const double resolved = 1e-13; // roots along a branch, over its steps
static const double same = 1e-12;     // numbers that are one, relative

study_road study_road_of(const study_branches_options* o, study_curve* curve,
                         study_stability* (*look)(void*, const double*), void (*wind)(void*, int),
                         void* context)
{
  const int points = o->points ? o->points : usual_points;
  return (study_road){.curve = curve,
                      .look = look,
                      .wind = wind,
                      .context = context,
                      .from = o->from,
                      .to = o->to,
                      .longest = 1.0 / points,
                      .resolved = fmax(resolved, 0.1 * o->tolerance),
                      .most = many_points * points};
}

void study_road_take_second(study_road* r, const study_branches_options* o, const model* m,
                            void (*second)(void*, double))
{
  if (!o->both) return;
  r->second = second;
  r->second_value = m->param[o->second].number;
}

study_road study_ways_road(const study_branches_options* o, const model* m, study_ways* w,
                           study_curve* curve)
{
  curve->plain = study_ways_plain;
  w->second = o->second;
  study_road road = study_road_of(o, curve, study_ways_look, NULL, w);
  road.normal = study_ways_normal;
  road.shape = study_ways_shape;
  road.takens = study_ways_takens;
  road.mark = study_ways_mark;
  road.brief = study_ways_brief;
  road.recall = study_ways_recall;
  study_road_take_second(&road, o, m, study_ways_second);
  return road;
}

static study_branches* steady(study_linear* l, const study_branches_options* o,
                              const bool* ignorable, double value, base_notes* notes)
{
  engine* e = l->e;
  const model* m = e->model;
  study_branches* out = NULL;
  study_stability* r = study_stability_new(e);
  const study_stability_options near = {.given = o->given, .state = o->state};
  study_carrier c = {0};
  memcpy(r->ignorable, ignorable, (size_t)e->n);
  if (study_steady_next(l, &near, r, &c, notes)) {
    double* u = base_arena_take(r->arena, sizeof(double) * (size_t)(e->n * (e->n + 3)));
    const double aside = (value < (o->from + o->to) / 2 ? 1 : -1) * beside * (o->to - o->from);
    study_ways* w = study_ways_new(l, ignorable, o->state ? o->given : m->initials,
                                   o->state ? o->state : m->initial, value, aside, r->arena, u);
    study_curve curve = study_curve_new(w->c.wide, study_ways_rows(w), study_ways_at, w);
    out = study_branches_run(study_ways_road(o, m, w, &curve), u, o, notes);
    study_curve_free(&curve);
    study_ways_free(w);
    if (out && o->all) study_branches_fan(out, l, o, ignorable);
    if (out && o->all) study_branches_hopf(out, l, o);
  }
  study_stability_free(r);
  return out;
}

// Is the period of the equations the same multiple of one of their times for all values?
static bool keeps_period(study_linear* l, const study_rounds* o, const study_branches_options* o_,
                         double value, double period)
{
  engine* e = l->e;
  const double other =
      value + (value < (o_->from + o_->to) / 2 ? 1 : -1) * 0.1234 * (o_->to - o_->from);
  double found = 0;
  if (o->rate == EXPR_NONE || !engine_given_move(e, l->param, other)) return false;
  const bool fine = study_period_find(l, &found);
  const double turn = found * fabs(engine_value(e, o->rate));
  const double times = o->turn / turn;
  engine_given_move(e, l->param, value);
  (void)period;
  return fine && fabs(times - round(times)) < 1e-9 * times && times > 0.5;
}

// is the motion one of a family that has this energy or period at its members?
static bool is_family(const study_rounds* w, const study_branches_options* o, bool told,
                      const double* u, base_notes* notes)
{
  const double value = u[2 * w->l->n + 1];
  const char* name = o->over == STUDY_OVER_ENERGY ? "energy" : "period";
  if (w->timed)
    base_error(notes, BASE_NOWHERE,
               "the equations have a period of their own: no family of motions has others");
  else if (!told)
    base_error(notes, BASE_NOWHERE, "the model has no energy that motions could be told apart by");
  else if (value < o->from || value > o->to)
    base_error(notes, BASE_NOWHERE, "--over %s: the %s %.10g of the motion found is outside", name,
               name, value);
  else
    return true;
  return false;
}

static study_branches* periodic(study_linear* l, const study_branches_options* o,
                                const bool* ignorable, bool timed, double value, base_notes* notes)
{
  engine* e = l->e;
  study_branches* out = NULL;
  study_stability* r = study_stability_new(e);
  memcpy(r->ignorable, ignorable, (size_t)e->n);
  r->period = o->period;
  const bool asked = o->orbit && !timed && !(o->period > 0);
  bool known = asked ? study_orbit_length(l, ignorable, &r->period, notes)
                     : o->period > 0 || study_period_find(l, &r->period);
  r->own_period = !(o->period > 0) && !asked;
  if (!known && !asked)
    base_error(notes, BASE_NOWHERE,
               "the equations depend on time, and no period of theirs was found");
  study_stability_keep(e, r);
  if (known && study_floquet(l, ignorable, timed, r, notes)) {
    double* u = base_arena_take(r->arena, sizeof(double) * (size_t)(2 * e->n + 3));
    study_rounds* w = study_rounds_new(l, ignorable, timed, r, value, NULL, r->arena, u);
    if (o->tolerance > 0) w->tolerance = o->tolerance;
    const bool told = study_rounds_over(w, o->over, u);
    study_rounds_pick(w, u);
    if (o->over != STUDY_OVER_PARAM && !is_family(w, o, told, u, notes)) {
      // it was said why
    } else if (r->C) {
      base_error(notes, BASE_NOWHERE,
                 "the motion comes back after a turn only: such motions are not followed");
    } else if (timed && !keeps_period(l, w, o, value, r->period)) {
      base_error(notes, BASE_NOWHERE,
                 "for other values of the param the equations have no period like this one");
    } else {
      study_curve curve = study_rounds_curve(w);
      study_road road = study_road_of(o, &curve, study_rounds_look, study_rounds_wind, w);
      road.work = study_rounds_work;
      road.normal = study_rounds_normal;
      study_road_take_second(&road, o, e->model, study_rounds_second);
      w->second = o->second;
      out = study_branches_run(road, u, o, notes);
      study_curve_free(&curve);
    }
    study_rounds_free(w);
  }
  study_stability_free(r);
  return out;
}

// Does time appear in the equations somewhere else in the range? An amplitude that is nothing at
// the start hides it there.
static bool is_timed_elsewhere(study_linear* l, const study_branches_options* o, double value)
{
  engine* e = l->e;
  const double share[] = {0.1234, 0.5678, 0.9123};
  bool timed = false, *ignorable = base_alloc((size_t)e->n + 1);
  base_notes* quiet = base_notes_new();
  for (size_t k = 0; k < sizeof share / sizeof *share && l->param >= 0 && !timed; k++)
    if (engine_given_move(e, l->param, o->from + share[k] * (o->to - o->from))) {
      e->factored = false;
      if (!study_steady_look(l, ignorable, &timed, quiet)) timed = false;
    }
  if (l->param >= 0) engine_given_move(e, l->param, value);
  e->factored = false;
  base_notes_free(quiet);
  free(ignorable);
  return timed;
}

static study_branches* find(study_linear* l, const study_branches_options* o, double value,
                            base_notes* notes)
{
  engine* e = l->e;
  bool timed, *ignorable = base_alloc((size_t)e->n + 1);
  study_branches* out = NULL;
  if (study_stability_is_smooth(e, notes) && study_steady_look(l, ignorable, &timed, notes) &&
      !contact_sides(e)) {
    // from a little beside, where the period is told
    if (!timed && is_timed_elsewhere(l, o, value)) {
      timed = true;
      value += (value < (o->from + o->to) / 2 ? 1 : -1) * beside * (o->to - o->from);
      engine_given_move(e, l->param, value);
      e->factored = false;
    }
    out = timed || o->orbit || o->period > 0 ? periodic(l, o, ignorable, timed, value, notes)
                                             : steady(l, o, ignorable, value, notes);
  }
  free(ignorable);
  return out;
}

// Motions through events, impacts, stick and slip: always periodic ones
static study_branches* hybrid(mech_system* s, const study_branches_options* o, const double* number,
                              base_notes* notes)
{
  const study_stability_options start = {
      .period = o->period, .orbit = o->orbit, .given = o->given, .state = o->state};
  base_arena* arena = base_arena_new();
  double* u = base_arena_take(arena, sizeof(double) * (size_t)(2 * s->n + 3));
  study_rounds* w = NULL;
  study_branches* out = NULL;
  study_hybrid* h = study_hybrid_find(s, number, o->param, &start, arena, &w, u, notes);
  if (h) {
    study_rounds_pick(w, u);
    study_curve curve = study_rounds_curve(w);
    curve.rough = true;
    study_road road = study_road_of(o, &curve, study_rounds_look, study_rounds_wind, w);
    road.why = study_rounds_why;
    road.touch = study_rounds_touch;
    road.work = study_rounds_work;
    road.normal = study_rounds_normal;
    study_road_take_second(&road, o, s->model, study_rounds_second);
    w->second = o->second;
    out = study_branches_run(road, u, o, notes);
    study_curve_free(&curve);
  }
  study_rounds_free(w);
  study_hybrid_free(h);
  base_arena_free(arena);
  return out;
}

// what the options ask for beyond a branch over a param; false with an error noted
static bool is_taken(bool switches, const study_branches_options* o, base_notes* notes)
{
  const bool family = o->over != STUDY_OVER_PARAM;
  if (switches && family)
    base_error(notes, BASE_NOWHERE,
               "families of motions are not followed where they go through events, impacts, stick "
               "or slip");
  else if (family && !(o->period > 0) && !o->orbit)
    base_error(notes, BASE_NOWHERE,
               "a family of periodic motions needs one of them: about how long is its period? "
               "(--period T, or --orbit)");
  else
    return true;
  return false;
}

static bool are_alike(int count, const double* a, const double* b)
{
  double size = 1, off = 0;
  for (int i = 0; i < count; i++) {
    size = fmax(size, fabs(a[i]));
    off = fmax(off, fabs(a[i] - b[i]));
  }
  return off <= same * size;
}

// is the motion the same at both, with the same neighbours?
static bool is_same(const study_stability* a, const study_stability* b)
{
  const bool orbit = a->period > 0;
  const int count = orbit ? a->multipliers : a->count;
  if (count != (orbit ? b->multipliers : b->count)) return false;
  return are_alike(a->n, a->q, b->q) && are_alike(a->n, a->v, b->v) &&
         are_alike(1, &a->period, &b->period) &&
         are_alike(count, orbit ? a->multiplier_re : a->re, orbit ? b->multiplier_re : b->re) &&
         are_alike(count, orbit ? a->multiplier_im : a->im, orbit ? b->multiplier_im : b->im);
}

// a param that changes nothing is one that stands in guesses alone, or nowhere
static void warn_of_idle(const study_branches* b, const char* name, base_notes* notes)
{
  const study_path* p = &b->path[0];
  if (b->count != 1 || p->points < 3 || p->value[0] == p->value[p->points - 1]) return;
  for (int i = 1; i < p->points; i++)
    if (!is_same(p->point[0], p->point[i])) return;
  base_warning(notes, BASE_NOWHERE, "the motion followed is the same for all values of `%s`", name);
  base_help(notes, "a param that only a guess of the initial state has (~) does not move a branch");
}

study_branches* study_branches_find(mech_system* s, const study_branches_options* o,
                                    base_notes* notes)
{
  const model* m = s->model;
  const engine_program* p =
      engine_program_of(s, (engine_kind){.most = MECH_DENSE, .given = true}, notes);
  if (!p) return NULL;
  double* number = base_alloc(sizeof(double) * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) number[i] = m->param[i].number;
  const bool by_param = o->over == STUDY_OVER_PARAM;
  const double value = by_param ? fmin(o->to, fmax(o->from, number[o->param])) : 0;
  if (by_param) number[o->param] = value;
  engine* e = contact_engine_of(p, number, notes);
  study_branches* out = NULL;
  const study_stability_options start = {.given = o->given, .state = o->state};
  const bool switches =
      e && study_hybrid_is(e) && (o->period > 0 || o->orbit || study_hybrid_timed(e));
  const bool taken = e && is_taken(switches, o, notes);
  if (taken && switches) {
    out = hybrid(s, o, number, notes);
  } else if (taken && study_stability_begin(e, &start, notes)) {
    study_linear* l = study_linear_new_by(e, by_param ? o->param : -1, notes);
    if (l) out = find(l, o, value, notes);
    study_linear_free(l);
  }
  if (out && by_param) warn_of_idle(out, m->param[o->param].name, notes);
  if (e) engine_free(e);
  free(number);
  return out;
}
