// Does the motion depend on time in a way that may lie in wait?
//
// A force that depends on time by itself may do nothing for long and then act briefly, as exp(-((t
// - 5)/0.01)^2) does: steps that are long while it sleeps pass over it. Sines and cosines of what
// grows evenly with time, as frames that turn evenly bring them in, and small powers, sums and
// products of these and of time are always awake: whoever looks at them anywhere knows of them.
// Where something switches, short steps serve whoever looks for its instants, too.
#include "engine/inside.h"

// of the equations so many parts are looked at; with more they are taken to lie in wait
enum { most_looked_at = 4000, most_power = 4 };

typedef BASE_LIST(expr) expressions;

// is this part awake, if those of its own that are put on the list are?
static bool is_awake(expr_pool* pool, expr x, expr t, expressions* list)
{
  long power;
  const expr_kind kind = expr_kind_of(pool, x);
  switch (kind) {
  case EXPR_SYMBOL:
    return true;
  case EXPR_SUM:
  case EXPR_PRODUCT:
    for (int i = 0; i < expr_arg_count(pool, x); i++) base_push(list, expr_arg(pool, x, i));
    return true;
  case EXPR_POWER:
    base_push(list, expr_arg(pool, x, 0));
    return expr_is_int(pool, expr_arg(pool, x, 1), &power) && power > 0 && power <= most_power;
  case EXPR_CALL:
    return (expr_fn_of(pool, x) == EXPR_SIN || expr_fn_of(pool, x) == EXPR_COS) &&
           !expr_has(pool, expr_diff(pool, expr_arg(pool, x, 0), t), t);
  default:
    return false;
  }
}

static bool lies_in_wait(expr_pool* pool, expr x, expr t)
{
  expressions list = {0};
  bool waits = false;
  base_push(&list, x);
  for (int looked = 0; list.n && !waits; looked++) {
    const expr part = list.at[--list.n];
    if (!expr_has(pool, part, t)) continue;
    waits = looked >= most_looked_at || !is_awake(pool, part, t, &list);
  }
  base_list_free(&list);
  return waits;
}

static bool switches(const engine_program* p)
{
  bool any = p->modes.count || p->model->meetings;
  for (int k = 0; k < p->m; k++) any = any || p->model->constraint[k].sense;
  return any;
}

static bool is_timed(const engine_program* p, int count, const expr* list, bool sleeping)
{
  const expr t = p->model->t;
  // what forces along a chain have in common is looked through once
  expr_index* time = expr_index_new(1, &t);
  const bool any = expr_index_any_of(p->s->pool, time, count, list);
  expr_index_free(time);
  for (int i = 0; i < count && any; i++)
    if (expr_has(p->s->pool, list[i], t) && (!sleeping || lies_in_wait(p->s->pool, list[i], t)))
      return true;
  return false;
}

bool engine_timed_find(const engine_program* p)
{
  const mech_system* s = p->s;
  const expr t = p->model->t;
  const bool smooth = !switches(p);
  for (int i = 0; i < p->model->events && !p->is_part; i++)
    if (expr_has(s->pool, p->model->event[i].g, t)) return true;
  return is_timed(p, s->n, s->F, smooth) || is_timed(p, s->m, s->c, smooth);
}
