// Time-stepping: what it takes, and its kernels. Only entries that are not the number zero are
// evaluated, so that a thousand particles cost as much as a thousand, not a million.
#include "contact/contact.h"
#include "walk/moreau.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

static double* doubles(engine* e, int count)
{
  return take(e, count, sizeof(double));
}

// ---- what it cannot take ------------------------------------------------------------------------

static void refuse(base_notes* notes, base_place place, const char* what)
{
  base_error(notes, place, "the method `moreau` does not take %s", what);
  base_help(notes, "`dop853` does; without a method one is chosen");
}

// how many constraints hold while constraint k does
static int links_of(const engine* e, int k)
{
  int count = 0;
  for (int i = 0; i < e->m; i++) count += e->model->constraint[i].during == k + 1;
  return count;
}

// Contacts of surfaces need no coordinates of their own where the base is a plane and the normal
// tells the point of the body; viscous friction asks whether they touch, which a step does not
// know.
static void refuse_contacts(const engine* e, base_notes* notes)
{
  const model* m = e->model;
  for (int i = 0; i < m->contacts; i++) {
    const model_contact* c = &m->contact[i];
    bool asks = false;
    for (int j = 0; j < e->n; j++)
      asks = asks || expr_has(e->s->pool, e->s->F[j], m->holds[c->gap]);
    if (!c->lands)
      refuse(notes, c->place, "contacts of surfaces (`roll`, `slide`) that cannot let go");
    else if (c->given[0] || c->given[2] || c->near.count)
      refuse(notes, c->place, "contacts of surfaces whose place needs coordinates of its own");
    else if (asks)
      refuse(notes, c->place, "viscous friction of contacts of surfaces");
  }
}

static void refuse_constraints(const engine* e, base_notes* notes)
{
  const model* m = e->model;
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->hidden) continue;
    if (!engine_is_ideal(e, k))
      refuse(notes, c->place, "constraints held by a control");
    else if (mech_is_nonlinear(e->s, k))
      refuse(notes, c->place, "constraints nonlinear in the accelerations");
    else if (c->sense && c->impact == MODEL_POISSON)
      refuse(notes, c->place, "Poisson's law of impact (it has Newton's)");
    else if (c->sense && c->impact == MODEL_SEQUENTIAL)
      refuse(notes, c->place, "impacts one after the other (it has Newton's law)");
    else if (c->sense && c->impact == MODEL_ENERGETIC)
      refuse(notes, c->place, "Stronge's law of impact (it has Newton's)");
    else if (c->during && links_of(e, c->during - 1) > 2)
      refuse(notes, c->place, "more than two constraints that hold while another does");
  }
  refuse_contacts(e, notes);
}

// ---- sparse lists -------------------------------------------------------------------------------

typedef BASE_LIST(expr) expr_list;
typedef BASE_LIST(int) int_list;

static bool is_zero(const engine* e, expr x)
{
  return x == expr_int(e->s->pool, 0);
}

// derivatives of x by those of the symbols that it holds, and their numbers, appended
static void sparse_gradient(engine* e, expr x, const expr_index* index, const expr* symbol,
                            expr_list* out, int_list* column)
{
  expr_slope_list slope = {0};
  expr_slopes(e->s->pool, index, symbol, x, &slope);
  for (int i = 0; i < slope.n; i++) {
    if (is_zero(e, slope.at[i].value)) continue;
    base_push(out, slope.at[i].value);
    base_push(column, slope.at[i].number);
  }
  base_list_free(&slope);
}

static int* kept_ints(engine* e, const int_list* list)
{
  int* out = take(e, list->n, sizeof(int));
  if (list->n) memcpy(out, list->at, sizeof(int) * (size_t)list->n);
  return out;
}

// a kernel with fixed params as numbers, corners left as they are
static code_kernel* build(engine* e, expr_list* list, base_notes* notes)
{
  expr_pool* p = e->s->pool;
  const engine_program* program = e->program;
  expr_substitute_all(p, list->n, list->at, program->fixed, program->fixed_from, program->fixed_to,
                      list->at);
  bool whole = !expr_pool_full(p);
  for (int i = 0; i < list->n; i++) whole = whole && list->at[i] != EXPR_NONE;
  expr missing = EXPR_NONE;
  code_kernel* k =
      whole ? code_build(p, list->n, list->at, e->program->inputs, e->program->input, &missing)
            : NULL;
  if (!k)
    base_error(notes, BASE_NOWHERE,
               "the derivatives that the method `moreau` needs cannot be formed for this model");
  return k;
}

// ---- the kernel of the motion -------------------------------------------------------------------

// a jump in the forces that a velocity passes would make the steps tremble
static void refuse_jumps(engine* e, const expr* F, base_notes* notes)
{
  const engine_corners found = engine_corners_find(e->s->pool, e->arena, e->n, F, 0, 0, NULL);
  for (int i = 0; i < found.count; i++)
    if (found.slides[i] && expr_has_any(e->s->pool, found.s[i], e->n, e->s->v)) {
      refuse(notes, BASE_NOWHERE, "forces with the sign of a velocity that they do not slow down");
      base_help(notes, "friction of a contact is written `constraint NAME: ... >= 0 with friction "
                       "mu`");
      return;
    }
}

static void add_mass(engine* e, expr M, int i, int j, expr_list* list, int_list* row,
                     int_list* column)
{
  if (is_zero(e, M)) return;
  base_push(list, M);
  base_push(row, i);
  base_push(column, j);
}

// of many coordinates the lower triangle is there, row by row
static void list_masses(engine* e, expr_list* list, int_list* row, int_list* column)
{
  const mech_rows* M = mech_mass_rows(e->s);
  for (int i = 0; i < e->n && !M->start; i++)
    for (int j = 0; j < e->n; j++)
      add_mass(e, mech_mass(e->s)[i * e->n + j], i, j, list, row, column);
  for (int i = 0; i < e->n && M->start; i++)
    for (int p = M->start[i]; p < M->start[i + 1]; p++) {
      add_mass(e, M->value[p], i, M->column[p], list, row, column);
      if (M->column[p] != i) add_mass(e, M->value[p], M->column[p], i, list, row, column);
    }
}

static bool build_motion(walk_moreau* s, base_notes* notes)
{
  engine* e = s->e;
  expr* F = take(e, e->n, sizeof(expr));
  walk_moreau_forces(e, F);
  walk_moreau_dry(s, F);
  refuse_jumps(e, F, notes);
  s->driven = walk_moreau_asks(e, e->n, F);
  s->feels = s->driven || walk_moreau_asks(e, s->dries, s->dry_bound);
  if (base_notes_errors(notes)) return false;
  expr_list list = {0};
  int_list row[3] = {{0}}, column[3] = {{0}};
  for (int i = 0; i < e->n; i++) base_push(&list, F[i]);
  list_masses(e, &list, &row[0], &column[0]);
  for (int which = 1; which < 3; which++) {
    const expr* by = which == 1 ? e->s->v : e->s->q;
    expr_index* index = expr_index_new(e->n, by);
    if (which == 2) walk_moreau_leave_inertia(e, F);
    for (int i = 0; i < e->n; i++) {
      sparse_gradient(e, F[i], index, by, &list, &column[which]);
      while (row[which].n < column[which].n) base_push(&row[which], i);
    }
    expr_index_free(index);
  }
  walk_moreau_know_forces(s, F);
  const int pull = list.n;
  for (int i = 0; i < e->n; i++) base_push(&list, F[i]);
  s->motion = build(e, &list, notes);
  s->F = s->motion_out = doubles(e, list.n);
  s->pull = s->motion_out + pull;
  walk_entries* entries[3] = {&s->M, &s->C, &s->K};
  const double* at = s->F + e->n;
  for (int which = 0; which < 3; which++) {
    *entries[which] =
        (walk_entries){row[which].n, kept_ints(e, &row[which]), kept_ints(e, &column[which]), at};
    at += row[which].n;
    base_list_free(&row[which]);
    base_list_free(&column[which]);
  }
  base_list_free(&list);
  return s->motion != NULL;
}

// W moves what has inertia, or is held by its own forces: a coordinate along a curve, that
// equations alone lead, is moved by nothing
static bool refuse_massless(const walk_moreau* s, base_notes* notes)
{
  const engine* e = s->e;
  const walk_entries* all[3] = {&s->M, &s->C, &s->K};
  bool* moves = base_alloc((size_t)e->n + 1);
  for (int which = 0; which < 3; which++)
    for (int p = 0; p < all[which]->count; p++) moves[all[which]->i[p]] = true;
  int none = -1;
  for (int i = e->n - 1; i >= 0; i--)
    if (!moves[i] && !e->model->coord[i].vector) none = i;
  free(moves);
  if (none >= 0) refuse(notes, e->model->coord[none].place, "coordinates without mass");
  return none >= 0;
}

// ---- the kernel of the limits -------------------------------------------------------------------

static void finish_gradients(engine* e, walk_gradients* g, int_list* start, int_list* column)
{
  base_push(start, column->n);
  g->count = start->n - 1;
  g->start = kept_ints(e, start);
  g->column = kept_ints(e, column);
  base_list_free(start);
  base_list_free(column);
}

static void list_constraints(walk_moreau* s, expr_list* list)
{
  const engine* e = s->e;
  const mech_system* y = e->s;
  const expr zero = expr_int(y->pool, 0);
  for (int k = 0; k < e->m; k++) base_push(list, y->f0[k] == EXPR_NONE ? zero : y->f0[k]);
  for (int k = 0; k < e->m; k++) base_push(list, y->f1[k] == EXPR_NONE ? zero : y->f1[k]);
  for (int k = 0; k < e->m; k++)
    base_push(list, e->model->constraint[k].order == 2 ? y->c[k] : zero);
  int_list start = {0}, column = {0};
  for (int k = 0; k < e->m; k++) {
    base_push(&start, column.n);
    const mech_rows* A = &y->A_rows;
    const int from = A->start ? A->start[k] : 0, to = A->start ? A->start[k + 1] : e->n;
    for (int p = from; p < to; p++) {
      const expr x = A->start ? A->value[p] : y->A[k * e->n + p];
      if (x == zero) continue;
      base_push(list, x);
      base_push(&column, A->start ? A->column[p] : p);
    }
  }
  finish_gradients(s->e, &s->A, &start, &column);
}

// their values first, then their bounds, then the gradients
static void list_slips(walk_moreau* s, expr_list* list)
{
  engine* e = s->e;
  expr_pool* p = e->s->pool;
  expr_list slope = {0};
  int_list start = {0}, column = {0}, of = {0}, stick = {0};
  expr_index* index = expr_index_new(e->n, e->s->v);
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    s->slip_of[k] = -1;
    // along a line what holds both ways rubs as dry friction does
    if (c->friction == EXPR_NONE || !(c->sense || c->guides)) continue;
    s->guides += c->guides;
    s->feels = s->feels || c->guides;
    s->slip_of[k] = of.n;
    for (int t = 0; t < c->slips; t++) {
      base_push(&stick, c->stick[t]);
      base_push(&of, k);
      base_push(&start, column.n);
      sparse_gradient(e, c->slip[t], index, e->s->v, &slope, &column);
    }
  }
  s->first_dry = of.n;
  for (int i = 0; i < s->dries; i++) {
    base_push(&start, column.n);
    sparse_gradient(e, s->dry_slip[i], index, e->s->v, &slope, &column);
  }
  expr_index_free(index);
  for (int i = 0; i < of.n; i++) {
    const bool second = i && of.at[i] == of.at[i - 1];
    base_push(list, e->model->constraint[of.at[i]].slip[second]);
  }
  for (int i = 0; i < s->dries; i++) base_push(list, s->dry_slip[i]);
  for (int i = 0; i < of.n; i++) {
    const model_constraint* c = &e->model->constraint[of.at[i]];
    const expr N = expr_mul(p, c->friction, c->pressure);
    base_push(list,
              c->guides ? expr_mul(p, N, expr_fn1(p, EXPR_ABS, e->model->reaction[of.at[i]])) : N);
  }
  for (int i = 0; i < s->dries; i++) base_push(list, s->dry_bound[i]);
  for (int i = 0; i < slope.n; i++) base_push(list, slope.at[i]);
  finish_gradients(e, &s->T, &start, &column);
  s->stick_of = kept_ints(e, &stick);
  base_list_free(&stick);
  base_list_free(&slope);
  base_list_free(&of);
}

static bool build_limits(walk_moreau* s, base_notes* notes)
{
  engine* e = s->e;
  expr_list list = {0};
  list_constraints(s, &list);
  list_slips(s, &list);
  s->limits = build(e, &list, notes);
  s->f0 = s->limits_out = doubles(e, list.n);
  s->f1 = s->f0 + e->m;
  s->c = s->f1 + e->m;
  s->A.value = s->c + e->m;
  s->slip = s->A.value + s->A.start[e->m];
  s->bound = s->slip + s->T.count;
  s->T.value = s->bound + s->T.count;
  list.n = 0;
  base_push(&list, walk_moreau_felt_power(e));
  if (s->feels) s->felt = build(e, &list, notes);
  base_list_free(&list);
  return s->limits != NULL && (s->felt || !s->feels);
}

// ---- blocks -------------------------------------------------------------------------------------

static int root(int* parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// coordinates that W couples, directly or through others, form a block
static void find_blocks(walk_moreau* s)
{
  engine* e = s->e;
  const int n = s->n;
  int* parent = base_alloc(sizeof(int) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) parent[i] = i;
  const walk_entries* all[3] = {&s->M, &s->C, &s->K};
  for (int which = 0; which < 3; which++)
    for (int k = 0; k < all[which]->count; k++)
      parent[root(parent, all[which]->i[k])] = root(parent, all[which]->j[k]);
  for (int k = 0; k < s->m; k++)
    for (int p = s->A.start[k] + 1; p < s->A.start[k + 1] && walk_moreau_is_norm(s, k); p++)
      parent[root(parent, s->A.column[p])] = root(parent, s->A.column[p - 1]);
  s->block_start = take(e, n + 1, sizeof(int));
  s->block_coord = take(e, n, sizeof(int));
  s->block_of = take(e, n, sizeof(int));
  s->place = take(e, n, sizeof(int));
  s->W_start = take(e, n + 1, sizeof(size_t));
  s->pivot = take(e, n, sizeof(int));
  s->right = doubles(e, n);
  s->first_side = take(e, n, sizeof(int));
  int* number = base_alloc(sizeof(int) * (size_t)(n + 1));
  int* size = base_alloc(sizeof(int) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    const int top = root(parent, i);
    if (top == i) number[i] = s->blocks++;
  }
  for (int i = 0; i < n; i++) {
    s->block_of[i] = number[root(parent, i)];
    s->place[i] = size[s->block_of[i]]++;
  }
  for (int b = 0; b < s->blocks; b++) {
    s->block_start[b + 1] = s->block_start[b] + size[b];
    s->W_start[b + 1] = s->W_start[b] + (size_t)size[b] * (size_t)size[b];
  }
  for (int i = 0; i < n; i++) s->block_coord[s->block_start[s->block_of[i]] + s->place[i]] = i;
  s->W = base_arena_take(e->arena, sizeof(double) * (s->W_start[s->blocks] + 1));
  s->inertia = base_arena_take(e->arena, sizeof(double) * (s->W_start[s->blocks] + 1));
  free(parent);
  free(number);
  free(size);
}

// ---- all of it ----------------------------------------------------------------------------------

static void take_work_space(walk_moreau* s)
{
  engine* e = s->e;
  const int n = s->n, m = s->m;
  double** vectors[] = {&s->q, &s->v, &s->q_end, &s->v_end, &s->a, &s->v_free, &s->q_look, &s->dv};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = doubles(e, n);
  s->x_kept = doubles(e, walk_moreau_first_touch(s));
  s->dry_side = doubles(e, s->dries);
  s->lambda = doubles(e, m);
  s->lost = doubles(e, e->model->tells);
  s->lost_before = doubles(e, e->model->tells);
  s->taken = doubles(e, e->model->tells);
  s->gap = doubles(e, m);
  s->rate = doubles(e, m);
  s->forced = take(e, m, sizeof(bool));
  s->met = take(e, n + 1, sizeof(int));
  walk_moreau_new_groups(s);
  for (int i = 0; i < WALK_MOREAU_HALVINGS; i++) s->half[i] = doubles(e, 2 * n + 1 + m);
  size_t room = 0;
  const code_kernel* kernels[] = {s->motion, s->limits, s->felt};
  for (int i = 0; i < 3; i++)
    if (kernels[i] && code_scratch(kernels[i]) > room) room = code_scratch(kernels[i]);
  s->scratch = base_arena_take(e->arena, sizeof(double) * (room + 1));
  s->many = cone_many_new(0);
  if (e->siconos) cone_many_use_siconos(s->many);
}

walk_moreau* walk_moreau_new(engine* e, base_notes* notes)
{
  walk_moreau* s = take(e, 1, sizeof *s);
  s->e = e;
  s->n = e->n;
  s->m = e->m;
  s->slip_of = take(e, e->m, sizeof(int));
  refuse_constraints(e, notes);
  if (base_notes_errors(notes) || !build_motion(s, notes) || refuse_massless(s, notes) ||
      !build_limits(s, notes)) {
    walk_moreau_free(s);
    return NULL;
  }
  find_blocks(s);
  take_work_space(s);
  return s;
}

void walk_moreau_free(walk_moreau* s)
{
  if (!s) return;
  code_free(s->motion);
  code_free(s->limits);
  code_free(s->felt);
  cone_many_free(s->many);
  walk_moreau_free_touches(s);
  base_list_free(&s->reached);
  base_list_free(&s->spread);
  base_list_free(&s->sides);
  base_list_free(&s->sided);
  free(s->beside);
  void* lists[] = {s->G,         s->G_column, s->col,      s->col_row, s->met_row, s->met_value,
                   s->row,       s->kind,     s->x,        s->w,       s->mu,      s->shift,
                   s->sum,       s->normal,   s->pair,     s->G_start, s->G_fill,  s->mark,
                   s->col_start, s->A_start,  s->A_column, s->A_value};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]);
}
