// The axis along which a cylinder and another convex body are parted most, or overlap least.
//
// With h the support functions (the farthest that a body reaches along a direction), bodies A and B
// are apart along the unit vector n by
//   s(n) = n . (p_A - p_B) - h_A(-n) - h_B(n),
// and their distance is the largest of these. Its largest value lies
//   at the normal of a flat part of one of them (a side of a hull, an end of a cylinder),
//   across a straight line of each (edges of hulls, lines along cylinders),
//   across a straight line of one of them, on the circle of such n, or
//   between two rims, or a rim and an end of a capsule, where s is smooth.
#include "shape/inside.h"
#include "shape/small.h"
#include "shape/vec.h"

enum { samples = 24, narrowings = 60, compass_turns = 200 };

static double support(const shape_form* f, const shape_pose* F, const double d[3], double sign)
{
  double own[3], most = -INFINITY;
  shape_pose_turn_back(F, d, own);
  if (f->kind == SHAPE_CYLINDER)
    return f->length / 2 * fabs(own[2]) + f->radius * hypot(own[0], own[1]);
  for (int i = 0; i < f->points; i++) most = fmax(most, sign * vec_dot(own, f->point[i]));
  return most + f->radius;
}

static double apart(const shape_search* s, const double n[3])
{
  double d[3];
  vec_sub(s->A->p, s->B->p, d);
  return vec_dot(n, d) - support(s->a, s->A, n, -1) - support(s->b, s->B, n, 1);
}

// taken if it parts them more than what was found before, by so much
static void try_axis(const shape_search* s, const double n[3], shape_parting_of of, double more,
                     shape_parting* best)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    const double turned[3] = {sign * n[0], sign * n[1], sign * n[2]};
    const double by = apart(s, turned);
    if (!(by > best->apart + more)) continue;
    *best = (shape_parting){.apart = by, .of = of};
    vec_copy(turned, best->n);
  }
}

static void try_flats(const shape_search* s, bool of_b, shape_parting* best)
{
  const shape_form* f = of_b ? s->b : s->a;
  const shape_pose* F = of_b ? s->B : s->A;
  const shape_parting_of of = of_b ? SHAPE_PARTED_BY_B : SHAPE_PARTED_BY_A;
  // of two that are as good, always the same one
  const double more = of_b ? 0 : shape_edge_handicap * (s->a->reach + s->b->reach);
  const double z[3] = {0, 0, 1};
  double n[3];
  if (f->kind == SHAPE_CYLINDER) {
    shape_pose_turn(F, z, n);
    try_axis(s, n, of, more, best);
  }
  for (int i = 0; i < f->faces; i++) {
    shape_pose_turn(F, f->face[i].n, n);
    // the side of it that looks at the other body
    for (int k = 0; k < 3 && !of_b; k++) n[k] = -n[k];
    const double by = apart(s, n);
    if (!(by > best->apart + more)) continue;
    *best = (shape_parting){.apart = by, .of = of};
    vec_copy(n, best->n);
  }
}

// directions of the straight lines of a body: how many, world axes
static int lines_of(const shape_form* f, const shape_pose* F, int i, double way[3])
{
  double own[3] = {0, 0, 1};
  const bool capsule = f->kind == SHAPE_HULL && f->radius > 0;
  const int count = f->kind == SHAPE_CYLINDER ? 1 : capsule ? f->points - 1 : f->ways;
  if (i >= count) return count;
  if (capsule) {
    vec_sub(f->point[1], f->point[0], own);
    vec_unit(own);
  } else if (f->kind == SHAPE_HULL) {
    vec_copy(f->way[i], own);
  }
  shape_pose_turn(F, own, way);
  return count;
}

static double on_circle(const shape_search* s, const double u[3], const double v[3], double angle,
                        double n[3])
{
  for (int k = 0; k < 3; k++) n[k] = cos(angle) * u[k] + sin(angle) * v[k];
  return apart(s, n);
}

// of all n across `way` the best: around the best of some, by thirds of what is left
static void try_circle(const shape_search* s, const double way[3], shape_parting* best)
{
  double u[3] = {0}, v[3], n[3], most = -INFINITY, at = 0;
  const double more = shape_edge_handicap * (s->a->reach + s->b->reach);
  int k = fabs(way[0]) < fabs(way[1]) ? 0 : 1;
  if (fabs(way[2]) < fabs(way[k])) k = 2;
  u[k] = 1;
  vec_cross(way, u, v);
  vec_unit(v);
  vec_cross(v, way, u);
  for (int i = 0; i < samples; i++) {
    const double angle = 2 * M_PI * i / samples, by = on_circle(s, u, v, angle, n);
    if (by > most) most = by, at = angle;
  }
  double low = at - 2 * M_PI / samples, high = at + 2 * M_PI / samples;
  for (int i = 0; i < narrowings; i++) {
    const double third = (high - low) / 3;
    if (on_circle(s, u, v, low + third, n) < on_circle(s, u, v, high - third, n))
      low += third;
    else
      high -= third;
  }
  on_circle(s, u, v, (low + high) / 2, n);
  try_axis(s, n, SHAPE_PARTED_BETWEEN, more, best);
}

static void try_lines(const shape_search* s, shape_parting* best)
{
  double u[3], v[3], n[3];
  const double more = shape_edge_handicap * (s->a->reach + s->b->reach);
  const int of_a = lines_of(s->a, s->A, 0, u), of_b = lines_of(s->b, s->B, 0, v);
  for (int i = 0; i < of_a; i++)
    for (int j = 0; j < of_b; j++) {
      lines_of(s->a, s->A, i, u);
      lines_of(s->b, s->B, j, v);
      vec_cross(u, v, n);
      if (vec_unit(n) > shape_parallel) try_axis(s, n, SHAPE_PARTED_BETWEEN, more, best);
    }
  for (int i = 0; i < of_a; i++) {
    lines_of(s->a, s->A, i, u);
    try_circle(s, u, best);
  }
  for (int j = 0; j < of_b; j++) {
    lines_of(s->b, s->B, j, v);
    try_circle(s, v, best);
  }
}

// from an end of a capsule to the nearest point of the cylinder B
static void try_ends(const shape_search* s, shape_parting* best)
{
  const double r = s->b->radius, half = s->b->length / 2;
  const double more = shape_edge_handicap * (s->a->reach + s->b->reach);
  for (int i = 0; i < s->a->points && s->a->radius > 0; i++) {
    double world[3], p[3], q[3], n[3];
    shape_pose_point(s->A, s->a->point[i], world);
    shape_pose_back(s->B, world, p);
    const double rho = hypot(p[0], p[1]), share = rho > r ? r / rho : 1;
    q[0] = p[0] * (1 - share);
    q[1] = p[1] * (1 - share);
    q[2] = fabs(p[2]) > half ? p[2] - copysign(half, p[2]) : 0;
    if (!(vec_unit(q) > shape_coincide * s->b->reach)) continue;
    shape_pose_turn(s->B, q, n);
    try_axis(s, n, SHAPE_PARTED_BETWEEN, more, best);
  }
}

// s is smooth between two rims: uphill from the best n, by steps that are halved where none leads
// up
static void climb(const shape_search* s, shape_parting* best)
{
  const double more = shape_edge_handicap * (s->a->reach + s->b->reach);
  double at[3], by = best->apart, step = 0.2;
  vec_copy(best->n, at);
  for (int turn = 0; turn < compass_turns && step > shape_parallel; turn++) {
    bool up = false;
    // to all neighbours in a cube of n: ridges lead along none of the axes
    for (int k = 0; k < 27; k++) {
      double n[3] = {at[0] + step * (k % 3 - 1), at[1] + step * (k / 3 % 3 - 1),
                     at[2] + step * (k / 9 - 1)};
      vec_unit(n);
      const double there = apart(s, n);
      if (!(there > by)) continue;
      by = there;
      vec_copy(n, at);
      up = true;
    }
    if (!up) step /= 2;
  }
  try_axis(s, at, SHAPE_PARTED_BETWEEN, more, best);
}

shape_parting shape_part(const shape_search* s)
{
  shape_parting best = {.apart = -INFINITY};
  try_flats(s, true, &best);
  try_flats(s, false, &best);
  if (best.apart > s->within) return best;
  try_lines(s, &best);
  try_ends(s, &best);
  if (s->a->kind == SHAPE_CYLINDER) climb(s, &best);
  return best;
}
