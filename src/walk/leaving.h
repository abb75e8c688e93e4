// Private to walk: contacts of surfaces that come apart in a run, and meet again.
#pragma once

#include "walk/run.h"

// before the first step: which contacts are watched
void walk_leave_start(engine* e);
// what the last step holds from time `from` on, into w->found
void walk_leave_look(walk_events* w, double from);
// The contact found leaves, or its surfaces meet again; true when `change` is to be made there,
// else the run goes on or is over.
bool walk_leave_happen(walk_job* r, const walk_found* found, const double* y, model_change* change);
