// Energies that jump at a corner. Private to walk.
#pragma once

#include "walk/run.h"

// H, T and V, and behind them the n momenta, at the engine's state and sides
void walk_energy_read(engine* e, double* out);
// From one side of the corners that were found to the other, at one state: 0, or 1 with the
// engine's reason where an energy jumps. What comes from outside is noted.
int walk_energy_leaps(walk_job* r, const walk_found* found, int count, const double* before,
                      const double* after);
