// Initial states of systems of many coordinates, and constraints that follow from others.
#include "engine/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Newton's method of least weighted norm -----------------------------------------------------

// the rows taking part, by the unknowns taking part
typedef struct part
{
  int rows, unknowns;
  int *start, *column, *from; // from: entry of the whole J
} part;

static part cut_out(const engine_sparse_newton* w, int rows, const int* row, int offset,
                    int unknowns)
{
  const num_rows* J = &w->J;
  part p = {.rows = rows, .unknowns = unknowns};
  size_t most = 1;
  for (int i = 0; i < rows; i++) most += (size_t)(J->start[row[i] + 1] - J->start[row[i]]);
  p.start = base_alloc(sizeof(int) * (size_t)(rows + 1));
  p.column = base_alloc(sizeof(int) * most);
  p.from = base_alloc(sizeof(int) * most);
  int next = 0;
  for (int i = 0; i < rows; i++) {
    for (int k = J->start[row[i]]; k < J->start[row[i] + 1]; k++) {
      const int j = J->column[k] - offset;
      if (j < 0 || j >= unknowns) continue;
      p.column[next] = j;
      p.from[next++] = k;
    }
    p.start[i + 1] = next;
  }
  return p;
}

static void drop(part* p)
{
  free(p->start);
  free(p->column);
  free(p->from);
}

// numbers of one solution
typedef struct search
{
  const engine_sparse_newton* w;
  const int* row;
  part part;
  num_saddle* saddle;
  double* x; // unknowns, in the engine
  const double* size;
  double *J, *F, *K; // entries, -residuals, weights
  double *step, *y, *kept;
} search;

// largest residual over its gradient; infinite where one has no value
static double evaluate(search* s)
{
  const engine_sparse_newton* w = s->w;
  const part* p = &s->part;
  w->evaluate(w->context);
  double most = 0;
  for (int i = 0; i < p->rows; i++) {
    double norm = 0;
    s->F[i] = -w->value[s->row[i]];
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      s->J[k] = w->value[w->count + p->from[k]] * s->size[p->column[k]];
      norm += s->J[k] * s->J[k];
    }
    const double off = fabs(s->F[i]) / (norm > 0 ? sqrt(norm) : 1);
    if (!isfinite(off) || !isfinite(norm)) return INFINITY;
    most = fmax(most, off);
  }
  return most;
}

// of the unknowns, in units of their sizes
static double largest(const search* s)
{
  double most = 1;
  for (int i = 0; i < s->part.unknowns; i++) most = fmax(most, fabs(s->x[i]) / s->size[i]);
  return most;
}

// the whole step, or as much of it as brings the residuals down
static double advance(search* s, double before)
{
  const int n = s->part.unknowns;
  double off = INFINITY;
  memcpy(s->kept, s->x, sizeof(double) * (size_t)n);
  for (double share = 1; share > engine_least_share; share /= 2) {
    for (int i = 0; i < n; i++) s->x[i] = s->kept[i] + share * s->step[i] * s->size[i];
    off = evaluate(s);
    if (off < before) return off;
  }
  memcpy(s->x, s->kept, sizeof(double) * (size_t)n);
  evaluate(s);
  return before;
}

static bool iterate(search* s)
{
  enum { most_turns = 100 };
  double off = evaluate(s);
  for (int turn = 0; turn < most_turns && isfinite(off); turn++) {
    const double scale = largest(s);
    if (off <= engine_balanced * scale) return true;
    if (num_saddle_factor(s->saddle, s->K, s->J, NULL, 0, engine_dependent_start) >= 0)
      return false;
    num_saddle_solve(s->saddle, NULL, s->F, s->step, s->y);
    const double now = advance(s, off);
    if (!(now < 0.9 * off)) return now <= engine_noise_start * scale;
    off = now;
  }
  return off <= engine_noise_start * largest(s);
}

bool engine_sparse_solve(const engine_sparse_newton* w, int rows, const int* row, int offset,
                         int unknowns)
{
  search s = {.w = w, .row = row, .part = cut_out(w, rows, row, offset, unknowns)};
  const size_t n = (size_t)unknowns, m = (size_t)rows, entries = (size_t)s.part.start[rows];
  int* diagonal = base_alloc(sizeof(int) * (n + 2)); // 0 1 2 ... as starts and as columns
  for (int i = 0; i <= unknowns; i++) diagonal[i] = i;
  const num_rows K = {diagonal, diagonal}, J = {s.part.start, s.part.column};
  s.saddle = num_saddle_new(unknowns, &K, rows, &J, false);
  s.x = w->e->q + offset;
  s.size = w->size + offset;
  double* block = base_alloc(sizeof(double) * (3 * n + 2 * m + entries + 1));
  s.K = block;
  s.step = s.K + n;
  s.kept = s.step + n;
  s.F = s.kept + n;
  s.y = s.F + m;
  s.J = s.y + m;
  for (size_t i = 0; i < n; i++)
    s.K[i] = w->weight[(size_t)offset + i] * w->weight[(size_t)offset + i];
  const bool solved = s.saddle && iterate(&s);
  num_saddle_free(s.saddle);
  drop(&s.part);
  free(diagonal);
  free(block);
  return solved;
}

// ---- redundancy ---------------------------------------------------------------------------------

// keeps the flags of those that depend here, too, and hold
static void look(engine* e, bool* flag)
{
  engine_sparse* p = e->sparse;
  if (engine_sparse_factor(e, e->mode.active, engine_dependent)) return;
  p->factored = false;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int k = 0; k < e->m; k++) {
    const int order = e->model->constraint[k].order;
    const double off = order == 0 ? fabs(e->f0[k]) : order == 1 ? fabs(e->f1[k]) : 0;
    flag[k] = flag[k] && e->mode.active[k] && num_saddle_is_dependent(p->motion, k) &&
              (order > 1 || off <= engine_met_redundant * engine_scale_row(e, k, order));
  }
}

int engine_sparse_set_aside(engine* e)
{
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double *here = base_alloc(2 * bytes), *size = here + 2 * e->n;
  bool* flag = base_alloc((size_t)e->m + 1);
  memcpy(here, e->q, bytes);
  memset(flag, 1, (size_t)e->m);
  look(e, flag);
  bool any = false;
  for (int k = 0; k < e->m; k++) any = any || flag[k];
  // the others alone lead to neighbours: there they must follow, too
  uint64_t seed = 77;
  engine_state_sizes(e, size);
  for (int turn = 0; turn < 2 && any; turn++) {
    bool moved = false;
    memcpy(e->mode.implied, flag, (size_t)e->m);
    engine_sparse_rows(e);
    engine_shake(e->q, 2 * e->n, here, engine_beside, size, &seed);
    if (engine_sparse_project(e, 0, engine_noise_solved, e->q, &moved) == 0 &&
        engine_sparse_project(e, 1, engine_noise_solved, e->v, &moved) == 0)
      look(e, flag);
  }
  memcpy(e->q, here, bytes);
  memcpy(e->mode.implied, flag, (size_t)e->m);
  e->mode.implied_count = 0;
  for (int k = 0; k < e->m; k++) e->mode.implied_count += flag[k];
  free(here);
  free(flag);
  return e->mode.implied_count;
}
