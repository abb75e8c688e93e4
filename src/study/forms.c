// Accelerations and reactions by the equations of a form, as the form itself writes them.
#include "study/forms.h"
#include "engine/engine.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

// Unknowns of a form while they are found. Accelerations and reactions stand in the engine, rates
// of quasi-velocities do not.
typedef struct unknowns
{
  int count;
  const expr* symbol;
  double** place; // of each
  double* own;    // values that do not stand in the engine
} unknowns;

static unknowns find_unknowns(engine* e, const mech_equations* q, base_arena* arena)
{
  unknowns u = {.count = q->unknowns, .symbol = q->unknown};
  u.place = base_arena_take(arena, sizeof(double*) * (size_t)(u.count + 1));
  u.own = base_arena_take(arena, sizeof(double) * (size_t)(u.count + 1));
  for (int j = 0; j < u.count; j++) {
    u.place[j] = &u.own[j];
    for (int i = 0; i < e->n; i++)
      if (q->unknown[j] == e->model->coord[i].a) u.place[j] = &e->a[i];
    for (int k = 0; k < e->m; k++)
      if (q->unknown[j] == e->model->reaction[k]) u.place[j] = &e->lambda[k];
  }
  return u;
}

// the engine's state, accelerations and reactions, lent
static study_point point_of(const engine* e)
{
  return (study_point){.n = e->n,
                       .m = e->m,
                       .t = e->in[0],
                       .q = e->q,
                       .v = e->v,
                       .a = e->a,
                       .lambda = e->lambda,
                       .holds = e->holds};
}

// symbols and their numbers
typedef struct known
{
  int count;
  expr* symbol;
  double* value;
} known;

// what the engine knows, with room for more
static known known_of(const engine* e, int more, base_arena* arena)
{
  expr* symbol;
  double* value;
  const study_point here = point_of(e);
  known k = {.count = study_point_symbols(e->s, &here, arena, &symbol, &value)};
  k.symbol = base_arena_take(arena, sizeof(expr) * (size_t)(k.count + more + 1));
  k.value = base_arena_take(arena, sizeof(double) * (size_t)(k.count + more + 1));
  memcpy(k.symbol, symbol, sizeof(expr) * (size_t)k.count);
  memcpy(k.value, value, sizeof(double) * (size_t)k.count);
  // what a stage has set and what is delayed is not the number that the model has
  for (int i = 0; i < e->p; i++)
    for (int j = 0; j < k.count; j++)
      if (k.symbol[j] == e->model->param[e->program->changing[i]].symbol) k.value[j] = e->par[i];
  return k;
}

static void tell(known* k, expr symbol, double value)
{
  k->symbol[k->count] = symbol;
  k->value[k->count++] = value;
}

static void tell_unknowns(known* k, const unknowns* u)
{
  for (int j = 0; j < u->count; j++)
    if (u->place[j] == &u->own[j]) tell(k, u->symbol[j], u->own[j]);
}

// expressions at the state and the unknowns as they are
static bool evaluate(engine* e, const unknowns* u, int count, const expr* list, double* out)
{
  base_arena* arena = base_arena_new();
  known k = known_of(e, u->count, arena);
  tell_unknowns(&k, u);
  expr_values(e->s->pool, count, list, k.count, k.symbol, k.value, out);
  base_arena_free(arena);
  bool finite = true;
  for (int i = 0; i < count; i++) finite = finite && isfinite(out[i]);
  return finite;
}

void study_forms_evaluate(engine* e, const mech_view* v, int count, const expr* list, double* out)
{
  base_arena* arena = base_arena_new();
  known k = known_of(e, v->speeds, arena);
  for (int i = 0; i < v->speeds; i++)
    tell(&k, v->speed[i], expr_value(e->s->pool, v->meaning[i], k.count, k.symbol, k.value));
  expr_values(e->s->pool, count, list, k.count, k.symbol, k.value, out);
  base_arena_free(arena);
}

// equations of a form as they were made at some state, and the slopes of their residuals
typedef struct kept
{
  const mech_form* form;
  mech_equations* q;
  expr* list; // residuals by unknowns, then the residuals
  bool affine;
} kept;

static kept keep(const engine* e, mech_equations* q)
{
  const int rows = q->residuals, n = q->unknowns;
  kept k = {
      .form = q->form, .q = q, .list = base_alloc(sizeof(expr) * (size_t)(rows * (n + 1) + 1))};
  for (int i = 0; i < rows; i++) {
    expr_gradient(e->s->pool, q->residual[i], n, q->unknown, k.list + i * n);
    k.list[rows * n + i] = q->residual[i];
  }
  k.affine = is_affine(e->s->pool, q, k.list);
  return k;
}

static void forget(kept* k)
{
  mech_equations_free(k->q);
  free(k->list);
}

// What unknowns are measured by where redundant constraints leave their reactions open: reactions
// by the acceleration that they give, as the engine has it; accelerations are determined all the
// same.
static void measure_unknowns(engine* e, const unknowns* u, double* weight)
{
  double* mass = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  engine_masses_here(e, mass);
  for (int j = 0; j < u->count; j++) {
    const ptrdiff_t k = u->place[j] - e->lambda;
    double sum = 0;
    for (int i = 0; k >= 0 && k < e->m && i < e->n; i++)
      sum += mass[i] > 0 ? e->A[k * e->n + i] * e->A[k * e->n + i] / mass[i] : 0;
    weight[j] = sum > 0 ? 1 / sqrt(sum) : 1;
  }
  free(mass);
}

// Unknowns from the residuals of a form. Affine ones are solved from zero at once; where a
// constraint is nonlinear in the accelerations or forces hold reactions, Newton's method goes on
// from the motion already found, since the equations of a form hold at every stationary point.
static bool solve_residuals(engine* e, const kept* made, double* x, base_notes* notes)
{
  const mech_equations* q = made->q;
  const int rows = q->residuals, n = q->unknowns, count = rows * (n + 1);
  base_arena* arena = base_arena_new();
  double* K = base_arena_take(arena, sizeof(double) * (size_t)(count + 2 * n + 1));
  double *b = K + rows * n, *step = b + rows, *weight = step + n;
  const unknowns u = find_unknowns(e, q, arena);
  for (int j = 0; j < n && made->affine; j++) *u.place[j] = 0;
  for (int j = 0; j < n; j++) x[j] = *u.place[j];
  num_null* f = num_null_new(rows, n);
  // redundant constraints leave their reactions open: the least; accelerations are unique all the
  // same
  const int open = e->mode.implied_count + (e->mode.coupled ? 0 : e->mode.rows - e->rank);
  if (open) {
    measure_unknowns(e, &u, weight);
    num_null_weigh(f, weight);
  }
  bool solved = true;
  for (int turn = 0; turn < (made->affine ? 1 : 8) && solved; turn++) {
    solved = evaluate(e, &u, count, made->list, K);
    for (int i = 0; i < rows; i++) b[i] = -b[i];
    solved = solved && num_null_factor(f, rows, n, K, open ? 1e-10 : 1e-13) >= n - open &&
             num_null_solve(f, K, b, step) < 1e-6;
    if (solved && made->affine) refine(f, rows, n, K, b, step);
    for (int j = 0; j < n && solved; j++) *u.place[j] = x[j] += step[j];
  }
  if (!solved)
    base_error(notes, BASE_NOWHERE, "the equations of the form `%s` are singular at this state",
               q->form->name);
  num_null_free(f);
  base_arena_free(arena);
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

static bool take_active(const engine* e, base_arena* arena, active_system* out, base_notes* notes)
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
    if (!e->mode.active[k] || m->constraint[k].hidden) continue;
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
static void take_answers(engine* e, base_arena* arena, const mech_equations* q, const double* x)
{
  const model* m = e->model;
  // controls, and reactions that forces depend on, are given; a form has the accelerations for them
  for (int k = 0; k < e->m && !e->mode.coupled; k++) e->lambda[k] = 0;
  for (int j = 0; j < q->unknowns; j++) {
    for (int i = 0; i < e->n; i++)
      if (q->unknown[j] == m->coord[i].a) e->a[i] = x[j];
    for (int k = 0; k < e->m; k++)
      if (q->unknown[j] == m->reaction[k]) e->lambda[k] = x[j];
  }
  if (!q->reactions) return;
  // formulas of reactions may hold what the form defines
  known k = known_of(e, q->unknowns + q->definitions, arena);
  const unknowns u = find_unknowns(e, q, arena);
  for (int j = 0; j < q->unknowns; j++) u.own[j] = x[j];
  tell_unknowns(&k, &u);
  for (int i = 0; i < q->definitions; i++) {
    const expr left = q->definition[i].left;
    bool there = false;
    for (int j = 0; j < k.count && !there; j++) there = k.symbol[j] == left;
    if (there) continue;
    tell(&k, left, expr_value(e->s->pool, q->definition[i].right, k.count, k.symbol, k.value));
  }
  expr* right = base_arena_take(arena, sizeof(expr) * (size_t)(q->reactions + 1));
  double* value = base_arena_take(arena, sizeof(double) * (size_t)(q->reactions + 1));
  for (int i = 0; i < q->reactions; i++) right[i] = q->reaction[i].right;
  expr_values(e->s->pool, q->reactions, right, k.count, k.symbol, k.value, value);
  for (int i = 0; i < q->reactions; i++) {
    const int row = model_constraint_find(m, q->reaction[i].label);
    if (row >= 0) e->lambda[row] = value[i];
  }
}

static bool solve_kept(engine* e, const kept* k, base_notes* notes)
{
  base_arena* arena = base_arena_new();
  double* x = base_arena_take(arena, sizeof(double) * (size_t)(k->q->unknowns + 1));
  const bool fine = solve_residuals(e, k, x, notes);
  if (fine) take_answers(e, arena, k->q, x);
  base_arena_free(arena);
  return fine;
}

// `automatic` leaves declared quasi-velocities aside
static bool make(engine* e, const mech_system* s, const mech_form* form, bool automatic,
                 base_notes* notes, kept* out)
{
  base_arena* arena = base_arena_new();
  // declared quasi-velocities that are bad ones here do not take the place of velocities
  const mech_view plain = mech_view_make(MECH_OF_COORDINATES, s, NULL, arena);
  mech_choice fit = study_minor_choose(e, &plain, arena);
  fit.automatic = automatic;
  const mech_view view = mech_view_make(form->speeds, s, &fit, arena);
  mech_choice choice = study_minor_choose(e, &view, arena);
  choice.automatic = automatic;
  const char* why = mech_form_unsuited(form, s, arena);
  if (why)
    base_error(notes, BASE_NOWHERE, "the form `%s` does not suit this model: %s", form->name, why);
  mech_equations* q = why ? NULL : mech_view_equations(form, &view, &choice, notes);
  if (q) *out = keep(e, q);
  base_arena_free(arena);
  return q != NULL;
}

// does the state stand where a force jumps?
static bool at_a_jump(engine* e)
{
  bool jump = e->mode.held_count > 0;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  for (int i = 0; i < e->program->modes.count; i++)
    jump = jump || (e->program->modes.slides[i] && e->work.switching[i] == 0);
  return jump;
}

// ---- forms at one state after another -----------------------------------------------------------

enum { most_kept = 4 }; // of a form

struct study_forms
{
  base_arena* arena;
  bool* active; // the constraints of `now`
  active_system now;
  BASE_LIST(kept) made;
};

study_forms* study_forms_new(void)
{
  return base_alloc(sizeof(study_forms));
}

static void drop(study_forms* f)
{
  for (int i = 0; i < f->made.n; i++) forget(&f->made.at[i]);
  base_list_free(&f->made);
  mech_free(f->now.system);
  if (f->arena) base_arena_free(f->arena);
  memset(f, 0, sizeof *f);
}

void study_forms_free(study_forms* f)
{
  if (f) drop(f);
  free(f);
}

// the system of the constraints that hold now
static bool follow(study_forms* f, const engine* e, base_notes* notes)
{
  if (f->now.system && memcmp(f->active, e->mode.active, (size_t)e->m) == 0) return true;
  drop(f);
  f->arena = base_arena_new();
  f->active = base_arena_take(f->arena, (size_t)e->m + 1);
  memcpy(f->active, e->mode.active, (size_t)e->m);
  return take_active(e, f->arena, &f->now, notes);
}

static int count_of(const study_forms* f, const mech_form* form)
{
  int count = 0;
  for (int i = 0; i < f->made.n; i++) count += f->made.at[i].form == form;
  return count;
}

// equations made for this state, and kept while there is room
static bool solve_anew(study_forms* f, engine* e, const mech_form* form, bool automatic,
                       base_notes* notes)
{
  kept k;
  if (!make(e, f->now.system, form, automatic, notes, &k)) return false;
  const bool fine = solve_kept(e, &k, notes);
  if (fine && count_of(f, form) < most_kept)
    base_push(&f->made, k);
  else
    forget(&k);
  return fine;
}

// forms share the load of redundant constraints in ways of their own: show the least
static void share(engine* e)
{
  if (!e->mode.implied_count) return;
  engine_equations(e);
  contact_reactions(e);
}

bool study_forms_again(study_forms* f, engine* e, const mech_form* form, int which)
{
  base_notes* quiet = base_notes_new();
  bool fine = false;
  if (!at_a_jump(e) && follow(f, e, quiet))
    for (int i = 0; i < f->made.n && which >= 0; i++)
      if (f->made.at[i].form == form && which-- == 0) fine = solve_kept(e, &f->made.at[i], quiet);
  if (fine) share(e);
  base_notes_free(quiet);
  return fine;
}

bool study_forms_solve(study_forms* f, engine* e, const mech_form* form, base_notes* notes)
{
  if (at_a_jump(e)) {
    base_error(notes, BASE_NOWHERE,
               "the forces jump at this very state; which side of the jump acts, or what between "
               "them, the equations of a form do not tell");
    return false;
  }
  base_notes* quiet = base_notes_new();
  bool fine = follow(f, e, notes);
  fine = fine && (solve_anew(f, e, form, false, quiet) || solve_anew(f, e, form, true, notes));
  if (fine) share(e);
  base_notes_free(quiet);
  return fine;
}

bool study_by_form(engine* e, const mech_form* form, base_notes* notes)
{
  study_forms* f = study_forms_new();
  const bool fine = study_forms_solve(f, e, form, notes);
  study_forms_free(f);
  return fine;
}
