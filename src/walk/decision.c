// One decision about everything that switches at an instant, and the steps that start anew behind
// it.
#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/moreau.h"
#include "walk/sinks.h"

#include <string.h>

// sides of all corners at the engine's state, and the branches on them
static int find_sides(walk_job* r, walk_instant* in)
{
  const bool followed = !in->branched && walk_branch_follow(r);
  if (contact_sides(r->e)) return 1;
  if (followed) in->branched = walk_branch_left(r);
  in->chosen = true;
  return 0;
}

// sides where more than corners has changed; those that were met here stand at theirs
static int choose_sides(walk_job* r, walk_instant* in)
{
  if (!in->set && !in->touched && !in->gripped) return 0;
  return find_sides(r, in) || walk_corners_meet(r, in);
}

// the same law, asked in the next step of time
static int decide_in_steps(walk_job* r, walk_instant* in)
{
  walk_moreau_let_go(r->e);
  if (in->recounted) engine_set_aside(r->e);
  walk_moreau_sides(r->e);
  walk_sinks_jump(r, in);
  return 0;
}

// What holds, presses, sticks and slips from here on, and on which sides: everything that was
// found at the instant, and everything that feels what was set, together.
static int decide(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (r->moreau) return decide_in_steps(r, in);
  if (e->unilateral && in->set && find_sides(r, in)) return 1;
  if (walk_corners_pass(r, in)) return 1;
  const bool contacts = e->unilateral && (in->set || in->touched);
  if (contacts && walk_contacts_decide(r, in)) return 1;
  if (walk_grips_decide(r, in)) return 1;
  walk_sinks_jump(r, in);
  if (in->recounted || contacts || in->gripped) engine_set_aside(e);
  if (choose_sides(r, in)) return 1;
  if ((contacts || in->cornered) && walk_contact_follow(r, in)) return 1;
  walk_contact_slips(r, in);
  return in->branched && walk_branch_decide(r, in);
}

// the state shown last is that before, and so is its mode
static void take_back(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  memcpy(e->mode.active, in->active, (size_t)e->m);
  contact_regime_put_back(e, in->regime);
  engine_rows(e);
}

// What happens there may take a moment, as the first stretch of a slip does: events that have fired
// have passed all of it, and do not pass zero by a jump behind it.
static void fired_until(walk_job* r, const walk_instant* in)
{
  for (int i = 0; i < in->count; i++) {
    const walk_found* f = &in->found[i];
    double* last = f->kind == WALK_EVENT ? &r->watch->last[WALK_EVENT][f->index] : NULL;
    if (last && *last == in->t) *last = in->until;
  }
}

void walk_instant_go_on(walk_job* r, walk_instant* in)
{
  if (!walk_instant_enter(r, in)) return;
  const int stage = r->stage;
  if (decide(r, in)) {
    take_back(r, in);
    if (!r->over) walk_run_give_up(r, r->e->reason);
    return;
  }
  if (r->over) return;
  if (in->until > in->t && walk_contacts_rows(r, in)) {
    walk_run_give_up(r, r->e->reason);
    return;
  }
  walk_delay_limit(r, in);
  walk_grips_begin(r, in);
  walk_slips_begin(r, in);
  walk_corners_stand(r, in->until);
  fired_until(r, in);
  r->before_t = r->instant = in->until;
  walk_delay_go_on(r, in);
  if (r->over || !walk_run_restart(r, in->until, in->work)) return;
  walk_grips_told(r, in);
  walk_branch_told(r, in);
  walk_corners_told(r, in);
  if (!r->over && in->set && !r->record->fixed_rows && !walk_sample_alone(r, in->count, in->found))
    walk_run_add_row(r, in->until, r->stepper->y, -1);
  walk_stage_begun(r, in, stage);
}
