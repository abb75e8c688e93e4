// Private to mech: independent quasi-velocities, declared or chosen, and q' in terms of them.
#pragma once

#include "mech/form.h"

// The velocities in quasi-velocities v_1..v_l and the constraints f_1..f_rank themselves:
// Z = dq'/dv_lambda, R / D = dq'/df_kappa, with A Z = 0 and A R = D. Kondrenkina (2018),
// I(3.3)-(3.8).
typedef struct mech_basis
{
  int rank, l;
  int* row;           // rank constraint numbers: the independent ones
  expr* Z;            // n by l
  expr* R;            // n by rank, to be divided by D
  expr D;             // common denominator of R
  const char** label; // l: name of the quasi-velocity, or of the coordinate whose velocity it is
  expr* v;            // l: its symbol
  expr* meaning;      // l: it in terms of q', EXPR_NONE where it is a velocity or not worth a line
  expr* W;            // l by n: the derivatives of the quasi-velocities by q': W Z = 1, W R = 0
  int declared;       // so many of them are declared in the model,
  const int* quasi;   // under these numbers; the others are completed
  expr* known;        // n: q' where all v are zero, on the constraints; EXPR_NONE where no such
                      // formula exists (nonlinear constraints or quasi-velocities)
  int assumptions;
  expr* assumption;
  int remarks; // about declared ones that are not among them
  mech_remark* remark;
} mech_basis;

// which declared ones are taken, and in which order
typedef enum mech_basis_kind {
  MECH_VELOCITIES_FIRST,    // quasi-velocities, then pseudo-accelerations
  MECH_ACCELERATIONS_FIRST, // pseudo-accelerations, then quasi-velocities
  MECH_LINEAR_VELOCITIES    // quasi-velocities affine in q' only
} mech_basis_kind;

mech_basis* mech_basis_choose(const mech_system* s, const mech_choice* choice, mech_basis_kind kind,
                              base_arena* arena, base_notes* notes);
// its assumptions and remarks
void mech_basis_tell(mech_equations* e, const mech_system* s, const mech_basis* b);
// null, or the constraint that keeps q' from being affine in quasi-velocities, in words
const char* mech_basis_obstacle(const mech_system* s, base_arena* arena);
