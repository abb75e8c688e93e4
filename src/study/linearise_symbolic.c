// The linear model in symbols: params stay, the state is what its numbers are known to be exactly.
//
// With R, f0, f1 as in linear.c and all derivatives taken at the state,
//   v       velocities that the initial equations do not give follow from f1 = 0,
//   a, L    from R = 0, which is linear in both,
//   T       changes of all by those of the states, from f0_q dq = 0, f1_q dq + f1_v dv = 0,
//   x       changes of a, L from K x = -R_z T, and for the inputs K x = -R_u.
// Which states, rows and pivots are taken is known from the numbers; what comes out is put beside
// them, and refused where it differs.
#include "study/linearise.h"

#include <math.h>
#include <string.h>

static const double same = 1e-9;    // relative: the symbols say what the numbers do
static const double nothing = 1e-9; // a number that may be zero: the symbols are asked

typedef struct symbols
{
  study_linear* l;
  study_linearised* r;
  engine* e;
  expr_pool* p;
  base_arena* arena;
  int n, m, rows, unknowns; // rows in use; accelerations and unknown forces
  expr* R;                  // n + 3m residuals
  int point;                // the state: symbols and what they are
  expr *from, *to;
  int known; // symbols and their numbers
  expr* name;
  double* value;
} symbols;

static expr* exprs(const symbols* w, int count)
{
  return base_arena_take(w->arena, sizeof(expr) * (size_t)(count + 1));
}

static double number(const symbols* w, expr e)
{
  return expr_value(w->p, e, w->known, w->name, w->value);
}

// at the state, as small as it gets, zero where it is
static expr settle(const symbols* w, expr e)
{
  e = expr_simplify(w->p, expr_substitute(w->p, e, w->point, w->from, w->to));
  if (e == EXPR_NONE || fabs(number(w, e)) > nothing) return e;
  return expr_is_zero(w->p, e) == EXPR_YES ? expr_int(w->p, 0) : e;
}

// ---- the state ----------------------------------------------------------------------------------

// k/12 of pi, or a fraction of small numbers; EXPR_NONE: neither
static expr simple(expr_pool* p, double x)
{
  enum { most = 64, parts = 12 };
  if (fabs(x) < nothing) return expr_int(p, 0);
  for (int of = 1; of <= most; of++) {
    const double k = x * of;
    if (fabs(k) < 1e6 && fabs(k - round(k)) < 1e-12 * (1 + fabs(k)))
      return expr_div(p, expr_int(p, (long)round(k)), expr_int(p, of));
  }
  const double k = x * parts / M_PI;
  if (fabs(k) > 1e6 || fabs(k - round(k)) > 1e-12 * (1 + fabs(k))) return EXPR_NONE;
  return expr_div(p, expr_mul(p, expr_int(p, (long)round(k)), expr_pi(p)), expr_int(p, parts));
}

// what an initial equation says, where the number is that
static expr as_written(const symbols* w, int i, int order, double x)
{
  const model* m = w->e->model;
  for (int k = 0; k < m->initials; k++) {
    const model_initial* s = &m->initial[k];
    if (s->coord != i || s->order != order) continue;
    const double said = number(w, s->value);
    if (fabs(said - x) <= same * (1 + fabs(x)) && fabs(x) > nothing) return s->value;
  }
  return EXPR_NONE;
}

static void put(symbols* w, expr from, expr to)
{
  w->from[w->point] = from;
  w->to[w->point++] = to;
}

static void know(symbols* w, expr name, double value)
{
  w->name[w->known] = name;
  w->value[w->known++] = value;
}

static void list_numbers(symbols* w)
{
  const engine* e = w->e;
  const model* m = e->model;
  const int most = m->params * 3 + 3 * w->n + w->m + 1;
  w->name = exprs(w, most);
  w->value = base_arena_take(w->arena, sizeof(double) * (size_t)(most + 1));
  for (int i = 0; i < m->params; i++) {
    know(w, m->param[i].symbol, m->param[i].number);
    if (m->param[i].changes) know(w, m->param[i].rate, 0);
    if (m->param[i].changes) know(w, m->param[i].rate2, 0);
  }
  for (int i = 0; i < w->n; i++) {
    know(w, e->s->q[i], e->q[i]);
    know(w, e->s->v[i], e->v[i]);
    know(w, e->s->a[i], e->a[i]);
  }
  for (int k = 0; k < w->m; k++) know(w, m->reaction[k], e->lambda[k]);
  know(w, m->t, e->in[0]);
}

// Rows of a k by k system, chosen by its numbers: `of` gives them, `pick` the numbers of k of them.
static bool choose_rows(const symbols* w, int count, int k, double* of, int* pick)
{
  bool* used = base_arena_take(w->arena, (size_t)count + 1);
  for (int c = 0; c < k; c++) {
    int best = -1;
    for (int i = 0; i < count; i++)
      if (!used[i] && (best < 0 || fabs(of[i * k + c]) > fabs(of[best * k + c]))) best = i;
    if (best < 0 || !(fabs(of[best * k + c]) > nothing)) return false;
    used[best] = true;
    pick[c] = best;
    for (int i = 0; i < count; i++) {
      const double factor = of[i * k + c] / of[best * k + c];
      for (int j = c; !used[i] && j < k; j++) of[i * k + j] -= factor * of[best * k + j];
    }
  }
  return true;
}

// A x = -b for columns of b, both at the state
static bool solve(const symbols* w, int k, int columns, const expr* A, const expr* b, expr* x)
{
  expr *at = exprs(w, k * k), *right = exprs(w, k * columns), *assumed = exprs(w, k);
  int count = 0;
  for (int i = 0; i < k * k; i++) at[i] = settle(w, A[i]);
  for (int i = 0; i < k * columns; i++) right[i] = expr_neg(w->p, settle(w, b[i]));
  if (!k) return true;
  if (!expr_solve(w->p, k, columns, at, right, x, assumed, &count)) return false;
  for (int i = 0; i < k * columns; i++) x[i] = settle(w, x[i]);
  return !expr_pool_full(w->p);
}

// velocities that no equation gives and that are not simple follow from f1 = 0
static bool find_velocities(symbols* w)
{
  const engine* e = w->e;
  int *open = base_arena_take(w->arena, sizeof(int) * (size_t)(w->n + 1)), k = 0;
  for (int i = 0; i < w->n; i++) {
    const expr said = as_written(w, i, 1, e->v[i]);
    if (said != EXPR_NONE || fabs(e->v[i]) < nothing)
      put(w, e->s->v[i], said != EXPR_NONE ? said : expr_int(w->p, 0));
    else
      open[k++] = i;
  }
  if (!k) return true;
  const int count = e->mode.rows;
  double* of = base_arena_take(w->arena, sizeof(double) * (size_t)(count * k + 1));
  int* pick = base_arena_take(w->arena, sizeof(int) * (size_t)(k + 1));
  for (int r = 0; r < count; r++)
    for (int c = 0; c < k; c++)
      of[r * k + c] = w->l->D1[e->mode.row[r] * w->l->width + w->n + open[c]];
  if (count < k || !choose_rows(w, count, k, of, pick)) {
    for (int c = 0; c < k; c++) {
      const expr s = simple(w->p, e->v[open[c]]);
      if (s != EXPR_NONE) put(w, e->s->v[open[c]], s);
    }
    return true;
  }
  expr *A = exprs(w, k * k), *b = exprs(w, k), *x = exprs(w, k), *zero = exprs(w, k),
       *v = exprs(w, k);
  for (int c = 0; c < k; c++) {
    v[c] = e->s->v[open[c]];
    zero[c] = expr_int(w->p, 0);
  }
  for (int i = 0; i < k; i++) {
    const expr f = w->R[w->n + 2 * w->m + e->mode.row[pick[i]]];
    expr_gradient(w->p, f, k, v, A + i * k);
    b[i] = expr_substitute(w->p, f, k, v, zero);
  }
  if (!solve(w, k, 1, A, b, x)) return false;
  for (int c = 0; c < k; c++) put(w, v[c], x[c]);
  return true;
}

static expr residual(const symbols* w, int i)
{
  return w->R[i < w->n ? i : w->n + w->e->mode.row[i - w->n]];
}

// symbols of the accelerations and unknown forces
static void list_unknowns(const symbols* w, expr* x)
{
  const engine* e = w->e;
  memcpy(x, e->s->a, sizeof(expr) * (size_t)w->n);
  for (int r = 0, at = w->n; r < e->mode.rows; r++)
    if (study_linear_is_unknown(e, e->mode.row[r])) x[at++] = e->model->reaction[e->mode.row[r]];
}

static bool find_forces(symbols* w, const expr* unknown, const expr* K)
{
  const int k = w->unknowns;
  expr *b = exprs(w, k), *x = exprs(w, k), *zero = exprs(w, k);
  bool any = false;
  for (int i = 0; i < k; i++) zero[i] = expr_int(w->p, 0);
  for (int i = 0; i < k; i++) b[i] = expr_substitute(w->p, residual(w, i), k, unknown, zero);
  for (int i = 0; i < k; i++) any = any || fabs(number(w, unknown[i])) > nothing;
  if (any && !solve(w, k, 1, K, b, x)) return false;
  for (int i = 0; i < k; i++) put(w, unknown[i], any ? x[i] : zero[i]);
  // of what is not in use
  for (int r = 0; r < w->m; r++) {
    bool there = false;
    for (int i = 0; i < k; i++) there = there || unknown[i] == w->e->model->reaction[r];
    if (!there) put(w, w->e->model->reaction[r], expr_int(w->p, 0));
  }
  return true;
}

static bool find_state(symbols* w)
{
  const engine* e = w->e;
  const model* m = e->model;
  w->from = exprs(w, 3 * w->n + w->m + m->params + 1);
  w->to = exprs(w, 3 * w->n + w->m + m->params + 1);
  for (int i = 0; i < m->params; i++)
    if (m->param[i].input) put(w, m->param[i].symbol, m->param[i].value);
  for (int i = 0; i < w->n; i++) {
    const expr said = as_written(w, i, 0, e->q[i]), s = simple(w->p, e->q[i]);
    if (said != EXPR_NONE || s != EXPR_NONE) put(w, e->s->q[i], said != EXPR_NONE ? said : s);
  }
  return find_velocities(w);
}

// ---- changes ------------------------------------------------------------------------------------

static int place_in(const int* list, int count, int x)
{
  for (int i = 0; i < count; i++)
    if (list[i] == x) return i;
  return -1;
}

static expr coordinate(const symbols* w, int z)
{
  return z < w->n ? w->e->s->q[z] : w->e->s->v[z - w->n];
}

// the equation of row i of l->G
static expr row_of(const symbols* w, int i)
{
  const engine* e = w->e;
  for (int r = 0, at = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    if (order == 0 && at++ == i) return w->R[w->n + w->m + k];
    if (order <= 1 && at++ == i) return w->R[w->n + 2 * w->m + k];
  }
  return EXPR_NONE;
}

// T, 2n by d: unit rows of the states, the others by the constraints; integrals of states stay
static bool find_changes(const symbols* w, expr* T)
{
  const study_linearised* r = w->r;
  const int N = 2 * w->n, d = r->states;
  int *rest = base_arena_take(w->arena, sizeof(int) * (size_t)(N + 1)), k = 0;
  for (int z = 0; z < N; z++) {
    const int own = place_in(r->state, d, z);
    for (int j = 0; j < d; j++) T[z * d + j] = expr_int(w->p, own == j);
    const bool integral = z >= w->e->model->places && z < w->n;
    if (own < 0 && !integral) rest[k++] = z;
  }
  if (!k) return true;
  double* of = base_arena_take(w->arena, sizeof(double) * (size_t)(w->l->rows * k + 1));
  int* pick = base_arena_take(w->arena, sizeof(int) * (size_t)(k + 1));
  for (int i = 0; i < w->l->rows; i++)
    for (int c = 0; c < k; c++) of[i * k + c] = w->l->G[i * N + rest[c]];
  if (!choose_rows(w, w->l->rows, k, of, pick)) return false;
  expr *A = exprs(w, k * k), *b = exprs(w, k * d), *x = exprs(w, k * d);
  for (int i = 0; i < k; i++) {
    const expr f = row_of(w, pick[i]);
    for (int c = 0; c < k; c++) A[i * k + c] = expr_diff(w->p, f, coordinate(w, rest[c]));
    for (int j = 0; j < d; j++) b[i * d + j] = expr_diff(w->p, f, coordinate(w, r->state[j]));
  }
  if (!solve(w, k, d, A, b, x)) return false;
  for (int c = 0; c < k; c++) memcpy(T + rest[c] * d, x + c * d, sizeof(expr) * (size_t)d);
  return true;
}

static expr product(const symbols* w, int count, const expr* a, const expr* b, int stride)
{
  expr sum = expr_int(w->p, 0);
  for (int i = 0; i < count; i++) sum = expr_add(w->p, sum, expr_mul(w->p, a[i], b[i * stride]));
  return sum;
}

// b = (R_z T, R_u), of d + inputs columns
static void find_right(const symbols* w, const int* along, const expr* u, const expr* T, expr* b)
{
  const study_linearised* r = w->r;
  const int N = 2 * w->n, d = r->states, columns = d + r->inputs;
  expr* slope = exprs(w, N);
  for (int i = 0; i < w->unknowns; i++) {
    const expr f = residual(w, i);
    for (int z = 0; z < N; z++) slope[z] = settle(w, expr_diff(w->p, f, coordinate(w, z)));
    for (int j = 0; j < d; j++) b[i * columns + j] = product(w, N, slope, T + j, d);
    for (int j = 0; j < r->inputs; j++)
      b[i * columns + d + j] =
          along[j] >= 0 ? expr_int(w->p, i == along[j] ? -1 : 0) : expr_diff(w->p, f, u[j]);
  }
}

// ---- the matrices -------------------------------------------------------------------------------

static void fill_states(const symbols* w, const expr* T, const expr* x)
{
  study_linearised* r = w->r;
  const int d = r->states, columns = d + r->inputs;
  for (int h = 0; h < d; h++) {
    const int z = r->state[h];
    for (int j = 0; j < columns; j++) {
      const expr value = z >= w->n ? x[(z - w->n) * columns + j]
                         : j < d   ? T[(w->n + z) * d + j]
                                   : expr_int(w->p, 0);
      if (j < d)
        r->symbolic[0][h * d + j] = value;
      else
        r->symbolic[1][h * r->inputs + j - d] = value;
    }
  }
}

static void fill_outputs(const symbols* w, const expr* unknown, const expr* u, const expr* y,
                         const expr* T, const expr* x)
{
  study_linearised* r = w->r;
  const int N = 2 * w->n, d = r->states, columns = d + r->inputs;
  expr *by = exprs(w, N), *more = exprs(w, w->unknowns);
  for (int h = 0; h < r->outputs; h++) {
    for (int z = 0; z < N; z++) by[z] = settle(w, expr_diff(w->p, y[h], coordinate(w, z)));
    for (int i = 0; i < w->unknowns; i++) more[i] = settle(w, expr_diff(w->p, y[h], unknown[i]));
    for (int j = 0; j < columns; j++) {
      expr sum = product(w, w->unknowns, more, x + j, columns);
      if (j < d) sum = expr_add(w->p, sum, product(w, N, by, T + j, d));
      if (j >= d && u[j - d] != EXPR_NONE)
        sum = expr_add(w->p, sum, expr_diff(w->p, y[h], u[j - d]));
      if (j < d)
        r->symbolic[2][h * d + j] = settle(w, sum);
      else
        r->symbolic[3][h * r->inputs + j - d] = settle(w, sum);
    }
  }
}

static bool agree(const symbols* w, base_notes* notes)
{
  const study_linearised* r = w->r;
  const double* matrix[4] = {r->A, r->B, r->C, r->D};
  const int size[4] = {r->states * r->states, r->states * r->inputs, r->outputs * r->states,
                       r->outputs * r->inputs};
  for (int k = 0; k < 4; k++) {
    double most = 1;
    for (int i = 0; i < size[k]; i++) most = fmax(most, fabs(matrix[k][i]));
    for (int i = 0; i < size[k]; i++) {
      const double x = r->symbolic[k][i] == EXPR_NONE ? NAN : number(w, r->symbolic[k][i]);
      if (fabs(x - matrix[k][i]) <= same * most) continue;
      base_error(notes, BASE_NOWHERE,
                 "the linear model in symbols does not come to what the numbers say (%g, %g)", x,
                 matrix[k][i]);
      base_help(notes, "leave --symbolic out for the numbers");
      return false;
    }
  }
  return true;
}

static bool work_out(symbols* w, const int* along, const expr* u, const expr* y)
{
  study_linearised* r = w->r;
  const int k = w->unknowns, d = r->states, columns = d + r->inputs;
  if (w->rows + w->n != k || !find_state(w)) return false;
  expr *unknown = exprs(w, k), *K = exprs(w, k * k), *T = exprs(w, 2 * w->n * d),
       *b = exprs(w, k * columns), *x = exprs(w, k * columns);
  list_unknowns(w, unknown);
  for (int i = 0; i < k; i++) expr_gradient(w->p, residual(w, i), k, unknown, K + i * k);
  if (!find_forces(w, unknown, K) || !find_changes(w, T)) return false;
  find_right(w, along, u, T, b);
  if (!solve(w, k, columns, K, b, x)) return false;
  for (int i = 0; i < 4; i++)
    r->symbolic[i] = exprs(w, (i < 2 ? d : r->outputs) * (i % 2 ? r->inputs : d));
  fill_states(w, T, x);
  fill_outputs(w, unknown, u, y, T, x);
  return true;
}

bool study_linearise_symbolic(study_linear* l, study_linearised* r, const int* along, const expr* u,
                              const expr* y, base_notes* notes)
{
  engine* e = l->e;
  symbols w = {.l = l,
               .r = r,
               .e = e,
               .p = e->s->pool,
               .arena = r->arena,
               .n = e->n,
               .m = e->m,
               .rows = e->mode.rows,
               .unknowns = e->n};
  for (int k = 0; k < w.rows; k++) w.unknowns += study_linear_is_unknown(e, e->mode.row[k]);
  w.R = exprs(&w, w.n + 3 * w.m);
  study_linear_residuals(e, w.R);
  if (e->program->modes.count)
    engine_corners_hold(&e->program->modes, w.p, w.n + 3 * w.m, w.R, w.R);
  list_numbers(&w);
  if (work_out(&w, along, u, y)) return agree(&w, notes);
  base_error(notes, BASE_NOWHERE,
             expr_pool_full(w.p) ? "the linear model in symbols is too large"
                                 : "the linear model could not be found in symbols");
  base_help(notes, "leave --symbolic out for the numbers");
  return false;
}
