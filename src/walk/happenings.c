// The table of happenings: what is looked for in a step, and what happens at an instant.
#include "walk/happenings.h"
#include "contact/contact.h"
#include "walk/integrals.h"
#include "walk/sticking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const walk_kind_row walk_kinds[WALK_KINDS] = {
    [WALK_EVENT] = {"event", walk_event_look, walk_event_happen},
    [WALK_STAGE] = {"end of stage", walk_stage_look, walk_stage_happen},
    [WALK_LEAVING] = {"contact leaves or meets", walk_leaving_look, walk_leaving_happen},
    [WALK_FOOT] = {"nearest point changes", walk_foot_look, walk_foot_happen},
    [WALK_CORNER] = {"corner of a force", walk_corner_look, walk_corner_happen},
    [WALK_GAP] = {"gap closes or opens", walk_gap_look, walk_gap_happen},
    [WALK_SLIP] = {"slip of an inequality", walk_slip_look, walk_gap_happen},
    [WALK_GRIP] = {"slip of surfaces", walk_grip_look, walk_grip_happen},
    [WALK_BRANCH] = {"branch changes", walk_branch_look, walk_branch_happen},
    [WALK_GRADIENT] = {"gradient is lost", walk_gradient_look, walk_gradient_happen},
};

// ---- look ---------------------------------------------------------------------------------------

static int by_time(const void* a, const void* b)
{
  const walk_found *x = a, *y = b;
  if (x->t != y->t) return (x->t > y->t) - (x->t < y->t);
  if (x->kind != y->kind) return (x->kind > y->kind) - (x->kind < y->kind);
  return (x->index > y->index) - (x->index < y->index);
}

void walk_events_step(walk_events* w, step_stepper* s, double from, int stage)
{
  w->stepper = s;
  w->stage = stage;
  w->cached = 0;
  w->found.n = 0;
  w->searched_to = s->t;
  const double scale = fmax(fmax(fabs(s->t_old), fabs(s->t)), 1e-3);
  w->tolerance = 2e-15 * scale;
  w->same = 1e-12 * scale;
  if (s->method->series_form && w->count) rate_series_watch(w->flow->series, s->t_old);
  for (int kind = 0; kind < WALK_KINDS; kind++) walk_kinds[kind].look(w, from);
  if (w->found.n) qsort(w->found.at, (size_t)w->found.n, sizeof *w->found.at, by_time);
  while (w->found.n && w->found.at[w->found.n - 1].t > w->searched_to) w->found.n--;
}

// ---- happen -------------------------------------------------------------------------------------

// the mode behind the instant, and the steps from there on
static void go_on(walk_job* r, walk_instant* in)
{
  if (in->stage_ends) {
    walk_run_change_stage(r, in->t, in->y);
  } else if (in->touched && !in->changed) {
    walk_run_contact(r, in->found, in->count, in->y);
  } else if (in->cornered && !in->changed) {
    walk_run_turn_corners(r, in->found, in->count, in->y);
  } else if (in->changed) {
    rate_flow_load(r->f, in->t, in->y);
    if (walk_run_restart(r, in->t, in->work) && !r->record->fixed_rows)
      walk_run_add_row(r, in->t, r->stepper->y, -1);
  } else if (in->grip) {
    walk_stick_happen(r, in->grip, in->y);
  } else if (in->branched) {
    walk_run_change_branch(r, in->t, in->y);
  }
}

// everything that was found at one instant; true if the step ends there
bool walk_run_happen(walk_job* r, const walk_found* found, int count)
{
  const size_t bytes = sizeof(double) * (size_t)r->f->ode.n;
  walk_instant in = {.t = found[0].t, .count = count, .found = found, .y = base_alloc(bytes)};
  r->instant = in.t;
  if (in.t == r->stepper->t)
    memcpy(in.y, r->stepper->y, bytes);
  else
    r->stepper->method->dense(r->stepper, in.t, in.y);
  in.work = in.y[2 * r->e->n];
  for (int kind = 0; kind < WALK_KINDS; kind++)
    for (int i = 0; i < count && !r->over; i++)
      if ((int)found[i].kind == kind) walk_kinds[kind].happen(r, &in, &found[i]);
  if (in.ends) r->track->t_reached = in.t;
  if (!r->over && in.ends) go_on(r, &in);
  if (r->over) {
    rate_flow_load(r->f, in.t, in.y);
    walk_run_note_energy(r, in.y);
    walk_integrals_note(r);
  }
  r->instant = NAN;
  free(in.y);
  return in.ends;
}
