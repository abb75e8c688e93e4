// Singular positions inside the last step: whether it has jumped across one.
//
// The states inside are those of its dense output; the stages of a step that has jumped across lie
// on several branches, and it is thrown away.
#include "walk/singular.h"

#include <math.h>

enum { samples = 6, most_turns = 30 };

// a step that ends so far below the next level was too long for a passage
static const double too_far = 0.8;
// rows that change by less than this share of their margins do not lose rank on a nearly straight
// way; near a position the way may have more bends
static const double most_change = 0.7, most_change_near = 0.35;
// of the way to a position: less is not worth a step of its own
static const double worth_a_step = 0.1;
// of the margin at the start of a step: it has turned away from a position
static const double turned_away = 0.3;

// The instant inside the step at which a singular value vanishes, nan where none does. The motion
// there is as good as the step: sigma^2 = s^2 (t - z)^2 + g^2 with a small g, see passage.c.
static double zero_inside(walk_job* r, double guess, double* slope)
{
  step_stepper* s = r->stepper;
  const walk_singular* w = r->singular;
  const engine_rank* k = w->rank;
  const double length = s->t - s->t_old;
  double t = guess, nearest = INFINITY;
  *slope = 0;
  for (int turn = 0; turn < most_turns; turn++) {
    double step = INFINITY;
    s->method->dense(s, t, r->y);
    if (rate_flow_load(r->f, t, r->y)) return NAN;
    engine_rank_values(w->rank);
    nearest = INFINITY;
    for (int i = 0; i < k->rows; i++) {
      if (!(k->sigma[i] < nearest)) continue;
      nearest = k->sigma[i];
      *slope = fmax(*slope, fabs(k->slope[i]));
      step = -k->sigma[i] * k->slope[i] / (*slope * *slope);
    }
    t += step;
    if (!(t >= s->t_old - length && t <= s->t + length)) return NAN;
    t = fmin(fmax(t, s->t_old), s->t);
    if (fabs(step) < engine_zero_found * length) break;
  }
  return nearest < walk_at_position * w->seen && t > s->t_old ? t : NAN;
}

// where the rows are nearest to dependent, of some instants inside the step; nan where there is no
// state at one of them
static double nearest(walk_job* r, double* least)
{
  step_stepper* s = r->stepper;
  double at = s->t;
  for (int k = 1; k < samples; k++) {
    const double t = s->t_old + (s->t - s->t_old) * k / samples;
    s->method->dense(s, t, r->y);
    if (!isfinite(r->y[0])) return NAN;
    const double margin = walk_singular_margin_at(r, t, r->y, false);
    if (margin >= *least) continue;
    *least = margin;
    at = t;
  }
  return at;
}

// sigma changes by no more than the rows do: |sigma(A) - sigma(B)| <= |A - B| (Weyl). Between two
// states whose rows differ by this, squared, the margins leave no room for a zero.
static bool leaves_no_room(const walk_singular* w, double change, double one, double other)
{
  const double nearer = fmin(one, other);
  const double share = nearer > walk_singular_near(w) ? most_change : most_change_near;
  const double most = share * (one + other);
  return change < most * most;
}

// the same of both halves of the step: long steps of a motion that turns are mostly done with so
static bool halves_leave_no_room(walk_job* r)
{
  walk_singular* w = r->singular;
  step_stepper* s = r->stepper;
  const double t = s->t_old + (s->t - s->t_old) / 2;
  s->method->dense(s, t, r->y);
  if (!isfinite(r->y[0])) return false;
  const double middle = walk_singular_margin_at(r, t, r->y, false);
  return leaves_no_room(w, walk_singular_change(w, w->A_before), w->before, middle) &&
         leaves_no_room(w, walk_singular_change(w, w->A), middle, w->margin);
}

// the last step is thrown away, and made again up to `limit`
static bool go_back(walk_job* r, double limit)
{
  walk_singular* w = r->singular;
  step_stepper* s = r->stepper;
  w->limit = limit;
  w->t = NAN;
  if (s->method->start(s, s->t_old, w->y, r->t_end) != STEP_OK) walk_run_give_up(r, s->reason);
  return true;
}

// no shorter step makes sense
static bool is_shortest(const step_stepper* s)
{
  return s->t - s->t_old < engine_shortest_part * fabs(s->t);
}

// No passage was found from as near as makes sense, and yet the margin is least inside the step, at
// the state loaded. Where it stays about what it was, the motion turns away from the position;
// where it all but vanishes the run ends before, unless something happens until then; between, the
// step is made again in parts.
static bool close_in(walk_job* r, double zero, double before)
{
  walk_singular* w = r->singular;
  const step_stepper* s = r->stepper;
  double least = INFINITY;
  for (int i = 0; i < w->rank->rows; i++) least = fmin(least, w->rank->sigma[i]);
  if (least > turned_away * before || is_shortest(s)) return false;
  const bool vanishes = least < engine_all_but * before;
  const double limit = zero - (zero - s->t_old) / (vanishes ? 1000 : 4);
  if (vanishes) w->closing = limit;
  return go_back(r, limit);
}

bool walk_singular_inside(walk_job* r)
{
  walk_singular* w = r->singular;
  step_stepper* s = r->stepper;
  if (!w) return false;
  w->loaded = false;
  if (w->parked || !walk_singular_is_watched(r)) return false;
  walk_singular_note(r);
  const double before = w->before, change = w->change, level = walk_singular_level(w);
  if (w->level < WALK_SINGULAR_LEVELS && before > level && w->margin < too_far * level)
    return go_back(r, s->t_old + (s->t - s->t_old) * (before - level) / (before - w->margin));
  if (leaves_no_room(w, change, before, w->margin)) return false;
  w->loaded = false;
  if (halves_leave_no_room(r)) return false;
  double least = fmin(before, w->margin), slope = 0;
  const double at = nearest(r, &least);
  // what cannot be looked into may hide a position
  if (isnan(at) && !is_shortest(s)) return go_back(r, s->t_old + (s->t - s->t_old) / 2);
  if (least > walk_singular_near(w)) return false;
  const double zero = zero_inside(r, at, &slope);
  if (isnan(zero)) return false;
  if (w->level >= WALK_SINGULAR_LEVELS) return close_in(r, zero, before);
  const double begin = zero - level / slope;
  if (begin > s->t_old + worth_a_step * (zero - s->t_old)) return go_back(r, begin);
  w->ahead = zero - s->t_old;
  w->rate = slope;
  return go_back(r, INFINITY);
}
