// Which inequalities hold at an instant, after the impacts it needs; in a system of parts each
// decision is made in the part it concerns, as if that were alone.
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/corners.h"
#include "contact/paradox.h"

#include <stdlib.h>
#include <string.h>

// what the forces would do without any inequality, where the masses alone do not tell
static void see_forces(engine* e)
{
  if (!e->model->massless || contact_active_set_free(e)) return;
  engine_scales_see(e, e->q, e->v, e->unilateral->w);
}

// neighbours mostly share theirs
static void read_restitutions(engine* e)
{
  contact_inequalities* u = e->unilateral;
  expr last = EXPR_NONE;
  double value = 0;
  for (int i = 0; i < u->count; i++) {
    const expr r = contact_inequality_constraint(e, i)->restitution;
    if (r != last) value = r == EXPR_NONE ? 0 : engine_value_again(e, r);
    u->restitution[i] = value;
    last = r;
  }
}

// nothing touches it: all stays as it is
static void stay(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    u->was[i] = e->mode.active[u->of[i]];
    u->impulse[i] = 0;
    u->mode_was[i] = u->mode[i];
    u->starts_was[i] = u->starts[i];
  }
  memset(u->kick, 0, sizeof(double) * (size_t)e->m);
  u->struck = u->engaged = false;
  u->regime_was = e->mode.regime;
}

// what was found, to be told
static void bring_up(engine* e, int p)
{
  contact_inequalities* u = e->unilateral;
  const engine_part* part = &e->part[p];
  contact_inequalities* own = part->e->unilateral;
  for (int i = 0; i < u->count; i++) {
    if (u->part[i] != p) continue;
    const int j = u->number[i];
    u->impulse[i] = own->impulse[j];
    u->low[i] = own->low[j];
    u->hop[i] = own->hop[j];
    u->hop_speed[i] = own->hop_speed[j];
  }
  for (int k = 0; k < part->m; k++) u->kick[part->row[k]] = own->kick[k];
  u->engaged = u->engaged || own->engaged;
  u->gained += own->gained;
  own->gained = 0;
}

int contact_inequality_runs_into(engine* e)
{
  if (e->parts) return contact_parts_count(e, contact_inequality_runs_into);
  const contact_inequalities* u = e->unilateral;
  int count = 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    if (!u->present[i] || e->mode.active[u->of[i]]) continue;
    const int order = contact_inequality_constraint(e, i)->order;
    const double still = engine_noise_speed * contact_inequality_speed(e, i),
                 near = engine_noise_gap * contact_inequality_length(e, i);
    count += contact_inequality_rate(e, i) < -still &&
             (order == 1 || (order == 0 && contact_inequality_gap(e, i) <= near));
  }
  return count;
}

static int decide_parts(engine* e, bool impacts, const bool* closing, const bool* touched)
{
  contact_inequalities* u = e->unilateral;
  bool* own = base_alloc((size_t)u->count + 1);
  int failed = 0;
  u->engaged = false;
  for (int i = 0; i < u->count; i++)
    e->part[u->part[i]].e->unilateral->apart[u->number[i]] = u->apart[i];
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    engine* x = engine_part_enter(e, p);
    const bool told = !touched || touched[p] || contact_parts_touch(e, p, closing);
    if (failed || !(told || contact_inequality_runs_into(x) > 0))
      stay(x);
    else
      failed = contact_inequality_decide(x, impacts, contact_parts_flags(e, p, closing, own), NULL);
    engine_part_leave(e, p);
    bring_up(e, p);
  }
  free(own);
  return failed;
}

// Jumps at which the motion stands are decided with the contacts. Of these none is active yet.
static void stand(engine* e)
{
  engine_rows(e);
  contact_corners_stand(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
}

static int choose_rough(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  int failed;
  do failed = u->links ? contact_regime_choose_rough(e) : contact_slip_choose(e);
  while (!failed && u->beside && contact_press_jumps(e));
  for (int i = 0; i < e->program->modes.count && u->beside; i++) e->mode.standing[i] = ENGINE_APART;
  return failed;
}

// Jumps that hold the motion have the values of this instant, and not those of the end of the last
// step: what presses is decided with them.
static void see_held(engine* e)
{
  if (e->mode.held_count && contact_accelerations(e)) *e->reason = 0;
}

// They hold it in the next moment, too: with their values of now, what the contacts press with by
// then would be off by as much as it has changed.
static void hold_on(engine* e)
{
  contact_inequalities* u = e->unilateral;
  if (!e->mode.held_count) return;
  for (int i = 0; i < u->count; i++) e->mode.active[u->of[i]] = u->was[i];
  engine_rows(e);
  if (contact_accelerations(e)) *e->reason = 0;
  for (int i = 0; i < u->count; i++) e->mode.active[u->of[i]] = u->both[i] && u->was[i];
  engine_rows(e);
}

int contact_inequality_decide(engine* e, bool impacts, const bool* closing, const bool* touched)
{
  contact_inequalities* u = e->unilateral;
  if (e->parts) return decide_parts(e, impacts, closing, touched);
  see_held(e);
  read_restitutions(e);
  for (int i = 0; i < u->count; i++) {
    u->was[i] = e->mode.active[u->of[i]];
    u->impulse[i] = 0;
  }
  memset(u->kick, 0, sizeof(double) * (size_t)e->m);
  u->struck = false;
  u->regime_was = e->mode.regime;
  if (u->rough) contact_slip_forget(e);
  if (contact_active_set_closed(e, closing)) return 1;
  // the search for what holds starts from what holds in any case
  for (int i = 0; i < u->count; i++) e->mode.active[u->of[i]] = u->both[i] && u->was[i];
  contact_regime_link(e);
  see_forces(e);
  const int jams = u->jams - 1;
  u->jams = 0;
  u->jammed = -1;
  if (jams >= 0 && contact_paradox_strike(e, jams)) return 1;
  if (contact_impact_settle(e, impacts)) return 1;
  if (u->beside) stand(e);
  contact_active_set_candidates(e, closing);
  if (u->rough) return choose_rough(e);
  if (e->program->forces_feel) return contact_enumeration_choose(e);
  if (contact_active_set_choose(e, hold_on)) return 1;
  engine_rows(e);
  return u->links ? contact_regime_choose(e, closing) : 0;
}

contact_change contact_inequality_change(const engine* e, int i)
{
  e = contact_inequality_place(e, &i);
  const contact_inequalities* u = e->unilateral;
  const bool now = e->mode.active[u->of[i]];
  if (e->mode.regime == i) return u->regime_was == i && !u->engaged ? CONTACT_KEPT : CONTACT_REGIME;
  if (now && u->regime_was == i) return CONTACT_ENGAGED;
  if (now && !u->was[i]) return CONTACT_ENGAGED;
  if (u->was[i] && !now) return u->jammed == i ? CONTACT_JAMMED : CONTACT_LOOSENED;
  if (u->impulse[i] > 0) return u->jammed == i ? CONTACT_JAMMED : CONTACT_HIT;
  return now && u->rough ? contact_slip_change(e, i) : CONTACT_KEPT;
}

contact_change contact_change_both(contact_change first, contact_change then)
{
  const bool back = (first == CONTACT_ENGAGED && then == CONTACT_LOOSENED) ||
                    (first == CONTACT_LOOSENED && then == CONTACT_ENGAGED);
  return back ? CONTACT_KEPT : then != CONTACT_KEPT ? then : first;
}
