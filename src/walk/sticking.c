// Dry friction of surfaces in space: motion s that comes to an end, sticking, and motion that
// begins. A grip is one friction of a contact: against slip, rolling or pivoting.
//
// While it sticks, constraints s = 0 hold it with the force or moment T; it slips where |T| reaches
// mu N. The law -mu N s/|s| has no value at s = 0. Where slip ends, the last bit of it is taken in
// one step along the accelerations, which is right to the square of its length. Where it begins
// with a rate of its own, an impulse against T gives a first bit of it, which is right to that bit;
// where it begins smoothly, see slip_onset.c.
#include "walk/sticking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/sinks.h"
#include "walk/slip_onset.h"

enum { most_roots = 16 };

// |T|^2 - (mu N)^2 at the state in the input block, over the larger of both; nan where not known
static double over_cone(engine* e, int i)
{
  contact_load load;
  if (!contact_grip_load(e, i, &load)) return NAN;
  const double T = load.size, most = load.most;
  return T > 0 || most > 0 ? (T * T - most * most) / fmax(T * T, most * most) : -1;
}

// against the force that holds it, with a share of the speed it is measured by
static int let_slip(engine* e, int i, double share)
{
  contact_load load;
  double wanted[MODEL_GRIP_ROWS];
  if (!contact_grip_load(e, i, &load)) return 1;
  engine_scales_see_all(e, e->q, e->v, e->a);
  const double speed = share * contact_grip_scale(e, i);
  for (int k = 0; k < MODEL_GRIP_ROWS; k++) wanted[k] = speed * load.direction[k];
  contact_grip_set(e, i, false);
  return contact_grip_push(e, i, wanted);
}

// grips that stick where friction does not suffice slip, the most overcharged first
static int settle(engine* e)
{
  for (int turn = 0; turn <= contact_grips(e); turn++) {
    int worst = -1;
    double most = engine_over_cone;
    for (int i = 0; i < contact_grips(e); i++) {
      if (!contact_grip_sticks(e, i)) continue;
      const double over = over_cone(e, i);
      if (isnan(over)) return 1;
      if (over <= most) continue;
      most = over;
      worst = i;
    }
    if (worst < 0) return 0;
    if (let_slip(e, worst, engine_slip_begins)) return 1;
  }
  return 0;
}

int walk_stick_start(engine* e)
{
  bool some = false;
  for (int i = 0; i < contact_grips(e); i++) {
    if (!contact_grip_acts(e, i) || contact_grip_sticks(e, i) || !contact_grip_rests(e, i))
      continue;
    contact_grip_set(e, i, true);
    some = true;
  }
  return some && (engine_kick(e, NULL) || settle(e));
}

static double cone_at(void* context, double t)
{
  walk_events* w = context;
  return walk_events_load(w, t) ? NAN : over_cone(w->flow->e, w->looking_at);
}

void walk_grip_look(walk_events* w, double from)
{
  const engine* e = w->flow->e;
  for (int i = 0; i < contact_grips(e); i++) {
    num_root root[most_roots];
    if (!contact_grip_sticks(e, i)) continue;
    w->looking_at = i;
    const int roots = num_roots(cone_at, w, from, w->stepper->t, w->tolerance, most_roots, root);
    for (int k = 0; k < roots; k++) {
      if (root[k].direction <= 0) continue;
      walk_events_found(w, WALK_GRIP, i, root[k].t, 1);
      break;
    }
  }
}

void walk_grips_ended(walk_job* r, walk_found_list* out)
{
  engine* e = r->e;
  for (int i = 0; i < contact_grips(e); i++) {
    if (!contact_grip_acts(e, i) || contact_grip_sticks(e, i)) continue;
    if (rate_flow_load(r->f, r->stepper->t, r->stepper->y)) return;
    if (!contact_grip_rests(e, i) || contact_grip_growth(e, i) >= 0) continue;
    base_push(out, (walk_found){WALK_GRIP, i, r->stepper->t, -1});
  }
}

// the last bit of slip, at the state in the input block; returns how long it takes
static double end_slip(walk_job* r, int i, double t)
{
  engine* e = r->e;
  double s[MODEL_GRIP_ROWS];
  const double speed = contact_grip_speed(e, i, s), rate = contact_grip_growth(e, i),
               h = -speed / rate;
  // accelerations change by a small part in less
  const double shortest = engine_brief * engine_scale_quick(e);
  if (!(h > 0 && h < shortest) || !(t + h < fmin(r->t_end, walk_run_due(r)))) return 0;
  for (int k = 0; k < e->n; k++) {
    e->q[k] += h * (e->v[k] + 0.5 * h * e->a[k]);
    e->v[k] += h * e->a[k];
  }
  engine_time(e, t + h);
  return h;
}

static const char* word_for(int i, bool sticks)
{
  static const char* const words[MODEL_GRIPS][2] = {{"slipping", "sticking"},
                                                    {"start of rolling", "end of rolling"},
                                                    {"start of pivoting", "end of pivoting"}};
  return words[i % MODEL_GRIPS][sticks];
}

static void remember(walk_job* r, const walk_found* found, int i, bool sticks, const double* y)
{
  char name[160];
  snprintf(name, sizeof name, "%s of %s", word_for(i, sticks), contact_grip_contact(r->e, i)->name);
  walk_sinks_happening(r, found, name, y);
}

// ---- what happens -------------------------------------------------------------------------------

// nothing jumps where it begins to slip: its row is that of sticking
void walk_grip_tell(walk_job* r, walk_instant* in, const walk_found* found)
{
  if (!contact_grip_sticks(r->e, found->index)) return;
  in->excess_rate[found->index] = walk_onset_rate(r, found->index, in->t);
  remember(r, found, found->index, false, in->y);
}

void walk_grip_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  (void)r;
  (void)found;
  in->ends = in->gripped = true;
}

int walk_grips_decide(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  bool moved, any = false;
  // what was set, or struck, may have brought others to rest or beyond what friction holds
  if (in->set && walk_stick_start(e)) return 1;
  for (int k = 0; k < in->count; k++) {
    const int i = in->found[k].index;
    if (in->found[k].kind != WALK_GRIP || in->found[k].direction > 0) continue;
    if (!contact_grip_acts(e, i) || contact_grip_sticks(e, i)) continue;
    in->until += end_slip(r, i, in->until);
    contact_grip_set(e, i, true);
    in->jumped = any = true;
  }
  if (any && (engine_project(e, &moved) || engine_kick(e, NULL))) return 1;
  return any || in->set || in->touched ? settle(e) : 0;
}

// an impulse gives each of the grips found that still stick a first bit of slip
static int push(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  const double before = walk_run_energy(r).H;
  for (int k = 0; k < in->count; k++)
    if (in->found[k].kind == WALK_GRIP && contact_grip_sticks(e, in->found[k].index) &&
        in->found[k].direction > 0 && let_slip(e, in->found[k].index, 2 * engine_slip_ends))
      return 1;
  const int failed = settle(e);
  r->jumps += walk_run_energy(r).H - before;
  engine_set_aside(e);
  return failed || contact_sides(e);
}

void walk_grips_begin(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (!walk_onset_count(r, &walk_slip_grips, in)) return;
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, e->reason);
    return;
  }
  double* y = base_alloc(sizeof(double) * (size_t)r->f->ode.n);
  rate_flow_store(r->f, in->work, y);
  const double t = walk_onset(r, &walk_slip_grips, in, in->until, y, &in->work);
  free(y);
  if (!isnan(t)) {
    in->until = t;
    engine_set_aside(e);
  } else if (push(r, in)) {
    walk_run_give_up(r, e->reason);
  }
}

void walk_grips_told(walk_job* r, const walk_instant* in)
{
  for (int k = 0; k < in->count && !r->over; k++) {
    walk_found at = in->found[k];
    if (at.kind != WALK_GRIP || at.direction > 0) continue;
    at.t = in->until;
    remember(r, &at, at.index, contact_grip_sticks(r->e, at.index), r->stepper->y);
  }
}
