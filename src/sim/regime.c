// Constraints that hold only while a contact does, and what comes of it: sliding regimes.
//
// A disc rolls on a rail while it touches it (Sinitsyn 1990, example 2): rail y - R >= 0, link
// x' = R phi' while they touch. Where the reaction of the rail has come to zero,
//   with the link the rail loosens,      alpha_on > 0,
//   without it the disc falls back,      alpha_off < 0:
// the system switches between both infinitely fast, "variable structure". Filippov (1960): it moves
// with the mixture theta of both that stays at the limit, theta alpha_on + (1 - theta) alpha_off =
// 0. The rail presses with nothing, the link acts with X = theta X_on:
//   M w = F + N_B^T lambda + N_link^T X,  N_B w + d_B = 0,  N_rail w + d_rail = 0.
// It ends at theta = 0, where the body leaves, or at theta = 1, where the link takes hold again: an
// ideal inelastic impact, since what it binds slips by then.
#include "sim/unilateral.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* take(sim_engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

void sim_regime_new(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  const int size = e->n + e->m + 1;
  u->regime = u->regime_was = -1;
  u->link = take(e, e->m, sizeof(int));
  u->link_of = take(e, e->m, sizeof(int));
  for (int k = 0; k < e->m; k++) {
    if (!e->model->constraint[k].during) continue;
    u->link[u->links] = k;
    u->link_of[u->links++] = sim_unilateral_find(u, e->model->constraint[k].during - 1);
  }
  if (!u->links) return;
  u->R = take(e, size * size, sizeof(double));
  u->R_right = take(e, size, sizeof(double));
  u->R_pivot = take(e, size, sizeof(int));
  u->R_row = take(e, e->m, sizeof(int));
}

// open, or about to be; levels evaluated
static bool opens(sim_engine* e, int rail)
{
  return sim_unilateral_rate(e, rail) > sim_speed_noise * sim_unilateral_speed(e);
}

void sim_regime_link(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  // what slips in a regime goes on to slip, unless another decision ends it
  for (int j = 0; j < u->links; j++)
    e->active[u->link[j]] =
        u->closed[u->link_of[j]] && !opens(e, u->link_of[j]) && u->regime != u->link_of[j];
}

bool sim_regime_start(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  bool any = false;
  if (!u->links) return false;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  for (int j = 0; j < u->links; j++) {
    const int i = u->link_of[j];
    const bool touches = u->present[i] && !opens(e, i) &&
                         sim_unilateral_gap(e, i) <= sim_gap_noise * sim_unilateral_length(e);
    e->active[u->link[j]] = touches;
    any = any || touches;
  }
  sim_engine_rows(e);
  return any;
}

// ---- the mixture --------------------------------------------------------------------------------

// M w - N^T lambda - N_link^T X = F with the rows that hold, and the rail's; lambda and X behind w
static int solve(sim_engine* e, int rail, int link, bool held, double* X)
{
  sim_unilateral* u = e->unilateral;
  const int n = e->n, k_rail = u->of[rail];
  int rows = 0;
  int* row = u->R_row;
  for (int k = 0; k < e->m; k++)
    if (e->active[k] && !e->implied[k] && k != k_rail && k != link) row[rows++] = k;
  const int size = n + rows + 1;
  memset(u->R, 0, sizeof(double) * (size_t)(size * size));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) u->R[i * size + j] = e->M[i * n + j];
    for (int r = 0; r < rows; r++) u->R[i * size + n + r] = -e->A[row[r] * n + i];
    u->R[i * size + n + rows] = -e->A[link * n + i];
    u->R_right[i] = e->F[i];
  }
  for (int r = 0; r <= rows; r++) {
    const int k = r < rows ? row[r] : held ? k_rail : link;
    memcpy(u->R + (n + r) * size, e->A + k * n, sizeof(double) * (size_t)n);
    u->R_right[n + r] = e->c[k];
  }
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  if (!num_lu(size, u->R, u->R_pivot)) {
    snprintf(e->reason, sizeof e->reason,
             "the link of `%s` does not hold it at its limit: no sliding regime exists here",
             sim_unilateral_constraint(e, rail)->name);
    return 1;
  }
  num_lu_solve(size, u->R, u->R_pivot, u->R_right);
  memcpy(e->a, u->R_right, sizeof(double) * (size_t)n);
  for (int r = 0; r < rows; r++) e->lambda[row[r]] = u->R_right[n + r];
  *X = u->R_right[n + rows];
  return 0;
}

static int link_of(const sim_unilateral* u, int rail)
{
  for (int j = 0; j < u->links; j++)
    if (u->link_of[j] == rail) return u->link[j];
  return -1;
}

bool sim_regime_rules(const sim_engine* e)
{
  return e->unilateral && e->unilateral->regime >= 0;
}

int sim_regime_accelerations(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  const int link = link_of(u, u->regime);
  double whole, X;
  code_run(e->eom, e->in, e->eom_out, e->scratch);
  if (solve(e, u->regime, link, false, &whole) || solve(e, u->regime, link, true, &X)) return 1;
  e->lambda[link] = X;
  u->theta = whole != 0 ? X / whole : 0;
  return 0;
}

double sim_regime_power(sim_engine* e)
{
  const sim_unilateral* u = e->unilateral;
  if (u->regime < 0) return 0;
  code_run(e->levels, e->in, e->level_out, e->scratch);
  const int link = link_of(u, u->regime);
  return e->lambda[link] * e->f1[link];
}

// ---- the decision -------------------------------------------------------------------------------

// loosening acceleration of the rail with its links as they are now
static int loosens_by(sim_engine* e, int rail, double* alpha)
{
  const int k = e->unilateral->of[rail];
  if (sim_plain_accelerations(e)) return 1;
  *alpha = -e->c[k];
  for (int j = 0; j < e->n; j++) *alpha += e->A[k * e->n + j] * e->a[j];
  *alpha *= e->unilateral->sign[rail];
  return 0;
}

static int begin(sim_engine* e, int rail)
{
  sim_unilateral* u = e->unilateral;
  int count = 0;
  for (int j = 0; j < u->links; j++) count += u->link_of[j] == rail;
  if (count > 1 || u->regime >= 0) {
    snprintf(e->reason, sizeof e->reason,
             "`%s` loosens and closes again infinitely fast, and %s: such a sliding regime is not "
             "determined",
             sim_unilateral_constraint(e, rail)->name,
             count > 1 ? "several constraints hold with it" : "so does another contact");
    return 1;
  }
  u->regime = rail;
  e->active[u->of[rail]] = true;
  sim_engine_rows(e);
  return sim_regime_accelerations(e);
}

// The link takes hold: velocities jump to those that obey it and stay at the limit, and all is
// decided anew.
static int engage(sim_engine* e, int rail)
{
  sim_unilateral* u = e->unilateral;
  bool moved;
  for (int j = 0; j < u->links; j++)
    if (u->link_of[j] == rail) e->active[u->link[j]] = true;
  e->active[u->of[rail]] = true;
  sim_engine_rows(e);
  if (sim_kick(e, NULL) || sim_project(e, &moved) || sim_stressed_choose(e)) return 1;
  sim_engine_rows(e);
  if (sim_regime_choose(e)) return 1;
  u->engaged = true;
  return 0;
}

int sim_regime_choose(sim_engine* e)
{
  sim_unilateral* u = e->unilateral;
  const int before = u->regime;
  double force, acceleration;
  u->regime = -1;
  u->engaged = false;
  for (int j = 0; j < u->links; j++) {
    const int i = u->link_of[j], k = u->of[i];
    double alpha;
    if (i == before && u->theta > 0.5) return engage(e, i);
    if (e->active[k] || !e->active[u->link[j]]) continue;
    for (int o = 0; o < u->links; o++)
      if (u->link_of[o] == i) e->active[u->link[o]] = false;
    sim_engine_rows(e);
    code_run(e->levels, e->in, e->level_out, e->scratch);
    if (opens(e, i)) continue;
    if (loosens_by(e, i, &alpha)) return 1;
    memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
    sim_unilateral_noise(e, &force, &acceleration);
    if (alpha >= -acceleration * sim_unilateral_norm(e, e->A, k)) continue;
    if (begin(e, i)) return 1;
  }
  return 0;
}
