// What passes zero by a jump: no root of it lies in any step.
#include "walk/run.h"

#include <math.h>

// A watched function may pass zero by a jump, or jump onto it to stay, where a force switches, an
// impact ends in sticking or something is set: no root of it lies in any step. Its values before
// the first change at an instant are kept, and compared behind the restart.
void walk_run_keep_before(walk_job* r, double t, const double* y)
{
  if (r->before_t == t) return;
  r->before_t = t;
  for (int i = 0; i < r->watch->count; i++)
    r->before[i] = walk_events_clear_value(r->watch, i, t, y);
}

static double* last_of(const walk_job* r, int i)
{
  const int events = r->s->model->events;
  return i < events ? &r->watch->last[WALK_EVENT][i] : &r->watch->last[WALK_STAGE][i - events];
}

static int sign(double x)
{
  return (x > 0) - (x < 0);
}

// value i was and is this at t, 0 where that is rounding: does it stand at zero, and may it be let
// go there? Accelerations are not held: they vanish with the derivative of what is. Nor is what
// never came there: constraints may hold it there, and rounding has no way to leave.
static void see_standing(const walk_job* r, int i, double t, double before, double after)
{
  walk_events* w = r->watch;
  const bool stood = w->stands[i], told = *last_of(r, i) == t;
  const bool held = stood && !r->e->program->watch_needs_accelerations[i];
  w->freed[i] = after == 0 && before == 0 && held && w->came[i] && !told ? t : NAN;
  w->stands[i] = after == 0 && (stood || before != 0 || told);
}

// events that passed zero by the jump at t or came to it, into w->followed
void walk_run_find_jumped(walk_job* r, double t)
{
  const model* m = r->s->model;
  walk_events* w = r->watch;
  w->followed.n = 0;
  if (r->before_t != t) return;
  r->before_t = NAN;
  for (int i = 0; i < w->count; i++) {
    if (i >= m->events && (i - m->events != r->stage || m->stage[r->stage].until == EXPR_NONE ||
                           m->stage[r->stage].until_time != EXPR_NONE))
      continue;
    const double after = walk_events_clear_value(w, i, t, r->stepper->y);
    // a state that is put elsewhere begins there: it has passed nothing on the way
    const double before = r->put ? after : r->before[i];
    see_standing(r, i, t, before, after);
    // what was rounding of the state and is: a root of it found at this very instant is none
    if (after == 0 && before == 0 && w->felt) *last_of(r, i) = t;
    const int direction = sign(before) == sign(after) ? 0 : -sign(before);
    const int wanted = i >= m->events ? 1 : m->event[i].direction;
    if (!direction || *last_of(r, i) == t) continue;
    w->came[i] = true;
    if (wanted && wanted != direction) continue;
    const walk_found event = {WALK_EVENT, i, t, direction},
                     stage = {WALK_STAGE, i - m->events, t, direction};
    base_push(&w->followed, i < m->events ? event : stage);
  }
}
