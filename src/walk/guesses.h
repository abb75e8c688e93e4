// Guesses of the initial state that had to give way. Private to walk.
#pragma once

#include "engine/engine.h"
#include "walk/walk.h"

// At the engine's state, which started from `guess` (2n); open: what the equations leave so. The
// list is made anew, in its arena.
void walk_guesses_note(engine* e, int count, const model_initial* initial, const double* guess,
                       const bool* open, const base_notes* notes, walk_guesses* g);
