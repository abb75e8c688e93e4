// On which side of each corner the motion is, and motions that are held at a jump.
//
// At a jump of the forces, s = 0, the sides drive s by s'+ and s'-. Where s'+ > 0 the motion leaves
// upwards, where s'- < 0 downwards; where it is driven back from both it stays (Filippov 1960): the
// jump sign(s) takes the value between -1 and 1 that makes s' = 0, as dry friction does at rest,
// until that value would leave the interval.
#include "contact/contact.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// rate of switching function i at the accelerations in the input block
static double rate_now(engine* e, int i)
{
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  return e->work.switching[e->program->modes.count + i];
}

// accelerations, with the sides of corners in the reactions found anew
static int accelerations_anew(engine* e)
{
  e->deciding = true;
  const int failed = contact_accelerations(e);
  e->deciding = false;
  return failed;
}

static double rate_on_side(engine* e, int i, double side)
{
  const double kept = e->side[i];
  e->side[i] = side;
  const double rate = accelerations_anew(e) ? NAN : rate_now(e, i);
  e->side[i] = kept;
  return rate;
}

static void set_hold(engine* e, int i, bool held)
{
  e->mode.held_count += held - e->mode.held[i];
  e->mode.held[i] = held;
}

// ---- sides --------------------------------------------------------------------------------------

// The switching function a moment later, if corner i is taken on the given side; nan if unknown. To
// the second order, by the rates now and then, as slip that begins has no rate at first. Along
// straight accelerations the function itself is known to the first order only.
static double moment_later(engine* e, int i, double side)
{
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  e->side[i] = side;
  double value = NAN;
  if (!accelerations_anew(e)) {
    engine_scales_see(e, e->q, e->v, e->a);
    const double h = engine_look_ahead * engine_scale_quick(e), before = rate_now(e, i);
    const double here = e->work.switching[i];
    engine_glide(e, h, e->a);
    if (!accelerations_anew(e)) value = here + h / 2 * (before + rate_now(e, i));
  }
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  e->factored = false;
  free(kept);
  return value;
}

static int stuck(engine* e)
{
  snprintf(
      e->reason, sizeof e->reason,
      "a force that jumps drives the motion back to the jump from both sides; write the jump with "
      "sign(), which can hold it there, or smooth it, for example with tanh");
  return 1;
}

// does the force that jumps at corner i act at all? friction without pressure does not
static bool pulls(const engine* e, int i)
{
  const int corners = e->program->modes.count;
  const double* slope = e->work.coupling_out + e->n * e->m;
  double most = 0, size = 0;
  for (int j = 0; j < e->n; j++) {
    const double mass = e->scales->like[j], root = mass > 0 ? sqrt(mass) : 1;
    most = fmax(most, fabs(slope[j * corners + i]) / root);
    size = fmax(size, fabs(e->F[j]) / root);
  }
  return most > engine_no_force * size;
}

// does a value between the sides hold the motion at corner i?
static bool can_hold(engine* e, int i)
{
  const double kept = e->side[i];
  set_hold(e, i, true);
  const bool held =
      !accelerations_anew(e) && fabs(e->side[i]) <= 1 + engine_past_side && pulls(e, i);
  set_hold(e, i, false);
  e->side[i] = kept;
  return held;
}

// With forces that depend on reactions, slipping to a side and sticking each exist or not by
// themselves. Sticking is taken where it exists.
static int choose_coupled_side(engine* e, int i, double above, double below)
{
  const bool up = above > 0, down = below < 0,
             holds = e->program->modes.slides[i] && can_hold(e, i);
  e->ambiguous = e->ambiguous || up + down + holds > 1;
  if (!up && !down && !holds) {
    if (!*e->reason)
      snprintf(e->reason, sizeof e->reason,
               "neither slipping nor sticking satisfies the laws of resistance here: the motion "
               "does not exist (Painleve's paradox)");
    return 1;
  }
  set_hold(e, i, holds);
  e->side[i] = holds ? 0 : up ? 1 : -1;
  return 0;
}

// Does the motion leave s = 0 to a side, where s has this rate? Where a contact has just let go, or
// a force has come to its limit, all that drives it to one side balances: the next moment tells.
static bool leaves(engine* e, int i, int side, double rate, double size)
{
  if (fabs(rate) > engine_noise_force * size) return rate * side > 0;
  return moment_later(e, i, side) * side > 0;
}

// what the switching function of corner i is measured by
static double corner_size(engine* e, int i)
{
  engine_scales_see(e, e->q, e->v, NULL);
  return engine_scale_corner(e, i);
}

// Does the jump of corner i show in the rates of s on its sides? Where a constraint holds s, both
// are rounding.
static bool is_felt(engine* e, int i, double above, double below)
{
  const double size = fabs(above) + fabs(below);
  if (size * engine_scale_quick(e) <= engine_noise_force * corner_size(e, i)) return false;
  return fabs(above - below) > engine_no_jump * size;
}

// the state stands at s = 0 of corner i
static int choose_side(engine* e, int i)
{
  set_hold(e, i, false);
  const double above = rate_on_side(e, i, 1), below = rate_on_side(e, i, -1);
  const double size = fabs(above) + fabs(below);
  e->factored = false;
  if (e->mode.coupled && !(fabs(above - below) <= engine_no_jump * size))
    return choose_coupled_side(e, i, above, below);
  if (is_felt(e, i, above, below)) {
    const bool up = leaves(e, i, 1, above, size), down = leaves(e, i, -1, below, size);
    if (up || down) {
      e->side[i] = up ? 1 : -1;
      return 0;
    }
    if (!e->program->modes.slides[i]) return stuck(e);
    set_hold(e, i, true);
    return 0;
  }
  // others hold the motion here already: this one may share in it
  if (e->mode.coupled && e->mode.held_count && e->program->modes.slides[i] && can_hold(e, i)) {
    set_hold(e, i, true);
    e->side[i] = 0;
    return 0;
  }
  // the rate does not feel the jump: look a moment ahead
  const double up = moment_later(e, i, 1), down = moment_later(e, i, -1);
  e->side[i] = up > 0 || !(down < 0) ? 1 : -1;
  return 0;
}

void contact_clear_sides(engine* e)
{
  for (int i = 0; i < e->program->modes.count; i++) {
    if (e->program->modes.reactive[i] || contact_slip_owns(e, i)) continue;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    if (e->work.switching[i] != 0 && !isnan(e->work.switching[i]))
      e->side[i] = e->work.switching[i] > 0 ? 1 : -1;
  }
}

int contact_sides(engine* e)
{
  *e->reason = 0;
  if (e->parts) return engine_each_part(e, contact_sides);
  // inner corners first: outer switching functions hold them
  for (int i = 0; i < e->program->modes.count; i++) {
    if (e->program->modes.reactive[i] || contact_slip_owns(e, i)) continue;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    const double s = e->work.switching[i];
    // slip that an impact or the end of sliding left as rounding is none
    const double size = e->unilateral || e->mode.held[i] ? corner_size(e, i) : 0;
    const bool none = e->unilateral && fabs(s) <= engine_noise_slip * size;
    if ((e->mode.held[i] && fabs(s) < engine_noise_held * size) || none) {
      if (choose_side(e, i)) return 1;
    } else if (s != 0 && !isnan(s)) {
      set_hold(e, i, false);
      e->side[i] = s > 0 ? 1 : -1;
    } else if (choose_side(e, i)) {
      return 1;
    }
  }
  if (e->mode.curved && !e->mode.coupled) return engine_curved_choose(e, e->look_ahead);
  return e->mode.coupled ? accelerations_anew(e) : 0;
}

// With forces that depend on reactions the sides are found with what holds, but for those that the
// state alone tells.
int contact_first_sides(engine* e)
{
  if (e->parts) return engine_each_part(e, contact_first_sides);
  if (!e->unilateral) return 0;
  if (!e->program->forces_feel) return contact_sides(e);
  contact_clear_sides(e);
  return 0;
}

void contact_put_corner(engine* e, int i, bool held, double side)
{
  set_hold(e, i, held);
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
  if (e->program->modes.reactive[i]) {
    e->side[i] = direction;
    return accelerations_anew(e);
  }
  if (e->mode.held[i]) {
    // the holding value has reached the end of its interval
    set_hold(e, i, false);
    e->side[i] = direction;
    return 0;
  }
  const double beyond = rate_on_side(e, i, direction), here = rate_on_side(e, i, -direction);
  e->factored = false;
  if (e->mode.coupled) {
    const double above = direction > 0 ? beyond : here, below = direction > 0 ? here : beyond;
    if (!(fabs(above - below) <= engine_no_jump * (fabs(above) + fabs(below))) &&
        choose_coupled_side(e, i, above, below))
      return 1;
    if (fabs(above - below) <= engine_no_jump * (fabs(above) + fabs(below))) e->side[i] = direction;
    return accelerations_anew(e);
  }
  const double size = fabs(beyond) + fabs(here);
  if (fabs(beyond - here) > engine_no_jump * size && beyond * direction < 0) {
    // driven back from there, but not to there: rounding has passed a jump that is just being left
    if (leaves(e, i, -direction, here, size)) {
      e->side[i] = -direction;
      return 0;
    }
    if (!e->program->modes.slides[i]) return stuck(e);
    set_hold(e, i, true);
    return 0;
  }
  e->side[i] = direction;
  return 0;
}
