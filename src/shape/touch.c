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

double shape_look(const shape_touch* t, const shape_form* a, const shape_pose* A,
                  const shape_form* b, const shape_pose* B, double normal[3], double at[3])
{
  double x[3], y[3], d[3];
  // a cylinder has a radius, but its points are those of its surface
  const double ra = a->kind == SHAPE_HULL ? a->radius : 0;
  const double rb = b->kind == SHAPE_HULL ? b->radius : 0;
  shape_pose_point(A, t->a, x);
  shape_pose_point(B, t->b, y);
  find_normal(t, A, B, x, y, normal);
  vec_sub(x, y, d);
  const double gap = vec_dot(normal, d) - ra - rb;
  vec_along(x, -ra - gap / 2, normal, at);
  return gap;
}
