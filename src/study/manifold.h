// Stable and unstable manifolds of a saddle, where they are curves. Part of study's door.
#pragma once

#include "mech/mech.h"

typedef struct study_manifold_options
{
  double period; // s, of a periodic motion; 0: that of the equations, or a steady motion
  double until;  // s that a curve is followed over; infinite: until it could have come back
  double tolerance;
  int given; // equations in place of the model's initial ones
  const model_initial* state;
} study_manifold_options;

// one of the two curves on both sides of the saddle
typedef struct study_manifold
{
  bool stable;
  int side;      // 1, -1: along the eigenvector or against it
  double rate;   // the eigenvalue, or the multiplier
  double length; // of the curve, all parts of the state being measured alike
  double back;   // how near it comes to the saddle again, behind its farthest point
  const char* ends;
  int points;
  double* point; // t, q, v of each; t is the time from the first on, below zero on stable ones
} study_manifold;

typedef struct study_manifolds
{
  base_arena* arena;
  const model* model;
  int n;
  double t, period; // 0: a steady motion
  double *q, *v;
  int unstable, stable; // dimensions; curves are followed where there is one
  int count;
  study_manifold curve[4];
} study_manifolds;

// Null with errors noted.
study_manifolds* study_manifolds_find(mech_system* s, const study_manifold_options* o,
                                      base_notes* notes);
void study_manifolds_free(study_manifolds* r);
