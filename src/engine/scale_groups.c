// Coordinates that know of one another along the motion: through masses, constraints and forces.
//
// At an instant less is coupled (groups.c): a spring between two bodies does not couple their
// accelerations. Along a run the errors of the one are those of the other.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

static int root_of(int* parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

typedef struct finder
{
  const engine_program* e;
  int *parent, *of_row; // of_row: some coordinate that a constraint binds, -1
  int groups;
  expr_index* index;
  expr_numbers found;
} finder;

static void join(finder* c, int i, int j)
{
  if (i < 0 || j < 0) return;
  // a state has no energy to be measured by: it stands alone
  if (i != j && (i >= c->e->model->places || j >= c->e->model->places)) return;
  const int a = root_of(c->parent, i), b = root_of(c->parent, j);
  if (a == b) return;
  c->parent[a > b ? a : b] = a > b ? b : a;
  c->groups--;
}

// coordinate i with all that x depends on; returns one of these
static int join_all(finder* c, int i, expr x)
{
  const int n = c->e->n;
  if (x == EXPR_NONE || c->groups <= 1) return i;
  c->found.n = 0;
  expr_index_list(c->e->s->pool, c->index, x, &c->found);
  for (int k = 0; k < c->found.n; k++) {
    const int number = c->found.at[k];
    const int j = number < 2 * n ? number % n : c->of_row[number - 2 * n];
    if (i < 0) i = j;
    join(c, i, j);
  }
  return i;
}

// what hangs on a joint is coupled to it, through all that lie between
static void couple_tree(finder* c, const model_tree* t)
{
  int* last = base_alloc(sizeof *last * (size_t)(t->nodes + 1)); // a coordinate on the way there
  for (int i = 0; i < t->nodes; i++) {
    const model_node* x = &t->node[i];
    last[i] = x->parent < 0 ? -1 : last[x->parent];
    for (int j = 0; j < x->joints; j++) {
      join(c, x->joint[j].coord, last[i]);
      last[i] = x->joint[j].coord;
    }
    if (last[i] < 0) continue;
    for (int k = 0; k < 9; k++) join_all(c, last[i], x->turn[k]);
    for (int k = 0; k < 3; k++) join_all(c, last[i], x->r[k]);
    for (int k = 0; k < 6 * x->joints; k++) join_all(c, last[i], x->joint[k / 6].slope[k % 6]);
  }
  free(last);
}

static void couple_masses(finder* c)
{
  const mech_system* s = c->e->s;
  const int n = s->n;
  if (s->hung) {
    couple_tree(c, s->hung);
    return;
  }
  for (int i = 0; i < n && c->groups > 1; i++) {
    const int from = s->M_rows.start ? s->M_rows.start[i] : 0,
              to = s->M_rows.start ? s->M_rows.start[i + 1] : i + 1;
    for (int p = from; p < to; p++) {
      const expr x = s->M_rows.start ? s->M_rows.value[p] : s->M[i * n + p];
      if (x == s->zero[0]) continue;
      join(c, i, s->M_rows.start ? s->M_rows.column[p] : p);
      join_all(c, i, x);
    }
  }
}

static void couple_rows(finder* c)
{
  const mech_system* s = c->e->s;
  const int n = s->n;
  for (int k = 0; k < s->m; k++) {
    int first = -1;
    const int from = s->A_rows.start ? s->A_rows.start[k] : 0,
              to = s->A_rows.start ? s->A_rows.start[k + 1] : n;
    for (int p = from; p < to; p++) {
      const expr x = s->A_rows.start ? s->A_rows.value[p] : s->A[k * n + p];
      if (x == s->zero[0]) continue;
      const int j = s->A_rows.start ? s->A_rows.column[p] : p;
      if (first < 0) first = j;
      join(c, first, j);
    }
    c->of_row[k] = first;
    first = join_all(c, first, s->f1[k] != EXPR_NONE ? s->f1[k] : s->c[k]);
    c->of_row[k] = first;
  }
}

// the coordinates of each group, one group behind the other
static void list_members(engine_program* p, engine_coupling* s)
{
  int at = 0;
  s->member = engine_program_take(p, (size_t)p->n, sizeof(int));
  s->from = engine_program_take(p, (size_t)s->groups + 1, sizeof(int));
  int *number = base_alloc(sizeof(int) * (size_t)(p->n + 1)), *next;
  for (int i = 0; i < p->n; i++)
    if (s->group[i] == i) number[i] = at++;
  for (int i = 0; i < p->n; i++) s->from[1 + number[s->group[i]]]++;
  for (int g = 0; g < s->groups; g++) s->from[g + 1] += s->from[g];
  next = base_alloc(sizeof(int) * (size_t)(s->groups + 1));
  memcpy(next, s->from, sizeof(int) * (size_t)s->groups);
  for (int i = 0; i < p->n; i++) s->member[next[number[s->group[i]]]++] = i;
  free(next);
  free(number);
}

static void find_groups(engine_program* p, engine_coupling* s)
{
  const int n = p->n, m = p->m;
  expr* symbol = base_alloc(sizeof(expr) * (size_t)(2 * n + m + 1));
  memcpy(symbol, p->s->q, sizeof(expr) * (size_t)n);
  memcpy(symbol + n, p->s->v, sizeof(expr) * (size_t)n);
  for (int k = 0; k < m; k++) symbol[2 * n + k] = p->model->reaction[k];
  finder c = {.e = p, .parent = s->group, .groups = n};
  c.of_row = base_alloc(sizeof(int) * (size_t)(m + 1));
  c.index = expr_index_new(2 * n + m, symbol);
  for (int i = 0; i < n; i++) s->group[i] = i;
  couple_masses(&c);
  couple_rows(&c);
  for (int i = 0; i < n; i++) join_all(&c, i, p->s->F[i]);
  for (int i = 0; i < n; i++) s->group[i] = root_of(s->group, i);
  s->groups = c.groups;
  list_members(p, s);
  expr_index_free(c.index);
  base_list_free(&c.found);
  free(c.of_row);
  free(symbol);
}

// coordinates (numbers below n) and speeds that the switching function of each corner holds
static void find_corners(engine_program* p, engine_coupling* s)
{
  const int n = p->n, corners = p->modes.count;
  s->corner_from = engine_program_take(p, (size_t)corners + 1, sizeof(int));
  if (!corners) return;
  expr* symbol = base_alloc(sizeof(expr) * (size_t)(2 * n));
  memcpy(symbol, p->s->q, sizeof(expr) * (size_t)n);
  memcpy(symbol + n, p->s->v, sizeof(expr) * (size_t)n);
  expr_index* index = expr_index_new(2 * n, symbol);
  expr_numbers found = {0}, all = {0};
  for (int i = 0; i < corners; i++) {
    found.n = 0;
    expr_index_list(p->s->pool, index, p->modes.s[i], &found);
    for (int k = 0; k < found.n; k++) base_push(&all, found.at[k]);
    s->corner_from[i + 1] = all.n;
  }
  s->corner_holds = engine_program_take(p, (size_t)all.n + 1, sizeof(int));
  for (int k = 0; k < all.n; k++) s->corner_holds[k] = all.at[k];
  base_list_free(&found);
  base_list_free(&all);
  expr_index_free(index);
  free(symbol);
}

engine_coupling engine_coupling_find(engine_program* p)
{
  engine_coupling s = {.group = engine_program_take(p, (size_t)p->n, sizeof(int))};
  find_groups(p, &s);
  find_corners(p, &s);
  return s;
}
