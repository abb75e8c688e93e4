// Private to walk: slip that begins where friction has just come to its limit.
#pragma once

#include "walk/run.h"

// what begins: grips of surfaces found at the instant, which stick and reach their limits there; or
// rough contacts in space, whose friction acts against the acceleration of their slip
typedef struct walk_slip_kind walk_slip_kind;
extern const walk_slip_kind walk_slip_grips, walk_slip_contacts;

int walk_onset_count(const walk_job* r, const walk_slip_kind* kind, const walk_instant* in);
// y: the state at t, which is also the engine's. On success they slip by their laws, the engine is
// at a later time with a good part of slip, which is given back, and *work is that of the forces
// until then. nan: the engine is as it was, a grip is to begin by an impulse; the flow's
// quasi-velocities have to be chosen anew.
double walk_onset(walk_job* r, const walk_slip_kind* kind, const walk_instant* in, double t,
                  const double* y, double* work);
// d(|T| - mu N)/dt of grip i at t in the last step; nan where not known
double walk_onset_rate(walk_job* r, int i, double t);
