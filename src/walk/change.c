// What happens at the start of a stage or at an event: params, velocities, constraints change.
//
// Instantaneous changes of params that enter the kinetic energy or the constraints carry the
// velocities across by one of three laws:
//   limit     the limit of ever faster smooth changes, all params moving together: the motion
//   through
//             a change of duration eps is computed for a sequence of eps and extrapolated to 0. For
//             the skater this keeps J_C theta' and changes the speed along the path in shape space.
//             Two shapes of the change must give the same limit, else it does not exist.
//   velocity  q' stays
//   momentum  Z^T dT/dq' stays: the momenta along the admissible directions
#include "walk/change.h"
#include "contact/contact.h"
#include "rate/rate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* param_name(const engine* e, int i)
{
  return e->model->param[e->program->changing[i]].name;
}

static int changing_number(const engine* e, int param)
{
  for (int i = 0; i < e->p; i++)
    if (e->program->changing[i] == param) return i;
  return -1;
}

static walk_before remember(engine* e)
{
  const size_t n = sizeof(double) * (size_t)(e->n + 1), p = sizeof(double) * (size_t)(e->p + 1);
  walk_before b = {.t = e->in[0],
                   .q = base_alloc(n),
                   .v = base_alloc(n),
                   .par = base_alloc(p),
                   .p = base_alloc(n),
                   .target = base_alloc(p),
                   .sudden = base_alloc((size_t)e->p + 1)};
  memcpy(b.q, e->q, sizeof(double) * (size_t)e->n);
  memcpy(b.v, e->v, sizeof(double) * (size_t)e->n);
  memcpy(b.par, e->par, sizeof(double) * (size_t)e->p);
  code_run(e->program->momenta, e->in, b.p, e->work.scratch);
  return b;
}

static void forget(walk_before* b)
{
  free(b->q);
  free(b->v);
  free(b->par);
  free(b->p);
  free(b->target);
  free(b->sudden);
}

// a smooth change lasts at least so many roundings of the time
static const double least_ticks = 64;

// values are taken at the state before; smooth changes become ramps, sudden ones are kept in b
static int read_params(engine* e, const model_change* c, walk_before* b, base_notes* notes)
{
  for (int i = 0; i < c->sets; i++) {
    const model_set* s = &c->set[i];
    if (s->target != MODEL_SET_PARAM) continue;
    const int k = changing_number(e, s->index);
    const double value = engine_value_again(e, s->value);
    const double over = s->over == EXPR_NONE ? 0 : engine_value_again(e, s->over);
    if (!isfinite(value) || !isfinite(over) || over < 0) {
      base_error(notes, s->place, "the new value of `%s` at t = %g is not a finite number",
                 param_name(e, k), b->t);
      return 1;
    }
    if (e->mode.ramp[k].length > 0 && b->t < e->mode.ramp[k].start + e->mode.ramp[k].length) {
      base_error(notes, s->place, "the change of `%s` begun at t = %g is still under way at t = %g",
                 param_name(e, k), e->mode.ramp[k].start, b->t);
      base_help(notes, "let the stage before last longer, or shorten the `over` of that change");
      return 1;
    }
    // it ends at a time of the clock, where the phase is one
    const double length = b->t + over - b->t;
    if (over > 0 && length < least_ticks * DBL_EPSILON * fabs(b->t)) {
      base_error(notes, s->place,
                 "the change of `%s` takes %g s, too short for the clock at t = %g",
                 param_name(e, k), over, b->t);
      base_help(notes, "leave `over` out for a change at once, or let the run begin nearer to it");
      return 1;
    }
    if (over > 0) {
      e->mode.ramp[k] = (engine_ramp){e->par[k], value, b->t, length};
      continue;
    }
    b->target[k] = value;
    b->sudden[k] = true;
    b->any_sudden = true;
    b->any_driving = b->any_driving || (e->program->drives[k] && value != e->par[k]);
  }
  return 0;
}

void walk_change_settle(engine* e, const walk_before* b)
{
  for (int k = 0; k < e->p; k++)
    if (b->sudden[k]) e->mode.ramp[k] = (engine_ramp){.from = b->target[k], .to = b->target[k]};
  engine_time(e, b->t);
}

// ---- the change ---------------------------------------------------------------------------------

// a unilateral constraint that is imposed acts when it is stressed, a link when its contact touches
static void switch_constraint(engine* e, int k, bool on)
{
  contact_inequalities* u = e->unilateral;
  const int i = contact_inequality_find(u, k), link = contact_regime_find(u, k);
  if (i >= 0) u->present[i] = on;
  if (link >= 0) u->link_present[link] = on;
  // what holds with a contact is switched on where that is decided
  const bool always = i < 0 || u->both[i];
  if ((always && link < 0) || !on) e->mode.active[k] = on;
}

static void switch_constraints(engine* e, const model_change* c)
{
  for (int i = 0; i < c->releases; i++) switch_constraint(e, c->release[i], false);
  for (int i = 0; i < c->imposes; i++) switch_constraint(e, c->impose[i], true);
  if (c->releases || c->imposes) {
    // which ones follow from the others is found anew once the state is settled
    memset(e->mode.implied, 0, (size_t)e->m);
    e->mode.implied_count = 0;
  }
  engine_rows(e);
}

// params alone, without a law for the velocities: the first stage sets the stage for the start
int walk_change_first(engine* e, const model_change* c, base_notes* notes)
{
  walk_before b = remember(e);
  const int failed = read_params(e, c, &b, notes);
  if (!failed) walk_change_settle(e, &b);
  switch_constraints(e, c);
  forget(&b);
  return failed;
}

static int carry_over(engine* e, const model_change* c, walk_before* b, base_notes* notes)
{
  if (!b->any_driving || c->carry == MODEL_CARRY_VELOCITY) {
    walk_change_settle(e, b);
    contact_fast_change_open(e);
    return 0;
  }
  if (c->carry == MODEL_CARRY_LIMIT) return walk_change_limit(e, c, b, notes);
  walk_change_settle(e, b);
  contact_fast_change_open(e);
  double* g = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  code_run(e->program->momenta, e->in, g, e->work.scratch);
  for (int i = 0; i < e->n; i++) g[i] = b->p[i] - g[i];
  const int failed = contact_fast_change_kick(e, g);
  if (failed) base_error(notes, c->place, "at t = %g: %s", b->t, e->reason);
  free(g);
  return failed;
}

// the constraint whose velocities (level 1) or positions (level 0) are off by most
typedef struct violated
{
  const char* name;
  double share, size; // of what it is measured by; as a distance or speed
} violated;

static violated violation(engine* e, int level)
{
  violated worst = {"", 0, 0};
  if (!e->m) return worst;
  engine_scales_see(e, e->q, e->v, NULL);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (e->model->constraint[k].order > level) continue;
    const double off = fabs(level ? e->f1[k] : e->f0[k]), norm = engine_level_norm(e, k);
    const double share = off > 0 ? off / engine_scale_row(e, k, level) : 0;
    if (share > worst.share)
      worst = (violated){e->model->constraint[k].name, share, off / (norm > 0 ? norm : 1)};
  }
  return worst;
}

// coordinates and velocities the user sets by hand
static int override(engine* e, const model_change* c, bool* velocities, base_notes* notes)
{
  double* value = base_alloc(sizeof(double) * (size_t)(c->sets + 1));
  for (int i = 0; i < c->sets; i++)
    if (c->set[i].target != MODEL_SET_PARAM) value[i] = engine_value_again(e, c->set[i].value);
  int failed = 0;
  for (int i = 0; i < c->sets && !failed; i++) {
    const model_set* s = &c->set[i];
    if (s->target == MODEL_SET_PARAM) continue;
    if (!isfinite(value[i])) {
      base_error(notes, s->place, "at t = %g this value is not a finite number", e->in[0]);
      failed = 1;
    }
    (s->target == MODEL_SET_COORD ? e->q : e->v)[s->index] = value[i];
    *velocities = *velocities || s->target == MODEL_SET_VELOCITY;
  }
  free(value);
  return failed;
}

// the velocities the user set stay; the others give way to the constraints
typedef struct hold
{
  engine* e;
  int rows;
  const model_change* c;
} hold;

static int hold_equations(void* context, const double* x, double* F, double* J)
{
  hold* h = context;
  engine* e = h->e;
  const int n = e->n;
  int r = 0;
  memcpy(e->v, x, sizeof(double) * (size_t)n);
  if (e->m) code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int k = 0; k < e->mode.rows; k++) {
    if (e->model->constraint[e->mode.row[k]].order == 2) continue;
    F[r] = e->f1[e->mode.row[k]];
    if (J) memcpy(J + r * n, e->LA + e->mode.row[k] * n, sizeof(double) * (size_t)n);
    r++;
  }
  for (int i = 0; i < h->c->sets; i++) {
    if (h->c->set[i].target != MODEL_SET_VELOCITY) continue;
    const int j = h->c->set[i].index;
    F[r] = x[j] - e->work.x[j];
    if (J) {
      memset(J + r * n, 0, sizeof(double) * (size_t)n);
      J[r * n + j] = 1;
    }
    r++;
  }
  for (int i = 0; i < r; i++)
    if (!isfinite(F[i])) return 1;
  return 0;
}

// sizes of the equations above, and the roots of the masses: the nearest velocities are so in the
// metric of the kinetic energy
static void hold_sizes(const hold* h, double* size, double* weight)
{
  const engine* e = h->e;
  const engine_scales* s = e->scales;
  int r = 0;
  for (int k = 0; k < e->mode.rows; k++)
    if (e->model->constraint[e->mode.row[k]].order < 2)
      size[r++] = engine_scale_row(e, e->mode.row[k], 1);
  for (int i = 0; i < h->c->sets; i++)
    if (h->c->set[i].target == MODEL_SET_VELOCITY) size[r++] = s->speed[h->c->set[i].index];
  for (int i = 0; i < r; i++)
    if (!(size[i] > 0)) size[i] = 1;
  for (int j = 0; j < e->n; j++) weight[j] = s->like[j] > 0 ? sqrt(s->like[j]) : 1;
}

static int hold_velocities(engine* e, const model_change* c, base_notes* notes)
{
  hold h = {e, 0, c};
  for (int k = 0; k < e->mode.rows; k++) h.rows += e->model->constraint[e->mode.row[k]].order < 2;
  for (int i = 0; i < c->sets; i++) h.rows += c->set[i].target == MODEL_SET_VELOCITY;
  memcpy(e->work.x, e->v, sizeof(double) * (size_t)e->n);
  double* x = base_alloc(sizeof(double) * (size_t)(2 * e->n + h.rows + 1));
  double *weight = x + e->n, *size = weight + e->n;
  memcpy(x, e->v, sizeof(double) * (size_t)e->n);
  engine_scales_see(e, e->q, e->v, NULL);
  hold_sizes(&h, size, weight);
  const num_newton_result r =
      num_newton(h.rows, e->n, hold_equations, &h, weight, size, engine_noise_start, 50, x);
  const double off = r.residual * size[r.worst];
  memcpy(e->v, x, sizeof(double) * (size_t)e->n);
  free(x);
  if (r.solved) return 0;
  base_error(notes, c->place,
             "at t = %g the velocities set here contradict the constraints (off by %.3g)", e->in[0],
             off);
  return 1;
}

static int settle_velocities(engine* e, const model_change* c, bool set_by_hand, base_notes* notes)
{
  const double t = e->in[0];
  const violated gap = violation(e, 0);
  if (gap.share > engine_beyond_gap) {
    base_error(notes, c->place,
               "at t = %g the constraint `%s` does not hold after this change: off by %.3g", t,
               gap.name, gap.size);
    base_help(notes, "a constraint can be imposed only where the motion meets it");
    return 1;
  }
  if (set_by_hand && hold_velocities(e, c, notes)) return 1;
  const violated slip = violation(e, 1);
  if (slip.share <= engine_noise_kick) return 0;
  if (!c->imposes && c->carry == MODEL_CARRY_VELOCITY)
    base_warning(
        notes, c->place,
        "at t = %g the velocities cannot stay: `%s` would be off by %.3g; the nearest admissible "
        "ones in the metric of the kinetic energy are taken",
        t, slip.name, slip.size);
  if (contact_fast_change_kick(e, NULL)) {
    base_error(notes, c->place, "at t = %g: %s", t, e->reason);
    return 1;
  }
  const violated left = violation(e, 1);
  if (left.share <= engine_beyond_slip) return 0;
  base_error(notes, c->place,
             "at t = %g no velocity satisfies the constraint `%s` after this change", t, left.name);
  return 1;
}

// A state set by hand is taken as it is: contacts that it leaves, or runs into, hold nothing and
// are decided anew.
static void leave_contacts(engine* e, const model_change* c)
{
  const contact_inequalities* u = e->unilateral;
  bool by_hand = false;
  for (int i = 0; i < c->sets; i++) by_hand = by_hand || c->set[i].target != MODEL_SET_PARAM;
  if (!u || !by_hand) return;
  bool* touched = base_alloc((size_t)e->parts + 1);
  for (int i = 0; i < c->sets && e->parts; i++)
    if (c->set[i].target != MODEL_SET_PARAM) touched[e->part_of_coord[c->set[i].index]] = true;
  contact_forget(e, touched);
  free(touched);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    const int order = e->model->constraint[u->of[i]].order;
    const bool off = (order == 0 && fabs(contact_inequality_gap(e, i)) >
                                        engine_open_gap * contact_inequality_length(e, i)) ||
                     (order < 2 && fabs(contact_inequality_rate(e, i)) >
                                       engine_noise_speed * contact_inequality_speed(e, i));
    if (!off || u->both[i] || !e->mode.active[u->of[i]]) continue;
    e->mode.active[u->of[i]] = false;
    for (int j = 0; j < u->links; j++)
      if (u->link_of[j] == i) e->mode.active[u->link[j]] = false;
    u->change[i] = CONTACT_LOOSENED;
  }
  engine_rows(e);
}

int walk_change(engine* e, const model_change* c, base_notes* notes)
{
  bool by_hand = false;
  walk_before b = remember(e);
  engine_ramp* ramp = base_alloc(sizeof *ramp * (size_t)(e->p + 1));
  bool* active = base_alloc((size_t)e->m + 1);
  memcpy(ramp, e->mode.ramp, sizeof *ramp * (size_t)e->p);
  memcpy(active, e->mode.active, (size_t)e->m);
  int failed = read_params(e, c, &b, notes);
  if (!failed) failed = carry_over(e, c, &b, notes);
  if (!failed) {
    switch_constraints(e, c);
    failed = override(e, c, &by_hand, notes);
    if (!failed) leave_contacts(e, c);
    failed = failed || settle_velocities(e, c, by_hand, notes);
  }
  if (failed) {
    // all is as it was
    memcpy(e->mode.ramp, ramp, sizeof *ramp * (size_t)e->p);
    memcpy(e->mode.active, active, (size_t)e->m);
    engine_rows(e);
    engine_state(e, b.t, b.q, b.v);
  }
  free(ramp);
  free(active);
  forget(&b);
  return failed;
}

int walk_change_given(engine* e, const double* number, base_notes* notes)
{
  const model_change nothing = {.place = BASE_NOWHERE, .carry = MODEL_CARRY_VELOCITY};
  return !engine_given_change(e, number, notes) || settle_velocities(e, &nothing, false, notes);
}
