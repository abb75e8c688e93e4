// Params given with each run: inputs of the kernels that do not change along a run.
//
// Some are given as numbers, the others follow from them by their definitions. One kernel has them
// all, and the bounds that the model sets to what they make.
#include "engine/inside.h"

#include <stdlib.h>
#include <string.h>

void engine_given_find(engine_program* p)
{
  const model* m = p->model;
  p->given = engine_program_take(p, (size_t)m->params, sizeof(int));
  p->free_given = engine_program_take(p, (size_t)m->params, sizeof(int));
  for (int i = 0; i < m->params; i++) {
    if (!m->param[i].given) continue;
    p->given[p->givens++] = i;
    if (m->param[i].definition == EXPR_NONE) p->free_given[p->free_givens++] = i;
  }
}

// definitions in the place of what they define, until none is left
void engine_given_write_out(const engine_program* p, int count, expr* list)
{
  const model* m = p->model;
  expr* both = base_alloc(sizeof *both * (size_t)(2 * p->givens + 1));
  expr *from = both, *to = both + p->givens;
  int defined = 0;
  for (int i = 0; i < p->givens; i++) {
    const model_param* x = &m->param[p->given[i]];
    if (x->definition == EXPR_NONE) continue;
    from[defined] = x->symbol;
    to[defined++] = x->definition;
  }
  // each turn resolves one level of them
  for (int turn = 0; turn < defined; turn++)
    expr_substitute_all(p->s->pool, count, list, defined, from, to, list);
  engine_numbers(p, count, list, list);
  free(both);
}

bool engine_given_build(engine_program* p, base_notes* notes)
{
  const model* m = p->model;
  if (!p->givens) return true;
  BASE_LIST(expr) list = {0};
  for (int i = 0; i < p->givens; i++) base_push(&list, m->param[p->given[i]].symbol);
  for (int i = 0; i < m->bounds && !p->is_part; i++) base_push(&list, m->bound[i]);
  engine_given_write_out(p, list.n, list.at);
  expr* by = base_alloc(sizeof *by * (size_t)(p->free_givens + 1));
  for (int i = 0; i < p->free_givens; i++) by[i] = m->param[p->free_given[i]].symbol;
  bool whole = true;
  for (int i = 0; i < list.n; i++) whole = whole && list.at[i] != EXPR_NONE;
  if (whole) p->given_values = code_build(p->s->pool, list.n, list.at, p->free_givens, by, NULL);
  if (!p->given_values) base_error(notes, BASE_NOWHERE, "the params divide by zero");
  base_list_free(&list);
  free(by);
  return p->given_values;
}

// all of them by those that they follow from; false where a bound is passed
static bool find_values(engine* e)
{
  const engine_program* p = e->program;
  const int all = code_outputs(p->given_values);
  double *out = e->free_given + p->free_givens, *scratch = out + all;
  code_run(p->given_values, e->free_given, out, scratch);
  for (int i = p->givens; i < all; i++)
    if (!(out[i] >= 0)) return false;
  memcpy(e->given, out, sizeof(double) * (size_t)p->givens);
  return true;
}

bool engine_given_set(engine* e, const double* number, base_notes* notes)
{
  const engine_program* p = e->program;
  if (!p->givens) return true;
  const int all = code_outputs(p->given_values);
  if (!e->free_given)
    e->free_given = engine_doubles(e, p->free_givens + all + (int)code_scratch(p->given_values));
  for (int i = 0; i < p->free_givens; i++) {
    const int k = p->free_given[i];
    e->free_given[i] = number ? number[k] : e->model->param[k].number;
  }
  if (find_values(e)) return true;
  base_error(notes, BASE_NOWHERE, "for these params the model is another one");
  return false;
}

bool engine_given_move(engine* e, int param, double number)
{
  const engine_program* p = e->program;
  for (int i = 0; i < p->free_givens; i++)
    if (p->free_given[i] == param) e->free_given[i] = number;
  e->factored = false;
  return find_values(e);
}

bool engine_given_change(engine* e, const double* number, base_notes* notes)
{
  bool fine = engine_given_set(e, number, notes);
  for (int i = 0; i < e->parts && fine; i++)
    fine = engine_given_change(e->part[i].e, number, notes);
  e->factored = false;
  if (e->sparse) e->sparse->factored = false;
  return fine;
}

bool engine_is_constant(const engine_program* p, expr x)
{
  if (expr_is_number(p->s->pool, x)) return true;
  if (!p->givens) return false;
  expr* held = base_alloc(sizeof *held * (size_t)(p->givens + 1));
  const int count = expr_symbols(p->s->pool, 1, &x, p->givens + 1, held);
  int given = 0;
  for (int k = 0; k < count && count <= p->givens; k++)
    for (int i = 0; i < p->givens; i++) given += held[k] == p->model->param[p->given[i]].symbol;
  free(held);
  return given == count;
}
