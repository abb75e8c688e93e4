// Private to mech: velocities affine in quasi-velocities, both ways.
#pragma once

#include "mech/pseudo.h"

// n quasi-velocities w, affine in q': first the l independent ones, then the independent
// constraints, which are zero along the motion. q' = Z w + k, w = W q' + w0.
typedef struct mech_frame
{
  mech_pseudo* u; // u->pi are the derivatives of the first l
  int l, n;
  expr* w;        // n symbols: v, theta', blade
  expr *Z, *W;    // n by n
  expr* k;        // n
  expr* w0;       // n
  expr* meaning;  // n: W q' + w0
  expr* velocity; // n: q' along the motion, Z w + k with the constraints zero
} mech_frame;

// null where q' is not affine in them
mech_frame* mech_frame_choose(const mech_system* s, const mech_choice* choice, base_arena* arena,
                              base_notes* notes);
// an expression in q' as one in quasi-velocities, along the motion
expr mech_frame_in(const mech_system* s, const mech_frame* f, expr e);
// an expression in quasi-velocities as one in q'
expr mech_frame_out(const mech_system* s, const mech_frame* f, expr e);
// w by q', and q' by w (`all`: with the constraints among the w)
void mech_frame_define(mech_equations* e, const mech_system* s, const mech_frame* f, bool all);
