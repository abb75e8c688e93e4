// Private to walk: slip that begins where friction has just come to its limit.
#pragma once

#include "walk/run.h"

// The grips found at the instant stick, and reach their limits there; y: the state at t, which is
// also the engine's. On success they slip, the engine is at a later time with a good part of slip,
// which is given back, and *work is that of the forces until then. nan: the engine is as it was,
// begin it by an impulse; the flow's quasi-velocities have to be chosen anew.
double walk_onset(walk_job* r, const walk_instant* in, double t, const double* y, double* work);
// d(|T| - mu N)/dt of grip i at t in the last step; nan where not known
double walk_onset_rate(walk_job* r, int i, double t);
