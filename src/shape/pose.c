// Places of shapes: from own axes to those of the world and back, and the box around one.
#include "shape/shape.h"
#include "shape/vec.h"

void shape_pose_turn(const shape_pose* x, const double own[3], double world[3])
{
  for (int k = 0; k < 3; k++) world[k] = vec_dot(x->R + 3 * k, own);
}

void shape_pose_point(const shape_pose* x, const double own[3], double world[3])
{
  shape_pose_turn(x, own, world);
  vec_along(world, 1, x->p, world);
}

void shape_pose_turn_back(const shape_pose* x, const double world[3], double own[3])
{
  for (int k = 0; k < 3; k++)
    own[k] = x->R[k] * world[0] + x->R[3 + k] * world[1] + x->R[6 + k] * world[2];
}

void shape_pose_back(const shape_pose* x, const double world[3], double own[3])
{
  double d[3];
  vec_sub(world, x->p, d);
  shape_pose_turn_back(x, d, own);
}

// along the axis k of the world a cylinder reaches r sqrt(1 - a_k^2) + l/2 |a_k|, a its own axis
static double reach_of_cylinder(const shape_form* f, const shape_pose* x, int k)
{
  const double a = x->R[3 * k + 2];
  return f->radius * sqrt(fmax(0, 1 - a * a)) + f->length / 2 * fabs(a);
}

void shape_box(const shape_form* f, const shape_pose* x, double margin, double low[3],
               double high[3])
{
  for (int k = 0; k < 3; k++) {
    const double side = f->kind == SHAPE_CYLINDER ? reach_of_cylinder(f, x, k)
                        : f->kind == SHAPE_PLANE  ? INFINITY
                                                  : 0;
    low[k] = f->points ? INFINITY : x->p[k] - side - margin;
    high[k] = f->points ? -INFINITY : x->p[k] + side + margin;
  }
  for (int i = 0; i < f->points; i++) {
    double at[3];
    shape_pose_point(x, f->point[i], at);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], at[k] - f->radius - margin);
      high[k] = fmax(high[k], at[k] + f->radius + margin);
    }
  }
}
