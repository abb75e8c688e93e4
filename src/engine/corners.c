// Finding the corners and jumps of the equations, and writing the equations for one side of each.
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_corner(const expr_pool* p, expr e)
{
  switch (expr_kind_of(p, e)) {
  case EXPR_IF:
    return true;
  case EXPR_CALL: {
    const expr_fn f = expr_fn_of(p, e);
    return f == EXPR_ABS || f == EXPR_SIGN || f == EXPR_MIN || f == EXPR_MAX;
  }
  default:
    return false;
  }
}

// of these the ones that are not continuous by themselves
static bool may_jump(const expr_pool* p, expr e)
{
  if (!has_corner(p, e)) return false;
  return expr_kind_of(p, e) == EXPR_IF || expr_fn_of(p, e) == EXPR_SIGN;
}

// every node below the list that has a corner, ascending: inner ones come before outer ones
static int find_nodes(const expr_pool* p, int n, const expr* list,
                      bool (*is_one)(const expr_pool* p, expr e), expr** out)
{
  expr most = 0;
  for (int i = 0; i < n; i++)
    if (list[i] > most) most = list[i];
  bool* seen = base_alloc((size_t)most + 1);
  for (int i = 0; i < n; i++) seen[list[i]] = true;
  BASE_LIST(expr) found = {0};
  for (expr e = most; e > 0; e--) {
    if (!seen[e]) continue;
    if (is_one(p, e)) base_push(&found, e);
    for (int k = 0; k < expr_arg_count(p, e); k++) seen[expr_arg(p, e, k)] = true;
  }
  free(seen);
  for (int i = 0; i < found.n / 2; i++) {
    const expr swap = found.at[i];
    found.at[i] = found.at[found.n - 1 - i];
    found.at[found.n - 1 - i] = swap;
  }
  *out = found.at;
  return found.n;
}

int engine_corners_jumping(const expr_pool* p, expr e, expr** out)
{
  return find_nodes(p, 1, &e, may_jump, out);
}

// the switching function of a node: positive on one side, negative on the other
static expr switching(expr_pool* p, expr e)
{
  if (expr_kind_of(p, e) == EXPR_IF) {
    const expr condition = expr_arg(p, e, 0);
    return expr_sub(p, expr_arg(p, condition, 0), expr_arg(p, condition, 1));
  }
  const expr_fn f = expr_fn_of(p, e);
  if (f == EXPR_ABS || f == EXPR_SIGN) return expr_arg(p, e, 0);
  return expr_sub(p, expr_arg(p, e, 0), expr_arg(p, e, 1));
}

// the node on the side where `side` has its sign
static expr one_side(expr_pool* p, expr e, expr side)
{
  const expr below = expr_less(p, side, expr_int(p, 0));
  if (expr_kind_of(p, e) == EXPR_IF) return expr_if(p, below, expr_arg(p, e, 1), expr_arg(p, e, 2));
  switch (expr_fn_of(p, e)) {
  case EXPR_SIGN:
    return side;
  case EXPR_ABS:
    return expr_mul(p, side, expr_arg(p, e, 0));
  case EXPR_MIN:
    return expr_if(p, below, expr_arg(p, e, 0), expr_arg(p, e, 1));
  default:
    return expr_if(p, below, expr_arg(p, e, 1), expr_arg(p, e, 0));
  }
}

engine_corners engine_corners_find(expr_pool* p, base_arena* arena, int n, const expr* list,
                                   int reactions, const expr* reaction)
{
  engine_corners m = {0};
  expr* found;
  m.count = find_nodes(p, n, list, has_corner, &found);
  const size_t bytes = sizeof(expr) * (size_t)(m.count + 1);
  m.node = base_arena_take(arena, bytes);
  m.smooth = base_arena_take(arena, bytes);
  m.side = base_arena_take(arena, bytes);
  m.s = base_arena_take(arena, bytes);
  m.rate = base_arena_take(arena, bytes);
  m.slides = base_arena_take(arena, sizeof(bool) * (size_t)(m.count + 1));
  m.reactive = base_arena_take(arena, sizeof(bool) * (size_t)(m.count + 1));
  m.outside = base_arena_take(arena, sizeof(bool) * (size_t)(m.count + 1));
  m.place = base_arena_take(arena, sizeof(base_place) * (size_t)(m.count + 1));
  for (int i = 0; i < m.count; i++) {
    char name[32];
    snprintf(name, sizeof name, "side(%d)", i + 1);
    m.node[i] = found[i];
    m.place[i] = BASE_NOWHERE;
    m.side[i] = expr_symbol(p, name);
    m.s[i] = expr_substitute(p, switching(p, found[i]), i, m.node, m.smooth);
    m.smooth[i] = expr_substitute(p, one_side(p, found[i], m.side[i]), i, m.node, m.smooth);
    m.reactive[i] = expr_has_any(p, m.s[i], reactions, reaction);
    m.rate[i] = m.reactive[i] ? expr_int(p, 0) : expr_total(p, m.s[i]);
    m.slides[i] = expr_kind_of(p, found[i]) == EXPR_CALL && expr_fn_of(p, found[i]) == EXPR_SIGN;
  }
  free(found);
  return m;
}

void engine_corners_hold(const engine_corners* m, expr_pool* p, int n, const expr* list, expr* out)
{
  expr_substitute_all(p, n, list, m->count, m->node, m->smooth, out);
}
