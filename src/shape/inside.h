// Parts of the search for the points of a pair. Private to shape.
#pragma once

#include "shape/shape.h"

typedef struct shape_search
{
  const shape_form *a, *b;
  const shape_pose *A, *B;
  double within;
  int count;
  shape_touch* out;
} shape_search;

// kinds of features, in the upper bits: below them numbers of sides, edges and corners
enum {
  SHAPE_FEATURE_PLANE = 0 << 20,
  SHAPE_FEATURE_POINTS = 1 << 20,
  SHAPE_FEATURE_SIDE_A = 4 << 20,
  SHAPE_FEATURE_SIDE_B = 6 << 20,
  SHAPE_FEATURE_EDGES = 8 << 20
};

// take a point if it is near enough
void shape_search_add(shape_search* s, const shape_touch* t);
// B is the plane, or what the points of A are above
void shape_search_plane(shape_search* s);
// A has one or two points and a radius: B such, too; a hull; a cylinder and A a sphere
void shape_search_points(shape_search* s);
void shape_search_hull(shape_search* s);
void shape_search_cylinder(shape_search* s);
// both are hulls with sides
void shape_search_sides(shape_search* s);

// where two segments come nearest: shares 0 .. 1 of both
void shape_segments(double p[2][3], double q[2][3], double* s, double* t);
