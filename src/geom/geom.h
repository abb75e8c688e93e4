// geom: the geometry behind a model: what its velocity constraints let it reach, and the metric its
// kinetic energy is. Takes a model and a point; gives integrability, growth vectors, curvature,
// symmetries and integrals,
// coordinates that make the kinetic energy a sum of squares. Computes no motion of the model.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "mech/mech.h"
#include "model/model.h"

typedef struct geom_constraint
{
  expr_truth integrable; // by itself or together with the others; position constraints: YES
  bool alone;            // integrable by itself, without help of the other constraints
  expr potential;        // P with constraint <=> P = const, or EXPR_NONE
  const char* why;       // one line of words
} geom_constraint;

typedef struct geom_report
{
  base_arena* arena;
  int constraints;
  geom_constraint* constraint;
  // dimensions of D, D + [D, D], ... at a generic point near the one given; constraints that depend
  // on time or are affine are taken on the space with t added, drift included (growth_note says so)
  int growth_length;
  int* growth;
  bool growth_whole; // followed until it stopped growing: its length is the degree of nonholonomy
  bool growth_timed; // time is one of the dimensions
  bool growth_known; // false: nonlinear velocity constraints, the notion does not apply
  const char* growth_note;
  // the smallest sets of velocity constraints that are integrable together and not one by one:
  // set i has members[i] constraints at member[i]
  int subsystems;
  int* members;
  int** member;
  int position_rank; // largest rank of the gradients of the position constraints near the point
} geom_report;

// Growth and rank are those of the constraints that hold at the start.
// `symbols`/`values` give the params, t and a point q that satisfies the position constraints.
geom_report* geom_integrability(const model* m, int n, const expr* symbols, const double* values);
void geom_report_free(geom_report* r);

// Growth vectors at the points of a motion themselves, where they may differ from the generic one.
typedef struct geom_reach
{
  base_arena* arena;
  int points, stride;
  int* dimension; // of D_1, D_2, ...: [point * stride + level]; -1 where it could not be evaluated
  int* known;     // how many of them, at each point
  int most;       // what is reached at generic points
  int usual;      // in how many levels
  bool whole;     // false: somewhere the brackets became too many
} geom_reach;
// values: points by symbols; the report is that of the first point
geom_reach* geom_reach_make(const model* m, const geom_report* report, int symbols,
                            const expr* symbol, int points, const double* values);
void geom_reach_free(geom_reach* r);
// the degree of nonholonomy: how many levels it takes to reach the most; 0: not within those known
int geom_reach_degree(const geom_reach* r, int point);

enum { GEOM_MOST = 24 }; // coordinates beyond which curvature is not asked for

// ---- the metric of the kinetic energy -----------------------------------------------------------

// Numbers at one point. Pairs of indices i < j are numbered row by row: 12, 13, ..., 23, ...
typedef struct geom_numbers
{
  int n;
  bool regular; // the metric is positive definite; else nothing but g is known
  double *g, *inverse, det;
  double* first;     // Gamma_{a,cv}: [a][c][v]
  double* second;    // Gamma^k_{cv}: [k][c][v]
  double* riemann;   // pairs by pairs: R_lxba with l < x, b < a
  double* size;      // of the terms each of them is made of: what rounding is measured against
  double* ricci;     // n by n
  double* sectional; // of the coordinate planes, one per pair
  double scalar;
} geom_numbers;

// R_lxba for any order of its indices (from 0)
double geom_riemann(const geom_numbers* r, int l, int x, int b, int a);

// The space a model moves in: 2 T = g_ij q_i' q_j' on the coordinates that the position constraints
// leave. Constraints solved in formulas take a coordinate away; those that cannot be are `rest`.
typedef struct geom_space
{
  base_arena* arena;
  const model* m;
  expr_pool* pool;
  int n;
  expr* q;    // symbols
  int* coord; // the model's number of each
  int gone;   // coordinates solved for
  int* gone_coord;
  expr* gone_value; // in q, params and t
  int rest;         // position constraints left as they are
  expr* rest_f;
  bool timed;   // the metric depends on time: it is that of one instant
  bool moving;  // T has parts that are not quadratic in the velocities: no part of the metric
  bool driven;  // params that change are held at their values
  int velocity; // velocity constraints that are no position constraints: left aside
  expr* around; // the metric of all the model's coordinates, before the constraints
  expr* g;
  // g and rest_f with their first and second derivatives, packed
  int jet_count;
  expr* jet;
  // null where not made: rest > 0, or the formulas would be too many
  expr *inverse, det, *first, *second, *riemann, *ricci, scalar, *sectional;
  const char* why; // they were not made
  // numbers known: params, t, the point
  expr factor;              // the metric is that of T times it; EXPR_NONE: times one
  struct geom_chart* chart; // of a surface of unsolved constraints: there are no formulas; or null
  int symbols;
  expr* symbol;
  double* value;
} geom_space;

// which metric of a model
typedef struct geom_metric
{
  expr factor; // times that of T, a function of positions; EXPR_NONE: that of T
  bool whole;  // all coordinates stay, and all position constraints are `rest`
} geom_metric;

// Null with the reason noted: a kinetic energy that is no quadratic form in the velocities, nothing
// that moves. `symbols`/`values` as for geom_integrability, whose report may be null.
geom_space* geom_space_make(const model* m, const geom_report* r, const geom_metric* which, int n,
                            const expr* symbols, const double* values, base_notes* notes);
void geom_space_free(geom_space* s);
// formulas of Christoffel symbols and curvature
void geom_space_curve(geom_space* s);

// The same at a point: q of the space's coordinates (null: the point given). On a surface of
// unsolved constraints `q` is brought onto it, and `chosen` says which of the space's coordinates
// parametrise it. Null where nothing can be evaluated.
typedef struct geom_place
{
  base_arena* arena;
  geom_numbers* at;
  int n;
  int* chosen; // numbers among the space's coordinates
  int rank;    // of the constraints left: those coordinates follow from those constraints
  int *column, *row;
  double* q; // all of the space's coordinates
} geom_place;
geom_place* geom_place_make(const geom_space* s, const double* q);
void geom_place_free(geom_place* p);

typedef struct geom_verdict
{
  expr_truth flat;
  const char* why; // the proof in words
  double* q;       // the point that refutes, all of the space's coordinates; or null
  int chosen_count;
  int* chosen;  // those among them that parametrise the space there
  int index[4]; // R_lxba there, from 0, of the coordinates chosen
  double value;
} geom_verdict;
geom_verdict geom_flat(geom_space* s);

// ---- what kind of space -------------------------------------------------------------------------

// the dimension of a space of functions, found near a random point
typedef struct geom_count
{
  bool sure;            // else it is a bound
  int dimension;        // -1: not known, its equations take too long to follow
  double kept, dropped; // the singular values next to the gap that told, relative
} geom_count;

// One factor of a space that is a product, at least locally.
typedef struct geom_space_factor
{
  int dimension;
  expr_truth constant; // curvature; a flat factor: yes
  double curvature;    // then; else the scalar curvature at the point
  int coords;          // coordinates of the space whose directions span it; 0: no such
  int* coord;          // numbers among the space's coordinates
} geom_space_factor;

typedef struct geom_shape
{
  base_arena* arena;
  const char* unsuited; // why none of this is said; null: it is
  int n;
  expr_truth constant; // curvature
  double curvature;    // then
  expr_truth conformal;
  const char* conformal_why;
  double conformal_size;     // of what has to vanish, against what it is made of; the largest seen
  geom_count parallel;       // symmetric tensors that are parallel: each factor has one
  expr_truth splits;         // is it a product of spaces?
  int factors;               // 1: it is not
  geom_space_factor* factor; // a flat one first, where there is one
} geom_shape;

// Constant curvature, conformal flatness, and the splitting into factors (de Rham), from power
// series of the metric about random points near that given.
geom_shape* geom_shape_find(const geom_space* s);
void geom_shape_free(geom_shape* r);

// ---- geodesics ----------------------------------------------------------------------------------

// The geodesic of a space made whole, from its point along `v`, and the points conjugate to that
// point on it: where geodesics that leave the point beside it come together again.
typedef struct geom_geodesic_ask
{
  const double* v; // in all coordinates; its part along the constraints is the direction
  double length;
  int rows; // evenly along the length, 2 at least
  double tolerance;
  int instants;    // of a Jacobi metric: where the motion of its energy is at these times,
  const double* t; // growing, from 0 at the point on
} geom_geodesic_ask;

typedef struct geom_conjugate
{
  double at;    // its distance along the geodesic
  int multiple; // how many independent ones come together
  double* q;
} geom_conjugate;

typedef struct geom_geodesic
{
  base_arena* arena;
  const geom_space* s;
  const char* why; // there is none, or it ends early; null: whole
  int n, d;        // coordinates; dimension of the space
  int rows;
  double *at, *q, *v; // length so far, rows by n each; v of length one
  double* time;       // of a Jacobi metric: when the motion is there; or null
  double unit;        // largest |g(v, v) - 1| of a row
  double off;         // largest |f| of a constraint, of a row
  int conjugates;
  geom_conjugate* conjugate;
  int instants; // reached
  double* then; // instants by n: q at those times
} geom_geodesic;

geom_geodesic* geom_geodesic_make(const geom_space* whole, const geom_geodesic_ask* ask);
void geom_geodesic_free(geom_geodesic* g);

// ---- embedding ----------------------------------------------------------------------------------

// A map x(q) into a Euclidean space with the metric of the space, on a box of its coordinates: for
// a flat metric the coordinates that make T a sum of squares.
typedef struct geom_embedding
{
  base_arena* arena;
  geom_space* s;
  int n, N;        // N = 0: none was found
  const char* how; // "a surface of revolution"
  double error;    // largest of |x_a.x_b - g_ab|/sqrt(g_aa g_bb) on a grid of the box; 0: proved
  double *low, *high;
  expr* x;   // the map in formulas, or null
  expr* P;   // then the forces P_k along x, in q, q', t; or null
  int notes; // on the search: what exists where, what does not
  const char** note;
  bool thorough;
  struct geom_map* map;
  geom_space* own; // s where it is a chart made for the embedding
} geom_embedding;

// The smallest N found to work on the box (or on a part of it around the point: low, high say so).
// Without `thorough` least squares are left to two coordinates and moderate degrees: seconds.
geom_embedding* geom_embed(geom_space* s, const geom_verdict* flat, const double* low,
                           const double* high, bool thorough);
void geom_embedding_free(geom_embedding* e);
// x (N), dx (N by n), ddx (N by n by n); null: not asked for. Nan outside the box of a map in
// numbers.
void geom_embedding_at(const geom_embedding* e, const double* q, double* x, double* dx,
                       double* ddx);

// The map as series: x_k = sum c_kb product T_power(xi_i), T Chebyshev's polynomials, xi in [-1, 1]
// on the box. Those that it consists of, or what it is sampled to.
typedef struct geom_map_series
{
  int n, N, basis;
  int* power;               // basis by n
  double* c;                // N by basis
  const double *low, *high; // of the embedding
  double error;             // largest difference from the map at random points
} geom_map_series;
// false where the map has no values on its box
bool geom_embedding_series(const geom_embedding* e, base_arena* arena, geom_map_series* out);
void geom_map_series_at(const geom_map_series* s, const double* q, double* x);

// the second tensor of a hypersurface (N = n + 1) at q, n by n; false where the map has no value
bool geom_embedding_second(const geom_embedding* e, const double* q, double* b);

// The motion of the representing point by x'' = P + lambda grad D, D(x) = 0, in the coordinates x.
typedef struct geom_motion
{
  base_arena* arena;
  const char* why; // there is none, or it ends early; null: whole
  int n, N, rows;
  double* t;
  double* q;        // rows by n, from x by the inverse map
  double* x;        // rows by N
  double* reaction; // the normal acceleration, in the sense in which the surface bends at the start
} geom_motion;

// from q, v at t[0]; rows at t
geom_motion* geom_motion_run(const geom_embedding* e, const double* q, const double* v, int rows,
                             const double* t, double tolerance);
void geom_motion_free(geom_motion* m);

// ---- what the motion keeps ----------------------------------------------------------------------

// An integral or a symmetry as a formula.
typedef struct geom_closed
{
  expr value;  // of an integral; of a symmetry: its momentum
  expr* field; // of a symmetry, or of a linear integral X.p: X, one for each coordinate; or null
  expr lost;   // of a symmetry of a nonholonomic system: the rate of its momentum; EXPR_NONE: zero
  double rate; // |d value/dt| at random states, against the terms it is made of
  bool fitted; // its numbers hold at these values of the params only
} geom_closed;

typedef struct geom_structure
{
  base_arena* arena;
  const mech_system* s;
  const char* unsuited; // why none of this is said of the system; null: it is
  int n, l;             // dimension of the positions; independent velocities
  int hidden;           // functions of positions that constraints of velocities keep
  bool holonomic;       // every velocity that positions allow is allowed
  bool kept, speedy;    // all forces have a potential; some depend on velocities
  geom_count symmetries, linear, quadratic;
  int products;      // dimension of what products of linear integrals span
  bool energy_apart; // the kinetic energy is none of them, nor a sum of them
  // how many of the linear and the quadratic ones all symmetries keep: those of the reduced system;
  // -1: not known
  int linear_kept, quadratic_kept;
  // symmetries that are shifts of positions, and where not all is known of the integrals, those
  // that they keep
  int shifts;
  geom_count linear_shifted, quadratic_shifted;
  expr_truth measure; // a smooth invariant measure whose density is a function of positions
  const char* measure_why;
  // its density in the coordinates and the velocities of `speeds` of them: density times a power of
  // det S, S the matrix of T in these velocities; EXPR_NONE: no formula. Nonholonomic systems only.
  int speeds;
  int* speed;
  expr density;
  double power; // of det S
  // two velocities on a base that the others follow, and a measure: the time dtau = N dt, N the
  // density in the momenta of these velocities, makes the base Hamiltonian (Chaplygin)
  bool multiplier;
  // those that an ansatz gives as formulas: at most as many as counted
  int closed_symmetries, closed_linear, closed_quadratic;
  geom_closed *symmetry, *linear_of, *quadratic_of; // quadratic ones: no products of linear ones
} geom_structure;

// `symbols`/`values` as for geom_integrability
geom_structure* geom_structure_find(mech_system* s, int n, const expr* symbols,
                                    const double* values);
void geom_structure_free(geom_structure* r);
