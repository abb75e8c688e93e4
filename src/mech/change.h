// Private to mech: a system in other velocities than those of its coordinates.
#pragma once

#include "mech/form.h"

// Legend: q' = Z v + k and q'' = Z a + b with l velocities v in place of the n velocities q', fewer
// where a constraint of the coordinates themselves (the norm of a quaternion) is left out with
// them; v = meaning(t, q, q'). E_i are the left sides of Lagrange's equations, G_i the forces:
//   sum_i Z_ip E_i = M a + h,   sum_i Z_ip G_i,   A Z a = c - A b
// are those of the changed system. Where Z and k belong to no coordinates its rows are Euler's.
struct mech_change
{
  const mech_system* from;
  mech_system* to;
  int l;
  expr *Z, *k, *b; // n by l, n, n
  expr* meaning;   // l
  bool* is_new;    // l: the velocity is none of a coordinate
  bool* gone;      // n: the coordinate's velocity is none of the changed system
  bool* left_out;  // m: so is the constraint
  expr* velocity;  // n: Z v + k
  expr* rate;      // l: the symbol of a', where it is new
  int assumptions;
  expr* assumption;
  base_arena* arena;
};

// one velocity or several that take the place of as many, or of one more
typedef struct mech_block
{
  int rows, columns;
  int* column;        // coordinates
  const char** label; // rows of each
  expr *v, *meaning;
  expr *Z, *k; // columns by rows, columns
  expr D;      // common denominator, taken into Z and k already
  int norm;    // the constraint that goes with them, -1: none
} mech_block;

typedef BASE_LIST(mech_block) mech_blocks;

// change_blocks.c: the angular velocities of orientations; declared quasi-velocities that are as
// many as the velocities that they are made of (`allowed`: those of the choice, null: all)
void mech_change_orientations(const mech_system* s, base_arena* arena, mech_blocks* out);
void mech_change_declared(const mech_system* s, const mech_choice* choice, base_arena* arena,
                          mech_blocks* out);

// Null where the form is written in the velocities of the coordinates.
mech_change* mech_change_make(const mech_system* s, mech_speeds speeds, const mech_choice* choice,
                              base_arena* arena);
// an expression of the first system as one of the changed
expr mech_change_in(const mech_change* c, expr e);
// change_inertia.c: M, h and T of the changed system
void mech_change_inertia(mech_change* c);
// The equations made of the changed system, told of the first: what the new velocities mean, and
// residuals in the state and the accelerations that everyone knows.
void mech_change_finish(const mech_change* c, mech_equations* e);
