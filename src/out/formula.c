// Formulas of a system in LaTeX.
#include <stdlib.h>
#include <string.h>

#include "out/equations.h"
#include "out/latex.h"

// a symbol of that name would be taken for the user's own
static bool is_taken(const model* m, const char* name)
{
  for (int i = 0; i < m->params; i++)
    if (strcmp(m->param[i].name, name) == 0) return true;
  for (int i = 0; i < m->coords; i++)
    if (strcmp(m->coord[i].name, name) == 0) return true;
  return false;
}

out_formulas out_formulas_make(const mech_system* s, base_arena* arena)
{
  const model* m = s->model;
  out_formulas f = {.s = s};
  f.from = base_arena_take(arena, ((size_t)m->constraints + 1) * sizeof *f.from);
  f.to = base_arena_take(arena, ((size_t)m->constraints + 1) * sizeof *f.to);
  for (int i = 0; i < m->constraints; i++) {
    const char* name = base_arena_printf(arena, "Lambda_%s", m->constraint[i].name);
    if (is_taken(m, name)) continue;
    f.from[f.reactions] = m->reaction[i];
    f.to[f.reactions++] = expr_symbol(s->pool, name);
  }
  return f;
}

char* out_formula_latex(const out_formulas* f, expr e)
{
  base_text t = {0};
  expr renamed = expr_substitute(f->s->pool, e, f->reactions, f->from, f->to);
  // a full pool cannot rename, but still prints what is there
  expr_print_latex(f->s->pool, &t, expr_pool_full(f->s->pool) ? e : renamed);
  base_text safe = {0};
  out_latex_math(&safe, t.at);
  base_text_free(&t);
  return base_text_take(&safe);
}
