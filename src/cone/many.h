// Inside of cone_many, for its own files.
#pragma once

#include "cone/active_factor.h"
#include "cone/cone.h"

// what Newton takes a row for
typedef enum cone_many_state {
  CONE_MANY_OFF,  // x = 0
  CONE_MANY_HELD, // w = 0
  CONE_MANY_UP,   // a tangent on its bound, x = mu x_n
  CONE_MANY_DOWN, // x = -mu x_n
  CONE_MANY_SLIP  // one of two on the bound, x = mu x_n y/|y| with y = x - w/G_ii of both
} cone_many_state;

// A problem of its own: rows that know of no others, neighbours near one another.
typedef struct cone_many_island
{
  cone_many_problem problem;
  int *start, *column, *of, *pair;
  double *G, *q, *mu, *x, *w;
  cone_many_kind* kind;
  int room, entries; // rows and entries of G that there is room for
  const cone_many_origin* origin;
  const int* row; // of the whole problem
} cone_many_island;

// ---- large islands, among the velocities of their bodies (many_bodies.c, many_proximal.c) -------

// tangents that hang on one normal row at most, and the rows of a contact with them
enum { CONE_MANY_TANGENTS = 7, CONE_MANY_ROWS = 1 + CONE_MANY_TANGENTS };

// the tangents of a contact, in groups of one or two that have a disc of their own (slip, rolling,
// pivoting): group g has rows first[g] .. first[g + 1] - 1 of the contact, row 0 being the normal
typedef struct cone_many_discs
{
  int size, groups;
  int first[CONE_MANY_TANGENTS + 1];
  double mu[CONE_MANY_TANGENTS];
} cone_many_discs;

// a contact, or an equation: its rows, its nodes, and A of these, rows by width
typedef struct cone_many_body_contact
{
  int rows, row[CONE_MANY_ROWS];
  int node, nodes, width, value;
  int at;  // of its block among those of all contacts
  bool in; // the pattern of the equations
} cone_many_body_contact;

typedef struct cone_many_bodies
{
  num_fronts* fronts;
  int* node_of; // a block; 0: none, else its number and one
  size_t node_room, near_room, near_entries;
  int unknowns, blocks; // entries of all blocks H
  bool has_pattern;
  bool is_open, fits;    // for the island under way: known, and of a kind that has such equations
  BASE_LIST(int) block;  // of a node
  BASE_LIST(int) size;   // its unknowns
  BASE_LIST(int) offset; // and where they begin
  BASE_LIST(cone_many_body_contact) contact;
  BASE_LIST(int) nodes;    // of contacts
  BASE_LIST(double) value; // A of them
  int *near_start, *near;
  double* one; // W of a body, factored; H A of a contact
  int* pivot;
  size_t one_room, pivot_room;
} cone_many_bodies;

// memory of many_proximal.c and many_graded.c
typedef struct cone_many_near
{
  size_t room;
  double* memory;
  double *centre, *w, *dw, *x;             // by row
  double *kept_w, *safe_w, *found;         // before a turn, before a round; the best impulses
  double *u, *du, *Wu, *Wdu, *kept, *left; // by unknown
  double* safe_u;                          // before a round
  double* rho;                             // by contact: the term
  double* H;                               // blocks of contacts
} cone_many_near;

// memory of many_active.c: a = S y + b, F the rows of the set, S_FF = L L^T
typedef struct cone_many_active
{
  int room, r; // rows there is room for, rows
  cone_active_factor set;
  double* S; // r by r
  double *scale, *b, *y, *a;
  double *u, *dy;         // L^-1 of a column; what y_F changes by as a row enters
  int *near_start, *near; // where rows of S are not zero
  bool* excused;
} cone_many_active;

enum { CONE_MANY_LEARNED = 8 }; // sweeps that the next ones learn from

// memory of many_relax.c
typedef struct cone_many_relax
{
  int room;
  double* memory;
  double *x, *g, *F; // impulses, those after a sweep to and fro, and the difference
  double *F_before, *g_before, *safe;
  double *dF[CONE_MANY_LEARNED], *dg[CONE_MANY_LEARNED];
  double product[CONE_MANY_LEARNED][CONE_MANY_LEARNED]; // of dF with each other
  int pairs;                                            // of sweeps that were learned from
  double last;                                          // size of F
} cone_many_relax;

// memory of the interior point method (many_interior.c)
typedef struct cone_many_inner
{
  int room;
  double* memory;
  double *y, *z;    // impulses and velocities in units in which cones are round
  double *unit, *p; // y = unit x, z = w/unit; the velocities without impulses
  double *dy, *dz;  // a step, and the one that looks ahead
  double *ay, *az;
  double* turn;   // of the scaling of Nesterov and Todd: its direction
  double* beta;   // and length, per normal row
  double* lambda; // y and z where they are the same
  double smooth;  // of slips that are nothing
  double* rest;   // what a step has to bring to zero
  double* found;  // the best impulses so far
  double taken;   // of how s follows the slips, in the linear equations
  const struct cone_many_manner* manner;
  bool of_bodies;        // are these among the velocities of bodies?
  double *b, *Av, *push; // of these, by row
  size_t body_room;
  double *H, *v, *dv; // blocks of contacts, velocities
  double soft, fast;  // the largest mobility, and the largest velocity without impulses
  int turns, worse;   // of all, and since the best
  int jammed;         // turns on end that went nowhere
  double best;        // fault of what was found
} cone_many_inner;

// turns of Newton where it is quick or leads nowhere, and where it is worth to be patient
enum { CONE_MANY_HASTE = 20, CONE_MANY_PATIENCE = 150 };
enum { CONE_MANY_SMALL = 16 }; // rows of an island that every way is tried for

struct cone_many
{
  int r_max;
  bool siconos; // is asked first
  cone_band* band;
  // the island under way
  const cone_many_problem* p;
  double *x, *w;
  double* diagonal;
  double *centre, *right, *best;
  double *unit, *turn; // of a tangent that slips in space: y/|y|, and mu x_n/|y|
  cone_many_state* state;
  int *index, *unknown;
  // tangents of row i: tangent[first[i]] .. tangent[first[i + 1] - 1]
  int *first, *tangent;
  double* block; // G of the rows of a contact among themselves, from block_at of its normal row
  int* block_at;
  bool* alike; // of a normal row: it and its two tangents meet the same rows
  // of all rows: the order in which islands are one after the other, and the place in it
  int *order, *place, *end;
  bool* seen;
  int width; // of the band of the island
  int haste; // turns of Newton that it may cost
  // no velocities obey all rows: with the slips of a round, and proved of all; the rest was not
  // tried
  bool nowhere, excluded, given_up;
  double work; // products that it has cost so far
  cone_many_island island;
  cone_many_inner inner;
  cone_many_bodies bodies;
  cone_many_near near;
  cone_many_relax relax;
  cone_many_active active;
  cone_many* patch; // for some rows of the island
  bool is_patch;    // and this is one: others go on where it does not get on
};

// the other tangent of row i, -1
static inline int cone_many_pair(const cone_many* f, int i)
{
  return f->p->pair && f->p->kind[i] == CONE_MANY_TANGENT ? f->p->pair[i] : -1;
}
// G_ii of a row; of two tangents the larger, so that a step turns with them
static inline double cone_many_scale(const cone_many* f, int i)
{
  const int o = cone_many_pair(f, i);
  return o < 0 || f->diagonal[i] > f->diagonal[o] ? f->diagonal[i] : f->diagonal[o];
}

// many_memory.c: room for so many rows
void cone_many_room(cone_many* f, int rows);
// many.c: the island under way, and its fault
double cone_many_solve_island(cone_many* f, cone_many_result* out);
// many_islands.c: which tangents hang on which normal row of f->p
void cone_many_hang(cone_many* f);
// f->order: island after island, neighbours near one another; f->p is the whole problem
void cone_many_sort(cone_many* f);
// the end of the island that begins at `from` of the order
int cone_many_end(const cone_many* f, int from);
// The rows of the order from .. to become f->island, and f->p, f->x, f->w are its own. Rows whose
// place is below zero press as x has it.
void cone_many_enter(cone_many* f, const cone_many_problem* p, const double* x, int from, int to);
void cone_many_leave(cone_many* f, int from, int to, double* x, double* w);

// w_i of x
static inline double cone_many_row(const cone_many* f, int i)
{
  const cone_many_problem* p = f->p;
  const int to = p->start[i + 1];
  double w = p->q[i];
  for (int k = p->start[i]; k < to; k++) w += p->G[k] * f->x[p->column[k]];
  return w;
}

// many_sweep.c: what sweeps need of an island
void cone_many_prepare(cone_many* f);
// w from x
void cone_many_product(cone_many* f);
// x_i, and y of the other tangent in space, put on the law of the row
double cone_many_projected(const cone_many* f, int i, double x, double y);
// A sweep of Gauss and Seidel over the contacts, each solved by itself; to, or fro. Does it leave
// what presses pressing, and nothing else? Said of islands without friction alone.
bool cone_many_sweep(cone_many* f, bool back);
// Sweeps that learn from those before: from x, and on by so many pairs of them
void cone_many_relax_begin(cone_many* f);
void cone_many_relax_go(cone_many* f, int pairs);
// A sweep to and on beyond what solves each contact, by a share of the way there (over-relaxation)
void cone_many_sweep_beyond(cone_many* f, double share);
// many_several.c: w = B x + b of one contact with several discs, from x, d the mobilities of its
// rows; false: not to the tolerance, x is the best it came to
bool cone_many_several(const cone_many_discs* c, const double* B, const double* b, const double* d,
                       double* x);
// many_patch.c: contacts that are off the most at x and w, each with its neighbours, solved by
// themselves while all others press as they do
void cone_many_patches(cone_many* f);
// a small problem by the methods of contact.c, into x; false: not to the fault allowed
bool cone_many_dense(cone_many* f, double allowed);
// by Siconos, into x
bool cone_many_siconos(cone_many* f);
// the breach of the law of row i at x and w; the worst of all, relative
double cone_many_off(const cone_many* f, int i);
double cone_many_fault(const cone_many* f);
// the fault that is allowed of the island under way, after the work it has cost
double cone_many_allowed(const cone_many* f);
// Newton on the states from x, whose w are known; the fault of what it came to, x and w. Linear
// systems solved are added to *turns. Patient: for states that run in circles.
double cone_many_newton(cone_many* f, bool patient, int* turns);
// Through the inside of the cones, from anywhere: first false where rows are of a kind that this
// does not take; of_bodies: linear equations among bodies. Then on until impulses and velocities
// are `until` of the largest velocity from obeying the laws, x and w those there; false: it is at
// its end, among bodies with the best x.
bool cone_many_interior_begin(cone_many* f, bool of_bodies);
bool cone_many_interior(cone_many* f, double until, int* turns);

// many_bodies.c: the equations of the island, for its rows as they stand; false where a row moves
// nothing
bool cone_many_bodies_open(cone_many* f);
void cone_many_bodies_free(cone_many_bodies* s);
// w = A u; out += sign A^T x; out = W u
void cone_many_bodies_rows(const cone_many* f, const double* u, double* w);
void cone_many_bodies_push(const cone_many* f, const double* x, double sign, double* out);
void cone_many_bodies_inertia(const cone_many* f, const double* u, double* out);
// LU of W + A^T H A, H a block for each contact; false: singular
bool cone_many_bodies_factor(cone_many* f, const double* H);
// x <- W^-1 x; the size of what is left of the balance, sqrt(sum x_i^2/W_ii)
void cone_many_bodies_freely(cone_many* f, double* x);
double cone_many_bodies_size(const cone_many* f, const double* x);
// many_cone.c: what hangs on row n
cone_many_discs cone_many_discs_of(const cone_many* f, int n);
// y <- the impulse of a contact that asks for y, and its slopes, size by size; true where any of it
// slips
bool cone_many_law(const cone_many_discs* d, double* y, double* slope);
// has each tangent a bound? and is there one group of them at most to each contact?
bool cone_many_is_bounded(const cone_many* f);
bool cone_many_is_round(const cone_many* f);
// many_active.c: from those of x that press; false where the island is of a kind it does not take.
// Then a round with s of the slips in w: x its answer; false: there is none, x is as it was, and
// f->excluded says whether that is proved of all rounds. Rows that came and went are added to
// *changes.
bool cone_many_active_begin(cone_many* f);
bool cone_many_active_round(cone_many* f, int* changes);
// many_proximal.c, without friction: from x, in so many turns at most; false where the island is of
// a kind it does not take. x is the answer, or what it came to.
bool cone_many_proximal(cone_many* f, int most, int* turns);
// memory of near for the bodies of the island
void cone_many_near_room(cone_many* f);
// many_turn.c: a turn of Newton from x and w, for where the states are nearly right, with a
// proximal term of the mobility; x is its answer, or as it was where there is none
bool cone_many_turn(cone_many* f, double term, int* turns);
// many_mixed.c: such turns and sweeps by turns, from x and w; x and w are the best it came to; are
// they enough?
bool cone_many_mixed(cone_many* f, int turns, cone_many_result* out);
// many_graded.c: the same with friction, from anywhere; x is the best it came to
bool cone_many_graded(cone_many* f, int most, int* turns);
