// losses: the energy that contacts have taken, where a model asks for it. Private to walk.
#pragma once

#include "walk/image.h"
#include "walk/instant.h"

void walk_losses_open(walk_job* r);
// the last step is known from one time to another
void walk_losses_along(walk_job* r, double from, double to, bool ends);
// from here on a motion that is given by its states; null: steps again
void walk_losses_follow(walk_job* r, walk_states_of states, void* motion);
// the engine is at the state before what happens; and behind it
void walk_losses_enter(walk_job* r);
// The same of each decision where several follow each other in what happens at once: impulses are
// those of the last one.
void walk_losses_before(walk_job* r);
void walk_losses_decided(walk_job* r);
void walk_losses_jump(walk_job* r, const walk_instant* in);
// before what is left of bounces is taken away, and behind that, with the contacts they were on
void walk_losses_stop(walk_job* r);
void walk_losses_stopped(walk_job* r, const bool* closing);
// a row for the time t of the last step shows what was lost up to there
void walk_losses_show(walk_job* r, double t);
// what a run is taken up with
void walk_losses_image(walk_image* m, walk_job* r);
