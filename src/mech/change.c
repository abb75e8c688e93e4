// A system in other velocities: angular velocities for unit quaternions, declared quasi-velocities.
#include "mech/change.h"

#include <stdlib.h>
#include <string.h>

// d/dt of an expression in t, q, v, a and the rates of a
expr mech_total(const mech_system* s, expr e)
{
  expr_pool* p = s->pool;
  const mech_change* c = s->change;
  expr sum = expr_total(p, e);
  if (!c) return sum;
  for (int i = 0; i < c->l; i++) {
    if (!c->is_new[i]) continue;
    sum = expr_add(p, sum, expr_mul(p, expr_diff(p, e, s->v[i]), s->a[i]));
    sum = expr_add(p, sum, expr_mul(p, expr_diff(p, e, s->a[i]), c->rate[i]));
  }
  return mech_change_in(c, sum);
}

bool mech_is_velocity(const mech_system* s, expr symbol)
{
  for (int i = 0; i < s->n; i++)
    if (s->v[i] == symbol) return true;
  return false;
}

void mech_sides_of_turning(const mech_system* s, expr* left)
{
  for (int i = 0; s->change && i < s->n; i++) {
    if (!s->change->is_new[i]) continue;
    left[i] = mech_dot(s->pool, s->n, mech_mass(s) + i * s->n, 1, s->a, 1);
    left[i] = expr_add(s->pool, left[i], s->h[i]);
  }
}

bool mech_is_of_state(const mech_system* s, expr e)
{
  if (expr_has_any(s->pool, e, s->n, s->q) || expr_has_any(s->pool, e, s->n, s->v)) return true;
  return expr_has(s->pool, e, s->model->t) || (s->change && mech_is_of_state(s->change->from, e));
}

// row j of Z a + b
static expr acceleration(const mech_change* c, int j)
{
  expr_pool* p = c->from->pool;
  return expr_add(p, mech_dot(p, c->l, c->Z + j * c->l, 1, c->to->a, 1), c->b[j]);
}

// what is known by its meaning by its name, then q' and q'' by the others
expr mech_change_in(const mech_change* c, expr e)
{
  const mech_system* s = c->from;
  expr_pool* p = s->pool;
  expr *from = base_alloc(sizeof(expr) * (size_t)(4 * s->n + 4 * c->l + 1)),
       *to = from + 2 * s->n + 2 * c->l;
  int count = 0;
  for (int i = 0; i < c->l; i++) {
    if (!c->is_new[i]) continue;
    // a number in front of a sum stands apart from it
    const expr m = c->meaning[i];
    const bool product = expr_kind_of(p, m) == EXPR_PRODUCT && expr_arg_count(p, m) == 2;
    const bool times = product && expr_is_number(p, expr_arg(p, m, 0));
    from[count] = times ? expr_arg(p, m, 1) : m;
    to[count++] = times ? expr_div(p, c->to->v[i], expr_arg(p, m, 0)) : c->to->v[i];
  }
  e = expr_substitute(p, e, count, from, to);
  count = 0;
  for (int j = 0; j < s->n; j++) {
    if (!c->gone[j]) continue;
    from[count] = s->v[j];
    to[count++] = c->velocity[j];
    if (!c->b[j]) continue;
    from[count] = s->a[j];
    to[count++] = acceleration(c, j);
  }
  e = expr_substitute(p, e, count, from, to);
  free(from);
  return e;
}

// ---- making it ----------------------------------------------------------------------------------

static void* copy(base_arena* arena, const void* list, size_t count, size_t size)
{
  void* to = base_arena_take(arena, (count + 1) * size);
  if (count) memcpy(to, list, count * size);
  return to;
}

static void add_velocity(mech_change* c, const char* name, expr v, expr a, expr q, expr meaning,
                         bool is_new)
{
  mech_system* to = c->to;
  model_coord* x = (model_coord*)to->model->coord + c->l;
  *x = (model_coord){.name = name, .q = q, .v = v, .a = a, .unit = ""};
  to->q[c->l] = q;
  to->v[c->l] = v;
  to->a[c->l] = a;
  c->meaning[c->l] = meaning;
  c->is_new[c->l++] = is_new;
}

static const mech_block* block_of(const mech_blocks* blocks, int coord, bool* first)
{
  for (int i = 0; i < blocks->n; i++)
    for (int j = 0; j < blocks->at[i].columns; j++)
      if (blocks->at[i].column[j] == coord) {
        *first = j == 0;
        return &blocks->at[i];
      }
  return NULL;
}

// the velocities in the order of the coordinates, those of a block where its first stands
static void list_velocities(mech_change* c, const mech_blocks* blocks)
{
  const mech_system* s = c->from;
  expr_pool* p = s->pool;
  for (int j = 0; j < s->n; j++) {
    bool first = false;
    const mech_block* b = block_of(blocks, j, &first);
    c->gone[j] = b != NULL;
    if (!b) {
      const model_coord* x = &s->model->coord[j];
      c->k[j] = s->zero[0];
      add_velocity(c, x->name, x->v, x->a, x->q, x->v, false);
      ((model_coord*)c->to->model->coord)[c->l - 1] = *x;
    }
    for (int i = 0; b && first && i < b->rows; i++) {
      const expr a = expr_symbol(p, base_arena_printf(c->arena, "%s'", b->label[i]));
      c->rate[c->l] = expr_symbol(p, base_arena_printf(c->arena, "%s''", b->label[i]));
      add_velocity(c, b->label[i], b->v[i], a, b->v[i], b->meaning[i], true);
    }
  }
}

static int number_of(const mech_change* c, expr v)
{
  int i = 0;
  while (c->to->v[i] != v) i++;
  return i;
}

static void fill_matrix(mech_change* c, const mech_blocks* blocks)
{
  const mech_system* s = c->from;
  expr_pool* p = s->pool;
  c->Z = mech_take(c->arena, s->n * c->l);
  c->velocity = mech_take(c->arena, s->n);
  for (int i = 0; i < s->n * c->l; i++) c->Z[i] = s->zero[0];
  for (int j = 0; j < s->n; j++)
    if (!c->gone[j]) c->Z[j * c->l + number_of(c, s->v[j])] = expr_int(p, 1);
  for (int i = 0; i < blocks->n; i++) {
    const mech_block* b = &blocks->at[i];
    for (int j = 0; j < b->columns; j++) {
      c->k[b->column[j]] = b->k[j];
      for (int r = 0; r < b->rows; r++)
        c->Z[b->column[j] * c->l + number_of(c, b->v[r])] = b->Z[j * b->rows + r];
    }
    if (b->norm >= 0) c->left_out[b->norm] = true;
    c->assumption[c->assumptions++] = b->D;
  }
  for (int j = 0; j < s->n; j++) {
    const expr moving = mech_dot(p, c->l, c->Z + j * c->l, 1, c->to->v, 1);
    c->velocity[j] = mech_tidy(s, expr_add(p, moving, c->k[j]));
  }
}

// b is the rate of Z v + k without accelerations
static void fill_rates(mech_change* c)
{
  const mech_system* s = c->from;
  c->b = mech_take(c->arena, s->n);
  expr* b = mech_take(c->arena, s->n);
  for (int j = 0; j < s->n; j++) {
    b[j] = s->zero[0];
    if (!c->gone[j]) continue;
    b[j] = expr_substitute(s->pool, mech_total(c->to, c->velocity[j]), c->l, c->to->a, c->to->zero);
    b[j] = mech_tidy(s, b[j]);
  }
  c->b = b;
}

static void fill_constraints(mech_change* c)
{
  const mech_system* s = c->from;
  mech_system* to = c->to;
  model* m = (model*)to->model;
  expr_pool* p = s->pool;
  const int n = s->n, l = c->l;
  int count = 0;
  for (int k = 0; k < s->m; k++) {
    if (c->left_out[k]) continue;
    const expr* A = s->A + k * n;
    m->constraint[count] = s->model->constraint[k];
    m->constraint[count].f = mech_change_in(c, s->model->constraint[k].f);
    m->reaction[count] = s->model->reaction[k];
    m->holds[count] = s->model->holds[k];
    to->role[count] = s->role[k];
    to->f0[count] = s->f0[k];
    to->f1[count] = s->f1[k] ? mech_tidy(s, mech_change_in(c, s->f1[k])) : EXPR_NONE;
    for (int i = 0; i < l; i++)
      to->A[count * l + i] = mech_tidy(s, mech_change_in(c, mech_dot(p, n, A, 1, c->Z + i, l)));
    const expr fixed = expr_sub(p, s->c[k], mech_dot(p, n, A, 1, c->b, 1));
    to->c[count] = mech_tidy(s, mech_change_in(c, fixed));
    count++;
  }
  m->constraints = to->m = to->written = count;
}

static void fill_quasi(mech_change* c)
{
  model* m = (model*)c->to->model;
  for (int i = 0; i < m->quasis; i++)
    m->quasi[i].value = mech_tidy(c->from, mech_change_in(c, m->quasi[i].value));
}

static void fill_forces(mech_change* c)
{
  const mech_system* s = c->from;
  mech_system* to = c->to;
  expr_pool* p = s->pool;
  for (int i = 0; i < c->l; i++) {
    to->G[i] = mech_change_in(c, mech_dot(p, s->n, c->Z + i, c->l, s->G, 1));
    to->G[i] = mech_tidy(s, to->G[i]);
    to->F[i] = expr_sub(p, to->G[i], to->h[i]);
  }
}

// does a velocity that is left have no inertia?
static bool has_idle(const mech_system* s)
{
  bool found = false;
  for (int i = 0; i < s->n && !found; i++) {
    found = true;
    for (int j = 0; j < s->n && found; j++) found = mech_mass(s)[i * s->n + j] == s->zero[0];
  }
  return found;
}

static mech_change* open_change(const mech_system* s, base_arena* arena)
{
  mech_change* c = base_arena_take(arena, sizeof *c);
  mech_system* to = base_arena_take(arena, sizeof *to);
  model* m = base_arena_take(arena, sizeof *m);
  const int n = s->n;
  const size_t rows = (size_t)s->m, columns = (size_t)n;
  *to = *s;
  to->hung = NULL;
  *m = *s->model;
  *c = (mech_change){.from = s, .to = to, .arena = arena};
  to->model = m;
  to->change = c;
  m->coord = base_arena_take(arena, sizeof *m->coord * (columns + 1));
  m->quasi = copy(arena, m->quasi, (size_t)m->quasis, sizeof *m->quasi);
  m->constraint = base_arena_take(arena, sizeof *m->constraint * (rows + 1));
  m->reaction = mech_take(arena, s->m);
  m->holds = mech_take(arena, s->m);
  to->role = base_arena_take(arena, sizeof *to->role * (rows + 1));
  expr** const lists[] = {&to->q, &to->v,      &to->a,   &to->h, &to->G,
                          &to->F, &c->meaning, &c->rate, &c->k};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = mech_take(arena, n);
  expr** const tables[] = {&to->c, &to->f0, &to->f1};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) *tables[i] = mech_take(arena, s->m);
  to->M = mech_take(arena, n * n);
  to->A = mech_take(arena, s->m * n);
  c->is_new = base_arena_take(arena, columns + 1);
  c->gone = base_arena_take(arena, columns + 1);
  c->left_out = base_arena_take(arena, rows + 1);
  c->assumption = mech_take(arena, n);
  c->b = mech_take(arena, n);
  for (int j = 0; j < n; j++) c->b[j] = EXPR_NONE;
  return c;
}

mech_change* mech_change_make(const mech_system* s, mech_speeds speeds, const mech_choice* choice,
                              base_arena* arena)
{
  mech_blocks blocks = {0};
  if (!mech_mass(s) || speeds == MECH_OF_COORDINATES) return NULL;
  mech_change_orientations(s, arena, &blocks);
  if (speeds == MECH_AS_DECLARED && !(choice && choice->automatic))
    mech_change_declared(s, choice, arena, &blocks);
  mech_change* c = blocks.n ? open_change(s, arena) : NULL;
  if (c) {
    list_velocities(c, &blocks);
    c->to->n = ((model*)c->to->model)->coords = c->l;
    fill_matrix(c, &blocks);
    fill_rates(c);
    mech_change_inertia(c);
    ((model*)c->to->model)->massless = s->model->massless && has_idle(c->to);
    fill_forces(c);
    fill_constraints(c);
    fill_quasi(c);
  }
  base_list_free(&blocks);
  return c;
}

// ---- and back -----------------------------------------------------------------------------------

static void put_first(const mech_change* c, mech_equations* e)
{
  const mech_system* s = c->from;
  const int more = e->definitions;
  mech_equation* old = e->definition;
  e->definition = NULL;
  e->definitions = 0;
  for (int i = 0; i < c->l; i++)
    if (c->is_new[i])
      mech_add_definition(e, c->to->model->coord[i].name, c->to->v[i], mech_tidy(s, c->meaning[i]));
  for (int j = 0; j < s->n; j++)
    if (c->gone[j]) mech_add_definition(e, s->model->coord[j].name, s->v[j], c->velocity[j]);
  for (int i = 0; i < more; i++) mech_add_definition(e, old[i].label, old[i].left, old[i].right);
}

void mech_change_finish(const mech_change* c, mech_equations* e)
{
  const mech_system* s = c->from;
  expr_pool* p = s->pool;
  expr *from = mech_take(e->arena, c->l), *to = mech_take(e->arena, c->l);
  int count = 0;
  for (int i = 0; i < c->l; i++) {
    if (!c->is_new[i]) continue;
    from[count] = c->to->v[i];
    to[count++] = c->meaning[i];
  }
  put_first(c, e);
  for (int j = 0; j < s->n; j++) {
    if (!c->gone[j]) continue;
    mech_add_unknown(e, s->a[j]);
    mech_add_residual(e, expr_sub(p, s->a[j], acceleration(c, j)));
  }
  for (int i = 0; i < e->residuals; i++)
    e->residual[i] = expr_substitute(p, e->residual[i], count, from, to);
  for (int i = 0; i < c->assumptions; i++) mech_add_assumption(e, s, c->assumption[i]);
}
