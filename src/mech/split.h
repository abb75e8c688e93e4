// Private to mech: dependent and independent coordinates.
#pragma once

#include "mech/form.h"

// The constraints solved for the accelerations of the dependent coordinates h (or, the same matrix,
// for their velocities): q_h'' = sum_v g_hv q_v'' + sum_k inverse_hk c_k. Do Shan (1973), (1.8).
typedef struct mech_split
{
  int rank, l;
  int* row;      // rank constraint numbers
  int* h;        // rank dependent coordinates
  int* v;        // l independent ones
  expr* g;       // rank by l
  expr* inverse; // rank by rank: of the minor of A in the rows and the columns h
  expr D;        // what is divided by
} mech_split;

// `allowed` (null: all): coordinates that may be dependent. Where they do not suffice, rank is less
// than that of the constraints.
mech_split* mech_split_choose(const mech_system* s, const mech_choice* choice, const bool* allowed,
                              base_arena* arena);
// z_v with z_v = 1 on v, g_hv on h: the columns of dq''/dq_v'', n by l
expr* mech_split_columns(const mech_system* s, const mech_split* k, base_arena* arena);
// the matrix g as definitions, `dotted` times dotted: g_z_x = dz''/dx''
void mech_split_define(mech_equations* e, const mech_system* s, const mech_split* k);
// Lambda of the constraints from the dependent equations: inverse^T (left - G)_h
void mech_split_reactions(mech_equations* e, const mech_system* s, const mech_sides* sides,
                          const mech_split* k, base_notes* notes);
