// Corners and jumps of the forces in a run: where one is met, and the motion behind it.
#include "contact/contact.h"
#include "walk/energy_jumps.h"
#include "walk/instant.h"
#include "walk/sinks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_roots = 64, most_halvings = 60, most_cached = WALK_CACHED };

// its square is a number, too
static const double endless = 0x1p500;

// What is watched of corner i, at the state in the input block: its switching function; where it is
// held, how far the value s between the sides is from leaving its interval. s is a force over the
// most that the jump can give, and has a pole where that vanishes, as friction does with its
// pressure: (1 - s^2)/(1 + s^2) is smooth there, too.
static double corner_value(const engine* e, int i, bool failed)
{
  if (failed && (e->mode.held[i] || e->program->modes.reactive[i])) return NAN;
  if (!e->mode.held[i]) return e->work.switching[i];
  const double s = fmin(fabs(e->side[i]), endless);
  return (1 - s * s) / (1 + s * s);
}

// all corners at once: they are looked at for the same times
static double switched(void* context, double t)
{
  walk_events* w = context;
  engine* e = w->flow->e;
  const int corners = e->program->modes.count;
  for (int k = 0; k < w->corners_cached; k++)
    if (w->corner_t[k] == t) return w->corner[k * corners + w->looking_at];
  if (walk_events_load(w, t)) return NAN;
  bool needed = e->mode.held_count > 0;
  for (int i = 0; i < corners; i++) needed = needed || e->program->modes.reactive[i];
  const bool failed = needed && contact_accelerations(e);
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  if (w->corners_cached < most_cached) {
    for (int i = 0; i < corners; i++)
      w->corner[w->corners_cached * corners + i] = corner_value(e, i, failed);
    w->corner_t[w->corners_cached++] = t;
  }
  return corner_value(e, w->looking_at, failed);
}

// What is rounding in that. A corner that others hold, as that of a friction whose contact sticks
// or of abs(v) beside sign(v), has nothing else, and a polynomial is sought for it in vain.
static double noise_of_corner(void* context)
{
  const walk_events* w = context;
  engine* e = w->flow->e;
  const int i = w->looking_at;
  return engine_noise_slip * (e->mode.held[i] ? 1 : engine_scale_corner(e, i));
}

// which way a corner is passed: for one that held the motion, the side its value has reached
static int passed(walk_events* w, const num_root* root)
{
  engine* e = w->flow->e;
  if (!e->mode.held[w->looking_at])
    return root->direction == e->side[w->looking_at] ? 0 : root->direction;
  w->corners_cached = 0;
  switched(w, root->t);
  return root->direction < 0 ? (e->side[w->looking_at] > 0 ? 1 : -1) : 0;
}

// Does the corner looked at pass its zero and come back by no more than rounding? So does a motion
// that leaves a jump slowly.
static bool returns(walk_events* w, const num_root* root, int left)
{
  engine* e = w->flow->e;
  const int i = w->looking_at;
  if (e->mode.held[i] || !left || root[1].direction != -root->direction) return false;
  const double between = switched(w, 0.5 * (root->t + root[1].t));
  return fabs(between) <= engine_noise_slip * engine_scale_corner(e, i);
}

// Is it the slip of a contact that is open or sticks, and nothing but rounding, as where the body
// is held? Its signs mean nothing, and there are as many as digits to look at.
static bool trembles(walk_events* w, double from)
{
  engine* e = w->flow->e;
  const int i = w->looking_at;
  if (!contact_slip_is_idle(e, i)) return false;
  const double to = w->stepper->t, at[] = {from, from + (to - from) * 0.381966, to};
  double most = 0;
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(switched(w, at[k])));
  return most <= engine_noise_slip * engine_scale_corner(e, i);
}

// more than this is no rounding of the corner looked at
static double beyond_rounding(const walk_events* w)
{
  engine* e = w->flow->e;
  return fmax(engine_left_rest * engine_scale_corner(e, w->looking_at),
              engine_noise_slip * engine_scale_corner_terms(e, w->looking_at));
}

// Whatever was decided, a corner is on the side that is taken until it is passed at `until`, or to
// the end of the step. Where it was met by rounding at the start of the step, as by a motion that
// turns back at an instant at which another corner ended the step before, it is passed there: also
// one that was met there too, and decided about while the force of the other was yet the old one.
// Where it was beyond that already the forces were wrong. `crossed`: it has a root there; else its
// end is looked at, which is the start of the next step, lest one that leaves slowly be beyond it
// there.
static void look_for_side(walk_events* w, double from, double until, bool crossed)
{
  engine* e = w->flow->e;
  const int i = w->looking_at;
  if (e->mode.held[i] || e->program->modes.reactive[i] || contact_slip_owns(e, i)) return;
  const double side = e->side[i], first = switched(w, from) * side,
               then = switched(w, crossed ? from + (until - from) / 2 : until) * side;
  if (!(then < 0)) return;
  const double most = beyond_rounding(w);
  if (!(first < most && then < -most)) return;
  if (first < -most)
    w->astray = i;
  else
    walk_events_found(w, WALK_CORNER, i, from, side > 0 ? -1 : 1);
}

// how far the corner looked at has left what it rests at: its zero, or the values that hold it
static double has_left(walk_events* w, double t)
{
  const double value = switched(w, t);
  return w->flow->e->mode.held[w->looking_at] ? -value : fabs(value);
}

// One that others hold is not looked at for a crossing, as it has nothing but rounding, and one
// that was to hold the motion at its limit may be beyond that from the start, without a crossing.
// Where either leaves all the same, it is where it is more than rounding.
static void look_at_resting(walk_events* w, double from)
{
  const engine* e = w->flow->e;
  const bool held = e->mode.held[w->looking_at];
  const double most = held ? engine_left_rest : beyond_rounding(w);
  double low = from, high = w->searched_to;
  if (!(has_left(w, high) > most)) return;
  for (int turn = 0; turn < most_halvings && high - low > w->tolerance; turn++) {
    const double middle = low + (high - low) / 2;
    if (has_left(w, middle) > most)
      high = middle;
    else
      low = middle;
  }
  w->corners_cached = 0;
  const double there = switched(w, high), value = held ? e->side[w->looking_at] : there;
  walk_events_found(w, WALK_CORNER, w->looking_at, high, value > 0 ? 1 : -1);
}

// corners: the first crossing after the one at which the present side was taken
void walk_corner_look(walk_events* w, double from)
{
  w->corners_cached = 0;
  for (int i = 0; i < w->flow->e->program->modes.count; i++) {
    if (contact_slip_is_off(w->flow->e, i) || (w->carried && w->sides.fixed[i])) continue;
    w->looking_at = i;
    if (w->flow->e->mode.resting[i]) {
      look_at_resting(w, from);
      continue;
    }
    if (trembles(w, from)) continue;
    num_root root[most_roots];
    const int roots = num_roots_beyond(switched, noise_of_corner, w, from, w->searched_to,
                                       w->tolerance, most_roots, root);
    // a root at the instant at which it was met last is what that left as rounding
    int fresh = 0;
    while (fresh < roots && root[fresh].t <= w->last[WALK_CORNER][i] + w->same) fresh++;
    look_for_side(w, from, fresh < roots ? root[fresh].t : w->searched_to, fresh < roots);
    bool found = false;
    for (int k = fresh; k < roots && !found; k++) {
      if (!root[k].direction) continue;
      const int direction = passed(w, &root[k]);
      found = direction && !returns(w, &root[k], roots - k - 1);
      if (found) walk_events_found(w, WALK_CORNER, i, root[k].t, direction);
    }
    if (!found && w->flow->e->mode.held[i]) look_at_resting(w, from);
  }
}

// ---- behind it
// ------------------------------------------------------------------------------------

// Does the state still stand at corner i, which was met here? What was set or struck may have
// moved it away: by more than its rate makes of the uncertainty of the instant. The accelerations
// need not be known here, and so the rate: where nothing was moved it is not asked.
static bool stands_at(const walk_job* r, const walk_instant* in, int i)
{
  const engine* e = r->e;
  const double moved = fabs(e->work.switching[i] - in->switching[i]);
  const double rate = fabs(e->work.switching[e->program->modes.count + i]);
  return moved == 0 || moved <= r->watch->same * rate;
}

// is what was found a corner at which the state stands? it is as it was before then
static bool is_met(walk_job* r, const walk_instant* in, const walk_found* found)
{
  engine* e = r->e;
  const int i = found->index;
  if (found->kind != WALK_CORNER || contact_slip_owns(e, i)) return false;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  if (!stands_at(r, in, i)) return false;
  contact_put_corner(e, i, in->held[i], in->side[i]);
  return true;
}

int walk_corners_meet(walk_job* r, walk_instant* in)
{
  int failed = 0;
  bool met = false;
  for (int k = 0; k < in->count && !failed; k++) {
    if (!is_met(r, in, &in->found[k])) continue;
    met = true;
    failed = contact_meet_corner(r->e, in->found[k].index, in->found[k].direction);
  }
  return failed || (met && contact_settle_corners(r->e));
}

// friction that is a jump: a point on a curve has the name of the curve's equations
static void name_friction(const model_constraint* c, bool stands, char* out, size_t size)
{
  const char* part = c->normal != EXPR_NONE ? strrchr(c->name, '.') : NULL;
  const int length = part ? (int)(part - c->name) : (int)strlen(c->name);
  snprintf(out, size, "%s of %.*s", stands ? "sticking" : "slipping", length, c->name);
}

void walk_corners_told(walk_job* r, const walk_instant* in)
{
  const engine* e = r->e;
  const engine_corners* m = &e->program->modes;
  // steps of time decide in the step behind the instant; what they keep are shares, and no sides
  if (r->moreau) return;
  for (int i = 0; i < m->count && !r->over; i++) {
    const int k = m->rubs[i] - 1;
    if (k < 0 || !in->active[k] || !e->mode.active[k]) continue;
    const bool stands = contact_corner_stands(e, i), stood = in->stands[i];
    if (stands == stood && (stands || e->side[i] == in->side[i])) continue;
    char name[160];
    name_friction(&e->model->constraint[k], stands, name, sizeof name);
    const walk_found found = {WALK_CORNER, i, in->until, stands ? -1 : 1};
    walk_sinks_happening(r, &found, name, r->stepper->y);
  }
}

int walk_corners_pass(walk_job* r, walk_instant* in)
{
  engine* e = r->e;
  if (!in->cornered) return 0;
  const size_t energies = (size_t)e->n + 3;
  const size_t levels = sizeof(double) * 2 * (size_t)e->m;
  double *before = base_alloc(sizeof(double) * 2 * energies + levels), *after = before + energies,
         *f = after + energies;
  for (int k = 0; k < in->count; k++) is_met(r, in, &in->found[k]);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  memcpy(f, e->f0, levels); // f1 stands behind it
  walk_energy_read(e, before);
  int failed = walk_corners_meet(r, in);
  if (!failed) {
    walk_energy_read(e, after);
    failed = walk_energy_leaps(r, in->found, in->count, before, after);
    in->H += after[0] - before[0];
    // the run ends before it
    if (failed) memcpy(e->side, in->side, sizeof(double) * (size_t)e->program->modes.count);
  }
  failed = failed || walk_torn_look(r, in, f);
  free(before);
  return failed || (!in->set && !in->touched && walk_corners_rest(r, in));
}

// Does the state stand at corner i, with no more than the rounding of that to lead it across?
static bool is_decided(engine* e, int i, const double* switching)
{
  const double size = engine_scale_corner(e, i), rate = switching[e->program->modes.count + i];
  return fabs(switching[i]) < engine_noise_held * size &&
         rate * e->side[i] > -engine_hardly_slips * size / engine_scale_motion(e);
}

void walk_corners_stand(walk_job* r, double t)
{
  engine* e = r->e;
  const int corners = e->program->modes.count;
  if (!corners) return;
  if (contact_accelerations(e)) return;
  double* switching = base_alloc(sizeof(double) * 2 * (size_t)corners);
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  memcpy(switching, e->work.switching, sizeof(double) * 2 * (size_t)corners);
  for (int i = 0; i < corners; i++)
    if (is_decided(e, i, switching)) r->watch->last[WALK_CORNER][i] = t;
  free(switching);
}

void walk_corner_happen(walk_job* r, walk_instant* in, const walk_found* found)
{
  r->watch->last[WALK_CORNER][found->index] = in->t;
  in->ends = true;
  if (contact_slip_owns(r->e, found->index))
    walk_gap_happen(r, in, found);
  else
    in->cornered = true;
}
