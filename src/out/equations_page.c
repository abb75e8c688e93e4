// Equations made ready for a page: shortened further, and shared parts named where it is long.
#include "out/equations.h"

#include <string.h>

// operations up to which a side is shortened once more
static const double longest = 1000;

static mech_equation* copy(base_arena* arena, int n, const mech_equation* e)
{
  mech_equation* to = base_arena_take(arena, sizeof *to * (size_t)(n + 1));
  if (n > 0) memcpy(to, e, sizeof *to * (size_t)n);
  return to;
}

static expr shorter(const mech_system* s, expr e)
{
  return expr_length(s->pool, e) <= longest ? expr_simplify(s->pool, e) : e;
}

static void shorten(const mech_system* s, int n, mech_equation* e)
{
  for (int i = 0; i < n; i++) {
    e[i].left = shorter(s, e[i].left);
    e[i].right = shorter(s, e[i].right);
  }
}

mech_equations out_equations_page(const mech_system* s, const mech_equations* e, base_arena* arena)
{
  mech_equations page = *e;
  page.arena = arena;
  page.definition = copy(arena, e->definitions, e->definition);
  page.equation = copy(arena, e->count, e->equation);
  page.reactions = e->forces ? e->forces : e->reactions;
  page.reaction = copy(arena, page.reactions, e->forces ? e->force : e->reaction);
  page.assumption = base_arena_take(arena, sizeof(expr) * (size_t)(e->assumptions + 1));
  for (int i = 0; i < e->assumptions; i++) page.assumption[i] = e->assumption[i];
  // they were made where unit quaternions are such
  const bool before = expr_units_hold(s->pool, true);
  shorten(s, page.definitions, page.definition);
  shorten(s, page.count, page.equation);
  shorten(s, page.reactions, page.reaction);
  expr_units_hold(s->pool, before);
  mech_abbreviate(&page, s);
  return page;
}
