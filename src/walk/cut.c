// Steps in which velocities may jump are straight lines between their ends: good to see that an
// event lies in one, but no state to go on from, since half an impact is none. What changes the
// motion happens at the end of a step that is made to end there.
#include "walk/run.h"

#include <math.h>

typedef struct search
{
  walk_job* r;
  int watch;     // event, or events + stage
  double before; // sign of its value on the near side
  step_status status;
} search;

// value of the watch at the end of the step cut at t, positive behind it
static double behind(void* context, double t)
{
  search* f = context;
  step_stepper* s = f->r->stepper;
  f->status = s->method->cut(s, t);
  if (f->status != STEP_OK) return NAN;
  return -f->before * walk_events_value(f->r->watch, f->watch, t, s->y);
}

// What is set, or stops the run, may not happen on the way; what is only told may.
static bool is_told_only(const walk_job* r, const walk_found* found)
{
  return found->kind == WALK_EVENT && r->s->model->event[found->index].action == MODEL_REPORT;
}

// The end of the shortest step behind which the watch has passed zero. On the straight line that
// was at t, in the step made anew it is near there.
static double instant_of(search* f, double from, double t)
{
  const step_stepper* s = f->r->stepper;
  const double end = s->t, tolerance = f->r->watch->tolerance;
  const double at_t = behind(f, t);
  if (!isfinite(at_t) || at_t == 0) return t;
  const double other = at_t > 0 ? from : end;
  if (!(other != t)) return t;
  // at the start of the step there is nothing to cut
  const double at_other = other > s->t_old ? behind(f, other) : -1;
  if (!(at_t * at_other < 0)) return t;
  const double root = at_t > 0 ? num_bracket(behind, f, other, at_other, t, at_t, tolerance)
                               : num_bracket(behind, f, t, at_t, other, at_other, tolerance);
  const double later = fmin(root + tolerance, fmax(t, other));
  return behind(f, root) >= 0 ? root : later;
}

bool walk_run_cut(walk_job* r, double from, walk_found* found, int count)
{
  step_stepper* s = r->stepper;
  int first = 0;
  while (first < count && is_told_only(r, &found[first])) first++;
  if (!s->method->cut || first == count) return false;
  const walk_found* x = &found[first];
  search f = {.r = r,
              .watch = x->kind == WALK_STAGE ? r->s->model->events + x->index : x->index,
              .before = x->direction < 0 ? 1 : -1};
  const double t = x->direction ? instant_of(&f, from, x->t) : x->t;
  behind(&f, t);
  if (f.status != STEP_OK) {
    walk_run_give_up(r, *r->e->reason ? r->e->reason : s->reason);
    return true;
  }
  for (int i = 0; i < count; i++) found[i].t = t;
  walk_run_finish_step(r);
  return true;
}
