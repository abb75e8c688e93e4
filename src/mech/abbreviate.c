// Names for what a large system's equations say again and again.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "mech/mech.h"

// more operations than this, written out, are no longer read by anybody
static const double readable = 3000;

typedef BASE_LIST(expr*) places;

// every expression the equations are printed from
static places printed(mech_equations* e)
{
  places all = {0};
  for (int i = 0; i < e->definitions; i++) {
    base_push(&all, &e->definition[i].left);
    base_push(&all, &e->definition[i].right);
  }
  for (int i = 0; i < e->count; i++) {
    base_push(&all, &e->equation[i].left);
    base_push(&all, &e->equation[i].right);
  }
  for (int i = 0; i < e->reactions; i++) {
    base_push(&all, &e->reaction[i].left);
    base_push(&all, &e->reaction[i].right);
  }
  for (int i = 0; i < e->assumptions; i++) base_push(&all, &e->assumption[i]);
  return all;
}

// operations of all expressions written out as trees; arguments have smaller ids than what holds
// them
static double written_out(const expr_pool* p, const places* all)
{
  expr most = 0;
  for (int i = 0; i < all->n; i++)
    if (*all->at[i] > most) most = *all->at[i];
  bool* seen = base_alloc((size_t)most + 1);
  double* size = base_alloc(sizeof(double) * ((size_t)most + 1));
  for (int i = 0; i < all->n; i++) seen[*all->at[i]] = true;
  for (expr e = most; e > 0; e--)
    for (int k = 0; seen[e] && k < expr_arg_count(p, e); k++) seen[expr_arg(p, e, k)] = true;
  for (expr e = 1; e <= most; e++) {
    if (!seen[e]) continue;
    size[e] = 1;
    for (int k = 0; k < expr_arg_count(p, e); k++) size[e] += size[expr_arg(p, e, k)];
  }
  double total = 0;
  for (int i = 0; i < all->n; i++) total += size[*all->at[i]];
  free(seen);
  free(size);
  return total;
}

// does a name of the model read like an abbreviation with this prefix?
static bool clashes(const char* name, const char* prefix)
{
  const size_t n = strlen(prefix);
  return !strncmp(name, prefix, n) && isdigit((unsigned char)name[n]);
}

static const char* free_prefix(const model* m)
{
  static const char* const prefixes[] = {"c", "k", "w", "aux", "abbreviation"};
  for (size_t i = 0; i + 1 < sizeof prefixes / sizeof *prefixes; i++) {
    bool taken = false;
    for (int k = 0; k < m->coords; k++) taken = taken || clashes(m->coord[k].name, prefixes[i]);
    for (int k = 0; k < m->params; k++) taken = taken || clashes(m->param[k].name, prefixes[i]);
    for (int k = 0; k < m->quasis; k++) taken = taken || clashes(m->quasi[k].name, prefixes[i]);
    if (!taken) return prefixes[i];
  }
  return prefixes[sizeof prefixes / sizeof *prefixes - 1];
}

void mech_abbreviate(mech_equations* e, const mech_system* s)
{
  places all = printed(e);
  if (written_out(s->pool, &all) > readable) {
    expr* list = base_arena_take(e->arena, sizeof(expr) * (size_t)(all.n + 1));
    for (int i = 0; i < all.n; i++) list[i] = *all.at[i];
    const expr_cse c = expr_cse_find(s->pool, e->arena, all.n, list, free_prefix(s->model));
    for (int i = 0; i < all.n; i++) *all.at[i] = c.out[i];
    mech_equation* definition =
        base_arena_take(e->arena, sizeof *definition * (size_t)(c.count + e->definitions + 1));
    for (int i = 0; i < c.count; i++)
      definition[i] = (mech_equation){expr_name(s->pool, c.name[i]), c.name[i], c.value[i], 0};
    if (e->definitions)
      memcpy(definition + c.count, e->definition, sizeof *definition * (size_t)e->definitions);
    e->definition = definition;
    e->definitions += c.count;
  }
  base_list_free(&all);
}
