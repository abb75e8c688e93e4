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
// Several links of one rail, as the two of a rolling contact, are on and off together.
// It ends at theta = 0, where the body leaves, or at theta = 1, where the link takes hold again: an
// ideal inelastic impact, since what it binds slips by then.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

void contact_regime_new(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int size = e->n + e->m + 1;
  e->mode.regime = u->regime_was = -1;
  u->link = take(e, e->m, sizeof(int));
  u->link_of = take(e, e->m, sizeof(int));
  u->link_present = take(e, e->m, sizeof(bool));
  for (int k = 0; k < e->m; k++) {
    if (!e->model->constraint[k].during) continue;
    u->link[u->links] = k;
    u->link_present[u->links] = !e->model->constraint[k].starts_off;
    u->link_of[u->links++] = contact_inequality_find(u, e->model->constraint[k].during - 1);
  }
  if (!u->links) return;
  u->R = take(e, size * size, sizeof(double));
  u->R_right = take(e, size, sizeof(double));
  u->R_pivot = take(e, size, sizeof(int));
  u->R_row = take(e, e->m, sizeof(int));
  u->R_with = take(e, size, sizeof(double));
}

int contact_regime_find(const contact_inequalities* u, int k)
{
  for (int j = 0; u && j < u->links; j++)
    if (u->link[j] == k) return j;
  return -1;
}

// open, or about to be; levels evaluated
static bool opens(engine* e, int rail)
{
  return contact_inequality_rate(e, rail) > engine_noise_speed * contact_inequality_speed(e, rail);
}

void contact_regime_link(engine* e)
{
  contact_inequalities* u = e->unilateral;
  // what slips in a regime goes on to slip, unless another decision ends it
  for (int j = 0; j < u->links; j++)
    e->mode.active[u->link[j]] = u->link_present[j] && u->closed[u->link_of[j]] &&
                                 !opens(e, u->link_of[j]) && e->mode.regime != u->link_of[j];
}

static int start(engine* e)
{
  return contact_regime_start(e);
}

bool contact_regime_start(engine* e)
{
  contact_inequalities* u = e->unilateral;
  bool any = false;
  if (e->parts) return contact_parts_count(e, start);
  if (!u->links) return false;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int j = 0; j < u->links; j++) {
    const int i = u->link_of[j];
    // what closes begins with an impact, in which they take part
    const bool stays =
        fabs(contact_inequality_rate(e, i)) <= engine_noise_speed * contact_inequality_speed(e, i);
    const bool touches =
        u->link_present[j] && u->present[i] && stays &&
        contact_inequality_gap(e, i) <= engine_noise_gap * contact_inequality_length(e, i);
    e->mode.active[u->link[j]] = touches;
    any = any || touches;
  }
  engine_rows(e);
  return any;
}

// ---- the mixture --------------------------------------------------------------------------------

// M w - N^T lambda = F with the rows that hold, those of the rail's links with `on`, and not the
// rail's own; reactions into e->lambda. Returns the loosening acceleration, nan where there is
// none.
static double solve(engine* e, int rail, bool on)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, k_rail = u->of[rail];
  int rows = 0;
  int* row = u->R_row;
  for (int k = 0; k < e->m; k++)
    if (e->mode.active[k] && !e->mode.implied[k] && k != k_rail) row[rows++] = k;
  for (int j = 0; j < u->links && on; j++)
    if (u->link_of[j] == rail && u->link_present[j]) row[rows++] = u->link[j];
  const int size = n + rows;
  memset(u->R, 0, sizeof(double) * (size_t)(size * size));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) u->R[i * size + j] = e->M[i * n + j];
    for (int r = 0; r < rows; r++) u->R[i * size + n + r] = -e->A[row[r] * n + i];
    u->R_right[i] = e->F[i];
  }
  for (int r = 0; r < rows; r++) {
    memcpy(u->R + (n + r) * size, e->A + row[r] * n, sizeof(double) * (size_t)n);
    u->R_right[n + r] = e->c[row[r]];
  }
  if (!num_lu(size, u->R, u->R_pivot)) return NAN;
  num_lu_solve(size, u->R, u->R_pivot, u->R_right);
  for (int k = 0; k < e->m; k++) e->lambda[k] = 0;
  for (int r = 0; r < rows; r++) e->lambda[row[r]] = u->R_right[n + r];
  memcpy(e->a, u->R_right, sizeof(double) * (size_t)n);
  double alpha = -e->c[k_rail];
  for (int j = 0; j < n; j++) alpha += e->A[k_rail * n + j] * e->a[j];
  return alpha;
}

int contact_regime_accelerations(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const size_t n = (size_t)e->n, m = (size_t)e->m;
  engine_equations(e);
  const double with = solve(e, e->mode.regime, true);
  memcpy(u->R_with, e->a, sizeof(double) * n);
  memcpy(u->R_with + n, e->lambda, sizeof(double) * m);
  const double without = solve(e, e->mode.regime, false), between = with - without;
  u->theta = -without / between;
  if (!isfinite(u->theta) || !(fabs(between) > engine_no_regime * fabs(without))) {
    snprintf(e->reason, sizeof e->reason,
             "the link of `%s` does not hold it at its limit: no sliding regime exists here",
             contact_inequality_name(e, e->mode.regime));
    return 1;
  }
  for (size_t j = 0; j < n; j++) e->a[j] += u->theta * (u->R_with[j] - e->a[j]);
  for (size_t k = 0; k < m; k++) e->lambda[k] += u->theta * (u->R_with[n + k] - e->lambda[k]);
  return 0;
}

bool contact_regime_grips(engine* e, int i)
{
  if (e->parts) e = contact_parts_enter(e, &i);
  return e->mode.regime == i && !contact_regime_accelerations(e) && e->unilateral->theta > 0.5;
}

void contact_regime_keep(const engine* e, int* regime)
{
  regime[0] = e->mode.regime;
  for (int p = 0; p < e->parts; p++) regime[p] = e->part[p].e->mode.regime;
}

void contact_regime_put_back(engine* e, const int* regime)
{
  if (!e->parts) e->mode.regime = regime[0];
  for (int p = 0; p < e->parts; p++) e->part[p].e->mode.regime = regime[p];
}

double contact_regime_power(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  double power = 0;
  if (e->parts) return contact_parts_sum(e, contact_regime_power);
  if (e->mode.regime < 0) return 0;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int j = 0; j < u->links; j++)
    if (u->link_of[j] == e->mode.regime) power += e->lambda[u->link[j]] * e->f1[u->link[j]];
  return power;
}

// ---- the decision -------------------------------------------------------------------------------

// loosening acceleration of the rail with its links as they are now
static int loosens_by(engine* e, int rail, double* alpha)
{
  const int k = e->unilateral->of[rail];
  if (contact_ways_plain(e)) return 1;
  *alpha = -e->c[k];
  for (int j = 0; j < e->n; j++) *alpha += e->A[k * e->n + j] * e->a[j];
  *alpha *= e->unilateral->sign[rail];
  return 0;
}

// reaction of an active inequality, or loosening acceleration of an open one, and what is nothing
// of it; the accelerations are known
static double margin_of(engine* e, int i, double* least)
{
  const contact_inequalities* u = e->unilateral;
  const int k = u->of[i];
  *least = e->mode.active[k] ? contact_inequality_least_force(e, i)
                             : contact_inequality_least_acceleration(e, i);
  if (e->mode.active[k]) return u->sign[i] * e->lambda[k];
  double alpha = -e->c[k];
  for (int j = 0; j < e->n; j++) alpha += e->A[k * e->n + j] * e->a[j];
  return u->sign[i] * alpha;
}

// The first candidate that pulls, or closes further, in the regime; where neither force nor
// acceleration shows, a moment later. -1: none, -2: the regime is not known there.
static int first_wrong(engine* e, int rail)
{
  contact_inequalities* u = e->unilateral;
  int wrong = -1;
  bool open = false;
  double least;
  memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
  for (int r = 0; r < u->candidates && wrong < 0; r++) {
    if (u->candidate[r] == rail) continue;
    const double margin = margin_of(e, u->candidate[r], &least);
    if (margin < -least) wrong = u->candidate[r];
    open = open || fabs(margin) <= least;
  }
  if (wrong >= 0 || !open) return wrong;
  bool* asked = base_alloc((size_t)u->candidates + 1);
  for (int r = 0; r < u->candidates; r++)
    asked[r] = u->candidate[r] != rail && fabs(margin_of(e, u->candidate[r], &least)) <= least;
  double* kept = base_alloc(sizeof(double) * (size_t)e->program->inputs);
  memcpy(kept, e->in, sizeof(double) * (size_t)e->program->inputs);
  engine_glide(e, contact_inequality_moment(e), u->w);
  if (contact_regime_accelerations(e)) wrong = -2;
  for (int r = 0; r < u->candidates && wrong == -1; r++)
    if (asked[r] && margin_of(e, u->candidate[r], &least) < -least) wrong = u->candidate[r];
  memcpy(e->in, kept, sizeof(double) * (size_t)e->program->inputs);
  free(kept);
  free(asked);
  return wrong;
}

// What else holds was chosen for the motion with the links, or without: the regime lies between,
// and each is let go or taken until all agree with it.
static int settle_others(engine* e, int rail)
{
  contact_inequalities* u = e->unilateral;
  for (int turn = 0; turn <= 2 * u->candidates; turn++) {
    if (contact_regime_accelerations(e)) return 1;
    const int i = first_wrong(e, rail);
    if (i == -2) return 1;
    if (i < 0) return contact_regime_accelerations(e);
    e->mode.active[u->of[i]] = !e->mode.active[u->of[i]];
    engine_rows(e);
  }
  snprintf(e->reason, sizeof e->reason,
           "what holds beside the sliding regime of `%s` is not determined",
           contact_inequality_name(e, rail));
  return 1;
}

static int begin(engine* e, int rail)
{
  contact_inequalities* u = e->unilateral;
  if (e->mode.regime >= 0) {
    snprintf(e->reason, sizeof e->reason,
             "`%s` loosens and closes again infinitely fast, and so does another contact: such a "
             "sliding regime is not determined",
             contact_inequality_name(e, rail));
    return 1;
  }
  e->mode.regime = rail;
  e->mode.active[u->of[rail]] = true;
  engine_rows(e);
  return settle_others(e, rail);
}

// The link takes hold: velocities jump to those that obey it and stay at the limit, and all is
// decided anew.
static int engage(engine* e, int rail)
{
  contact_inequalities* u = e->unilateral;
  bool moved;
  for (int j = 0; j < u->links; j++)
    if (u->link_of[j] == rail) e->mode.active[u->link[j]] = u->link_present[j];
  e->mode.active[u->of[rail]] = true;
  engine_rows(e);
  if (engine_kick(e, NULL) || engine_project(e, &moved) || contact_active_set_choose(e, NULL))
    return 1;
  engine_rows(e);
  if (contact_regime_choose(e, NULL)) return 1;
  u->engaged = true;
  return 0;
}

static bool has_links(const contact_inequalities* u, int rail)
{
  for (int j = 0; j < u->links; j++)
    if (u->link_of[j] == rail && u->link_present[j]) return true;
  return false;
}

// What was decided about others does not end the regime of a rail: it goes on where the rail still
// falls back without its links and theta is between 0 and 1. Where it was found to stand at its end
// the nearer one is meant.
static int go_on(engine* e, int rail, bool at_end)
{
  contact_inequalities* u = e->unilateral;
  if (at_end) return u->theta > 0.5 ? engage(e, rail) : 0;
  if (!e->mode.active[u->of[rail]] || !has_links(u, rail)) return 0;
  if (begin(e, rail)) return 1;
  if (0 < u->theta && u->theta < 1) return 0;
  e->mode.regime = -1;
  engine_rows(e);
  return u->theta >= 1 ? engage(e, rail) : 0;
}

int contact_regime_choose(engine* e, const bool* closing)
{
  contact_inequalities* u = e->unilateral;
  const int before = e->mode.regime;
  e->mode.regime = -1;
  u->engaged = false;
  if (before >= 0) {
    const bool at_end = closing && closing[before];
    if (go_on(e, before, at_end)) return 1;
    if (u->engaged) return 0;
  }
  for (int j = 0; j < u->links; j++) {
    const int i = u->link_of[j], k = u->of[i];
    double alpha;
    if (e->mode.active[k] || !e->mode.active[u->link[j]]) continue;
    for (int o = 0; o < u->links; o++)
      if (u->link_of[o] == i) e->mode.active[u->link[o]] = false;
    engine_rows(e);
    code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
    if (opens(e, i)) continue;
    if (loosens_by(e, i, &alpha)) return 1;
    memcpy(u->w, e->a, sizeof(double) * (size_t)e->n);
    contact_inequality_see_forces(e);
    if (alpha >= -contact_inequality_least_acceleration(e, i)) continue;
    if (begin(e, i)) return 1;
  }
  return 0;
}

// ---- beside friction ----------------------------------------------------------------------------

void contact_regime_follow(engine* e, const bool* closing)
{
  const contact_inequalities* u = e->unilateral;
  for (int j = 0; j < u->links; j++)
    if (!e->parts || contact_parts_touch(e, u->part[u->link_of[j]], closing))
      e->mode.active[u->link[j]] = u->link_present[j] && e->mode.active[u->of[u->link_of[j]]];
}

// links whose contact was found open are let go: how many
static int drop(engine* e, bool* dropped)
{
  const contact_inequalities* u = e->unilateral;
  int count = 0;
  for (int j = 0; j < u->links; j++) {
    if (!e->mode.active[u->link[j]] || e->mode.active[u->of[u->link_of[j]]]) continue;
    e->mode.active[u->link[j]] = false;
    dropped[j] = true;
    count++;
  }
  return count;
}

int contact_regime_choose_rough(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  bool* dropped = base_alloc((size_t)u->links + 1);
  int failed = contact_slip_choose(e);
  while (!failed && drop(e, dropped)) failed = contact_slip_choose(e);
  for (int j = 0; j < u->links && !failed; j++) {
    if (!dropped[j] || !e->mode.active[u->of[u->link_of[j]]]) continue;
    snprintf(e->reason, sizeof e->reason,
             "`%s` loosens with what holds while it touches, and closes again without: such a "
             "sliding regime is not modelled beside friction",
             contact_inequality_name(e, u->link_of[j]));
    failed = 1;
  }
  free(dropped);
  return failed;
}
