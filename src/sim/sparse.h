// Private to sim: systems of many coordinates, solved without a full matrix.
#pragma once

#include "sim/engine.h"

struct sim_sparse
{
  num_rows M, A;                   // their patterns; those of the system
  int M_count, A_count;            // entries
  int* diagonal;                   // where M_ii is
  const double *M_value, *A_value; // as evaluated last, in the engine's block
  num_saddle* motion;              // M a = F + A^T Lambda, A a = c
  bool stiff;                      // M alone is singular: see num/saddle.c
  bool factored;                   // the factor belongs to some state near the present one
  bool* use;                       // rows that hold and are not set aside
  double* lambda;                  // as found with the accelerations
  double *f, *c, *x, *y;           // work space: n, m, n, m
  double* unit;                    // entries of a unit matrix in the pattern of M
};

// Is the system one for this path? Where it is not and no other is left, null in *fine, with an
// error noted.
bool sim_sparse_wanted(sim_engine* e, bool* fine, base_notes* notes);
// lists of expressions of the kernels: M, F, A, c, and f0, f1
int sim_sparse_motion_list(sim_engine* e, expr** list);
// when the kernels are there: work space, order of elimination; false with an error noted
bool sim_sparse_prepare(sim_engine* e, base_notes* notes);
void sim_sparse_free(sim_engine* e);
// which rows are in use now
void sim_sparse_rows(sim_engine* e);

int sim_sparse_accelerations(sim_engine* e);
double sim_sparse_reactions(sim_engine* e);
void sim_sparse_kept_reactions(sim_engine* e);
// largest acceleration a single reaction would give: what is small against it is rounding
double sim_sparse_push(const sim_engine* e);
int sim_sparse_kick(sim_engine* e, const double* g);
// level 0 positions, 1 velocities; y is e->q or e->v
int sim_sparse_project(sim_engine* e, int level, double noise, double* y, bool* moved);
// W = a + Gamma, M Gamma = h, split in the metric of M (point.c); nan where M is singular
void sim_sparse_split(sim_engine* e, const double* a, double* Gamma, double* WL, double* WK);
// evaluate and factor at the state in the input block; 0, or 1 with e->reason
int sim_sparse_factor(sim_engine* e, const bool* use, double tolerance);
// constraints that follow from the others at and around this state, into e->implied; how many
int sim_sparse_set_aside(sim_engine* e);

// Initial equations: count residuals F and their derivatives by q and v, sparse.
// x += step of least weighted norm towards F = 0 for the rows taking part; returns 0 when solved.
typedef struct sim_sparse_newton
{
  sim_engine* e;
  int count;           // of equations
  num_rows J;          // by the 2n unknowns q, v
  const double* value; // F, then the entries of J, as `evaluate` leaves them
  void (*evaluate)(void* context);
  void* context;
  const double* weight; // 2n
} sim_sparse_newton;
bool sim_sparse_solve(const sim_sparse_newton* w, int rows, const int* row, int offset,
                      int unknowns);
