// Private to sim: the nearest point of a base to a body in flight.
#pragma once

#include "sim/watch.h"

// what is looked at, into `out` if not null; how many
int sim_foot_list(const model* m, expr* out);
// is contact i open, on a base that may be near in several places?
bool sim_foot_is_followed(const sim_engine* e, int i);
// put the point of the base that is the nearest of all in the state in the input block, whatever
// was there; false where it is not found
bool sim_foot_seed(sim_engine* e, int i);
// follow the nearest point at the state in the input block; 0, or 1 with e->reason
int sim_foot_change(sim_engine* e, int i);
// where another point is nearer in the last step from time `from` on, into w->found
void sim_foot_look(sim_watch* w, double from);
