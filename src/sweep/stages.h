// All stages of a step in one kernel: what runs side by side make of their rates. Private to sweep.
#pragma once

#include "code/code.h"
#include "step/step.h"

// Null where the rates are so long that they are better called stage by stage. Otherwise they
// divide no longer by what stays the same in a run.
code_kernel* sweep_stages_new(code_kernel** rates, const step_lanes_problem* p);
// Machine code for two blocks of lanes at once. False where that is not to be had or would not pay:
// then for one of them.
bool sweep_stages_pair(code_kernel* step, int width);
