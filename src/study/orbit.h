// Periodic motions: how a motion and its changes come back after a period. Private to study.
#pragma once

#include "study/stability.h"

extern const double study_orbit_closed; // states nearer than this, relative, are the same

typedef struct study_orbit
{
  study_linear* l;
  const bool* ignorable;
  bool timed;     // the equations depend on time: the period is theirs
  bool* angle;    // coordinates that may grow by 2 pi
  int d;          // dimension of the constraint surface
  double *W, *y;  // basis of its tangent space at the start, 2n by d; the end: (q, v, X)
  double* behind; // what the start misses of the end
  // it may come back after a turn (orbit_group.c): the group, and the map that leads the end back
  const study_symmetry* s;
  double* P;
  double left; // operations that the search may still take; the first flight is free
  bool searching;
} study_orbit;

// coordinates that may grow by a whole turn: the equations are the same after it
void study_orbit_angles(study_linear* l, const bool* ignorable, bool* angle);
study_orbit study_orbit_new(study_linear* l, const bool* ignorable, bool timed, base_arena* arena);
// Follow the motion from r's state over its period. Where it does not come back, the periodic
// motion next to it is looked for, and r's state and period become those of it. False with an
// error.
bool study_orbit_close(study_orbit* o, study_stability* r, base_notes* notes);

// follow o->y = (q, v, X) from t on; false with an error
bool study_orbit_fly(study_orbit* o, double t, double period, base_notes* notes);
// Multipliers of r that are nothing beside the largest, as they are (orbit_small.c); r closes.
void study_orbit_sharpen(study_orbit* o, study_stability* r);

// let the motion come back after a turn, none at first
void study_orbit_use_group(study_orbit* o, const study_symmetry* s, base_arena* arena);
// the turn that leads the end (q, v) of a motion nearest to r's state; what is left
double study_orbit_fit(study_orbit* o, const study_stability* r, const double* end);
// P <- exp(-delta) P
void study_orbit_turn(study_orbit* o, const double* delta);
// end and changes of the flight by P; nothing is done without a group
void study_orbit_lead_back(study_orbit* o);
// the turn itself, q -> C q + c; false where there is none
bool study_orbit_map(const study_orbit* o, double* C, double* c);
