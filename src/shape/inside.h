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

// sides.c: how far g is above a side of f, at least; the side with the most
double shape_part_by_sides(const shape_form* f, const shape_pose* F, const shape_form* g,
                           const shape_pose* G, int* side);
// the same along the axis across an edge of each that parts them most
typedef struct shape_crossing
{
  double apart;
  double n[3]; // world, into A
  int way[2];
} shape_crossing;
shape_crossing shape_part_by_edges(const shape_search* s);
// the edge of that direction that is the lowest along n, own axes
int shape_lowest_edge(const shape_form* f, int way, const double n[3]);

// round.c: the point of a hull nearest to p, own axes; from inside, to the nearest side
typedef struct shape_nearest
{
  double distance; // negative inside
  double at[3];
  int face;    // the side it lies in, or -1
  int edge[2]; // else the ends of an edge, the same twice: a corner
  unsigned feature;
} shape_nearest;
shape_nearest shape_nearest_of(const shape_form* f, const double p[3]);

// ---- features -----------------------------------------------------------------------------------

typedef struct shape_features_search
{
  const shape_form *a, *b;
  const shape_pose *A, *B;
  double near;
  double apart; // found so far
  int count;
  shape_feature* out;
} shape_features_search;

// feature.c: take one, if it is not there yet
void shape_feature_add(shape_features_search* s, const shape_feature* f);
// directions in a side: u along its first edge, v across it, u x v out of it
void shape_feature_side(const shape_form* f, int side, double u[3], double v[3]);
// an edge of A from i to j and one of B, their normal on the side of n, world axes
void shape_feature_edges(shape_features_search* s, const double a[2][3], const double b[2][3],
                         const double n[3]);
// feature_round.c: A is a sphere or a capsule, B a hull; both are capsules
void shape_features_round(shape_features_search* s);
void shape_features_capsules(shape_features_search* s);

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
