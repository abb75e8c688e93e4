// The right-hand side of a motion as one kernel, with the linear problem solved in it.
//
// The constraints A v + a0 = 0 make some velocities dependent: v_D = -A_D^-1 (A_I v_I + a0), and
//   M a = F + A^T Lambda,   A a = c
// is solved with known structure, either by the same elimination (Maggi's equations in the
// velocities v_I; Kondrenkina 2018, I(3.17)) or with the multipliers, whichever takes fewer
// operations. Pivots are watched by the kernel's guard; where it warns, the general way is taken
// (accelerations.c).
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  most_kernels = 12, // choices kept
  most_exact = 150   // operations up to which it is worth to simplify what is eliminated exactly
};
// evaluations after which a kernel, or a simplified one, costs less than it is likely to save
static const long worth_a_kernel = 400, worth_simplifying = 100000;
// digits are lost where a pivot of a row of A is a small part of the row
static const double least_row_pivot = 0.1;
// of a positive definite matrix no more is needed than that it is not singular
static const double least_pivot = 1e-10;
// where all are kept, digits are lost as pivots shrink
static const double least_free_pivot = 0.01;

struct rate_fused_set
{
  int count;
  rate_fused at[most_kernels];
  // fixed params as numbers
  expr *M, *F, *A, *b, *a0, power;
  bool undefined; // some has no value
};

static void* take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count + 1) * size);
}

// ---- expressions --------------------------------------------------------------------------------

// M, F, A, -c, A v + a0 at rest, power, in one list
static void fix_expressions(engine* e, struct rate_fused_set* s)
{
  const mech_system* y = e->s;
  const int n = e->n, m = e->m, count = n * n + n + m * n + 2 * m + 1;
  expr* list = take(e, (size_t)count, sizeof(expr));
  s->M = list;
  s->F = s->M + n * n;
  s->A = s->F + n;
  s->b = s->A + m * n;
  s->a0 = s->b + m;
  memcpy(s->M, y->M, sizeof(expr) * (size_t)(n * n));
  memcpy(s->F, y->F, sizeof(expr) * (size_t)n);
  if (m) memcpy(s->A, y->A, sizeof(expr) * (size_t)(m * n));
  for (int k = 0; k < m; k++) {
    s->b[k] = expr_neg(y->pool, y->c[k]);
    s->a0[k] =
        y->f1[k] == EXPR_NONE ? y->zero[0] : expr_substitute(y->pool, y->f1[k], n, y->v, y->zero);
  }
  list[count - 1] = e->program->power;
  for (int i = 0; i < count; i++) s->undefined = s->undefined || list[i] == EXPR_NONE;
  if (s->undefined) return;
  engine_fix(e->program, count, list, list);
  s->power = list[count - 1];
  for (int i = 0; i < count; i++) s->undefined = s->undefined || list[i] == EXPR_NONE;
}

static void release(void* set)
{
  struct rate_fused_set* s = set;
  for (int i = 0; i < s->count; i++) code_free(s->at[i].kernel);
}

static struct rate_fused_set* set_of(engine* e)
{
  if (e->fused) return e->fused;
  struct rate_fused_set* s = e->fused = take(e, 1, sizeof *s);
  engine_attach(e, release, s);
  fix_expressions(e, s);
  return s;
}

int rate_fused_effort(const engine* e)
{
  if (e->evaluations < worth_a_kernel) return 0;
  return e->evaluations < worth_simplifying || code_operations(e->program->eom) > most_exact ? 1
                                                                                             : 2;
}

// ---- the choice ---------------------------------------------------------------------------------

// the same for the rows as they were evaluated last
static bool choose_active(engine* e, int* dependent)
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

// what the active rows leave of the problem
static rate_rows rows_of(engine* e)
{
  const struct rate_fused_set* s = e->fused;
  return rate_rows_of(e, s->M, s->F, s->A, s->b, s->a0, s->power);
}

static bool is_turned(const rate_rows* p, int i)
{
  return is_among(2 * p->turns, p->pair, i);
}

static code_kernel* build(engine* e, const rate_fused* f, const rate_rows* p, elimination how)
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
                               .F = p->F,
                               .A = p->A,
                               .b = p->b,
                               .dependent = rows && !all_free ? f->dependent : NULL,
                               .tolerance = all_free        ? least_free_pivot
                                            : whole && rows ? least_row_pivot
                                                            : least_pivot,
                               .row_tolerance = least_row_pivot,
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

// guard: number of that output
static bool is_safe(const engine* e, const code_kernel* k, int guard, double* out)
{
  double* scratch = base_alloc(code_scratch(k) * sizeof *scratch);
  code_run(k, e->in, out, scratch);
  free(scratch);
  return out[guard] > 0;
}

// the cheaper of both ways among those that are safe here; null if none is
static code_kernel* cheapest(engine* e, const rate_fused* f, const rate_rows* p)
{
  code_kernel* best = NULL;
  const int guard = f->brief ? e->n - e->mode.rows : e->n;
  for (int whole = 0; whole < (e->mode.rows ? 2 : 1); whole++) {
    code_kernel* k = build(e, f, p, whole ? ELIMINATE_VELOCITIES : ELIMINATE_BOTH);
    const bool better =
        k && is_safe(e, k, guard, f->out) && (!best || code_operations(k) < code_operations(best));
    code_free(better ? best : k);
    if (better) best = k;
  }
  return best;
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
  f->effort = rate_fused_effort(e);
  const rate_rows rows = rows_of(e);
  code_kernel* k = cheapest(e, f, &rows);
  if (!k) return;
  code_free(f->kernel);
  f->kernel = k;
  code_native(k, 1);
  f->scratch = engine_lines(e, code_scratch(k));
}

static rate_fused* find(engine* e, struct rate_fused_set* s, const int* dependent)
{
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
  struct rate_fused_set* s = set_of(e);
  if (s->undefined) return NULL;
  for (int k = 0; k < e->m; k++)
    if (!e->mode.active[k]) e->lambda[k] = 0;
  int* dependent = e->work.fused_order + e->m;
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  e->factored = false;
  if (!choose_active(e, dependent)) return NULL;
  const rate_fused* f = find(e, s, dependent);
  if (!f || !f->kernel) return NULL;
  code_run(f->kernel, e->in, f->out, f->scratch);
  return f->out[e->n] > 0 ? f : NULL;
}

bool rate_fused_rates(const rate_fused* f, engine* e, double t, const double* y, double* dy)
{
  const int n = e->n;
  engine_time(e, t);
  // few numbers: a call would take longer
  for (int i = 0; i < n; i++) e->q[i] = y[i];
  for (int k = 0; k < f->l; k++) e->v[f->independent[k]] = y[n + k];
  e->factored = false;
  double* out = f->out;
  code_run(f->kernel, e->in, out, f->scratch);
  if (!(out[n] > 0)) return false;
  double finite = 0;
  for (int i = 0; i < n; i++) finite += 0 * out[i];
  if (!(finite == 0)) return false; // nor if it is not a number
  for (int i = 0; i < n; i++) dy[i] = out[n + 1 + i];
  for (int k = 0; k < f->l; k++) dy[n + k] = out[f->independent[k]];
  for (int k = f->l; k < n; k++) dy[n + k] = 0;
  dy[2 * n] = out[2 * n + 1];
  return true;
}

// ---- for states side by side --------------------------------------------------------------------

static bool are_numbers(const engine* e, const rate_rows* p, const int* dependent)
{
  for (int r = 0; r < p->rows; r++)
    for (int d = 0; d < p->rows; d++)
      if (!expr_is_number(e->s->pool, p->A[r * p->n + dependent[d]])) return false;
  return true;
}

// The dependent velocities where some were turned: that of each turn, and others by rows of
// numbers. The guard must be a number, too: the general way knows nothing of turns.
static code_kernel* turned(engine* e, const rate_fused* f, rate_rows* p)
{
  if (!rate_rows_turn(e, p)) return NULL;
  const size_t count = (size_t)(p->rows * p->n);
  double* A = base_alloc((count + 1) * sizeof *A);
  code_kernel *rows = code_build(e->s->pool, (int)count, p->A, e->program->inputs,
                                 e->program->input, NULL),
              *k = NULL;
  double* scratch = base_alloc(rows ? code_scratch(rows) * sizeof *scratch + 1 : 1);
  if (rows) code_run(rows, e->in, A, scratch);
  if (rows && rate_choose_dependent(e, A, f->dependent) && are_numbers(e, p, f->dependent))
    k = cheapest(e, f, p);
  free(A);
  free(scratch);
  code_free(rows);
  return k;
}

code_kernel* rate_fused_abreast(engine* e, bool turning, bool* depends, rate_rows* p)
{
  if (rate_features(e) & ~(engine_features)RATE_TAKES_LANES || set_of(e)->undefined) return NULL;
  int* dependent = e->work.fused_order + e->m;
  double* out = base_alloc(sizeof(double) * (size_t)(2 * e->n + 2));
  const bool small = code_operations(e->program->eom) <= most_exact;
  const rate_fused f = {.rows = e->mode.rows,
                        .dependent = dependent,
                        .out = out,
                        .effort = small ? 2 : 1,
                        .brief = true};
  code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
  e->factored = false;
  code_kernel* k = NULL;
  *p = rows_of(e);
  if (e->mode.rows == 0 || (choose_active(e, dependent) && are_numbers(e, p, dependent)))
    k = cheapest(e, &f, p);
  if (!k && small && turning) k = turned(e, &f, p);
  int guard = e->n - e->mode.rows;
  for (int d = 0; k && d < e->mode.rows; d++) depends[dependent[d]] = true;
  if (!k) {
    *p = rows_of(e);
    k = build(e, &f, p, ELIMINATE_NOTHING);
    guard = e->n;
  }
  if (k && !is_safe(e, k, guard, out)) {
    code_free(k);
    k = NULL;
  }
  free(out);
  return k;
}

static bool any_has(const engine* e, expr x)
{
  const struct rate_fused_set* s = e->fused;
  const int count = e->n * e->n + e->n + e->m * e->n + 2 * e->m;
  for (int i = 0; i < count; i++)
    if (expr_has(e->s->pool, s->M[i], x)) return true;
  return expr_has(e->s->pool, s->power, x);
}

bool rate_fused_needs(engine* e, bool* coordinate)
{
  set_of(e);
  for (int i = 0; i < e->n; i++) coordinate[i] = any_has(e, e->program->input[1 + i]);
  bool timed = any_has(e, e->program->input[0]);
  for (int i = 0; i < 3 * e->p; i++)
    timed = timed || any_has(e, e->program->input[1 + 2 * e->n + i]);
  return timed;
}
