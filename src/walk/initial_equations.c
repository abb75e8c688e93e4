// The equations of an initial state: what is given exactly and the constraints, as one kernel.
#include "walk/initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_steps = 100 };

static int evaluate(void* context, const double* x, double* F, double* J)
{
  walk_initial* p = context;
  engine* e = p->e;
  const int n2 = 2 * e->n;
  const double* size = p->size + p->offset;
  for (int j = 0; j < p->unknowns; j++) e->q[p->offset + j] = x[j] * size[j];
  code_run(p->kernel, e->in, p->out, p->scratch);
  int bad = 0;
  for (int i = 0; i < p->rows; i++) {
    const int k = p->row[i];
    F[i] = p->out[k];
    bad |= !isfinite(F[i]);
    for (int j = 0; J && j < p->unknowns; j++) {
      J[i * p->unknowns + j] = p->out[p->count + k * n2 + p->offset + j] * size[j];
      bad |= !isfinite(J[i * p->unknowns + j]);
    }
  }
  return bad;
}

void walk_initial_collect(walk_initial* p, int count, const model_initial* initial)
{
  engine* e = p->e;
  const mech_system* s = e->s;
  p->eq = base_arena_take(e->arena, sizeof(walk_origin) * (size_t)(count + 2 * e->m + 1));
  for (int i = 0; i < count; i++)
    if (!initial[i].guess && initial[i].coord != MODEL_TIME)
      p->eq[p->count++] = (walk_origin){initial[i].f, initial[i].place, NULL, false};
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    const model_constraint* c = &e->model->constraint[k];
    if (s->f0[k] != EXPR_NONE)
      p->eq[p->count++] = (walk_origin){s->f0[k], c->place, c->name, false};
    if (s->f1[k] != EXPR_NONE) p->eq[p->count++] = (walk_origin){s->f1[k], c->place, c->name, true};
  }
}

// ---- many coordinates ---------------------------------------------------------------------------

// The kernel and what is known of the equations, for all engines that have the same ones.
typedef struct shared
{
  base_arena* arena;
  code_kernel* kernel;
  bool* holds_velocity;
  bool one_place; // of few coordinates: see walk_initial
  num_rows J;
  int outputs;
} shared;

static void release(void* thing)
{
  shared* s = thing;
  code_free(s->kernel);
  base_arena_free(s->arena);
}

typedef BASE_LIST(expr) expr_list;

// the derivatives that are not zero; their pattern goes into J
static void add_slopes(const walk_initial* p, shared* s, expr_list* list)
{
  const engine* e = p->e;
  expr_index* by = expr_index_new(2 * e->n, e->program->input + 1);
  expr_slope_list slopes = {0};
  BASE_LIST(int) column = {0};
  int* start = base_arena_take(s->arena, sizeof(int) * (size_t)(p->count + 1));
  for (int i = 0; i < p->count; i++) {
    expr_slopes(e->s->pool, by, e->program->input + 1, p->eq[i].f, &slopes);
    for (int k = 0; k < slopes.n; k++) {
      base_push(&column, slopes.at[k].number);
      base_push(list, slopes.at[k].value);
    }
    start[i + 1] = column.n;
  }
  int* kept = base_arena_take(s->arena, sizeof(int) * (size_t)(column.n + 1));
  if (column.n) memcpy(kept, column.at, sizeof(int) * (size_t)column.n);
  s->J = (num_rows){start, kept};
  base_list_free(&slopes);
  base_list_free(&column);
  expr_index_free(by);
}

static void add_gradients(const walk_initial* p, expr_list* list)
{
  const engine* e = p->e;
  const int n2 = 2 * e->n;
  expr* slope = base_alloc(sizeof *slope * (size_t)(n2 + 1));
  for (int i = 0; i < p->count; i++) {
    expr_gradient(e->s->pool, p->eq[i].f, n2, e->program->input + 1, slope);
    for (int j = 0; j < n2; j++) base_push(list, slope[j]);
  }
  free(slope);
}

static bool is_of_velocities(const walk_initial* p, const shared* s, int i)
{
  return p->eq[i].holds_velocity || s->holds_velocity[i];
}

// Are the places that obey the equations a point, a line or the like? So they are where slopes hold
// nothing but coordinates that equations of their own tell.
static bool has_one_place(const walk_initial* p, const shared* s, const expr_list* list)
{
  const engine* e = p->e;
  const int n = e->n;
  expr* open = base_alloc(sizeof *open * (size_t)(n + 1));
  memcpy(open, e->s->q, sizeof *open * (size_t)n);
  for (int i = 0; i < p->count; i++) {
    int held = 0, told = 0;
    for (int j = 0; j < n && !is_of_velocities(p, s, i); j++) {
      if (list->at[p->count + 2 * n * i + j] == e->s->zero[0]) continue;
      held++;
      told = j;
    }
    if (held == 1 && expr_is_number(e->s->pool, list->at[p->count + 2 * n * i + told]))
      open[told] = e->s->zero[0];
  }
  expr_index* by = expr_index_new(n, open);
  bool one = true;
  for (int i = 0; i < p->count && one; i++)
    if (!is_of_velocities(p, s, i))
      one = !expr_index_any_of(e->s->pool, by, n, list->at + p->count + 2 * n * i);
  expr_index_free(by);
  free(open);
  return one;
}

// the equation that entry `at` of the list belongs to
static int equation_of(const walk_initial* p, const shared* s, int at)
{
  int k = 0;
  if (at < p->count) return at;
  if (!p->e->sparse) return (at - p->count) / (2 * p->e->n);
  while (s->J.start[k + 1] <= at - p->count) k++;
  return k;
}

static void evaluate_all(void* context)
{
  walk_initial* p = context;
  code_run(p->kernel, p->e->in, p->out, p->scratch);
}

static bool solve_sparse(walk_initial* p)
{
  const engine_sparse_newton w = {.e = p->e,
                                  .count = p->count,
                                  .J = p->J,
                                  .value = p->out,
                                  .evaluate = evaluate_all,
                                  .context = p,
                                  .weight = p->metric,
                                  .size = p->size};
  return engine_sparse_solve(&w, p->rows, p->row, p->offset, p->unknowns);
}

static bool are_defined(const walk_initial* p, const shared* s, const expr_list* list,
                        base_notes* notes)
{
  for (int i = 0; i < list->n; i++) {
    if (list->at[i] != EXPR_NONE) continue;
    base_error(notes, p->eq[equation_of(p, s, i)].place,
               "this divides by zero for the params given");
    return false;
  }
  return true;
}

static bool build(const walk_initial* p, shared* s, base_notes* notes)
{
  const engine_program* program = p->e->program;
  expr_pool* pool = program->s->pool;
  expr_list list = {0};
  expr missing = EXPR_NONE;
  for (int i = 0; i < p->count; i++) base_push(&list, p->eq[i].f);
  if (program->sparse)
    add_slopes(p, s, &list);
  else
    add_gradients(p, &list);
  engine_numbers(program, list.n, list.at, list.at);
  const bool whole = are_defined(p, s, &list, notes);
  s->outputs = list.n;
  if (whole && !program->sparse) s->one_place = has_one_place(p, s, &list);
  if (whole)
    s->kernel = code_build(pool, list.n, list.at, program->inputs, program->input, &missing);
  if (whole && !s->kernel)
    base_error(notes, BASE_NOWHERE,
               "the initial equations need `%s`, which has no value at the start",
               expr_name(pool, missing));
  base_list_free(&list);
  return s->kernel;
}

// null with errors noted
static shared* make(const walk_initial* p, base_notes* notes)
{
  const engine* e = p->e;
  base_arena* arena = base_arena_new();
  shared* s = base_arena_take(arena, sizeof *s);
  s->arena = arena;
  s->holds_velocity = base_arena_take(arena, sizeof(bool) * (size_t)(p->count + 1));
  expr_index* by_v = expr_index_new(e->n, e->s->v);
  for (int i = 0; i < p->count; i++)
    s->holds_velocity[i] = expr_index_any(e->s->pool, by_v, p->eq[i].f);
  expr_index_free(by_v);
  if (build(p, s, notes)) return s;
  release(s);
  return NULL;
}

base_key walk_initial_key(const walk_initial* p, const char* what, walk_initial_words* by)
{
  // of few equations without memory of the heap: it is looked for in every run
  by->text = (base_text){.at = by->few, .room = sizeof by->few};
  if (sizeof(void*) + sizeof(expr) * (size_t)p->count >= sizeof by->few) by->text = (base_text){0};
  base_text_addn(&by->text, (const char*)&p->e->program, sizeof p->e->program);
  for (int i = 0; i < p->count; i++)
    base_text_addn(&by->text, (const char*)&p->eq[i].f, sizeof(expr));
  return (base_key){what, by->text.at, by->text.n};
}

void walk_initial_key_end(walk_initial_words* by)
{
  if (by->text.at != by->few) base_text_free(&by->text);
}

static const shared* shared_of(const walk_initial* p, base_notes* notes)
{
  engine* e = p->e;
  walk_initial_words by;
  const base_key key = walk_initial_key(p, "initial", &by);
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = make(p, notes);
    if (found) engine_keep(e, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  walk_initial_key_end(&by);
  return found;
}

bool walk_initial_build(walk_initial* p, base_notes* notes)
{
  const shared* s = shared_of(p, notes);
  if (!s) return false;
  p->kernel = s->kernel;
  p->J = s->J;
  p->one_place = s->one_place;
  for (int i = 0; i < p->count; i++)
    p->eq[i].holds_velocity = p->eq[i].holds_velocity || s->holds_velocity[i];
  const size_t outputs = (size_t)s->outputs + 1;
  p->out = base_alloc(sizeof(double) * (outputs + code_scratch(p->kernel) + 1));
  p->scratch = p->out + outputs;
  return true;
}

static bool takes_part(const walk_initial* p, int i, walk_initial_part part)
{
  return part == WALK_BOTH || p->eq[i].holds_velocity == (part == WALK_VELOCITIES);
}

// root mean square of the residuals at the engine's state; infinite where one is not defined
double walk_initial_miss(walk_initial* p, walk_initial_part part)
{
  engine* e = p->e;
  double sum = 0;
  int count = 0;
  code_run(p->kernel, e->in, p->out, p->scratch);
  for (int i = 0; i < p->count; i++) {
    if (!takes_part(p, i, part)) continue;
    const double off = p->out[i] / p->scale[i];
    sum += off * off;
    count++;
  }
  return isfinite(sum) ? sqrt(sum / (count ? count : 1)) : INFINITY;
}

void walk_initial_choose(walk_initial* p, walk_initial_part part)
{
  const int n = p->e->n;
  p->rows = 0;
  for (int i = 0; i < p->count; i++)
    if (takes_part(p, i, part)) p->row[p->rows++] = i;
  p->offset = part == WALK_VELOCITIES ? n : 0;
  p->unknowns = part == WALK_BOTH ? 2 * n : n;
}

double walk_initial_terms(const walk_initial* p, int i)
{
  const engine* e = p->e;
  const int n2 = 2 * e->n, from = e->sparse ? p->J.start[i] : i * n2,
            to = e->sparse ? p->J.start[i + 1] : (i + 1) * n2;
  double sum = 0;
  for (int k = from; k < to; k++) {
    const int j = e->sparse ? p->J.column[k] : k - from;
    sum += fabs(p->out[p->count + k]) * fmax(fabs(e->q[j]), p->size[j]);
  }
  // where no slope tells, as x^2 = 1 at zero, the equation itself
  if (!(sum > 0) || !isfinite(sum)) sum = fabs(p->out[i]);
  return sum > 0 && isfinite(sum) ? sum : 1;
}

// are all equations met to the rounding of their terms at the state in the input block?
static bool are_met(walk_initial* p)
{
  code_run(p->kernel, p->e->in, p->out, p->scratch);
  for (int i = 0; i < p->rows; i++) {
    const int k = p->row[i];
    const double size = fmax(p->scale[k], walk_initial_terms(p, k));
    if (!(fabs(p->out[k]) <= engine_noise_start * size)) return false;
  }
  return true;
}

static bool is_rounding(double was, double value, double size)
{
  return was == 0 && value != 0 && fabs(value) <= engine_noise_start * size;
}

// A value guessed zero that differs from it by rounding is zero, if the equations are met by that
// as well: what rests is not to begin to slip because of it.
void walk_initial_clear(walk_initial* p, const double* guess)
{
  double* value = p->e->q + p->offset;
  const double *size = p->size + p->offset, *was = guess + p->offset;
  bool any = false;
  for (int j = 0; j < p->unknowns && !any; j++) any = is_rounding(was[j], value[j], size[j]);
  if (!any) return;
  double* found = base_alloc(sizeof(double) * (size_t)p->unknowns);
  memcpy(found, value, sizeof(double) * (size_t)p->unknowns);
  for (int j = 0; j < p->unknowns; j++)
    if (is_rounding(was[j], value[j], size[j])) value[j] = 0;
  if (!are_met(p)) memcpy(value, found, sizeof(double) * (size_t)p->unknowns);
  free(found);
}

num_newton_result walk_initial_attempt(walk_initial* p, walk_initial_part part)
{
  engine* e = p->e;
  walk_initial_choose(p, part);
  if (!p->rows) return (num_newton_result){.solved = true};
  if (e->sparse) return (num_newton_result){.solved = solve_sparse(p)};
  double* x = base_alloc(sizeof(double) * (size_t)(p->unknowns + p->rows));
  double* size = x + p->unknowns;
  for (int j = 0; j < p->unknowns; j++) x[j] = e->q[p->offset + j] / p->size[p->offset + j];
  for (int i = 0; i < p->rows; i++) size[i] = p->scale[p->row[i]];
  num_newton_result r = num_newton(p->rows, p->unknowns, evaluate, p, p->metric + p->offset, size,
                                   engine_noise_start, most_steps, x);
  for (int j = 0; j < p->unknowns; j++) e->q[p->offset + j] = x[j] * p->size[p->offset + j];
  r.solved = r.solved || are_met(p);
  free(x);
  return r;
}

void walk_initial_free(walk_initial* p)
{
  free(p->out);
}
