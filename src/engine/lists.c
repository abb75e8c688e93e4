// Lists of expressions that kernels are made of: contacts of surfaces, declared integrals.
#include "engine/engine.h"

// guards of all contacts, then coefficients of friction, then the normal forces
int engine_guard_count(const model* m)
{
  int n = 0;
  for (int i = 0; i < m->contacts; i++) n += m->contact[i].guards;
  return n + (MODEL_GRIPS + 1) * m->contacts;
}

void engine_guard_list(const model* m, expr_pool* p, expr* out)
{
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < m->contact[i].guards; k++) *out++ = m->contact[i].guard[k].g;
  for (int i = 0; i < m->contacts; i++)
    for (int k = 0; k < MODEL_GRIPS; k++)
      *out++ = m->contact[i].grip[k].rows ? m->contact[i].grip[k].mu : expr_int(p, 0);
  for (int i = 0; i < m->contacts; i++) {
    const model_contact* c = &m->contact[i];
    expr part[3];
    for (int k = 0; k < 3; k++) part[k] = expr_mul(p, c->force[k], c->normal[k]);
    *out++ = expr_sum(p, 3, part);
  }
}

int engine_foot_list(const model* m, expr* out)
{
  int count = 0;
  for (int i = 0; i < m->contacts; i++) {
    const model_near* near = &m->contact[i].near;
    if (!near->count) continue;
    const expr all[5] = {near->F, near->middle[0], near->middle[1], near->half[0], near->half[1]};
    for (int k = 0; k < 5; k++, count++)
      if (out) out[count] = all[k];
  }
  return count;
}

int engine_integral_count(const model* m)
{
  int count = 0;
  for (int i = 0; i < m->outputs; i++) count += m->output[i].integral;
  return count;
}

const model_output* engine_integral_at(const model* m, int which)
{
  const model_output* at = m->output;
  while (!at->integral || which-- > 0) at++;
  return at;
}

enum { most_parts = 1000 };

// e with |terms| in the place of the terms of all its sums, as far as that is short
static expr size_of(expr_pool* p, expr e, int* parts)
{
  const expr_kind kind = expr_kind_of(p, e);
  const expr whole = expr_fn1(p, EXPR_ABS, e);
  if (++*parts > most_parts || (kind != EXPR_SUM && kind != EXPR_PRODUCT)) return whole;
  expr all = expr_int(p, kind == EXPR_PRODUCT);
  for (int i = 0; i < expr_arg_count(p, e); i++) {
    const expr part = size_of(p, expr_arg(p, e, i), parts);
    all = kind == EXPR_SUM ? expr_add(p, all, part) : expr_mul(p, all, part);
  }
  return all;
}

int engine_integral_list(const mech_system* s, base_arena* arena, expr** list)
{
  const int count = engine_integral_count(s->model);
  *list = base_arena_take(arena, sizeof(expr) * (size_t)(2 * count + 1));
  for (int i = 0; i < count; i++) {
    (*list)[2 * i] = engine_integral_at(s->model, i)->value;
    (*list)[2 * i + 1] = size_of(s->pool, (*list)[2 * i], &(int){0});
  }
  return 2 * count;
}

int engine_column_list(const model* m, expr** columns)
{
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < m->quasis; i++)
    if (m->quasi[i].order == 1) base_push(&list, m->quasi[i].value);
  for (int i = 0; i < m->contacts; i++) {
    expr shown[ENGINE_CONTACT_COLUMNS];
    const int count = engine_contact_columns(&m->contact[i], shown);
    for (int j = 0; j < count; j++) base_push(&list, shown[j]);
  }
  for (int i = 0; i < m->outputs; i++) base_push(&list, m->output[i].value);
  for (int i = 0; i < m->plots; i++) {
    base_push(&list, m->plot[i].x);
    for (int j = 0; j < m->plot[i].curves; j++) base_push(&list, m->plot[i].y[j]);
  }
  *columns = list.at;
  return list.n;
}
