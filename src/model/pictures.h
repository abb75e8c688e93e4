// What there is to see of a model: part of the door of the room.
#pragma once

#include "expr/expr.h"

typedef enum model_shape {
  MODEL_SHOW_BALL,
  MODEL_SHOW_BOX,
  MODEL_SHOW_ROD,
  MODEL_SHOW_TRACE
} model_shape;

// what a picture of the motion shows, in world axes
typedef struct model_show
{
  model_shape shape;
  const char* name;
  expr size[3];     // ball: radius; box: edges
  expr at[3];       // centre; rod: first end; trace: the point
  expr to[3];       // rod: second end
  expr rotation[9]; // box: its axes as columns, row-major
} model_show;

// Everything a picture of the motion can show, in world axes: what the model declares and what its
// `show` and `trace` add. Which fields are set is said beside each.
typedef enum model_part_kind {
  MODEL_PART_POINT,
  MODEL_PART_PARTICLE,
  MODEL_PART_BODY, // a rigid body of which the inertia alone is known
  MODEL_PART_ROD,
  MODEL_PART_PLATE,
  MODEL_PART_DISC,
  MODEL_PART_BALL,
  MODEL_PART_BOX,
  MODEL_PART_LINK,    // from a frame's origin to what it carries
  MODEL_PART_SURFACE, // bounds a body, or is the base of a contact
  MODEL_PART_FRAME,
  MODEL_PART_TRACE,
  MODEL_PART_CONTACT,
  MODEL_PART_FORCE,  // of a constraint, at the point that it holds
  MODEL_PART_STRING, // bounds a distance from above
  MODEL_PART_SPRING,
  MODEL_PART_DAMPER,
  MODEL_PART_GROUND, // a plane that bounds or guides a point
  MODEL_PART_ROUND,  // a ball that bounds a point from outside
  MODEL_PART_SPOKES, // of a wheel without a rim
  MODEL_PART_HINGE,  // where two things are joined and may turn
  MODEL_PART_BLADE,  // does not go aside
  MODEL_PART_CENTRE, // draws things to it
  MODEL_PART_CURVE,  // r[0] = 0 in the plane of u and v, which bounds or guides a point
  MODEL_PART_TUBE,   // round about an axis, bounds or guides a point
  MODEL_PART_WIRE    // r(u) in own axes, which guides a point at u = touch[0]
} model_part_kind;

// r(u, v) of a surface: which of u and v run around it
typedef enum model_chart {
  MODEL_CHART_PLANE,
  MODEL_CHART_ROUND, // u around, v from pole to pole
  MODEL_CHART_TUBE,  // u around, v along
  MODEL_CHART_TORUS, // both around
  MODEL_CHART_CONE,  // u around, v along from the apex
  MODEL_CHART_OPEN   // neither is known to
} model_chart;

typedef struct model_part
{
  model_part_kind kind;
  const char* name;
  const char* carrier; // the frame or body it belongs to, "" for the world
  bool shown;          // by a statement `show`
  expr at[3];          // centre, first end, first corner, origin
  // rod, link, string, spring, damper: second end; plate: two further corners; force: the force;
  // ground, round, curve, tube: the point that may touch it; spokes: the foot that stands; blade: a
  // step along it
  expr to[3], third[3];
  bool turns; // has axes: world = rotation * own, row-major
  expr rotation[9];
  // ball, disc, round, tube: radius; box: edges; rod, string: length of the string, else 0; spring:
  // its natural length; spokes: length, angle between them
  expr size[3];
  expr normal[3]; // disc: own axes; world axes: ground: away from it; hinge: axis or 0; slide: its
                  // way; tube: its axis, through `at`, which is abreast of the point, -1 where
                  // the point is outside
  // link: a distance that a constraint holds; disc: rolls; ground: rubs; spring: fastened to a
  // place
  bool held;
  bool fixed;            // hinge, slide: on the world; spring, damper: to a wall across `normal`
  bool both;             // ground, curve, tube: holds on both sides
  expr mass, inertia[6]; // body: xx yy zz xy xz yz, own axes, about `at`
  expr force[3];         // contact: on the body
  // force: constraint `holds` is f; reaction, df by the highest derivatives of the coordinates, and
  // d(at)/dq row by row. Where gradient = jacobian^T n it is the force reaction * n at that point.
  int holds;
  expr reaction, *gradient, *jacobian;
  // surface: own axes; its points of contact lie at u, v = touch
  model_chart chart;
  bool is_base, inside;
  expr u, v, r[3], touch[2];
} model_part;

typedef struct model_scene
{
  int parts;
  model_part* part;
  bool heavy; // some `gravity`
  expr gravity[3];
} model_scene;
