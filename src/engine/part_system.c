// The system of a part: the equations, constraints and contacts of some groups, as a model of its
// own, with the numbers they have there.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct cut
{
  engine_program* e;
  engine_part* p;
  int *row_at, *contact_at; // numbers in the part, -1
} cut;

static void* take(const cut* c, int count, size_t size)
{
  return engine_program_take(c->e, (size_t)count + 1, size);
}

static expr* picked(const cut* c, int count, const int* which, const expr* from)
{
  expr* to = take(c, count, sizeof(expr));
  for (int i = 0; i < count; i++) to[i] = from[which[i]];
  return to;
}

static expr* block(const cut* c, int rows, const int* row, const expr* from)
{
  const int n = c->p->n;
  expr* to = take(c, rows * n, sizeof(expr));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) to[i * n + j] = from[row[i] * c->e->n + c->p->coord[j]];
  return to;
}

// rows and columns of the part; none of its rows has an entry elsewhere
static mech_rows thinned(const cut* c, int rows, const int* row, const mech_rows* from)
{
  int entries = 0, *at = base_alloc(sizeof(int) * (size_t)(c->e->n + 1));
  for (int j = 0; j < c->p->n; j++) at[c->p->coord[j]] = j;
  for (int i = 0; i < rows; i++) entries += from->start[row[i] + 1] - from->start[row[i]];
  mech_rows to = {.count = entries,
                  .start = take(c, rows + 1, sizeof(int)),
                  .column = take(c, entries, sizeof(int)),
                  .value = take(c, entries, sizeof(expr))};
  entries = 0;
  for (int i = 0; i < rows; i++) {
    to.start[i] = entries;
    for (int k = from->start[row[i]]; k < from->start[row[i] + 1]; k++) {
      to.column[entries] = at[from->column[k]];
      to.value[entries++] = from->value[k];
    }
  }
  to.start[rows] = entries;
  free(at);
  return to;
}

static model_constraint constraint_in(const cut* c, int k)
{
  model_constraint x = c->e->model->constraint[k];
  for (int t = 0; t < model_constraint_sticks(&x); t++) x.stick[t] = c->row_at[x.stick[t]];
  if (x.during) x.during = 1 + c->row_at[x.during - 1];
  if (x.contact) x.contact = 1 + c->contact_at[x.contact - 1];
  if (x.along) x.along = picked(c, c->p->n, c->p->coord, x.along);
  return x;
}

static model_contact contact_in(const cut* c, int i)
{
  model_contact x = c->e->model->contact[i];
  x.gap = c->row_at[x.gap];
  for (int g = 0; g < MODEL_GRIPS; g++)
    for (int k = 0; k < x.grip[g].rows; k++) x.grip[g].stick[k] = c->row_at[x.grip[g].stick[k]];
  for (int k = 0; k < x.near.count; k++) x.near.row[k] = c->row_at[x.near.row[k]];
  return x;
}

// what the motion needs of the model: no stages, events, outputs
static model* model_in(const cut* c)
{
  const model* from = c->e->model;
  const engine_part* p = c->p;
  model* m = take(c, 1, sizeof *m);
  *m = (model){.arena = from->arena,
               .pool = from->pool,
               .title = from->title,
               .t = from->t,
               .coords = p->n,
               .params = from->params,
               .constraints = p->m,
               .param = from->param,
               .T = expr_int(from->pool, 0),
               .T_states = expr_int(from->pool, 0),
               .V = expr_int(from->pool, 0),
               .method = from->method,
               .scope = from->scope};
  m->coord = take(c, p->n, sizeof *m->coord);
  m->constraint = take(c, p->m, sizeof *m->constraint);
  m->contact = take(c, from->contacts, sizeof *m->contact);
  for (int i = 0; i < p->n; i++) {
    m->coord[i] = from->coord[p->coord[i]];
    m->places += p->coord[i] < from->places;
  }
  for (int i = 0; i < from->contacts; i++)
    if (c->row_at[from->contact[i].gap] >= 0) {
      c->contact_at[i] = m->contacts;
      m->contact[m->contacts++] = contact_in(c, i);
    }
  for (int k = 0; k < p->m; k++) {
    m->constraint[k] = constraint_in(c, p->row[k]);
    m->massless = m->massless || m->constraint[k].internal;
  }
  m->massless = from->massless && (m->massless || m->contacts);
  m->Q = picked(c, p->n, p->coord, from->Q);
  m->reaction = picked(c, p->m, p->row, from->reaction);
  m->holds = picked(c, p->m, p->row, from->holds);
  return m;
}

// corners are looked for in all that the system holds: those of its energies, too
static expr corners_of(const cut* c, const engine_groups* g, const bool* in)
{
  const engine_program* e = c->e;
  expr sum = expr_int(e->s->pool, 0);
  for (int k = 0; k < e->modes.nodes; k++) {
    const int group = g->of_corner[e->modes.of[k]];
    if (group >= 0 && in[group]) sum = expr_add(e->s->pool, sum, e->modes.node[k]);
  }
  return sum;
}

static mech_system* system_in(const cut* c, const engine_groups* g, const bool* in)
{
  const mech_system* from = c->e->s;
  const engine_part* p = c->p;
  mech_system* s = take(c, 1, sizeof *s);
  *s = *from;
  model* m = model_in(c);
  m->V = corners_of(c, g, in);
  s->model = m;
  s->n = p->n;
  s->m = p->m;
  s->written = 0;
  s->role = take(c, p->m, sizeof *s->role);
  for (int k = 0; k < p->m; k++) {
    s->role[k] = from->role[p->row[k]];
    if (!s->role[k].ideal) s->role[k].servo = c->row_at[s->role[k].servo];
    s->written += p->row[k] < from->written;
  }
  const mech_rows* masses = mech_mass_rows(from);
  const bool many = masses->start && p->n > MECH_MANY;
  s->hung = NULL;
  s->M_rows = many ? thinned(c, p->n, p->coord, masses) : (mech_rows){0};
  s->A_rows = many ? thinned(c, p->m, p->row, &from->A_rows) : (mech_rows){0};
  s->M = block(c, p->n, p->coord, mech_mass(from));
  s->A = block(c, p->m, p->row, from->A);
  s->F = picked(c, p->n, p->coord, from->F);
  s->c = picked(c, p->m, p->row, from->c);
  s->f0 = picked(c, p->m, p->row, from->f0);
  s->f1 = picked(c, p->m, p->row, from->f1);
  s->h = picked(c, p->n, p->coord, from->h);
  s->G = picked(c, p->n, p->coord, from->G);
  s->q = picked(c, p->n, p->coord, from->q);
  s->v = picked(c, p->n, p->coord, from->v);
  s->a = picked(c, p->n, p->coord, from->a);
  s->H = expr_int(from->pool, 0);
  s->power = m->V;
  return s;
}

// ---- what a part depends on ---------------------------------------------------------------------

// all expressions that its kernels are made of
static int terms(const mech_system* s, expr** out)
{
  const model* m = s->model;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < s->n * s->n; i++) base_push(&list, s->M[i]);
  for (int i = 0; i < s->m * s->n; i++) base_push(&list, s->A[i]);
  for (int i = 0; i < s->n; i++) base_push(&list, s->F[i]);
  for (int k = 0; k < s->m; k++) {
    const model_constraint* c = &m->constraint[k];
    base_push(&list, s->c[k]);
    base_push(&list, c->f);
    if (s->f0[k] != EXPR_NONE) base_push(&list, s->f0[k]);
    if (s->f1[k] != EXPR_NONE) base_push(&list, s->f1[k]);
    if (c->restitution != EXPR_NONE) base_push(&list, c->restitution);
    if (c->friction == EXPR_NONE) continue;
    base_push(&list, c->friction);
    base_push(&list, c->pressure);
    for (int t = 0; t < c->slips; t++) base_push(&list, c->slip[t]);
  }
  base_push(&list, s->power);
  *out = list.at;
  return list.n;
}

// the coordinates of others whose places or velocities its forces hold, and the params
static void find_others(const cut* c, const mech_system* s)
{
  const engine_program* e = c->e;
  engine_part* p = c->p;
  bool* own = base_alloc((size_t)e->n + 1);
  for (int i = 0; i < p->n; i++) own[p->coord[i]] = true;
  expr* list;
  const int count = terms(s, &list), held = expr_symbols(s->pool, count, list, 0, NULL);
  expr* found = base_alloc(sizeof(expr) * (size_t)(held + 1));
  expr_symbols(s->pool, count, list, held, found);
  expr_index* index = expr_index_new(held, found);
  p->other = take(c, e->n, sizeof(int));
  p->param = take(c, e->p, sizeof(bool));
  for (int i = 0; i < e->n; i++) {
    const expr both[2] = {e->model->coord[i].q, e->model->coord[i].v};
    if (!own[i] && expr_index_any_of(s->pool, index, 2, both)) p->other[p->others++] = i;
  }
  for (int i = 0; i < e->p; i++) {
    const model_param* a = &e->model->param[e->changing[i]];
    const expr all[3] = {a->symbol, a->rate, a->rate2};
    p->param[i] = expr_index_any_of(s->pool, index, 3, all);
  }
  expr_index_free(index);
  free(found);
  free(list);
  free(own);
}

mech_system* engine_part_system(engine_program* whole, engine_part* p, const bool* in)
{
  cut c = {.e = whole,
           .p = p,
           .row_at = engine_program_take(whole, (size_t)whole->m, sizeof(int)),
           .contact_at = engine_program_take(whole, (size_t)whole->model->contacts, sizeof(int))};
  for (int k = 0; k < whole->m; k++) c.row_at[k] = -1;
  for (int k = 0; k < p->m; k++) c.row_at[p->row[k]] = k;
  mech_system* s = system_in(&c, &whole->groups, in);
  find_others(&c, s);
  return s;
}
