// Private to geom: what the files share that make a system into power series near a point.
#pragma once

#include "geom/jets.h"

// the constraints that hold, and the point
typedef struct geom_anchor
{
  base_arena* arena;
  const mech_system* s;
  int symbols;
  expr* symbol;
  double* value;
  int* place;    // of each coordinate among the symbols
  int positions; // constraints of positions that are independent
  expr* position;
  double* normal; // coords by positions: directions in which the positions are brought onto them
  int speeds;     // forms a(q).q' = 0, independent beside them
  expr* speed;    // speeds by coords
  int n, l;
  double* E; // coords by n: first l admissible velocities, then the others; of length one in T
} geom_anchor;

// false with the reason
bool geom_anchor_find(const mech_system* s, int symbols, const expr* symbol, const double* value,
                      int number, base_arena* arena, geom_anchor* a, const char** why);
// does what the motion follows from suit? null, or the reason why not
const char* geom_local_unsuited(const mech_system* s);

// ---- local.c ------------------------------------------------------------------------------------

typedef struct geom_local_work
{
  geom_local* x;
  const geom_anchor* a;
  const double** series; // of each symbol
} geom_local_work;

double* geom_local_series(const geom_local_work* w, int count); // polynomials that are zero
bool geom_local_expand(const geom_local_work* w, int count, const expr* e, double* out);
// A(xi) Y = R with A (m by m) regular at the point, R m by k
bool geom_local_divide(const geom_local_work* w, int m, int k, const double* A, const double* R,
                       double* Y);
double geom_local_largest(int count, const double* a);

// ---- local_forces.c -----------------------------------------------------------------------------

// are the forces linear in the velocities?
bool geom_local_is_affine(const geom_local* x);
// V, R, F; `whole` (n): all forces at rest
bool geom_local_force(geom_local_work* w, double* whole);
// Gamma, B, G
bool geom_local_accelerate(geom_local_work* w, const double* whole);
