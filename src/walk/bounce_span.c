// The time until the limit of impacts that accumulate: does anything else happen in it?
//
// An impact at t leaves with the speed u = y'(t), and the acceleration -b brings it back. Until the
// instant s the impacts that follow have given, per mass of the contact,
//   J(s) = y'(s) - u + b (s - t).
// Held from t on, with -u at once, it is given b (s - t) - u: at the limit, where y' is nothing,
// all of it. Before, y'(s) is missing, which is as large as u. Places are not off by more than the
// height h of a bounce, but u = sqrt(2 b h) is no rounding: 1e-11 of the places are 4e-6 of the
// speeds. A slip has then felt mu y'(s) too much or too little of its friction. At the limit that
// is made good, if its friction acts along the same direction until then: not where it ends before
// or is turned back by a blow of something else, nor where what is set changes mu or b.
//
// So all that are left of the impacts are taken at once where nothing else happens until their
// limit. Otherwise the next of them is made by itself, and asked again: what happens lies behind
// it, in the time of the others, or in flight between two. Bounces so low that they cannot be told
// from none are held; then places and speeds are as well known as these are, and what happens is
// found on the way like anywhere else.
#include "contact/contact.h"
#include "walk/carry.h"
#include "walk/image.h"
#include "walk/instant.h"
#include "walk/losses.h"

#include <math.h>
#include <string.h>

// of the motion until the limit: mostly one serves; slip that ends in space takes them without
// number
enum { most_steps = 1000 };

typedef struct span
{
  walk_job* r;
  double from, to;
  bool quiet;
} span;

// what `of` names is kept, or put back as it was
static void pass(walk_job* r, void (*of)(walk_image* m, walk_job* r), base_text* kept, bool back)
{
  walk_image m = {.out = back ? NULL : kept, .at = kept->at, .left = kept->n, .fits = true};
  of(&m, r);
}

static void state_in_step(void* stepper, double t, double* y)
{
  step_stepper* s = stepper;
  s->method->dense(s, t, y);
}

// Is there anything in the last step? What lies at either end is decided there.
static bool step_ends(void* context, step_stepper* s)
{
  span* x = context;
  walk_events* w = x->r->watch;
  const engine* e = x->r->e;
  walk_events_step(w, s, s->t_old, x->r->stage);
  for (int k = 0; k < w->found.n; k++)
    if (w->found.at[k].t > x->from + w->same && w->found.at[k].t < x->to - w->same)
      x->quiet = false;
  w->found.n = 0;
  if (x->quiet) {
    walk_losses_follow(x->r, state_in_step, s);
    walk_losses_along(x->r, s->t_old, s->t, false);
    walk_losses_follow(x->r, NULL, NULL);
  }
  if (!contact_slips_in_space(e)) return !x->quiet;
  if (rate_flow_load(x->r->f, s->t, s->y)) return true;
  for (int i = 0; i < w->contacts; i++)
    if (contact_slip_has_stopped(x->r->e, i, x->r->f->ode.rel_tol)) x->quiet = false;
  return !x->quiet;
}

// the first instant before the limit that is known as a time
static bool is_due(const walk_job* r, double t, double to)
{
  const double due = fmin(fmin(r->t_end, walk_run_due(r)), engine_ramp_next(r->e, t));
  return (r->e->delays ? walk_delay_before(r, due) : due) < to - r->watch->same;
}

int walk_span_carry(walk_job* r, const bool* held, double t, double to, bool* quiet)
{
  walk_events* w = r->watch;
  span x = {r, t, to, !is_due(r, t, to)};
  double reached = t;
  const walk_carry_way way = {
      .f = r->f, .most_steps = most_steps, .reached = &reached, .ends = step_ends, .context = &x};
  *quiet = x.quiet;
  if (!x.quiet) return 0;
  base_text kept = {0};
  pass(r, walk_image_watch, &kept, false);
  const walk_events before = *w;
  w->carried = held;
  const int failed = walk_carry(&way, t, to);
  // what was seen there is no step of the run, but its list may have grown, and looking has a price
  const walk_found_list found = w->found;
  const long loads = w->loads;
  *w = before;
  w->found = found;
  w->loads = loads;
  pass(r, walk_image_watch, &kept, true);
  base_text_free(&kept);
  *quiet = x.quiet && (failed || reached == to);
  return failed;
}

void walk_span_keep(walk_job* r, base_text* kept)
{
  pass(r, walk_image_decision, kept, false);
}

void walk_span_put_back(walk_job* r, base_text* kept)
{
  pass(r, walk_image_decision, kept, true);
  *r->e->reason = 0;
}
