// Many skaters by hand: one after the other, everything in one loop.
#pragma once

// the place (xi, eta, theta) of a skater of mass m at each end after 15 s; returns the steps made
long sweep_hand_run(double m, double tolerance, double q[3]);
