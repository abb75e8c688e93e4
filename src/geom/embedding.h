// Private to geom: the kinds of maps an embedding is made of, and who finds them.
#pragma once

#include "geom/isometry.h"
#include "geom/symmetry.h"

typedef enum geom_map_kind {
  GEOM_FORMULA,
  GEOM_REVOLUTION,
  GEOM_PATCH,
  GEOM_SPLIT,
  GEOM_PRODUCT
} geom_map_kind;

// x = (m U cos(psi/m), m U sin(psi/m), z) with psi = q_j + P(u), u = q_i - c_i q_j; on a plane,
// where U is constant, x = (U psi, z)
typedef struct geom_revolution
{
  bool plane;
  int i, j;
  double c, m;
  geom_patch profile; // U, P, z of u
} geom_revolution;

// straight lines beside a map of the coordinates that are left
typedef struct geom_split
{
  int lines;
  expr* formula; // x (lines), dx (lines by n), ddx (lines by n by n)
  int* index;    // of the coordinates left among all
  geom_embedding* rest;
} geom_split;

// maps of coordinates that know nothing of each other, side by side
typedef struct geom_factor
{
  int* index; // of its coordinates among all
  geom_embedding* map;
} geom_factor;

typedef struct geom_product
{
  int count;
  geom_factor* factor;
} geom_product;

struct geom_map
{
  geom_map_kind kind;
  expr* formula; // x (N), dx (N by n), ddx (N by n by n)
  geom_revolution revolution;
  geom_patch patch;
  geom_split split;
  geom_product product;
};

// say something about the search, in whole words
void geom_embedding_note(geom_embedding* e, const char* format, ...) BASE_PRINTF(2, 3);
// take over a map of N dimensions and measure its metric; false where it has no value on the box
bool geom_embedding_formula(geom_embedding* e, int N, const expr* x, const char* how);
bool geom_embedding_patch(geom_embedding* e, const geom_patch* p, double error, const char* how);

// the forces P_k of a map in formulas
void geom_embedding_forces(geom_embedding* e);

// a metric of two coordinates that does not change along one direction; false where there is none
bool geom_revolution_find(geom_embedding* e);
// the same for a flat metric whose unchanging direction has constant length: a plane
bool geom_plane_find(geom_embedding* e);

// is q where a map in numbers is known?
bool geom_embedding_inside(const geom_embedding* e, const double* q);
// straight lines split off, and an embedding of the rest
bool geom_split_find(geom_embedding* e);
// a space that is a product of others: embeddings of these, side by side
bool geom_product_find(geom_embedding* e);
void geom_product_at(const geom_embedding* e, const double* q, double* x, double* dx, double* ddx);
bool geom_product_inside(const geom_embedding* e, const double* q);
void geom_product_free(geom_product* p);
// the smallest dimension that works for three and more coordinates
bool geom_dimensions_find(geom_embedding* e);
// the squares that the kinetic energy is written with, where they need at most so many dimensions
bool geom_embedding_natural(geom_embedding* e, int most);
// the squares that the kinetic energy is written with
bool geom_natural_find(geom_embedding* e);
// spherical coordinates and their like: canonical coordinates in formulas
bool geom_cone_find(geom_embedding* e);
// a chain of links in a plane: a map in formulas
bool geom_chain_find(geom_embedding* e);
// any metric of two coordinates: the second tensor, then the surface, on the box or a part of it
bool geom_surface_find(geom_embedding* e);
// Least squares in N dimensions on a box; b: the second tensor in its middle, or null. `work`: the
// operations allowed, less those done.
geom_isometry geom_embedding_fit(geom_embedding* e, int N, const double* low, const double* high,
                                 const double* b, double* work);
// the same on the box or on up to `boxes` ever smaller ones around the point; true where a map
// works
bool geom_embedding_fit_somewhere(geom_embedding* e, int N, int boxes, const double* b,
                                  const char* how, double* work);
// operations allowed to the least squares of one search: seconds, or a minute where it was asked
// for
double geom_embedding_work(const geom_embedding* e);
// the box halved around the point
void geom_embedding_shrink(const geom_embedding* e, double* low, double* high);

// what Gauss's equations say about a hypersurface
typedef struct geom_gauss
{
  enum {
    GEOM_GAUSS_NONE,   // proved to have no solution
    GEOM_GAUSS_UNIQUE, // b is fixed, and Codazzi's equations hold at the points tried
    GEOM_GAUSS_OPEN    // b is not fixed by the curvature
  } verdict;
  double* b; // n by n at the middle of the box where it is fixed
} geom_gauss;
geom_gauss geom_gauss_solve(geom_embedding* e);
// b at q (n by n, up to its sign) where the curvature fixes it
bool geom_gauss_tensor(const geom_space* s, const double* q, double* b);
// Two or three coordinates of a flat metric, or three whose curvature fixes the second tensor: the
// map by carrying a frame over the box.
bool geom_frame_find(geom_embedding* e, bool flat);
