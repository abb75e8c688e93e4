// Degrees of freedom of a model at a state.
#include "out/freedom.h"

#include <assert.h>
#include <math.h>

// what is below this part of a row of length 1 is rounding
static const double nothing = 1e-9;

// Rank by Gram-Schmidt on the rows, twice for each so that rounding does not add up: a row counts
// when something of it is left beside the rows before. R has room for the rows and is overwritten.
static int rank(int rows, int n, double* R)
{
  int kept = 0;
  for (int i = 0; i < rows; i++) {
    double *x = R + i * n, *to = R + kept * n, before = 0, after = 0;
    for (int j = 0; j < n; j++) before += x[j] * x[j];
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < kept; k++) {
        double dot = 0;
        for (int j = 0; j < n; j++) dot += x[j] * R[k * n + j];
        for (int j = 0; j < n; j++) x[j] -= dot * R[k * n + j];
      }
    for (int j = 0; j < n; j++) after += x[j] * x[j];
    if (!(sqrt(after) > nothing * sqrt(before))) continue;
    for (int j = 0; j < n; j++) to[j] = x[j] / sqrt(after);
    kept++;
  }
  return kept;
}

// many coordinates: what is redundant is known from the start
static int many(const mech_system* s, const study_point* p)
{
  const model* m = s->model;
  int freedom = m->places;
  for (int k = 0; k < s->m; k++)
    freedom -= m->constraint[k].order == 0 && model_constraint_binds(m, k) &&
               model_constraint_starts(m, k);
  for (int i = 0; i < p->redundant; i++) {
    const int k = p->redundant_row[i];
    freedom += m->constraint[k].order == 0 && model_constraint_starts(m, k);
  }
  return freedom < 0 ? 0 : freedom;
}

// dimensions that brackets of admissible velocities lead to: what is beyond them no motion reaches,
// which is what integrable constraints of velocities mean, alone or together
static int reached(const model* m, const geom_report* g)
{
  if (!g->growth_known || !g->growth_whole || g->growth_length == 0) return m->places;
  return g->growth[g->growth_length - 1] - g->growth_timed;
}

int out_freedom_positions(const mech_system* s, const study_point* p, const geom_report* g)
{
  int n = s->n, rows = 0;
  if (s->n > MECH_MANY) return many(s, p);
  base_arena* arena = base_arena_new();
  expr* row = base_arena_take(arena, (size_t)(s->m * n + 1) * sizeof *row);
  double* R = base_arena_take(arena, (size_t)(s->m * n + 1) * sizeof *R);
  for (int k = 0; k < s->m; k++) {
    if (s->model->constraint[k].order != 0 || !model_constraint_binds(s->model, k) ||
        !model_constraint_starts(s->model, k))
      continue;
    for (int j = 0; j < n; j++) row[rows * n + j] = s->A[k * n + j];
    rows++;
  }
  if (rows > 0) {
    expr* symbol;
    double* value;
    int count = study_point_symbols(s, p, arena, &symbol, &value);
    expr_values(s->pool, rows * n, row, count, symbol, value, R);
  }
  int held = rank(rows, n, R);
  if (g && g->position_rank > held) held = g->position_rank;
  int freedom = s->model->places - held;
  base_arena_free(arena);
  assert(freedom >= 0);
  const int reach = g ? reached(s->model, g) : freedom;
  return reach < freedom ? reach : freedom;
}

int out_freedom_velocities(const mech_system* s, const study_point* p)
{
  const model* m = s->model;
  int freedom = m->places;
  for (int k = 0; k < s->m; k++)
    freedom -=
        m->constraint[k].order < 2 && model_constraint_binds(m, k) && model_constraint_starts(m, k);
  for (int i = 0; i < p->redundant; i++) {
    int k = p->redundant_row[i];
    freedom += m->constraint[k].order < 2 && model_constraint_starts(m, k);
  }
  return freedom < 0 ? 0 : freedom;
}
