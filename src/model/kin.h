// Kinematics: axes turned by successive rotations, and places as sums of vectors in various axes.
#pragma once

#include "base/base.h"
#include "expr/expr.h"

// Axes A: the axes `prev` turned by `angle` about their axis k, or (k = MODEL_BY_QUATERNION) by a
// unit quaternion, whose first part is then `angle`. Null stands for the world's axes.
// Turning twice about the same axis adds the angles, so planar chains hold sines of sums.
enum { MODEL_BY_QUATERNION = 3 };

typedef struct model_axes model_axes;
struct model_axes
{
  const model_axes* prev;
  int k; // 0 x, 1 y, 2 z
  expr angle;
  expr quaternion[4], turn[9]; // and its matrix: prev = turn * own
  int depth;
  const model_axes* before; // those it was turned on from about the same axis, by `step`; or null
  expr step;
  int steps;
  expr R[9];     // world = R * own, row-major
  expr w[3];     // angular velocity in its own axes
  expr omega[3]; // the same in world axes
  model_axes *children, *next;
};

// A place: the sum over the list of R_i r_i, ending at the world's origin (null). Its velocity is
// the sum of R_i u_i with u_i = r_i' + w_i x r_i.
typedef struct model_place model_place;
struct model_place
{
  const model_place* prev;
  const model_axes* axes;
  expr r[3];
  expr u[3];
  int depth;
  // in the same axes as another: that one, and what was added to it; else null
  const model_place* before;
  expr more[3];
  int mark; // for the use of one walk at a time: 0 between them
  // absolute velocity and acceleration in its axes, once carried here from the places before
  expr v[3], rate[3];
  bool carried;
};

typedef struct model_kin
{
  base_arena* arena;
  expr_pool* pool;
  model_axes* children; // of the world
} model_kin;

// vectors
void model_vec_zero(expr_pool* p, expr out[3]);
void model_vec_add(expr_pool* p, const expr a[3], const expr b[3], expr out[3]);
void model_vec_sub(expr_pool* p, const expr a[3], const expr b[3], expr out[3]);
void model_vec_scale(expr_pool* p, expr s, const expr a[3], expr out[3]);
void model_vec_cross(expr_pool* p, const expr a[3], const expr b[3], expr out[3]);
expr model_vec_dot(expr_pool* p, const expr a[3], const expr b[3]);
void model_vec_total(expr_pool* p, const expr a[3], expr out[3]);
bool model_vec_is_zero(expr_pool* p, const expr a[3]);

// axes
const model_axes* model_axes_turn(model_kin* kin, const model_axes* from, int k, expr angle);
// the same axes turned by the rotation of a unit quaternion (w, x, y, z)
const model_axes* model_axes_orient(model_kin* kin, const model_axes* from,
                                    const expr quaternion[4]);
// the quaternion of all turns from the world's axes
void model_axes_quaternion(const model_kin* kin, const model_axes* a, expr out[4]);
void model_quaternion_product(expr_pool* p, const expr a[4], const expr b[4], expr out[4]);
void model_quaternion_conjugate(expr_pool* p, const expr a[4], expr out[4]);
void model_axes_rotation(const model_kin* kin, const model_axes* a, expr R[9]);
void model_axes_spin(const model_kin* kin, const model_axes* a, expr w[3]); // own axes
// the vector v of axes `from`, in axes `to`
void model_axes_change(const model_kin* kin, const model_axes* from, const model_axes* to,
                       const expr v[3], expr out[3]);
// From axes to others near them: from = turn * to, the angular velocity of `to` against `from` in
// its own axes, and the turns between them, of which those about one axis are one; -1 where the way
// is long.
int model_axes_between(const model_kin* kin, const model_axes* from, const model_axes* to,
                       expr turn[9], expr spin[3]);
// angular velocity and acceleration of a, resolved in axes `to`
void model_axes_omega(const model_kin* kin, const model_axes* a, const model_axes* to, expr out[3]);
void model_axes_alpha(const model_kin* kin, const model_axes* a, const model_axes* to, expr out[3]);

// places
const model_place* model_place_add(model_kin* kin, const model_place* at, const model_axes* axes,
                                   const expr r[3]);
int model_place_depth(const model_place* p);
// velocity term of a vector r fixed to, or moving in, the axes: r' + w x r, in those axes
void model_place_term(const model_kin* kin, const model_axes* axes, const expr r[3], expr out[3]);
// from one place to another, in axes `to`
void model_place_between(const model_kin* kin, const model_place* from, const model_place* p,
                         const model_axes* to, expr out[3]);
void model_place_velocity(const model_kin* kin, const model_place* p, const model_axes* to,
                          expr out[3]);
void model_place_acceleration(const model_kin* kin, const model_place* p, const model_axes* to,
                              expr out[3]);
// its absolute velocity and acceleration in its axes, carried here from the places before it
void model_place_reach(const model_kin* kin, model_place* p);
// |velocity|^2 at p less |velocity|^2 at p->prev
expr model_place_increment(const model_kin* kin, const model_place* p);
// velocity of p times the vector u of the axes
expr model_place_dot(const model_kin* kin, const model_place* p, const model_axes* axes,
                     const expr u[3]);
