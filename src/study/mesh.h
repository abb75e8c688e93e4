// A motion over its period as polynomials on a mesh: orthogonal collocation. Private to study.
#pragma once

#include "study/linear.h"

struct study_swings;

enum { study_mesh_degree = 6 }; // nodes in an interval

// Gauss's method with so many nodes on [0, 1]
typedef struct study_mesh_table
{
  double c[study_mesh_degree], b[study_mesh_degree]; // nodes and weights
  double A[study_mesh_degree][study_mesh_degree];    // integrals of the basis up to the nodes
  double A2[study_mesh_degree][study_mesh_degree];   // A A
  double b2[study_mesh_degree];                      // b A
  double D[study_mesh_degree][study_mesh_degree];    // slopes of the basis at the nodes
  double P[study_mesh_degree][study_mesh_degree];    // coefficients on Legendre's polynomials
} study_mesh_table;

// the basis and its integral from 0, at `at`
void study_mesh_basis(const study_mesh_table* t, double at, double* value, double* sum);
study_mesh_table study_mesh_numbers(void);

// A motion on a mesh of `count` intervals from `knot` to `knot`, shares of the period
typedef struct study_profile
{
  int count, room;
  double *knot, *x, *a; // count + 1; states where intervals start; accelerations at the nodes
  double* u;            // (state, period, param) whose motion it is
  // of each interval, changes by its first state and the param, and what Newton's step adds to
  // close all equations: those of the accelerations and of the end, row by row
  double *S, *E;
  double off;   // what Newton's step adds, relative; infinite: nothing is known
  double reach; // the largest part of a state
} study_profile;

typedef struct study_mesh
{
  study_linear* l;
  study_mesh_table g;
  int n, N, wide;               // coordinates; state; columns: state, param, what is added
  int part, stride;             // of a row of M: its right sides, all (mesh_block.c)
  double t;                     // the start
  double coarse, wanted;        // tails that another mesh is made for, and what it is made to
  double whole;                 // what a motion may have left to close, relative
  study_profile now, good;      // that of the last motion asked for; the last that was whole
  bool settle;                  // the next motion is followed until it is whole
  bool fitted;                  // the mesh was looked at since a motion was whole
  double *M, *Q, *V, *P, *last; // work: a block and a row of it; product of ends
  double* scale;                // largest accelerations and changes of them, of each coordinate
} study_mesh;

// motions are about as exact as the tolerance says, relative
study_mesh* study_mesh_new(study_linear* l, double tolerance);
void study_mesh_free(study_mesh* m);
// The end of the motion of u = (q, v, T, p) from time t, its derivatives by (q, v) and p, as
// (end, X) row by row into y. From the motion asked for before one step of Newton's method is made:
// the answer is linear in what is not yet closed. False: there is none.
bool study_mesh_fly(study_mesh* m, double t, const double* u, double* y);
// polynomials asked for last are whole: they are kept to start others from
void study_mesh_keep(study_mesh* m);
// is a motion kept?
bool study_mesh_knows(const study_mesh* m);
// how far the last is from being whole, relative
double study_mesh_off(const study_mesh* m);
// The next motion is wanted whole; whether the last is not.
bool study_mesh_settle(study_mesh* m);
// how far the coordinates swing along the last motion
void study_mesh_swing(const study_mesh* m, struct study_swings* out);
// nothing is known of the next motion
void study_mesh_forget(study_mesh* m);

// ---- one interval (mesh_block.c) ----------------------------------------------------------------

// numbers that so many take in a row of a block
int study_block_part(int count);
// M X = S for `size` unknowns and `wide` right sides; a row is S and M, each as many as
// study_block_part() says, what is beyond it zero. X in the place of S; false where M is singular.
bool study_block_solve(int size, int wide, double* M);

// ---- one motion (mesh_profile.c) ----------------------------------------------------------------

void study_profile_room(study_profile* p, const study_mesh* m, int count);
void study_profile_copy(study_profile* to, const study_profile* from, const study_mesh* m);
void study_profile_free(study_profile* p);
// Interval i from its state and accelerations: its changes into S and E, what closes it at the last
// columns; the state behind it (absolute) into `end`. False where there are no values.
bool study_profile_close(study_mesh* m, study_profile* p, int i, double* end);
// the state at node j of interval i into Q and V
void study_profile_stage(const study_mesh* m, const study_profile* p, int i, int j);
// The motion from the first state alone, the mesh as it needs, of no more than `most` intervals;
// false where it has none.
bool study_profile_march(study_mesh* m, study_profile* p, int most, const double* u);
// how well interval i is resolved: the last coefficients on Legendre's polynomials, of the
// accelerations and their changes, over the largest values of them
double study_profile_tail(const study_mesh* m, const study_profile* p, int i);
// state at the share s of the period (x may be null), and accelerations (as may a): s in interval i
void study_profile_at(const study_mesh* m, const study_profile* p, int i, double s, double* x,
                      double* a);
// velocity and acceleration of coordinate c there
void study_profile_speed(const study_mesh* m, const study_profile* p, int i, int c, double s,
                         double* speed, double* change);
// another mesh where this one is too coarse or much too fine; whether it has changed
bool study_profile_adapt(study_mesh* m, study_profile* p);
