// All corners at which the motion stands, decided together.
//
// At jumps sign(s_i) of the forces, where s_i = 0, the values sigma_i between -1 and 1 and the
// rates s' = r + G sigma belong together:
//   s_i' > 0 with sigma_i = 1,  s_i' < 0 with sigma_i = -1,  s_i' = 0 with any between
// (Filippov; several dry frictions in one system). They are found together (corner_box.c); where
// that has no answer, all are tried.
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/corners.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_tried_together = 7 };

static bool is_loose(const engine* e, int i)
{
  return e->program->modes.reactive[i] || contact_slip_owns(e, i);
}

// ---- jumps --------------------------------------------------------------------------------------

static bool is_between(double side)
{
  return fabs(side) <= 1 + engine_past_side;
}

// the rates of its switching function on the sides of a corner
typedef struct rates
{
  double above, below;
} rates;

static rates rates_of(engine* e, int i)
{
  return (rates){contact_corner_rate_on(e, i, 1), contact_corner_rate_on(e, i, -1)};
}

// nothing is held for a while; what was, to be given back
static bool* let_all_go(engine* e)
{
  const int corners = e->program->modes.count;
  bool* held = base_alloc((size_t)corners);
  memcpy(held, e->mode.held, (size_t)corners);
  for (int k = 0; k < corners; k++)
    if (held[k]) contact_corner_hold(e, k, false);
  return held;
}

static void hold_again(engine* e, bool* held)
{
  for (int k = 0; k < e->program->modes.count; k++)
    if (held[k]) contact_corner_hold(e, k, true);
  free(held);
  e->factored = false;
}

// the same where nothing is held
static rates rates_unheld(engine* e, int i)
{
  bool* held = let_all_go(e);
  const rates r = rates_of(e, i);
  hold_again(e, held);
  return r;
}

static bool rests_unheld(engine* e, int i, rates r)
{
  bool* held = let_all_go(e);
  const bool rests = contact_corner_rests(e, i, r.above, r.below);
  hold_again(e, held);
  return rests;
}

// does the rate of its switching function feel a jump? That of sign(x) is x', which does not; where
// it is zero, too, x'' does. Contacts that begin to slip hide it: they bear what it does not.
static bool is_felt(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  contact_corner_turn(e, i, false);
  const rates r = rates_unheld(e, i);
  return contact_corner_is_felt(e, i, r.above, r.below) || rests_unheld(e, i, r) ||
         (u && u->beside && u->starting && !contact_corner_is_spanned(e, i, CONTACT_BY_ALL));
}

// Can the motion leave corner i by itself? Where others hold all of its directions, contacts that
// stick among them, nothing is left for this one to decide: it stands where they stand, on either
// side.
static bool is_free(engine* e, int i)
{
  const rates with = rates_of(e, i), without = rates_unheld(e, i);
  return contact_corner_is_felt(e, i, with.above, with.below) &&
         fabs(with.above - with.below) > engine_no_way_left * fabs(without.above - without.below);
}

static bool lets_go(const engine* e, int i)
{
  return e->mode.standing[i] == ENGINE_LETS_GO && !e->mode.held[i];
}

// The rate of switching function k if what holds no longer did not act at all. Where slip begins it
// has no rate yet, and goes to where this points.
static double rate_without(engine* e, int k)
{
  const int corners = e->program->modes.count;
  double* kept = base_alloc(sizeof(double) * (size_t)corners);
  memcpy(kept, e->side, sizeof(double) * (size_t)corners);
  for (int i = 0; i < corners; i++)
    if (lets_go(e, i)) e->side[i] = 0;
  const double rate = contact_corner_accelerations(e) ? NAN : contact_corner_rate(e, k);
  memcpy(e->side, kept, sizeof(double) * (size_t)corners);
  e->factored = false;
  free(kept);
  return rate;
}

// is the choice at hand, of sides and holds, what the motion does?
static bool is_answer(engine* e)
{
  if (contact_corner_accelerations(e)) return false;
  for (int i = 0; i < e->program->modes.count; i++)
    if (contact_corner_jumps_here(e, i) && e->mode.held[i] && !is_between(e->side[i])) return false;
  for (int i = 0; i < e->program->modes.count; i++) {
    if (!contact_corner_jumps_here(e, i) || e->mode.held[i]) continue;
    if (contact_corner_accelerations(e)) return false;
    if (contact_corner_rate(e, i) * e->side[i] < 0 && is_free(e, i)) return false;
  }
  return true;
}

// all choices of the corners listed, the first that is an answer; those that hold most first
static bool try_all(engine* e, int count, const int* corner)
{
  int choices = 1;
  for (int k = 0; k < count; k++) choices *= 3;
  for (int choice = 0; choice < choices; choice++) {
    for (int k = 0, rest = choice; k < count; k++, rest /= 3) {
      contact_corner_hold(e, corner[k], rest % 3 == 0);
      e->side[corner[k]] = rest % 3 == 0 ? 0 : rest % 3 == 1 ? 1 : -1;
    }
    if (is_answer(e)) return true;
  }
  return false;
}

static int none(engine* e)
{
  if (!*e->reason)
    snprintf(e->reason, sizeof e->reason,
             "forces that jump there contradict each other: no sides of them fit the motion to "
             "which they lead");
  return 1;
}

// all of them, with room for what becomes of them
static contact_jumps find_jumps(engine* e)
{
  const size_t corners = (size_t)e->program->modes.count;
  contact_jumps j = {.corner = base_alloc(sizeof(int) * (corners + 1)),
                     .value = base_alloc(sizeof(double) * (5 * corners + 1))};
  j.rate = j.value + corners;
  j.noise = j.rate + corners;
  j.later = j.noise + corners;
  j.later_rate = j.later + corners;
  for (int i = 0; i < e->program->modes.count; i++)
    if (contact_corner_jumps_here(e, i)) j.corner[j.count++] = i;
  return j;
}

// Of those that stand still, as many are held as the motion has directions there, the ones furthest
// from their bounds first; the others rest with them. Beside friction in space that is known here:
// what it shares with them has bounds, and they would not be held with this one at its own, and one
// that could hold by itself shares with what sticks, too.
static void hold_stuck(engine* e, const contact_jumps* j, bool* stuck)
{
  const bool beside = e->unilateral && e->unilateral->beside;
  for (;;) {
    int best = -1;
    for (int k = 0; k < j->count; k++)
      if (stuck[k] && (best < 0 || fabs(e->side[j->corner[k]]) < fabs(e->side[j->corner[best]])))
        best = k;
    if (best < 0) return;
    stuck[best] = false;
    const bool free = is_free(e, j->corner[best]);
    if (free && !(beside && contact_corner_is_spanned(e, j->corner[best], CONTACT_BY_ALL)))
      contact_corner_hold(e, j->corner[best], true);
    else if (beside)
      e->mode.resting[j->corner[best]] = true;
  }
}

static bool solve_jumps(engine* e, contact_jumps* j)
{
  bool* held = let_all_go(e);
  const bool found = contact_jumps_solve(e, j);
  if (found) {
    bool* stuck = base_alloc((size_t)j->count + 1);
    contact_jumps_take(e, j, stuck);
    hold_stuck(e, j, stuck);
    free(stuck);
    free(held);
    e->factored = false;
  } else {
    hold_again(e, held);
  }
  return found;
}

// sides and holds of all jumps at which the state stands
static int settle_jumps(engine* e)
{
  if (!e->program->modes.count) {
    *e->reason = 0;
    return 0;
  }
  contact_jumps j = find_jumps(e);
  const bool found = !j.count || solve_jumps(e, &j) ||
                     (j.count <= most_tried_together && try_all(e, j.count, j.corner));
  free(j.corner);
  free(j.value);
  if (!found) return none(e);
  *e->reason = 0;
  return 0;
}

// ---- corners without a jump ---------------------------------------------------------------------

static int settle_bend(engine* e, int k)
{
  const double rate = contact_corner_accelerations(e) ? NAN : contact_corner_rate(e, k),
               without = rate_without(e, k);
  if (!(fabs(rate) < engine_hardly_slips * fabs(without))) return contact_corner_choose(e, k);
  e->side[k] = without > 0 ? 1 : -1;
  return 0;
}

// Corners such as that of abs(), at which a jump has held the motion: once that lets go they are on
// the side to which it goes.
static int settle_bends(engine* e)
{
  bool any = false;
  for (int i = 0; i < e->program->modes.count; i++) any = any || lets_go(e, i);
  for (int i = 0; i < e->program->modes.count && any; i++) {
    if (e->program->modes.slides[i] || is_loose(e, i) || e->mode.standing[i]) continue;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    if (!(fabs(e->work.switching[i]) < engine_noise_held * contact_corner_size(e, i))) continue;
    if (settle_bend(e, i)) return 1;
  }
  return 0;
}

// Does what is held hold corner i, one without a jump, too? Its rate is nothing with that, and
// would be something without.
static bool is_carried(engine* e, int i)
{
  if (e->program->modes.slides[i] || is_loose(e, i)) return false;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  const double size = contact_corner_size(e, i), quick = engine_scale_quick(e);
  if (!(fabs(e->work.switching[i]) < engine_noise_held * size)) return false;
  if (!contact_corner_stays(e, i, CONTACT_THIS_SIDE)) return false;
  if (contact_corner_is_pressed(e, i)) return true;
  bool *held = let_all_go(e), carried = false;
  for (int k = 0; k < e->program->modes.count && !carried; k++) {
    if (!held[k]) continue;
    const double kept = e->side[k];
    double there[2];
    for (int up = 0; up < 2; up++) {
      e->side[k] = up ? 1 : -1;
      there[up] = contact_corner_accelerations(e) ? NAN : contact_corner_rate(e, i);
    }
    e->side[k] = kept;
    carried = fabs(there[1] - there[0]) * quick > engine_noise_force * size;
  }
  hold_again(e, held);
  return carried;
}

// Does the state stand at corner i? Where all has rested so far, nothing was seen to measure that
// by but what its jump could do.
static bool stands_here(engine* e, int i, bool rested)
{
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  const double s = fabs(e->work.switching[i]);
  double size = contact_corner_size(e, i);
  if (rested && !(s < engine_noise_held * size)) {
    const rates r = rates_unheld(e, i);
    size = fmax(size, fabs(r.above - r.below) * engine_scale_quick(e));
  }
  return s < engine_noise_held * size;
}

// jumps at which the state stands besides those that were met or held, as those that follow from
// them
void contact_corners_stand(engine* e)
{
  // the friction of a contact that holds its own slip is felt with it only
  const bool alone = !(e->unilateral && e->unilateral->beside);
  for (int i = 0; i < e->program->modes.count; i++) {
    const bool rested = e->mode.resting[i];
    e->mode.resting[i] = false;
    e->mode.pressed[i] = false;
    if (!e->program->modes.slides[i] || is_loose(e, i) || e->mode.held[i]) continue;
    if (!e->mode.standing[i] && stands_here(e, i, rested)) e->mode.standing[i] = ENGINE_STANDS;
    if (!e->mode.standing[i] || is_felt(e, i)) continue;
    e->mode.standing[i] = ENGINE_APART;
    const bool pressed = contact_corner_is_pressed(e, i);
    e->mode.pressed[i] = pressed && !alone && contact_corner_is_spanned(e, i, CONTACT_BY_PRESSURE);
    e->mode.resting[i] = pressed || (alone && contact_corner_stands_still(e, i));
  }
}

// Where friction of contacts shares its load with jumps, all that hold the motion are asked with
// it: each alone may be at its bound while others have some left.
static void share(engine* e)
{
  if (!contact_beside_shares(e)) return;
  for (int i = 0; i < e->program->modes.count; i++) {
    if (!e->mode.held[i] || !e->program->modes.slides[i]) continue;
    contact_corner_hold(e, i, false);
    e->mode.resting[i] = true;
  }
}

// Do others hold all that could lead the motion away from jump i, and do not lead it past?
static bool is_kept(engine* e, int i)
{
  return contact_corner_jumps_here(e, i) && !e->mode.held[i] && !is_free(e, i) &&
         contact_corner_stays(e, i, CONTACT_BOTH_SIDES);
}

static int settle(engine* e)
{
  contact_corners_stand(e);
  const int failed = settle_jumps(e) || settle_bends(e);
  const bool any = !failed && (e->mode.held_count || e->unilateral || e->mode.rows);
  for (int i = 0; i < e->program->modes.count && any; i++)
    e->mode.resting[i] = e->mode.resting[i] || is_carried(e, i) || is_kept(e, i);
  for (int i = 0; i < e->program->modes.count; i++) e->mode.standing[i] = ENGINE_APART;
  if (!failed && e->unilateral && e->unilateral->beside) share(e);
  return failed || (e->mode.held_count && contact_corner_accelerations(e));
}

int contact_settle_corners(engine* e)
{
  return e->parts ? engine_each_part(e, settle) : settle(e);
}

// ---- sides of all -------------------------------------------------------------------------------

void contact_clear_sides(engine* e)
{
  for (int i = 0; i < e->program->modes.count; i++) {
    if (is_loose(e, i)) continue;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    if (e->work.switching[i] != 0 && !isnan(e->work.switching[i]))
      e->side[i] = e->work.switching[i] > 0 ? 1 : -1;
  }
}

// one that finds no answer alone may find one together with the others
static int choose(engine* e, int i)
{
  e->mode.standing[i] = ENGINE_STANDS;
  return contact_corner_choose(e, i) && !contact_corner_jumps_here(e, i);
}

int contact_sides(engine* e)
{
  *e->reason = 0;
  if (e->parts) return engine_each_part(e, contact_sides);
  // what the state tells is known first; then inner corners: outer switching functions hold them
  contact_clear_sides(e);
  for (int i = 0; i < e->program->modes.count; i++) {
    if (is_loose(e, i)) continue;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    const double s = e->work.switching[i];
    // slip that an impact or the end of sliding left as rounding is none
    const bool none = e->unilateral && fabs(s) <= engine_noise_slip * contact_corner_size(e, i);
    if ((e->mode.held[i] && stands_here(e, i, true)) || none) {
      if (choose(e, i)) return 1;
    } else if (s != 0 && !isnan(s)) {
      contact_corner_hold(e, i, false);
      e->side[i] = s > 0 ? 1 : -1;
    } else if (choose(e, i)) {
      return 1;
    }
  }
  if (settle(e)) return 1;
  if (e->mode.curved && !e->mode.coupled) return engine_curved_choose(e, e->look_ahead);
  return e->mode.coupled ? contact_corner_accelerations(e) : 0;
}

// With forces that depend on reactions the sides are found with what holds, but for those that the
// state alone tells.
int contact_first_sides(engine* e)
{
  if (e->parts) return engine_each_part(e, contact_first_sides);
  if (!e->unilateral) return 0;
  if (!e->program->forces_feel) return contact_sides(e);
  contact_clear_sides(e);
  // jumps at which the state stands are decided together with friction in space
  for (int i = 0; i < e->program->modes.count && e->unilateral->beside; i++) {
    if (!e->program->modes.slides[i] || is_loose(e, i)) continue;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    const double s = e->work.switching[i];
    if (fabs(s) <= engine_noise_slip * contact_corner_size(e, i))
      e->mode.standing[i] = ENGINE_STANDS;
  }
  return 0;
}

void contact_put_corner(engine* e, int i, bool held, double side)
{
  contact_corner_hold(e, i, held);
  e->side[i] = side;
  for (int p = 0; p < e->parts; p++)
    for (int k = 0; k < e->part[p].e->program->modes.count; k++)
      if (e->part[p].corner[k] == i) contact_put_corner(e->part[p].e, k, held, side);
}

static int meet_corner_in_part(engine* e, int corner, int direction)
{
  int failed = 0;
  for (int p = 0; p < e->parts && !failed; p++)
    for (int i = 0; i < e->part[p].e->program->modes.count && !failed; i++) {
      if (e->part[p].corner[i] != corner) continue;
      failed = contact_meet_corner(engine_part_enter(e, p), i, direction);
      engine_part_leave(e, p);
    }
  return failed;
}

int contact_meet_corner(engine* e, int i, int direction)
{
  if (e->parts) return meet_corner_in_part(e, i, direction);
  e->mode.standing[i] = e->mode.held[i] ? ENGINE_LETS_GO : ENGINE_STANDS;
  return contact_corner_meet(e, i, direction) && !contact_corner_jumps_here(e, i);
}

void contact_fix_corner(engine* e, int i, double side)
{
  contact_put_corner(e, i, false, side);
  e->mode.resting[i] = false;
  for (int p = 0; p < e->parts; p++)
    for (int k = 0; k < e->part[p].e->program->modes.count; k++)
      if (e->part[p].corner[k] == i) contact_fix_corner(e->part[p].e, k, side);
}
