// A linear model z' = A z + B u, y = C z + D u about a state, on independent states.
//
// W is a basis of the changes of (q, v) that the constraints admit (linear.c). As many coordinates
// and velocities as it has columns are taken as states, those that tell most first and places
// before velocities; T = W W_S^-1 leads from their changes to those of all. Accelerations and
// reactions follow from  dR/d(a, Lambda) x = -dR/d(q, v) T,  and for inputs  dR/d(a, Lambda) x =
// -dR/du. An input is a param, or a coordinate along which a force acts.
#include "study/linearise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double weak_state = 1e-7; // a row of W this small beside the others tells nothing
static const double nearly = 0.3;      // of the largest: what comes first is taken
static const double moved = 1e-12;     // relative derivative of a constraint by an input: none

typedef struct work
{
  study_linear* l;
  study_linearised* r;
  int* along;             // of each input: its coordinate, -1 for a param
  code_kernel* by_inputs; // derivatives of R, f0, f1 by the params among the inputs
  code_kernel* by_state;  // derivatives of the outputs by q, v, a, Lambda, inputs
  double *Ru, *Y, *scratch;
  int wide; // of a row of Y
} work;

static double* doubles(work* w, int count)
{
  return base_arena_take(w->r->arena, sizeof(double) * (size_t)(count + 1));
}

// ---- what is asked for --------------------------------------------------------------------------

static expr output_of(const model* m, const char* name)
{
  for (int i = 0; i < m->outputs; i++)
    if (strcmp(m->output[i].name, name) == 0) return m->output[i].value;
  for (int i = 0; i < m->quasis; i++)
    if (strcmp(m->quasi[i].name, name) == 0) return m->quasi[i].value;
  const size_t n = strcspn(name, "'");
  for (int i = 0; i < m->coords; i++) {
    const model_coord* c = &m->coord[i];
    if (strlen(c->name) != n || strncmp(c->name, name, n) != 0) continue;
    if (!name[n]) return c->q;
    if (strcmp(name + n, "'") == 0) return c->v;
    if (strcmp(name + n, "''") == 0) return c->a;
  }
  return EXPR_NONE;
}

static void say_inputs(const model* m, base_notes* notes)
{
  enum { most = 8 };
  base_text text = {0};
  int count = 0;
  for (int i = 0; i < m->params; i++)
    if (m->param[i].input && count++ < most)
      base_text_printf(&text, "%s`%s`", count > 1 ? ", " : "", m->param[i].name);
  for (int i = 0; i < m->places; i++)
    if (count++ < most) base_text_printf(&text, "%s`%s`", count > 1 ? ", " : "", m->coord[i].name);
  base_help(notes, "an input is a param, or a coordinate along which a force acts: %s%s",
            text.n ? text.at : "", count > most ? ", ..." : "");
  base_text_free(&text);
}

static bool know(work* w, const study_linearise_options* o, expr* y, base_notes* notes)
{
  const model* m = w->l->e->model;
  bool fine = true;
  for (int j = 0; j < o->inputs; j++) {
    w->along[j] = model_coord_find(m, o->input[j]);
    if (w->along[j] >= 0 || model_param_find(m, o->input[j]) >= 0) continue;
    base_error(notes, BASE_NOWHERE, "there is no input `%s`", o->input[j]);
    say_inputs(m, notes);
    fine = false;
  }
  for (int k = 0; k < o->outputs; k++) {
    y[k] = output_of(m, o->output[k]);
    if (y[k] != EXPR_NONE) continue;
    base_error(notes, BASE_NOWHERE, "there is no output `%s`", o->output[k]);
    base_help(notes, "an output is a coordinate, its rates, a quasi-velocity, or what the model "
                     "declares with `output` (of a vector NAME.x)");
    fine = false;
  }
  return fine;
}

static code_kernel* compile(work* w, int count, expr* list, base_notes* notes)
{
  engine* e = w->l->e;
  expr missing = EXPR_NONE;
  bool whole = true;
  engine_fix(e->program, count, list, list);
  for (int i = 0; i < count; i++) whole = whole && list[i] != EXPR_NONE;
  code_kernel* k =
      whole ? code_build(e->s->pool, count, list, e->program->inputs, e->program->input, &missing)
            : NULL;
  if (!k && missing != EXPR_NONE)
    base_error(notes, BASE_NOWHERE, "the linear model needs `%s`, which has no value",
               expr_name(e->s->pool, missing));
  else if (!k)
    base_error(notes, BASE_NOWHERE, "the linear model divides by zero");
  return k;
}

// symbols of the inputs that are params; EXPR_NONE for forces
static void input_symbols(const work* w, const study_linearise_options* o, expr* u)
{
  const model* m = w->l->e->model;
  for (int j = 0; j < o->inputs; j++)
    u[j] = w->along[j] >= 0 ? EXPR_NONE : m->param[model_param_find(m, o->input[j])].symbol;
}

static bool build(work* w, const study_linearise_options* o, const expr* y, base_notes* notes)
{
  engine* e = w->l->e;
  const mech_system* s = e->s;
  expr_pool* p = s->pool;
  const int n = e->n, m = e->m, rows = n + 3 * m, nu = o->inputs, width = 3 * n + m + nu;
  expr *u = base_alloc(sizeof(expr) * (size_t)(nu + 1)),
       *list = base_alloc(sizeof(expr) * (size_t)(rows + rows * nu + o->outputs * width + 1));
  expr *slope = list + rows, *by_state = slope + rows * nu;
  input_symbols(w, o, u);
  study_linear_residuals(e, list);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < nu; j++)
      slope[i * nu + j] = u[j] ? expr_diff(p, list[i], u[j]) : expr_int(p, 0);
  for (int k = 0; k < o->outputs; k++) {
    expr* to = by_state + k * width;
    expr_gradient(p, y[k], n, s->q, to);
    expr_gradient(p, y[k], n, s->v, to + n);
    expr_gradient(p, y[k], n, s->a, to + 2 * n);
    expr_gradient(p, y[k], m, e->model->reaction, to + 3 * n);
    for (int j = 0; j < nu; j++)
      to[3 * n + m + j] = u[j] ? expr_diff(p, y[k], u[j]) : expr_int(p, 0);
  }
  w->by_inputs = compile(w, rows * nu, slope, notes);
  w->by_state = w->by_inputs ? compile(w, o->outputs * width, by_state, notes) : NULL;
  free(u);
  free(list);
  if (!w->by_state) return false;
  w->wide = width;
  w->Ru = doubles(w, rows * nu);
  w->Y = doubles(w, o->outputs * width);
  const size_t a = code_scratch(w->by_inputs), b = code_scratch(w->by_state);
  w->scratch = base_arena_take(w->r->arena, sizeof(double) * ((a > b ? a : b) + 1));
  return true;
}

// ---- independent states -------------------------------------------------------------------------

static double rest_of(int d, int kept, const double* basis, double* x)
{
  for (int pass = 0; pass < 2; pass++)
    for (int h = 0; h < kept; h++) {
      double sum = 0;
      for (int k = 0; k < d; k++) sum += basis[h * d + k] * x[k];
      for (int k = 0; k < d; k++) x[k] -= sum * basis[h * d + k];
    }
  double square = 0;
  for (int k = 0; k < d; k++) square += x[k] * x[k];
  return sqrt(square);
}

static int by_number(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

// The first row of W from `from` on that tells nearly as much beside those taken as any does: what
// is left of it into `best`, its length returned; 0: none tells anything.
static double next_state(const work* w, int from, const bool* taken, const double* basis, double* x,
                         double* best, int* at)
{
  const study_linear* l = w->l;
  const int d = l->d;
  double most = 0, length = 0;
  for (int pass = 0; pass < 2 && !(length > 0); pass++)
    for (int i = from; i < from + l->n && !(length > 0); i++) {
      if (taken[i]) continue;
      memcpy(x, l->W + i * d, sizeof(double) * (size_t)d);
      const double left = rest_of(d, w->r->states, basis, x);
      if (!pass) most = fmax(most, left);
      if (!pass || left < nearly * most || left < weak_state) continue;
      memcpy(best, x, sizeof(double) * (size_t)d);
      length = left;
      *at = i;
    }
  return length;
}

// rows of W that tell all others; places first
static void choose_states(work* w)
{
  study_linearised* r = w->r;
  const int n = w->l->n, d = w->l->d;
  double *basis = doubles(w, d * d), *x = doubles(w, d), *best = doubles(w, d), length;
  bool* taken = base_arena_take(r->arena, (size_t)(2 * n + 1));
  int at;
  r->state = base_arena_take(r->arena, sizeof(int) * (size_t)(d + 1));
  for (int half = 0; half < 2; half++)
    while (r->states < d && (length = next_state(w, half * n, taken, basis, x, best, &at)) > 0) {
      taken[at] = true;
      for (int k = 0; k < d; k++) basis[r->states * d + k] = best[k] / length;
      r->state[r->states++] = at;
    }
  qsort(r->state, (size_t)r->states, sizeof *r->state, by_number);
}

// T = W W_S^-1, 2n by d; false where the states do not tell all
static bool lead(work* w, double* T)
{
  const study_linear* l = w->l;
  const int d = l->d, N = 2 * l->n;
  double *S = doubles(w, d * d), *x = doubles(w, d);
  int* pivot = base_arena_take(w->r->arena, sizeof(int) * (size_t)(d + 1));
  // the transpose: W_S^T x = (row of W)
  for (int h = 0; h < d; h++)
    for (int k = 0; k < d; k++) S[h * d + k] = l->W[w->r->state[k] * d + h];
  if (w->r->states != d || !num_lu(d, S, pivot)) return false;
  for (int i = 0; i < N; i++) {
    memcpy(x, l->W + i * d, sizeof(double) * (size_t)d);
    num_lu_solve(d, S, pivot, x);
    memcpy(T + i * d, x, sizeof(double) * (size_t)d);
  }
  return true;
}

// ---- the matrices -------------------------------------------------------------------------------

// x = (da, dLambda) of the right side in l->right, rows as in study_linear_again
static void respond(work* w, double* da, double* dlambda)
{
  study_linear* l = w->l;
  const engine* e = l->e;
  num_null_solve(l->null, l->K, l->right, l->x);
  memcpy(da, l->x, sizeof(double) * (size_t)l->n);
  memset(dlambda, 0, sizeof(double) * (size_t)e->m);
  for (int r = 0, at = l->n; r < e->mode.rows; r++)
    if (study_linear_is_unknown(e, e->mode.row[r])) dlambda[e->mode.row[r]] = l->x[at++];
}

static double along(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// a column of A or B and of C or D: the change z of (q, v), and what follows
static void put(work* w, int columns, int k, const double* z, const double* da,
                const double* dlambda, double* up, double* down)
{
  const study_linearised* r = w->r;
  const int n = w->l->n, m = w->l->e->m;
  for (int h = 0; h < r->states; h++) {
    const int i = r->state[h];
    up[h * columns + k] = i < n ? (z ? z[n + i] : 0) : da[i - n];
  }
  for (int h = 0; h < r->outputs; h++) {
    const double* Y = w->Y + h * w->wide;
    down[h * columns + k] = (z ? along(2 * n, Y, z) : Y[3 * n + m + k]) + along(n, Y + 2 * n, da) +
                            along(m, Y + 3 * n, dlambda);
  }
}

static int row_of(const work* w, int i)
{
  const engine* e = w->l->e;
  return i < e->n ? i : e->n + e->mode.row[i - e->n];
}

static void fill(work* w, const double* T)
{
  study_linear* l = w->l;
  study_linearised* r = w->r;
  const engine* e = l->e;
  const int n = l->n, d = r->states, rows = n + e->mode.rows;
  double *z = doubles(w, 2 * n), *da = doubles(w, n), *dlambda = doubles(w, e->m);
  for (int k = 0; k < d; k++) {
    for (int i = 0; i < 2 * n; i++) z[i] = T[i * d + k];
    for (int i = 0; i < rows; i++) l->right[i] = -along(2 * n, l->R + row_of(w, i) * l->width, z);
    respond(w, da, dlambda);
    put(w, d, k, z, da, dlambda, r->A, r->C);
  }
  for (int k = 0; k < r->inputs; k++) {
    for (int i = 0; i < rows; i++) {
      const double slope = w->Ru[row_of(w, i) * r->inputs + k];
      l->right[i] = w->along[k] >= 0 ? i == w->along[k] : -slope;
    }
    respond(w, da, dlambda);
    put(w, r->inputs, k, NULL, da, dlambda, r->B, r->D);
  }
}

// an input that moves a constraint is a motion, not a force: the states themselves would jump
static bool leaves_constraints(const work* w, base_notes* notes)
{
  const engine* e = w->l->e;
  const int nu = w->r->inputs;
  for (int j = 0; j < nu; j++)
    for (int i = e->n + e->m; i < e->n + 3 * e->m; i++)
      if (fabs(w->Ru[i * nu + j]) > moved) {
        base_error(notes, BASE_NOWHERE, "the input `%s` moves the constraint `%s`", w->r->input[j],
                   e->model->constraint[(i - e->n) % e->m].name);
        base_help(notes, "an input is a force; what is moved needs a drive with a spring or a "
                         "control");
        return false;
      }
  return true;
}

static bool make(work* w, base_notes* notes)
{
  study_linear* l = w->l;
  study_linearised* r = w->r;
  engine* e = l->e;
  if (contact_sides(e) || study_linear_at(l)) {
    base_error(notes, BASE_NOWHERE, "no accelerations at this state: %s", e->reason);
    return false;
  }
  code_run(w->by_inputs, e->in, w->Ru, w->scratch);
  code_run(w->by_state, e->in, w->Y, w->scratch);
  if (!leaves_constraints(w, notes)) return false;
  const int d = study_linear_tangent(l);
  double* T = doubles(w, 2 * l->n * d);
  choose_states(w);
  if (!lead(w, T)) {
    base_error(notes, BASE_NOWHERE, "the constraints lose rank at this state");
    return false;
  }
  r->A = doubles(w, d * d);
  r->B = doubles(w, d * r->inputs);
  r->C = doubles(w, r->outputs * d);
  r->D = doubles(w, r->outputs * r->inputs);
  fill(w, T);
  r->re = doubles(w, d);
  r->im = doubles(w, d);
  r->t = e->in[0];
  memcpy(r->q, e->q, sizeof(double) * (size_t)e->n);
  memcpy(r->v, e->v, sizeof(double) * (size_t)e->n);
  if (num_eigen(d, r->A, r->re, r->im)) return true;
  base_error(notes, BASE_NOWHERE, "the eigenvalues could not be computed");
  return false;
}

static bool make_symbols(work* w, const study_linearise_options* o, const expr* y,
                         base_notes* notes)
{
  expr* u = base_arena_take(w->r->arena, sizeof(expr) * (size_t)(o->inputs + 1));
  input_symbols(w, o, u);
  return study_linearise_symbolic(w->l, w->r, w->along, u, y, notes);
}

study_linearised* study_linearise(mech_system* s, const study_linearise_options* o,
                                  base_notes* notes)
{
  engine* e = contact_engine_new(s, notes);
  if (!e) return NULL;
  base_arena* arena = base_arena_new();
  study_linearised* r = base_arena_take(arena, sizeof *r);
  *r = (study_linearised){.arena = arena,
                          .model = e->model,
                          .n = e->n,
                          .inputs = o->inputs,
                          .outputs = o->outputs,
                          .input = o->input,
                          .output = o->output};
  work w = {.r = r, .along = base_arena_take(arena, sizeof(int) * (size_t)(o->inputs + 1))};
  r->q = doubles(&w, e->n);
  r->v = doubles(&w, e->n);
  expr* y = base_arena_take(arena, sizeof(expr) * (size_t)(o->outputs + 1));
  const study_stability_options start = {.given = o->given, .state = o->state};
  w.l = study_stability_begin(e, &start, notes) ? study_linear_new(e, notes) : NULL;
  const bool fine = w.l && know(&w, o, y, notes) && build(&w, o, y, notes) &&
                    study_settle_engine(w.l, o->where, &start, notes) &&
                    study_stability_is_undisturbed(e, notes) && make(&w, notes) &&
                    (!o->symbolic || make_symbols(&w, o, y, notes));
  code_free(w.by_inputs);
  code_free(w.by_state);
  study_linear_free(w.l);
  engine_free(e);
  if (fine) return r;
  base_arena_free(arena);
  return NULL;
}

void study_linearised_free(study_linearised* r)
{
  if (r) base_arena_free(r->arena);
}
