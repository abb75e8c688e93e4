// The method of a run. Private to walk.
#pragma once

#include "walk/run.h"

// an engine for the method asked for, or to be chosen; null with errors noted
engine* walk_method_engine(const walk_job* r);
// asked for by option or model, else chosen by the model and its tolerance; the reason is in the
// track. Null with an error noted.
const step_method* walk_method_choose(walk_job* r);
// the flow of the run, for this method
void walk_method_prepare(walk_job* r, const step_method* method);
// the initial state with as many digits as the method has; false with an error noted
bool walk_method_refine(walk_job* r);
// start the steps of the run at t
step_status walk_method_start(walk_job* r, double t);
// the stepper, made anew where the implicit form has other unknowns than it was made for
step_stepper* walk_method_renew(walk_job* r);
// Where a chosen method cannot go on, another may: true if one goes on from the last step.
// stiff: steps that succeed are far shorter than the motion asks for.
__attribute__((cold)) bool walk_method_fall_back(walk_job* r, const char* reason, bool stiff);
// go on from the last step by this method
bool walk_method_change(walk_job* r, const step_method* method, const char* reason);
