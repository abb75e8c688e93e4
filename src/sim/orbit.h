// Periodic motions: how a motion and its changes come back after a period. Private to sim.
#pragma once

#include "sim/stability.h"

extern const double sim_orbit_closed; // states nearer than this, relative, are the same

typedef struct sim_orbit
{
  sim_linear* l;
  const bool* ignorable;
  bool timed;     // the equations depend on time: the period is theirs
  bool* angle;    // coordinates that may grow by 2 pi
  int d;          // dimension of the constraint surface
  double *W, *y;  // basis of its tangent space at the start, 2n by d; the end: (q, v, X)
  double* behind; // what the start misses of the end
} sim_orbit;

sim_orbit sim_orbit_new(sim_linear* l, const bool* ignorable, bool timed, base_arena* arena);
// Follow the motion from r's state over its period. Where it does not come back, the periodic
// motion next to it is looked for, and r's state and period become those of it. False with an
// error.
bool sim_orbit_close(sim_orbit* o, sim_stability* r, base_notes* notes);
