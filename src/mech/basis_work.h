// Quasi-velocities while they are chosen. Private to mech.
#pragma once

#include "mech/basis.h"
#include "mech/pick.h"

// Legend. S stacks the gradients B of the declared quasi-velocities over the independent rows of A;
// it has k rows. P are k columns of S with a regular minor, the other n - k columns are free.
//   R_S  right inverse of S: S R_S = 1; its first columns are dq'/dv of the declared ones, the
//   others
//        dq'/df of the constraints
//   z_f  null vector of S for each free column f: by Cramer's rule z_f = det S_P on f, and
//        -adj(S_P) S_f on P, common factors taken out. For one row (a, b): (b, -a), the velocity
//        along the blade, with no division anywhere; Kondrenkina (2018), II(2.2)-(2.4), divides by
//        cos(theta) there.

typedef struct mech_basis_work
{
  const mech_system* s;
  mech_basis* b;
  base_arena* arena;
  base_notes* notes;
  mech_basis_kind kind;
  mech_pick pick;
  int declared; // rows of B
  int* quasi;   // their numbers in the model
  int k;        // rows of S
  expr* S;
  int* P;        // k columns
  int* free;     // n - k columns
  expr* right;   // R_S, n by k, to be divided by b->D
  bool direct;   // R_S has rows on P only
  expr* natural; // rows dual to the null vectors where these are measured so; null: they are not
} mech_basis_work;

static inline expr* mech_basis_take(const mech_basis_work* w, int count)
{
  return base_arena_take(w->arena, sizeof(expr) * (size_t)(count > 0 ? count : 1));
}

// basis_natural.c: Z, R_S and the dual rows by speeds along unit vectors; false where there are
// none
bool mech_basis_natural(mech_basis_work* w);
// basis_names.c: q' where all quasi-velocities are zero; names, symbols and meanings
void mech_basis_known(mech_basis_work* w);
void mech_basis_name(mech_basis_work* w);
