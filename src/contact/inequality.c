// Unilateral constraints f >= 0: the principle of least constraint with inequalities.
//
// Of the constraints that can be stressed at an instant (f = 0 and f' = 0, by their order) those
// act that the least of Gauss's function needs (Sinitsyn 1990, (1.2)-(1.4), completed by
// complementarity):
//   min 1/2 (w - w0)^T M (w - w0),  N_B w + d_B = 0,  alpha = N_U w + d_U >= 0,
// with reactions lambda >= 0, lambda.alpha = 0. Those with lambda > 0 are held as equations until
// their reaction vanishes; the others loosen. Where both vanish the next moment decides.
// A closed constraint of order 0 that closes further is an impact: velocities jump by impulses that
// obey the same principle with the restitution of each contact.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double sim_gap_noise = 1e-11, sim_speed_noise = 1e-9;

// ---- set-up -------------------------------------------------------------------------------------

static void* take(sim_engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

sim_unilateral* sim_unilateral_new(sim_engine* e)
{
  const model* m = e->model;
  int count = 0;
  for (int k = 0; k < e->m; k++) count += m->constraint[k].sense != 0;
  if (!count) return NULL;
  sim_unilateral* u = take(e, 1, sizeof *u);
  const int n = e->n, rows = e->m;
  u->count = count;
  u->of = take(e, count, sizeof(int));
  u->sign = take(e, count, sizeof(double));
  u->restitution = take(e, count, sizeof(double));
  u->law = take(e, count, sizeof(int));
  u->present = take(e, count, sizeof(bool));
  u->closed = take(e, count, sizeof(bool));
  u->joins = take(e, count, sizeof(bool));
  u->low = take(e, count, sizeof(bool));
  u->hop = take(e, count, sizeof(double));
  u->was = take(e, count, sizeof(bool));
  u->change = take(e, count, sizeof(sim_contact_change));
  u->impulse = take(e, count, sizeof(double));
  u->kick = take(e, rows, sizeof(double));
  u->alpha = take(e, count, sizeof(double));
  u->lambda = take(e, count, sizeof(double));
  u->candidate = take(e, count, sizeof(int));
  u->pressed = take(e, count, sizeof(double));
  u->pulled = take(e, count, sizeof(double));
  u->hit = take(e, count, sizeof(double));
  u->pause = take(e, count, sizeof(double));
  u->ratio = take(e, count, sizeof(double));
  u->hits = take(e, count, sizeof(int));
  u->N = take(e, count * n, sizeof(double));
  u->d = take(e, count, sizeof(double));
  u->NB = take(e, rows * n, sizeof(double));
  u->dB = take(e, rows, sizeof(double));
  u->w = take(e, n, sizeof(double));
  u->v = take(e, n, sizeof(double));
  u->e = take(e, count, sizeof(double));
  u->held_before = take(e, e->modes.count, sizeof(bool));
  int at = 0;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!c->sense) continue;
    u->of[at] = k;
    u->sign[at] = c->sense;
    u->present[at] = !c->starts_off;
    u->law[at] = (int)c->impact;
    u->hit[at] = u->pause[at] = u->ratio[at] = NAN;
    at++;
  }
  u->least = num_least_new(n, rows, count);
  e->unilateral = u;
  sim_rough_new(e);
  sim_regime_new(e);
  u->impact = num_impact_new(n, rows, count, u->tangents);
  return u;
}

bool sim_unilateral_can(const sim_engine* e, base_notes* notes)
{
  const sim_unilateral* u = e->unilateral;
  for (int i = 0; i < u->count && !u->rough; i++) {
    const model_constraint* c = sim_unilateral_constraint(e, i);
    if (c->friction == EXPR_NONE || c->slips < 2) continue;
    base_error(notes, c->place,
               "friction in space is not taken beside other forces that depend on reactions, "
               "controls, or forces with the sign of a velocity");
    base_help(notes, "write all friction as that of contacts, or smooth the other force, for "
                     "example with tanh");
    return false;
  }
  for (int j = 0; j < u->links; j++) {
    // what rolls rubs against its rolling, not against its slip
    const model_constraint* rail = sim_unilateral_constraint(e, u->link_of[j]);
    if (rail->friction == EXPR_NONE || rail->contact) continue;
    base_error(notes, e->model->constraint[u->link[j]].place,
               "what holds only while a contact does is not taken beside friction of that contact");
    base_help(notes,
              "friction says by itself how long the contact grips: leave the constraint away");
    return false;
  }
  return true;
}

void sim_unilateral_free(sim_unilateral* u)
{
  if (!u) return;
  num_least_free(u->least);
  num_impact_free(u->impact);
  num_contact_free(u->contact);
}

void sim_unilateral_use_siconos(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  e->siconos = true;
  if (!u) return;
  num_impact_use_siconos(u->impact);
  if (u->contact) num_contact_use_siconos(u->contact);
}

int sim_unilateral_find(const sim_unilateral* u, int k)
{
  for (int i = 0; u && i < u->count; i++)
    if (u->of[i] == k) return i;
  return -1;
}

// ---- measures -----------------------------------------------------------------------------------

const model_constraint* sim_unilateral_constraint(const sim_engine* e, int i)
{
  return &e->model->constraint[e->unilateral->of[i]];
}

const char* sim_unilateral_name(const sim_engine* e, int i)
{
  const model_constraint* c = sim_unilateral_constraint(e, i);
  return c->contact ? e->model->contact[c->contact - 1].name : c->name;
}

static double size_of(int n, const double* x)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

double sim_unilateral_norm(const sim_engine* e, const double* A, int k)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += A[k * e->n + j] * A[k * e->n + j];
  return sqrt(sum);
}

// gap and its rate with the sign of the inequality, as distances; levels evaluated
double sim_unilateral_gap(const sim_engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = sim_unilateral_norm(e, e->LA, k);
  return e->unilateral->sign[i] * e->f0[k] / (norm > 0 ? norm : 1);
}

double sim_unilateral_rate(const sim_engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = sim_unilateral_norm(e, e->LA, k);
  return e->unilateral->sign[i] * e->f1[k] / (norm > 0 ? norm : 1);
}

// the sizes against which a gap or a speed is nothing; they grow with the motion
double sim_unilateral_length(sim_engine* e)
{
  e->length_seen = fmax(e->length_seen, size_of(e->n, e->q));
  return fmax(e->length_seen, 1e-6);
}

double sim_unilateral_speed(sim_engine* e)
{
  e->speed_seen = fmax(e->speed_seen, size_of(e->n, e->v));
  return fmax(e->speed_seen, 1e-6);
}

// Does F_i/M_ii say how a force moves coordinate i? Not where coordinates have no inertia along
// some direction, as parts of quaternions: M_ii may be next to nothing then.
static bool stands_alone(const sim_engine* e, int i)
{
  const double* M = e->M + i * e->n;
  bool alone = M[i] > 0;
  for (int j = 0; j < e->n && alone && e->model->massless; j++) alone = j == i || M[j] == 0;
  return alone;
}

// sizes against which a reaction or a loosening acceleration is nothing
void sim_unilateral_noise(sim_engine* e, double* force, double* acceleration)
{
  const sim_unilateral* u = e->unilateral;
  for (int i = 0; i < e->n; i++) {
    e->force_seen = fmax(e->force_seen, fabs(e->F[i]));
    e->acceleration_seen = fmax(e->acceleration_seen, fabs(u->w[i]));
    if (stands_alone(e, i))
      e->acceleration_seen = fmax(e->acceleration_seen, fabs(e->F[i]) / e->M[i * e->n + i]);
    for (int j = 0; j < e->n; j++)
      e->force_seen = fmax(e->force_seen, fabs(e->M[i * e->n + j] * u->w[j]));
  }
  *force = 1e-10 * e->force_seen;
  *acceleration = 1e-10 * e->acceleration_seen;
}

void sim_unilateral_see(sim_engine* e)
{
  double force, acceleration;
  memcpy(e->unilateral->w, e->a, sizeof(double) * (size_t)e->n);
  sim_unilateral_length(e);
  sim_unilateral_speed(e);
  sim_unilateral_noise(e, &force, &acceleration);
}

// ---- rows of the problem ------------------------------------------------------------------------

// bilateral rows N_B x + d_B = 0, at the level of accelerations (A a - c) or velocities (A v + f1 -
// A v); how many
bool sim_unilateral_binds(const sim_engine* e, int k, bool velocities)
{
  const model_constraint* c = &e->model->constraint[k];
  return e->active[k] && !c->sense && !c->sticks && !(velocities && c->order == 2);
}

int sim_unilateral_bilateral(sim_engine* e, bool velocities)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n;
  int rows = 0;
  for (int k = 0; k < e->m; k++) {
    if (!sim_unilateral_binds(e, k, velocities)) continue;
    const double* A = velocities ? e->LA : e->A;
    memcpy(u->NB + rows * n, A + k * n, sizeof(double) * (size_t)n);
    u->dB[rows] = velocities ? e->f1[k] : -e->c[k];
    for (int j = 0; j < n && velocities; j++) u->dB[rows] -= A[k * n + j] * e->v[j];
    rows++;
  }
  return rows;
}

void sim_unilateral_row(sim_engine* e, int i, bool velocities, int row)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n, k = u->of[i];
  const double* A = velocities ? e->LA : e->A;
  double d = velocities ? e->f1[k] : -e->c[k];
  for (int j = 0; j < n && velocities; j++) d -= A[k * n + j] * e->v[j];
  for (int j = 0; j < n; j++) u->N[row * n + j] = u->sign[i] * A[k * n + j];
  u->d[row] = u->sign[i] * d;
}

// what the forces would do without any inequality, where the masses alone do not tell
static void see_forces(sim_engine* e)
{
  if (!e->model->massless || sim_stressed_free(e)) return;
  e->acceleration_seen = fmax(e->acceleration_seen, size_of(e->n, e->unilateral->w));
}

static void read_restitutions(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    const expr r = sim_unilateral_constraint(e, i)->restitution;
    u->restitution[i] = r == EXPR_NONE ? 0 : sim_value(e, r);
  }
}

// ---- the start ----------------------------------------------------------------------------------

int sim_unilateral_hold_violated(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  int added = 0;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  for (int i = 0; i < u->count; i++) {
    const int order = sim_unilateral_constraint(e, i)->order;
    if (!u->present[i] || e->active[u->of[i]] || order == 2) continue;
    const double over = order == 0 ? sim_unilateral_gap(e, i) : sim_unilateral_rate(e, i);
    if (!(over <
          -sim_gap_noise * (order == 0 ? sim_unilateral_length(e) : sim_unilateral_speed(e))))
      continue;
    e->active[u->of[i]] = true;
    added++;
  }
  if (added) sim_engine_rows(e);
  return added;
}

int sim_unilateral_decide(sim_engine* e, bool impacts, const bool* closing)
{
  sim_unilateral* u = e->unilateral;
  read_restitutions(e);
  for (int i = 0; i < u->count; i++) {
    u->was[i] = e->active[u->of[i]];
    u->impulse[i] = 0;
  }
  memset(u->kick, 0, sizeof(double) * (size_t)e->m);
  u->struck = false;
  u->regime_was = e->regime;
  if (u->rough) sim_rough_forget(e);
  if (sim_stressed_closed(e, closing)) return 1;
  // the search for what holds starts from what holds in any case
  for (int i = 0; i < u->count; i++) e->active[u->of[i]] = false;
  sim_regime_link(e);
  see_forces(e);
  if (sim_impact_settle(e, impacts)) return 1;
  sim_stressed_candidates(e, closing);
  if (u->rough) return u->links ? sim_regime_choose_rough(e) : sim_rough_choose(e);
  if (e->forces_feel) return sim_trial_choose(e);
  if (sim_stressed_choose(e)) return 1;
  sim_engine_rows(e);
  return u->links ? sim_regime_choose(e) : 0;
}

sim_contact_change sim_unilateral_change(const sim_engine* e, int i)
{
  const sim_unilateral* u = e->unilateral;
  const bool now = e->active[u->of[i]];
  if (e->regime == i)
    return u->regime_was == i && !u->engaged ? SIM_CONTACT_KEPT : SIM_CONTACT_REGIME;
  if (now && u->regime_was == i) return SIM_CONTACT_ENGAGED;
  if (now && !u->was[i]) return SIM_CONTACT_ENGAGED;
  if (u->was[i] && !now) return SIM_CONTACT_LOOSENED;
  if (u->impulse[i] > 0) return SIM_CONTACT_HIT;
  return now && u->rough ? sim_rough_change(e, i) : SIM_CONTACT_KEPT;
}

// ---- what is watched ----------------------------------------------------------------------------

bool sim_unilateral_needs(const sim_engine* e, int i)
{
  return e->active[e->unilateral->of[i]] || sim_unilateral_constraint(e, i)->order == 2;
}

// Where the contact problem itself is solved a reaction is never negative: from where it has come
// to zero on, the contact opens with an acceleration that stands for it.
static double freed(const sim_engine* e, int i)
{
  if (!sim_rough_solves(e) || e->lambda[e->unilateral->of[i]] != 0) return 0;
  return e->unilateral->alpha[i] * e->force_seen / fmax(e->acceleration_seen, 1e-300);
}

double sim_unilateral_watch(const sim_engine* e, int i)
{
  const sim_unilateral* u = e->unilateral;
  const int k = u->of[i];
  if (!u->present[i]) return 1;
  if (e->regime == i) return u->theta * (1 - u->theta);
  if (e->active[k]) return u->sign[i] * e->lambda[k] - freed(e, i);
  if (sim_unilateral_constraint(e, i)->order == 0) return u->sign[i] * e->f0[k];
  if (sim_unilateral_constraint(e, i)->order == 1) return u->sign[i] * e->f1[k];
  double sum = -e->c[k];
  for (int j = 0; j < e->n; j++) sum += e->A[k * e->n + j] * e->a[j];
  return u->sign[i] * sum;
}

bool sim_unilateral_is_overrun(sim_engine* e)
{
  const sim_unilateral* u = e->unilateral;
  double force, acceleration, alpha;
  memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
  sim_unilateral_noise(e, &force, &acceleration);
  sim_reactions(e);
  for (int i = 0; i < u->count; i++) {
    if (!u->present[i] || e->regime == i || !sim_unilateral_needs(e, i)) continue;
    const double norm = sim_unilateral_norm(e, e->A, u->of[i]);
    const bool active = e->active[u->of[i]];
    const double least = active ? force / (norm > 0 ? norm : 1) : acceleration * norm;
    if (sim_unilateral_watch(e, i) < -least) return true;
  }
  if (u->rough) return sim_rough_loose(e, -1, &alpha) >= 0;
  return e->implied_count && !e->forces_feel && sim_unilateral_loose(e, -1, &alpha) >= 0;
}
