// The energy that contacts have taken, event by event.
//
// Friction: the integral of its power, by Gauss and Legendre over the dense output of each step.
// Impacts: with the impulses P of the rows of a contact and their velocities g before and after,
// the kinetic energy changes by the sum of P (g- + g+)/2 over all rows, so that a contact takes
// -P (g- + g+)/2 of it. What is left of bounces that accumulate is taken away at once, and shared
// by those that come to rest; what rubs until their limit is integrated like anything else.
#include "walk/losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"

enum { nodes = 12 };

struct walk_losses
{
  double t;               // up to there
  double* lost;           // of each result that is told
  double* f1;             // of each constraint, before what is decided
  bool waits;             // the impulses of that decision are to be counted yet
  double taken;           // by all impulses of what happens at once
  double H, taken_before; // of the motion, and of these, before what is left of bounces is taken
  double* y;
  walk_states_of states; // of the motion that is followed without a step; null: the last step's
  void* motion;
  expr* power;
  double node[nodes], weight[nodes]; // on 0 .. 1
};

// zeros of Legendre's polynomial by Newton's method
static void find_nodes(walk_losses* l)
{
  enum { turns = 20 };
  for (int i = 0; i < nodes; i++) {
    double z = cos(M_PI * (i + 0.75) / (nodes + 0.5)), slope = 1;
    for (int turn = 0; turn < turns; turn++) {
      double p = 1, before = 0;
      for (int j = 0; j < nodes; j++) {
        const double last = before;
        before = p;
        p = ((2 * j + 1) * z * before - j * last) / (j + 1);
      }
      slope = nodes * (z * p - before) / (z * z - 1);
      z -= p / slope;
    }
    l->node[i] = (1 - z) / 2;
    l->weight[i] = 1 / ((1 - z * z) * slope * slope);
  }
}

static bool is_counted(const model* m, int i)
{
  return m->tell[i].which == MODEL_RESULT_LOSS && m->tell[i].power != EXPR_NONE;
}

// steps of time count for themselves, and flights are too many to be looked at one by one
void walk_losses_open(walk_job* r)
{
  const model* m = r->s->model;
  bool any = false;
  for (int i = 0; i < m->tells; i++) any = any || is_counted(m, i);
  if (!any || r->moreau || r->flights) return;
  base_arena* arena = r->track->arena;
  walk_losses* l = r->losses = base_arena_take(arena, sizeof *l);
  l->lost = base_arena_take(arena, sizeof(double) * (size_t)(m->tells + 1));
  l->f1 = base_arena_take(arena, sizeof(double) * (size_t)(r->e->m + 1));
  l->y = base_arena_take(arena, sizeof(double) * (size_t)(r->f->ode.n + 1));
  l->power = base_arena_take(arena, sizeof(expr) * (size_t)(m->tells + 1));
  for (int i = 0; i < m->tells; i++) {
    l->lost[i] = is_counted(m, i) ? 0 : NAN;
    l->power[i] = is_counted(m, i) ? m->tell[i].power : expr_int(r->s->pool, 0);
  }
  l->t = r->track->t_from;
  find_nodes(l);
  walk_losses_show(r, l->t);
}

// out += factor times the powers at t in the last step, or in what is followed without one
static void add_powers(walk_job* r, double t, double factor, double* out)
{
  walk_losses* l = r->losses;
  const int tells = r->s->model->tells;
  double* power = base_alloc(sizeof(double) * (size_t)(tells + 1));
  walk_aside_begin(r->record->aside, r->f);
  if (l->states)
    l->states(l->motion, t, l->y);
  else
    r->stepper->method->dense(r->stepper, t, l->y);
  const bool known = !rate_flow_load(r->f, t, l->y) && !rate_flow_forces(r->f);
  if (known) engine_values(r->e, tells, l->power, power);
  for (int i = 0; i < tells; i++) out[i] += known ? factor * power[i] : NAN;
  walk_aside_end(r->record->aside, r->f);
  free(power);
}

static void integrate(walk_job* r, double from, double to, double* out)
{
  const walk_losses* l = r->losses;
  for (int k = 0; k < nodes && to > from; k++)
    add_powers(r, from + (to - from) * l->node[k], (to - from) * l->weight[k], out);
}

void walk_losses_along(walk_job* r, double from, double to, bool ends)
{
  walk_losses* l = r->losses;
  (void)ends;
  if (!l) return;
  integrate(r, from, to, l->lost);
  l->t = to;
}

void walk_losses_follow(walk_job* r, walk_states_of states, void* motion)
{
  if (!r->losses) return;
  r->losses->states = states;
  r->losses->motion = motion;
}

void walk_losses_before(walk_job* r)
{
  engine* e = r->e;
  if (!r->losses) return;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  memcpy(r->losses->f1, e->f1, sizeof(double) * (size_t)e->m);
  r->losses->waits = true;
}

void walk_losses_enter(walk_job* r)
{
  if (!r->losses) return;
  r->losses->taken = 0;
  walk_losses_before(r);
}

// what the impulse of row k has taken
static double taken(const engine* e, const double* before, int k)
{
  return -e->unilateral->kick[k] * (before[k] + e->f1[k]) / 2;
}

// of a point, and of what rubs there
static double taken_at(const engine* e, const double* before, int k)
{
  const model_constraint* c = &e->model->constraint[k];
  double sum = taken(e, before, k);
  for (int i = 0; i < model_constraint_sticks(c); i++) sum += taken(e, before, c->stick[i]);
  return sum;
}

void walk_losses_decided(walk_job* r)
{
  engine* e = r->e;
  walk_losses* l = r->losses;
  if (!l || !e->unilateral || !l->waits) return;
  l->waits = false;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int k = 0; k < e->m; k++) l->taken += taken(e, l->f1, k);
  for (int j = 0; j < e->model->tells; j++) {
    const model_tell* x = &e->model->tell[j];
    for (int k = 0; k < x->points && is_counted(e->model, j); k++)
      if (x->point[k] >= 0) l->lost[j] += taken_at(e, l->f1, x->point[k]);
  }
}

// of the points of a result, how many come to rest with these, as a part of all that do
static double share_of(const engine* e, const model_tell* x, const bool* closing)
{
  const contact_inequalities* u = e->unilateral;
  int all = 0, own = 0;
  for (int i = 0; i < u->count; i++) {
    if (!closing[i]) continue;
    all++;
    for (int k = 0; k < x->points; k++) own += x->point[k] == u->of[i];
  }
  return own ? (double)own / all : 0;
}

void walk_losses_stop(walk_job* r)
{
  walk_losses* l = r->losses;
  if (!l) return;
  walk_losses_decided(r);
  l->H = walk_run_energy(r).H;
  l->taken_before = l->taken;
}

void walk_losses_stopped(walk_job* r, const bool* closing)
{
  walk_losses* l = r->losses;
  engine* e = r->e;
  if (!l) return;
  const double rest = l->H - walk_run_energy(r).H - (l->taken - l->taken_before);
  for (int j = 0; j < e->model->tells; j++)
    if (is_counted(e->model, j)) l->lost[j] += share_of(e, &e->model->tell[j], closing) * rest;
}

void walk_losses_jump(walk_job* r, const walk_instant* in)
{
  engine* e = r->e;
  walk_losses* l = r->losses;
  if (!l) return;
  l->t = in->until;
  if (!e->unilateral || !in->jumped) return;
  walk_losses_decided(r);
}

void walk_losses_show(walk_job* r, double t)
{
  walk_losses* l = r->losses;
  const int tells = r->s->model->tells;
  if (!l) return;
  double* lost = base_alloc(sizeof(double) * (size_t)(tells + 1));
  memcpy(lost, l->lost, sizeof(double) * (size_t)tells);
  if (isnan(r->instant) || l->states) integrate(r, l->t, t, lost);
  memcpy(r->e->told, lost, sizeof(double) * (size_t)tells);
  free(lost);
}

void walk_losses_image(walk_image* m, walk_job* r)
{
  if (!r->losses) return;
  WALK_IMAGE(m, r->losses->t);
  WALK_IMAGE_ARRAY(m, r->losses->lost, r->s->model->tells);
  // of an instant under way
  WALK_IMAGE_ARRAY(m, r->losses->f1, r->e->m);
  WALK_IMAGE(m, r->losses->waits);
  WALK_IMAGE(m, r->losses->taken);
}
