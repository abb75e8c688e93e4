// The geometry of a contact with friction: which point touches, and along which direction it slips.
//
// The constraint f(y) >= 0 is read again with the place y of the point that touches as a symbol,
// y = pos(P, F). Its gradient n = df/dy is the normal of the surface, in the axes of F; the
// reaction Lambda presses with the force Lambda |n|. A ball, and in the plane a disc, touches with
// the point -r n/|n| from its centre, which moves with v = y' + omega x (-r n/|n|) against F;
// anything else with the point itself, v = y'. In the plane it slips with u = t.v, t perpendicular
// to n; in space with u = (t1.v, t2.v).

#include "model/parts.h"

#include <math.h>

enum { PLANES = 3 };

// what touches: its place and the gradient of the constraint by it, in the axes of the frame
typedef struct touching
{
  expr n[3], y[3];
  const model_entry *thing, *frame; // thing null: no more than coordinates; frame null: the world
} touching;

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
static bool find_particle(model_scope* s, expr f, touching* x)
{
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (!e->mass || e->poisoned || !e->origin) continue;
    model_place_between(&s->kin, NULL, e->origin, NULL, x->y);
    if (!is_cartesian(s, x->y) || !covers(s, f, x->y)) continue;
    x->thing = e;
    return true;
  }
  return false;
}

// no masses are placed: two coordinates of the same constant inertia are a plane
static bool find_plane(model_scope* s, expr f, expr y[3])
{
  const model* m = s->m;
  expr_pool* p = s->pool;
  const expr T = s->kinetic->value.e[0];
  expr inertia = EXPR_NONE;
  int count = 0;
  for (int k = 0; k < 3; k++) y[k] = expr_int(p, 0);
  for (int i = 0; i < m->coords; i++) {
    const expr M = expr_simplify(p, expr_diff(p, expr_diff(p, T, m->coord[i].v), m->coord[i].v));
    if (M == EXPR_NONE || M == expr_int(p, 0) || model_scope_uses(s, M) & MODEL_USES_STATE)
      continue;
    if (inertia == EXPR_NONE) inertia = M;
    if (M == inertia && count < 3) y[count++] = m->coord[i].q;
  }
  return count >= 2 && covers(s, f, y);
}

// left - right in the place of the point that touches; of an inequality about the least or most of
// several, the one that is f at the place itself
static expr surface_of(model_scope* s, const lang_statement* st, expr left, expr right,
                       const model_contact_point* touch, const expr y[3], expr f)
{
  expr_pool* p = s->pool;
  expr a[MODEL_FEW_PARTS] = {left}, b[MODEL_FEW_PARTS] = {right};
  const int count = model_constraint_pieces(s, st, a, b);
  for (int k = 0; k < count && count > 1; k++) {
    const expr g = expr_sub(p, a[k], b[k]);
    if (expr_is_zero(p, expr_sub(p, expr_substitute(p, g, 3, touch->at, y), f)) == EXPR_YES)
      return g;
  }
  return count > 1 ? EXPR_NONE : expr_sub(p, left, right);
}

// A coordinate that is a part of the place itself says where the point is, as pos(P) does.
static expr by_place(model_scope* s, expr g, const model_contact_point* touch, const expr y[3])
{
  for (int k = 0; k < 3; k++)
    if (expr_kind_of(s->pool, y[k]) == EXPR_SYMBOL &&
        (model_scope_uses(s, y[k]) & MODEL_USES_COORD))
      g = expr_substitute(s->pool, g, 1, &y[k], &touch->at[k]);
  return g;
}

// gradient of the constraint by the place of what touches, and that place
static bool find_touching(model_scope* s, const model_entry* e, expr f, touching* x)
{
  const lang_statement* st = e->statement;
  expr_pool* p = s->pool;
  model_contact_point touch = {.at = {expr_symbol(p, "(place x)"), expr_symbol(p, "(place y)"),
                                      expr_symbol(p, "(place z)")}};
  s->touch = &touch;
  const model_value left = model_eval(s, st->left), right = model_eval(s, st->right);
  s->touch = NULL;
  if (left.kind != MODEL_SCALAR || right.kind != MODEL_SCALAR) return false;
  if (!touch.thing || touch.several) {
    if (!touch.several && (find_particle(s, f, x) || find_plane(s, f, x->y))) {
      for (int k = 0; k < 3; k++) {
        const bool moves = expr_kind_of(p, x->y[k]) == EXPR_SYMBOL;
        x->n[k] = moves ? expr_diff(p, f, x->y[k]) : expr_int(p, 0);
      }
      return true;
    }
    base_error(s->notes, st->friction->place, "it is not clear which point touches at `%s`",
               e->name);
    base_help(s->notes, "write the constraint with pos(P), or pos(P, F) for a surface fixed in F, "
                        "or say how it slips: with friction mu along u");
    return false;
  }
  x->thing = touch.thing;
  x->frame = touch.frame ? touch.frame : s->world;
  model_place_between(&s->kin, x->frame->origin, x->thing->origin, x->frame->axes, x->y);
  expr g = surface_of(s, st, left.e[0], right.e[0], &touch, x->y, f);
  if (g != EXPR_NONE) g = by_place(s, g, &touch, x->y);
  if (g == EXPR_NONE) {
    base_error(s->notes, st->friction->place, "it is not clear which surfaces rub at `%s`",
               e->name);
    base_help(s->notes, "write an inequality for each");
    return false;
  }
  if (model_scope_uses(s, g) & MODEL_USES_COORD) {
    base_error(s->notes, st->friction->place,
               "the surface of `%s` moves with coordinates of its own: its slip is not known",
               e->name);
    base_help(s->notes, "write the place of the point in the frame of the surface: pos(P, F), or "
                        "say how it slips: with friction mu along u");
    return false;
  }
  expr_gradient(p, g, 3, touch.at, x->n);
  for (int k = 0; k < 3; k++) x->n[k] = expr_substitute(p, x->n[k], 3, touch.at, x->y);
  return true;
}

static double number_of(model_scope* s, expr e)
{
  return model_scope_number(s, e);
}

static bool is_fixed(model_scope* s, const expr v[3])
{
  for (int k = 0; k < 3; k++)
    if (model_scope_uses(s, v[k]) & (MODEL_USES_STATE | MODEL_USES_TIME)) return false;
  return true;
}

// the direction that the axes of a contact in space are built around: the normal itself where it is
// fixed, else upwards
static int main_axis(model_scope* s, const expr n[3], int sense, double* sign)
{
  double most = 0;
  int axis = 2;
  *sign = sense;
  if (is_fixed(s, n)) {
    for (int k = 0; k < 3; k++) {
      const double x = number_of(s, n[k]);
      if (!(fabs(x) > most)) continue;
      most = fabs(x);
      axis = k;
      *sign = x > 0 ? 1 : -1;
    }
    return axis;
  }
  for (int i = 0; i < s->tree->count; i++) {
    expr g[3];
    const lang_statement* st = s->tree->at[i];
    if (st->kind != LANG_GRAVITY || !model_energy_gravity(s, st, g)) continue;
    for (int k = 0; k < 3 && is_fixed(s, g); k++) {
      const double x = number_of(s, g[k]);
      if (!(fabs(x) > most)) continue;
      most = fabs(x);
      axis = k;
      *sign = x > 0 ? -sense : sense;
    }
  }
  return axis;
}

// Two axes perpendicular to the unit normal n, smooth wherever n is not opposite to sign e_c: with
// n = (p, q, r) in the order a, b, c and r' = sign r,
//   t1 = (1 - p^2/(1 + r'), -p q/(1 + r'), -sign p),  t2 = (-p q/(1 + r'), 1 - q^2/(1 + r'), -sign
//   q)
static void tangents(model_scope* s, const expr n[3], int c, double sign, expr t1[3], expr t2[3])
{
  expr_pool* p = s->pool;
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const expr one = expr_int(p, 1), way = expr_int(p, sign > 0 ? 1 : -1);
  const expr under = expr_add(p, one, expr_mul(p, way, n[c]));
  const expr mixed = expr_neg(p, expr_div(p, expr_mul(p, n[a], n[b]), under));
  t1[a] = expr_sub(p, one, expr_div(p, expr_mul(p, n[a], n[a]), under));
  t1[b] = t2[a] = mixed;
  t2[b] = expr_sub(p, one, expr_div(p, expr_mul(p, n[b], n[b]), under));
  t1[c] = expr_neg(p, expr_mul(p, way, n[a]));
  t2[c] = expr_neg(p, expr_mul(p, way, n[b]));
}

// velocity of what touches against the surface, in the axes of the frame; n of length one
static bool velocity(model_scope* s, const model_entry* e, const touching* x, const expr n[3],
                     int sense, bool space, expr v[3])
{
  expr_pool* p = s->pool;
  for (int k = 0; k < 3; k++) v[k] = expr_total(p, x->y[k]);
  const lang_statement* body = x->thing ? x->thing->statement : NULL;
  if (!body || (body->kind != LANG_BALL && body->kind != LANG_DISC)) return true;
  if (body->kind == LANG_DISC && space) {
    base_error(s->notes, e->statement->friction->place,
               "the disc `%s` touches with a point of its rim that depends on its attitude",
               x->thing->name);
    base_help(s->notes,
              "say how it slips: with friction mu along u, v; or let it slide: slide %s "
              "as circle(r) on world as plane at c with friction mu",
              x->thing->name);
    return false;
  }
  expr r, w[3], carried[3], arm[3], turning[3];
  model_dim d;
  const model_axes* to = x->frame ? x->frame->axes : NULL;
  if (!model_eval_scalar(s, body->radius, "a radius", &r, &d)) return false;
  model_axes_omega(&s->kin, x->thing->axes, to, w);
  model_axes_omega(&s->kin, to, to, carried);
  model_vec_sub(p, w, carried, w);
  model_vec_scale(p, expr_mul(p, expr_int(p, -sense), r), n, arm);
  model_vec_cross(p, w, arm, turning);
  model_vec_add(p, v, turning, v);
  return true;
}

static bool no_normal(model_scope* s, const model_entry* e)
{
  base_error(s->notes, e->statement->friction->place, "the surface of `%s` has no normal here",
             e->name);
  return false;
}

// a direction in which nothing moves: the motion is in the plane across it; -1: in space
static int still_axis(model_scope* s, const touching* x)
{
  int still = -1;
  for (int k = 0; k < 3; k++)
    if (!(model_scope_uses(s, expr_total(s->pool, x->y[k])) & MODEL_USES_VELOCITY)) still = k;
  return still;
}

static bool read_coefficient(model_scope* s, const lang_node* n, const char* name, model_dim dim,
                             bool positive, expr* mu)
{
  const int never = MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION;
  model_dim d;
  if (!model_eval_scalar(s, n, name, mu, &d) || !model_expect_dim(s, n, d, dim, name) ||
      !model_expect_free(s, n, *mu, never, name))
    return false;
  const double least = model_scope_bound(s, *mu);
  if (!(least < 0) && !(positive && least == 0)) return true;
  base_error(s->notes, n->place, positive ? "%s along an axis is positive" : "%s is not negative",
             name);
  return false;
}

int model_friction_read(model_scope* s, const lang_node* n, const char* name, model_dim dim,
                        expr mu[2])
{
  const bool pair = n->kind == LANG_TUPLE && n->n == 2;
  if (!pair) return read_coefficient(s, n, name, dim, false, mu);
  const bool fine = read_coefficient(s, n->kid[0], name, dim, true, &mu[0]);
  return read_coefficient(s, n->kid[1], name, dim, true, &mu[1]) && fine ? 2 : 0;
}

bool model_friction_geometry(model_scope* s, const model_entry* e, model_constraint* c)
{
  expr_pool* p = s->pool;
  touching x = {0};
  expr v[3], n[3], t[2][3];
  // a surface that pushes both ways has its body on the side of the gradient
  const int sense = c->sense < 0 ? -1 : 1;
  if (!find_touching(s, e, c->f, &x)) return false;
  const int still = still_axis(s, &x);
  if (still >= 0) x.n[still] = expr_int(p, 0);
  const expr square = model_simpler(s, model_vec_dot(p, x.n, x.n));
  if (square == expr_int(p, 0) || square == EXPR_NONE) return no_normal(s, e);
  c->pressure = model_simpler(s, expr_pow(p, square, expr_ratio(p, 1, 2)));
  if (c->pressure == EXPR_NONE) return no_normal(s, e);
  for (int k = 0; k < 3; k++) n[k] = model_simpler(s, expr_div(p, x.n[k], c->pressure));
  if (!velocity(s, e, &x, n, sense, still < 0, v)) return false;
  if (still >= 0) {
    const int a = (still + 1) % PLANES, b = (still + 2) % PLANES;
    const expr along = expr_sub(p, expr_mul(p, n[b], v[a]), expr_mul(p, n[a], v[b]));
    c->slips = 1;
    c->slip[0] = model_simpler(s, along);
    return c->slip[0] != EXPR_NONE;
  }
  double sign;
  const int axis = main_axis(s, n, sense, &sign);
  tangents(s, n, axis, sign, t[0], t[1]);
  c->slips = 2;
  for (int k = 0; k < 2; k++) c->slip[k] = model_simpler(s, model_vec_dot(p, t[k], v));
  return c->slip[0] != EXPR_NONE && c->slip[1] != EXPR_NONE;
}

// stands for it until the slip is known
expr model_own_slip(expr_pool* p, base_arena* arena, const char* name)
{
  return expr_symbol(p, base_arena_printf(arena, "slip of %s itself", name));
}

expr model_friction_own_slip(model_scope* s, const model_entry* e)
{
  return model_own_slip(s->pool, s->arena, e->name);
}

expr model_friction_speed(model_scope* s, const model_constraint* c)
{
  expr_pool* p = s->pool;
  expr square = expr_int(p, 0);
  if (c->slips == 1) return expr_fn1(p, EXPR_ABS, c->slip[0]);
  for (int k = 0; k < c->slips; k++)
    square = expr_add(p, square, expr_mul(p, c->slip[k], c->slip[k]));
  return expr_fn1(p, EXPR_SQRT, square);
}

expr model_friction_with_own_slip(model_scope* s, const model_entry* e, expr mu,
                                  const model_constraint* c)
{
  const expr from = model_friction_own_slip(s, e), to = model_friction_speed(s, c);
  return expr_substitute(s->pool, mu, 1, &from, &to);
}

// of the second coefficient to the first; EXPR_NONE where it changes with the velocities
static expr steady_ratio(model_scope* s, const model_entry* e, const expr mu[2])
{
  expr_pool* p = s->pool;
  const expr slip = model_friction_own_slip(s, e), one = expr_int(p, 1);
  expr ratio = model_simpler(s, expr_div(p, mu[1], mu[0]));
  if (ratio == EXPR_NONE) return EXPR_NONE;
  if (expr_has(p, ratio, slip)) {
    if (model_simpler(s, expr_diff(p, ratio, slip)) != expr_int(p, 0)) return EXPR_NONE;
    ratio = expr_substitute(p, ratio, 1, &slip, &one);
  }
  return model_scope_uses(s, ratio) & MODEL_USES_VELOCITY ? EXPR_NONE : ratio;
}

// Two coefficients are those along the axes of the slip: the forces lie in a cone over an ellipse,
// and oppose the slip so that most work is lost,
//   T_k = -mu_k^2 u_k N/sqrt(sum mu_j^2 u_j^2).
// That is the round cone of coefficient 1 for the slips mu_k u_k. Where the coefficients change
// with velocities, mu_k = m r_k, it is that of coefficient m for the slips r_k u_k, which have to
// be linear in the velocities.
bool model_friction_axes(model_scope* s, const model_entry* e, const lang_node* n, const expr mu[2],
                         expr* m, expr r[2])
{
  const expr slip = model_friction_own_slip(s, e);
  const int uses = model_scope_uses(s, mu[0]) | model_scope_uses(s, mu[1]);
  const bool fast = uses & MODEL_USES_VELOCITY || expr_has(s->pool, mu[0], slip) ||
                    expr_has(s->pool, mu[1], slip);
  *m = fast ? mu[0] : expr_int(s->pool, 1);
  r[0] = fast ? expr_int(s->pool, 1) : mu[0];
  r[1] = fast ? steady_ratio(s, e, mu) : mu[1];
  if (r[1] != EXPR_NONE) return true;
  base_error(s->notes, n->place,
             "two coefficients of friction that change with the velocity keep their ratio");
  base_help(s->notes, "write them as (a*f, b*f), with one f that changes");
  return false;
}

bool model_friction_stretch(model_scope* s, const model_entry* e, const expr mu[2],
                            model_constraint* c)
{
  const lang_node* n = e->statement->friction;
  expr m, r[2];
  if (c->slips != 2) {
    base_error(s->notes, n->place, "two coefficients of friction are for a slip in two directions");
    base_help(s->notes, "here it slips along a line: write one");
    return false;
  }
  if (!model_friction_axes(s, e, n, mu, &m, r)) return false;
  c->friction = model_friction_with_own_slip(s, e, m, c);
  for (int k = 0; k < 2; k++) {
    c->unstretched[k] = c->slip[k];
    c->slip[k] = expr_mul(s->pool, r[k], c->slip[k]);
    c->stretch[k] = r[k];
  }
  return true;
}

static expr held_length(model_scope* s, const model_constraint* c, const expr slip[2])
{
  expr_pool* p = s->pool;
  const expr square[3] = {expr_mul(p, slip[0], slip[0]), expr_mul(p, slip[1], slip[1]),
                          s->m->holds[c->stick[0]]};
  return expr_fn1(p, EXPR_SQRT, expr_sum(p, 3, square));
}

expr model_friction_held_speed(model_scope* s, const model_constraint* c)
{
  return held_length(s, c, c->slip);
}

// While h = 1 there is no such force, but a coefficient that depends on the slip is asked for: its
// root is the one above there.
expr model_friction_in_force(model_scope* s, const model_constraint* c)
{
  if (c->slips == 1 || !(c->sense || c->guides)) return c->friction;
  const expr* slip = c->unstretched[0] == EXPR_NONE ? c->slip : c->unstretched;
  model_constraint plain = *c;
  for (int k = 0; k < 2; k++) plain.slip[k] = slip[k];
  const expr from = model_friction_speed(s, &plain), to = held_length(s, c, slip);
  return expr_substitute(s->pool, c->friction, 1, &from, &to);
}
