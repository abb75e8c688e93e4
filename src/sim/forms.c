// Accelerations and reactions by the equations of a form, as the form itself writes them.
#include "sim/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Independent constraints, and for them dependent velocities with a regular minor: elimination with
// row and column pivoting on the rows of A.
static int choose_minor(const sim_engine* e, int* rows, int* columns)
{
  const int n = e->n;
  double* A = base_alloc(sizeof(double) * (size_t)(e->rows * n + 1));
  bool *used_row = base_alloc((size_t)e->rows + 1), *used_column = base_alloc((size_t)n);
  for (int r = 0; r < e->rows; r++) {
    used_row[r] = !sim_is_ideal(e, e->row[r]);
    double norm = 0;
    const double* from = e->A + e->row[r] * n;
    for (int j = 0; j < n; j++) norm += from[j] * from[j];
    for (int j = 0; j < n; j++) A[r * n + j] = norm > 0 ? from[j] / sqrt(norm) : 0;
  }
  int rank = 0;
  for (; rank < e->rows && rank < n; rank++) {
    int pr = -1, pc = -1;
    double most = 1e-9;
    for (int r = 0; r < e->rows; r++)
      for (int j = 0; j < n && !used_row[r]; j++)
        if (!used_column[j] && fabs(A[r * n + j]) > most) {
          most = fabs(A[r * n + j]);
          pr = r;
          pc = j;
        }
    if (pr < 0) break;
    used_row[pr] = true;
    used_column[pc] = true;
    rows[rank] = e->row[pr];
    columns[rank] = pc;
    for (int r = 0; r < e->rows; r++) {
      if (used_row[r]) continue;
      const double factor = A[r * n + pc] / A[pr * n + pc];
      for (int j = 0; j < n; j++) A[r * n + j] -= factor * A[pr * n + j];
    }
  }
  free(A);
  free(used_row);
  free(used_column);
  return rank;
}

// one step of iterative refinement, residual in extended precision
static void refine(const num_null* f, int rows, int n, const double* K, const double* b, double* x)
{
  double *r = base_alloc(sizeof(double) * (size_t)(rows + n + 1)), *d = r + rows;
  for (int i = 0; i < rows; i++) {
    long double left = b[i];
    for (int j = 0; j < n; j++) left -= (long double)K[i * n + j] * x[j];
    r[i] = (double)left;
  }
  num_null_solve(f, K, r, d);
  for (int j = 0; j < n; j++) x[j] += d[j];
  free(r);
}

// are all residuals affine in the unknowns?
static bool is_affine(expr_pool* pool, const mech_equations* q, const expr* slope)
{
  bool affine = true;
  for (int i = 0; i < q->residuals * q->unknowns && affine; i++)
    affine = !expr_has_any(pool, slope[i], q->unknowns, q->unknown);
  return affine;
}

// where the unknowns of a form stand in the engine; -1 - k for reaction k
static void find_unknowns(const sim_engine* e, const mech_equations* q, int* where)
{
  for (int j = 0; j < q->unknowns; j++) {
    for (int i = 0; i < e->n; i++)
      if (q->unknown[j] == e->model->coord[i].a) where[j] = i;
    for (int k = 0; k < e->m; k++)
      if (q->unknown[j] == e->model->reaction[k]) where[j] = -1 - k;
  }
}

static double* unknown_at(sim_engine* e, int where)
{
  return where >= 0 ? &e->a[where] : &e->lambda[-1 - where];
}

// K and right side -r at the accelerations and reactions in the engine
static bool evaluate(sim_engine* e, int count, const expr* list, double* K)
{
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  sim_point here = {.n = e->n,
                    .m = e->m,
                    .t = e->in[0],
                    .q = e->q,
                    .v = e->v,
                    .a = e->a,
                    .lambda = e->lambda,
                    .holds = e->holds};
  const int symbols = sim_point_symbols(e->s, &here, arena, &symbol, &value);
  expr_values(e->s->pool, count, list, symbols, symbol, value, K);
  base_arena_free(arena);
  bool finite = true;
  for (int i = 0; i < count; i++) finite = finite && isfinite(K[i]);
  return finite;
}

// Unknowns from the residuals of a form. Affine ones are solved from zero at once; where a
// constraint is nonlinear in the accelerations or forces hold reactions, Newton's method goes on
// from the motion already found, since the equations of a form hold at every stationary point.
static bool solve_residuals(sim_engine* e, const mech_equations* q, double* x, base_notes* notes)
{
  expr_pool* pool = e->s->pool;
  const int rows = q->residuals, n = q->unknowns, count = rows * (n + 1);
  expr* list = base_alloc(sizeof(expr) * (size_t)(count + 1));
  int* where = base_alloc(sizeof(int) * (size_t)(n + 1));
  double* K = base_alloc(sizeof(double) * (size_t)(count + n + 1));
  double *b = K + rows * n, *step = b + rows;
  for (int i = 0; i < rows; i++) {
    expr_gradient(pool, q->residual[i], n, q->unknown, list + i * n);
    list[rows * n + i] = q->residual[i];
  }
  find_unknowns(e, q, where);
  const bool affine = is_affine(pool, q, list);
  for (int j = 0; j < n && affine; j++) *unknown_at(e, where[j]) = 0;
  for (int j = 0; j < n; j++) x[j] = *unknown_at(e, where[j]);
  num_null* f = num_null_new(rows, n);
  // redundant constraints leave their reactions open: least norm; accelerations are unique all the
  // same
  const int open = e->implied_count + (e->coupled ? 0 : e->rows - e->rank);
  bool solved = true;
  for (int turn = 0; turn < (affine ? 1 : 8) && solved; turn++) {
    solved = evaluate(e, count, list, K);
    for (int i = 0; i < rows; i++) b[i] = -b[i];
    solved = solved && num_null_factor(f, rows, n, K, open ? 1e-10 : 1e-13) >= n - open &&
             num_null_solve(f, K, b, step) < 1e-6;
    if (solved && affine) refine(f, rows, n, K, b, step);
    for (int j = 0; j < n && solved; j++) *unknown_at(e, where[j]) = x[j] += step[j];
  }
  if (!solved)
    base_error(notes, BASE_NOWHERE, "the equations of the form `%s` are singular at this state",
               q->form->name);
  num_null_free(f);
  free(list);
  free(where);
  free(K);
  return solved;
}

// ---- the constraints that hold now --------------------------------------------------------------

// a system of the active constraints alone; the expressions are those of the whole one
typedef struct active_system
{
  model model;
  mech_system* system;
  int* number; // of each constraint of the whole model here, -1 where it is off
} active_system;

static bool take_active(const sim_engine* e, base_arena* arena, active_system* out,
                        base_notes* notes)
{
  const model* m = e->model;
  out->model = *m;
  out->model.constraint =
      base_arena_take(arena, sizeof *m->constraint * (size_t)(m->constraints + 1));
  out->model.reaction = base_arena_take(arena, sizeof(expr) * (size_t)(m->constraints + 1));
  out->number = base_arena_take(arena, sizeof(int) * (size_t)(m->constraints + 1));
  out->model.holds = base_arena_take(arena, sizeof(expr) * (size_t)(m->constraints + 1));
  int count = 0;
  for (int k = 0; k < m->constraints; k++) {
    out->number[k] = -1;
    if (!e->active[k] || m->constraint[k].hidden) continue;
    out->number[k] = count;
    out->model.constraint[count] = m->constraint[k];
    out->model.constraint[count].sense = 0; // it holds here
    out->model.holds[count] = m->holds[k];
    out->model.reaction[count++] = m->reaction[k];
  }
  out->model.constraints = count;
  out->system = mech_derive(&out->model, notes);
  return out->system != NULL;
}

// ---- a form -------------------------------------------------------------------------------------

// unknowns first, then what the form gives by formulas
static void take_answers(sim_engine* e, base_arena* arena, const mech_equations* q, const double* x)
{
  const model* m = e->model;
  // controls, and reactions that forces depend on, are given; a form has the accelerations for them
  for (int k = 0; k < e->m && !e->coupled; k++) e->lambda[k] = 0;
  for (int j = 0; j < q->unknowns; j++) {
    for (int i = 0; i < e->n; i++)
      if (q->unknown[j] == m->coord[i].a) e->a[i] = x[j];
    for (int k = 0; k < e->m; k++)
      if (q->unknown[j] == m->reaction[k]) e->lambda[k] = x[j];
  }
  sim_point here = {.n = e->n,
                    .m = e->m,
                    .t = e->in[0],
                    .q = e->q,
                    .v = e->v,
                    .a = e->a,
                    .lambda = e->lambda,
                    .holds = e->holds};
  expr* symbol;
  double* value;
  const int count = sim_point_symbols(e->s, &here, arena, &symbol, &value);
  for (int i = 0; i < q->reactions; i++) {
    const int k = model_constraint_find(m, q->reaction[i].label);
    if (k >= 0) e->lambda[k] = expr_value(e->s->pool, q->reaction[i].right, count, symbol, value);
  }
}

// `automatic` leaves declared quasi-velocities aside
static bool try_form(sim_engine* e, mech_system* s, const int* number, const mech_form* form,
                     bool automatic, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  int *rows = base_arena_take(arena, sizeof(int) * (size_t)(e->m + 1)),
      *columns = base_arena_take(arena, sizeof(int) * (size_t)(e->n + 1));
  const int rank = choose_minor(e, rows, columns);
  for (int i = 0; i < rank; i++) rows[i] = number[rows[i]];
  const mech_choice choice = {
      .rank = rank, .rows = rows, .dependent = columns, .automatic = automatic};
  mech_equations* q = mech_equations_of(form, s, &choice, notes);
  bool fine = q != NULL;
  if (q) {
    double* x = base_arena_take(arena, sizeof(double) * (size_t)(q->unknowns + 1));
    fine = solve_residuals(e, q, x, notes);
    if (fine) take_answers(e, arena, q, x);
  }
  mech_equations_free(q);
  base_arena_free(arena);
  return fine;
}

// does the state stand where a force jumps?
static bool at_a_jump(sim_engine* e)
{
  bool jump = e->held_count > 0;
  code_run(e->switches, e->in, e->switching, e->scratch);
  for (int i = 0; i < e->modes.count; i++)
    jump = jump || (e->modes.slides[i] && e->switching[i] == 0);
  return jump;
}

bool sim_by_form(sim_engine* e, const mech_form* form, base_notes* notes)
{
  if (at_a_jump(e)) {
    base_error(notes, BASE_NOWHERE,
               "the forces jump at this very state; which side of the jump acts, or what between "
               "them, the equations of a form do not tell");
    return false;
  }
  base_arena* arena = base_arena_new();
  base_notes* quiet = base_notes_new();
  active_system now = {0};
  bool fine = take_active(e, arena, &now, notes);
  if (fine)
    fine = try_form(e, now.system, now.number, form, false, quiet) ||
           try_form(e, now.system, now.number, form, true, notes);
  // forms share the load of redundant constraints in ways of their own: show the least
  if (fine && e->implied_count) {
    code_run(e->eom, e->in, e->eom_out, e->scratch);
    sim_reactions(e);
  }
  mech_free(now.system);
  base_notes_free(quiet);
  base_arena_free(arena);
  return fine;
}
