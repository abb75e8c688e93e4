// shapes: what of a model may touch what. Part of the door of model.
#pragma once

#include "base/base.h"
#include "expr/expr.h"

typedef enum model_impact {
  MODEL_NEWTON,
  MODEL_POISSON,
  MODEL_MOREAU,
  MODEL_SEQUENTIAL, // one contact after the other, each by its restitution
  MODEL_ENERGETIC   // the same by the work of its normal impulse, followed through the impact
} model_impact;

// A shape of a body: the hull of points in its axes, rounded by a radius; or what is below its
// plane z = 0 (flat: its line y = 0); or a cylinder about z.
typedef enum model_solid_kind {
  MODEL_SOLID_HULL,
  MODEL_SOLID_PLANE,
  MODEL_SOLID_CYLINDER
} model_solid_kind;

typedef struct model_solid
{
  const char *name, *shape; // of the body; the word for the shape
  model_solid_kind kind;
  bool flat;           // in the plane across z of the body
  bool fixed;          // nothing moves it
  expr radius, length; // length: of a cylinder
  int points;
  expr (*point)[3];
  // `cored`: what the radius rounds is a box about the origin along the axes, with these half
  // edges; a point and a segment are such boxes, too
  bool cored;
  expr half[3];
  // `askew`: in the plane, about this point and with its x axis along that unit vector
  bool askew;
  expr middle[2], along[2];
  // origin and axes (world = R own, row-major), velocity and angular velocity, in world axes
  expr p[3], R[9], v[3], w[3];
  base_place place;
} model_solid;

// Results of a contact that only the steps of a run know: of contacts that are looked for, and what
// any contact has lost.
typedef enum model_result {
  MODEL_RESULT_GAP,
  MODEL_RESULT_REACTION,
  MODEL_RESULT_FRICTION,
  MODEL_RESULT_SLIP,
  MODEL_RESULT_STATE, // 0 open, 1 sticks, 2 slips
  MODEL_RESULT_LOSS,
  MODEL_RESULTS
} model_result;

typedef struct model_tell
{
  expr symbol;
  model_result which;
  int meeting; // of contacts that are looked for; -1: of these points, constraints of the model
  int points;
  const int* point;
  expr power; // that friction takes there; EXPR_NONE: steps alone know it
  base_place place;
} model_tell;

// Corners of one flat solid above the sides of another, each an inequality that is off until they
// face each other: row[i * sides + j] of corner i above side j. Two of them behind each other are a
// pair, each shape above the other.
typedef struct model_facing
{
  int a, b; // solids
  int meeting;
  int* row;
  expr gap; // of a circle, from all of the other; else EXPR_NONE
} model_facing;

// Places in which features of two solids in space stand while they may touch, each an inequality
// that is off as long as none does: first those across two directions, then those around them
// (meeting_footing.c). What a feature is made of are params that change, its values behind each
// other: a, b, u, v, whose u and v are.
enum { MODEL_FOOTING_VALUES = 14 };
typedef struct model_footing
{
  int a, b; // solids
  int meeting;
  int still; // axis of the world along which nothing of both moves; -1: none
  int across, around;
  int* row;
  expr* value;
  int param; // the first of them
} model_footing;

// Contacts between shapes, of one statement: all pairs of its solids that are not both fixed. Where
// they are few and smooth each point of contact is a constraint of the model; else (`looked_for`)
// the near ones are looked for as the motion goes.
typedef struct model_meeting
{
  const char* name;
  int solids;
  int* solid;
  bool looked_for;
  const char* why; // that is so; else null
  int points;      // numbers of the constraints, and which pair each belongs to
  int *point, *pair;
  expr friction, restitution; // EXPR_NONE where there is none
  expr rolling, pivoting;     // lengths, bounds of moments over the normal force; EXPR_NONE
  model_impact impact;
  base_place place;
} model_meeting;
// stands for the slip of each point in the friction of those that are looked for
expr model_own_slip(expr_pool* p, base_arena* arena, const char* name);
