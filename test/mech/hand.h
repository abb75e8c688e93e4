// Models made by hand from formulas, so that mech and geom are tested apart from lang and model.
#pragma once

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/model.h"

typedef struct hand
{
  model m;
  const char* at; // what is left of the formula being read
} hand;

static expr hand_sum(hand* h);

static void hand_blanks(hand* h)
{
  while (*h->at == ' ') h->at++;
}

static expr hand_name(hand* h)
{
  char name[64];
  int n = 0;
  while ((isalnum((unsigned char)*h->at) || *h->at == '_' || *h->at == '\'') && n < 63)
    name[n++] = *h->at++;
  name[n] = 0;
  if (*h->at != '(') return strcmp(name, "pi") ? expr_symbol(h->m.pool, name) : expr_pi(h->m.pool);
  h->at++;
  expr arg = hand_sum(h);
  hand_blanks(h);
  h->at++;
  for (int f = 0; f < EXPR_FN_COUNT; f++)
    if (strcmp(expr_fn_name((expr_fn)f), name) == 0) return expr_fn1(h->m.pool, (expr_fn)f, arg);
  assert(!"known function");
  return EXPR_NONE;
}

static expr hand_atom(hand* h)
{
  hand_blanks(h);
  if (*h->at == '-') {
    h->at++;
    return expr_neg(h->m.pool, hand_atom(h));
  }
  expr e;
  if (*h->at == '(') {
    h->at++;
    e = hand_sum(h);
    hand_blanks(h);
    h->at++;
  } else if (isdigit((unsigned char)*h->at)) {
    size_t n = strspn(h->at, "0123456789.");
    e = expr_decimal(h->m.pool, h->at, n);
    h->at += n;
  } else {
    e = hand_name(h);
  }
  hand_blanks(h);
  if (*h->at == '^') {
    h->at++;
    e = expr_pow(h->m.pool, e, hand_atom(h));
  }
  return e;
}

static expr hand_product(hand* h)
{
  expr e = hand_atom(h);
  for (hand_blanks(h); *h->at == '*' || *h->at == '/'; hand_blanks(h)) {
    bool over = *h->at++ == '/';
    expr f = hand_atom(h);
    e = over ? expr_div(h->m.pool, e, f) : expr_mul(h->m.pool, e, f);
  }
  return e;
}

static expr hand_sum(hand* h)
{
  expr e = hand_product(h);
  for (hand_blanks(h); *h->at == '+' || *h->at == '-'; hand_blanks(h)) {
    bool minus = *h->at++ == '-';
    expr f = hand_product(h);
    e = minus ? expr_sub(h->m.pool, e, f) : expr_add(h->m.pool, e, f);
  }
  return e;
}

// an expression of the usual kind
static inline expr hand_read(hand* h, const char* formula)
{
  h->at = formula;
  expr e = hand_sum(h);
  hand_blanks(h);
  if (*h->at) fprintf(stderr, "hand: rest `%s` of `%s`\n", h->at, formula);
  assert(*h->at == 0);
  return e;
}

#define HAND_ROOM 64

static inline void* hand_take(hand* h, size_t size)
{
  return base_arena_take(h->m.arena, HAND_ROOM * size);
}

// coordinates by their names, params as "m=1 l=0.5"; a param with a star after its value is driven
static inline hand* hand_new(const char* coords, const char* params)
{
  base_arena* arena = base_arena_new();
  hand* h = base_arena_take(arena, sizeof *h);
  model* m = &h->m;
  m->arena = arena;
  expr_pool* p = m->pool = expr_pool_new(0);
  m->title = "";
  m->t = expr_symbol(p, "t");
  expr_rate_set(p, m->t, expr_int(p, 1));
  m->coord = hand_take(h, sizeof *m->coord);
  m->param = hand_take(h, sizeof *m->param);
  m->constraint = hand_take(h, sizeof *m->constraint);
  m->quasi = hand_take(h, sizeof *m->quasi);
  m->Q = hand_take(h, sizeof *m->Q);
  m->reaction = hand_take(h, sizeof *m->reaction);
  m->T = m->V = m->T_states = expr_int(p, 0);
  char* list = base_arena_strdup(arena, coords);
  for (char* name = strtok(list, " "); name; name = strtok(NULL, " ")) {
    model_coord* c = &m->coord[m->coords];
    c->name = name;
    c->unit = "";
    c->place = BASE_NOWHERE;
    c->q = expr_symbol(p, name);
    c->v = expr_symbol(p, base_arena_printf(arena, "%s'", name));
    c->a = expr_symbol(p, base_arena_printf(arena, "%s''", name));
    expr_rate_set(p, c->q, c->v);
    expr_rate_set(p, c->v, c->a);
    expr_rate_set(p, c->a, expr_symbol(p, base_arena_printf(arena, "%s'''", name)));
    m->Q[m->coords++] = expr_int(p, 0);
    m->places = m->coords;
  }
  list = base_arena_strdup(arena, params);
  for (char* name = strtok(list, " "); name; name = strtok(NULL, " ")) {
    model_param* a = &m->param[m->params++];
    char* value = strchr(name, '=');
    *value++ = 0;
    a->changes = value[strlen(value) - 1] == '*';
    a->name = name;
    a->unit = a->note = "";
    a->place = BASE_NOWHERE;
    a->number = atof(value);
    a->symbol = expr_symbol(p, name);
    a->value = expr_double(p, a->number);
    a->rate = a->rate2 = EXPR_NONE;
    if (!a->changes) continue;
    a->rate = expr_symbol(p, base_arena_printf(arena, "%s'", name));
    a->rate2 = expr_symbol(p, base_arena_printf(arena, "%s''", name));
    expr_rate_set(p, a->symbol, a->rate);
    expr_rate_set(p, a->rate, a->rate2);
    expr_rate_set(p, a->rate2, expr_symbol(p, base_arena_printf(arena, "%s'''", name)));
  }
  return h;
}

static inline void hand_free(hand* h)
{
  expr_pool_free(h->m.pool);
  base_arena_free(h->m.arena);
}

static inline void hand_energies(hand* h, const char* T, const char* V)
{
  h->m.T = hand_read(h, T);
  h->m.V = hand_read(h, V);
}

static inline void hand_force(hand* h, const char* coord, const char* Q)
{
  for (int i = 0; i < h->m.coords; i++)
    if (strcmp(h->m.coord[i].name, coord) == 0) h->m.Q[i] = hand_read(h, Q);
}

static inline int hand_order(const hand* h, expr e)
{
  int order = 0;
  for (int i = 0; i < h->m.coords; i++) {
    if (expr_has(h->m.pool, e, h->m.coord[i].v) && order < 1) order = 1;
    if (expr_has(h->m.pool, e, h->m.coord[i].a)) order = 2;
  }
  return order;
}

static inline void hand_constraint(hand* h, const char* name, const char* f)
{
  model* m = &h->m;
  model_constraint* c = &m->constraint[m->constraints];
  c->name = name;
  c->f = hand_read(h, f);
  c->order = hand_order(h, c->f);
  c->place = BASE_NOWHERE;
  c->linear = true;
  // affine: no derivative by a highest derivative holds one
  for (int i = 0; i < m->coords && c->order > 0; i++)
    for (int j = 0; j < m->coords; j++) {
      expr by = c->order == 1 ? m->coord[i].v : m->coord[i].a;
      expr again = c->order == 1 ? m->coord[j].v : m->coord[j].a;
      expr d = expr_diff(m->pool, expr_diff(m->pool, c->f, by), again);
      if (expr_is_zero(m->pool, d) != EXPR_YES) c->linear = false;
    }
  char* reaction = base_arena_printf(m->arena, "reaction(%s)", name);
  m->reaction[m->constraints++] = expr_symbol(m->pool, reaction);
}

static inline void hand_quasi(hand* h, const char* name, const char* value)
{
  model_quasi* u = &h->m.quasi[h->m.quasis++];
  u->name = name;
  u->unit = "";
  u->value = hand_read(h, value);
  u->order = hand_order(h, u->value);
  u->place = BASE_NOWHERE;
}

static inline char* hand_print(const hand* h, expr e)
{
  base_text t = {0};
  expr_print(h->m.pool, &t, e);
  char* copy = base_arena_strdup(h->m.arena, t.at ? t.at : "");
  base_text_free(&t);
  return copy;
}

// ---- numbers ------------------------------------------------------------------------------------

#define HAND_MOST 256

// values of every symbol of the model; reactions and accelerations stand at the end, at zero
typedef struct hand_state
{
  int n;
  expr symbol[HAND_MOST];
  double value[HAND_MOST];
} hand_state;

static inline void hand_put(hand_state* s, expr symbol, double value)
{
  for (int i = 0; i < s->n; i++)
    if (s->symbol[i] == symbol) {
      s->value[i] = value;
      return;
    }
  assert(s->n < HAND_MOST);
  s->symbol[s->n] = symbol;
  s->value[s->n++] = value;
}

static inline double hand_get(const hand* h, const hand_state* s, expr e)
{
  return expr_value(h->m.pool, e, s->n, s->symbol, s->value);
}

// many expressions at once
static inline void hand_get_all(const hand* h, const hand_state* s, int n, const expr* e,
                                double* out)
{
  expr_values(h->m.pool, n, e, s->n, s->symbol, s->value, out);
}

static inline double hand_random(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// a random state; params at their values, rates of driven ones random
static inline hand_state hand_throw(const hand* h, uint64_t* seed)
{
  const model* m = &h->m;
  hand_state s = {0};
  hand_put(&s, m->t, hand_random(seed));
  for (int i = 0; i < m->params; i++) {
    hand_put(&s, m->param[i].symbol, m->param[i].number);
    if (!m->param[i].changes) continue;
    hand_put(&s, m->param[i].rate, hand_random(seed));
    hand_put(&s, m->param[i].rate2, hand_random(seed));
  }
  for (int i = 0; i < m->coords; i++) {
    hand_put(&s, m->coord[i].q, 0.2 + 1.3 * hand_random(seed));
    hand_put(&s, m->coord[i].v, 0.1 + 1.5 * hand_random(seed));
    hand_put(&s, m->coord[i].a, 0);
  }
  for (int k = 0; k < m->constraints; k++) hand_put(&s, m->reaction[k], 0);
  return s;
}

// x with A x = b by elimination with full pivoting; unknowns without a pivot stay zero. Returns the
// rank; the pivots' rows and columns where they are asked for
static inline int hand_solve_at(int m, int n, double* A, double* b, double* x, int* rows,
                                int* columns)
{
  int column[HAND_MOST] = {0}, row[HAND_MOST], rank = 0;
  for (int i = 0; i < m; i++) row[i] = i;
  double first = 0;
  for (; rank < m && rank < n; rank++) {
    int pi = -1, pj = -1;
    double best = 0;
    for (int i = rank; i < m; i++)
      for (int j = 0; j < n; j++)
        if (fabs(A[i * n + j]) > best) best = fabs(A[i * n + j]), pi = i, pj = j;
    if (rank == 0) first = best;
    if (best <= 1e-11 * first) break;
    for (int j = 0; j < n; j++) {
      double keep = A[rank * n + j];
      A[rank * n + j] = A[pi * n + j];
      A[pi * n + j] = keep;
    }
    double keep = b[rank];
    b[rank] = b[pi];
    b[pi] = keep;
    int keep_row = row[rank];
    row[rank] = row[pi];
    row[pi] = keep_row;
    column[rank] = pj;
    for (int i = 0; i < m; i++) {
      if (i == rank) continue;
      double f = A[i * n + pj] / A[rank * n + pj];
      for (int j = 0; j < n; j++) A[i * n + j] -= f * A[rank * n + j];
      A[i * n + pj] = 0;
      b[i] -= f * b[rank];
    }
  }
  for (int j = 0; j < n; j++) x[j] = 0;
  for (int i = 0; i < rank; i++) {
    x[column[i]] = b[i] / A[i * n + column[i]];
    if (rows) rows[i] = row[i];
    if (columns) columns[i] = column[i];
  }
  return rank;
}

static inline void hand_solve(int m, int n, double* A, double* b, double* x)
{
  hand_solve_at(m, n, A, b, x, NULL, NULL);
}
