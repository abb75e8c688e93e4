// Limits of impacts that accumulate, where something else happens before them: the contact is held
// until its limit, which is an instant like others, known as a time. A decision before it may let
// the contact go: then it leaves in the middle of its bounces, and comes to no rest.
#include "contact/contact.h"
#include "walk/run.h"
#include "walk/sinks.h"

#include <math.h>
#include <stdio.h>

static void plan(walk_events* w)
{
  w->rest_next = INFINITY;
  for (int i = 0; i < w->contacts; i++) w->rest_next = fmin(w->rest_next, w->rests[i]);
}

void walk_limit_open(walk_events* w, const engine* e)
{
  w->rests = base_arena_take(e->arena, sizeof(double) * (size_t)(w->contacts + 1));
  for (int i = 0; i < w->contacts; i++) w->rests[i] = INFINITY;
  plan(w);
}

void walk_limit_set(walk_job* r, int i, double t)
{
  r->watch->rests[i] = t;
  plan(r->watch);
}

void walk_limit_due(walk_job* r, double t, walk_found_list* list)
{
  const walk_events* w = r->watch;
  if (!(w->rest_next <= t + w->same)) return;
  for (int i = 0; i < w->contacts; i++) {
    bool listed = false;
    for (int k = 0; k < list->n; k++)
      listed = listed || (list->at[k].kind == WALK_REST && list->at[k].index == i);
    if (!listed && w->rests[i] <= t + w->same) base_push(list, ((walk_found){WALK_REST, i, t, 1}));
  }
}

contact_change walk_limit_change(walk_job* r, int i, contact_change now)
{
  if (now == CONTACT_KEPT || !(r->watch->rests[i] < INFINITY)) return now;
  // it was not told that it is held
  if (now != CONTACT_LOOSENED) return now;
  walk_limit_set(r, i, INFINITY);
  return r->e->unilateral->impulse[i] > 0 ? CONTACT_HIT : CONTACT_KEPT;
}

// nothing changes there: it is told alone
void walk_rest_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  const engine* e = r->e;
  char name[160];
  walk_limit_set(r, found->index, INFINITY);
  if (!e->mode.active[e->unilateral->of[found->index]]) return;
  snprintf(name, sizeof name, "rest of %s", contact_inequality_name(e, found->index));
  walk_sinks_happening(r, found, name, in->y);
}
