// All stages of a step in one kernel: what runs side by side make of their rates. Private to sweep.
#pragma once

#include "code/code.h"
#include "step/step.h"

// Null where the rates are so long that they are better called stage by stage.
code_kernel* sweep_stages_new(const code_kernel* rates, const step_lanes_problem* p, int width);
