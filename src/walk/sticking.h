// Private to walk: friction of surfaces that ends in sticking, and slipping that begins again.
#pragma once

#include "walk/run.h"

// contacts that do not slip at the state in the input block stick if friction suffices; 0, or 1
// with e->reason
int walk_stick_start(engine* e);
// has some slip come to an end with the last step? then the contact sticks or slips the other way
bool walk_stick_step(walk_job* r);
// the contact found begins to stick, or to slip; the steps start anew
void walk_stick_happen(walk_job* r, const walk_found* found, const double* y);
