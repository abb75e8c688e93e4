// delay(x, T): what x was a time T ago; before the start of a run what it is there.
//
// The delayed value is a param that changes, with rates: the run remembers x and sets it. So it may
// stand wherever such a param may, but in nothing that is differentiated to find the equations.

#include <string.h>

#include "model/parts.h"

static bool read_lag(model_scope* s, const lang_node* n, expr* lag)
{
  model_dim d;
  const int never =
      MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_TIME | MODEL_USES_CHANGING;
  if (!model_eval_scalar(s, n, "the time of a delay", lag, &d) ||
      !model_expect_dim(s, n, d, model_dim_of(0, 0, 1), "the time of a delay") ||
      !model_expect_free(s, n, *lag, never, "the time of a delay"))
    return false;
  // what is not delayed is no delay: its number decides what the model is
  *lag = model_scope_asked(s, *lag);
  if (model_scope_number(s, *lag) >= 0) return true;
  base_error(s->notes, n->place, "the time of a delay is not negative");
  return false;
}

static const char* name_of(model_scope* s, const lang_node* n)
{
  const char* written = base_notes_quote(s->notes, n->place, s->arena);
  int same = 0;
  for (int i = 0; i < s->delays.n; i++) same += strcmp(s->delays.at[i].written, written) == 0;
  return same ? base_arena_printf(s->arena, "%s[%d]", written, same + 1) : written;
}

static void mark(model_scope* s, const model_delay* d)
{
  const expr third = expr_symbol(s->pool, base_arena_printf(s->arena, "%s'''", d->name));
  expr_rate_set(s->pool, d->symbol, d->rate);
  expr_rate_set(s->pool, d->rate, d->rate2);
  expr_rate_set(s->pool, d->rate2, third);
  const int uses = MODEL_USES_CHANGING | MODEL_USES_DELAY;
  model_scope_mark(s, d->symbol, uses);
  model_scope_mark(s, d->rate, uses | MODEL_USES_RATE);
  model_scope_mark(s, d->rate2, uses | MODEL_USES_RATE);
  model_scope_mark(s, third, uses | MODEL_USES_JERK);
}

static expr delayed(model_scope* s, const lang_node* n, expr x, expr lag)
{
  const int moving = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_CHANGING;
  if (!(model_scope_uses(s, x) & moving) || lag == expr_int(s->pool, 0)) return x;
  for (int i = 0; i < s->delays.n; i++)
    if (s->delays.at[i].x == x && s->delays.at[i].lag == lag) return s->delays.at[i].symbol;
  model_delay d = {.x = x, .lag = lag, .place = n->place, .name = name_of(s, n)};
  d.written = base_notes_quote(s->notes, n->place, s->arena);
  d.symbol = expr_symbol(s->pool, d.name);
  d.rate = expr_symbol(s->pool, base_arena_printf(s->arena, "%s'", d.name));
  d.rate2 = expr_symbol(s->pool, base_arena_printf(s->arena, "%s''", d.name));
  mark(s, &d);
  base_push(&s->delays, d);
  return d.symbol;
}

model_value model_delay_call(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  expr lag;
  const bool fine = read_lag(s, n->kid[1], &lag);
  model_value v = model_eval(s, n->kid[0]);
  if (!fine || v.kind == MODEL_POISON) return model_value_poison();
  if (v.kind != MODEL_SCALAR && v.kind != MODEL_VECTOR) {
    base_error(s->notes, n->kid[0]->place, "what is delayed is a number or a vector");
    return model_value_poison();
  }
  if (!s->tree) {
    base_error(s->notes, n->place, "a delay is part of a model, and cannot be asked for here");
    return model_value_poison();
  }
  const int never =
      MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION | MODEL_USES_RATE;
  for (int i = 0; i < (v.kind == MODEL_VECTOR ? 3 : 1); i++) {
    if (!model_expect_free(s, n->kid[0], v.e[i], never, "what is delayed"))
      return model_value_poison();
    v.e[i] = delayed(s, n, v.e[i], lag);
  }
  return v;
}

// they become the last of the params
void model_delay_build(model_scope* s)
{
  model* m = s->m;
  model_param* all = base_arena_take(s->arena, sizeof *all * (size_t)(m->params + s->delays.n + 1));
  if (m->params) memcpy(all, m->param, sizeof *all * (size_t)m->params);
  m->param = all;
  m->delays = s->delays.n;
  m->delay = base_arena_take(s->arena, sizeof *m->delay * (size_t)(m->delays + 1));
  for (int i = 0; i < m->delays; i++) {
    const model_delay* d = &s->delays.at[i];
    m->delay[i] = *d;
    m->delay[i].param = m->params;
    m->param[m->params++] = (model_param){.name = d->name,
                                          .unit = "",
                                          .note = "",
                                          .symbol = d->symbol,
                                          .rate = d->rate,
                                          .rate2 = d->rate2,
                                          .value = expr_int(s->pool, 0),
                                          .definition = EXPR_NONE,
                                          .scale = 1,
                                          .changes = true,
                                          .made = true,
                                          .place = d->place};
  }
}

bool model_delay_free(model_scope* s, const lang_node* n, expr f, const char* what)
{
  if (!(s->uses_of_any & MODEL_USES_DELAY)) return true;
  if (!(model_scope_uses(s, f) & MODEL_USES_DELAY)) return true;
  base_error(s->notes, n->place, "%s cannot depend on a delayed value", what);
  base_help(s->notes, "delays may stand in forces, torques, rates, samples, events and outputs");
  return false;
}
