// Particles and bodies: mass, places, inertia.

#include "model/parts.h"
#include <math.h>
#include <string.h>

enum {
  MOVING = MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION |
           MODEL_USES_RATE
};

// a number that may depend on params, coordinates and time, of the given dimension
static bool quantity(model_scope* s, const lang_node* n, const char* what, model_dim wanted,
                     expr* e)
{
  model_dim d;
  return model_eval_scalar(s, n, what, e, &d) && model_expect_dim(s, n, d, wanted, what) &&
         model_expect_free(s, n, *e, MOVING, what);
}

static bool never_negative(model_scope* s, const lang_node* n, const char* what, expr e)
{
  double value = model_scope_bound(s, e);
  if (!(value < 0)) return true;
  base_error(s->notes, n->place, "%s cannot be negative, this is %g", what, value);
  return false;
}

static bool read_mass(model_scope* s, const lang_statement* st, expr* m)
{
  expr rho, measure;
  if (!st->density)
    return quantity(s, st->mass, "a mass", model_dim_of(0, 1, 0), m) &&
           never_negative(s, st->mass, "a mass", *m);
  int across; // how many lengths its measure is a product of
  if (!model_shape_measure(s, st, &measure, &across)) return false;
  if (!quantity(s, st->density, "a density", model_dim_of(-across, 1, 0), &rho) ||
      !never_negative(s, st->density, "a density", rho))
    return false;
  *m = expr_mul(s->pool, rho, measure);
  return true;
}

static model_mass* mass_new(model_scope* s, const model_entry* frame, expr m)
{
  model_mass* b = base_arena_take(s->arena, sizeof *b);
  b->m = m;
  b->axes = frame->axes;
  b->origin = frame->origin;
  model_axes_spin(&s->kin, frame->axes, b->spin);
  for (int i = 0; i < 6; i++) b->J[i] = expr_int(s->pool, 0);
  return b;
}

static void mass_point(model_mass* b, const expr r[3])
{
  for (int i = 0; i < 3; i++) b->r[b->points][i] = r[i];
  b->points++;
}

void model_particle_mass(model_scope* s, model_entry* e, const expr r[3])
{
  const model_entry* frame = model_scope_frame(s, e->statement->in);
  expr m;
  if (!read_mass(s, e->statement, &m)) {
    e->poisoned = true;
    return;
  }
  e->mass = mass_new(s, frame, m);
  mass_point(e->mass, r);
}

// ---- inertia ------------------------------------------------------------------------------------

// (Ixx, Iyy, Izz) or (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)
static bool read_inertia(model_scope* s, const lang_node* n, model_mass* b)
{
  if (!n || n->kind != LANG_TUPLE || (n->n != 3 && n->n != 6)) {
    if (n)
      base_error(s->notes, n->place,
                 "inertia is written (Ixx, Iyy, Izz) or (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)");
    if (n && n->kind == LANG_CALL)
      base_help(s->notes, "uniform shapes have statements of their own that find their inertia:"
                          " `ball B mass m radius r`, `rod`, `disc`, `plate`, `box`, `cylinder`,"
                          " `cone`, `shell`");
    else if (n)
      base_help(s->notes, "of a body that turns about z alone only Izz counts: (0, 0, Izz)");
    return false;
  }
  bool fine = true;
  for (int i = 0; i < n->n; i++) {
    fine &= quantity(s, n->kid[i], "a moment of inertia", model_dim_of(2, 1, 0), &b->J[i]);
    if (fine && i < 3) fine = never_negative(s, n->kid[i], "a moment of inertia", b->J[i]);
  }
  b->has_J = true;
  return fine;
}

// J about another point, d from the centre of mass: J = J_P - m (|d|^2 E - d d^T)
static bool read_about(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr_pool* p = s->pool;
  model_mass* b = e->mass;
  expr d[3];
  if (!st->about) return true;
  if (!model_place_vector(s, st->about, "a place", d, &e->length)) return false;
  model_vec_sub(p, d, b->r[0], d);
  const expr square = model_vec_dot(p, d, d);
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    const expr part = expr_mul(p, d[row[i]], d[column[i]]);
    const expr less = i < 3 ? expr_sub(p, square, part) : expr_neg(p, part);
    b->J[i] = expr_sub(p, b->J[i], expr_mul(p, b->m, less));
    if (i < 3 && model_scope_bound(s, b->J[i]) < 0) {
      base_error(s->notes, st->about->place,
                 "about its centre of mass the body would have a negative moment of inertia");
      return false;
    }
  }
  return true;
}

// solid ball: 2/5 m r^2 about every axis
static bool ball_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr r;
  model_mass* b = e->mass;
  if (!model_shape_length(s, st->radius, "a radius", &r)) return false;
  e->radius = r;
  expr factor[3] = {expr_ratio(s->pool, 2, 5), b->m, expr_pow(s->pool, r, expr_int(s->pool, 2))};
  for (int i = 0; i < 3; i++) b->J[i] = expr_product(s->pool, 3, factor);
  b->has_J = true;
  return true;
}

// Thin disc of normal N: J = m r^2/4 (E + N N^T/|N|^2). Where the normal turns in the frame, the
// disc turns with N x N'/|N|^2 beside the frame.
static bool disc_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr_pool* p = s->pool;
  model_mass* b = e->mass;
  expr r, N[3];
  model_dim d[3];
  bool fine = model_shape_length(s, st->radius, "a radius", &r);
  if (!st->vector) {
    base_error(s->notes, st->name.place, "`normal` is missing");
    base_help(s->notes, "a disc is written: disc D mass m radius r normal (0, 0, 1) at (0, 0, 0) "
                        "in F");
    return false;
  }
  fine &= model_eval_vector(s, st->vector, "a normal", N, d);
  for (int i = 0; fine && i < 3; i++)
    fine = model_expect_free(s, st->vector, N[i], MOVING, "a normal");
  if (!fine) return false;
  e->radius = r;
  for (int i = 0; i < 3; i++) e->normal[i] = N[i];
  expr quarter[3] = {expr_ratio(p, 1, 4), b->m, expr_pow(p, r, expr_int(p, 2))};
  const expr across = expr_product(p, 3, quarter);
  if (!model_shape_revolve(s, st->vector, N, across, expr_mul(p, expr_int(p, 2), across), b))
    return false;
  const expr inverse = expr_div(p, expr_int(p, 1), model_vec_dot(p, N, N));
  expr rate[3], turn[3];
  model_vec_total(p, N, rate);
  model_vec_cross(p, N, rate, turn);
  e->turns = !model_vec_is_zero(p, turn);
  model_vec_scale(p, inverse, turn, turn);
  model_vec_add(p, b->spin, turn, b->spin);
  return true;
}

// ---- bodies -------------------------------------------------------------------------------------

// the points that carry the mass, in the frame's axes
static bool read_points(model_scope* s, const lang_statement* st, model_entry* e)
{
  const lang_node* place[3] = {st->at, NULL, NULL};
  int n = 1;
  if (st->kind == LANG_ROD) {
    place[0] = st->from;
    place[1] = st->to;
    n = 2;
  } else if (st->kind == LANG_PLATE) {
    for (int i = 0; i < 3; i++) place[i] = st->corner[i];
    n = 3;
  }
  bool fine = true;
  for (int i = 0; i < n; i++) {
    expr r[3];
    model_vec_zero(s->pool, r);
    if (place[i]) fine &= model_place_vector(s, place[i], "a place", r, &e->length);
    mass_point(e->mass, r);
  }
  return fine;
}

// ---- bodies of revolution -----------------------------------------------------------------------

// all mass points on the axis k, and the inertia equal across it
static bool is_even_about(const model_scope* s, const model_mass* b, int k)
{
  int i = (k + 1) % 3, j = (k + 2) % 3;
  expr zero = expr_int(s->pool, 0);
  for (int product = 3; product < 6; product++)
    if (b->J[product] != zero) return false;
  for (int point = 0; point < b->points; point++)
    if (b->r[point][i] != zero || b->r[point][j] != zero) return false;
  return b->J[i] == b->J[j];
}

// A body of revolution that turns about its own axis last: its inertia is the same in the axes
// before that turn, where nothing depends on the angle. In them the spin is w + angle' e_k.
static void forget_last_turn(model_scope* s, model_mass* b)
{
  const model_axes* a = b->axes;
  if (!a || a->k == MODEL_BY_QUATERNION || !is_even_about(s, b, a->k)) return;
  b->axes = a->prev;
  model_axes_spin(&s->kin, a->prev, b->spin);
  b->spin[a->k] = expr_add(s->pool, b->spin[a->k], expr_total(s->pool, a->angle));
}

// a rod or plate whose points move apart in the frame turns there by a law of its own
static bool points_turn(model_scope* s, const model_mass* b)
{
  for (int i = 1; i < b->points; i++) {
    expr side[3], rate[3], turn[3];
    model_vec_sub(s->pool, b->r[i], b->r[0], side);
    model_vec_total(s->pool, side, rate);
    model_vec_cross(s->pool, side, rate, turn);
    if (!model_vec_is_zero(s->pool, turn)) return true;
  }
  return false;
}

void model_body_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_entry* frame = e->own ? e : model_scope_frame(s, st->in);
  expr m = expr_int(s->pool, 0);
  if (e->joint)
    model_joint_place(s, e);
  else if (e->own)
    model_orientation_place(s, e);
  const bool lost = e->joint && e->joint->poisoned;
  e->poisoned = true;
  if (lost) return;
  e->length = frame ? frame->length : model_dim_unknown();
  bool fine = read_mass(s, st, &m);
  e->mass = mass_new(s, frame ? frame : s->world, m);
  fine &= read_points(s, st, e);
  if (st->kind == LANG_BODY) fine &= read_inertia(s, st->vector, e->mass) && read_about(s, st, e);
  if (st->kind == LANG_SOLID_BODY) fine = fine && model_shape_inertia(s, st, e);
  if (st->kind == LANG_BALL) fine &= ball_inertia(s, st, e);
  if (st->kind == LANG_DISC) fine &= disc_inertia(s, st, e);
  if (!frame || !fine) return;
  // a body with a frame of its own stands for the origin of that
  if (e->own) {
    if (e->joint && !e->turns) forget_last_turn(s, e->mass);
    e->poisoned = false;
    return;
  }
  // the body's name stands for its centre of mass
  expr centre[3];
  e->carrier = frame;
  model_mass_centre(s, e->mass, centre);
  e->axes = frame->axes;
  e->frames = frame->frames + 1;
  e->origin = model_place_add(&s->kin, frame->origin, frame->axes, centre);
  e->turns |= points_turn(s, e->mass);
  if (!e->turns) forget_last_turn(s, e->mass);
  e->poisoned = false;
}
