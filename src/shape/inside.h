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
  SHAPE_FEATURE_EDGES = 8 << 20,
  SHAPE_FEATURE_CYLINDER = 10 << 20
};

// take a point if it is near enough
void shape_search_add(shape_search* s, const shape_touch* t);
// B is the plane, or what the points of A are above
void shape_search_plane(shape_search* s);
// A has one or two points and a radius: B such, too; a hull; a cylinder and A a sphere, which may
// be inside
void shape_search_points(shape_search* s);
void shape_search_hull(shape_search* s);
void shape_search_in_cylinder(shape_search* s);
// B is a cylinder, A no plane
void shape_search_cylinder(shape_search* s);
// both are hulls with sides
void shape_search_sides(shape_search* s);

// where two segments come nearest: shares 0 .. 1 of both
void shape_segments(double p[2][3], double q[2][3], double* s, double* t);
// does the end of a segment lie beside the other, within its ends or, ends_too, at them; where
bool shape_is_beside(const double end[3], double other[2][3], bool ends_too, double* share);

// ---- the axis that parts a cylinder and another body most ---------------------------------------

// whose flat part it is the normal of
typedef enum shape_parting_of {
  SHAPE_PARTED_BETWEEN,
  SHAPE_PARTED_BY_A,
  SHAPE_PARTED_BY_B
} shape_parting_of;

typedef struct shape_parting
{
  double apart; // along it; negative: as deep do they overlap
  double n[3];  // world axes, from B to A
  shape_parting_of of;
} shape_parting;

shape_parting shape_part(const shape_search* s);
