// One point of contact at any place of both bodies.
#include "shape/shape.h"
#include "shape/small.h"
#include "shape/vec.h"

// the unit normal into A, given the points x of A and y of B
static void find_normal(const shape_touch* t, const shape_pose* A, const shape_pose* B,
                        const double x[3], const double y[3], double n[3])
{
  double u[3], v[3];
  switch (t->normal) {
  case SHAPE_OF_A:
    shape_pose_turn(A, t->along_a, n);
    return;
  case SHAPE_OF_B:
    shape_pose_turn(B, t->along_b, n);
    return;
  case SHAPE_OF_EDGES:
    shape_pose_turn(A, t->along_a, u);
    shape_pose_turn(B, t->along_b, v);
    vec_cross(u, v, n);
    for (int k = 0; k < 3; k++) n[k] *= t->sign;
    vec_unit(n);
    return;
  case SHAPE_OF_POINTS:
    break;
  }
  vec_sub(x, y, n);
  if (vec_unit(n) > shape_coincide * (vec_length(t->a) + vec_length(t->b))) return;
  // they have come to coincide: the way from one origin to the other
  vec_sub(A->p, B->p, n);
  if (vec_unit(n) > 0) return;
  n[0] = n[1] = 0;
  n[2] = 1;
}

// the point of a circle about the axis of a cylinder that is farthest along n, or against it
static void roll(const shape_pose* F, const double own[3], const double n[3], double sign,
                 double world[3])
{
  double d[3];
  shape_pose_turn_back(F, n, d);
  const double l = hypot(d[0], d[1]), r = hypot(own[0], own[1]);
  if (!(l > 0)) return;
  const double there[3] = {sign * r * d[0] / l, sign * r * d[1] / l, own[2]};
  shape_pose_point(F, there, world);
}

double shape_look(const shape_touch* t, const shape_form* a, const shape_pose* A,
                  const shape_form* b, const shape_pose* B, double normal[3], double at[3])
{
  double x[3], y[3], d[3];
  // a cylinder has a radius, but its points are those of its surface, or of its axis
  const double ra = a->kind == SHAPE_HULL ? a->radius : t->round_a;
  const double rb = b->kind == SHAPE_HULL ? b->radius : t->round_b;
  shape_pose_point(A, t->a, x);
  shape_pose_point(B, t->b, y);
  find_normal(t, A, B, x, y, normal);
  if (t->rolls_a) roll(A, t->a, normal, -1, x);
  if (t->rolls_b) roll(B, t->b, normal, 1, y);
  vec_sub(x, y, d);
  const double gap = vec_dot(normal, d) - ra - rb;
  vec_along(x, -ra - gap / 2, normal, at);
  return gap;
}
