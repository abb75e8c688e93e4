// Dry friction of surfaces in space: slip s that comes to an end, sticking, and slip that begins.
//
// While it sticks, two constraints s = 0 hold the contact with the force T; it slips where |T|
// reaches mu N, and begins in the direction against T. The law -mu N s/|s| has no value at s = 0,
// so slip begins, and ends, at a speed that is nothing against the motion: where it ends,
// the constraints take the rest, which is right to the square of that speed; where it begins, an
// impulse against T gives it, which is right to that speed itself.
#include "sim/stick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/guard.h"

enum { most_roots = 16 };
// m/s; slip begins above the speed at which it ends
static const double ends_at = 1e-8, begins_at = 2e-8;

static bool sticks(const sim_engine* e, int i)
{
  return e->active[e->model->contact[i].stick[0]];
}

static bool may_stick(const sim_engine* e, int i)
{
  return e->model->contact[i].rubs && e->active[e->model->contact[i].gap];
}

static void slip_now(sim_engine* e, int i, double s[2])
{
  code_run(e->levels, e->in, e->level_out, e->scratch);
  for (int k = 0; k < 2; k++) s[k] = e->f1[e->model->contact[i].stick[k]];
}

// |T|^2 - (mu N)^2 at the state in the input block, over the larger of both; nan where not known
static double over_cone(sim_engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  if (sim_accelerations(e)) return NAN;
  sim_reactions(e);
  code_run(e->guards, e->in, e->guard, e->scratch);
  const double mu = e->guard[sim_guard_count(e->model) - 2 * e->model->contacts + i];
  const double T = hypot(e->lambda[c->stick[0]], e->lambda[c->stick[1]]);
  const double most = mu * fmax(0, e->lambda[c->gap]);
  return T > 0 || most > 0 ? (T * T - most * most) / fmax(T * T, most * most) : -1;
}

static void hold(sim_engine* e, int i, bool on)
{
  for (int k = 0; k < 2; k++) e->active[e->model->contact[i].stick[k]] = on;
  memset(e->implied, 0, (size_t)e->m);
  e->implied_count = 0;
  sim_engine_rows(e);
}

// what an impulse g makes of the slip; the velocities stay
static int response(sim_engine* e, int i, const double* g, double* v, double s[2])
{
  memcpy(v, e->v, sizeof(double) * (size_t)e->n);
  const int failed = sim_kick(e, g);
  if (!failed) slip_now(e, i, s);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
  return failed;
}

// Impulses x1, x2 along the slip that make it `wanted`: W x = wanted - s with the columns of W the
// responses to unit impulses.
static int make_slip(sim_engine* e, int i, const double wanted[2])
{
  const int n = e->n;
  const model_contact* c = &e->model->contact[i];
  double s[2], one[2], two[2];
  double* A = base_alloc(sizeof(double) * (size_t)(4 * n + 1));
  double *g = A + 2 * n, *v = A + 3 * n;
  slip_now(e, i, s);
  for (int k = 0; k < 2; k++)
    memcpy(A + k * n, e->LA + c->stick[k] * n, sizeof(double) * (size_t)n);
  int failed = response(e, i, A, v, one) || response(e, i, A + n, v, two);
  if (!failed) {
    const double W[4] = {one[0] - s[0], two[0] - s[0], one[1] - s[1], two[1] - s[1]};
    const double b[2] = {wanted[0] - s[0], wanted[1] - s[1]}, det = W[0] * W[3] - W[1] * W[2];
    const double x[2] = {(b[0] * W[3] - b[1] * W[1]) / det, (b[1] * W[0] - b[0] * W[2]) / det};
    for (int j = 0; j < n; j++) g[j] = x[0] * A[j] + x[1] * A[n + j];
    failed = !isfinite(x[0]) || !isfinite(x[1]) || sim_kick(e, g);
    if (failed && !*e->reason)
      snprintf(e->reason, sizeof e->reason, "contact `%s` can slip in no direction", c->name);
  }
  free(A);
  return failed;
}

// against the force that held it; without one it does not slip
static int let_slip(sim_engine* e, int i)
{
  const model_contact* c = &e->model->contact[i];
  const double T[2] = {e->lambda[c->stick[0]], e->lambda[c->stick[1]]}, size = hypot(T[0], T[1]);
  const double wanted[2] = {-begins_at * T[0] / size, -begins_at * T[1] / size};
  hold(e, i, false);
  // the law has no value yet
  e->holds[c->stick[0]] = 1;
  const int failed = make_slip(e, i, wanted);
  e->holds[c->stick[0]] = 0;
  return failed;
}

// slip has come to an end: the contact sticks where friction suffices, else it slips on
static int let_stick(sim_engine* e, int i)
{
  hold(e, i, true);
  if (sim_kick(e, NULL)) return 1;
  const double over = over_cone(e, i);
  if (isnan(over)) return 1;
  return over > 1e-9 ? let_slip(e, i) : 0;
}

int sim_stick_start(sim_engine* e)
{
  for (int i = 0; i < e->model->contacts; i++) {
    double s[2];
    if (!may_stick(e, i) || sticks(e, i)) continue;
    slip_now(e, i, s);
    if (hypot(s[0], s[1]) <= ends_at && let_stick(e, i)) return 1;
  }
  return 0;
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
  for (int i = 0; i < e->model->contacts; i++) {
    num_root root[most_roots];
    if (!may_stick(e, i) || !sticks(e, i)) continue;
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
  for (int i = 0; i < e->model->contacts; i++) {
    double s[2];
    if (!may_stick(e, i) || sticks(e, i)) continue;
    if (sim_flow_load(r->f, r->stepper->t, r->stepper->y)) return false;
    slip_now(e, i, s);
    if (hypot(s[0], s[1]) > ends_at) continue;
    const sim_found found = {SIM_FOUND_STICKING + i, r->stepper->t, -1};
    sim_run_happen(r, &found, 1);
    return true;
  }
  return false;
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
  if (!failed && sticks(e, i))
    failed = isnan(over_cone(e, i)) || let_slip(e, i);
  else if (!failed)
    failed = let_stick(e, i);
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
  snprintf(name, sizeof name, "%s of %s", sticks(e, i) ? "sticking" : "slipping",
           e->model->contact[i].name);
  sim_run_remember(r, found, name, r->stepper->y);
}
