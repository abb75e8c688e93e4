// Private to sim: contacts of surfaces that come apart in a run, and meet again.
#pragma once

#include "walk/run.h"

// before the first step: which contacts are watched
void sim_leave_start(sim_engine* e);
// what the last step holds from time `from` on, into w->found
void sim_leave_look(sim_watch* w, double from);
// The contact found leaves, or its surfaces meet again; true when `change` is to be made there,
// else the run goes on or is over.
bool sim_leave_happen(sim_job* r, const sim_found* found, const double* y, model_change* change);
