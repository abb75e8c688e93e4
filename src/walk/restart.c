// Behind an instant: what is kept of it, what passed zero by a jump, and the steps that start anew.
#include "contact/contact.h"
#include "walk/run.h"
#include "walk/singular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void walk_run_remember(walk_job* r, const walk_found* f, const char* name, const double* y)
{
  const int event = name ? -2 - r->track->happenings : f->index;
  walk_aside_begin(r->record->aside, r->f);
  const int failed = walk_rows_row(r->record, f->t, y, r->stage, event);
  if (!failed && r->record->curves && !name) walk_rows_put_curve(r->record, f->t, r->stage, event);
  walk_aside_end(r->record->aside, r->f);
  if (!failed) walk_run_keep(r, f, name);
}

void walk_run_keep(walk_job* r, const walk_found* f, const char* name)
{
  walk_track* t = r->track;
  const int width = t->columns, event = name ? -1 : f->index;
  walk_happening h = {.event = event,
                      .name = name ? base_arena_strdup(t->arena, name) : NULL,
                      .t = f->t,
                      .direction = f->direction};
  h.row = base_arena_take(t->arena, sizeof(double) * (size_t)width);
  memcpy(h.row, t->table.value + (size_t)(t->table.rows - 1) * (size_t)width,
         sizeof(double) * (size_t)width);
  if (r->record->fixed_rows) {
    t->table.rows--;
    if (t->watched.rows) t->watched.rows--;
  }
  if ((t->happenings & (t->happenings + 1)) == 0)
    t->happening =
        base_realloc(t->happening, sizeof *t->happening * (size_t)(2 * t->happenings + 2));
  t->happening[t->happenings++] = h;
}

// ---- jumps --------------------------------------------------------------------------------------

// A watched function may pass zero by a jump, where a force switches or something is set: no root
// of it lies in any step. Its values before the first change at an instant are kept, and compared
// behind the restart.
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

// events that passed zero by the jump at t, into w->followed
static void find_jumped(walk_job* r, double t)
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
    const double after = walk_events_clear_value(r->watch, i, t, r->stepper->y);
    // a root of it found at this very instant is one of rounding
    if (after == 0) *last_of(r, i) = t;
    const int direction = r->before[i] < 0 && after > 0   ? 1
                          : r->before[i] > 0 && after < 0 ? -1
                                                          : 0;
    const int wanted = i >= m->events ? 1 : m->event[i].direction;
    if (!direction || (wanted && wanted != direction) || *last_of(r, i) == t) continue;
    const walk_found event = {WALK_EVENT, i, t, direction},
                     stage = {WALK_STAGE, i - m->events, t, direction};
    base_push(&w->followed, i < m->events ? event : stage);
  }
}

bool walk_run_restart(walk_job* r, double t, double work)
{
  walk_singular_restart(r);
  step_stepper* s = r->stepper;
  r->doing = "the steps could not start anew behind what happens there";
  if (r->f->wide) {
    walk_run_give_up(r, "the motion changes at once there, and goes on from it with no more digits "
                        "than a double has; --tol 1e-15 goes on");
    return false;
  }
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  // of the rows that hold from here on
  if (!r->f->reduced) engine_see_margin(r->e);
  rate_flow_store(r->f, work, r->y);
  // the implicit form has as many unknowns as there are constraints now
  if (s->method->implicit_form && s->ode.dae_n != r->f->ode.dae_n) {
    const step_method* method = s->method;
    const step_counts counts = s->counts;
    method->destroy(s);
    r->stepper = s = method->create(method, &r->f->ode);
    s->counts = counts;
  }
  walk_run_warn_laws(r, t);
  const step_status status = s->method->start(s, t, r->y, r->t_end);
  r->track->restarts++;
  if (status != STEP_OK) {
    walk_run_give_up(r, *r->e->reason ? r->e->reason : s->reason);
    return false;
  }
  walk_contact_tell(r, t);
  if (r->over) return false;
  find_jumped(r, t);
  return true;
}
