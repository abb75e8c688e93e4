// Which systems can be taken, and their graphs.
//
// M a - A^T Lambda - (dF/dLambda) Lambda = F(Lambda = 0),  A a = c: forces may hold reactions
// (controls, laws of resistance) as long as they are affine in them.
#include "certify/system.h"

#include <stdlib.h>

// ---- what is not taken --------------------------------------------------------------------------

static const char* unsmooth_constraint(const model_constraint* c)
{
  if (c->sense) return "an inequality";
  if (c->friction != EXPR_NONE) return "friction that may hold";
  if (c->order == 2 && !c->linear) return "a constraint nonlinear in the accelerations";
  return NULL;
}

static const char* unsmooth(const mech_system* s, base_place* place)
{
  const model* m = s->model;
  *place = BASE_NOWHERE;
  if (m->stages) return "stages";
  if (!mech_mass(s)) return "more coordinates than have a full mass matrix";
  for (int i = 0; i < m->events; i++) {
    *place = m->event[i].place;
    if (m->event[i].action != MODEL_REPORT) return "an event that does more than report";
  }
  for (int i = 0; i < m->params; i++) {
    *place = m->param[i].place;
    if (m->param[i].changes) return "a param that changes";
  }
  for (int i = 0; i < m->constraints; i++) {
    *place = m->constraint[i].place;
    const char* why = unsmooth_constraint(&m->constraint[i]);
    if (why && !m->constraint[i].starts_off) return why;
  }
  for (int i = 0; i < m->contacts; i++) {
    *place = m->contact[i].place;
    if (m->contact[i].pull == MODEL_PULL_RELEASES || m->contact[i].lands)
      return "a contact that lets go";
    if (m->contact[i].slip.acts || m->contact[i].turn.acts) return "friction at a contact";
  }
  for (int i = 0; i < m->meetings; i++) {
    *place = m->meeting[i].place;
    if (m->meeting[i].looked_for || m->facings || m->footings)
      return "contacts that are looked for as it moves";
  }
  *place = BASE_NOWHERE;
  return NULL;
}

// ---- symbols ------------------------------------------------------------------------------------

static void name_symbols(certify_system* c)
{
  const model* m = c->s->model;
  const int n = c->n, most = m->params + m->constraints;
  c->input = base_arena_take(c->arena, sizeof(expr) * (size_t)(2 * n + 1));
  c->known = base_arena_take(c->arena, sizeof(expr) * (size_t)(most + 1));
  c->value = base_arena_take(c->arena, sizeof(expr) * (size_t)(most + 1));
  c->input[0] = m->t;
  for (int i = 0; i < n; i++) {
    c->input[1 + i] = c->s->q[i];
    c->input[1 + n + i] = c->s->v[i];
  }
  for (int i = 0; i < m->params; i++) {
    c->known[i] = m->param[i].symbol;
    c->value[i] = m->param[i].value;
  }
  for (int k = 0; k < m->constraints; k++) {
    c->known[m->params + k] = m->holds[k];
    c->value[m->params + k] = expr_int(c->s->pool, model_constraint_starts(m, k));
  }
}

static void open_graph(certify_system* c, certify_graph* g)
{
  const model* m = c->s->model;
  certify_graph_open(g, c->s->pool, 2 * c->n + 1, c->input, m->params + m->constraints, c->known,
                     c->value);
}

// ---- the motion ---------------------------------------------------------------------------------

static void choose_rows(certify_system* c)
{
  const mech_system* s = c->s;
  c->row = base_arena_take(c->arena, sizeof(int) * (size_t)(s->m + 1));
  for (int k = 0; k < s->m; k++)
    if (model_constraint_starts(s->model, k) && (s->role[k].ideal || s->role[k].leads))
      c->row[c->rows++] = k;
  c->size = c->n + c->rows;
}

static void put(certify_system* c, int row, int column, expr value)
{
  long number;
  if (expr_is_int(c->s->pool, value, &number) && number == 0) return;
  base_push(&c->entry, (certify_entry){row, column, certify_graph_add(&c->motion, value)});
}

// the reaction or control that row r brings with it
static int force_of(const certify_system* c, int r)
{
  const mech_role* role = &c->s->role[c->row[r]];
  return role->ideal ? c->row[r] : role->servo;
}

static bool put_forces(certify_system* c, int i, const expr* lambda, const expr* zero)
{
  mech_system* s = c->s;
  expr_pool* p = s->pool;
  for (int r = 0; r < c->rows; r++) {
    const int k = c->row[r];
    expr along = expr_diff(p, s->F[i], lambda[r]);
    if (along == EXPR_NONE || expr_has_any(p, along, c->rows, lambda)) return false;
    if (s->role[k].ideal) along = expr_add(p, along, s->A[k * c->n + i]);
    put(c, i, c->n + r, expr_neg(p, along));
  }
  const expr rest = expr_substitute(p, s->F[i], c->rows, lambda, zero);
  c->right[i] = certify_graph_add(&c->motion, rest);
  return true;
}

static bool write_motion(certify_system* c)
{
  mech_system* s = c->s;
  const int n = c->n;
  expr* lambda = base_arena_take(c->arena, sizeof(expr) * (size_t)(c->rows + 1));
  expr* zero = base_arena_take(c->arena, sizeof(expr) * (size_t)(c->rows + 1));
  c->right = base_arena_take(c->arena, sizeof(int) * (size_t)(c->size + 1));
  for (int r = 0; r < c->rows; r++) {
    lambda[r] = s->model->reaction[force_of(c, r)];
    zero[r] = expr_int(s->pool, 0);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) put(c, i, j, mech_mass(s)[i * n + j]);
    if (!put_forces(c, i, lambda, zero)) return false;
  }
  for (int r = 0; r < c->rows; r++) {
    for (int j = 0; j < n; j++) put(c, n + r, j, s->A[c->row[r] * n + j]);
    c->right[n + r] = certify_graph_add(&c->motion, s->c[c->row[r]]);
  }
  return true;
}

// ---- the start ----------------------------------------------------------------------------------

static void add_equation(certify_system* c, expr f)
{
  const int n = c->n, e = c->equations++;
  expr* slope = base_alloc(sizeof(expr) * (size_t)(2 * n + 1));
  c->equation[e] = certify_graph_add(&c->start, f);
  expr_gradient(c->s->pool, f, 2 * n, c->input + 1, slope);
  for (int j = 0; j < 2 * n; j++) c->slope[e * 2 * n + j] = certify_graph_add(&c->start, slope[j]);
  free(slope);
}

// Initial equations hold velocities and positions; those in accelerations say nothing of the start.
static void write_start(certify_system* c)
{
  const mech_system* s = c->s;
  const model* m = s->model;
  const size_t most = (size_t)(m->initials + 2 * s->m + 1);
  c->equation = base_arena_take(c->arena, sizeof(int) * most);
  c->slope = base_arena_take(c->arena, sizeof(int) * most * (size_t)(2 * c->n));
  for (int i = 0; i < m->initials; i++)
    if (!m->initial[i].guess) add_equation(c, m->initial[i].f);
  const int said = c->equations;
  for (int k = 0; k < s->m; k++) {
    if (!model_constraint_starts(m, k)) continue;
    if (s->f0[k] != EXPR_NONE) add_equation(c, s->f0[k]);
    if (s->f1[k] != EXPR_NONE) add_equation(c, s->f1[k]);
  }
  c->levels = c->equations - said;
}

// ---- together -----------------------------------------------------------------------------------

static bool is_known(const certify_graph* g, base_notes* notes)
{
  if (g->stranger == EXPR_NONE) return true;
  base_error(notes, BASE_NOWHERE,
             "not taken in long arithmetic: `%s` is neither given nor a coordinate",
             expr_name(g->pool, g->stranger));
  return false;
}

certify_system* certify_system_new(mech_system* s, base_notes* notes)
{
  base_place place;
  const char* why = unsmooth(s, &place);
  if (why) {
    base_error(notes, place, "not taken in long arithmetic: the model has %s", why);
    return NULL;
  }
  certify_system* c = base_alloc(sizeof *c);
  c->s = s;
  c->arena = base_arena_new();
  c->n = s->n;
  name_symbols(c);
  open_graph(c, &c->motion);
  open_graph(c, &c->start);
  choose_rows(c);
  const bool affine = write_motion(c);
  if (!affine)
    base_error(notes, BASE_NOWHERE,
               "not taken in long arithmetic: a force is not affine in the reactions");
  else
    write_start(c);
  if (affine && is_known(&c->motion, notes) && is_known(&c->start, notes)) return c;
  certify_system_free(c);
  return NULL;
}

void certify_system_free(certify_system* c)
{
  if (!c) return;
  certify_graph_close(&c->motion);
  certify_graph_close(&c->start);
  base_list_free(&c->entry);
  base_arena_free(c->arena);
  free(c);
}
