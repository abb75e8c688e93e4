// Private to walk: slip that begins where friction has just come to its limit.
#pragma once

#include "walk/run.h"

// Grip i sticks, and reaches its limit at t in the last step; y: the state there, which is also the
// engine's. On success the grip slips, the engine is at a later time with a good part of slip,
// which is given back, and *work is that of the forces until then. nan: the engine is as it was,
// begin it by an impulse; the flow's quasi-velocities have to be chosen anew.
// excess_rate: see below, as it was up to t.
double walk_onset(walk_job* r, int i, double t, const double* y, double excess_rate, double* work);
// d(|T| - mu N)/dt of grip i in the last step up to t; nan where not known
double walk_onset_rate(walk_job* r, int i, double t);
