// Equations made ready for a page: shortened further, and shared parts named where it is long.
#include "out/equations.h"

#include <string.h>

// operations up to which a side is shortened once more, and of a page without abbreviations
enum { LONGEST_SIDE = 1000, LONGEST_PAGE = 8000 };

static mech_equation* copy(base_arena* arena, int n, const mech_equation* e)
{
  mech_equation* to = base_arena_take(arena, sizeof *to * (size_t)(n + 1));
  if (n > 0) memcpy(to, e, sizeof *to * (size_t)n);
  return to;
}

static expr shorter(const mech_system* s, expr e)
{
  return expr_length(s->pool, e) <= LONGEST_SIDE ? expr_simplify(s->pool, e) : e;
}

static void shorten(const mech_system* s, int n, mech_equation* e)
{
  for (int i = 0; i < n; i++) {
    e[i].left = shorter(s, e[i].left);
    e[i].right = shorter(s, e[i].right);
  }
}

// all formulas of the page in one row: gathered into `all` or, where `back`, taken from it
static int each(mech_equations* e, expr* all, bool back)
{
  mech_equation* group[] = {e->definition, e->equation, e->reaction};
  const int count[] = {e->definitions, e->count, e->reactions};
  int n = 0;
  for (int g = 0; g < 3; g++)
    for (int i = 0; i < count[g]; i++) {
      expr* side[] = {&group[g][i].left, &group[g][i].right};
      for (int k = 0; k < 2; k++, n++) *(back ? side[k] : &all[n]) = *(back ? &all[n] : side[k]);
    }
  for (int i = 0; i < e->assumptions; i++, n++)
    *(back ? &e->assumption[i] : &all[n]) = *(back ? &all[n] : &e->assumption[i]);
  return n;
}

// c1 = ..., c2 = ... before the other definitions
static void abbreviate(const mech_system* s, mech_equations* e, int n, expr* all, base_arena* arena)
{
  expr_cse cse = expr_cse_find(s->pool, arena, n, all, "c");
  if (expr_pool_full(s->pool)) return;
  each(e, cse.out, true);
  mech_equation* longer =
      base_arena_take(arena, sizeof *longer * (size_t)(cse.count + e->definitions + 1));
  for (int i = 0; i < cse.count; i++) longer[i] = (mech_equation){"", cse.name[i], cse.value[i]};
  memcpy(longer + cse.count, e->definition, sizeof *longer * (size_t)e->definitions);
  e->definition = longer;
  e->definitions += cse.count;
}

mech_equations out_equations_page(const mech_system* s, const mech_equations* e, base_arena* arena)
{
  mech_equations page = *e;
  page.definition = copy(arena, e->definitions, e->definition);
  page.equation = copy(arena, e->count, e->equation);
  page.reaction = copy(arena, e->reactions, e->reaction);
  page.assumption = base_arena_take(arena, sizeof(expr) * (size_t)(e->assumptions + 1));
  for (int i = 0; i < e->assumptions; i++) page.assumption[i] = e->assumption[i];
  shorten(s, page.definitions, page.definition);
  shorten(s, page.count, page.equation);
  shorten(s, page.reactions, page.reaction);
  int room = 2 * (page.definitions + page.count + page.reactions) + page.assumptions;
  expr* all = base_arena_take(arena, sizeof(expr) * (size_t)(room + 1));
  int n = each(&page, all, false);
  double length = 0;
  for (int i = 0; i < n; i++) length += expr_length(s->pool, all[i]);
  if (length > LONGEST_PAGE) abbreviate(s, &page, n, all, arena);
  return page;
}
