// Checkpoints of a run: instants at which it starts anew. Private to walk.
//
// What a stepper, its kernels and the solvers remember of the way cannot be written down and read
// back. So a run that takes long is made to need none of it: after a number of steps that depends
// on the model alone it writes down what the motion goes on from (image.h), forgets everything, and
// begins again as whoever reads that does. A run that is broken off and taken up goes the same way.
#pragma once

#include "walk/run.h"

// after a step: starts anew where one is due
void walk_checkpoint_turn(walk_job* r);
// the run, at its start, goes on from the checkpoint it was given; it is over where that fails
void walk_checkpoint_take_up(walk_job* r);
// what it goes on from, and it goes on as whoever reads that does; false where that is not now
bool walk_checkpoint_make(walk_job* r, base_text* bytes);
// the run, at its start, goes on from what was written; false where that does not fit
bool walk_checkpoint_read(walk_job* r, const char* bytes, size_t n);
