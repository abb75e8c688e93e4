// Contacts event by event, or by steps of time where that is slow or cannot go on.
#include "walk/happenings.h"
#include "walk/run.h"

#include <math.h>

// States looked at for instants: below the first nothing is said; and what a run may take in all,
// at the pace so far, before it counts as slow
static const double few_looks = 5e3, most_looks = 1e5;

static bool is_slow(const walk_job* r)
{
  const double from = r->track->t_from, share = (r->stepper->t - from) / (r->t_end - from);
  if (r->moreau || !r->e->unilateral || !(share >= 0)) return false;
  return (double)r->watch->loads > fmax(few_looks, share * most_looks);
}

void walk_need_look(walk_job* r)
{
  if (r->told_slow || !is_slow(r)) return;
  r->told_slow = true;
  if (r->o->by_need) {
    walk_run_give_up(r, "contacts are slow event by event");
    return;
  }
  base_info(r->notes, BASE_NOWHERE,
            "contacts are slow event by event: %ld states were looked at up to t = %.6g",
            r->watch->loads, r->stepper->t);
  base_help(r->notes, "`--method moreau` is faster; `--contacts auto` takes it where it is needed");
}

walk_track* walk_run(mech_system* s, const walk_options* o, base_notes* notes)
{
  if (!o->by_need || o->method || *s->model->method || o->onward)
    return walk_run_plainly(s, o, notes);
  // what is kept on the way must not be begun twice
  walk_options events = *o, steps = *o;
  const int told = base_notes_count(notes);
  events.keeper = NULL;
  steps.method = "moreau";
  walk_track* t = walk_run_plainly(s, &events, notes);
  if (!t) return NULL;
  if (t->status != WALK_UNFINISHED) {
    if (o->keeper) o->keeper->rows(o->keeper->context, t);
    return t;
  }
  base_notes_cut(notes, told);
  walk_track* u = walk_run_plainly(s, &steps, notes);
  if (!u) {
    base_notes_cut(notes, told);
    base_warning(notes, BASE_NOWHERE, "%s; the method `moreau` does not take this model",
                 t->reason);
    return t;
  }
  base_info(notes, BASE_NOWHERE, "the run was made by steps of time: event by event, %s",
            t->reason);
  u->method_why = base_arena_printf(u->arena, "contacts auto; %s", u->method_why);
  walk_track_free(t);
  return u;
}
