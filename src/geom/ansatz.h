// Private to geom: integrals and symmetries as sums of functions of a library, with numbers as
// coefficients.
#pragma once

#include "geom/local.h"

// functions of the positions, simple ones first; the first is one
typedef struct geom_library
{
  int count, n;
  expr* f;     // count
  expr* slope; // count by n
  int* degree;
} geom_library;

// `degree`: of products of functions of single coordinates; at most so many functions
geom_library geom_library_make(const mech_system* s, int degree, int most, base_arena* arena);

// One state: a place on the position constraints, a velocity, the acceleration that follows.
typedef struct geom_state
{
  double *q, *v, *a;  // n
  double *p, *dp;     // dT/dv and its rate
  double *Tq, *Vq;    // dT/dq, dV/dq
  double *f, *df, *g; // library: values, their rates, their slopes (count by n)
  double *u, *du;     // further functions of positions: values and rates
  double *w, *wq;     // forms of velocities: a_k (speeds by n), d(a_k v)/dq
  double* x;          // gradients of position constraints (positions by n)
  int speeds, positions;
} geom_state;

typedef struct geom_states
{
  const geom_library* basis;
  int n, count, further;
  geom_state* at;
} geom_states;

// `free`: velocities that position constraints alone allow (no acceleration then). False where
// fewer are found.
bool geom_states_make(const mech_system* s, int symbols, const expr* symbol, const double* value,
                      const geom_library* l, int further, const expr* u, bool free_speeds,
                      int count, int seed, base_arena* arena, geom_states* out);

// All c with sum c_j row_j = 0 for every row (rows by columns, lost), as rows of out in echelon
// form, numbers that are simple fractions made so; returns how many. `size`: of each column.
int geom_ansatz_solve(int rows, int columns, double* A, const double* size, base_arena* arena,
                      double** out);
// the number as an expression: a simple fraction where it is one
expr geom_ansatz_number(expr_pool* p, double c);
