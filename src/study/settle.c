// The equilibrium or steady motion next to a state, to start from or to linearise about.
#include "study/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// share of its own terms that an exact initial equation may be off by in the state found
static const double still_holds = 1e-9;

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
    if (where == STUDY_AT_REST) memset(ignorable, 0, (size_t)m->places);
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

// ---- beside inequalities ------------------------------------------------------------------------

// At rest an inequality that presses is an equation, and one that does not is not there.
typedef struct beside
{
  model model;
  bool* held;
  int* number; // of each constraint of the whole here, -1: it is not there
} beside;

// inequalities of positions alone, without friction and without what goes with them
static bool are_plain(const model* m)
{
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->friction != EXPR_NONE || c->during || c->sticks) return false;
    if (c->sense && (c->order != 0 || c->contact)) return false;
  }
  return m->meetings == 0 && m->stages == 0;
}

static bool has_inequalities(const model* m)
{
  bool any = false;
  for (int k = 0; k < m->constraints; k++) any = any || m->constraint[k].sense;
  return any;
}

static void leave_out(const model* m, beside* b, base_arena* arena)
{
  const size_t room = (size_t)m->constraints + 1;
  b->model = *m;
  b->model.constraint = base_arena_take(arena, sizeof *m->constraint * room);
  b->model.reaction = base_arena_take(arena, sizeof(expr) * room);
  b->model.holds = base_arena_take(arena, sizeof(expr) * room);
  int count = 0;
  for (int k = 0; k < m->constraints; k++) {
    b->number[k] = -1;
    if (m->constraint[k].hidden || (m->constraint[k].sense && !b->held[k])) continue;
    b->number[k] = count;
    b->model.constraint[count] = m->constraint[k];
    b->model.constraint[count].sense = 0;
    b->model.holds[count] = m->holds[k];
    b->model.reaction[count++] = m->reaction[k];
  }
  b->model.constraints = count;
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

static bool settle_once(beside* b, const model* m, double* before, double* q, double* v,
                        bool* changed, base_notes* notes)
{
  mech_system* s = mech_derive(&b->model, notes);
  engine* e = s ? contact_engine_new(s, notes) : NULL;
  const study_stability_options start = {0};
  bool found = e && study_stability_begin(e, &start, notes);
  if (found && !*changed) memcpy(before, e->q, sizeof(double) * (size_t)(2 * e->n));
  study_linear* l = found ? study_linear_new(e, notes) : NULL;
  found = l && take(l, m, q, v, notes) && walk_first_accelerations(e, notes);
  *changed = found && change(e, m, b);
  study_linear_free(l);
  if (e) engine_free(e);
  mech_free(s);
  return found;
}

static bool settle_beside(const model* m, double* before, double* q, double* v, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  beside b = {.held = base_arena_take(arena, (size_t)m->constraints + 1),
              .number = base_arena_take(arena, sizeof(int) * ((size_t)m->constraints + 1))};
  bool found = true, changed = false;
  int turns = 2 * m->constraints + 2;
  do {
    leave_out(m, &b, arena);
    found = settle_once(&b, m, before, q, v, &changed, notes);
  } while (found && changed && turns-- > 0);
  base_arena_free(arena);
  if (found && changed)
    base_error(notes, m->settle_place, "which inequalities press at rest was not found");
  return found && !changed;
}

bool study_settle(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  const model* m = s->model;
  if (m->settle == MODEL_AT_REST && has_inequalities(m) && are_plain(m))
    return settle_beside(m, before, q, v, notes);
  engine* e = contact_engine_new(s, notes);
  if (!e) return false;
  const study_stability_options start = {0};
  bool found = study_stability_begin(e, &start, notes);
  if (found) memcpy(before, e->q, sizeof(double) * (size_t)(2 * e->n));
  study_linear* l = found && m->settle == MODEL_AT_REST ? study_linear_new(e, notes) : NULL;
  if (found)
    found =
        m->settle == MODEL_AT_REST ? l && take(l, m, q, v, notes) : take_steady(s, e, q, v, notes);
  study_linear_free(l);
  engine_free(e);
  return found;
}
