// An instant at which something happens: the state there, one decision about everything that
// switches, and the steps that start anew behind it.
#include "walk/instant.h"
#include "contact/contact.h"
#include "walk/integrals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void walk_instant_open(walk_job* r, walk_instant* in)
{
  const engine* e = r->e;
  const size_t bytes = sizeof(double) * (size_t)r->f->ode.n;
  const size_t inequalities = e->unilateral ? (size_t)e->unilateral->count : 0;
  in->y = base_alloc(bytes + sizeof(double) * (size_t)(2 * e->modes.count + 1));
  in->side = in->y + r->f->ode.n;
  in->switching = in->side + e->modes.count;
  in->active = base_alloc((size_t)(e->m + e->modes.count + e->parts) + inequalities + 2);
  in->held = in->active + e->m;
  in->closing = in->held + e->modes.count;
  in->parts = in->closing + inequalities;
  in->regime = base_alloc(sizeof(int) * (size_t)(e->parts + 1));
  r->instant = in->t;
  r->doing = "what happens there could not be decided";
  if (in->t == r->stepper->t)
    memcpy(in->y, r->stepper->y, bytes);
  else
    r->stepper->method->dense(r->stepper, in->t, in->y);
  in->work = in->y[2 * e->n];
}

void walk_instant_close(walk_job* r, walk_instant* in)
{
  r->instant = NAN;
  contact_before_free(&in->kept);
  free(in->y);
  free(in->active);
  free(in->regime);
}

// the engine at the state before, on the constraints
static bool place(walk_job* r, const walk_instant* in)
{
  bool moved;
  if (!rate_flow_load(r->f, in->t, in->y) && !engine_project(r->e, &moved)) return true;
  walk_run_give_up(r, r->e->reason);
  return false;
}

bool walk_instant_enter(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (in->entered) return true;
  walk_run_keep_before(r, in->t, in->y);
  if (!place(r, in)) return false;
  in->entered = true;
  in->H = walk_run_energy(r).H;
  in->kept = contact_before_keep(e);
  contact_regime_keep(e, in->regime);
  memcpy(in->active, e->active, (size_t)e->m);
  if (!e->modes.count) return true;
  code_run(e->switches, e->in, e->switching, e->scratch);
  memcpy(in->switching, e->switching, sizeof(double) * (size_t)e->modes.count);
  memcpy(in->held, e->held, (size_t)e->modes.count);
  memcpy(in->side, e->side, sizeof(double) * (size_t)e->modes.count);
  return true;
}

bool walk_instant_set(walk_job* r, walk_instant* in, const model_change* c)
{
  in->ends = true;
  if (!walk_instant_enter(r, in)) return false;
  if (!in->set) walk_integrals_note(r);
  if (walk_change(r->e, c, r->notes)) {
    char text[120];
    snprintf(text, sizeof text, "at t = %.10g: the change asked for there could not be made",
             in->t);
    walk_run_stop(r, WALK_UNFINISHED, text);
    return false;
  }
  engine_time(r->e, in->t);
  in->set = in->jumped = true;
  in->recounted = in->recounted || c->releases || c->imposes;
  return true;
}

// ---- the decision -------------------------------------------------------------------------------

// sides of all corners at the engine's state, and the branches on them
static int find_sides(walk_job* r, walk_instant* in)
{
  const bool followed = !in->branched && walk_branch_follow(r);
  if (contact_sides(r->e)) return 1;
  if (followed) in->branched = walk_branch_left(r);
  in->chosen = true;
  return 0;
}

// what was set, struck or let go has given or taken at once
static void note_jump(walk_job* r, const walk_instant* in)
{
  if (in->jumped) r->jumps += walk_run_energy(r).H - in->H;
  if (in->set) walk_integrals_jump(r);
}

// sides where more than corners has changed; those that were met here stand at theirs
static int choose_sides(walk_job* r, walk_instant* in)
{
  if (!in->set && !in->touched && !in->gripped) return 0;
  return find_sides(r, in) || walk_corners_meet(r, in);
}

// What holds, presses, sticks and slips from here on, and on which sides: everything that was
// found at the instant, and everything that feels what was set, together.
static int decide(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  const bool contacts = e->unilateral && (in->set || in->touched);
  if (contacts && in->set && find_sides(r, in)) return 1;
  if (walk_corners_pass(r, in)) return 1;
  if (contacts && walk_contacts_decide(r, in)) return 1;
  if (walk_grips_decide(r, in)) return 1;
  note_jump(r, in);
  if (in->recounted || contacts || in->gripped) engine_set_aside(e);
  if (choose_sides(r, in)) return 1;
  if ((contacts || in->cornered) && walk_contact_follow(r)) return 1;
  return in->branched && walk_branch_decide(r, in);
}

// the state shown last is that before, and so is its mode
static void take_back(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  memcpy(e->active, in->active, (size_t)e->m);
  contact_regime_put_back(e, in->regime);
  engine_rows(e);
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
  walk_grips_begin(r, in);
  r->before_t = r->instant = in->until;
  if (r->over || !walk_run_restart(r, in->until, in->work)) return;
  walk_grips_told(r, in);
  walk_branch_told(r, in);
  if (!r->over && in->set && !r->record->fixed_rows)
    walk_run_add_row(r, in->until, r->stepper->y, -1);
  walk_stage_begun(r, in, stage);
}
