// How far each coordinate swings along a periodic motion. Private to study.
#pragma once

#include "study/orbit.h"

// What is gathered along a motion, node by node of a rule for integrals over its period
struct study_swings
{
  int n;
  double t, period; // the start, and how long
  study_swing* of;  // n
  double* sums;     // n by 3: of q, q cos(w t), q sin(w t), each over the period
};
typedef struct study_swings study_swings;

study_swings study_swings_new(study_stability* r);
// a value that coordinate c takes, in this state (q, v)
void study_swings_reach(study_swings* s, int c, double value, const double* state);
// the coordinates at time t, which counts `weight` of the period
void study_swings_add(study_swings* s, double t, double weight, const double* q);
// the sums are whole; `end`: the coordinates after a period
void study_swings_finish(study_swings* s, const double* begin, const double* end);

// A motion that is followed anew: `begin` puts it to its start, `go` leads it to a later time and
// gives (q, v, a) there. False where it cannot be followed.
typedef struct study_followed
{
  bool (*begin)(void* context);
  bool (*go)(void* context, double t, double* x);
  void* context;
} study_followed;
// r's swings from it; none where it cannot be followed
void study_swings_follow(study_stability* r, const study_followed* f);
// the same of a smooth motion, by steps
void study_swings_by_steps(study_linear* l, study_stability* r);
