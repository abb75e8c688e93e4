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

void contact_grip_set(engine* e, int i, bool on)
{
  const model_grip* g = grip_at(e, i);
  for (int k = 0; k < g->rows; k++) e->mode.active[g->stick[k]] = on;
  memset(e->mode.implied, 0, (size_t)e->m);
  e->mode.implied_count = 0;
  engine_rows(e);
}

double contact_grip_speed(engine* e, int i, double s[2])
{
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  s[1] = 0;
  for (int k = 0; k < grip_at(e, i)->rows; k++) s[k] = e->f1[grip_at(e, i)->stick[k]];
  return hypot(s[0], s[1]);
}

// its speed so far, or what a fall along its place would give it
double contact_grip_scale(engine* e, int i)
{
  const model_grip* g = grip_at(e, i);
  double s[2], most = 0;
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
  double s[2];
  return contact_grip_speed(e, i, s) <= engine_slip_ends * contact_grip_scale(e, i);
}

// s' = A q'' - c
double contact_grip_growth(engine* e, int i)
{
  const model_grip* g = grip_at(e, i);
  double s[2], sum = 0;
  const double size = contact_grip_speed(e, i, s);
  if (contact_accelerations_beside(e, g->stick[0])) return NAN;
  for (int k = 0; k < g->rows; k++) {
    double rate = -e->c[g->stick[k]];
    for (int j = 0; j < e->n; j++) rate += e->A[g->stick[k] * e->n + j] * e->a[j];
    sum += s[k] * rate;
  }
  return size > 0 ? sum / size : NAN;
}

bool contact_grip_load(engine* e, int i, double T[2], double* most)
{
  const model_contact* c = contact_grip_contact(e, i);
  const model_grip* g = grip_at(e, i);
  if (contact_accelerations_beside(e, c->gap)) return false;
  code_run(e->program->guards, e->in, e->work.guard, e->work.scratch);
  const int coefficients = engine_guard_count(e->model) - (MODEL_GRIPS + 1) * e->model->contacts;
  const double mu = e->work.guard[coefficients + i], N = e->lambda[c->gap];
  *most = mu * (c->pull == MODEL_PULL_HOLDS ? fabs(N) : fmax(0, N));
  T[1] = 0;
  for (int k = 0; k < g->rows; k++) T[k] = e->lambda[g->stick[k]];
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
static int response(engine* e, int i, const double* g, double* v, double s[2])
{
  memcpy(v, e->v, sizeof(double) * (size_t)e->n);
  const int failed = kick(e, i, g);
  if (!failed) contact_grip_speed(e, i, s);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
  return failed;
}

int contact_grip_mobility(engine* e, int i, double W[4])
{
  const model_grip* g = grip_at(e, i);
  const size_t n = (size_t)e->n;
  double s[2], made[2];
  double *A = base_alloc(sizeof(double) * (2 * n + 1)), *v = A + n;
  int failed = 0;
  W[0] = W[3] = 1;
  W[1] = W[2] = 0;
  contact_grip_speed(e, i, s);
  for (int k = 0; k < g->rows && !failed; k++) {
    // the rows of the levels are those of the state; a response leaves them
    memcpy(A, e->LA + (size_t)g->stick[k] * n, sizeof(double) * n);
    failed = response(e, i, A, v, made);
    for (int j = 0; j < g->rows && !failed; j++) W[2 * j + k] = made[j] - s[j];
  }
  free(A);
  return failed;
}

int contact_grip_push(engine* e, int i, const double wanted[2])
{
  const model_grip* g = grip_at(e, i);
  const int n = e->n;
  double W[4], s[2];
  if (contact_grip_mobility(e, i, W)) return 1;
  contact_grip_speed(e, i, s);
  const double b[2] = {wanted[0] - s[0], wanted[1] - s[1]}, det = W[0] * W[3] - W[1] * W[2];
  const double x[2] = {(b[0] * W[3] - b[1] * W[1]) / det, (b[1] * W[0] - b[0] * W[2]) / det};
  double* p = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int k = 0; k < g->rows; k++)
    for (int j = 0; j < n; j++) p[j] += x[k] * e->LA[g->stick[k] * n + j];
  const int failed = !isfinite(x[0]) || !isfinite(x[1]) || kick(e, i, p);
  if (failed && !*e->reason)
    snprintf(e->reason, sizeof e->reason, "contact `%s` can slip in no direction",
             contact_grip_contact(e, i)->name);
  free(p);
  return failed;
}
