// The right-hand side of a motion as one kernel, with the linear problem solved in it.
//
// The constraints A v + a0 = 0 make some velocities dependent: v_D = -A_D^-1 (A_I v_I + a0), and
//   M a = F + A^T Lambda,   A a = c
// is solved with known structure, either by the same elimination (Maggi's equations in the
// velocities v_I; Kondrenkina 2018, I(3.17)) or with the multipliers, whichever takes fewer
// operations. Pivots are watched by the kernel's guard; where it warns, the general way is taken
// (accelerations.c).
#include "rate/fused.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  most_kernels = 12, // choices kept
  least_tree = 200,  // operations of M and the forces from which on a tree may take fewer
  most_few = 128     // numbers that are kept on the stack
};
// evaluations after which a kernel, or a simplified one, costs less than it is likely to save
static const long worth_a_kernel = 400, worth_simplifying = 100000;
// digits are lost where a pivot of a row of A is a small part of the row
static const double least_row_pivot = 0.1;

struct rate_fused_set
{
  int count;
  rate_fused at[most_kernels];
};

static void* take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count + 1) * size);
}

int rate_fused_effort(const engine* e)
{
  if (e->evaluations < worth_a_kernel) return 0;
  return e->evaluations < worth_simplifying || engine_operations(e->program) > rate_fused_most_exact
             ? 1
             : 2;
}

// ---- the choice ---------------------------------------------------------------------------------

bool rate_fused_active(engine* e, int* dependent)
{
  const size_t n = (size_t)e->n;
  for (int r = 0; r < e->mode.rows; r++)
    memcpy(e->work.Ar + (size_t)r * n, e->A + (size_t)e->mode.row[r] * n, n * sizeof(double));
  return rate_choose_dependent(e, e->work.Ar, dependent);
}

// ---- the kernel ---------------------------------------------------------------------------------

// what is eliminated by rows of A: velocities and accelerations, velocities alone, nothing
typedef enum elimination { ELIMINATE_BOTH, ELIMINATE_VELOCITIES, ELIMINATE_NOTHING } elimination;

static bool is_among(int count, const int* list, int x)
{
  for (int i = 0; i < count; i++)
    if (list[i] == x) return true;
  return false;
}

static bool is_turned(const rate_rows* p, int i)
{
  return is_among(2 * p->turns, p->pair, i);
}

// tree: null, or the masses, which then stand for M
static code_kernel* build(engine* e, const rate_fused* f, const rate_rows* p, elimination how,
                          const code_tree* tree)
{
  int others = 0;
  const int n = e->n, rows = e->mode.rows;
  expr* other = base_alloc((size_t)(n + 1) * sizeof *other);
  for (int i = 0; i < n; i++)
    if (!f->brief || is_turned(p, i) ||
        (how != ELIMINATE_NOTHING && is_among(rows, f->dependent, i)))
      other[others++] = p->rate[i];
  if (!f->brief || p->power != e->s->zero[0]) other[others++] = p->power;
  const bool whole = how != ELIMINATE_BOTH, all_free = how == ELIMINATE_NOTHING;
  const code_linear problem = {.n = n,
                               .rows = rows,
                               .M = p->M,
                               .tree = tree,
                               .F = tree ? engine_tree_forces(e, p->F) : p->F,
                               .A = p->A,
                               .b = p->b,
                               .dependent = rows && !all_free ? f->dependent : NULL,
                               .tolerance = all_free        ? rate_fused_least_pivot
                                            : whole && rows ? least_row_pivot
                                                            : engine_safe_pivot,
                               .row_tolerance = least_row_pivot,
                               .weight = e->work.weight,
                               .whole = whole,
                               .simplify = f->effort > 1,
                               .brief = f->brief,
                               .others = others,
                               .other = other,
                               .x = all_free ? NULL : e->s->v,
                               .x0 = all_free ? NULL : p->a0,
                               .unknown = e->s->a,
                               .multiplier = p->lambda};
  code_kernel* k =
      code_build_solve(e->s->pool, &problem, e->program->inputs, e->program->input, NULL);
  free(other);
  if (k && !expr_pool_full(e->s->pool)) return k;
  code_free(k);
  return NULL;
}

static code_kernel* build_along(engine* e, const rate_fused* f, const rate_rows* p, elimination how)
{
  code_tree tree;
  if (!engine_tree_take(e, &tree)) return NULL;
  code_kernel* k = build(e, f, p, how, &tree);
  engine_tree_leave(&tree);
  return k;
}

// the kernel that was built before, for this engine or another; else a new one
static const code_kernel* kernel_of(engine* e, const rate_fused* f, const rate_problem* p,
                                    elimination how, bool along)
{
  const int depends = how == ELIMINATE_NOTHING ? 0 : e->mode.rows;
  const int first[] = {p->turned, (int)how, f->brief, f->effort > 1, along};
  rate_key room;
  const base_key key =
      rate_key_by(&room, e, "kernel", sizeof first / sizeof *first, first, depends, f->dependent);
  void* found;
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = along ? build_along(e, f, &p->rows, how) : build(e, f, &p->rows, how, NULL);
    rate_shared_keep_kernel(e, key, found);
  }
  rate_key_end(&room);
  return found;
}

bool rate_fused_is_safe(const engine* e, const code_kernel* k, int guard, double* out)
{
  _Alignas(64) double few[most_few];
  double* scratch = few;
  if (code_scratch(k) > most_few) scratch = base_alloc(code_scratch(k) * sizeof *scratch);
  code_run(k, e->in, out, scratch);
  if (scratch != few) free(scratch);
  return out[guard] > 0;
}

// May the masses be taken along a tree? Turned velocities have a matrix of their own.
static bool may_hang(const engine* e, const rate_problem* p)
{
  return !p->turned && engine_operations(e->program) >= least_tree && engine_tree_serves(e);
}

// the better of two that are safe here; sure: see fused.h
static const code_kernel* better(const engine* e, const rate_fused* f, int guard,
                                 const code_kernel* best, const code_kernel* k, bool* sure)
{
  if (!k || (best && code_operations(k) >= code_operations(best))) return best;
  if (rate_fused_is_safe(e, k, guard, f->out)) return k;
  *sure = false;
  return best;
}

const code_kernel* rate_fused_cheapest(engine* e, const rate_fused* f, const rate_problem* p,
                                       bool* sure)
{
  const code_kernel* best = NULL;
  const int guard = f->brief ? e->n - e->mode.rows : e->n;
  if (may_hang(e, p))
    best = better(e, f, guard, best, kernel_of(e, f, p, ELIMINATE_VELOCITIES, true), sure);
  if (rate_matrix_is_large(e)) return best;
  const code_kernel* both = kernel_of(e, f, p, ELIMINATE_BOTH, false);
  best = better(e, f, guard, best, both, sure);
  if (!e->mode.rows) return best;
  // exact steps shorten the way with the multipliers by a few operations at most
  rate_fused plain = *f;
  if (both && plain.effort > 1) plain.effort = 1;
  return better(e, f, guard, best, kernel_of(e, &plain, p, ELIMINATE_VELOCITIES, false), sure);
}

const code_kernel* rate_fused_cheapest_free(engine* e, const rate_fused* f, const rate_problem* p,
                                            bool* sure)
{
  const code_kernel* best = NULL;
  if (may_hang(e, p))
    best = better(e, f, e->n, best, kernel_of(e, f, p, ELIMINATE_NOTHING, true), sure);
  if (rate_matrix_is_large(e)) return best;
  return better(e, f, e->n, best, kernel_of(e, f, p, ELIMINATE_NOTHING, false), sure);
}

static bool is_for(const engine* e, const rate_fused* f, const int* dependent)
{
  const size_t bytes = sizeof(int) * (size_t)e->mode.rows;
  return f->rows == e->mode.rows &&
         (!e->mode.rows ||
          (memcmp(f->row, e->mode.row, bytes) == 0 && memcmp(f->dependent, dependent, bytes) == 0));
}

static rate_fused* add(engine* e, struct rate_fused_set* s, const int* dependent)
{
  const size_t rows = (size_t)e->mode.rows, n = (size_t)e->n;
  rate_fused* f = &s->at[s->count++];
  *f = (rate_fused){.rows = e->mode.rows,
                    .row = take(e, rows, sizeof(int)),
                    .dependent = take(e, rows, sizeof(int)),
                    .independent = take(e, n, sizeof(int)),
                    .out = engine_lines(e, 2 * n + 2)};
  memcpy(f->row, e->mode.row, sizeof(int) * rows);
  memcpy(f->dependent, dependent, sizeof(int) * rows);
  for (int j = 0, d = 0; j < e->n; j++) {
    if (d < e->mode.rows && dependent[d] == j)
      d++;
    else
      f->independent[f->l++] = j;
  }
  return f;
}

static void build_kernel(engine* e, rate_fused* f)
{
  bool sure = true;
  f->effort = rate_fused_effort(e);
  base_kept_open(e->s->kept);
  const code_kernel* k = rate_fused_cheapest(e, f, rate_shared_problem(e, false), &sure);
  base_kept_unlock(e->s->kept);
  if (!k) return;
  f->kernel = k;
  code_native(k, 1);
  f->scratch = engine_lines(e, code_scratch(k));
}

static rate_fused* find(engine* e, const int* dependent)
{
  if (!e->fused) e->fused = take(e, 1, sizeof *e->fused);
  struct rate_fused_set* s = e->fused;
  rate_fused* f = NULL;
  for (int i = 0; i < s->count && !f; i++)
    if (is_for(e, &s->at[i], dependent)) f = &s->at[i];
  if (!f && s->count == most_kernels) return NULL;
  if (!f) f = add(e, s, dependent);
  if (f->effort < rate_fused_effort(e)) build_kernel(e, f);
  return f;
}

const rate_fused* rate_fused_choose(engine* e)
{
  if (!rate_fused_effort(e) || rate_lasting_features(e) & ~(engine_features)RATE_TAKES_FUSED)
    return NULL;
  if (rate_shared_equations(e->program)->undefined) return NULL;
  for (int k = 0; k < e->m; k++)
    if (!e->mode.active[k]) e->lambda[k] = 0;
  int* dependent = e->work.fused_order + e->m;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  e->factored = false;
  if (!rate_fused_active(e, dependent)) return NULL;
  const rate_fused* f = find(e, dependent);
  if (!f || !f->kernel) return NULL;
  code_run(f->kernel, e->in, f->out, f->scratch);
  return f->out[e->n] > 0 ? f : NULL;
}

// four sums that do not wait for each other
static bool all_finite(int n, const double* x)
{
  double sum[4] = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) sum[k] += 0 * x[i + k];
  for (; i < n; i++) sum[0] += 0 * x[i];
  return sum[0] + sum[1] + sum[2] + sum[3] == 0; // not if one is not a number
}

int rate_fused_rates(const rate_fused* f, engine* e, double t, const double* y, double* dy)
{
  const int n = e->n;
  engine_time(e, t);
  memcpy(e->q, y, sizeof(double) * (size_t)n);
  for (int k = 0; k < f->l; k++) e->v[f->independent[k]] = y[n + k];
  e->factored = false;
  double* out = f->out;
  code_run(f->kernel, e->in, out, f->scratch);
  if (!(out[n] > 0)) return RATE_ELSEWHERE;
  if (!all_finite(n, out)) return RATE_ELSEWHERE;
  memcpy(dy, out + n + 1, sizeof(double) * (size_t)n);
  for (int k = 0; k < f->l; k++) dy[n + k] = out[f->independent[k]];
  for (int k = f->l; k < n; k++) dy[n + k] = 0;
  dy[2 * n] = out[2 * n + 1];
  return 0;
}
