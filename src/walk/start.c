// The start of a motion: the initial state with the contacts that touch, and what they do at once.
#include "contact/contact.h"
#include "walk/initial.h"
#include "walk/run.h"

#include <math.h>
#include <string.h>

static void tell_of_impacts(const engine* e, base_notes* notes)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    const model_constraint* c = &e->model->constraint[u->of[i]];
    if (u->impulse[i] > 0)
      base_warning(notes, c->place,
                   "the initial state runs into `%s`: the velocities are those after the impact",
                   contact_inequality_name(e, i));
  }
}

// do the surfaces of contact i land, and are not released?
static bool may_land(const engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  return c->lands && e->unilateral->present[contact_inequality_find(e->unilateral, c->gap)];
}

// Contacts of surfaces that can land touch at the start, but for the i with bit i in `apart`.
static void touch(engine* e, unsigned apart)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < e->model->contacts; i++)
    if (may_land(e, i)) e->mode.active[e->model->contact[i].gap] = !(apart >> i & 1);
  for (int j = 0; j < u->links; j++)
    if (e->model->constraint[u->link[j]].contact)
      e->mode.active[u->link[j]] = u->link_present[j] && e->mode.active[u->of[u->link_of[j]]];
}

static void tie(engine* e, unsigned apart, bool on)
{
  for (int i = 0; apart && i < e->model->contacts; i++) {
    const model_near* near = &e->model->contact[i].near;
    for (int k = 0; k < near->count && apart >> i & 1; k++) e->mode.active[near->row[k]] = on;
  }
  engine_rows(e);
}

// Where surfaces start apart, the place of the bodies is found first, then the points of the bases
// that are next to them: a guess of all coordinates, null where there is none to be made.
static double* seed_of(engine* e, const walk_request* a, unsigned apart, double* moved)
{
  const int before = base_notes_count(a->notes);
  *moved = 0;
  if (!apart) return NULL;
  tie(e, apart, false);
  bool met = walk_initial_solve(e, a, NULL, moved);
  tie(e, apart, true);
  for (int i = 0; met && i < e->model->contacts; i++)
    if (apart >> i & 1) met = contact_foot_seed(e, i);
  base_notes_cut(a->notes, before);
  if (!met) return NULL;
  double* seed = base_arena_take(e->arena, sizeof(double) * (size_t)e->n);
  memcpy(seed, e->q, sizeof(double) * (size_t)e->n);
  return seed;
}

// are those that are to be apart so, or about to?
static bool are_apart(engine* e, unsigned apart)
{
  for (int i = 0; i < e->model->contacts; i++)
    if (contact_foot_is_followed(e, i) && contact_foot_change(e, i)) return false;
  if (!apart) return true;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < e->model->contacts; i++) {
    if (!(apart >> i & 1)) continue;
    const int k = contact_inequality_find(e->unilateral, e->model->contact[i].gap);
    const double gap = contact_inequality_gap(e, k), rate = contact_inequality_rate(e, k);
    const double near = engine_noise_gap * contact_inequality_length(e, k);
    const double still = engine_noise_speed * contact_inequality_speed(e, k);
    if (gap < -near || (gap <= near && fabs(rate) <= still)) return false;
  }
  return true;
}

static void leave_aside(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++)
    if (!u->both[i]) e->mode.active[u->of[i]] = false;
  for (int j = 0; j < u->links; j++) e->mode.active[u->link[j]] = false;
}

// nothing leads out of the middle of a shape
static bool begins_inside(engine* e, base_notes* notes)
{
  const model_constraint* c = contact_inequality_without_way(e);
  if (!c) return false;
  base_error(notes, c->place, "at the start: `%s` is violated, and no direction leads out of that",
             c->name);
  base_help(notes, "start elsewhere: shapes that touch begin apart, or side by side");
  return true;
}

// Inequalities are left aside first; those that the state then violates hold as equations in the
// next attempt, which finds the nearest state that obeys them.
static bool start_apart(engine* e, const walk_request* a, unsigned apart, double* moved)
{
  contact_inequalities* u = e->unilateral;
  if (u) leave_aside(e);
  if (u) touch(e, apart);
  engine_rows(e);
  double seeded;
  const double* seed = seed_of(e, a, apart, &seeded);
  if (!walk_initial_solve(e, a, seed, moved)) return false;
  *moved += seeded;
  // gaps that jump are those of the side that the state is on
  if (u) contact_clear_sides(e);
  if (u && contact_facing_choose(e, NULL, NULL)) {
    walk_start_fault(e, a->notes);
    return false;
  }
  if (!are_apart(e, apart)) return false;
  if (u && begins_inside(e, a->notes)) return false;
  while (u && contact_inequality_hold_violated(e))
    if (!walk_initial_solve(e, a, seed, moved)) return false;
  if (u && contact_regime_start(e) && !walk_initial_solve(e, a, seed, moved)) return false;
  if (!u || e->by_impulses) return true;
  engine_time(e, a->t);
  if (!contact_first_sides(e) && !contact_inequality_decide(e, e->look_ahead, NULL, NULL)) {
    tell_of_impacts(e, a->notes);
    return true;
  }
  walk_start_fault(e, a->notes);
  return false;
}

// Surfaces that roll or slide touch, unless what is given exactly puts them apart: the fewest are
// apart with which it can be met, and of those the ones nearest to the guesses.
bool walk_start(engine* e, double t, int count, const model_initial* initial, base_notes* notes,
                walk_guesses* guesses)
{
  const walk_request a = {t, count, initial, notes, guesses};
  enum { most_apart = 8 };
  const int before = base_notes_count(notes);
  unsigned all = 0;
  double moved;
  for (int i = 0; e->unilateral && i < e->model->contacts && i < most_apart; i++)
    if (may_land(e, i)) all |= 1u << i;
  if (start_apart(e, &a, 0, &moved)) return true;
  const int failed = base_notes_count(notes);
  for (int many = 1; all && many <= most_apart; many++) {
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned apart = 1; apart <= all; apart++) {
      if ((apart & ~all) || __builtin_popcount(apart) != many) continue;
      const bool met = start_apart(e, &a, apart, &moved);
      base_notes_cut(notes, failed);
      if (!met || !(moved < least)) continue;
      least = moved;
      best = apart;
    }
    if (!best) continue;
    base_notes_cut(notes, before);
    return start_apart(e, &a, best, &moved);
  }
  return false;
}
