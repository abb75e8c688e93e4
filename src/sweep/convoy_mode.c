// The motion in one mode as kernels for several runs: rates in all velocities, with multipliers,
//   M a = F + A^T Lambda,   A a + b = 0
// what puts the end of a step back on the constraints, the change of least length with
//   A dq + f0 = 0,   then   A dv + f1 = 0
// and values that tell, by their signs, that the mode is about to end.
//
// Coordinates without mass make M singular. Since A a + b = 0, nothing changes if
//   A^T diag(g) (A a + b)
// is added on the left (Hestenes 1969: augmented Lagrangian), g > 0: then M + A^T diag(g) A is
// regular wherever the accelerations are determined.
#include "sweep/convoy.h"

#include "sweep/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_modes = 24 };
// Of what the table of features knows: forces and constraints that are no part of the mode may be
// of any kind.
enum {
  takes = ENGINE_BY_ACCELERATIONS | ENGINE_BY_REACTIONS | ENGINE_CURVED | ENGINE_CONTROLS |
          ENGINE_WHILE | ENGINE_STAGES | ENGINE_CHANGES | ENGINE_PARAMS | ENGINE_INEQUALITIES |
          ENGINE_CORNERS | ENGINE_HOLDS_ACCELERATIONS | ENGINE_HOLDS_NONLINEAR |
          ENGINE_HOLDS_IMPLIED | ENGINE_HOLDS_PARTS
};
// smallest share of itself a pivot may be reduced to: of the accelerations; where masses were added
const double sweep_least_pivot = 0.01;
static const double least_added = 1e-5;
const double sweep_least_tolerance = 3e-13;
// of the mean mass of all coordinates, along rows that bind none with a mass
static const double little_mass = 0.01;

// ---- kernels ------------------------------------------------------------------------------------

// inputs of the program, signs and floors, gradients
static expr* list_inputs(const sweep_mode_maker* w, int* count)
{
  const int own = w->program->inputs;
  *count = own + 2 * w->watch.n + w->before.n;
  expr* input = sweep_mode_take(w, *count);
  memcpy(input, w->program->input, sizeof(expr) * (size_t)own);
  for (int i = 0; i < w->watch.n; i++) {
    input[own + 2 * i] = expr_symbol(w->pool, base_arena_printf(w->arena, "watch(%d)", i));
    input[own + 2 * i + 1] = expr_symbol(w->pool, base_arena_printf(w->arena, "floor(%d)", i));
  }
  for (int i = 0; i < w->before.n; i++) input[own + 2 * w->watch.n + i] = w->before.at[i];
  return input;
}

// Is row r needed to make up for mass that is missing? The norm of a quaternion, and rows that bind
// coordinates without any.
static bool lends_mass(const sweep_mode_maker* w, int r)
{
  const int n = w->e->n;
  if (w->e->model->constraint[w->e->mode.row[r]].internal) return true;
  for (int i = 0; i < n; i++)
    if (w->p->M[i * n + i] == w->e->s->zero[0] && w->p->A[r * n + i] != w->e->s->zero[0])
      return true;
  return false;
}

// the mass along row r: what its coordinates have, weighed by its squares, and a little of the mean
static expr mass_along(const sweep_mode_maker* w, int r)
{
  const int n = w->e->n;
  expr_pool* pool = w->pool;
  expr square = w->e->s->zero[0], along = square, mean = square;
  for (int j = 0; j < n; j++) {
    const expr a = w->p->A[r * n + j], aa = expr_mul(pool, a, a), m = w->p->M[j * n + j];
    square = expr_add(pool, square, aa);
    along = expr_add(pool, along, expr_mul(pool, aa, m));
    mean = expr_add(pool, mean, m);
  }
  mean = expr_mul(pool, expr_double(pool, little_mass / n), mean);
  return expr_div(pool, expr_add(pool, expr_div(pool, along, square), mean), square);
}

// M + A^T diag(g) A and F - A^T diag(g) b; were there such rows?
static bool add_masses(const sweep_mode_maker* w, expr* M, expr* F)
{
  const int n = w->e->n;
  expr_pool* pool = w->pool;
  bool any = false;
  for (int r = 0; r < w->p->rows; r++) {
    if (!lends_mass(w, r)) continue;
    any = true;
    const expr g = mass_along(w, r), *A = w->p->A + r * n;
    for (int i = 0; i < n; i++) {
      const expr ga = expr_mul(pool, g, A[i]);
      F[i] = expr_sub(pool, F[i], expr_mul(pool, ga, w->p->b[r]));
      for (int j = 0; j < n; j++)
        M[i * n + j] = expr_add(pool, M[i * n + j], expr_mul(pool, ga, A[j]));
    }
  }
  return any;
}

// outputs beside the accelerations; false where one has no value
static bool list_others(const sweep_mode_maker* w, const expr* input, sweep_mode* m, expr* other)
{
  const int n = w->e->n, own = w->program->inputs;
  int at = 0;
  for (int i = 0; i < n; i++) other[at++] = w->p->rate[i];
  m->power = w->p->power == w->e->s->zero[0] ? -1 : n + 1 + at;
  if (m->power >= 0) other[at++] = w->p->power;
  m->first = n + 1 + at;
  expr* value = other + at;
  engine_fix(w->program, w->value.n, w->value.at, value);
  for (int i = 0; i < w->value.n; i++) {
    if (value[i] == EXPR_NONE) return false;
    value[i] =
        expr_sub(w->pool, expr_mul(w->pool, input[own + 2 * i], value[i]), input[own + 2 * i + 1]);
  }
  return true;
}

static bool build_rates(const sweep_mode_maker* w, int inputs, const expr* input, sweep_mode* m)
{
  const int n = w->e->n, rows = w->p->rows;
  expr *M = sweep_mode_take(w, n * n), *F = sweep_mode_take(w, n),
       *other = sweep_mode_take(w, n + 1 + w->value.n);
  memcpy(M, w->p->M, sizeof(expr) * (size_t)(n * n));
  memcpy(F, w->p->F, sizeof(expr) * (size_t)n);
  const bool whole = !add_masses(w, M, F);
  if (!list_others(w, input, m, other) || expr_pool_full(w->pool)) return false;
  const code_linear problem = {.n = n,
                               .rows = rows,
                               .M = M,
                               .F = F,
                               .A = w->p->A,
                               .b = w->p->b,
                               .tolerance = whole ? sweep_least_pivot : least_added,
                               .others = m->first - n - 1 + w->value.n,
                               .other = other,
                               .unknown = w->e->s->a,
                               .multiplier = w->p->lambda};
  m->rates = code_build_solve(w->pool, &problem, inputs, input, NULL);
  return m->rates != NULL;
}

// The change of least length by which the rows of a level are met: *made is null where there are
// none.
static bool build_shift(const sweep_mode_maker* w, int level, int inputs, const expr* input,
                        code_kernel** made)
{
  const int n = w->e->n;
  expr *A = sweep_mode_take(w, w->p->rows * n), *f = sweep_mode_take(w, w->p->rows);
  int rows = 0;
  for (int r = 0; r < w->p->rows; r++) {
    const int k = w->e->mode.row[r];
    if (w->e->model->constraint[k].order > level) continue;
    memcpy(A + rows * n, w->p->A + r * n, sizeof(expr) * (size_t)n);
    f[rows++] = level ? w->e->s->f1[k] : w->e->s->f0[k];
  }
  *made = NULL;
  if (!rows) return true;
  engine_fix(w->program, rows, f, f);
  for (int r = 0; r < rows; r++)
    if (f[r] == EXPR_NONE) return false;
  *made = sweep_shift_new(w->pool, w->arena, n, rows, A, f, inputs, input);
  return *made != NULL;
}

// ---- what suits ---------------------------------------------------------------------------------

// do the equations of the mode hold what one linear problem has no place for?
static const char* obstacle(const sweep_mode_maker* w)
{
  const mech_system* s = w->e->s;
  const int n = w->e->n, rows = w->p->rows;
  const engine_features asked = rate_features(w->e) & ~(engine_features)takes;
  if (asked) return engine_features_reason(asked);
  if (w->e->mode.implied_count && w->program->work_needs_reactions)
    return engine_features_reason(ENGINE_HOLDS_IMPLIED);
  expr_index *by_a = expr_index_new(n, s->a), *by_force = expr_index_new(rows, w->p->lambda);
  const expr* list[] = {w->p->M, w->p->F, w->p->A, w->p->b};
  const int count[] = {n * n, n, rows * n, rows};
  engine_features found = 0;
  for (int i = 0; i < 4; i++) {
    if (expr_index_any_of(w->pool, by_a, count[i], list[i])) found |= ENGINE_BY_ACCELERATIONS;
    if (expr_index_any_of(w->pool, by_force, count[i], list[i])) found |= ENGINE_BY_REACTIONS;
  }
  expr_index_free(by_a);
  expr_index_free(by_force);
  return engine_features_reason(found);
}

static void release(void* thing)
{
  sweep_mode* m = thing;
  if (!m) return;
  code_free(m->rates);
  code_free(m->stages);
  sweep_settle_free(&m->settle);
  free(m->watch);
  free(m->row);
  free(m);
}

step_lanes_problem sweep_mode_problem(const sweep_mode* m, int width)
{
  return (step_lanes_problem){.n = 2 * m->n,
                              .places = m->n,
                              .width = width,
                              .inputs = m->inputs,
                              .outputs = code_outputs(m->rates),
                              .row = m->row,
                              .guard = m->n,
                              .along = m->power,
                              .watch = m->first,
                              .watches = m->watches,
                              .before = true};
}

static void finish(sweep_mode_maker* w, sweep_mode* m)
{
  const int n = m->n, width = code_lanes();
  m->watches = w->watch.n;
  m->watch = base_alloc(sizeof *m->watch * (size_t)(m->watches + 1));
  if (m->watches) memcpy(m->watch, w->watch.at, sizeof *m->watch * (size_t)m->watches);
  m->row = base_alloc(sizeof(int) * (size_t)(2 * n + 1));
  for (int i = 0; i < n; i++) {
    m->row[i] = n + 1 + i;
    m->row[n + i] = i;
  }
  const step_lanes_problem p = sweep_mode_problem(m, width);
  m->stages = sweep_stages_new(&m->rates, &p);
  if (m->stages) code_native(m->stages, width);
  code_native(m->rates, width);
  sweep_settle_ready(&m->settle, width);
}

static sweep_mode* make(sweep_mode_maker* w, const char** why)
{
  *why = obstacle(w);
  if (*why) return NULL;
  *why = "its equations cannot be made into one kernel";
  sweep_mode_watch(w);
  sweep_mode* m = base_alloc(sizeof *m);
  *m = (sweep_mode){.n = w->e->n,
                    .own = w->program->inputs,
                    .settle = {.n = w->e->n, .straight = w->e->mode.all_linear}};
  const expr* input = list_inputs(w, &m->inputs);
  if (build_rates(w, m->inputs, input, m) &&
      build_shift(w, 0, m->inputs, input, &m->settle.places) &&
      build_shift(w, 1, m->inputs, input, &m->settle.speeds)) {
    finish(w, m);
    *why = NULL;
    return m;
  }
  release(m);
  return NULL;
}

// ---- what is kept -------------------------------------------------------------------------------

// a mode, or why there is none
typedef struct entry
{
  sweep_mode* mode;
  const char* why;
} entry;

static void release_entry(void* thing)
{
  release(((entry*)thing)->mode);
  free(thing);
}

static base_key key_of(const walk_stretch* x, base_text* bytes)
{
  const engine* e = x->e;
  const contact_inequalities* u = e->unilateral;
  base_text_addn(bytes, (const char*)&e->program, sizeof e->program);
  base_text_addn(bytes, (const char*)&x->stage, sizeof x->stage);
  base_text_addn(bytes, (const char*)e->mode.active, (size_t)e->m);
  base_text_addn(bytes, (const char*)e->mode.implied, (size_t)e->m);
  if (u) base_text_addn(bytes, (const char*)u->present, (size_t)u->count);
  for (int i = 0; i < e->model->contacts; i++) {
    const bool tells = contact_guard_tells(e, i);
    base_text_addn(bytes, (const char*)&tells, sizeof tells);
  }
  return (base_key){"convoy", bytes->at, bytes->n};
}

// M of a deep tree, which other runs do without
static expr* written_masses(const sweep_mode_maker* w)
{
  const int count = w->e->n * w->e->n;
  expr* M = sweep_mode_take(w, count);
  engine_fix(w->program, count, mech_mass(w->e->s), M);
  return M;
}

static entry* make_entry(const walk_stretch* x)
{
  sweep_mode_maker w = {.x = x,
                        .e = x->e,
                        .program = x->e->program,
                        .pool = x->e->s->pool,
                        .arena = base_arena_new()};
  entry* made = base_alloc(sizeof *made);
  made->why = "something of its equations has no value";
  if (!rate_shared_equations(w.program)->undefined) {
    rate_rows rows = rate_shared_problem(w.e, false)->rows;
    if (!rows.M) rows.M = written_masses(&w);
    w.p = &rows;
    made->mode = make(&w, &made->why);
  }
  base_list_free(&w.value);
  base_list_free(&w.watch);
  base_list_free(&w.before);
  base_arena_free(w.arena);
  return made;
}

const sweep_mode* sweep_mode_of(const walk_stretch* x, const char** why)
{
  base_kept* kept = x->e->s->kept;
  base_text bytes = {0};
  const base_key key = key_of(x, &bytes);
  void* found = NULL;
  // near a singular position the general way is taken, and of many coordinates no full matrices
  *why = engine_features_reason(rate_features(x->e) & (ENGINE_NEAR_SINGULAR | ENGINE_MANY));
  if (x->tolerance < sweep_least_tolerance) *why = "the tolerance asks for all digits";
  base_kept_open(kept);
  if (!*why && !base_kept_find(kept, key, &found) && base_kept_count(kept, key.what) < most_modes) {
    found = make_entry(x);
    base_kept_add(kept, key, found, release_entry);
  }
  base_kept_unlock(kept);
  base_text_free(&bytes);
  if (!found && !*why) *why = "it has very many modes";
  if (!found) return NULL;
  *why = ((entry*)found)->why;
  return ((entry*)found)->mode;
}
