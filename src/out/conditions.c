// Under which conditions equations hold: what is stressed, what holds later, where forces jump.
#include "out/conditions.h"

#include <stdlib.h>
#include <string.h>

static bool depends_on_velocities(const mech_system* s, expr e)
{
  bool found = false;
  for (int i = 0; i < s->n && !found; i++) found = expr_has(s->pool, e, s->v[i]);
  return found;
}

int out_conditions_jumps(const mech_system* s, base_arena* arena, expr** list)
{
  const expr_pool* p = s->pool;
  expr most = 0;
  for (int i = 0; i < s->n; i++) most = s->F[i] > most ? s->F[i] : most;
  // arguments are older than what is made of them
  bool* below = base_alloc((size_t)most + 1);
  for (int i = 0; i < s->n; i++) below[s->F[i]] = true;
  BASE_LIST(expr) found = {0};
  for (expr e = most; e > 0; e--) {
    if (!below[e]) continue;
    for (int k = 0; k < expr_arg_count(p, e); k++) below[expr_arg(p, e, k)] = true;
    if (expr_kind_of(p, e) != EXPR_CALL || expr_fn_of(p, e) != EXPR_SIGN) continue;
    if (depends_on_velocities(s, expr_arg(p, e, 0))) base_push(&found, expr_arg(p, e, 0));
  }
  free(below);
  *list = base_arena_take(arena, sizeof **list * (size_t)(found.n + 1));
  if (found.n) memcpy(*list, found.at, sizeof **list * (size_t)found.n);
  const int count = found.n;
  base_list_free(&found);
  return count;
}

int out_conditions(const mech_system* s, const mech_equations* e, base_arena* arena,
                   out_condition** list)
{
  const model* m = s->model;
  expr* jump;
  const int jumps = e->count ? out_conditions_jumps(s, arena, &jump) : 0;
  int count = 0;
  *list =
      base_arena_take(arena, sizeof **list * (size_t)(2 * m->constraints + jumps + e->remarks + 1));
  // functions that forms are made of hold anywhere
  if (!e->count) return 0;
  for (int k = 0; k < m->constraints && strcmp(e->form->name, "gauss") != 0; k++)
    if (m->constraint[k].sense)
      (*list)[count++] =
          (out_condition){"the equations hold while ", " is stressed", m->constraint[k].name, 0};
  for (int k = 0; k < m->constraints; k++)
    if (!model_constraint_starts(m, k))
      (*list)[count++] = (out_condition){
          "the constraint ", " is among the equations, but does not hold from the start",
          m->constraint[k].name, 0};
  for (int i = 0; i < e->remarks; i++)
    (*list)[count++] =
        (out_condition){e->remark[i].before, e->remark[i].after, e->remark[i].name, 0};
  for (int i = 0; i < jumps; i++)
    (*list)[count++] = (out_condition){"where ",
                                       " = 0 a force jumps: it takes the value between its sides "
                                       "that holds the motion, if one does",
                                       NULL, jump[i]};
  return count;
}

void out_condition_text(const mech_system* s, const out_condition* c, base_text* out)
{
  base_text_add(out, c->before);
  if (c->constraint)
    base_text_printf(out, "`%s`", c->constraint);
  else
    expr_print(s->pool, out, c->zero);
  base_text_add(out, c->after);
}
