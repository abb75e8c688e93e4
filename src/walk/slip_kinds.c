// What may begin to slip: grips of surfaces, and rough contacts in space.
#include "walk/slip_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- guesses ------------------------------------------------------------------------------------

typedef int rate_of(walk_slip_begins* o, double t, const double* y, double* rate);

// the motion at the points of the stretch, by the method of Runge and Kutta from point to point
static bool follow(walk_slip_begins* o, rate_of* rate, int n, const double* y, double h, double* Y)
{
  static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double c[STEP_ONSET_POINTS], from = 0;
  double *k = base_alloc(sizeof(double) * (size_t)(3 * n)), *at = k + n, *sum = at + n;
  bool fine = true;
  step_radau_points(STEP_ONSET_POINTS, c);
  for (int j = 0; j < STEP_ONSET_POINTS && fine; j++, y = Y + (j - 1) * n) {
    const double s = (c[j] - from) * h;
    memset(sum, 0, sizeof(double) * (size_t)n);
    for (int stage = 0; stage < 4 && fine; stage++) {
      for (int i = 0; i < n; i++) at[i] = y[i] + (stage ? share[stage] * s * k[i] : 0);
      fine = !rate(o, o->t + from * h + share[stage] * s, at, k);
      for (int i = 0; i < n; i++) sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < n; i++) Y[j * n + i] = y[i] + s / 6 * sum[i];
    from = c[j];
  }
  free(k);
  return fine;
}

// ---- grips of surfaces --------------------------------------------------------------------------

static int find_grips(const walk_job* r, const walk_instant* in, walk_starting* out)
{
  int count = 0;
  for (int k = 0; k < in->count; k++) {
    const walk_found* f = &in->found[k];
    if (f->kind != WALK_GRIP || f->direction <= 0 || !contact_grip_sticks(r->e, f->index)) continue;
    if (out) out[count] = (walk_starting){.i = f->index, .excess_rate = in->excess_rate[f->index]};
    count++;
  }
  return count;
}

// the direction of the slip, against the force that holds
static bool find_direction(engine* e, walk_starting* g)
{
  contact_load load;
  if (!contact_grip_load(e, g->i, &load)) return false;
  memcpy(g->direction, load.direction, sizeof g->direction);
  return true;
}

// c = W d(|T| - mu N)/dt along it
static bool find_growth(engine* e, walk_starting* g)
{
  double W[MODEL_GRIP_ROWS * MODEL_GRIP_ROWS], sum = 0;
  if (contact_grip_mobility(e, g->i, W)) return false;
  for (int k = 0; k < MODEL_GRIP_ROWS; k++)
    for (int j = 0; j < MODEL_GRIP_ROWS; j++)
      sum += g->direction[k] * W[MODEL_GRIP_ROWS * k + j] * g->direction[j];
  g->growth = g->excess_rate * sum;
  return g->growth > 0 && isfinite(g->growth);
}

// The law of a patch has corners in the motion that begins: their sides are those of its first bit.
static bool choose_sides(walk_slip_begins* o)
{
  engine* e = o->r->e;
  bool any = false;
  for (int k = 0; k < o->count; k++) {
    const walk_starting* g = &o->slip[k];
    double wanted[MODEL_GRIP_ROWS];
    if (!contact_grip_is_spread(e, g->i)) continue;
    any = true;
    for (int d = 0; d < MODEL_GRIP_ROWS; d++)
      wanted[d] = engine_slip_smooth * g->scale * g->direction[d];
    if (contact_grip_push(e, g->i, wanted)) return false;
  }
  if (any && contact_sides(e)) return false;
  if (any) walk_onset_look(e, o->watched + o->r->watch->count);
  engine_state(e, o->t, o->q, o->v);
  return true;
}

static void set_grips(walk_slip_begins* o, bool hold)
{
  for (int k = 0; k < o->count; k++) contact_grip_set(o->r->e, o->slip[k].i, hold);
}

// all of them slip from here on
static bool let_grips_go(walk_slip_begins* o)
{
  engine* e = o->r->e;
  bool fine = true;
  for (int k = 0; k < o->count; k++) fine = fine && find_direction(e, &o->slip[k]);
  for (int k = 0; k < o->count; k++) o->slip[k].scale = contact_grip_scale(e, o->slip[k].i);
  memcpy(o->a, e->a, sizeof(double) * (size_t)e->n);
  set_grips(o, false);
  engine_set_aside(e);
  for (int k = 0; k < o->count; k++) fine = fine && find_growth(e, &o->slip[k]);
  return fine && choose_sides(o);
}

static void hold_grips(walk_slip_begins* o)
{
  set_grips(o, true);
}

// of the motion that goes on to stick, in places and velocities
static int rate_of_stuck(walk_slip_begins* o, double t, const double* y, double* rate)
{
  engine* e = o->r->e;
  const size_t n = (size_t)e->n;
  engine_state(e, t, y, y + n);
  if (contact_accelerations(e)) return 1;
  memcpy(rate, y + n, sizeof(double) * n);
  memcpy(rate + n, e->a, sizeof(double) * n);
  return 0;
}

// the slip of all grips to be c s^2/2
static bool push_grips(const walk_slip_begins* o, double s)
{
  for (int k = 0; k < o->count; k++) {
    const walk_starting* g = &o->slip[k];
    const double size = 0.5 * g->growth * s * s;
    double wanted[MODEL_GRIP_ROWS];
    for (int d = 0; d < MODEL_GRIP_ROWS; d++) wanted[d] = size * g->direction[d];
    if (contact_grip_push(o->r->e, g->i, wanted)) return false;
  }
  return true;
}

// What friction is short of is an impulse along the slip: by that the motion differs from the one
// that goes on to stick, which is smooth. All else has to be exact: friction is far larger than
// what its small excess makes of the slip, and a correction as large as the slip itself would turn
// it round.
static bool guess_grips(void* stretch, double h, double* Y)
{
  walk_slip_begins* o = stretch;
  engine* e = o->r->e;
  const int n = e->n;
  double c[STEP_ONSET_POINTS];
  double *start = base_alloc(sizeof(double) * (size_t)(2 * n * (STEP_ONSET_POINTS + 1))),
         *stuck = start + 2 * n;
  memcpy(start, o->q, sizeof(double) * (size_t)n);
  memcpy(start + n, o->v, sizeof(double) * (size_t)n);
  step_radau_points(STEP_ONSET_POINTS, c);
  set_grips(o, true);
  engine_set_aside(e);
  bool fine = follow(o, rate_of_stuck, 2 * n, start, h, stuck);
  set_grips(o, false);
  engine_set_aside(e);
  for (int j = 0; j < STEP_ONSET_POINTS && fine; j++) {
    const double s = c[j] * h, *at = stuck + j * 2 * n;
    engine_state(e, o->t + s, at, at + n);
    fine = push_grips(o, s);
    rate_flow_store(o->r->f, o->y[2 * n], Y + j * o->r->f->ode.n);
  }
  free(start);
  return fine;
}

static double speed_of_grip(engine* e, int i)
{
  double s[MODEL_GRIP_ROWS];
  return contact_grip_speed(e, i, s);
}

const walk_slip_kind walk_slip_grips = {find_grips,       let_grips_go,  guess_grips,
                                        hold_grips,       speed_of_grip, contact_grip_growth,
                                        &engine_slip_ends};

// ---- rough contacts -----------------------------------------------------------------------------
//
// Until now friction acts against the acceleration alpha of their slip, which has a value at once.
// By that the size of the slip is found, and a guess of the motion. Where alpha is no longer small
// against what it grows by, the slip is along it to a small part of the second order, and nothing
// is left to do.
//
// One that began a moment ago turns as fast as it is slow: where something else changes by then, as
// another friction comes to its limit, the motion behind it is followed in the same way.

// of the longest stretch: how far away the growth of alpha is looked at; and how much nearer each
// time that this was too far
static const double look_ahead = 0.01, nearer = 0.1;
enum { most_looks = 8 };
// of a slip on its way: what alpha at the start may have made of it
static const double at_once = 0.9;
// of what it is measured by: the slip at the end of the stretch
static const double far_enough = 0.1;

static double gain_of_contact(engine* e, int i)
{
  return contact_slip_speed(e, i) > 0 && !contact_accelerations(e) ? contact_slip_rate(e, i) : NAN;
}

static int find_contacts(const walk_job* r, const walk_instant* in, walk_starting* out)
{
  (void)in;
  engine* e = r->e;
  int count = 0;
  for (int i = 0; e->unilateral && i < e->unilateral->count; i++) {
    const bool starts = contact_slip_starts(e, i);
    if (!starts && !(contact_slip_is_young(e, i) && gain_of_contact(e, i) > 0)) continue;
    if (out) out[count] = (walk_starting){.i = i, .young = !starts};
    count++;
  }
  return count;
}

static void set_starts(walk_slip_begins* o, bool starts)
{
  for (int k = 0; k < o->count; k++) contact_slip_set_start(o->r->e, o->slip[k].i, starts);
}

// the time in which slip g, b + a s + c s^2/2, comes to a size
static double time_until(const walk_starting* g, double size)
{
  const double more = fmax(0, size - g->speed), square = g->rate * g->rate + 2 * g->growth * more;
  return square >= 0 ? 2 * more / (g->rate + sqrt(square)) : INFINITY;
}

// alpha of all slips a time h later along the accelerations of now, into their growths; false where
// that is too far away
static bool find_growths(walk_slip_begins* o, double h, bool* smooth)
{
  engine* e = o->r->e;
  bool fine = true;
  *smooth = false;
  engine_glide(e, h, o->a);
  for (int k = 0; k < o->count && fine; k++) {
    walk_starting* g = &o->slip[k];
    contact_start then;
    fine = contact_slip_start(e, g->i, &then);
    if (!fine) break;
    g->growth = (then.alpha - g->rate) / h;
    fine = h <= time_until(g, far_enough * g->scale);
    *smooth = *smooth || g->rate * time_until(g, then.begun) < at_once * then.begun;
  }
  engine_state(e, o->t, o->q, o->v);
  return fine;
}

// a and c of the slips, from alpha now and a little later
static bool find_slips(walk_slip_begins* o)
{
  engine* e = o->r->e;
  bool smooth = false, found = false;
  for (int k = 0; k < o->count; k++) o->slip[k].speed = contact_slip_speed(e, o->slip[k].i);
  set_starts(o, true);
  for (int k = 0; k < o->count; k++) {
    walk_starting* g = &o->slip[k];
    contact_start now;
    if (!contact_slip_start(e, g->i, &now)) return false;
    g->scale = now.scale;
    g->rate = now.alpha;
  }
  if (contact_accelerations(e)) return false;
  memcpy(o->a, e->a, sizeof(double) * (size_t)e->n);
  double h = look_ahead * o->longest;
  for (int look = 0; look < most_looks && !found; look++, h *= nearer)
    found = find_growths(o, h, &smooth);
  for (int k = 0; k < o->count; k++)
    o->longest = fmin(o->longest, time_until(&o->slip[k], far_enough * o->slip[k].scale));
  o->as_well = found && !smooth;
  return found && smooth;
}

static bool let_contacts_go(walk_slip_begins* o)
{
  const int corners = o->r->e->program->modes.count;
  if (!find_slips(o)) return false;
  // that they begin is not watched in the stretch
  for (int k = 0; k < o->count; k++)
    o->watched[o->r->watch->count + corners + 2 * o->slip[k].i + 1] = 1;
  set_starts(o, false);
  return true;
}

static int rate_of_flow(walk_slip_begins* o, double t, const double* y, double* rate)
{
  return o->r->f->ode.rhs(o->r->f->ode.context, t, y, rate);
}

// the motion with friction against the accelerations
static bool guess_contacts(void* stretch, double h, double* Y)
{
  walk_slip_begins* o = stretch;
  set_starts(o, true);
  const bool fine = follow(o, rate_of_flow, o->r->f->ode.n, o->y, h, Y);
  set_starts(o, false);
  return fine;
}

static void hold_contacts(walk_slip_begins* o)
{
  for (int k = 0; k < o->count; k++)
    contact_slip_set_start(o->r->e, o->slip[k].i, !o->slip[k].young);
}

const walk_slip_kind walk_slip_contacts = {find_contacts,     let_contacts_go,    guess_contacts,
                                           hold_contacts,     contact_slip_speed, gain_of_contact,
                                           &engine_slip_begun};
