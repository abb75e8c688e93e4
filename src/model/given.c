// Params whose values are given with each run: the model is one and the same for all values.

#include <string.h>

#include "model/parts.h"

// marks what is defined through what is marked, until nothing more is
static void follow(const model* m, bool* mark)
{
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < m->params; i++) {
      const expr from = m->param[i].definition;
      for (int k = 0; k < m->params && !mark[i] && from != EXPR_NONE; k++)
        if (mark[k] && expr_has(m->pool, from, m->param[k].symbol)) more = mark[i] = true;
    }
  }
}

// does what was made of the model depend on the numbers of these?
static bool is_shape(const model* m, const bool* mark)
{
  for (int i = 0; i < m->params; i++) {
    if (!mark[i]) continue;
    if (m->param[i].changes || m->param[i].counts) return true;
    for (int k = 0; k < m->asked; k++)
      if (expr_has(m->pool, m->ask[k], m->param[i].symbol)) return true;
  }
  return false;
}

bool model_give(model* m, int param)
{
  bool* mark = base_arena_take(m->arena, (size_t)m->params + 1);
  mark[param] = true;
  follow(m, mark);
  if (is_shape(m, mark)) return false;
  for (int i = 0; i < m->params; i++) m->param[i].given = m->param[i].given || mark[i];
  // a number is given with the run; what follows from it is computed there
  m->param[param].definition = EXPR_NONE;
  return true;
}
