// Finding the corners and jumps of the equations, and writing the equations for one side of each.
#include "engine/engine.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// of ratios of switching functions that are one, as powers of lengths given to three digits make
enum { most_times = 1000000, most_terms = 30, trials = 5 };

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

// A value for a symbol that has nothing to do with those of others: the last step of splitmix64
// (Steele, Lea, Flood 2014). Waves over the numbers of the symbols are not enough: areas of
// triangles, as momenta of points hold, vanish for them.
static double value_of(expr symbol, int trial)
{
  uint64_t x = ((uint64_t)symbol + ((uint64_t)trial << 32)) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return 0.63 + 0.74 * ldexp((double)(x >> 11), -53);
}

// The value where no symbol is special; coordinates and velocities, or all without a model, have
// others in each trial.
static double value_at(const expr_pool* p, expr e, int trial, const model* m)
{
  const int count = expr_symbols(p, 1, &e, 0, NULL);
  expr* symbol = base_alloc(sizeof *symbol * (size_t)(count + 1));
  double* value = base_alloc(sizeof *value * (size_t)(count + 1));
  expr_symbols(p, 1, &e, count, symbol);
  for (int i = 0; i < count; i++) {
    bool moves = !m;
    for (int j = 0; trial && m && j < m->coords && !moves; j++)
      moves = symbol[i] == m->coord[j].q || symbol[i] == m->coord[j].v;
    value[i] = value_of(symbol[i], moves ? trial : 0);
  }
  const double found = expr_value(p, e, count, symbol, value);
  free(symbol);
  free(value);
  return found;
}

// numbers that tell expressions apart, mostly: where one is lost by cancelling, others are not
typedef struct prints
{
  double of[trials];
} prints;

static prints prints_of(const expr_pool* p, expr e)
{
  prints all;
  for (int k = 0; k < trials; k++) all.of[k] = value_at(p, e, k, NULL);
  return all;
}

// p/q next to x > 0, by its continued fraction; false where there is none of so few digits
static bool ratio_of(double x, long* p, long* q)
{
  double rest = x;
  long p0 = 0, q0 = 1;
  *p = 1;
  *q = 0;
  for (int k = 0; k < most_terms; k++) {
    const double whole = floor(rest);
    if (!(whole * (double)*p + (double)p0 <= most_times) ||
        !(whole * (double)*q + (double)q0 <= most_times))
      return false;
    const long p1 = (long)whole * *p + p0, q1 = (long)whole * *q + q0;
    p0 = *p;
    q0 = *q;
    *p = p1;
    *q = q1;
    if (*q && fabs((double)*p - x * (double)*q) <= engine_same_ratio * (double)*p) return true;
    rest = 1 / (rest - whole);
  }
  return false;
}

// are the numbers of one those of the other times this, as far as they are known?
static bool are_times(const prints* print, const prints* base, double times)
{
  int known = 0;
  for (int k = 0; k < trials; k++) {
    const double x = print->of[k], y = times * base->of[k];
    if (!isfinite(x) || !isfinite(y)) continue;
    if (!(fabs(x - y) <= engine_same_law * fmax(fabs(x), fabs(y)))) return false;
    known++;
  }
  return known > trials / 2;
}

// Is it a rational number of times this, which may be negative? sign: of that number. Roots within
// roots are not always told to be one: then numbers decide that are none by chance.
static bool is_multiple(expr_pool* p, expr e, const prints* print, expr base,
                        const prints* base_print, int* sign)
{
  for (int k = 0; k < trials; k++) {
    long up, down;
    const double times = print->of[k] / base_print->of[k];
    if (!(fabs(times) > 0) || !ratio_of(fabs(times), &up, &down)) continue;
    *sign = times < 0 ? -1 : 1;
    const expr left = expr_mul(p, expr_int(p, down), e),
               right = expr_mul(p, expr_int(p, *sign * up), base);
    const expr_truth same = expr_is_zero(p, expr_sub(p, left, right));
    if (same == EXPR_YES) return true;
    if (same != EXPR_NO && are_times(print, base_print, *sign * (double)up / (double)down))
      return true;
  }
  return false;
}

// The corner whose switching function is that of the last one, written in another way or some times
// as large, or as large below zero; else the last one. A force along a velocity is one law,
// whatever forms of that velocity its parts hold: with a side for each it could be held in one part
// and slide in another. *sign: -1 where its sides are the other way round.
static int corner_like(const engine_corners* m, expr_pool* p, const prints* print, int* sign)
{
  const int last = m->count;
  for (int i = 0; i < last; i++) {
    if (m->slides[i] != m->slides[last]) continue;
    if (is_multiple(p, m->s[i], &print[i], m->s[last], &print[last], sign)) return i;
  }
  *sign = 1;
  return last;
}

// Is a some number of times b? A factor may be any function of params, as a length that the sign of
// a slip does not need.
static bool is_in_proportion(const expr_pool* p, expr a, expr b, const model* m)
{
  const double ratio = value_at(p, a, 0, m) / value_at(p, b, 0, m);
  bool same = ratio != 0 && isfinite(ratio);
  for (int k = 1; k < trials && same; k++) {
    const double x = value_at(p, a, k, m), y = ratio * value_at(p, b, k, m);
    same = fabs(x - y) <= engine_same_law * fmax(fabs(x), fabs(y));
  }
  return same;
}

// the jump whose switching function is s, some times as large; -1: none is
static int of_slip(const engine_corners* m, const engine_program* p, expr s)
{
  for (int i = 0; i < m->count; i++)
    if (m->slides[i] && is_in_proportion(p->s->pool, m->s[i], s, p->model)) return i;
  return -1;
}

static void make_room(engine_corners* m, base_arena* arena)
{
  const size_t room = (size_t)m->nodes + 1, bytes = sizeof(expr) * room;
  m->node = base_arena_take(arena, bytes);
  m->smooth = base_arena_take(arena, bytes);
  m->of = base_arena_take(arena, sizeof(int) * room);
  m->side = base_arena_take(arena, bytes);
  m->s = base_arena_take(arena, bytes);
  m->rate = base_arena_take(arena, bytes);
  m->slides = base_arena_take(arena, sizeof(bool) * room);
  m->reactive = base_arena_take(arena, sizeof(bool) * room);
  m->outside = base_arena_take(arena, sizeof(bool) * room);
  m->energetic = base_arena_take(arena, sizeof(bool) * room);
  m->rubs = base_arena_take(arena, sizeof(int) * room);
  m->place = base_arena_take(arena, sizeof(base_place) * room);
}

engine_corners engine_corners_find(expr_pool* p, base_arena* arena, int n, const expr* list,
                                   int cuts, int reactions, const expr* reaction)
{
  engine_corners m = {0};
  expr* found;
  m.nodes = find_nodes(p, n, list, cuts, has_corner, &found);
  make_room(&m, arena);
  prints* print = base_alloc(sizeof *print * (size_t)(m.nodes + 1));
  for (int k = 0; k < m.nodes; k++) {
    const int i = m.count;
    m.node[k] = found[k];
    m.s[i] = expr_substitute(p, switching(p, found[k]), k, m.node, m.smooth);
    m.slides[i] = expr_kind_of(p, found[k]) == EXPR_CALL && expr_fn_of(p, found[k]) == EXPR_SIGN;
    print[i] = prints_of(p, m.s[i]);
    int sign;
    m.of[k] = corner_like(&m, p, print, &sign);
    if (m.of[k] == i) {
      char name[32];
      snprintf(name, sizeof name, "side(%d)", i + 1);
      m.place[i] = BASE_NOWHERE;
      m.side[i] = expr_symbol(p, name);
      m.reactive[i] = expr_has_any(p, m.s[i], reactions, reaction);
      m.rate[i] = m.reactive[i] ? expr_int(p, 0) : expr_total(p, m.s[i]);
      m.count++;
    }
    const expr side = m.side[m.of[k]], own = sign < 0 ? expr_neg(p, side) : side;
    m.smooth[k] = expr_substitute(p, one_side(p, found[k], own), k, m.node, m.smooth);
  }
  free(print);
  free(found);
  return m;
}

void engine_corners_hold(const engine_corners* m, expr_pool* p, int n, const expr* list, expr* out)
{
  expr_substitute_all(p, n, list, m->nodes, m->node, m->smooth, out);
}

void engine_corners_rub(const engine_program* p, engine_corners* modes)
{
  for (int k = 0; k < p->m && modes->count; k++) {
    const model_constraint* c = &p->model->constraint[k];
    if (c->friction == EXPR_NONE || model_constraint_sticks(c)) continue;
    expr slip = c->slip[0];
    engine_numbers(p, 1, &slip, &slip);
    const int i = of_slip(modes, p, slip);
    if (i >= 0) modes->rubs[i] = 1 + k;
  }
}

// which corners the energies hold
static void tell_energetic(const engine_program* p, engine_corners* modes)
{
  expr_pool* pool = p->s->pool;
  expr energy[2] = {p->model->T, p->model->V};
  engine_numbers(p, 2, energy, energy);
  const bool known = energy[0] != EXPR_NONE && energy[1] != EXPR_NONE;
  for (int i = 0; i < modes->count; i++) modes->energetic[i] = !known;
  if (!known) return;
  engine_corners_hold(modes, pool, 2, energy, energy);
  const int count = expr_symbols(pool, 2, energy, 0, NULL);
  expr* symbol = base_alloc(sizeof *symbol * (size_t)(count + 1));
  expr_symbols(pool, 2, energy, count, symbol);
  for (int i = 0; i < modes->count; i++)
    for (int k = 0; k < count && !modes->energetic[i]; k++)
      modes->energetic[i] = symbol[k] == modes->side[i];
  free(symbol);
}

// of each corner, whether the state has a part in it, and which statement on energies holds it
void engine_corners_tell(const engine_program* p, engine_corners* modes)
{
  const model* m = p->model;
  expr_pool* pool = p->s->pool;
  expr* state = base_alloc(2 * (size_t)p->n * sizeof *state + 1);
  for (int i = 0; i < p->n; i++) {
    state[i] = m->coord[i].q;
    state[p->n + i] = m->coord[i].v;
  }
  for (int i = 0; i < modes->count; i++)
    modes->outside[i] = !modes->reactive[i] && !expr_has_any(pool, modes->s[i], 2 * p->n, state);
  for (int j = 0; j < m->energy_terms; j++) {
    expr f;
    engine_numbers(p, 1, &m->energy_term[j].f, &f);
    engine_corners_hold(modes, pool, 1, &f, &f);
    for (int i = 0; i < modes->count && f != EXPR_NONE; i++)
      if (expr_has(pool, f, modes->side[i])) modes->place[i] = m->energy_term[j].place;
  }
  free(state);
  tell_energetic(p, modes);
}
