// One dry friction of a contact of surfaces: its motion, what holds it, and impulses along it.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int contact_grips(const engine* e)
{
  return MODEL_GRIPS * e->model->contacts;
}

const model_contact* contact_grip_contact(const engine* e, int i)
{
  return &e->model->contact[i / MODEL_GRIPS];
}

static const model_grip* grip_at(const engine* e, int i)
{
  return &contact_grip_contact(e, i)->grip[i % MODEL_GRIPS];
}

bool contact_grip_acts(const engine* e, int i)
{
  const model_contact* c = contact_grip_contact(e, i);
  return grip_at(e, i)->rows && !c->lands && e->mode.active[c->gap];
}

bool contact_grip_sticks(const engine* e, int i)
{
  return contact_grip_acts(e, i) && e->mode.active[grip_at(e, i)->stick[0]];
}

bool contact_grip_is_spread(const engine* e, int i)
{
  return grip_at(e, i)->patch != MODEL_PATCH_NONE;
}

void contact_grip_set(engine* e, int i, bool on)
{
  const model_grip* g = grip_at(e, i);
  for (int k = 0; k < g->rows; k++) e->mode.active[g->stick[k]] = on;
  memset(e->mode.implied, 0, (size_t)e->m);
  e->mode.implied_count = 0;
  engine_rows(e);
}

static double length_of(const double x[MODEL_GRIP_ROWS])
{
  return hypot(hypot(x[0], x[1]), x[2]);
}

double contact_grip_speed(engine* e, int i, double s[MODEL_GRIP_ROWS])
{
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int k = 0; k < MODEL_GRIP_ROWS; k++)
    s[k] = k < grip_at(e, i)->rows ? e->f1[grip_at(e, i)->stick[k]] : 0;
  return length_of(s);
}

// its speed so far, or what a fall along its place would give it
double contact_grip_scale(engine* e, int i)
{
  const model_grip* g = grip_at(e, i);
  double s[MODEL_GRIP_ROWS], most = 0;
  contact_grip_speed(e, i, s);
  engine_scales_see(e, e->q, e->v, NULL);
  for (int k = 0; k < g->rows; k++) {
    const int row = g->stick[k];
    const double falls = sqrt(engine_scale_row(e, row, 0) * engine_scale_row(e, row, 2));
    most = fmax(most, fmax(engine_scale_row(e, row, 1), falls));
  }
  return most;
}

bool contact_grip_rests(engine* e, int i)
{
  double s[MODEL_GRIP_ROWS];
  return contact_grip_speed(e, i, s) <= engine_slip_ends * contact_grip_scale(e, i);
}

// s' = A q'' - c
double contact_grip_growth(engine* e, int i)
{
  const model_grip* g = grip_at(e, i);
  double s[MODEL_GRIP_ROWS], sum = 0;
  const double size = contact_grip_speed(e, i, s);
  if (contact_accelerations_beside(e, g->stick[0])) return NAN;
  for (int k = 0; k < g->rows; k++) {
    double rate = -e->c[g->stick[k]];
    for (int j = 0; j < e->n; j++) rate += e->A[g->stick[k] * e->n + j] * e->a[j];
    sum += s[k] * rate;
  }
  return size > 0 ? sum / size : NAN;
}

bool contact_grip_load(engine* e, int i, contact_load* out)
{
  const model_contact* c = contact_grip_contact(e, i);
  const model_grip* g = grip_at(e, i);
  if (contact_accelerations_beside(e, c->gap)) return false;
  code_run(e->program->guards, e->in, e->work.guard, e->work.scratch);
  const int coefficients = engine_guard_count(e->model) - (MODEL_GRIPS + 1) * e->model->contacts;
  const double mu = e->work.guard[coefficients + i], N = e->lambda[c->gap];
  out->most = mu * (c->pull == MODEL_PULL_HOLDS ? fabs(N) : fmax(0, N));
  double T[MODEL_GRIP_ROWS] = {0};
  for (int k = 0; k < g->rows; k++) T[k] = e->lambda[g->stick[k]];
  if (g->patch) {
    const cone_patch patch = {g->patch == MODEL_PATCH_HERTZ ? CONE_PATCH_HERTZ : CONE_PATCH_UNIFORM,
                              g->rational};
    out->size = cone_patch_size(patch, T, out->direction);
    return true;
  }
  out->size = length_of(T);
  for (int k = 0; k < MODEL_GRIP_ROWS; k++) out->direction[k] = -T[k] / out->size;
  return true;
}

// an impulse while the law, which has no value at rest, does not act
static int kick(engine* e, int i, const double* g)
{
  double* holds = &e->holds[grip_at(e, i)->stick[0]];
  const double kept = *holds;
  *holds = 1;
  const int k = grip_at(e, i)->stick[0];
  const int failed = e->parts ? engine_part_kick(e, e->part_of_row[k], g) : engine_kick(e, g);
  *holds = kept;
  return failed;
}

// what an impulse g makes of the motion; the velocities stay
static int response(engine* e, int i, const double* g, double* v, double s[MODEL_GRIP_ROWS])
{
  memcpy(v, e->v, sizeof(double) * (size_t)e->n);
  const int failed = kick(e, i, g);
  if (!failed) contact_grip_speed(e, i, s);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
  return failed;
}

int contact_grip_mobility(engine* e, int i, double W[MODEL_GRIP_ROWS * MODEL_GRIP_ROWS])
{
  const model_grip* g = grip_at(e, i);
  const size_t n = (size_t)e->n;
  double s[MODEL_GRIP_ROWS], made[MODEL_GRIP_ROWS];
  double *A = base_alloc(sizeof(double) * (2 * n + 1)), *v = A + n;
  int failed = 0;
  for (int k = 0; k < MODEL_GRIP_ROWS * MODEL_GRIP_ROWS; k++) W[k] = k % (MODEL_GRIP_ROWS + 1) == 0;
  contact_grip_speed(e, i, s);
  for (int k = 0; k < g->rows && !failed; k++) {
    // the rows of the levels are those of the state; a response leaves them
    memcpy(A, e->LA + (size_t)g->stick[k] * n, sizeof(double) * n);
    failed = response(e, i, A, v, made);
    for (int j = 0; j < g->rows && !failed; j++) W[MODEL_GRIP_ROWS * j + k] = made[j] - s[j];
  }
  free(A);
  return failed;
}

// x of W x = b, symmetric and positive where the rows are independent, by elimination
static void solve(double W[MODEL_GRIP_ROWS * MODEL_GRIP_ROWS], double x[MODEL_GRIP_ROWS])
{
  enum { n = MODEL_GRIP_ROWS };
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      const double factor = W[n * i + k] / W[n * k + k];
      for (int j = k; j < n; j++) W[n * i + j] -= factor * W[n * k + j];
      x[i] -= factor * x[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] -= W[n * k + j] * x[j];
    x[k] /= W[n * k + k];
  }
}

int contact_grip_push(engine* e, int i, const double wanted[MODEL_GRIP_ROWS])
{
  const model_grip* g = grip_at(e, i);
  const int n = e->n;
  double W[MODEL_GRIP_ROWS * MODEL_GRIP_ROWS], s[MODEL_GRIP_ROWS], x[MODEL_GRIP_ROWS];
  if (contact_grip_mobility(e, i, W)) return 1;
  contact_grip_speed(e, i, s);
  for (int k = 0; k < MODEL_GRIP_ROWS; k++) x[k] = wanted[k] - s[k];
  solve(W, x);
  double* p = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int k = 0; k < g->rows; k++)
    for (int j = 0; j < n; j++) p[j] += x[k] * e->LA[g->stick[k] * n + j];
  const int failed = !isfinite(length_of(x)) || kick(e, i, p);
  if (failed && !*e->reason)
    snprintf(e->reason, sizeof e->reason, "contact `%s` can slip in no direction",
             contact_grip_contact(e, i)->name);
  free(p);
  return failed;
}
