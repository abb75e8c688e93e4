// Events of runs side by side that are located on the way: those that report, stop, or set places
// and velocities at once.
#include "sweep/bundle_build.h"

#include <string.h>

// does an event set nothing but places and velocities, at once, where no constraint has a say?
static const char* change_obstacle(const sweep_builder* w, const model_change* c)
{
  if (c->releases || c->imposes) return "an event changes constraints";
  for (int i = 0; i < c->sets; i++)
    if (c->set[i].target == MODEL_SET_PARAM || c->set[i].over != EXPR_NONE)
      return "an event changes params";
  return w->e->m ? "an event changes velocities under constraints" : NULL;
}

const char* sweep_build_events_obstacle(const sweep_builder* w)
{
  const engine* e = w->e;
  const model* m = e->model;
  for (int i = 0; i < m->events; i++) {
    const model_event* x = &m->event[i];
    if (x->action == MODEL_STOP && !w->events) return "an event stops the motion";
    if (x->action == MODEL_LEAVE) return "a table may be left";
    if (!w->events) continue;
    if (x->every != EXPR_NONE) return "an event happens at times of its own";
    if (e->program->watch_needs_accelerations[i])
      return "an event depends on accelerations or reactions";
    if (x->action == MODEL_CHANGE && change_obstacle(w, &x->change))
      return change_obstacle(w, &x->change);
  }
  return NULL;
}

// the state behind an event, all set at once from the state before it
static void list_changed(const sweep_builder* w, const model_change* c, expr* q, expr* u)
{
  memcpy(q, w->s->q, sizeof(expr) * (size_t)w->b->n);
  memcpy(u, w->r->u, sizeof(expr) * (size_t)w->r->l);
  for (int i = 0; i < c->sets; i++)
    (c->set[i].target == MODEL_SET_COORD ? q : u)[c->set[i].index] = c->set[i].value;
}

static bool build_changed(sweep_builder* w)
{
  const model* m = w->s->model;
  const int n = w->b->n, state = n + w->r->l;
  // without constraints velocities are their own quasi-velocities
  for (int i = 0; i < n; i++)
    if (w->r->l != n || w->r->velocity[i] != w->r->u[i]) return false;
  expr* list = sweep_build_take(w, w->b->jumps * state);
  for (int i = 0; i < m->events; i++) {
    if (w->b->jump[i] < 0) continue;
    expr* to = list + w->b->jump[i] * state;
    list_changed(w, &m->event[i].change, to, to + n);
  }
  if (!sweep_build_reduce(w, w->b->jumps * state, list)) return false;
  w->b->changed = code_build(w->pool, w->b->jumps * state, list, w->inputs, w->input, NULL);
  return w->b->changed != NULL;
}

bool sweep_build_events(sweep_builder* w)
{
  const model* m = w->s->model;
  if (!w->events || !m->events) return true;
  expr* list = sweep_build_take(w, m->events);
  w->b->stops = base_alloc((size_t)m->events);
  w->b->direction = base_alloc(sizeof(int) * (size_t)m->events);
  w->b->jump = base_alloc(sizeof(int) * (size_t)m->events);
  for (int i = 0; i < m->events; i++) {
    list[i] = m->event[i].g;
    w->b->stops[i] = m->event[i].action == MODEL_STOP;
    w->b->direction[i] = m->event[i].direction;
    w->b->jump[i] = m->event[i].action == MODEL_CHANGE ? w->b->jumps++ : -1;
  }
  w->b->events = m->events;
  if (!sweep_build_reduce(w, m->events, list)) return false;
  w->b->looks = code_build(w->pool, m->events, list, w->inputs, w->input, NULL);
  return w->b->looks && (!w->b->jumps || build_changed(w));
}
