// On which side of a corner the motion is, and motions that are held at a jump: one corner, the
// others being as they are. Together: corners_together.c.
//
// At a jump of the forces, s = 0, the sides drive s by s'+ and s'-. Where s'+ > 0 the motion leaves
// upwards, where s'- < 0 downwards; where it is driven back from both it stays (Filippov 1960): the
// jump sign(s) takes the value between -1 and 1 that makes s' = 0, as dry friction does at rest,
// until that value would leave the interval. Where s' does not feel the jump, as that of sign(x)
// does not, and is zero with s, the same holds with s'' in its place: the motion rests at the jump.
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/corners.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// rate of switching function i at the accelerations in the input block
double contact_corner_rate(engine* e, int i)
{
  engine_corner_rates(e);
  return e->work.switching[e->program->modes.count + i];
}

// accelerations, with the sides of corners in the reactions found anew
int contact_corner_accelerations(engine* e)
{
  e->deciding = true;
  const int failed = contact_accelerations(e);
  e->deciding = false;
  return failed;
}

double contact_corner_rate_on(engine* e, int i, double side)
{
  const double kept = e->side[i];
  e->side[i] = side;
  const double rate = contact_corner_accelerations(e) ? NAN : contact_corner_rate(e, i);
  e->side[i] = kept;
  return rate;
}

void contact_corner_hold(engine* e, int i, bool held)
{
  e->mode.held_count += held - e->mode.held[i];
  e->mode.held[i] = held;
}

void contact_corner_turn(engine* e, int i, bool twice)
{
  e->mode.twice_count += twice - e->mode.twice[i];
  e->mode.twice[i] = twice;
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
  if (!contact_corner_accelerations(e)) {
    engine_scales_see(e, e->q, e->v, e->a);
    const double h = engine_look_ahead * engine_scale_quick(e), before = contact_corner_rate(e, i);
    const double here = e->work.switching[i];
    engine_glide(e, h, e->a);
    // a second rate tells where it goes by itself
    if (!contact_corner_accelerations(e))
      value = (e->mode.twice[i] ? 0 : here) + h / 2 * (before + contact_corner_rate(e, i));
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
  contact_corner_hold(e, i, true);
  const bool held =
      !contact_corner_accelerations(e) && fabs(e->side[i]) <= 1 + engine_past_side && pulls(e, i);
  contact_corner_hold(e, i, false);
  e->side[i] = kept;
  return held;
}

// A kink of a velocity at which a jump that holds the motion drives it back from both sides, as
// |x'| of sign(x + x'|x'|/2): the way along the jump ends there, and the motion rests at it.
static bool rests_at_jump(engine* e)
{
  const int corners = e->program->modes.count;
  contact_rest* rest = base_alloc(sizeof *rest * (size_t)(corners + 1));
  bool any = false;
  for (int j = 0; j < corners; j++) {
    rest[j] = CONTACT_PASSED;
    if (!e->mode.held[j] || e->mode.twice[j] || !e->program->turning[j]) continue;
    rest[j] = CONTACT_TURNED;
    any = true;
  }
  const bool rests = any && !contact_rest_corners(e, rest);
  free(rest);
  return rests;
}

// With forces that depend on reactions, slipping to a side and sticking each exist or not by
// themselves. Sticking is taken where it exists.
static int choose_coupled_side(engine* e, int i, double above, double below)
{
  const bool up = above > 0, down = below < 0,
             holds = e->program->modes.slides[i] && can_hold(e, i);
  e->ambiguous = e->ambiguous || up + down + holds > 1;
  if (!up && !down && !e->program->modes.slides[i]) return rests_at_jump(e) ? 0 : stuck(e);
  if (!up && !down && !holds) {
    if (!*e->reason)
      snprintf(e->reason, sizeof e->reason,
               "neither slipping nor sticking satisfies the laws of resistance here: the motion "
               "does not exist (Painleve's paradox)");
    return 1;
  }
  contact_corner_hold(e, i, holds);
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

double contact_corner_size(engine* e, int i)
{
  engine_scales_see(e, e->q, e->v, NULL);
  return engine_scale_corner(e, i);
}

// where a constraint holds s, both are rounding
bool contact_corner_is_felt(engine* e, int i, double above, double below)
{
  const double size = fabs(above) + fabs(below), quick = engine_scale_quick(e),
               time = e->mode.twice[i] ? quick * quick : quick;
  if (size * time <= engine_noise_force * contact_corner_size(e, i)) return false;
  return fabs(above - below) > engine_no_jump * size;
}

bool contact_corner_rests(engine* e, int i, double above, double below)
{
  if (!e->program->turning[i]) return false;
  const double size = contact_corner_size(e, i),
               rate = fmax(fabs(above), fabs(below)) * engine_scale_quick(e);
  // a turning point near by has no rate, either
  if (!(fabs(e->work.switching[i]) <= engine_noise_slip * size)) return false;
  if (!(rate <= engine_noise_held * size)) return false;
  contact_corner_turn(e, i, true);
  above = contact_corner_rate_on(e, i, 1);
  below = contact_corner_rate_on(e, i, -1);
  if (contact_corner_is_felt(e, i, above, below)) return true;
  contact_corner_turn(e, i, false);
  return false;
}

// Contacts or constraints hold the motion at a jump, and the force that jumps there may carry any
// part of what they do. It is taken to carry what it can, so that they press no more than they
// must: its value is that of the side to which the motion would go without them.
typedef enum loosened { CONTACTS, ALL_ROWS } loosened;

// is it the friction of a contact that is closed? Without the contact it is nothing, on either side
static bool rubs_closed(const engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int k = 0; u && k < u->count && !any; k++)
    any = u->corner[k] == i && e->mode.active[u->of[k]];
  return any;
}

// would its jump be felt at corner i without the contacts, or without all rows?
static bool is_felt_without(engine* e, int i, loosened what)
{
  const contact_inequalities* u = e->unilateral;
  const bool slides = e->program->modes.slides[i], rubs = rubs_closed(e, i);
  bool *active = base_alloc((size_t)e->m + 1), felt = false;
  memcpy(active, e->mode.active, (size_t)e->m);
  for (int k = 0; what == CONTACTS && u && k < u->count; k++) {
    if (!e->mode.active[u->of[k]] || contact_inequality_constraint(e, k)->order) continue;
    e->mode.active[u->of[k]] = false;
    felt = true;
  }
  for (int k = 0; what == ALL_ROWS && k < e->m; k++) {
    // what belongs to the coordinates themselves stays
    if (!e->mode.active[k] || e->model->constraint[k].internal) continue;
    e->mode.active[k] = false;
    felt = true;
  }
  for (int k = 0; k < e->m && felt; k++)
    if (e->model->constraint[k].sticks) e->mode.active[k] = false;
  if (felt) {
    engine_rows(e);
    const double above = contact_corner_rate_on(e, i, 1), below = contact_corner_rate_on(e, i, -1);
    const double most = fmax(fabs(above), fabs(below)) * engine_scale_quick(e);
    felt = slides && !rubs ? contact_corner_is_felt(e, i, above, below)
                           : most > engine_noise_force * contact_corner_size(e, i);
    memcpy(e->mode.active, active, (size_t)e->m);
    engine_rows(e);
    if (felt && slides) e->side[i] = above + below > 0 ? 1 : -1;
  }
  free(active);
  e->factored = false;
  return felt;
}

// has its switching function no rate?
static bool has_no_rate(engine* e, int i, contact_sided sides)
{
  double most = 0;
  for (int side = -1; side <= 1; side += 2) {
    if (sides == CONTACT_THIS_SIDE && side != e->side[i]) continue;
    const double rate = contact_corner_rate_on(e, i, side);
    if (!(fabs(rate) <= most)) most = fabs(rate);
  }
  return most * engine_scale_quick(e) <= engine_noise_force * contact_corner_size(e, i);
}

bool contact_corner_stays(engine* e, int i, contact_sided sides)
{
  if (!has_no_rate(e, i, sides) || contact_corner_accelerations(e)) return false;
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  engine_glide(e, engine_look_ahead * engine_scale_quick(e), e->a);
  const bool stays = has_no_rate(e, i, sides);
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  e->factored = false;
  free(kept);
  return stays;
}

bool contact_corner_stands(const engine* e, int i)
{
  return e->mode.held[i] || e->mode.resting[i];
}

bool contact_corner_stands_still(engine* e, int i)
{
  return e->mode.rows && !e->program->turning[i] && contact_corner_stays(e, i, CONTACT_BOTH_SIDES);
}

bool contact_corner_is_pressed(engine* e, int i)
{
  // what is led past the jump, as by a base that moves, does not rest at it
  if (!has_no_rate(e, i, CONTACT_BOTH_SIDES)) return false;
  // beside slip in space what rests by friction shares in what holds it
  if (e->unilateral && e->unilateral->beside &&
      !contact_corner_is_spanned(e, i, CONTACT_BY_PRESSURE) && !contact_corner_stands_still(e, i))
    return false;
  return is_felt_without(e, i, CONTACTS) ||
         (contact_corner_stands_still(e, i) && is_felt_without(e, i, ALL_ROWS));
}

int contact_corner_choose(engine* e, int i)
{
  contact_corner_hold(e, i, false);
  contact_corner_turn(e, i, false);
  double above = contact_corner_rate_on(e, i, 1), below = contact_corner_rate_on(e, i, -1);
  if (contact_corner_rests(e, i, above, below)) {
    above = contact_corner_rate_on(e, i, 1);
    below = contact_corner_rate_on(e, i, -1);
  }
  const double size = fabs(above) + fabs(below);
  e->factored = false;
  const bool felt = contact_corner_is_felt(e, i, above, below);
  if (e->mode.coupled && felt) return choose_coupled_side(e, i, above, below);
  if (felt) {
    const bool up = leaves(e, i, 1, above, size), down = leaves(e, i, -1, below, size);
    if (up || down) {
      e->side[i] = up ? 1 : -1;
      return 0;
    }
    if (!e->program->modes.slides[i]) return rests_at_jump(e) ? 0 : stuck(e);
    contact_corner_hold(e, i, true);
    return 0;
  }
  // others hold the motion here already: this one may share in it
  if (e->mode.coupled && e->mode.held_count && e->program->modes.slides[i] && can_hold(e, i)) {
    contact_corner_hold(e, i, true);
    e->side[i] = 0;
    return 0;
  }
  if (e->program->modes.slides[i] && contact_corner_is_pressed(e, i)) return 0;
  // the rate does not feel the jump: look a moment ahead
  const double up = moment_later(e, i, 1), down = moment_later(e, i, -1);
  e->side[i] = up > 0 || !(down < 0) ? 1 : -1;
  return 0;
}

// The same where forces depend on reactions, with the rates beyond the corner and before it. Where
// on neither side are there accelerations that keep to a jump which holds the motion, the way along
// it ends here.
static int meet_coupled(engine* e, int i, int direction, double beyond, double here)
{
  if (isnan(beyond) && isnan(here) && rests_at_jump(e)) return 0;
  const double above = direction > 0 ? beyond : here, below = direction > 0 ? here : beyond;
  const bool felt = contact_corner_is_felt(e, i, above, below);
  if (felt && choose_coupled_side(e, i, above, below)) return 1;
  if (!felt) e->side[i] = direction;
  return contact_corner_accelerations(e);
}

int contact_corner_meet(engine* e, int i, int direction)
{
  if (e->program->modes.reactive[i]) {
    e->side[i] = direction;
    return contact_corner_accelerations(e);
  }
  if (e->mode.held[i]) {
    // the holding value has reached the end of its interval
    contact_corner_hold(e, i, false);
    e->side[i] = direction;
    return 0;
  }
  const double beyond = contact_corner_rate_on(e, i, direction),
               here = contact_corner_rate_on(e, i, -direction);
  e->factored = false;
  // a blow at the same instant has turned the motion back
  const double slowest = fmin(-beyond * direction, -here * direction) * engine_scale_quick(e);
  if (slowest > engine_noise_held * contact_corner_size(e, i)) {
    e->side[i] = -direction;
    return e->mode.coupled ? contact_corner_accelerations(e) : 0;
  }
  // it has ended the motion there: what begins now decides
  if (has_no_rate(e, i, CONTACT_BOTH_SIDES)) return contact_corner_choose(e, i);
  if (e->mode.coupled) return meet_coupled(e, i, direction, beyond, here);
  const double size = fabs(beyond) + fabs(here);
  if (fabs(beyond - here) > engine_no_jump * size && beyond * direction < 0) {
    // driven back from there, but not to there: rounding has passed a jump that is just being left
    if (leaves(e, i, -direction, here, size)) {
      e->side[i] = -direction;
      return 0;
    }
    if (!e->program->modes.slides[i]) return rests_at_jump(e) ? 0 : stuck(e);
    contact_corner_hold(e, i, true);
    return 0;
  }
  e->side[i] = direction;
  return 0;
}
