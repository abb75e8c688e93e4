// The recursion along a tree on a tape. Private to the room.
#pragma once

#include "code/solve.h"

// values of (w, v)
typedef struct code_six
{
  uint32_t at[6];
} code_six;

// an inertia: mass, first moments, tensor xx yy zz xy xz yz
typedef struct code_inertia
{
  uint32_t m, h[3], J[6];
} code_inertia;

// one node with its values; see tree.c for what they mean
typedef struct code_limb
{
  int parent, joints;
  const int* unknown;
  uint32_t T[9], r[3];
  bool turns, shifts; // T is not the identity, r not zero
  code_inertia own;
  uint32_t spin[3], drift[3], spin_rate[3], drift_rate[3]; // against the parent
  uint32_t w[3];                                           // angular velocity, in its own axes
  uint32_t ww[6];                                          // products of its parts, as in a tensor
  code_six bias;    // of its acceleration beside the parent's and what its joints give
  code_six force;   // that its own masses take for turning
  code_six* S;      // of each joint
  uint32_t K[36];   // what is behind it, seen from its origin; in the end less what its joints take
  code_inertia all; // all masses behind it, for the guard
  double mass, reach; // bounds of them in every position, nan where they are no numbers: the mass,
                      // and the sum of masses times squared distances from the origin
  bool weighed;       // all: asked for
  code_six* L;        // of each joint: K S over its pivot
  uint32_t* inverse;  // of each pivot
  uint32_t guard;     // of all pivots behind it
  uint32_t*
      among; // joints by joints: what a joint has in common with those after it, over its pivot
} code_limb;

// an empty vector
code_six code_six_none(void);
uint32_t code_six_dot(code_maker* m, const code_six* a, const code_six* b);
// x + a s
void code_six_add(code_maker* m, code_six* x, const code_six* a, uint32_t s);
// a motion of the parent as the node has it before its joints move, a force of the node as the
// parent has it
code_six code_limb_motion(code_maker* m, const code_limb* l, const code_six* parent);
code_six code_limb_force(code_maker* m, const code_limb* l, const code_six* own);
// w, the bias and the force of a node that moves; parent: null for the world, in which all falls
void code_limb_moves(code_maker* m, code_limb* l, const code_limb* parent,
                     const uint32_t gravity[3]);
// the bounds of a node's own masses; those of the parent grow by those of the node
void code_limb_measure(const code_maker* m, code_limb* l);
void code_limb_measure_hung(const code_maker* m, const code_limb* l, code_limb* parent);
// a bound of x . (inertia x) with all masses behind it, in every position; nan if it has none
double code_limb_most(const code_maker* m, const code_limb* l, const code_six* x);
// K of the parent grows by that of the node, its masses by those behind the node if they are asked
// for
void code_limb_hang(code_maker* m, const code_limb* l, code_limb* parent);
// K of the node's own masses
void code_limb_start(code_maker* m, code_limb* l);
code_six code_limb_times(code_maker* m, const uint32_t K[36], const code_six* x);
// x . (inertia x)
uint32_t code_limb_energy(code_maker* m, const code_inertia* b, const code_six* x);
