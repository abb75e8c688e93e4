// Inequalities as rows of the problem at an instant, and what their gaps, rates and forces are
// measured by.
#include "contact/contact.h"

#include <math.h>
#include <string.h>

int contact_inequality_find(const contact_inequalities* u, int k)
{
  // they stand in the order of the model
  int low = 0, high = u ? u->count : 0;
  while (low < high) {
    const int mid = low + (high - low) / 2;
    if (u->of[mid] < k)
      low = mid + 1;
    else
      high = mid;
  }
  return u && low < u->count && u->of[low] == k ? low : -1;
}

const model_constraint* contact_inequality_constraint(const engine* e, int i)
{
  return &e->model->constraint[e->unilateral->of[i]];
}

const char* contact_inequality_name(const engine* e, int i)
{
  const model_constraint* c = contact_inequality_constraint(e, i);
  return c->contact ? e->model->contact[c->contact - 1].name : c->name;
}

double contact_inequality_norm(const engine* e, const double* A, int k)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += A[k * e->n + j] * A[k * e->n + j];
  return sqrt(sum);
}

// gap and its rate with the sign of the inequality, as distances; levels evaluated
double contact_inequality_gap(const engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = contact_inequality_norm(e, e->LA, k);
  return e->unilateral->sign[i] * e->f0[k] / (norm > 0 ? norm : 1);
}

double contact_inequality_rate(const engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = contact_inequality_norm(e, e->LA, k);
  return e->unilateral->sign[i] * e->f1[k] / (norm > 0 ? norm : 1);
}

// what gap and rate of i are measured by, as distances
double contact_inequality_length(engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = contact_inequality_norm(e, e->LA, k);
  engine_scales_see(e, e->q, e->v, NULL);
  return engine_scale_place(e, e->LA + k * e->n) / (norm > 0 ? norm : 1);
}

double contact_inequality_speed(engine* e, int i)
{
  const int k = e->unilateral->of[i];
  const double norm = contact_inequality_norm(e, e->LA, k);
  engine_scales_see(e, e->q, e->v, NULL);
  return engine_scale_speed(e, e->LA + k * e->n) / (norm > 0 ? norm : 1);
}

void contact_inequality_see_forces(engine* e)
{
  engine_scales_see_all(e, e->q, e->v, e->unilateral->w);
}

double contact_inequality_least_force(const engine* e, int i)
{
  return engine_noise_force * engine_scale_reaction(e, e->A + e->unilateral->of[i] * e->n);
}

double contact_inequality_least_acceleration(const engine* e, int i)
{
  return engine_noise_force * engine_scale_acceleration(e, e->A + e->unilateral->of[i] * e->n);
}

double contact_inequality_moment(const engine* e)
{
  const contact_inequalities* u = e->unilateral;
  double least = INFINITY;
  for (int r = 0; r < u->candidates; r++)
    least = fmin(least, engine_scale_time(e, e->LA + u->of[u->candidate[r]] * e->n));
  return isfinite(least) ? engine_look_ahead * least : 0;
}

// bilateral rows N_B x + d_B = 0, at the level of accelerations (A a - c) or velocities (A v + f1 -
// A v); how many
bool contact_inequality_binds(const engine* e, int k, bool velocities, bool guides)
{
  const model_constraint* c = &e->model->constraint[k];
  const bool presses = c->sense || (c->guides && !guides);
  return e->mode.active[k] && !presses && !c->sticks && !(velocities && c->order == 2);
}

int contact_inequality_bilateral(engine* e, bool velocities, bool guides)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n;
  int rows = 0;
  for (int k = 0; k < e->m; k++) {
    if (!contact_inequality_binds(e, k, velocities, guides)) continue;
    const double* A = velocities ? e->LA : e->A;
    memcpy(u->NB + rows * n, A + k * n, sizeof(double) * (size_t)n);
    u->dB[rows] = velocities ? e->f1[k] : -e->c[k];
    for (int j = 0; j < n && velocities; j++) u->dB[rows] -= A[k * n + j] * e->v[j];
    rows++;
  }
  return rows;
}

void contact_inequality_row(engine* e, int i, bool velocities, int row)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, k = u->of[i];
  const double* A = velocities ? e->LA : e->A;
  double d = velocities ? e->f1[k] : -e->c[k];
  for (int j = 0; j < n && velocities; j++) d -= A[k * n + j] * e->v[j];
  for (int j = 0; j < n; j++) u->N[row * n + j] = u->sign[i] * A[k * n + j];
  u->d[row] = u->sign[i] * d;
}
