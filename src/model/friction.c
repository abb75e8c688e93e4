// The geometry of a contact with friction: which point touches, and along which direction it slips.
//
// The constraint f(y) >= 0 is read again with the place y of the point that touches as a symbol,
// y = pos(P, F). Its gradient n = df/dy is the normal of the surface, in the axes of F; the
// reaction Lambda presses with the force Lambda |n|. In the plane the point slips with u = t.y', t
// perpendicular to n.

#include "model/parts.h"

enum { PLANES = 3 };

// a place whose parts are coordinates, each another one, or fixed
static bool is_cartesian(model_scope* s, const expr y[3])
{
  const model* m = s->m;
  int moving = 0;
  for (int k = 0; k < 3; k++) {
    int primes, i = model_coord_of(s, y[k], &primes);
    if (i >= 0 && primes == 0) {
      for (int j = 0; j < k; j++)
        if (y[j] == y[k]) return false;
      moving++;
    } else if (model_scope_uses(s, y[k]) & (MODEL_USES_COORD | MODEL_USES_TIME)) {
      return false;
    }
  }
  return moving >= 2 && m->coords >= 2;
}

// does f depend on no other coordinate than the parts of y?
static bool covers(model_scope* s, expr f, const expr y[3])
{
  for (int i = 0; i < s->m->coords; i++) {
    const expr q = s->m->coord[i].q;
    if (q != y[0] && q != y[1] && q != y[2] && expr_has(s->pool, f, q)) return false;
  }
  return true;
}

// no point is named: one with mass whose place is made of the coordinates the constraint is about
static bool find_particle(model_scope* s, expr f, expr y[3])
{
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (!e->mass || e->poisoned || !e->origin) continue;
    model_place_between(&s->kin, NULL, e->origin, NULL, y);
    if (is_cartesian(s, y) && covers(s, f, y)) return true;
  }
  return false;
}

// no masses are placed: two coordinates of the same constant inertia are a plane
static bool find_plane(model_scope* s, expr f, expr y[3])
{
  const model* m = s->m;
  expr_pool* p = s->pool;
  expr inertia = EXPR_NONE;
  int count = 0;
  for (int k = 0; k < 3; k++) y[k] = expr_int(p, 0);
  for (int i = 0; i < m->coords; i++) {
    const expr M = expr_simplify(p, expr_diff(p, expr_diff(p, m->T, m->coord[i].v), m->coord[i].v));
    if (M == EXPR_NONE || M == expr_int(p, 0) || model_scope_uses(s, M) & MODEL_USES_STATE)
      continue;
    if (inertia == EXPR_NONE) inertia = M;
    if (M == inertia && count < 3) y[count++] = m->coord[i].q;
  }
  return count >= 2 && covers(s, f, y);
}

// gradient of the constraint by the place of what touches, and that place
static bool normal(model_scope* s, const model_entry* e, expr n[3], expr y[3])
{
  const lang_statement* st = e->statement;
  expr_pool* p = s->pool;
  const expr f = s->m->constraint[e->part_index[0]].f;
  model_contact_point touch = {.at = {expr_symbol(p, "(place x)"), expr_symbol(p, "(place y)"),
                                      expr_symbol(p, "(place z)")}};
  s->touch = &touch;
  const model_value left = model_eval(s, st->left), right = model_eval(s, st->right);
  s->touch = NULL;
  if (left.kind != MODEL_SCALAR || right.kind != MODEL_SCALAR) return false;
  if (!touch.thing || touch.several) {
    if (!touch.several && (find_particle(s, f, y) || find_plane(s, f, y))) {
      for (int k = 0; k < 3; k++) {
        const bool moves = expr_kind_of(p, y[k]) == EXPR_SYMBOL;
        n[k] = moves ? expr_diff(p, f, y[k]) : expr_int(p, 0);
      }
      return true;
    }
    base_error(s->notes, st->friction->place, "it is not clear which point touches at `%s`",
               e->name);
    base_help(s->notes, "write the constraint with pos(P), or pos(P, F) for a surface fixed in F");
    return false;
  }
  const model_entry* frame = touch.frame ? touch.frame : s->world;
  model_place_between(&s->kin, frame->origin, touch.thing->origin, frame->axes, y);
  const expr g = expr_sub(p, left.e[0], right.e[0]);
  if (model_scope_uses(s, g) & MODEL_USES_COORD) {
    base_error(s->notes, st->friction->place,
               "the surface of `%s` moves with coordinates of its own: its slip is not known",
               e->name);
    base_help(s->notes, "write the place of the point in the frame of the surface: pos(P, F)");
    return false;
  }
  expr_gradient(p, g, 3, touch.at, n);
  for (int k = 0; k < 3; k++) n[k] = expr_substitute(p, n[k], 3, touch.at, y);
  return true;
}

bool model_friction_geometry(model_scope* s, const model_entry* e, expr* slip, expr* pressure)
{
  expr_pool* p = s->pool;
  expr n[3], y[3], v[3];
  const expr zero = expr_int(p, 0);
  if (!normal(s, e, n, y)) return false;
  int still = -1;
  for (int k = 0; k < 3; k++) {
    v[k] = expr_total(p, y[k]);
    if (!(model_scope_uses(s, v[k]) & MODEL_USES_VELOCITY)) still = k;
  }
  if (still < 0) {
    base_error(s->notes, e->statement->friction->place,
               "friction is taken for points that move in a plane; `%s` touches in space", e->name);
    return false;
  }
  const int a = (still + 1) % PLANES, b = (still + 2) % PLANES;
  expr square = expr_add(p, expr_mul(p, n[a], n[a]), expr_mul(p, n[b], n[b]));
  square = model_simpler(s, square);
  if (square == zero || n[still] == EXPR_NONE) {
    base_error(s->notes, e->statement->friction->place, "the surface of `%s` has no normal here",
               e->name);
    return false;
  }
  *pressure = model_simpler(s, expr_pow(p, square, expr_ratio(p, 1, 2)));
  const expr along = expr_sub(p, expr_mul(p, n[b], v[a]), expr_mul(p, n[a], v[b]));
  *slip = model_simpler(s, expr_div(p, along, *pressure));
  return *slip != EXPR_NONE && *pressure != EXPR_NONE;
}
