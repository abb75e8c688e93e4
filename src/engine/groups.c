// Which coordinates, constraints and corners are coupled at an instant, through
//   M a = F + A^T Lambda,   A a = c
// and through what switches in it. Two coordinates belong together where M has an entry for both,
// where a constraint binds both, and where the force on one depends on a reaction of, or a corner
// in, the motion of the other. A force that depends on the places and velocities of others couples
// nothing: at an instant these are known.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

// Elements are numbered: coordinates, then constraints, then corners. Each names another of its
// group, in the end the first.
typedef struct finder
{
  const engine_program* p;
  int* leader;
  expr_index* index; // of the symbols that couple
  bool* timed;       // corners of time alone: they couple nothing
  bool* switches;    // elements that hold such a corner
  expr_numbers held;
} finder;

static int row_element(const finder* f, int k)
{
  return f->p->n + k;
}

static int corner_element(const finder* f, int i)
{
  return f->p->n + f->p->m + i;
}

static int leader_of(finder* f, int i)
{
  while (f->leader[i] != i) i = f->leader[i] = f->leader[f->leader[i]];
  return i;
}

static void join(finder* f, int i, int j)
{
  const int a = leader_of(f, i), b = leader_of(f, j);
  if (a < b)
    f->leader[b] = a;
  else
    f->leader[a] = b;
}

// symbols: accelerations, reactions, what holds, sides; then coordinates and velocities
static void index_symbols(finder* f)
{
  const engine_program* p = f->p;
  const int n = p->n, m = p->m, corners = p->modes.count, count = 3 * n + 2 * m + corners;
  expr* symbol = base_alloc(sizeof(expr) * (size_t)(count + 1));
  for (int i = 0; i < n; i++) {
    symbol[i] = p->model->coord[i].a;
    symbol[n + 2 * m + corners + i] = p->model->coord[i].q;
    symbol[2 * n + 2 * m + corners + i] = p->model->coord[i].v;
  }
  memcpy(symbol + n, p->model->reaction, sizeof(expr) * (size_t)m);
  memcpy(symbol + n + m, p->model->holds, sizeof(expr) * (size_t)m);
  memcpy(symbol + n + 2 * m, p->modes.side, sizeof(expr) * (size_t)corners);
  f->index = expr_index_new(count, symbol);
  free(symbol);
}

// the element that symbol `number` speaks of, -1 where it couples nothing; `state`: places and
// velocities couple, too
static int element_of(const finder* f, int number, bool state)
{
  const engine_program* p = f->p;
  const int n = p->n, m = p->m, corners = p->modes.count;
  if (number < n) return number;
  if (number < n + 2 * m) return row_element(f, (number - n) % m);
  if (number < n + 2 * m + corners)
    return f->timed[number - n - 2 * m] ? -1 : corner_element(f, number - n - 2 * m);
  return state ? (number - n - 2 * m - corners) % n : -1;
}

static bool is_side(const finder* f, int number)
{
  const int first = f->p->n + 2 * f->p->m;
  return number >= first && number < first + f->p->modes.count;
}

// element i belongs together with all that this expression of it holds
static void look_into(finder* f, int i, expr x, bool state)
{
  f->held.n = 0;
  expr_index_list(f->p->s->pool, f->index, x, &f->held);
  for (int h = 0; h < f->held.n; h++) {
    const int other = element_of(f, f->held.at[h], state);
    if (other >= 0) join(f, i, other);
    f->switches[i] = f->switches[i] || is_side(f, f->held.at[h]);
  }
}

// ---- the equations ------------------------------------------------------------------------------

// entries of M or A: element `row` with coordinate `column`
static void look_at_entry(finder* f, int row, int column, expr x)
{
  long value;
  if (expr_is_int(f->p->s->pool, x, &value) && value == 0) return;
  join(f, row, column);
  look_into(f, row, x, false);
}

static void look_at_matrix(finder* f, int rows, int first, const expr* full, const mech_rows* thin)
{
  const int n = f->p->n, count = thin->start ? thin->count : rows * n;
  expr* fixed = base_alloc(sizeof(expr) * (size_t)(count + 1));
  engine_fix(f->p, count, thin->start ? thin->value : full, fixed);
  for (int i = 0; i < rows; i++) {
    const int from = thin->start ? thin->start[i] : i * n,
              to = thin->start ? thin->start[i + 1] : from + n;
    for (int at = from; at < to; at++)
      look_at_entry(f, first + i, thin->start ? thin->column[at] : at - from, fixed[at]);
  }
  free(fixed);
}

// forces, and what the constraints say
static void look_at_terms(finder* f)
{
  const mech_system* s = f->p->s;
  const int n = f->p->n, m = f->p->m, count = n + 3 * m;
  expr* list = base_alloc(sizeof(expr) * (size_t)(count + 1));
  memcpy(list, s->F, sizeof(expr) * (size_t)n);
  for (int k = 0; k < m; k++) {
    list[n + k] = s->c[k];
    list[n + m + k] = s->f0[k] == EXPR_NONE ? s->c[k] : s->f0[k];
    list[n + 2 * m + k] = s->f1[k] == EXPR_NONE ? s->c[k] : s->f1[k];
  }
  engine_fix(f->p, count, list, list);
  for (int i = 0; i < count; i++)
    look_into(f, i < n ? i : row_element(f, (i - n) % m), list[i], false);
  free(list);
}

// the motion that a corner lies in is one with the corner
static void look_at_corners(finder* f)
{
  const engine_corners* c = &f->p->modes;
  for (int i = 0; i < c->count; i++) {
    f->held.n = 0;
    expr_index_list(f->p->s->pool, f->index, c->s[i], &f->held);
    f->timed[i] = true;
    for (int h = 0; h < f->held.n; h++)
      f->timed[i] = f->timed[i] && element_of(f, f->held.at[h], true) < 0;
    if (!f->timed[i]) look_into(f, corner_element(f, i), c->s[i], true);
  }
}

// constraints that are decided together, whatever they bind
static void look_at_constraints(finder* f)
{
  const engine_program* p = f->p;
  for (int k = 0; k < p->m; k++) {
    const model_constraint* c = &p->model->constraint[k];
    const int row = row_element(f, k);
    for (int t = 0; t < model_constraint_sticks(c); t++) join(f, row, row_element(f, c->stick[t]));
    if (c->during) join(f, row, row_element(f, c->during - 1));
    if (c->contact) join(f, row, row_element(f, p->model->contact[c->contact - 1].gap));
    if (!p->s->role[k].ideal) join(f, row, row_element(f, p->s->role[k].servo));
  }
  for (int i = 0; i < p->model->contacts; i++) {
    const model_contact* c = &p->model->contact[i];
    for (int g = 0; g < MODEL_GRIPS; g++)
      for (int k = 0; k < c->grip[g].rows; k++)
        join(f, row_element(f, c->gap), row_element(f, c->grip[g].stick[k]));
    for (int k = 0; k < c->near.count; k++)
      join(f, row_element(f, c->gap), row_element(f, c->near.row[k]));
  }
}

// ---- groups -------------------------------------------------------------------------------------

// groups in the order of their first coordinates; what binds no coordinate belongs to the first
static void number_groups(finder* f, engine_groups* g)
{
  const int n = f->p->n, all = n + f->p->m + f->p->modes.count;
  int* number = base_alloc(sizeof(int) * (size_t)(all + 1));
  for (int i = 0; i < n; i++) {
    const int leader = leader_of(f, i);
    if (leader == i) number[i] = g->count++;
    g->of_coord[i] = number[leader];
  }
  for (int i = n; i < all; i++) {
    const int leader = leader_of(f, i), group = leader < n ? number[leader] : 0;
    if (i < n + f->p->m)
      g->of_row[i - n] = group;
    else
      g->of_corner[i - n - f->p->m] = f->timed[i - n - f->p->m] ? -1 : group;
  }
  free(number);
}

// the groups in which nothing switches, and reactions do not come with the forces
static void find_plain(const finder* f, engine_groups* g)
{
  const engine_program* p = f->p;
  for (int i = 0; i < g->count; i++) g->plain[i] = true;
  for (int i = 0; i < p->modes.count; i++)
    if (g->of_corner[i] >= 0) g->plain[g->of_corner[i]] = false;
  for (int i = 0; i < p->n; i++)
    if (f->switches[i]) g->plain[g->of_coord[i]] = false;
  for (int k = 0; k < p->m; k++)
    if (p->model->constraint[k].sense || !p->s->role[k].ideal || p->felt[k] ||
        mech_is_nonlinear(p->s, k) || f->switches[row_element(f, k)])
      g->plain[g->of_row[k]] = false;
}

static bool may_switch(const engine_program* p)
{
  if (p->modes.count || p->forces_feel || p->curved) return true;
  for (int k = 0; k < p->m; k++)
    if (p->model->constraint[k].sense || !p->s->role[k].ideal) return true;
  return false;
}

engine_groups engine_groups_find(engine_program* p)
{
  const mech_system* s = p->s;
  const int n = p->n, m = p->m, corners = p->modes.count, all = n + m + corners;
  engine_groups g = {.of_coord = engine_program_take(p, (size_t)n, sizeof(int)),
                     .of_row = engine_program_take(p, (size_t)m, sizeof(int)),
                     .of_corner = engine_program_take(p, (size_t)corners, sizeof(int)),
                     .plain = engine_program_take(p, (size_t)n, sizeof(bool))};
  if (!may_switch(p)) {
    g.count = g.plain[0] = 1;
    return g;
  }
  finder f = {.p = p,
              .leader = base_alloc(sizeof(int) * (size_t)(all + 1)),
              .timed = base_alloc((size_t)corners + 1),
              .switches = base_alloc((size_t)all + 1)};
  for (int i = 0; i < all; i++) f.leader[i] = i;
  index_symbols(&f);
  look_at_corners(&f);
  look_at_matrix(&f, n, 0, mech_mass(s), mech_mass_rows(s));
  look_at_matrix(&f, m, n, s->A, &s->A_rows);
  look_at_terms(&f);
  look_at_constraints(&f);
  number_groups(&f, &g);
  find_plain(&f, &g);
  base_list_free(&f.held);
  expr_index_free(f.index);
  free(f.leader);
  free(f.timed);
  free(f.switches);
  return g;
}
