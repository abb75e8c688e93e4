// The released and the comparison system at one state: the least constraint in both of its forms.
//
// Sinitsyn (1990). The actual accelerations w deviate from those of other systems in the same state
// under the same active forces F by
//   S(a, b) = 1/2 (a - b)^T M (a - b).
// Released system (first form, (1.9)-(1.11)): all inequalities and the named equations dropped:
//   M w0 = F + N_K^T lambda,  N_K w0 + d_K = 0,  K the equations kept.
// Comparison system (second form, (2.1)-(2.3)): the named constraints dropped, every other one that
// can be stressed led with its actual loosening acceleration alpha = N w + d:
//   M w* = F + N_K^T lambda,  N_K w* + d_K = alpha_K.
// Active forces are those of the actual motion, friction and controls among them: what of M w is no
// ideal reaction.
#include "contact/contact.h"
#include "study/forms.h"

#include <stdlib.h>
#include <string.h>

static double* take(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

static double deviation(const engine* e, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < e->n; i++)
    for (int j = 0; j < e->n; j++) sum += (a[i] - b[i]) * e->M[i * e->n + j] * (a[j] - b[j]) / 2;
  return sum;
}

// the state of the point, its matrices, and what can be stressed there; false with an error noted
static bool load(engine* e, const study_point* p, base_notes* notes)
{
  const model* m = e->model;
  engine_time(e, p->t);
  if (m->stages && walk_change_first(e, &m->stage[0].change, notes)) return false;
  engine_time(e, p->t);
  memcpy(e->q, p->q, sizeof(double) * (size_t)e->n);
  memcpy(e->v, p->v, sizeof(double) * (size_t)e->n);
  memcpy(e->a, p->a, sizeof(double) * (size_t)e->n);
  if (e->m) memcpy(e->lambda, p->lambda, sizeof(double) * (size_t)e->m);
  if (e->unilateral && contact_inequality_candidates(e)) {
    base_error(notes, BASE_NOWHERE, "%s", e->reason);
    return false;
  }
  engine_equations(e);
  return true;
}

// which constraints can be stressed, and with which loosening accelerations
static void stressed(const engine* e, study_released* r)
{
  const int n = e->n;
  for (int k = 0; k < e->m; k++)
    r->takes_part[k] = e->mode.active[k] && !e->model->constraint[k].sense && engine_is_ideal(e, k);
  for (int i = 0; e->unilateral && i < e->unilateral->candidates; i++)
    r->takes_part[e->unilateral->of[e->unilateral->candidate[i]]] = true;
  for (int k = 0; k < e->m; k++) {
    r->alpha[k] = -e->c[k];
    for (int j = 0; j < n; j++) r->alpha[k] += e->A[k * n + j] * e->a[j];
    if (!r->takes_part[k] || !e->model->constraint[k].sense || e->lambda[k] != 0) r->alpha[k] = 0;
  }
}

// M w less the ideal reactions
static void active_forces(const engine* e, const study_released* r, double* F)
{
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    F[i] = 0;
    for (int j = 0; j < n; j++) F[i] += e->M[i * n + j] * e->a[j];
    for (int k = 0; k < e->m; k++)
      if (r->takes_part[k]) F[i] -= e->A[k * n + i] * e->lambda[k];
  }
}

// motion with the rows of `kept`, led with their loosening accelerations; false with an error noted
static bool solve(const engine* e, const double* F, const bool* kept, const double* alpha,
                  const char* what, double* w, base_notes* notes)
{
  const int n = e->n;
  base_arena* arena = base_arena_new();
  double *N = take(arena, e->m * n), *d = take(arena, e->m);
  int rows = 0;
  for (int k = 0; k < e->m; k++) {
    if (!kept[k]) continue;
    memcpy(N + rows * n, e->A + k * n, sizeof(double) * (size_t)n);
    d[rows++] = -e->c[k] - alpha[k];
  }
  cone_least* f = cone_least_new(n, rows, 0);
  const cone_least_problem p = {
      .n = n, .b = rows, .M = e->M, .F = F, .N_B = N, .d_B = d, .unit = e->work.unit};
  const cone_least_result x = cone_least_solve(f, &p);
  const bool fine = x.status == CONE_LEAST_SOLVED;
  if (fine)
    memcpy(w, x.w, sizeof(double) * (size_t)n);
  else
    base_error(notes, BASE_NOWHERE, "the accelerations of the %s system are not determined: %s",
               what, x.reason);
  cone_least_free(f);
  base_arena_free(arena);
  return fine;
}

static bool compute(engine* e, const bool* named, study_released* r, base_notes* notes)
{
  const int m = e->m;
  base_arena* arena = base_arena_new();
  double *F = take(arena, e->n), *none = take(arena, m);
  bool *first = base_arena_take(arena, (size_t)m + 1), *second = r->kept;
  stressed(e, r);
  active_forces(e, r, F);
  for (int k = 0; k < m; k++) {
    second[k] = r->takes_part[k] && !named[k];
    first[k] = second[k] && !e->model->constraint[k].sense;
  }
  const bool fine = solve(e, F, first, none, "released", r->w0, notes) &&
                    solve(e, F, second, r->alpha, "comparison", r->w, notes);
  r->from_released = deviation(e, e->a, r->w0);
  r->from_comparison = deviation(e, e->a, r->w);
  base_arena_free(arena);
  return fine;
}

bool study_point_release(mech_system* s, study_point* p, const bool* named, base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return false;
  study_released* r = base_arena_take(p->arena, sizeof *r);
  r->w0 = take(p->arena, p->n);
  r->w = take(p->arena, p->n);
  r->alpha = take(p->arena, p->m);
  r->takes_part = base_arena_take(p->arena, (size_t)p->m + 1);
  r->kept = base_arena_take(p->arena, (size_t)p->m + 1);
  bool* dropped = base_arena_take(p->arena, (size_t)p->m + 1);
  memcpy(dropped, named, (size_t)p->m);
  r->named = dropped;
  bool fine = load(e, p, notes);
  if (fine && e->mode.curved) {
    base_error(notes, BASE_NOWHERE,
               "constraints nonlinear in the accelerations have no released system of this kind");
    fine = false;
  }
  fine = fine && compute(e, named, r, notes);
  if (fine) p->released = r;
  engine_free(e);
  return fine;
}
