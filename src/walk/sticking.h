// Private to sim: friction of surfaces that ends in sticking, and slipping that begins again.
#pragma once

#include "walk/run.h"

// contacts that do not slip at the state in the input block stick if friction suffices; 0, or 1
// with e->reason
int sim_stick_start(sim_engine* e);
// where friction does not suffice any more during the last step, into w->found
void sim_stick_look(sim_watch* w, double from);
// has some slip come to an end with the last step? then the contact sticks or slips the other way
bool sim_stick_step(sim_job* r);
// the contact found begins to stick, or to slip; the steps start anew
void sim_stick_happen(sim_job* r, const sim_found* found, const double* y);
