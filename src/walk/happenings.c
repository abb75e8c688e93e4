// The table of happenings: what is looked for in a step, and what happens at an instant.
#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/sinks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char endless_events[] = "events follow each other without end at this time",
                  endless_jumps[] = "the forces jump to and fro without end at this time",
                  endless_contacts[] =
                      "unilateral constraints close and loosen without end at this time",
                  endless_facings[] = "corners and sides come to face each other without end",
                  endless_grips[] = "a contact sticks and slips without end at this time",
                  endless_branches[] = "the acceleration jumps to and fro without end at this time",
                  endless_feet[] =
                      "the nearest point of a base changes to and fro without end at this time";

// In the order in which they happen at one instant: what the model asks for first, then what
// follows from the forces.
const walk_kind_row walk_kinds[WALK_KINDS] = {
    [WALK_INPUT] = {"input", false, NULL, NULL, walk_input_happen, 0, 0, NULL},
    [WALK_EVENT] = {"event", false, walk_event_look, walk_event_tell, walk_event_happen,
                    engine_again_events, 10000, endless_events},
    [WALK_STAGE] = {"end of stage", false, walk_stage_look, walk_stage_tell, walk_stage_happen,
                    engine_again_events, 10000, endless_events},
    [WALK_DELAY] = {"break of a delayed value", false, walk_delay_look, NULL, walk_delay_happen,
                    engine_again_events, 10000, endless_events},
    [WALK_REST] = {"bounces have ended", false, NULL, walk_rest_tell, NULL, 0, 0, NULL},
    [WALK_LEAVING] = {"contact leaves or meets", true, walk_leaving_look, walk_leaving_tell,
                      walk_leaving_happen, engine_again_events, 10000, endless_contacts},
    [WALK_FOOT] = {"nearest point changes", true, walk_foot_look, NULL, walk_foot_happen,
                   engine_again_forces, 50, endless_feet},
    [WALK_FACING] = {"other corners and sides face each other", true, walk_facing_look, NULL,
                     walk_facing_happen, engine_again_gaps, 200, endless_facings},
    [WALK_CORNER] = {"corner of a force", true, walk_corner_look, NULL, walk_corner_happen,
                     engine_again_forces, 50, endless_jumps},
    [WALK_GAP] = {"gap closes or opens", true, walk_gap_look, walk_gap_tell, walk_gap_happen,
                  engine_again_gaps, 200, endless_contacts},
    [WALK_SLIP] = {"slip of an inequality", true, walk_slip_look, NULL, walk_gap_happen,
                   engine_again_gaps, 200, endless_contacts},
    [WALK_GRIP] = {"slip of surfaces", true, walk_grip_look, walk_grip_tell, walk_grip_happen,
                   engine_again_forces, 50, endless_grips},
    [WALK_BRANCH] = {"branch changes", true, walk_branch_look, walk_branch_tell, walk_branch_happen,
                     engine_again_forces, 50, endless_branches},
    [WALK_GRADIENT] = {"gradient is lost", true, walk_gradient_look, NULL, walk_gradient_happen, 0,
                       0, NULL},
};

// ---- happen -------------------------------------------------------------------------------------

bool walk_run_idles(walk_job* r, walk_kind kind, double t)
{
  const walk_kind_row* row = &walk_kinds[kind];
  const bool again = t <= r->idle[kind].last + row->within * engine_scale_instant(r->e, t);
  r->idle[kind].count = again ? r->idle[kind].count + 1 : 0;
  r->idle[kind].last = t;
  if (!row->endless || r->idle[kind].count <= row->most) return false;
  walk_run_give_up(r, row->endless);
  return true;
}

// what was found of one kind, by one of its functions
static void each(walk_job* r, walk_instant* in, int kind,
                 void (*of)(walk_job* r, walk_instant* in, const walk_found* found))
{
  for (int i = 0; of && i < in->count && !r->over; i++)
    if ((int)in->found[i].kind == kind) of(r, in, &in->found[i]);
}

static bool has(const walk_instant* in, int kind)
{
  for (int i = 0; i < in->count; i++)
    if ((int)in->found[i].kind == kind) return true;
  return false;
}

// everything that was found at one instant, whatever its kinds; true if the step ends there
static bool happen_together(walk_job* r, const walk_found* found, int count)
{
  walk_instant in = {.t = found[0].t, .until = found[0].t, .count = count, .found = found};
  walk_instant_open(r, &in);
  for (int kind = 0; kind < WALK_KINDS && !r->over; kind++)
    each(r, &in, kind, walk_kinds[kind].tell);
  for (int kind = 0; kind < WALK_KINDS && !r->over; kind++) {
    each(r, &in, kind, walk_kinds[kind].happen);
    if (!r->over && in.ends && has(&in, kind)) walk_run_idles(r, (walk_kind)kind, in.t);
  }
  if (in.ends) r->track->t_reached = in.t;
  if (!r->over && in.ends) walk_instant_go_on(r, &in);
  if (r->over) {
    rate_flow_load(r->f, in.t, in.y);
    walk_sinks_step(r, in.y);
  }
  walk_instant_close(r, &in);
  return in.ends;
}

void walk_run_follow_up(walk_job* r)
{
  walk_events* w = r->watch;
  while (!r->over && w->followed.n) {
    const int count = w->followed.n;
    walk_found* found = base_alloc(sizeof *found * (size_t)count);
    memcpy(found, w->followed.at, sizeof *found * (size_t)count);
    w->followed.n = 0;
    happen_together(r, found, count);
    free(found);
  }
}

bool walk_run_happen(walk_job* r, const walk_found* found, int count)
{
  // a stage whose end is known as a time ends with what was found there
  const bool due = r->stage_until <= found[0].t + r->watch->same;
  walk_found_list all = {0};
  bool listed = false;
  for (int i = 0; i < count; i++) {
    base_push(&all, found[i]);
    listed = listed || found[i].kind == WALK_STAGE;
  }
  if (due && !listed) base_push(&all, (walk_found){WALK_STAGE, r->stage, found[0].t, 1});
  if (found[0].t < r->t_end) walk_sample_due(r, found[0].t, &all);
  walk_delay_due(r, found[0].t, &all);
  walk_limit_due(r, found[0].t, &all);
  const bool ends = happen_together(r, all.at, all.n);
  base_list_free(&all);
  walk_run_follow_up(r);
  return ends;
}
