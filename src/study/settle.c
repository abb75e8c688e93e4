// The equilibrium or steady motion next to a state, to start from or to linearise about.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// share of its own terms that an exact initial equation may be off by in the state found
static const double still_holds = 1e-9;
static const double nothing = 1e-16; // of a guess: rounding
// a way to see which gaps a fall closes
static const double a_little = 1e-6;
static const double together = 1 + 1e-4; // gaps that close within this share of each other

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

// `before`: the state as the initial equations alone would have it; null: not asked for
static bool settle_smooth(mech_system* s, double* before, double* q, double* v, base_notes* notes)
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

// ---- beside inequalities and friction -----------------------------------------------------------

// At rest an inequality that presses is an equation, and one that does not is not there.
//
// Friction holds any force below its bound, so that places at rest fill whole regions. Where it
// holds what is guessed, that is one of them. Else it does nothing in the equilibrium found: one
// without friction is one with it.
typedef struct beside
{
  model model;
  bool* held;
  int* number; // of each constraint of the whole here, -1: it is not there
} beside;

// why the way below is not gone, or null: it takes inequalities of positions alone, and contacts of
// shapes whose points are such; with friction only at rest
static const char* not_plain(const model* m)
{
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->contact && (c->sense || c->friction != EXPR_NONE))
      return "a surface that rolls or slides may leave another";
    if (c->sense && c->order != 0) return "there is an inequality between velocities";
    if (c->during && !c->sticks) return "a constraint holds only while another does";
    if (c->friction != EXPR_NONE && m->settle != MODEL_AT_REST)
      return "with friction what is steady depends on how it came about";
  }
  for (int i = 0; i < m->meetings; i++)
    if (m->meeting[i].looked_for)
      return "which of its many points of contact bear is found by the motion alone";
  if (m->facings) return "which corners and sides face each other is found by the motion alone";
  return m->stages ? "its stages change it" : NULL;
}

static bool has_inequalities(const model* m)
{
  bool any = false;
  for (int k = 0; k < m->constraints; k++)
    any = any || m->constraint[k].sense || m->constraint[k].sticks;
  return any;
}

// Forces of friction have the factor 1 - h, h = 1 where the contact sticks (model/force.c).
// What does not press has no reaction either.
static void change_forces(const model* m, beside* b, base_arena* arena)
{
  const size_t room = 2 * (size_t)m->constraints + 1;
  expr* from = base_arena_take(arena, sizeof(expr) * room);
  expr* to = base_arena_take(arena, sizeof(expr) * room);
  int count = 0;
  for (int k = 0; k < m->constraints; k++) {
    if (m->constraint[k].sticks) {
      from[count] = m->holds[k];
      to[count++] = expr_int(m->pool, 1);
    }
    if (b->number[k] < 0) {
      from[count] = m->reaction[k];
      to[count++] = expr_int(m->pool, 0);
    }
  }
  b->model.Q = base_arena_take(arena, sizeof(expr) * ((size_t)m->coords + 1));
  expr_substitute_all(m->pool, m->coords, m->Q, count, from, to, b->model.Q);
}

static void leave_out(const model* m, beside* b, base_arena* arena)
{
  const size_t room = (size_t)m->constraints + 1;
  b->model = *m;
  // what is shown or reported plays no part, and may ask for reactions that are not there
  b->model.outputs = b->model.plots = b->model.tells = 0;
  b->model.meetings = b->model.solids = 0;
  b->model.constraint = base_arena_take(arena, sizeof *m->constraint * room);
  b->model.reaction = base_arena_take(arena, sizeof(expr) * room);
  b->model.holds = base_arena_take(arena, sizeof(expr) * room);
  int count = 0;
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    b->number[k] = -1;
    if (c->hidden || c->sticks || (c->sense && !b->held[k])) continue;
    b->number[k] = count;
    model_constraint* to = &b->model.constraint[count];
    *to = *c;
    to->sense = 0;
    to->guides = false;
    if (c->sense || c->guides) to->friction = EXPR_NONE;
    if (c->sense || c->guides) to->slips = 0;
    b->model.holds[count] = m->holds[k];
    b->model.reaction[count++] = m->reaction[k];
  }
  b->model.constraints = count;
  change_forces(m, b, arena);
}

// one that the state found violates begins to press, one that would have to pull lets go
static bool change(engine* e, const model* m, beside* b)
{
  int worst = -1;
  double most = still_holds;
  contact_reactions(e);
  for (int k = 0; k < m->constraints; k++) {
    double off;
    if (!m->constraint[k].sense) continue;
    if (b->held[k])
      off = e->lambda[b->number[k]];
    else
      engine_values(e, 1, &m->constraint[k].f, &off);
    off *= -m->constraint[k].sense;
    if (!(off > most)) continue;
    most = off;
    worst = k;
  }
  if (worst >= 0) b->held[worst] = !b->held[worst];
  return worst >= 0;
}

static double gap_of(engine* e, const model_constraint* c)
{
  double gap;
  engine_values(e, 1, &c->f, &gap);
  return gap * c->sense;
}

// how long, by its speed over a little way of the fall, a gap takes to close; endless: it does not
static double closing(engine* e, const model_constraint* c, double fastest)
{
  const double gap = gap_of(e, c);
  for (int i = 0; i < e->n; i++) e->q[i] += a_little * e->a[i] / fastest;
  const double less = gap - gap_of(e, c);
  for (int i = 0; i < e->n; i++) e->q[i] -= a_little * e->a[i] / fastest;
  return less > 0 ? fmax(gap, 0) / less : INFINITY;
}

// What rests on nothing falls onto something: from the guess on, what its fall closes first
// presses, several where they close together; where it closes nothing, the nearest.
static bool hold_more(engine* e, const model* m, beside* b, base_notes* notes)
{
  int nearest = -1;
  double least = INFINITY, fastest = 0, first = INFINITY;
  const bool falls = walk_first_accelerations(e, notes);
  for (int i = 0; i < e->n; i++) fastest = fmax(fastest, fabs(e->a[i]));
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!c->sense || b->held[k]) continue;
    const double gap = gap_of(e, c);
    if (gap < least) nearest = k;
    least = fmin(least, gap);
    if (falls) first = fmin(first, closing(e, c, fastest));
  }
  for (int k = 0; isfinite(first) && k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->sense && !b->held[k]) b->held[k] = closing(e, c, fastest) <= together * first;
  }
  if (!isfinite(first) && nearest >= 0) b->held[nearest] = true;
  return nearest >= 0;
}

// the state without what is not held, and what has to change of that
static bool settle_once(beside* b, const model* m, double* before, double* q, double* v,
                        bool* changed, base_notes* notes)
{
  mech_system* s = mech_derive(&b->model, notes);
  const bool first = !*changed;
  const bool found = s && settle_smooth(s, first ? before : NULL, q, v, notes);
  engine* e = s ? contact_engine_new(s, notes) : NULL;
  *changed = false;
  if (e) {
    const size_t bytes = sizeof(double) * (size_t)e->n;
    engine_time(e, 0);
    engine_time(e, m->has_run ? engine_value(e, m->run_from) : 0);
    memcpy(e->q, found ? q : before, bytes);
    memcpy(e->v, found ? v : before + e->n, bytes);
    if (!found) *changed = hold_more(e, m, b, notes);
    if (found) *changed = walk_first_accelerations(e, notes) && change(e, m, b);
    engine_free(e);
  }
  mech_free(s);
  return found;
}

static bool settle_beside(const model* m, double* before, double* q, double* v, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  beside b = {.held = base_arena_take(arena, (size_t)m->constraints + 1),
              .number = base_arena_take(arena, sizeof(int) * ((size_t)m->constraints + 1))};
  bool found = true, changed = false;
  memset(before, 0, sizeof(double) * (size_t)(2 * m->coords));
  for (int turns = 2 * m->constraints + 2; turns > 0; turns--) {
    leave_out(m, &b, arena);
    const int said = base_notes_count(notes);
    found = settle_once(&b, m, before, q, v, &changed, notes);
    if (!changed) break;
    base_notes_cut(notes, said);
  }
  base_arena_free(arena);
  if (changed) base_error(notes, m->settle_place, "which inequalities press at rest was not found");
  return found && !changed;
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

static bool settle(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  const model* m = s->model;
  if (m->settle == MODEL_AT_REST && rests_already(s, before, q, v)) return true;
  const bool unequal = m->meetings || has_inequalities(m);
  const char* why = unequal ? not_plain(m) : NULL;
  if (unequal && !why) return settle_beside(m, before, q, v, notes);
  if (!unequal || !lets_go(s)) return settle_smooth(s, before, q, v, notes);
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
