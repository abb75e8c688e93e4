// Contacts that share a load in more than one way. Where the gradient of one is made of those of
// others, N_r = sum c_i N_i, load may pass between them without a change of the normal motion. If
// they slip, the friction changes with it unless mu_r t_r = sum c_i mu_i t_i, t the directions of
// slip in the coordinates: then the laws leave the motion open.
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// mu T^T s/|s| of contact r, s its slip; false: it does not slip
static bool friction(const engine* e, int r, const double* slip, double* to)
{
  const contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  double size = 0;
  for (int k = 0; k < t; k++) size = hypot(size, slip[r * t + k]);
  memset(to, 0, sizeof(double) * (size_t)n);
  for (int k = 0; k < t && size > 0; k++)
    for (int j = 0; j < n; j++)
      to[j] += u->mu[r] * u->T[(r * t + k) * n + j] * slip[r * t + k] / size;
  return size > 0;
}

// does the load of contact r, of gradient length `norm`, pass to others that press, or from them,
// and change the friction?
static bool passes(const engine* e, int r, const double* lambda, const double* slip, int bilateral)
{
  const contact_inequalities* u = e->unilateral;
  const int n = e->n, count = u->candidates, most_rows = count + bilateral;
  int rows = 0, *from = base_alloc(sizeof(int) * (size_t)(most_rows + 1));
  double* A = base_alloc(sizeof(double) * (size_t)(most_rows * (n + 1) + 2 * n + 1));
  double *c = A + most_rows * n, *f = c + most_rows, *one = f + n;
  double norm = 0, most = 0, differs = 0;
  for (int k = 0; k < count; k++) {
    if (k == r || !(lambda[k] > contact_inequality_least_force(e, u->candidate[k]))) continue;
    memcpy(A + rows * n, u->N + k * n, sizeof(double) * (size_t)n);
    from[rows++] = k;
  }
  const int pressing = rows;
  for (int k = 0; k < bilateral; k++, rows++)
    memcpy(A + rows * n, u->NB + k * n, sizeof(double) * (size_t)n);
  if (pressing && friction(e, r, slip, f)) {
    num_null* null = num_null_new(rows, n);
    for (int j = 0; j < n; j++) norm = hypot(norm, u->N[r * n + j]);
    num_null_factor(null, rows, n, A, engine_redundant);
    const bool made = num_null_solve_t(null, A, u->N + r * n, c) <= engine_redundant * norm;
    num_null_free(null);
    for (int j = 0; j < n && made; j++) most = fmax(most, fabs(f[j]));
    for (int k = 0; k < pressing && made; k++) {
      friction(e, from[k], slip, one);
      for (int j = 0; j < n; j++) f[j] -= c[k] * one[j];
    }
    for (int j = 0; j < n && made; j++) differs = fmax(differs, fabs(f[j]));
  }
  free(from);
  free(A);
  return differs > engine_same_load * most;
}

bool contact_load_is_open(const engine* e, const double* lambda, const double* alpha,
                          const double* slip, int bilateral)
{
  const contact_inequalities* u = e->unilateral;
  for (int r = 0; r < u->candidates; r++) {
    const double least = contact_inequality_least_acceleration(e, u->candidate[r]);
    if (u->mu[r] > 0 && fabs(alpha[r]) <= least && passes(e, r, lambda, slip, bilateral))
      return true;
  }
  return false;
}

// ---- loads that may be exchanged ----------------------------------------------------------------

// Does the load of contact i, or of what holds its slip, pass to others and back? A direction of
// slip that bilateral constraints prevent by themselves loads no friction.
static bool is_exchanged(const engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  const engine_mode* m = &e->mode;
  if (!m->active[u->of[i]]) return false;
  const model_constraint* c = contact_inequality_constraint(e, i);
  bool any = m->open_load[u->of[i]];
  for (int k = 0; k < model_constraint_sticks(c) && !any; k++) {
    const int stick = c->stick[k];
    any = m->active[stick] && !m->implied[stick] && m->open_load[stick];
  }
  return any;
}

bool contact_loads_pass(const engine* e)
{
  bool any = false;
  const int own = e->unilateral && !e->parts && e->mode.implied_count ? e->unilateral->count : 0;
  for (int i = 0; i < own && !any; i++) any = is_exchanged(e, i);
  return any;
}
