// Building models from texts in tests, and their numbers.

#include "given.h"
#include "check.h"
#include "lang/lang.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

given given_set(const char* text, int overrides, const model_override* override)
{
  given g = {base_arena_new(), base_notes_new(), NULL};
  lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse("test.zw", text, strlen(text), NULL, &limits, g.arena, g.notes);
  if (tree) g.m = model_build(tree, overrides, override, g.notes);
  return g;
}

given given_text(const char* text)
{
  return given_set(text, 0, NULL);
}

void given_free(given* g)
{
  model_free(g->m);
  base_notes_free(g->notes);
  base_arena_free(g->arena);
}

const char* given_errors(given* g)
{
  base_text out = {0};
  base_text_add(&out, "");
  for (int i = 0; i < base_notes_count(g->notes); i++) {
    if (base_notes_level(g->notes, i) != BASE_ERROR) continue;
    base_text_printf(&out, "%s%s", out.n ? "\n" : "", base_notes_reason(g->notes, i));
  }
  const char* text = base_arena_strdup(g->arena, out.at ? out.at : "");
  base_text_free(&out);
  return text;
}

const char* given_notes(given* g)
{
  base_text out = {0};
  for (int i = 0; i < base_notes_count(g->notes); i++)
    base_text_add(&out, base_notes_text(g->notes, i));
  const char* text = base_arena_strdup(g->arena, out.at ? out.at : "");
  base_text_free(&out);
  return text;
}

const char* given_print(given* g, expr e)
{
  base_text out = {0};
  expr_print(g->m->pool, &out, e);
  const char* text = base_arena_strdup(g->arena, out.at);
  base_text_free(&out);
  return text;
}

expr given_output(given* g, const char* name)
{
  for (int i = 0; i < g->m->outputs; i++)
    if (strcmp(g->m->output[i].name, name) == 0) return g->m->output[i].value;
  return EXPR_NONE;
}

// a number in -1 .. 1 from three whole ones
static double draw(unsigned seed, unsigned i, unsigned k)
{
  unsigned x = seed * 2654435761u + i * 40503u + k * 9973u + 12345u;
  for (int r = 0; r < 4; r++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return (double)(x % 20001u) / 10000.0 - 1;
}

// the law of one variable and its first two derivatives
static void law(unsigned seed, unsigned i, double t, double out[3])
{
  double c[4];
  for (unsigned k = 0; k < 4; k++) c[k] = draw(seed, i, k);
  out[0] = c[0] + c[1] * t + c[2] * t * t + c[3] * sin(t);
  out[1] = c[1] + 2 * c[2] * t + c[3] * cos(t);
  out[2] = 2 * c[2] - c[3] * sin(t);
}

double given_value(given* g, expr e, motion at)
{
  model* m = g->m;
  int room = 3 * m->coords + 3 * m->params + m->constraints + 1, n = 0;
  expr* symbol = malloc((size_t)room * sizeof *symbol);
  double *value = malloc((size_t)room * sizeof *value), x[3];
  symbol[n] = m->t;
  value[n++] = at.t;
  for (int i = 0; i < m->coords; i++) {
    law(at.seed, (unsigned)i, at.t, x);
    const expr s[3] = {m->coord[i].q, m->coord[i].v, m->coord[i].a};
    for (int k = 0; k < 3; k++) {
      symbol[n] = s[k];
      value[n++] = x[k];
    }
  }
  for (int i = 0; i < m->params; i++) {
    const model_param* p = &m->param[i];
    symbol[n] = p->symbol;
    value[n++] = p->number;
    if (!p->changes) continue;
    law(at.seed, 1000u + (unsigned)i, at.t, x);
    value[n - 1] = x[0];
    symbol[n] = p->rate;
    value[n++] = x[1];
    symbol[n] = p->rate2;
    value[n++] = x[2];
  }
  for (int k = 0; k < m->constraints; k++) {
    symbol[n] = m->reaction[k];
    value[n++] = draw(at.seed, 2000u + (unsigned)k, 0);
  }
  double result = expr_value(m->pool, e, n, symbol, value);
  free(symbol);
  free(value);
  return result;
}

double given_differ(given* g, expr a, expr b, motion at)
{
  return given_value(g, a, at) - given_value(g, b, at);
}

bool given_same(given* g, expr a, expr b)
{
  for (unsigned seed = 1; seed <= 5; seed++) {
    motion at = {seed, 0.3};
    double x = given_value(g, a, at), y = given_value(g, b, at);
    if (!(fabs(x - y) <= 1e-11 * (1 + fabs(x)))) return false;
  }
  return true;
}

given given_both(const char* before, const char* more)
{
  base_text text = {0};
  base_text_printf(&text, "%s%s", before, more);
  given g = given_text(text.at);
  base_text_free(&text);
  return g;
}

void given_are_alike(const char* before, const char* one, const char* other)
{
  given a = given_both(before, one), b = given_both(before, other);
  CHECK_TEXT(given_errors(&a), "");
  CHECK_TEXT(given_errors(&b), "");
  if (!a.m || !b.m) return;
  CHECK_INT(a.m->coords, b.m->coords);
  CHECK_INT(a.m->constraints, b.m->constraints);
  for (unsigned trial = 1; trial <= 5; trial++) {
    const motion at = {trial, 0.3 * trial};
    CHECK_NEAR(given_value(&a, a.m->T, at), given_value(&b, b.m->T, at), 1e-11);
    CHECK_NEAR(given_value(&a, a.m->V, at), given_value(&b, b.m->V, at), 1e-11);
    for (int i = 0; i < a.m->coords; i++)
      CHECK_NEAR(given_value(&a, a.m->Q[i], at), given_value(&b, b.m->Q[i], at), 1e-11);
    for (int k = 0; k < a.m->constraints; k++)
      CHECK_NEAR(given_value(&a, a.m->constraint[k].f, at),
                 given_value(&b, b.m->constraint[k].f, at), 1e-11);
  }
  given_free(&a);
  given_free(&b);
}

void given_is_refused(const char* before, const char* more, const char* reason)
{
  given g = given_both(before, more);
  CHECK_TEXT(given_errors(&g), reason);
  given_free(&g);
}
