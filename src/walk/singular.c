// Singular positions of the constraints, looked for in every step.
//
// The margin of the constraints is the smallest singular value sigma of their rows A, a function of
// the state alone. Where it comes below a share of what it was, the instant at which it vanishes is
// foretold from its rate along the motion; steps end before, and a passage (passage.c) goes across.
// Where none is found from there, as when the motion turns back, it is tried again nearer by. What
// comes as near as rounding without a passage ends the run. A step that has jumped across, its
// stages on several branches, is thrown away.
#include "walk/singular.h"

#include "walk/integrals.h"
#include "walk/step_ends.h"

#include <math.h>
#include <string.h>

// Error allowed to a passage that begins at each level, over the size of the motion: from far off
// it is long, from nearby rounding shows, so the first must do well and the last may do what they
// can.
static const double allowed_error[WALK_SINGULAR_LEVELS + 1] = {
    engine_passage_first, engine_passage_first, engine_passage_like,
    engine_passage_next,  engine_passage_near,  engine_passage_last,
    engine_passage_last,  engine_passage_last,  engine_passage_last};

// passages begin at this share of the largest margin met, then at this share of that, and so on
static const double first_level = 0.45, next_level = 0.7;
// below this multiple of the first level the margin's rate is looked at
static const double near_level = 1.3;
// steps towards the next level end a little below it
static const double almost = 0.95;
// so many steps like the last one are looked ahead; the next may be some times longer
static const double like_steps = 4;
// of what a margin would have to fall by: one that turns before that is not on its way to zero
static const double turns_before = 0.5;
// times a margin: as much is the same, found in another way
static const double like = 1.05;
// over the number of rows: margins of a start below this are not yet what the mechanism has
static const double usual_margin = 0.2;

walk_singular* walk_singular_new(walk_job* r)
{
  engine* e = r->e;
  bool binds = false;
  for (int k = 0; k < e->m; k++) binds = binds || e->model->constraint[k].order < 2;
  if (!binds || e->sparse || e->least || r->f->wide) return NULL;
  walk_singular* w = engine_take(e, 1, sizeof *w);
  w->rank = engine_rank_new(e);
  w->A = engine_doubles(e, e->m * e->n);
  w->A_before = engine_doubles(e, e->m * e->n);
  w->y = engine_doubles(e, r->f->ode.n);
  w->t = w->ahead = w->closing = NAN;
  w->limit = INFINITY;
  w->seen = usual_margin / fmax(1, e->m);
  w->fresh = true;
  return w;
}

void walk_singular_free(walk_singular* w)
{
  if (!w) return;
  walk_passage_free(w->passage);
  if (w->parked) w->parked->method->destroy(w->parked);
}

// rows and margin at a state in the flow's terms
double walk_singular_margin_at(walk_job* r, double t, const double* y, bool see)
{
  engine* e = r->e;
  if (e->mode.all_linear)
    engine_state(e, t, y, y + e->n);
  else if (rate_flow_load(r->f, t, y))
    return 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  e->factored = false;
  engine_rank_take(r->singular->rank, see);
  return engine_rank_margin(r->singular->rank);
}

double walk_singular_change(const walk_singular* w, const double* since)
{
  const double* A = w->rank->A;
  const int count = w->rank->rows * w->rank->n;
  double change = 0;
  for (int i = 0; i < count; i++) change += (A[i] - since[i]) * (A[i] - since[i]);
  return change;
}

void walk_singular_note(walk_job* r)
{
  walk_singular* w = r->singular;
  const step_stepper* s = r->stepper;
  w->before = w->margin;
  w->margin = walk_singular_margin_at(r, s->t, s->y, true);
  w->pivot = engine_rank_pivot(w->rank, w->margin);
  if (w->margin > w->seen) w->seen = w->margin;
  w->t = s->t;
  double* noted = w->A_before;
  w->A_before = w->A;
  w->A = noted;
  engine_copy(w->rank->rows * w->rank->n, w->rank->A, w->A);
  w->change = walk_singular_change(w, w->A_before);
  w->loaded = r->e->mode.all_linear;
}

// ---- a passage ----------------------------------------------------------------------------------

static void leave(walk_job* r)
{
  walk_singular* w = r->singular;
  rate_flow* f = r->f;
  step_stepper* bridge = r->stepper;
  const int order = w->parked->counts.order;
  r->e->passage = NULL;
  r->stepper = w->parked;
  r->stepper->counts = bridge->counts;
  r->stepper->counts.order = order;
  w->parked = NULL;
  f->full = w->kept.full;
  f->levels = w->kept.levels;
  rate_flow_take_kernel(f, w->kept.abreast);
}

// the flow in coordinates and velocities, each state put on the constraints
static void enter(walk_job* r)
{
  rate_flow* f = r->f;
  walk_ends_note(r);
  r->singular->kept = *f;
  rate_flow_leave_kernel(f);
  f->full = true;
  f->reduced = false;
  f->fused = NULL;
  f->levels = NULL;
  f->settling = true;
}

// as it was: a passage was not found
static void come_back(walk_job* r)
{
  const rate_flow* kept = &r->singular->kept;
  rate_flow* f = r->f;
  rate_flow_take_kernel(f, kept->abreast);
  f->full = kept->full;
  f->reduced = kept->reduced;
  f->fused = kept->fused;
  f->levels = kept->levels;
  f->settling = kept->settling;
}

static double longest_reach(const walk_job* r)
{
  return isfinite(r->t_end) ? r->t_end - r->track->t_from : INFINITY;
}

// ahead: about when the constraints lose rank; reach: how far to go behind that
static bool pass(walk_job* r, double ahead, double reach, double rate)
{
  walk_singular* w = r->singular;
  step_stepper* s = r->stepper;
  const int n = r->e->n;
  // a margin that does not change vanishes nowhere
  if (!(reach < longest_reach(r)) || rate_flow_load(r->f, s->t, s->y)) return false;
  memcpy(r->y, r->e->q, sizeof(double) * (size_t)(2 * n));
  r->y[2 * n] = s->y[2 * n];
  enter(r);
  if (!w->passage) w->passage = walk_passage_new(r, w->rank);
  step_stepper* bridge = w->passage->bridge;
  bridge->counts = s->counts;
  if (!walk_passage_find(w->passage, s->t, r->y, ahead, reach, rate, allowed_error[w->level])) {
    s->counts.evaluations = bridge->counts.evaluations;
    come_back(r);
    return false;
  }
  w->parked = s;
  if (allowed_error[w->level] <= engine_passage_like) w->worked = w->level;
  r->stepper = bridge;
  r->e->passage = &w->passage->given;
  w->level = 0;
  w->limit = INFINITY;
  return true;
}

void walk_singular_restart(walk_job* r)
{
  walk_singular* w = r->singular;
  if (!w) return;
  if (w->parked) leave(r);
  w->t = w->ahead = w->closing = NAN;
  w->limit = INFINITY;
  w->level = 0;
  w->fresh = true;
}

// the usual steps go on behind a passage
static bool go_on(walk_job* r)
{
  walk_singular* w = r->singular;
  const step_stepper* bridge = r->stepper;
  const int n = r->e->n;
  const double t = bridge->t, work = bridge->y[2 * n];
  engine_state(r->e, t, bridge->y, bridge->y + n);
  leave(r);
  if (rate_flow_rebase(r->f)) {
    walk_run_give_up(r, r->e->reason);
    return false;
  }
  rate_flow_store(r->f, work, r->y);
  step_stepper* s = r->stepper;
  if (s->method->start(s, t, r->y, r->t_end) != STEP_OK) {
    walk_run_give_up(r, *r->e->reason ? r->e->reason : s->reason);
    return false;
  }
  w->fresh = false;
  return true;
}

// the margin at which a passage is tried next
double walk_singular_level(const walk_singular* w)
{
  double share = first_level;
  for (int i = 0; i < w->level; i++) share *= next_level;
  return share * w->seen;
}

double walk_singular_near(const walk_singular* w)
{
  return near_level * first_level * w->seen;
}

// ---- before a step ------------------------------------------------------------------------------

// the singular value that comes to its zero next, -1: none does
static int next_zero(const engine_rank* k)
{
  int next = -1;
  double soonest = INFINITY;
  for (int i = 0; i < k->rows; i++) {
    const double way = -k->sigma[i] / k->slope[i];
    if (!(way > 0) || way >= soonest) continue;
    soonest = way;
    next = i;
  }
  return next;
}

// the steps begin at a position, or just behind one
static bool begins_there(walk_job* r)
{
  const walk_singular* w = r->singular;
  const engine_rank* k = w->rank;
  for (int i = 0; i < k->rows; i++) {
    if (!(k->sigma[i] < walk_at_position * w->seen)) continue;
    const double slope = k->slope[i];
    if (pass(r, -k->sigma[i] / slope, first_level * w->seen / fabs(slope), fabs(slope)))
      return true;
  }
  return false;
}

// steps like the last do not reach a level; one that does so all the same is made again
static bool is_at_ease(const walk_singular* w)
{
  const double fall = fmax(0, w->before - w->margin);
  return !w->fresh && w->level == 0 && w->margin - like_steps * fall > walk_singular_level(w);
}

// Does the least margin, which falls at this rate now, come to its minimum far from zero? Its mean
// rate over the last step tells how fast it slows down.
static bool turns_away(const walk_job* r, double sigma, double rate)
{
  const walk_singular* w = r->singular;
  const step_stepper* s = r->stepper;
  const double h = s->t - s->t_old;
  if (w->fresh || !(h > 0) || sigma > like * w->margin) return false;
  const double slows = ((w->before - w->margin) / h - rate) / (h / 2);
  return slows > 0 && rate * rate / (2 * slows) < turns_before * sigma;
}

static void approach(walk_job* r)
{
  walk_singular* w = r->singular;
  const engine_rank* k = w->rank;
  const step_stepper* s = r->stepper;
  if (rate_flow_load(r->f, s->t, s->y)) return;
  engine_rank_values(w->rank);
  for (int i = 0; i < r->e->n; i++) w->fastest = fmax(w->fastest, fabs(r->e->v[i]));
  if (w->fresh && begins_there(r)) return;
  const int i = next_zero(k);
  if (i < 0) {
    w->level = 0;
    return;
  }
  const double sigma = k->sigma[i], slope = fabs(k->slope[i]);
  // the last of the levels that it has come below
  const int tried = w->level;
  while (w->level < WALK_SINGULAR_LEVELS && sigma <= walk_singular_level(w)) w->level++;
  if (w->level > tried) {
    w->level--;
    if (w->level >= w->worked && !turns_away(r, sigma, slope) &&
        pass(r, sigma / slope, sigma / slope, slope))
      return;
    w->level++;
  }
  if (w->level < WALK_SINGULAR_LEVELS)
    w->limit = fmin(w->limit, s->t + (sigma - almost * walk_singular_level(w)) / slope);
  else if (sigma < engine_told_apart * w->seen)
    walk_singular_stop(r, w->rank, s->t);
}

double walk_singular_before(walk_job* r)
{
  walk_singular* w = r->singular;
  if (!w) return INFINITY;
  if (w->parked && !go_on(r)) return INFINITY;
  const step_stepper* s = r->stepper;
  if (!walk_singular_is_watched(r)) return INFINITY;
  if (w->t != s->t || w->rows != r->e->mode.rows) walk_singular_note(r);
  w->rows = r->e->mode.rows;
  r->e->margin = w->pivot;
  if (s->t >= w->limit) w->limit = INFINITY;
  if (s->t >= w->closing && !rate_flow_load(r->f, s->t, s->y)) {
    walk_singular_stop(r, w->rank, s->t);
    return INFINITY;
  }
  if (!isnan(w->ahead)) {
    const double ahead = w->ahead;
    w->ahead = NAN;
    if (w->level < WALK_SINGULAR_LEVELS && !pass(r, ahead, ahead, w->rate)) w->level++;
  } else if (w->margin < walk_singular_near(w)) {
    if (!is_at_ease(w)) approach(r);
  } else {
    w->level = 0;
  }
  if (w->parked) return INFINITY;
  w->fresh = false;
  engine_copy(r->f->ode.n, s->y, w->y);
  r->e->margin = w->pivot;
  return w->limit;
}

bool walk_singular_blocks(walk_job* r)
{
  walk_singular* w = r->singular;
  const step_stepper* s = r->stepper;
  if (!walk_singular_is_watched(r) || w->parked || !(w->margin < walk_singular_near(w)))
    return false;
  if (rate_flow_load(r->f, s->t, s->y)) return false;
  engine_rank_values(w->rank);
  const int i = next_zero(w->rank);
  if (i < 0) return false;
  const double sigma = w->rank->sigma[i], rate = fabs(w->rank->slope[i]), way = sigma / rate;
  if (pass(r, way, way, rate)) return true;
  if (sigma > walk_at_position * w->seen || rate_flow_load(r->f, s->t, s->y)) return false;
  walk_singular_stop(r, w->rank, s->t);
  return true;
}

bool walk_singular_lost(walk_job* r)
{
  const walk_singular* w = r->singular;
  const step_stepper* s = r->stepper;
  if (!walk_singular_is_watched(r) || w->parked || isnan(w->t)) return false;
  if (!(fmin(w->margin, w->before) < first_level * w->seen)) return false;
  if (rate_flow_load(r->f, s->t_old, w->y)) return false;
  walk_singular_stop(r, w->rank, s->t_old);
  return true;
}
