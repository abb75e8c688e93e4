// A cylinder against hulls, capsules and cylinders: the axis that parts them most (parting.c) says
// which parts of them face each other.
//
// Where it is the normal of a flat part (a side of a hull, an end of a cylinder), what of the other
// body lies above this part are the points: of a disc above a polygon its corners within the disc,
// where its edges cross the rim, and points around the rim above it; of two discs points around
// both rims, and where these cross; of a line what of it is above. Else a line, or a point, of each
// face each other: the ends of what they share where they are parallel, or where they come nearest.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

// points around the end of a cylinder
enum { around = 8, most_corners = SHAPE_MOST_POINTS };

// cosine of the angle to its axis within which a cylinder stands on its end, not on its rim
static const double stands = 0.9;
// the same across: a line of it faces the other body, not one end of it
static const double lies = 0.01;
// of the size: corners so near to the lowest one belong to the same edge
static const double same_edge = 1e-3;

// in radii: what is above the rim is above the disc
static const double at_rim = 1 + shape_in_plane;

// names of points, so that they are known again: of the rims of A and B, corners, crossings, ends
enum { name_rim = 0, name_corner = 512, name_cross = 1024, name_end = 4096, name_meet = 4100 };

// what of a body faces the other: a disc, or corners of a side, of a line or one alone
typedef struct front
{
  const shape_form* f;
  const shape_pose* F;
  bool disc;
  double middle[3], u[3], v[3]; // of a disc: its middle and two directions in it
  double round;                 // of a line along a cylinder: from its axis, on which `at` is then
  int n;
  double at[most_corners][3];
} front;

// ---- fronts, looking along d --------------------------------------------------------------------

static void rim_point(const front* x, double angle, double out[3])
{
  const double r = x->f->radius;
  for (int k = 0; k < 3; k++)
    out[k] = x->middle[k] + r * (cos(angle) * x->u[k] + sin(angle) * x->v[k]);
}

static void front_of_cylinder(front* x, const double d[3], bool flat)
{
  const shape_form* f = x->f;
  double own[3], low[3] = {1, 0, 0};
  shape_pose_turn_back(x->F, d, own);
  const double rho = hypot(own[0], own[1]);
  if (rho > shape_parallel) low[0] = own[0] / rho, low[1] = own[1] / rho;
  const double side[3] = {-low[1], low[0], 0}, end = copysign(f->length / 2, own[2]);
  const double middle[3] = {0, 0, end};
  x->disc = flat ? fabs(own[2]) > stands : false;
  shape_pose_point(x->F, middle, x->middle);
  shape_pose_turn(x->F, low, x->u);
  shape_pose_turn(x->F, side, x->v);
  const double p[2][3] = {{f->radius * low[0], f->radius * low[1], end},
                          {f->radius * low[0], f->radius * low[1], -end}};
  x->n = x->disc ? around : flat || fabs(own[2]) < lies ? 2 : 1;
  // as it turns about its axis another line of it is the lowest, and where it rolls around what is
  // round the normal turns: both as the axis has it
  if (!flat && x->n == 2) {
    x->round = f->radius;
    for (int i = 0; i < 2; i++) {
      const double on_axis[3] = {0, 0, p[i][2]};
      shape_pose_point(x->F, on_axis, x->at[i]);
    }
    return;
  }
  for (int i = 0; i < x->n; i++)
    if (x->disc)
      rim_point(x, 2 * M_PI * i / around, x->at[i]);
    else
      shape_pose_point(x->F, p[i], x->at[i]);
}

static void front_of_side(front* x, const double d[3])
{
  const shape_form* f = x->f;
  double own[3];
  int side = 0;
  shape_pose_turn_back(x->F, d, own);
  for (int i = 1; i < f->faces; i++)
    if (vec_dot(f->face[i].n, own) > vec_dot(f->face[side].n, own)) side = i;
  x->n = f->face[side].count;
  for (int i = 0; i < x->n; i++)
    shape_pose_point(x->F, f->point[f->loop[f->face[side].from + i]], x->at[i]);
}

// the corner that reaches farthest, and the one of those that reach as far that is farthest from it
static void front_of_corners(front* x, const double d[3])
{
  const shape_form* f = x->f;
  double own[3], far = 0;
  int first = 0, second = -1;
  shape_pose_turn_back(x->F, d, own);
  for (int i = 1; i < f->points; i++)
    if (vec_dot(own, f->point[i]) > vec_dot(own, f->point[first])) first = i;
  for (int i = 0; i < f->points; i++) {
    if (vec_dot(own, f->point[first]) - vec_dot(own, f->point[i]) > same_edge * f->reach) continue;
    const double away = vec_apart(f->point[i], f->point[first]);
    if (away > far) far = away, second = i;
  }
  x->n = second < 0 ? 1 : 2;
  shape_pose_point(x->F, f->point[first], x->at[0]);
  if (second >= 0) shape_pose_point(x->F, f->point[second], x->at[1]);
}

// flat: against, or of, a flat part
static void find_front(front* x, const shape_form* f, const shape_pose* F, const double d[3],
                       bool flat)
{
  *x = (front){.f = f, .F = F};
  if (f->kind == SHAPE_CYLINDER) {
    front_of_cylinder(x, d, flat);
  } else if (flat && f->faces) {
    front_of_side(x, d);
  } else {
    front_of_corners(x, d);
    // a capsule has two points at most, and both may be near a flat part
    for (int i = 0; i < f->points && flat; i++) shape_pose_point(F, f->point[i], x->at[x->n = i]);
    if (flat) x->n = f->points;
  }
}

// ---- points -------------------------------------------------------------------------------------

// one of A and one of B, world axes; n into A
static void add(shape_search* s, const shape_parting* x, const double a[3], const double b[3],
                int name)
{
  shape_touch t = {.feature = SHAPE_FEATURE_CYLINDER + (unsigned)name,
                   .normal = x->of == SHAPE_PARTED_BY_A ? SHAPE_OF_A : SHAPE_OF_B};
  // another line of a cylinder that rolls is the lowest at once
  const bool line = name >= name_end && name < name_meet;
  t.rolls_a = line && x->of == SHAPE_PARTED_BY_B && s->a->kind == SHAPE_CYLINDER;
  t.rolls_b = line && x->of == SHAPE_PARTED_BY_A && s->b->kind == SHAPE_CYLINDER;
  shape_pose_back(s->A, a, t.a);
  shape_pose_back(s->B, b, t.b);
  shape_pose_turn_back(s->A, x->n, t.along_a);
  shape_pose_turn_back(s->B, x->n, t.along_b);
  shape_search_add(s, &t);
}

// p, of the one, and what is across from it on the plane of the other's front through its first
// corner
static void add_across(shape_search* s, const shape_parting* x, const front* on, bool on_b,
                       const double p[3], int name)
{
  double d[3], q[3];
  vec_sub(p, on->at[0], d);
  vec_along(p, -vec_dot(d, x->n), x->n, q);
  add(s, x, on_b ? p : q, on_b ? q : p, name);
}

// p, of the flat part's own body, and what is across from it on the other front, which may lean
static void add_below(shape_search* s, const shape_parting* x, const front* other, bool on_b,
                      const double p[3], int name)
{
  double m[3], u[3], v[3], d[3], q[3];
  if (other->disc) {
    vec_cross(other->u, other->v, m);
  } else {
    if (other->n < 3) return;
    vec_sub(other->at[1], other->at[0], u);
    vec_sub(other->at[2], other->at[0], v);
    vec_cross(u, v, m);
  }
  vec_unit(m);
  vec_sub(other->disc ? other->middle : other->at[0], p, d);
  const double steep = vec_dot(m, x->n);
  if (fabs(steep) < stands) return;
  vec_along(p, vec_dot(m, d) / steep, x->n, q);
  add(s, x, on_b ? q : p, on_b ? p : q, name);
}

// within so many radii
static bool is_above_disc(const front* disc, const double p[3], double radii)
{
  double d[3];
  vec_sub(p, disc->middle, d);
  return hypot(vec_dot(d, disc->u), vec_dot(d, disc->v)) <= disc->f->radius * radii;
}

// around its corners to one side, seen along n
static bool is_above_corners(const front* x, const double n[3], const double p[3])
{
  int sides = 0;
  for (int i = 0; i < x->n; i++) {
    double way[3], r[3], out[3];
    vec_sub(x->at[(i + 1) % x->n], x->at[i], way);
    vec_sub(p, x->at[i], r);
    vec_cross(way, r, out);
    const double turn = vec_dot(out, n);
    if (fabs(turn) <= shape_in_plane * vec_dot(way, way)) continue;
    sides |= turn > 0 ? 1 : 2;
  }
  return sides != 3;
}

// shares of the way from p to q at which it crosses the rim; false: it does not
static bool cross_rim(const front* disc, const double p[3], const double q[3], double share[2])
{
  double d[3], way[3];
  vec_sub(p, disc->middle, d);
  vec_sub(q, p, way);
  const double x = vec_dot(d, disc->u), y = vec_dot(d, disc->v), r = disc->f->radius;
  const double u = vec_dot(way, disc->u), v = vec_dot(way, disc->v);
  const double a = u * u + v * v, b = x * u + y * v, c = x * x + y * y - r * r;
  if (!(a > 0) || !(b * b - a * c > 0)) return false;
  const double root = sqrt(b * b - a * c);
  share[0] = (-b - root) / a;
  share[1] = (-b + root) / a;
  return true;
}

// `on`: the front of the flat part that the axis is the normal of, which is of B or not
static void disc_and_corners(shape_search* s, const shape_parting* x, const front* on,
                             const front* other, bool on_b)
{
  const front *disc = on->disc ? on : other, *side = on->disc ? other : on;
  for (int i = 0; i < side->n; i++) {
    const double *p = side->at[i], *q = side->at[(i + 1) % side->n];
    double share[2], way[3], at[3];
    const bool line_again = side->n < 3 && i == 1;
    if (is_above_disc(disc, p, at_rim)) {
      if (side == other)
        add_across(s, x, on, on_b, p, name_corner + i);
      else
        add_below(s, x, other, on_b, p, name_corner + i);
    }
    if (side->n < 2 || line_again || !cross_rim(disc, p, q, share)) continue;
    vec_sub(q, p, way);
    for (int k = 0; k < 2; k++) {
      if (!(share[k] > 0 && share[k] < 1)) continue;
      vec_along(p, share[k], way, at);
      if (side == other)
        add_across(s, x, on, on_b, at, name_cross + 2 * i + k);
      else
        add_below(s, x, other, on_b, at, name_cross + 2 * i + k);
    }
  }
  for (int i = 0; i < around && side->n > 2; i++) {
    if (!is_above_corners(side, x->n, disc->at[i])) continue;
    if (disc == other)
      add_across(s, x, on, on_b, disc->at[i], name_rim + i);
    else
      add_below(s, x, other, on_b, disc->at[i], name_rim + i);
  }
}

static void two_discs(shape_search* s, const shape_parting* x, const front* on, const front* other,
                      bool on_b)
{
  double d[3], at[3];
  for (int i = 0; i < around; i++) {
    if (is_above_disc(on, other->at[i], at_rim))
      add_across(s, x, on, on_b, other->at[i], name_rim + i);
    if (is_above_disc(other, on->at[i], 1 - same_edge))
      add_below(s, x, other, on_b, on->at[i], name_rim + around + i);
  }
  vec_sub(other->middle, on->middle, d);
  const double p = vec_dot(d, on->u), q = vec_dot(d, on->v), l = hypot(p, q);
  const double r = on->f->radius, R = other->f->radius;
  const double reach = l > 0 ? (l * l + r * r - R * R) / (2 * l) : INFINITY;
  if (!(fabs(reach) < r)) return;
  for (int k = 0; k < 2; k++) {
    rim_point(on, atan2(q, p) + (k ? 1 : -1) * acos(reach / r), at);
    add_below(s, x, other, on_b, at, name_cross + k);
  }
}

// of a line what is above the corners of a side
static void line_and_side(shape_search* s, const shape_parting* x, const front* side,
                          const front* line, bool on_b)
{
  double low = 0, high = 1, way[3], at[3], m[3] = {0};
  for (int i = 0; i < side->n; i++) vec_along(m, 1.0 / side->n, side->at[i], m);
  vec_sub(line->at[line->n - 1], line->at[0], way);
  for (int i = 0; i < side->n; i++) {
    double edge[3], out[3], r[3];
    vec_sub(side->at[(i + 1) % side->n], side->at[i], edge);
    vec_cross(edge, x->n, out);
    vec_sub(m, side->at[i], r);
    const double inside = vec_dot(out, r) > 0 ? -1 : 1;
    vec_sub(line->at[0], side->at[i], r);
    // inside where c + share*by <= 0
    const double c = inside * vec_dot(out, r), by = inside * vec_dot(out, way);
    if (by > 0) high = fmin(high, -c / by);
    if (by < 0) low = fmax(low, -c / by);
    if (by == 0 && c > 0) return;
  }
  for (int k = 0; k < line->n && low <= high; k++) {
    vec_along(line->at[0], k ? high : low, way, at);
    add_across(s, x, side, on_b, at, name_end + k);
  }
}

static void on_flat(shape_search* s, const shape_parting* x)
{
  const bool on_b = x->of == SHAPE_PARTED_BY_B;
  const double away[3] = {-x->n[0], -x->n[1], -x->n[2]};
  front a, b;
  find_front(&a, s->a, s->A, away, true);
  find_front(&b, s->b, s->B, x->n, true);
  const front *on = on_b ? &b : &a, *other = on_b ? &a : &b;
  if (on->disc && other->disc)
    two_discs(s, x, on, other, on_b);
  else if (on->disc || other->disc)
    disc_and_corners(s, x, on, other, on_b);
  else
    line_and_side(s, x, on, other, on_b);
}

// ---- lines and points ---------------------------------------------------------------------------

// is one of the points found as near as the bodies are?
static bool has_nearest(const shape_search* s, const shape_parting* x)
{
  const double least = x->apart + shape_edge_handicap * (s->a->reach + s->b->reach);
  double n[3], at[3];
  for (int i = 0; i < s->count; i++)
    if (shape_look(&s->out[i], s->a, s->A, s->b, s->B, n, at) <= least) return true;
  return false;
}

// how a point of the lines, or ends, of both goes on
typedef struct pairing
{
  const front *a, *b;
  shape_normal normal;
  double sign;
} pairing;

// one of A and one of B, world axes, of fronts that may lie on axes
static void add_pair(shape_search* s, const shape_parting* x, const pairing* c, const double a[3],
                     const double b[3], int name)
{
  shape_touch t = {.feature = SHAPE_FEATURE_CYLINDER + (unsigned)name,
                   .normal = c->normal,
                   .sign = c->sign,
                   .round_a = c->a->round,
                   .round_b = c->b->round};
  double way[3];
  shape_pose_back(s->A, a, t.a);
  shape_pose_back(s->B, b, t.b);
  vec_copy(x->n, way);
  if (c->normal == SHAPE_OF_EDGES) vec_sub(c->a->at[1], c->a->at[0], way);
  shape_pose_turn_back(s->A, way, t.along_a);
  if (c->normal == SHAPE_OF_EDGES) vec_sub(c->b->at[1], c->b->at[0], way);
  shape_pose_turn_back(s->B, way, t.along_b);
  shape_search_add(s, &t);
}

// two lines beside each other: at the ends of the stretch they share
static void beside(shape_search* s, const shape_parting* x, const pairing* c)
{
  for (int i = 0; i < 4; i++) {
    const bool of_a = i < 2;
    const front* other = of_a ? c->b : c->a;
    const double* end = of_a ? c->a->at[i] : c->b->at[i - 2];
    double line[2][3], way[3], at[3], share;
    for (int k = 0; k < 2; k++) vec_copy(other->at[k], line[k]);
    if (!shape_is_beside(end, line, of_a, &share)) continue;
    vec_sub(line[1], line[0], way);
    vec_along(line[0], share, way, at);
    add_pair(s, x, c, of_a ? end : at, of_a ? at : end, name_end + i);
  }
}

// A line that leans meets the other body with its lower end, the first, alone; one along a cylinder
// then at its rim.
static void shorten(const shape_search* s, const shape_parting* x, front* f)
{
  double way[3];
  if (f->n < 2) return;
  vec_sub(f->at[1], f->at[0], way);
  if (fabs(vec_dot(way, x->n)) <= shape_edge_handicap * (s->a->reach + s->b->reach)) return;
  f->n = 1;
  if (!(f->round > 0)) return;
  f->round = 0;
  vec_along(f->at[0], f->f->radius, f->u, f->at[0]);
}

static void between(shape_search* s, const shape_parting* x)
{
  const double away[3] = {-x->n[0], -x->n[1], -x->n[2]};
  front a, b;
  find_front(&a, s->a, s->A, away, false);
  find_front(&b, s->b, s->B, x->n, false);
  double u[3] = {0}, v[3] = {0}, across[3], share[2], p[2][3], q[2][3];
  if (a.n == 2) vec_sub(a.at[1], a.at[0], u);
  if (b.n == 2) vec_sub(b.at[1], b.at[0], v);
  vec_cross(u, v, across);
  const double sine = vec_length(across), size = vec_length(u) * vec_length(v);
  pairing c = {&a, &b, .normal = SHAPE_OF_POINTS};
  if (size > 0 && sine < shape_nearly_parallel * size && a.round + b.round > 0) beside(s, x, &c);
  if (has_nearest(s, x)) return;
  shorten(s, x, &a);
  shorten(s, x, &b);
  for (int i = 0; i < 2; i++) {
    vec_copy(a.at[i < a.n ? i : 0], p[i]);
    vec_copy(b.at[i < b.n ? i : 0], q[i]);
  }
  shape_segments(p, q, &share[0], &share[1]);
  vec_sub(p[1], p[0], u);
  vec_sub(q[1], q[0], v);
  // across two lines, away from what is round, or as it is
  c.normal = a.n == 2 && b.n == 2    ? SHAPE_OF_EDGES
             : a.round + b.round > 0 ? SHAPE_OF_POINTS
                                     : SHAPE_OF_B;
  vec_cross(u, v, across);
  c.sign = vec_dot(across, x->n) < 0 ? -1 : 1;
  vec_along(p[0], share[0], u, p[0]);
  vec_along(q[0], share[1], v, q[0]);
  add_pair(s, x, &c, p[0], q[0], name_meet);
}

void shape_search_cylinder(shape_search* s)
{
  const shape_parting x = shape_part(s);
  if (x.apart > s->within) return;
  if (x.of != SHAPE_PARTED_BETWEEN) on_flat(s, &x);
  // what is nearest may be beside the flat part, as long as they are apart
  if (!has_nearest(s, &x)) between(s, &x);
}
