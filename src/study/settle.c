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
    // at rest all coordinates stay where they are
    if (where == STUDY_AT_REST) memset(ignorable, 0, (size_t)e->n + 1);
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
    if (x->guess) continue;
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

bool study_settle(mech_system* s, double* before, double* q, double* v, base_notes* notes)
{
  const model* m = s->model;
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
