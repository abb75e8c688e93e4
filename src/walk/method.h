// The method of a run. Private to sim.
#pragma once

#include "walk/run.h"

// asked for by option or model, else chosen by the model and its tolerance; the reason is in the
// track. Null with an error noted.
const num_method* sim_method_choose(sim_job* r);
// the flow of the run, for this method
void sim_method_prepare(sim_job* r, const num_method* method);
// the initial state with as many digits as the method has; false with an error noted
bool sim_method_refine(sim_job* r);
// start the steps of the run at t
num_status sim_method_start(sim_job* r, double t);
// Where a chosen method cannot go on, another may: true if one goes on from the last step.
bool sim_method_fall_back(sim_job* r, const char* reason);
