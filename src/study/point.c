// One state: the consistent initial state, its accelerations and reactions by any form, and the
// split of the acceleration into what the constraints fix and what they leave to the forces.
#include "engine/engine.h"
#include "study/forms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double* copy(base_arena* a, int n, const double* x)
{
  double* out = base_arena_take(a, sizeof(double) * (size_t)(n + 1));
  if (x && n) memcpy(out, x, sizeof(double) * (size_t)n);
  return out;
}

int study_point_symbols(const mech_system* s, const study_point* p, base_arena* arena,
                        expr** symbols, double** values)
{
  const model* m = s->model;
  const int count = 1 + 3 * s->n + 2 * s->m + 3 * m->params;
  expr* symbol = *symbols = base_arena_take(arena, sizeof(expr) * (size_t)count);
  double* value = *values = base_arena_take(arena, sizeof(double) * (size_t)count);
  int at = 0;
  symbol[at] = m->t;
  value[at++] = p->t;
  for (int i = 0; i < s->n; i++) {
    const expr of[3] = {m->coord[i].q, m->coord[i].v, m->coord[i].a};
    const double is[3] = {p->q[i], p->v[i], p->a[i]};
    for (int k = 0; k < 3; k++, at++) {
      symbol[at] = of[k];
      value[at] = is[k];
    }
  }
  for (int k = 0; k < s->m; k++, at++) {
    symbol[at] = m->reaction[k];
    value[at] = p->lambda[k];
  }
  // where nothing else is known, laws of resistance are looked at while their constraints hold
  for (int k = 0; k < s->written; k++, at++) {
    symbol[at] = m->holds[k];
    value[at] = p->holds ? p->holds[k] : 1;
  }
  for (int i = 0; i < m->params; i++) {
    symbol[at] = m->param[i].symbol;
    value[at++] = m->param[i].number;
    if (!m->param[i].changes) continue;
    symbol[at++] = m->param[i].rate; // at rest
    symbol[at++] = m->param[i].rate2;
  }
  return at;
}

// ---- the split of the acceleration --------------------------------------------------------------

// W = a + Gamma with M Gamma = h, the inertia terms of the equations without accelerations.
// W_L is the part of W along the admissible directions, W^K = W - W_L lies across them in the
// metric of M and is fixed by the constraints (Kondrenkina 2018, I(3.11)-(3.12)).
static void split(engine* e, study_point* p)
{
  const int n = e->n;
  if (e->sparse) {
    engine_sparse_split(e, p->a, p->Gamma, p->WL, p->WK);
    return;
  }
  double* L = base_alloc(sizeof(double) * (size_t)(n * n + n + 1));
  double* W = L + n * n;
  memcpy(L, e->M, sizeof(double) * (size_t)(n * n));
  if (!num_cholesky(n, L, 0)) {
    free(L);
    for (int i = 0; i < n; i++) p->Gamma[i] = p->WK[i] = p->WL[i] = NAN;
    return;
  }
  engine_values(e, n, e->s->h, p->Gamma);
  num_cholesky_solve(n, L, p->Gamma);
  for (int i = 0; i < n; i++) W[i] = p->a[i] + p->Gamma[i];
  // W_L = Z (Z^T M Z)^-1 Z^T M W
  for (int i = 0; i < n; i++) p->WL[i] = 0;
  const int rank = e->mode.rows ? engine_factor(e) : 0, l = n - rank;
  double *Z = base_alloc(sizeof(double) * (size_t)(n * n + 1)),
         *S = base_alloc(sizeof(double) * (size_t)(n * n + 1)),
         *w = base_alloc(sizeof(double) * (size_t)(n + 1));
  if (e->mode.rows && l > 0)
    num_null_basis(e->work.null, Z);
  else
    for (int i = 0; i < n; i++) Z[i * n + i] = 1;
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++) {
      double MZ = 0;
      for (int j = 0; j < n; j++) MZ += e->M[i * n + j] * Z[j * l + k];
      w[k] += MZ * W[i];
      for (int h = 0; h < l; h++) S[h * l + k] += Z[i * l + h] * MZ;
    }
  if (l > 0 && num_cholesky(l, S, 0)) {
    num_cholesky_solve(l, S, w);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < l; k++) p->WL[i] += Z[i * l + k] * w[k];
  }
  for (int i = 0; i < n; i++) p->WK[i] = W[i] - p->WL[i];
  free(L);
  free(Z);
  free(S);
  free(w);
}

static study_point* take_point(engine* e, base_arena* arena)
{
  study_point* p = base_arena_take(arena, sizeof *p);
  p->arena = arena;
  p->n = e->n;
  p->m = e->m;
  p->t = e->in[0];
  p->q = copy(arena, e->n, e->q);
  p->v = copy(arena, e->n, e->v);
  p->a = copy(arena, e->n, e->a);
  p->lambda = copy(arena, e->m, e->lambda);
  p->holds = copy(arena, e->m, e->holds);
  p->WK = copy(arena, e->n, NULL);
  p->WL = copy(arena, e->n, NULL);
  p->Gamma = copy(arena, e->n, NULL);
  p->position = copy(arena, e->m, NULL);
  p->velocity = copy(arena, e->m, NULL);
  p->redundant_row = base_arena_take(arena, sizeof(int) * (size_t)(e->m + 1));
  p->rank = e->mode.rows && !e->sparse ? engine_factor(e) : e->mode.rows ? e->rank : 0;
  p->operations = code_operations(e->program->eom);
  p->form = "";
  return p;
}

study_point* study_point_solve(mech_system* s, const mech_form* form, int given,
                               const model_initial* state, base_notes* notes)
{
  const model* m = s->model;
  engine* e = form ? contact_engine_new(s, notes) : contact_engine_new_large(s, notes);
  if (!e) return NULL;
  engine_time(e, 0);
  double t = m->has_run ? engine_value(e, m->run_from) : 0;
  for (int i = 0; i < given; i++)
    if (state[i].coord == MODEL_TIME) t = engine_value(e, state[i].value);
  engine_time(e, t);
  bool fine = !(m->stages && walk_change_first(e, &m->stage[0].change, notes));
  fine = fine &&
         walk_start(e, t, state ? given : m->initials, state ? state : m->initial, notes, NULL);
  study_point* p = NULL;
  if (fine) {
    engine_time(e, t);
    engine_delays_stand(e);
    engine_set_aside(e);
  }
  if (fine && walk_first_accelerations(e, notes)) {
    contact_reactions(e);
    p = take_point(e, base_arena_new());
    split(e, p);
    const bool done = form && study_by_form(e, form, notes);
    if (done) {
      p->form = form->name;
      memcpy(p->a, e->a, sizeof(double) * (size_t)e->n);
      if (e->m) memcpy(p->lambda, e->lambda, sizeof(double) * (size_t)e->m);
    } else if (form) {
      study_point_free(p);
      p = NULL;
    }
  }
  if (p) {
    engine_residuals(e, p->position, p->velocity);
    for (int k = 0; k < e->m; k++)
      if (e->mode.implied[k]) p->redundant_row[p->redundant++] = k;
  }
  engine_free(e);
  return p;
}

void study_point_free(study_point* p)
{
  if (p) base_arena_free(p->arena);
}
