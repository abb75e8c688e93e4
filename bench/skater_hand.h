// The skater of models/skater_benchmark.zw as one would write it by hand in C.
#pragma once

#include <stdbool.h>

// accelerations (xi, theta, eta) from places and velocities in the same order
void skater_hand_accelerations(const double q[3], const double v[3], double a[3]);
// the whole run, 15 s in 501 rows, as the table zwang writes; false if it cannot be written
bool skater_hand_table(const char* path);
// the run alone; returns its steps and gives the place at the end
long skater_hand_run(double q[3]);
