// Derivatives of energies and constraints by the velocities and accelerations.
#include "mech/form.h"
#include "mech/mech.h"
#include "mech/servo.h"
#include "mech/sparse.h"

#include <stdlib.h>
#include <string.h>

// nodes of a constraint times coordinates in it from which on its derivatives are taken in one pass
#define ROW_LARGE 2000

// in one pass however many there are; what is shared stays so
void mech_gradient(const mech_system* s, expr e, const expr* by, expr* out)
{
  const expr one = expr_int(s->pool, 1);
  expr_pullback(s->pool, 1, &e, &one, s->n, by, out);
}

bool mech_is_nonlinear(const mech_system* s, int k)
{
  return s->model->constraint[k].order == 2 && !s->model->constraint[k].linear;
}

static bool is_long(const mech_system* s, int held, expr e)
{
  const size_t most = ROW_LARGE / (size_t)held;
  return expr_size_within(s->pool, 1, &e, most) > most;
}

// a long one in one pass for all that it holds
void mech_row_slopes(const mech_system* s, const expr_index* index, const expr* by, expr e,
                     expr_slope_list* out)
{
  expr_numbers held = {0};
  expr_index_list(s->pool, index, e, &held);
  out->n = 0;
  if (held.n && is_long(s, held.n, e)) {
    expr *symbol = base_alloc(2 * sizeof(expr) * (size_t)held.n), *value = symbol + held.n;
    const expr one = expr_int(s->pool, 1);
    for (int i = 0; i < held.n; i++) symbol[i] = by[held.at[i]];
    expr_pullback(s->pool, 1, &e, &one, held.n, symbol, value);
    for (int i = 0; i < held.n; i++)
      if (value[i] != s->zero[0]) base_push(out, (expr_slope){held.at[i], value[i]});
    free(symbol);
  } else {
    expr_slopes(s->pool, index, by, e, out);
  }
  base_list_free(&held);
}
