// Jumps of forces that a bounce passes, as that of sign(w) where w turns back at each impact.
//
// Of what is left of impacts that accumulate, such a force acts with the mean of its sides over a
// bounce: it takes more than half of the time to fall, or less, and that share stays. The body that
// rests there holds the jump with another value, or leaves it to the contact. So the means over the
// last two bounces are kept, and where they agree they are the sides while the rest is taken at
// once. A jump that the motion is held at, if only for a while, is not passed.
//
// Where an impact moves the motion off such a jump, and its force brings it back and holds it there
// for what is left of every bounce, w falls like the bounces and is nothing at their limit. What
// the force gives it until then is an impulse along its own direction, whatever its sides are
// meanwhile: w = 0 tells how much. So w is taken away with the speed of the contact, and both are
// held until the limit; the value that holds is the mean of a bounce.
//
// The friction of a contact that bounces may be one of these jumps. It acts at the impacts alone,
// and the sides of its slip in flight tell nothing of it. Where the last impact brought the slip to
// nothing, so do all that follow: the contact holds it until the limit, whatever friction could
// hold without impacts, and is asked again there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "walk/instant.h"

static const double settled = 0.05; // of a side: what the means of two bounces may differ by
enum { every_time = 2 };            // bounces in a row that were held at a jump: so are the others

void walk_bounces_open(walk_events* w, const engine* e)
{
  walk_bounce_sides* s = &w->sides;
  s->at = NAN;
  s->jump = base_arena_take(e->arena, sizeof(int) * (size_t)(e->program->modes.count + 1));
  for (int i = 0; w->contacts && i < e->program->modes.count; i++)
    if (e->program->modes.slides[i]) s->jump[s->jumps++] = i;
  const size_t jumps_of_all = (size_t)(s->jumps * w->contacts);
  s->swept = base_arena_take(e->arena, sizeof(double) * (size_t)(s->jumps + 1));
  s->held = base_arena_take(e->arena, sizeof(double) * (size_t)(s->jumps + 1));
  for (int k = 0; k < s->jumps; k++) s->held[k] = -INFINITY;
  s->mark = base_arena_take(e->arena, sizeof(double) * (jumps_of_all + 1));
  s->mean = base_arena_take(e->arena, sizeof(double) * (jumps_of_all + 1));
  s->before = base_arena_take(e->arena, sizeof(double) * (jumps_of_all + 1));
  s->stood = base_arena_take(e->arena, sizeof(int) * (jumps_of_all + 1));
  s->fixed = base_arena_take(e->arena, (size_t)e->program->modes.count + 1);
  for (size_t i = 0; i < jumps_of_all; i++) s->mean[i] = s->before[i] = NAN;
}

void walk_bounces_pass(walk_job* r, const walk_instant* in)
{
  walk_bounce_sides* s = &r->watch->sides;
  const double passed = isnan(s->at) ? 0 : in->t - s->at;
  for (int k = 0; k < s->jumps; k++) {
    s->swept[k] += passed * in->side[s->jump[k]];
    if (in->held[s->jump[k]]) s->held[k] = in->t;
  }
  s->at = in->t;
}

void walk_bounces_note(walk_job* r, double t)
{
  walk_bounce_sides* s = &r->watch->sides;
  const contact_inequalities* u = r->e->unilateral;
  for (int i = 0; i < u->count && s->jumps; i++) {
    if (u->hits[i].last != t) continue;
    for (int k = 0; k < s->jumps; k++) {
      const int at = i * s->jumps + k;
      s->before[at] = s->mean[at];
      const double pause = u->hits[i].pause;
      const bool stood = s->held[k] > t - pause;
      s->mean[at] = stood ? NAN : (s->swept[k] - s->mark[at]) / pause;
      s->stood[at] = stood ? s->stood[at] + 1 : 0;
      s->mark[at] = s->swept[k];
    }
  }
}

// The rest may be taken in the middle of a bounce, where the motion meets the jump at a height that
// is none: what is left of the side is that of all from the last impact on, without what has
// passed.
//   mean (end - last) = swept since the last + rest (end - t)
static double side_of_rest(const walk_bounce_sides* s, const contact_accumulation* hits, int k,
                           int at, double t, double end)
{
  const double mean = s->mean[at];
  // a mean at a side passes nothing
  const bool passes = fabs(mean) < 1 - engine_at_limit && fabs(mean - s->before[at]) <= settled;
  if (!passes || s->held[k] > hits->last) return NAN;
  return (mean * (end - hits->last) - (s->swept[k] - s->mark[at])) / (end - t);
}

// the jump by which contact c, which stuck at its last impact, holds its slip; -1
static int gripping(const engine* e, const bool* closing, int c)
{
  return closing[c] && contact_slip_gripped(e, c) ? contact_slip_jump(e, c) : -1;
}

// is jump i decided with its contact, or held by it?
static bool rubs(const engine* e, const bool* closing, int i)
{
  bool any = contact_slip_owns(e, i);
  for (int c = 0; c < e->unilateral->count && !any; c++) any = gripping(e, closing, c) == i;
  return any;
}

// What stuck at the last impact is held. Where the rest of what holds leaves it no way to slip, it
// stays as it was decided: all that is held beyond that has no reactions.
static void grip(walk_job* r, const bool* closing)
{
  engine* e = r->e;
  for (int c = 0; c < e->unilateral->count; c++) {
    const int jump = gripping(e, closing, c);
    if (jump < 0) continue;
    if (!contact_corner_is_bound(e, jump)) contact_put_corner(e, jump, true, 0);
    r->watch->sides.fixed[jump] = true;
  }
}

int walk_bounces_stand(walk_job* r, const bool* closing)
{
  const walk_bounce_sides* s = &r->watch->sides;
  engine* e = r->e;
  const int corners = e->program->modes.count;
  contact_rest* rest = base_alloc(sizeof *rest * (size_t)(corners + 1));
  bool any = false;
  for (int i = 0; i < corners; i++) rest[i] = CONTACT_PASSED;
  memset(s->fixed, 0, (size_t)corners);
  for (int i = 0; i < e->unilateral->count && s->jumps; i++)
    for (int k = 0; k < s->jumps && closing[i]; k++) {
      const int jump = s->jump[k];
      // a place that is held has no speed of its own to lose, nor what others hold
      if (s->stood[i * s->jumps + k] < every_time || e->mode.resting[jump] ||
          e->program->turning[jump] || rubs(e, closing, jump))
        continue;
      rest[jump] = CONTACT_SLOWED;
      s->fixed[jump] = any = true;
    }
  const int failed = any && contact_rest_corners(e, rest);
  free(rest);
  return failed;
}

int walk_bounces_sides(walk_job* r, const bool* closing, double t, double end)
{
  walk_bounce_sides* s = &r->watch->sides;
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  if (contact_sides(e)) return 1;
  for (int i = 0; i < u->count && s->jumps; i++)
    for (int k = 0; k < s->jumps && closing[i]; k++) {
      const double side = side_of_rest(s, &u->hits[i], k, i * s->jumps + k, t, end);
      if (!(fabs(side) <= 1) || rubs(e, closing, s->jump[k])) continue;
      contact_fix_corner(e, s->jump[k], side);
      s->fixed[s->jump[k]] = true;
    }
  grip(r, closing);
  return 0;
}

void walk_bounces_let_go(walk_job* r, const bool* closing)
{
  engine* e = r->e;
  for (int c = 0; c < e->unilateral->count; c++) {
    const int jump = gripping(e, closing, c);
    if (jump < 0) continue;
    if (e->mode.held[jump]) contact_put_corner(e, jump, false, e->side[jump] < 0 ? -1 : 1);
    r->watch->sides.fixed[jump] = false;
  }
}
