// Private to geom: a system near a point as power series, and linear equations between unknown
// functions solved term by term.
#pragma once

#include "geom/taylor.h"
#include "mech/mech.h"

// ---- the system near a point --------------------------------------------------------------------

// Legend: xi (n) are coordinates of the positions that the position constraints leave, zero at the
// point; u (l) are velocities that all constraints leave, with xi' = Z u, Z = (1, Y) and Y zero at
// the point, so that u_a is xi_a' there. Then
//   u_c' = -Gamma_cab u_a u_b + B_ca u_a + G_c
// where  S_cd u_d' = Z_c . (force - g nabla_{xi'} xi'),  S = Z^T g Z, g the metric of T.
// All of them are polynomials in xi (base/taylor.h); time is scaled so that the largest G is one.
typedef struct geom_local
{
  base_arena* arena;
  geom_taylor t;
  const mech_system* s;
  int symbols;
  expr* symbol;
  double* value; // at the point
  int coords, n, l;
  double radius; // one of xi, in the measure of T
  double rate;   // one over the unit of time
  double* q;     // coords
  double* E;     // coords by n: the slopes of q at the point
  double* J;     // coords by n: those everywhere
  double* g;     // n by n
  double* Z;     // n by l
  double* V;     // potential, with what moving axes add
  double *R, *F; // forces without a potential: at rest (n), and their slopes by xi' (n by n)
  double* Gamma; // l by l by l
  double *B, *G; // l by l, l
  bool kept;     // no forces but those of the potential
  bool speedy;   // some depend on velocities
} geom_local;

// Near a random point `number` about the one given. Null with the reason in *why: what the words
// "symmetry" and "integral" are not said of, or where nothing can be evaluated.
geom_local* geom_local_make(const mech_system* s, int symbols, const expr* symbol,
                            const double* value, int degree, int number, const char** why);
void geom_local_free(geom_local* x);

// ---- linear equations ---------------------------------------------------------------------------

// sum c ∂_i w_f + sum c w_f = 0: unknown functions w of the variables of t, coefficients c as
// polynomials; c[(equation * unknowns + f) * (m + 1) + 1 + i], and at 0 those of w_f; null: zero
typedef struct geom_pde
{
  const geom_taylor* t;
  int unknowns, equations;
  double** c;
} geom_pde;

geom_pde geom_pde_make(const geom_taylor* t, int unknowns, int equations);
// the coefficient of d w_f/d xi_i (i < 0: of w_f), made where it is not there
double* geom_pde_at(geom_pde* p, int equation, int f, int i);

// The Taylor polynomials of all solutions: `size` of them, P[(f * count + monomial) * size + j].
typedef struct geom_jets
{
  base_arena* arena;
  int size, degree; // of polynomials
  double* P;
  int dimension;        // of the space of solutions
  int order;            // the order of derivatives at the point that tells a solution from others
  int slopes;           // dimension of their derivatives up to the first
  bool settled;         // else dimension is no more than a bound
  double kept, dropped; // smallest singular value that counted, largest that did not; relative
  double effort;        // operations so far
  bool broken_off;      // before it was known: it would have taken too long
} geom_jets;

geom_jets geom_pde_solve(const geom_pde* p, base_arena* arena);
// jet_orthonormal.c: columns of P, rows by size, made orthonormal; and the operations that takes:
// zeros are passed over
void geom_jets_orthonormal(size_t rows, size_t size, double* P);
double geom_jets_orthonormal_effort(size_t rows, size_t size, const double* P);
// rank of vectors, rows by size
int geom_jets_rank(int rows, int size, const double* A);
// Null space of A (m by n; lost) as rows of out (n by n); returns how many. `size`: of the terms
// that the entries of A are sums of; the gap is kept in the jets
int geom_jets_null(int m, int n, double* A, double size, double* out, geom_jets* gap);
