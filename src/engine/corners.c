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

// atan2(y, x) jumps by 2 pi where y passes zero while x is negative, and has no corner else
static bool is_cut(const expr_pool* p, expr e)
{
  return expr_kind_of(p, e) == EXPR_CALL && expr_fn_of(p, e) == EXPR_ATAN2;
}

// those that are not continuous by themselves
static bool may_jump(const expr_pool* p, expr e)
{
  if (is_cut(p, e)) return true;
  if (!has_corner(p, e)) return false;
  return expr_kind_of(p, e) == EXPR_IF || expr_fn_of(p, e) == EXPR_SIGN;
}

// every node below the list that is one, ascending: inner ones come before outer ones; the last
// `cuts` of the list are taken for what they may jump by
static int find_nodes(const expr_pool* p, int n, const expr* list, int cuts,
                      bool (*is_one)(const expr_pool* p, expr e), expr** out)
{
  enum { seen_below = 1, seen_as_cut };
  expr most = 0;
  for (int i = 0; i < n; i++)
    if (list[i] > most) most = list[i];
  char* seen = base_alloc((size_t)most + 1);
  for (int i = 0; i < n; i++)
    if (seen[list[i]] != seen_as_cut) seen[list[i]] = i < n - cuts ? seen_below : seen_as_cut;
  BASE_LIST(expr) found = {0};
  for (expr e = most; e > 0; e--) {
    if (!seen[e]) continue;
    if (is_one(p, e) || (seen[e] == seen_as_cut && is_cut(p, e))) base_push(&found, e);
    for (int k = 0; k < expr_arg_count(p, e); k++)
      if (!seen[expr_arg(p, e, k)]) seen[expr_arg(p, e, k)] = seen_below;
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
  return find_nodes(p, 1, &e, 0, may_jump, out);
}

// the switching function of a node: positive on one side, negative on the other
static expr switching(expr_pool* p, expr e)
{
  if (expr_kind_of(p, e) == EXPR_IF) {
    const expr condition = expr_arg(p, e, 0);
    return expr_sub(p, expr_arg(p, condition, 0), expr_arg(p, condition, 1));
  }
  const expr_fn f = expr_fn_of(p, e);
  if (f == EXPR_ABS || f == EXPR_SIGN || f == EXPR_ATAN2) return expr_arg(p, e, 0);
  return expr_sub(p, expr_arg(p, e, 0), expr_arg(p, e, 1));
}

// the angle of (x, y) from the side of y it is on, turning on beyond: measured from the axis of y
static expr angle_on_side(expr_pool* p, expr y, expr x, expr side)
{
  const expr args[2] = {x, expr_mul(p, side, y)};
  const expr quarter = expr_div(p, expr_pi(p), expr_int(p, 2));
  return expr_mul(p, side, expr_sub(p, quarter, expr_call(p, EXPR_ATAN2, 2, args)));
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
  case EXPR_ATAN2:
    return angle_on_side(p, expr_arg(p, e, 0), expr_arg(p, e, 1), side);
  case EXPR_MIN:
    return expr_if(p, below, expr_arg(p, e, 0), expr_arg(p, e, 1));
  default:
    return expr_if(p, below, expr_arg(p, e, 1), expr_arg(p, e, 0));
  }
}

engine_corners engine_corners_find(expr_pool* p, base_arena* arena, int n, const expr* list,
                                   int cuts, int reactions, const expr* reaction)
{
  engine_corners m = {0};
  expr* found;
  m.count = find_nodes(p, n, list, cuts, has_corner, &found);
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
