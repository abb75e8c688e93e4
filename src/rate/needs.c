// What the equations of motion hold: which coordinates, and whether time by itself.
#include "rate/rate.h"

#include <stdlib.h>

static bool any_has(const engine* e, expr x)
{
  const struct rate_fused_set* s = e->fused;
  const int count = e->n * e->n + e->n + e->m * e->n + 2 * e->m;
  for (int i = 0; i < count; i++)
    if (expr_has(e->s->pool, s->M[i], x)) return true;
  return expr_has(e->s->pool, s->power, x);
}

bool rate_fused_needs(engine* e, bool* coordinate)
{
  set_of(e);
  for (int i = 0; i < e->n; i++) coordinate[i] = any_has(e, e->program->input[1 + i]);
  bool timed = any_has(e, e->program->input[0]);
  for (int i = 0; i < 3 * e->p; i++)
    timed = timed || any_has(e, e->program->input[1 + 2 * e->n + i]);
  return timed;
}
