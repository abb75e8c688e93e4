// Bundles in all velocities, where constraints of places, or such as have no quasi-velocities that
// serve everywhere, hold:
//   M a = F + A^T Lambda,   A a = c
// and the end of each step is put back on the constraints, as convoys do it.
#include "sweep/bundle_build.h"

#include "walk/walk.h"

#include <string.h>

const char* sweep_build_whole_obstacle(const sweep_builder* w)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  const double tolerance = w->o->tolerance > 0 ? w->o->tolerance : m->tolerance;
  if (tolerance > 0 && tolerance < sweep_least_tolerance)
    return "the tolerance asks for all digits";
  for (int k = 0; k < s->m; k++) {
    if (m->constraint[k].order == 1 && !m->constraint[k].linear)
      return "a constraint is not linear in the velocities";
    if (m->constraint[k].internal) return "a constraint makes up for mass that is missing";
  }
  const expr* M = mech_mass(s);
  for (int i = 0; i < s->n; i++)
    if (M[i * s->n + i] == s->zero[0]) return "a coordinate has no mass";
  return NULL;
}

const mech_reduction* sweep_build_whole(const sweep_builder* w)
{
  mech_reduction* r = base_arena_take(w->arena, sizeof *r);
  *r = (mech_reduction){.l = w->b->n, .u = w->s->v, .meaning = w->s->v, .velocity = w->s->v};
  return r;
}

// Gradients that change must keep a part of what they are at the start: where one vanishes the
// constraint no longer binds. false where they have no value there.
static bool watch_gradients(sweep_builder* w, const expr* A, expr* list)
{
  const int n = w->b->n;
  for (int k = 0; k < w->b->m; k++) {
    expr square = w->s->zero[0];
    for (int j = 0; j < n; j++)
      square = expr_add(w->pool, square, expr_mul(w->pool, A[k * n + j], A[k * n + j]));
    if (expr_is_number(w->pool, square)) continue;
    expr before = square;
    if (!sweep_build_at_start(w, 1, &before)) return false;
    before = expr_mul(w->pool, expr_double(w->pool, sweep_least_gradient), before);
    list[w->b->watches++] = expr_sub(w->pool, square, before);
  }
  return true;
}

// what puts places (level 0) or speeds on the constraints
static bool build_shift(const sweep_builder* w, int level, const expr* A, code_kernel** made)
{
  const int n = w->b->n, m = w->b->m;
  expr *rows = sweep_build_take(w, m * n), *f = sweep_build_take(w, m);
  int count = 0;
  for (int k = 0; k < m; k++) {
    if (w->s->model->constraint[k].order > level) continue;
    memcpy(rows + count * n, A + k * n, sizeof(expr) * (size_t)n);
    f[count++] = level ? w->s->f1[k] : w->s->f0[k];
  }
  if (!count) return true;
  if (!sweep_build_reduce(w, count, f)) return false;
  *made = sweep_shift_new(w->pool, w->arena, n, count, rows, f, w->inputs, w->input);
  return *made != NULL;
}

bool sweep_build_whole_rates(sweep_builder* w)
{
  const int n = w->b->n, m = w->b->m;
  const mech_system* s = w->s;
  sweep_bundle* b = w->b;
  expr *M = sweep_build_take(w, n * n), *F = sweep_build_take(w, n),
       *A = sweep_build_take(w, m * n), *c = sweep_build_take(w, m),
       *other = sweep_build_take(w, n + 1 + m);
  memcpy(M, mech_mass(s), sizeof(expr) * (size_t)(n * n));
  memcpy(F, s->F, sizeof(expr) * (size_t)n);
  memcpy(A, s->A, sizeof(expr) * (size_t)(m * n));
  for (int k = 0; k < m; k++) c[k] = expr_neg(w->pool, s->c[k]);
  memcpy(other, s->v, sizeof(expr) * (size_t)n);
  other[n] = w->e->program->power;
  if (!sweep_build_reduce(w, n * n, M) || !sweep_build_reduce(w, n, F) ||
      !sweep_build_reduce(w, m * n, A) || !sweep_build_reduce(w, m, c) ||
      !sweep_build_reduce(w, 1, other + n))
    return false;
  const bool works = other[n] != s->zero[0];
  b->work = works ? 2 * n + 1 : -1;
  b->watch = 2 * n + 1 + works;
  if (!watch_gradients(w, A, other + n + works)) return false;
  const code_linear problem = {.n = n,
                               .rows = m,
                               .M = M,
                               .F = F,
                               .A = A,
                               .b = c,
                               .tolerance = sweep_least_pivot,
                               .others = n + works + b->watches,
                               .other = other,
                               .unknown = s->a,
                               .multiplier = s->model->reaction};
  b->rates = code_build_solve(w->pool, &problem, w->inputs, w->input, NULL);
  b->settle = (sweep_settle){.n = n, .straight = true};
  return b->rates && build_shift(w, 0, A, &b->settle.places) &&
         build_shift(w, 1, A, &b->settle.speeds);
}
