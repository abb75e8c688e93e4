// shape: two shapes and where they are -> the points at which they may touch.
// Takes forms (convex bodies, rounded by a radius; half-spaces; cylinders) and poses; gives near
// pairs, and for a pair its points with gap and normal.
// Knows geometry alone: no masses, no time, no coordinates of a model.
#pragma once

#include "base/base.h"

// ---- forms --------------------------------------------------------------------------------------

typedef enum shape_kind {
  SHAPE_HULL,    // the hull of points, rounded by a radius where these are one or two
  SHAPE_PLANE,   // all below z = 0; flat: below y = 0
  SHAPE_CYLINDER // about z, as long below z = 0 as above
} shape_kind;

// a side of a hull: n . x = d, its corners around it; of a flat one a line with two ends
typedef struct shape_face
{
  double n[3], d;
  int from, count; // in `loop`
} shape_face;

typedef struct shape_form
{
  shape_kind kind;
  bool flat; // in the plane z = 0 of its axes
  double radius, length;
  int points;
  double (*point)[3];
  int faces, edges, ways;
  shape_face* face;
  int* loop;
  int (*edge)[2];
  double (*way)[3]; // directions of edges, each once
  double middle[3]; // of the points
  double reach;     // of the farthest point from the origin; infinite for a plane
} shape_form;

// corners at most of one hull
enum { SHAPE_MOST_POINTS = 256 };

// Points of a flat one go around it against the clock; of others, those that are no corner are let
// go. Null where they make no body: fewer than four apart, all in a plane, or too many corners.
// Lives in the arena.
shape_form* shape_form_new(base_arena* arena, shape_kind kind, bool flat, double radius,
                           double length, int points, const double (*point)[3]);

// ---- places -------------------------------------------------------------------------------------

// world = p + R own, R row-major
typedef struct shape_pose
{
  double p[3], R[9];
} shape_pose;

void shape_pose_point(const shape_pose* x, const double own[3], double world[3]);
void shape_pose_turn(const shape_pose* x, const double own[3], double world[3]); // a direction
void shape_pose_back(const shape_pose* x, const double world[3], double own[3]);
void shape_pose_turn_back(const shape_pose* x, const double world[3], double own[3]);

// the box around a form, `margin` wider
void shape_box(const shape_form* f, const shape_pose* x, double margin, double low[3],
               double high[3]);

// ---- near pairs ---------------------------------------------------------------------------------

// n boxes, six numbers each (low, high): the pairs i < j that overlap, in the order of i, then j
typedef struct shape_pair
{
  int i, j;
} shape_pair;
typedef BASE_LIST(shape_pair) shape_pairs;
typedef struct shape_sweep shape_sweep;
shape_sweep* shape_sweep_new(int boxes);
void shape_sweep_free(shape_sweep* s);
void shape_sweep_find(shape_sweep* s, int n, const double* box, shape_pairs* out);

// ---- touching -----------------------------------------------------------------------------------

// how the normal goes on while both move: with a side of one of them, along the line of both
// points, or across an edge of each
typedef enum shape_normal { SHAPE_OF_A, SHAPE_OF_B, SHAPE_OF_POINTS, SHAPE_OF_EDGES } shape_normal;

// a point of A and one of B, own axes, and what the normal is made of
typedef struct shape_touch
{
  unsigned feature; // below 2^24: the same as long as it is the same place of both
  shape_normal normal;
  double a[3], b[3];
  double along_a[3], along_b[3]; // own axes: the normal into A; directions of edges
  double sign;                   // of the normal across edges
  double round_a, round_b;       // of a cylinder: how far its surface is from its point
  bool rolls_a, rolls_b;         // of a cylinder: of the circle through its point about its axis
                                 // the point that reaches farthest along the normal
} shape_touch;

enum { SHAPE_MOST_TOUCHES = 64 };

// are their points found at all?
bool shape_meets(const shape_form* a, const shape_form* b);
// the points of A and B whose gap is at most `within`, room for SHAPE_MOST_TOUCHES; how many
int shape_meet(const shape_form* a, const shape_pose* A, const shape_form* b, const shape_pose* B,
               double within, shape_touch* out);
// the same point at another place: gap, unit normal from B to A, and the point between both
// surfaces, world axes
double shape_look(const shape_touch* t, const shape_form* a, const shape_pose* A,
                  const shape_form* b, const shape_pose* B, double normal[3], double at[3]);

// ---- features -----------------------------------------------------------------------------------

// What of A and what of B may touch next, made of numbers that stay the same while both move: a
// point of each and two directions, own axes, which belong to A or to B.
//   across: the unit normal into A is n = u x v/|u x v|, the gap n . (x - y) less the radii: a
//           corner above a side, two edges
//   around: it is what of x - y lies across u and v, which are units at right angles, or zero: a
//           point beside a point, a line, a plane
typedef struct shape_feature
{
  double a[3], b[3], u[3], v[3];
  double of[2]; // u, v: 1 of A, 0 of B
  bool around;
} shape_feature;

// its numbers, behind each other
enum { SHAPE_FEATURE_NUMBERS = 14 };
void shape_feature_tell(const shape_feature* f, double number[SHAPE_FEATURE_NUMBERS]);
bool shape_feature_is(const shape_feature* f, const double* number);

enum { SHAPE_MOST_FEATURES = 2 * SHAPE_MOST_POINTS + 8 };
// Those of a hull, a capsule, a sphere or a plane and another, none where they are farther apart
// than `near`; how many. *apart: how far they are apart at least, negative where they overlap.
int shape_features(const shape_form* a, const shape_pose* A, const shape_form* b,
                   const shape_pose* B, double near, double* apart, shape_feature* out);
// where it touches, or will, world axes, and the unit normal into A; returns the gap
double shape_feature_look(const shape_feature* f, const shape_form* a, const shape_pose* A,
                          const shape_form* b, const shape_pose* B, double normal[3], double at[3]);
