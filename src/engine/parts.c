// A system of several groups, each with an engine of its own.
//
// What one group decides depends on the places and velocities of the others, and on nothing else of
// them: these are further inputs of its kernels. All groups in which nothing switches make one part
// together. The whole lends its instant to a part and takes back what the part has found.
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// numbers i of 0 .. count with group[i] in the part, ascending; how many
static int members(const bool* in, int count, const int* group, int* out)
{
  int found = 0;
  for (int i = 0; i < count; i++)
    if (in[group[i]]) out[found++] = i;
  return found;
}

// ---- the system of a part -----------------------------------------------------------------------

typedef struct cut
{
  engine* e;
  engine_part* p;
  int *row_at, *contact_at; // numbers in the part, -1
} cut;

static void* take(const cut* c, int count, size_t size)
{
  return engine_take(c->e, (size_t)count + 1, size);
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
  for (int t = 0; t < 2 && x.friction != EXPR_NONE && t < x.slips; t++)
    x.stick[t] = c->row_at[x.stick[t]];
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
               .V = expr_int(from->pool, 0),
               .method = from->method,
               .scope = from->scope};
  m->coord = take(c, p->n, sizeof *m->coord);
  m->constraint = take(c, p->m, sizeof *m->constraint);
  m->contact = take(c, from->contacts, sizeof *m->contact);
  for (int i = 0; i < p->n; i++) m->coord[i] = from->coord[p->coord[i]];
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
  const engine* e = c->e;
  expr sum = expr_int(e->s->pool, 0);
  for (int i = 0; i < e->modes.count; i++)
    if (g->of_corner[i] >= 0 && in[g->of_corner[i]])
      sum = expr_add(e->s->pool, sum, e->modes.node[i]);
  return sum;
}

static mech_system* system_in(const cut* c, const engine_groups* g, const bool* in)
{
  const mech_system* from = c->e->s;
  const engine_part* p = c->p;
  mech_system* s = take(c, 1, sizeof *s);
  *s = *from;
  s->model = model_in(c);
  s->n = p->n;
  s->m = p->m;
  s->written = 0;
  s->role = take(c, p->m, sizeof *s->role);
  for (int k = 0; k < p->m; k++) {
    s->role[k] = from->role[p->row[k]];
    if (!s->role[k].ideal) s->role[k].servo = c->row_at[s->role[k].servo];
    s->written += p->row[k] < from->written;
  }
  const bool many = from->M_rows.start && p->n > MECH_MANY;
  s->M_rows = many ? thinned(c, p->n, p->coord, &from->M_rows) : (mech_rows){0};
  s->A_rows = many ? thinned(c, p->m, p->row, &from->A_rows) : (mech_rows){0};
  s->M = block(c, p->n, p->coord, from->M);
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
  s->power = corners_of(c, g, in);
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
  engine* e = c->e;
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

// ---- parts --------------------------------------------------------------------------------------

static void map_corners(engine* e, engine_part* p)
{
  p->corner = engine_take(e, (size_t)p->e->modes.count, sizeof(int));
  for (int j = 0; j < p->e->modes.count; j++)
    for (int i = 0; i < e->modes.count; i++)
      if (e->modes.node[i] == p->e->modes.node[j]) p->corner[j] = i;
}

static bool build_part(engine* e, const engine_groups* g, const bool* in, engine_build_part* build,
                       base_notes* notes)
{
  engine_part* p = &e->part[e->parts];
  cut c = {.e = e, .p = p};
  p->coord = engine_take(e, (size_t)e->n, sizeof(int));
  p->row = engine_take(e, (size_t)e->m, sizeof(int));
  p->n = members(in, e->n, g->of_coord, p->coord);
  p->m = members(in, e->m, g->of_row, p->row);
  c.row_at = engine_take(e, (size_t)e->m, sizeof(int));
  c.contact_at = engine_take(e, (size_t)e->model->contacts, sizeof(int));
  for (int k = 0; k < e->m; k++) c.row_at[k] = -1;
  for (int k = 0; k < p->m; k++) c.row_at[p->row[k]] = k;
  mech_system* s = system_in(&c, g, in);
  find_others(&c, s);
  expr* other = engine_take(e, (size_t)(2 * p->others), sizeof(expr));
  for (int i = 0; i < p->others; i++) {
    other[i] = e->model->coord[p->other[i]].q;
    other[p->others + i] = e->model->coord[p->other[i]].v;
  }
  const engine_kind kind = {.large = true, .is_part = true, .others = p->others, .other = other};
  p->e = build(s, kind, notes);
  if (!p->e) return false;
  e->parts++;
  p->e->ramp = e->ramp;
  map_corners(e, p);
  for (int i = 0; i < p->n; i++) e->part_of_coord[p->coord[i]] = e->parts - 1;
  for (int k = 0; k < p->m; k++) e->part_of_row[p->row[k]] = e->parts - 1;
  return true;
}

bool engine_divide(engine* e, engine_build_part* build, base_notes* notes)
{
  const engine_groups g = e->groups = engine_groups_find(e);
  int plain = 0;
  for (int i = 0; i < g.count; i++) plain += g.plain[i];
  if (g.count < 2 || plain == g.count) return true;
  e->part = engine_take(e, (size_t)g.count, sizeof *e->part);
  e->part_of_coord = engine_take(e, (size_t)e->n, sizeof(int));
  e->part_of_row = engine_take(e, (size_t)e->m, sizeof(int));
  bool fine = true, *in = base_alloc((size_t)g.count + 1);
  for (int i = -1; i < g.count && fine; i++) {
    for (int k = 0; k < g.count; k++) in[k] = i < 0 ? g.plain[k] : k == i;
    if (i < 0 ? plain : !g.plain[i]) fine = build_part(e, &g, in, build, notes);
  }
  free(in);
  if (fine) engine_rows(e);
  return fine;
}

void engine_parts_free(engine* e)
{
  for (int p = 0; p < e->parts; p++) engine_free(e->part[p].e);
}

// ---- the instant --------------------------------------------------------------------------------

engine* engine_part_enter(engine* e, int which)
{
  const engine_part* p = &e->part[which];
  engine* x = p->e;
  x->in[0] = e->in[0];
  memcpy(x->par, e->par, sizeof(double) * (size_t)(3 * e->p));
  for (int i = 0; i < p->n; i++) {
    x->q[i] = e->q[p->coord[i]];
    x->v[i] = e->v[p->coord[i]];
    x->a[i] = e->a[p->coord[i]];
  }
  for (int i = 0; i < p->others; i++) {
    x->other[i] = e->q[p->other[i]];
    x->other[p->others + i] = e->v[p->other[i]];
    x->other_a[i] = e->a[p->other[i]];
  }
  for (int k = 0; k < p->m; k++) {
    x->lambda[k] = e->lambda[p->row[k]];
    x->holds[k] = e->holds[p->row[k]];
  }
  for (int i = 0; i < x->modes.count; i++) x->side[i] = e->side[p->corner[i]];
  x->t_rest = e->t_rest;
  x->profile = e->profile;
  x->look_ahead = e->look_ahead;
  x->every_bit = e->every_bit;
  x->deciding = e->deciding;
  x->ambiguous = false;
  x->factored = false;
  *x->reason = 0;
  return x;
}

// the rows that hold in the part are those of the whole; true if that changes the whole
static bool give_rows(engine* e, const engine_part* p)
{
  const engine* x = p->e;
  bool changed = false;
  for (int k = 0; k < p->m; k++) {
    const int row = p->row[k];
    changed = changed || e->active[row] != x->active[k] || e->implied[row] != x->implied[k];
    e->implied_count += x->implied[k] - e->implied[row];
    e->active[row] = x->active[k];
    e->implied[row] = x->implied[k];
    e->holds[row] = x->holds[k];
    e->lambda[row] = x->lambda[k];
  }
  return changed;
}

void engine_part_leave(engine* e, int which)
{
  const engine_part* p = &e->part[which];
  const engine* x = p->e;
  for (int i = 0; i < p->n; i++) {
    e->q[p->coord[i]] = x->q[i];
    e->v[p->coord[i]] = x->v[i];
    e->a[p->coord[i]] = x->a[i];
  }
  for (int i = 0; i < x->modes.count; i++) {
    const int corner = p->corner[i];
    e->side[corner] = x->side[i];
    e->held_count += x->held[i] - e->held[corner];
    e->held[corner] = x->held[i];
  }
  e->ambiguous = e->ambiguous || x->ambiguous;
  if (*x->reason) memcpy(e->reason, x->reason, sizeof e->reason);
  if (give_rows(e, p)) engine_rows_count(e);
}

int engine_each_part(engine* e, int (*what)(engine*))
{
  int failed = 0;
  for (int p = 0; p < e->parts && !failed; p++) {
    failed = what(engine_part_enter(e, p));
    engine_part_leave(e, p);
  }
  return failed;
}

bool engine_is_large(const engine* e)
{
  bool large = e->sparse;
  for (int p = 0; p < e->parts; p++) large = large || e->part[p].e->sparse;
  return large;
}

int engine_part_kick(engine* e, int which, const double* g)
{
  const engine_part* p = &e->part[which];
  double* own = base_alloc(sizeof(double) * (size_t)(p->n + 1));
  for (int i = 0; i < p->n && g; i++) own[i] = g[p->coord[i]];
  const int failed = engine_kick(engine_part_enter(e, which), g ? own : NULL);
  engine_part_leave(e, which);
  free(own);
  return failed;
}

// M, F, A and c as the part has evaluated them
void engine_part_show(engine* e, int which)
{
  const engine_part* p = &e->part[which];
  const engine* x = p->e;
  const int n = e->n;
  if (e->sparse) return;
  for (int i = 0; i < p->n; i++) e->F[p->coord[i]] = x->F[i];
  for (int k = 0; k < p->m; k++) e->c[p->row[k]] = x->c[k];
  if (x->sparse) {
    const engine_sparse* t = x->sparse;
    for (int i = 0; i < p->n; i++)
      for (int at = t->M.start[i]; at < t->M.start[i + 1]; at++) {
        const int a = p->coord[i], b = p->coord[t->M.column[at]];
        e->M[a * n + b] = e->M[b * n + a] = t->M_value[at];
      }
    for (int k = 0; k < p->m; k++)
      for (int at = t->A.start[k]; at < t->A.start[k + 1]; at++)
        e->A[p->row[k] * n + p->coord[t->A.column[at]]] = t->A_value[at];
    return;
  }
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++) e->M[p->coord[i] * n + p->coord[j]] = x->M[i * p->n + j];
  for (int k = 0; k < p->m; k++)
    for (int j = 0; j < p->n; j++) e->A[p->row[k] * n + p->coord[j]] = x->A[k * p->n + j];
}

// the rows of the whole to its parts
void engine_parts_take_rows(engine* e)
{
  for (int i = 0; i < e->parts; i++) {
    const engine_part* p = &e->part[i];
    engine* x = p->e;
    x->implied_count = 0;
    for (int k = 0; k < p->m; k++) {
      x->active[k] = e->active[p->row[k]];
      x->implied[k] = e->implied[p->row[k]];
      x->implied_count += x->implied[k];
    }
    engine_rows(x);
    for (int k = 0; k < p->m; k++) e->holds[p->row[k]] = x->holds[k];
  }
}

// ---- a moment later -----------------------------------------------------------------------------

void engine_glide(engine* e, double h, const double* a)
{
  const int others = e->others;
  for (int j = 0; j < e->n; j++) {
    e->q[j] += h * (e->v[j] + h / 2 * a[j]);
    e->v[j] += h * a[j];
  }
  for (int j = 0; j < others; j++) {
    e->other[j] += h * (e->other[others + j] + h / 2 * e->other_a[j]);
    e->other[others + j] += h * e->other_a[j];
  }
  engine_time(e, e->in[0] + h);
}
