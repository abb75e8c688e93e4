// What the conditions of a model see of a motion: coordinates, time, whole turns.
//
// The equations may not hold a coordinate or the time, and yet an event, the end of a stage or a
// gap may.
#include "study/hybrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef BASE_LIST(expr) conditions;

static void add(conditions* list, expr f)
{
  if (f != EXPR_NONE) base_push(list, f);
}

// what is set, and to what
static void add_change(const engine* e, const model_change* c, conditions* list)
{
  for (int k = 0; k < c->sets; k++) {
    add(list, c->set[k].value);
    if (c->set[k].target == MODEL_SET_COORD) add(list, e->s->q[c->set[k].index]);
  }
}

// where things happen: those that hold now only where they are asked for, too
static void gather_surfaces(const engine* e, bool holding, conditions* list)
{
  const model* m = e->model;
  for (int i = 0; i < m->events; i++)
    if (m->event[i].action != MODEL_REPORT && m->event[i].every == EXPR_NONE)
      add(list, m->event[i].g);
  for (int i = 0; i < m->stages; i++) add(list, m->stage[i].until);
  for (int k = 0; k < e->m; k++)
    if (m->constraint[k].sense && (holding || !e->mode.active[k])) add(list, e->s->f0[k]);
}

expr* study_hybrid_surfaces(const engine* e, int* count)
{
  conditions list = {0};
  gather_surfaces(e, false, &list);
  expr* out = base_alloc(sizeof(expr) * (size_t)(list.n + 1));
  if (list.n) memcpy(out, list.at, sizeof(expr) * (size_t)list.n);
  *count = list.n;
  base_list_free(&list);
  return out;
}

static conditions gather(const engine* e)
{
  const model* m = e->model;
  conditions list = {0};
  gather_surfaces(e, true, &list);
  for (int i = 0; i < m->events; i++) {
    add(&list, m->event[i].every);
    add_change(e, &m->event[i].change, &list);
  }
  for (int i = 0; i < m->stages; i++) {
    add(&list, m->stage[i].until_time);
    add_change(e, &m->stage[i].change, &list);
  }
  return list;
}

// samples come at their times, whatever the motion
static bool has_samples(const model* m)
{
  for (int i = 0; i < m->events; i++)
    if (m->event[i].every != EXPR_NONE) return true;
  return false;
}

// Stages end at their times once and for all: a motion that comes back stays in one of them.
bool study_hybrid_timed(const engine* e)
{
  const mech_system* s = e->s;
  const model* m = e->model;
  const expr t = m->t;
  conditions list = {0};
  for (int i = 0; i < m->events; i++) {
    if (m->event[i].action != MODEL_REPORT) add(&list, m->event[i].g);
    add_change(e, &m->event[i].change, &list);
  }
  for (int i = 0; i < e->n; i++) add(&list, s->F[i]);
  for (int i = 0; i < e->m; i++) add(&list, s->f0[i]);
  bool timed = has_samples(m);
  for (int k = 0; k < list.n; k++) timed = timed || expr_has(s->pool, list.at[k], t);
  base_list_free(&list);
  return timed;
}

void study_hybrid_notice(study_hybrid* h, bool* ignorable, bool* timed)
{
  const engine* e = h->l->e;
  conditions list = gather(e);
  for (int k = 0; k < list.n; k++)
    for (int i = 0; i < e->n; i++)
      ignorable[i] = ignorable[i] && !expr_has(e->s->pool, list.at[k], e->s->q[i]);
  base_list_free(&list);
  *timed = *timed || study_hybrid_timed(e);
}

bool study_hybrid_turns(study_hybrid* h, int i)
{
  engine* e = h->l->e;
  conditions list = gather(e);
  bool same = true;
  const double here = e->q[i];
  for (int k = 0; k < list.n && same; k++) {
    if (!expr_has(e->s->pool, list.at[k], e->s->q[i])) continue;
    for (int look = 0; look < 3 && same; look++) {
      e->q[i] = here + 0.7 * look;
      const double a = engine_value(e, list.at[k]);
      e->q[i] += 2 * M_PI;
      const double b = engine_value(e, list.at[k]);
      same = fabs(a - b) <= 1e-9 * (1 + fabs(a));
    }
  }
  e->q[i] = here;
  e->factored = false;
  base_list_free(&list);
  return same;
}

bool study_hybrid_meets(engine* e, double within)
{
  conditions list = {0};
  gather_surfaces(e, false, &list);
  const int n = e->n, N = 2 * n;
  double* here = base_alloc(sizeof(double) * (size_t)(N + 1));
  memcpy(here, e->q, sizeof(double) * (size_t)N);
  bool meets = contact_accelerations(e) != 0;
  const double t = e->in[0], dt = 1e-3 * within;
  for (int k = 0; k < list.n && !meets; k++) {
    const double value = engine_value(e, list.at[k]);
    for (int i = 0; i < n; i++) {
      e->q[i] = here[i] + dt * here[n + i];
      e->v[i] = here[n + i] + dt * e->a[i];
    }
    engine_time(e, t + dt);
    const double rate = (engine_value(e, list.at[k]) - value) / dt;
    memcpy(e->q, here, sizeof(double) * (size_t)N);
    engine_time(e, t);
    meets = fabs(value) <= within * fabs(rate);
  }
  e->factored = false;
  base_list_free(&list);
  free(here);
  return meets;
}
