// Impacts that accumulate: all that are left of them at once, and the rest they come to.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "walk/instant.h"
#include "walk/losses.h"

// Does i bounce: open again after its impact, or held while others leave, as the edges of a rocking
// block take turns? One that is held and takes part in the impacts of others does not, nor does a
// limit of speeds, which the impacts of others meet and which has no height to fall from.
static bool bounces(const engine* e, const contact_change* change, int i)
{
  const contact_inequalities* u = e->unilateral;
  if (contact_inequality_constraint(e, i)->order != 0) return false;
  if (change[i] == CONTACT_HIT) return !e->mode.active[u->of[i]];
  if (change[i] != CONTACT_ENGAGED || !(u->impulse[i] > 0)) return false;
  for (int j = 0; j < u->count; j++)
    if (change[j] == CONTACT_LOOSENED && contact_are_together(e, i, j)) return true;
  return false;
}

// the speed at which contacts leave after an impact on i, levels evaluated
static double leaving_speed(const engine* e, const contact_change* change, int i)
{
  double most = fabs(contact_inequality_rate(e, i));
  for (int j = 0; j < e->unilateral->count; j++)
    if (change[j] == CONTACT_LOOSENED && contact_are_together(e, i, j) &&
        contact_inequality_constraint(e, j)->order == 0)
      most = fmax(most, contact_inequality_rate(e, j));
  return most;
}

// of places: what the surface is met to
static double blur(engine* e, int i)
{
  return engine_noise_met * contact_inequality_length(e, i);
}

// Until the limit of the impacts on i, by this one or, where an impact of another has `found` it
// closed before it was due, by those before it.
static double until_limit(engine* e, int i, double t, double speed, bool found)
{
  contact_accumulation* hits = &e->unilateral->hits[i];
  if (found && hits->limit > t) return hits->limit - t;
  return contact_accumulation_note(hits, t, speed, blur(e, i));
}

// time left until the impacts on i, each following sooner, have all happened; 0 where they do not
// accumulate or are still apart. `speed` is that at which contacts leave; may the next bounce be
// `told` from none?
static double time_left(walk_job* r, int i, double t, const contact_change* change, bool found,
                        double* speed, bool* told)
{
  engine* e = r->e;
  const contact_accumulation* hits = &e->unilateral->hits[i];
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  *speed = leaving_speed(e, change, i);
  // one that is found closed on its way bounces no higher than gaps are known
  const bool lowest = found && hits->limit > t;
  const double left = until_limit(e, i, t, *speed, found);
  const double height = *speed * hits->pause * hits->ratio / 4,
               length = contact_inequality_length(e, i);
  *told = height > engine_least_hop * length;
  if (!(left > 0) || lowest) return fmax(left, 0);
  const double least = change[i] == CONTACT_HIT ? engine_least_bounce : engine_least_turn;
  return height < least * length ? left : 0;
}

// The same where the next bounce is none: by those before it, which know of all forces on their
// way, as friction that brakes both up and down; else by its speed.
static double hops_left(engine* e, int i, double t, bool found)
{
  const contact_inequalities* u = e->unilateral;
  const double left = until_limit(e, i, t, u->hop_speed[i], found);
  return left > 0 ? left : u->hop[i];
}

// Does j bounce along with i: to the same limit, or no higher and no faster than a few times that?
// A body that lands on several contacts comes to rest on all of them. One that is squeezed between
// two others, as a ball by a mass that comes to a wall, goes to and fro the faster the less room is
// left, at speeds that fall more slowly than their pauses: all the same they are nothing at the
// limit, where it rests on both.
static bool bounces_with(walk_job* r, int j, int i, double left, double speed,
                         const contact_change* change)
{
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  if (j == i) return true;
  if (!contact_are_together(e, i, j) || !u->present[j] || e->mode.active[u->of[j]] ||
      e->model->constraint[u->of[j]].order != 0)
    return false;
  if (contact_accumulation_ends_with(&u->hits[i], &u->hits[j])) return true;
  return (!isnan(u->hits[j].last) || change[j] == CONTACT_LOOSENED) &&
         fabs(contact_inequality_rate(e, j)) <= speed &&
         fabs(contact_inequality_gap(e, j)) <= speed * left;
}

// Impacts that come to their end: on which contacts, and the longest time that is left of them. Can
// they be told one by one yet?
typedef struct rest
{
  bool* closing;
  double left;
  bool told;
} rest;

// Those whose impacts come to their end from here on, at most one of each part, with those that
// bounce along. One may be found closed on its way, where something else happens in the last and
// lowest of its bounces.
static void find_ending(walk_job* r, const walk_instant* in, const contact_change* change,
                        bool again, rest* out)
{
  engine* e = r->e;
  contact_inequalities* u = e->unilateral;
  bool* rested = base_alloc((size_t)e->parts + 1);
  const double t = in->until;
  out->told = true;
  for (int i = 0; i < u->count; i++) {
    bool* at_rest = rested + (e->parts ? u->part[i] : 0);
    if (*at_rest) continue;
    double speed = 0, left = 0;
    bool told = false;
    if (again || !(u->impulse[i] > 0))
      left = change[i] == CONTACT_ENGAGED ? contact_accumulation_left(&u->hits[i], t) : 0;
    else if (change[i] == CONTACT_ENGAGED && u->low[i] && u->hop[i] > 0)
      left = hops_left(e, i, t, !in->closing[i]);
    else if (bounces(e, change, i))
      left = time_left(r, i, t, change, !in->closing[i], &speed, &told);
    if (!(left > 0)) continue;
    *at_rest = true;
    out->told = out->told && told;
    out->left = fmax(out->left, left);
    for (int j = 0; j < u->count; j++)
      out->closing[j] = out->closing[j] || bounces_with(r, j, i, left, 4 * speed, change);
  }
  free(rested);
}

// Of the tolerance, what the way to the next impact is asked for: an error of places delays it by
// what the speed of the impact makes of that, so bounces as low as the errors of steps would end
// when the method says. They are held to their height as places are to their size, down to
// rounding.
static double fineness(const walk_job* r, double t)
{
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  const double least = fmin(1, engine_every_bit / r->track->tolerance);
  double share = 1;
  for (int i = 0; i < u->count; i++) {
    const contact_accumulation* hits = &u->hits[i];
    if (hits->count < 1 || e->mode.active[u->of[i]] || t > hits->last + hits->pause) continue;
    share = fmin(share, hits->speed * hits->pause / (4 * contact_inequality_length(e, i)));
  }
  return fmax(share, least);
}

static int decide(walk_job* r, const bool* closing, const bool* touched)
{
  walk_losses_before(r);
  if (contact_inequality_decide(r->e, true, closing, touched)) return 1;
  walk_losses_decided(r);
  return 0;
}

// What became of those that were open before: impacts of one that is held now have all happened,
// whether it led the others to rest or came to its own beside them; or will have `at` that time.
static void tell_rested(walk_job* r, const bool* closing, const bool* open, double at)
{
  const engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  for (int j = 0; j < u->count; j++) {
    const bool holds = e->mode.active[u->of[j]], lands = open[j] && holds,
               rests = closing[j] || (lands && !isnan(u->hits[j].last)), later = rests && holds;
    if (later && at < INFINITY) walk_limit_set(r, j, at);
    u->change[j] = later && at < INFINITY ? CONTACT_KEPT
                   : rests                ? CONTACT_RESTED
                   : lands                ? CONTACT_ENGAGED
                           : contact_change_both(u->change[j], contact_inequality_change(e, j));
    if (rests) contact_accumulation_forget(&u->hits[j]);
  }
}

// The rest of these impacts at once: what closing speed remains is taken away, and the contacts are
// held.
static int stop_bouncing(walk_job* r, const bool* closing, const bool* touched)
{
  engine* e = r->e;
  const contact_inequalities* u = e->unilateral;
  bool moved;
  walk_losses_stop(r);
  for (int j = 0; j < u->count; j++)
    if (closing[j]) e->mode.active[u->of[j]] = true;
  // what grips at every impact has come to rest, too
  contact_regime_follow(e, closing);
  engine_rows(e);
  const int failed = contact_accumulation_kick(e, closing) || engine_project(e, &moved) ||
                     decide(r, closing, touched);
  if (!failed) contact_accumulation_hold(e, closing);
  if (!failed) engine_set_aside(e);
  if (!failed) walk_losses_stopped(r, closing);
  return failed;
}

// Together these impacts act as the reactions of the contacts during the time that is left. What
// else has closed by then is decided with them, and so are the sides of corners, some of which may
// have been passed meanwhile.
static int come_to_rest(walk_job* r, const rest* x, const bool* open, double t, const bool* touched,
                        bool* quiet)
{
  engine* e = r->e;
  const double to = t + x->left;
  int failed = stop_bouncing(r, x->closing, touched) || walk_bounces_stand(r, x->closing) ||
               walk_bounces_sides(r, x->closing, t, to) ||
               walk_span_carry(r, x->closing, t, to, quiet);
  if (!*quiet) return 0;
  if (!failed) walk_bounces_let_go(r, x->closing);
  failed = failed || contact_sides(e) || decide(r, x->closing, touched);
  if (!failed) engine_set_aside(e);
  failed = failed || contact_sides(e);
  if (!failed) tell_rested(r, x->closing, open, INFINITY);
  return failed;
}

// Does something else happen at this instant? It is told there, and not at the limit.
static bool is_alone(const walk_job* r, const bool* closing)
{
  const contact_inequalities* u = r->e->unilateral;
  for (int j = 0; j < u->count; j++)
    if (u->change[j] != CONTACT_KEPT && !closing[j]) return false;
  return true;
}

// The same with the time that is left before them, as something else happens in it, or here: what
// that has struck is told with the impulses it took.
static int go_to_rest(walk_job* r, walk_instant* in, const rest* x, const bool* open)
{
  contact_inequalities* u = r->e->unilateral;
  const size_t count = (size_t)u->count, rows = (size_t)r->e->m;
  double* struck = base_alloc(sizeof(double) * (count + rows + 1));
  memcpy(struck, u->impulse, sizeof(double) * count);
  memcpy(struck + count, u->kick, sizeof(double) * rows);
  const int failed = stop_bouncing(r, x->closing, in->parts) || contact_sides(r->e);
  if (!failed) {
    engine_set_aside(r->e);
    tell_rested(r, x->closing, open, in->until + x->left);
    memcpy(u->impulse, struck, sizeof(double) * count);
    memcpy(u->kick, struck + count, sizeof(double) * rows);
    in->jumped = true;
  }
  free(struck);
  return failed;
}

static int end_bounces(walk_job* r, walk_instant* in, const rest* x)
{
  const contact_inequalities* u = r->e->unilateral;
  base_text kept = {0};
  bool quiet = is_alone(r, x->closing), *open = base_alloc((size_t)u->count + 1);
  int failed = 0;
  for (int j = 0; j < u->count; j++) open[j] = !r->e->mode.active[u->of[j]];
  if (quiet) {
    walk_span_keep(r, &kept);
    failed = come_to_rest(r, x, open, in->until, in->parts, &quiet);
    if (!quiet) walk_span_put_back(r, &kept);
  }
  if (quiet)
    in->until += x->left;
  else
    failed = x->told ? 0 : go_to_rest(r, in, x, open);
  base_text_free(&kept);
  free(open);
  return failed;
}

int walk_bounces_rest(walk_job* r, walk_instant* in, bool again)
{
  contact_inequalities* u = r->e->unilateral;
  rest x = {.closing = base_alloc((size_t)u->count + 1)};
  contact_accumulation_see(r->e);
  find_ending(r, in, u->change, again, &x);
  if (!again) walk_bounces_note(r, in->until);
  const int failed = x.left > 0 && end_bounces(r, in, &x);
  if (!failed) r->fineness = fineness(r, in->until);
  free(x.closing);
  return failed;
}
