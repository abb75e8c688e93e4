// The equilibrium or steady motion next to a state, to start from or to linearise about.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// share of its own terms that an exact initial equation may be off by in the state found
static const double still_holds = 1e-9;
static const double nothing = 1e-16; // of a guess: rounding

// between the sides of a jump that is met at rest, as that of dry friction, there is no force
static void stand_between(engine* e)
{
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < e->program->modes.count; i++)
    if (e->program->modes.slides[i] && e->work.switching[i] == 0) {
      e->mode.held_count -= e->mode.held[i];
      e->mode.held[i] = false;
      e->side[i] = 0;
    }
}

bool study_settle_engine(study_linear* l, study_where where, const study_stability_options* start,
                         base_notes* notes)
{
  engine* e = l->e;
  const model* m = e->model;
  if (where == STUDY_AT_STATE) return true;
  bool timed = false, moved, fine = false, *ignorable = base_alloc((size_t)e->n + 1);
  memset(ignorable, 0, (size_t)e->n + 1);
  if (study_steady_look(l, ignorable, &timed, notes)) {
    if (timed)
      base_error(notes, BASE_NOWHERE, "the equations depend on time: nothing rests or is steady");
    // at rest all coordinates with a place stay where they are; a state is a velocity, and has a
    // value
    if (where == STUDY_AT_REST) {
      memset(ignorable, 0, (size_t)m->places);
      stand_between(e);
    }
    fine = !timed && study_steady_find(l, ignorable, start->state ? start->given : m->initials,
                                       start->state ? start->state : m->initial, &moved, notes);
  }
  free(ignorable);
  return fine;
}

// exact initial equations are no guesses: they hold there, or there is nothing to start from
static bool keeps_equations(engine* e, base_notes* notes)
{
  const model* m = e->model;
  const int N = 2 * e->n;
  bool keeps = true;
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    study_kept kept;
    // a state comes to rest with the coordinates: its start is where to look from
    if (x->guess || (x->coord >= m->places && x->order == 1)) continue;
    study_kept_build(e, -1, 1, &x->f, &kept);
    study_kept_run(e, &kept);
    double size = 0;
    for (int j = 0; kept.count && j < N; j++) size += fabs(kept.value[1 + j] * e->q[j]);
    if (kept.count && fabs(kept.value[0]) > still_holds * (1 + size)) {
      base_error(notes, x->place, "this does not hold in the %s found (off by %.3g)",
                 m->settle == MODEL_AT_REST ? "equilibrium" : "steady motion", kept.value[0]);
      base_help(notes, "what may move is a guess, written with `~`");
      keeps = false;
    }
    study_kept_free(&kept);
  }
  return keeps;
}

static bool take(study_linear* l, const model* m, double* q, double* v, base_notes* notes)
{
  engine* e = l->e;
  const study_stability_options start = {0};
  if (!study_settle_engine(l, STUDY_AT_REST, &start, notes) || !keeps_equations(e, notes))
    return false;
  memcpy(q, e->q, sizeof(double) * (size_t)m->coords);
  memcpy(v, e->v, sizeof(double) * (size_t)m->coords);
  return true;
}

static bool take_steady(mech_system* s, engine* e, double* q, double* v, base_notes* notes)
{
  const study_stability_options start = {0};
  study_stability* r = study_stability_find(s, &start, notes);
  if (!r) return false;
  const size_t bytes = sizeof(double) * (size_t)e->n;
  memcpy(q, r->q, bytes);
  memcpy(v, r->v, bytes);
  memcpy(e->q, q, bytes);
  memcpy(e->v, v, bytes);
  e->factored = false;
  study_stability_free(r);
  return keeps_equations(e, notes);
}

bool study_settle_smooth(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  const bool rest = s->model->settle == MODEL_AT_REST;
  engine* e = contact_engine_new(s, notes);
  if (!e) return false;
  const study_stability_options start = {0};
  bool found = study_stability_begin(e, &start, notes);
  if (found && before) memcpy(before, e->q, sizeof(double) * (size_t)(2 * e->n));
  study_linear* l = found && rest ? study_linear_new(e, notes) : NULL;
  if (found) found = rest ? l && take(l, s->model, q, v, notes) : take_steady(s, e, q, v, notes);
  study_linear_free(l);
  engine_free(e);
  return found;
}

static bool is_at_rest(const engine* e)
{
  bool rests = true;
  for (int i = 0; i < e->model->places; i++)
    rests = rests && e->v[i] == 0 && fabs(e->a[i]) <= still_holds * e->scales->rate_terms[i];
  return rests;
}

// Does friction hold what is guessed? That is where it starts, then.
static bool rests_already(mech_system* s, double* before, double* q, double* v)
{
  base_notes* unsaid = base_notes_new();
  engine* e = contact_engine_new(s, unsaid);
  const model* m = s->model;
  bool rests = false;
  if (e && (e->unilateral || e->program->modes.count) && !m->stages && !m->delays) {
    engine_time(e, 0);
    const double t = m->has_run ? engine_value(e, m->run_from) : 0;
    engine_time(e, t);
    rests = walk_start(e, t, m->initials, m->initial, unsaid, NULL);
    engine_time(e, t);
    engine_set_aside(e);
    rests = rests && walk_first_accelerations(e, unsaid) && is_at_rest(e);
  }
  if (rests) {
    const size_t bytes = sizeof(double) * (size_t)e->n;
    memcpy(q, e->q, bytes);
    memcpy(v, e->v, bytes);
    memcpy(before, q, bytes);
    memcpy(before + e->n, v, bytes);
  }
  if (e) engine_free(e);
  base_notes_free(unsaid);
  return rests;
}

// what is said of no place belongs to the words `initial rest`
static void say_at_its_place(const model* m, int said, base_notes* notes)
{
  if (base_notes_count(notes) != said + 1 || base_notes_place(notes, said).file >= 0) return;
  char* reason = base_strdup(base_notes_reason(notes, said));
  base_notes_cut(notes, said);
  base_error(notes, m->settle_place, "no %s to start from: %s",
             m->settle == MODEL_AT_REST ? "equilibrium" : "steady motion", reason);
  base_help(notes, "the other initial equations say near which state it is looked for");
  free(reason);
}

// may something of it open or close?
static bool lets_go(mech_system* s)
{
  base_notes* unsaid = base_notes_new();
  engine* e = contact_engine_new(s, unsaid);
  const bool may = !e || study_stability_touches(e);
  if (e) engine_free(e);
  base_notes_free(unsaid);
  return may;
}

// What rests was always there: a delayed value is what it is now, and its rate is nothing.
static model without_delays(const model* m, base_arena* arena)
{
  model now = *m;
  const size_t room = 3 * (size_t)m->delays;
  expr *from = base_arena_take(arena, sizeof(expr) * room),
       *to = base_arena_take(arena, sizeof(expr) * room);
  for (int i = 0; i < m->delays; i++) {
    const model_delay* d = &m->delay[i];
    const expr old[3] = {d->symbol, d->rate, d->rate2};
    for (int k = 0; k < 3; k++) {
      from[3 * i + k] = old[k];
      to[3 * i + k] = k ? expr_int(m->pool, 0) : d->x;
    }
  }
  now.delays = now.outputs = now.plots = 0;
  now.Q = base_arena_take(arena, sizeof(expr) * ((size_t)m->coords + 1));
  memcpy(now.Q, m->Q, sizeof(expr) * (size_t)m->coords);
  // what is delayed may be delayed itself
  for (int i = 0; i < m->delays; i++)
    expr_substitute_all(m->pool, m->coords, now.Q, (int)room, from, to, now.Q);
  return now;
}

static bool settle(mech_system* s, double* before, double* q, double* v, base_notes* notes);

static bool settle_now(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  model now = without_delays(s->model, arena);
  mech_system* x = mech_derive(&now, notes);
  const bool found = x && settle(x, before, q, v, notes);
  mech_free(x);
  base_arena_free(arena);
  return found;
}

static bool settle(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  const model* m = s->model;
  if (m->delays && m->settle == MODEL_AT_REST) return settle_now(s, before, q, v, notes);
  if (m->settle == MODEL_AT_REST && rests_already(s, before, q, v)) return true;
  const bool unequal = study_settle_unequal(m);
  const char* why = unequal ? study_settle_not_plain(m) : NULL;
  if (unequal && !why) return study_settle_beside(m, before, q, v, notes);
  if (!unequal || !lets_go(s)) return study_settle_smooth(s, before, q, v, notes);
  base_error(notes, BASE_NOWHERE, "%s", why);
  return false;
}

bool study_settle(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  const int n = s->model->coords;
  const int said = base_notes_count(notes);
  if (!settle(s, before, q, v, notes)) {
    say_at_its_place(s->model, said, notes);
    return false;
  }
  // Newton's method squares what is left of a place: such a nothing is no place to measure by
  for (int i = 0; i < n; i++) {
    if (fabs(q[i]) < nothing * fabs(before[i])) q[i] = 0;
    if (fabs(v[i]) < nothing * fabs(before[n + i])) v[i] = 0;
  }
  return true;
}
