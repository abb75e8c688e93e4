// surfaces: bodies that roll or slide on others. Part of the door of model.
#pragma once

#include "base/base.h"
#include "expr/expr.h"

// Rolling or sliding of a body on a base: where they touch, and what they do to each other.
enum { MODEL_CONTACT_COORDS = 5 }; // u, v on the body, ub, vb on the base, the angle between both

// the motion ends where g is no longer positive
typedef struct model_guard
{
  expr g;
  const char* reason;
  bool conforms; // there the surfaces have the same curvature in some direction; g has no unit
} model_guard;
enum { MODEL_GUARDS = 8 };

// where the surfaces would have to pull each other: they do, and it is told; the body goes; they do
typedef enum model_pull { MODEL_PULL_TELLS, MODEL_PULL_RELEASES, MODEL_PULL_HOLDS } model_pull;

// Dry friction at a contact against one kind of motion s: -mu N s/|s| while it moves; where it
// comes to rest, constraints s = 0 that are off at the start may hold it.
enum { MODEL_GRIPS = 3, MODEL_GRIP_ROWS = 3 }; // slip, rolling, pivoting
// over what friction against slip is spread: a point, or a small round patch on which it resists
// pivoting as well, by one law of both motions
typedef enum model_patch { MODEL_PATCH_NONE, MODEL_PATCH_HERTZ, MODEL_PATCH_UNIFORM } model_patch;
typedef struct model_grip
{
  expr mu;  // coefficient, a length where it makes a moment; EXPR_NONE: no such friction
  int rows; // 2, pivoting 1, slip of a patch 3: the last is its radius times the pivoting
  int stick[MODEL_GRIP_ROWS]; // numbers of the constraints
  expr stretch[2];            // as of model_constraint; EXPR_NONE: one coefficient
  model_patch patch;
  bool rational; // its law as Zhuravlev's quotients
} model_grip;

// All friction against one velocity of the body, its slip or its turning against the base, and the
// force or moment on the body; axes of the base.
typedef struct model_rub
{
  bool acts;
  expr against[3], law[3];
} model_rub;

// All points of a base that may be next to a body in flight, by the coordinates of its chart or of
// its normal, which the constraints `row` tie to the body: F is the less the nearer the point is.
typedef struct model_near
{
  int count; // of coordinates: 2 of a chart, 3 of a normal; 0: the point followed is the only one
  bool is_round;
  bool stays; // once the nearest, always
  expr coord[3];
  int row[3];
  expr F;
  expr middle[2], half[2]; // of the part of a chart to be looked at
} model_near;

// a named value, or an equation: left side and right side
typedef struct model_named
{
  const char* name;
  expr symbol, value;
} model_named;

typedef struct model_contact
{
  const char* name;
  const char* coord[MODEL_CONTACT_COORDS]; // "c.u" ...
  expr value[MODEL_CONTACT_COORDS], rate[MODEL_CONTACT_COORDS];
  bool given[MODEL_CONTACT_COORDS]; // is a coordinate of the model already
  expr speed[3];                    // sigma, tau, n: angular velocity on the axes of the contact
  bool quasi;                       // these are quasi-velocities of the model
  bool rolls;                       // else it slides
  expr force[3];                    // on the body in world axes; holds reaction symbols
  expr normal[3];                   // unit normal into the body, world axes
  model_pull pull;
  bool lands; // its gap is an inequality: it lets go and lands, and friction is decided with that
  model_near near;
  model_grip grip[MODEL_GRIPS];
  model_rub slip, turn;
  bool has_moment; // by friction against turning
  expr moment[3];  // then that on the body, world axes; holds reaction symbols
  expr power;      // of all friction here, the base being at rest against itself: never positive
  // For equations about the contact, world axes; why_not says where they do not suit: axes of the
  // contact, directions of its reactions, from the body's origin to it, its velocity in space,
  // angular momentum about it and momentum of all; coordinates of the body's place and attitude.
  const char* why_not;
  expr axis[3][3], along[3][3], rho[3], v[3], K[3], P[3];
  int carrier[7];
  // the same in the coordinates of the contact and sigma, tau, n, with gravity as the only force:
  // what its letters stand for, kinematic equations, moments, carried coordinates (by their names).
  // Filled by model_contact_write; none where the charts or the masses do not suit.
  int definitions, equations;
  model_named *definition, *equation;
  // the force of the contact on its axes by the same letters: its name, the rate of the momentum,
  // the weight of all
  model_named on_axes[3];
  expr weight[3];
  bool other_forces; // there are more than gravity and forces along carried coordinates
  int gap;           // number of the constraint that holds the surfaces together
  int guards;
  model_guard guard[MODEL_GUARDS];
  // Shape of the body at the contact and of the base, symmetric on its tangents (11, 12, 22), both
  // counted to the normal: curvatures; of a body known by its normal their inverse
  expr shape[2][3];
  bool has_shape, by_radii;
  base_place place;
} model_contact;
