// Dry friction of surfaces in space: motion s that comes to an end, sticking, and motion that
// begins. A grip is one friction of a contact: against slip, rolling or pivoting.
//
// While it sticks, constraints s = 0 hold it with the force or moment T; it slips where |T| reaches
// mu N, and begins in the direction against T. The law -mu N s/|s| has no value at s = 0, so slip
// begins, and ends, at a speed that is nothing against the motion: where it ends, the constraints
// take the rest, which is right to the square of that speed; where it begins, an impulse against T
// gives it, which is right to that speed itself.
#include "sim/stick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/guard.h"

enum { most_roots = 16 };
// m/s or rad/s; slip begins above the speed at which it ends
static const double ends_at = 1e-8, begins_at = 2e-8;

static int grips(const sim_engine* e)
{
  return MODEL_GRIPS * e->model->contacts;
}

static const model_contact* contact_of(const sim_engine* e, int i)
{
  return &e->model->contact[i / MODEL_GRIPS];
}

static const model_grip* grip_at(const sim_engine* e, int i)
{
  return &contact_of(e, i)->grip[i % MODEL_GRIPS];
}

static bool may_stick(const sim_engine* e, int i)
{
  return grip_at(e, i)->rows && e->active[contact_of(e, i)->gap];
}

static bool sticks(const sim_engine* e, int i)
{
  return may_stick(e, i) && e->active[grip_at(e, i)->stick[0]];
}

// the motion it acts against, at the state in the input block; returns its size
static double speed_now(sim_engine* e, int i, double s[2])
{
  code_run(e->levels, e->in, e->level_out, e->scratch);
  s[1] = 0;
  for (int k = 0; k < grip_at(e, i)->rows; k++) s[k] = e->f1[grip_at(e, i)->stick[k]];
  return hypot(s[0], s[1]);
}

// what holds it; returns its size
static double hold_now(const sim_engine* e, int i, double T[2])
{
  T[1] = 0;
  for (int k = 0; k < grip_at(e, i)->rows; k++) T[k] = e->lambda[grip_at(e, i)->stick[k]];
  return hypot(T[0], T[1]);
}

// |T|^2 - (mu N)^2 at the state in the input block, over the larger of both; nan where not known
static double over_cone(sim_engine* e, int i)
{
  const model_contact* c = contact_of(e, i);
  double hold[2];
  if (sim_accelerations(e)) return NAN;
  sim_reactions(e);
  code_run(e->guards, e->in, e->guard, e->scratch);
  const int coefficients = sim_guard_count(e->model) - (MODEL_GRIPS + 1) * e->model->contacts;
  const double mu = e->guard[coefficients + i], N = e->lambda[c->gap];
  const double T = hold_now(e, i, hold);
  const double most = mu * (c->pull == MODEL_PULL_HOLDS ? fabs(N) : fmax(0, N));
  return T > 0 || most > 0 ? (T * T - most * most) / fmax(T * T, most * most) : -1;
}

static void hold(sim_engine* e, int i, bool on)
{
  const model_grip* g = grip_at(e, i);
  for (int k = 0; k < g->rows; k++) e->active[g->stick[k]] = on;
  memset(e->implied, 0, (size_t)e->m);
  e->implied_count = 0;
  sim_engine_rows(e);
}

// what an impulse g makes of the slip; the velocities stay
static int response(sim_engine* e, int i, const double* g, double* v, double s[2])
{
  memcpy(v, e->v, sizeof(double) * (size_t)e->n);
  const int failed = sim_kick(e, g);
  if (!failed) speed_now(e, i, s);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
  return failed;
}

// Impulses x1, x2 along the slip that make it `wanted`: W x = wanted - s with the columns of W the
// responses to unit impulses.
static int make_slip(sim_engine* e, int i, const double wanted[2])
{
  const int n = e->n, rows = grip_at(e, i)->rows;
  double s[2], made[2][2] = {{0, 0}, {0, 0}};
  double* A = base_alloc(sizeof(double) * (size_t)(4 * n + 1));
  double *g = A + 2 * n, *v = A + 3 * n;
  speed_now(e, i, s);
  for (int k = 0; k < rows; k++)
    memcpy(A + k * n, e->LA + grip_at(e, i)->stick[k] * n, sizeof(double) * (size_t)n);
  int failed = 0;
  for (int k = 0; k < rows && !failed; k++) failed = response(e, i, A + k * n, v, made[k]);
  if (!failed) {
    const double b[2] = {wanted[0] - s[0], wanted[1] - s[1]};
    const double W[4] = {made[0][0] - s[0], rows > 1 ? made[1][0] - s[0] : 0,
                         rows > 1 ? made[0][1] - s[1] : 0, rows > 1 ? made[1][1] - s[1] : 1};
    const double det = W[0] * W[3] - W[1] * W[2];
    const double x[2] = {(b[0] * W[3] - b[1] * W[1]) / det, (b[1] * W[0] - b[0] * W[2]) / det};
    for (int j = 0; j < n; j++) g[j] = x[0] * A[j] + (rows > 1 ? x[1] * A[n + j] : 0);
    failed = !isfinite(x[0]) || !isfinite(x[1]) || sim_kick(e, g);
    if (failed && !*e->reason)
      snprintf(e->reason, sizeof e->reason, "contact `%s` can slip in no direction",
               contact_of(e, i)->name);
  }
  free(A);
  return failed;
}

// against the force that held it; without one it does not slip
static int let_slip(sim_engine* e, int i)
{
  const int first = grip_at(e, i)->stick[0];
  double T[2];
  const double size = hold_now(e, i, T);
  const double wanted[2] = {-begins_at * T[0] / size, -begins_at * T[1] / size};
  hold(e, i, false);
  // the law has no value yet
  e->holds[first] = 1;
  const int failed = make_slip(e, i, wanted);
  e->holds[first] = 0;
  return failed;
}

// grips that stick where friction does not suffice slip, the most overcharged first
static int settle(sim_engine* e)
{
  for (int turn = 0; turn <= grips(e); turn++) {
    int worst = -1;
    double most = 1e-9;
    for (int i = 0; i < grips(e); i++) {
      if (!sticks(e, i)) continue;
      const double over = over_cone(e, i);
      if (isnan(over)) return 1;
      if (over <= most) continue;
      most = over;
      worst = i;
    }
    if (worst < 0) return 0;
    // those looked at since have left the forces of the same state
    if (let_slip(e, worst)) return 1;
  }
  return 0;
}

int sim_stick_start(sim_engine* e)
{
  bool some = false;
  for (int i = 0; i < grips(e); i++) {
    double s[2];
    if (!may_stick(e, i) || sticks(e, i) || speed_now(e, i, s) > ends_at) continue;
    hold(e, i, true);
    some = true;
  }
  return some && (sim_kick(e, NULL) || settle(e));
}

static double cone_at(void* context, double t)
{
  sim_watch* w = context;
  w->stepper->method->dense(w->stepper, t, w->y);
  return sim_flow_load(w->flow, t, w->y) ? NAN : over_cone(w->flow->e, w->looking_at);
}

void sim_stick_look(sim_watch* w, double from)
{
  const sim_engine* e = w->flow->e;
  for (int i = 0; i < grips(e); i++) {
    num_root root[most_roots];
    if (!sticks(e, i)) continue;
    w->looking_at = i;
    const int roots = num_roots(cone_at, w, from, w->stepper->t, w->tolerance, most_roots, root);
    for (int k = 0; k < roots; k++) {
      if (root[k].direction <= 0) continue;
      base_push(&w->found, (sim_found){SIM_FOUND_STICKING + i, root[k].t, 1});
      break;
    }
  }
}

bool sim_stick_step(sim_job* r)
{
  sim_engine* e = r->e;
  for (int i = 0; i < grips(e); i++) {
    double s[2];
    if (!may_stick(e, i) || sticks(e, i)) continue;
    if (sim_flow_load(r->f, r->stepper->t, r->stepper->y)) return false;
    if (speed_now(e, i, s) > ends_at) continue;
    const sim_found found = {SIM_FOUND_STICKING + i, r->stepper->t, -1};
    sim_run_happen(r, &found, 1);
    return true;
  }
  return false;
}

// the grip begins to stick, or to slip; then what else follows from that
static int change(sim_engine* e, int i)
{
  if (sticks(e, i)) return isnan(over_cone(e, i)) || let_slip(e, i) || settle(e);
  hold(e, i, true);
  return sim_kick(e, NULL) || settle(e);
}

static const char* word_for(const sim_engine* e, int i)
{
  static const char* const words[MODEL_GRIPS][2] = {{"slipping", "sticking"},
                                                    {"start of rolling", "end of rolling"},
                                                    {"start of pivoting", "end of pivoting"}};
  return words[i % MODEL_GRIPS][sticks(e, i)];
}

void sim_stick_happen(sim_job* r, const sim_found* found, const double* y)
{
  sim_engine* e = r->e;
  const int i = found->watch - SIM_FOUND_STICKING;
  const double t = found->t;
  bool moved;
  r->corners = t <= r->last_corner + 1e-9 * fmax(1e-3, fabs(t)) ? r->corners + 1 : 0;
  r->last_corner = t;
  if (r->corners > 50) {
    sim_run_give_up(r, "a contact sticks and slips without end at this time");
    return;
  }
  int failed = sim_flow_load(r->f, t, y) || sim_project(e, &moved);
  const double before = failed ? 0 : sim_run_energy(r).H;
  failed = failed || change(e, i);
  if (!failed) {
    r->jumps += sim_run_energy(r).H - before;
    sim_set_aside(e);
    failed = sim_sides(e);
  }
  if (failed) {
    sim_run_give_up(r, e->reason);
    return;
  }
  if (!sim_run_restart(r, t, y[2 * e->n])) return;
  char name[160];
  snprintf(name, sizeof name, "%s of %s", word_for(e, i), contact_of(e, i)->name);
  sim_run_remember(r, found, name, r->stepper->y);
}
