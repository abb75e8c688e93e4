// Many skaters by hand: one after the other, everything in one loop.
#pragma once

// the place (xi, eta, theta) of a skater of mass m at each end after 15 s; returns the steps made
long skaters_hand_one(double m, double tolerance, double q[3]);
// the same for many, eight abreast (skaters_lanes.c)
void skaters_hand_lanes(int count, const double* m, double tolerance, double (*q)[3]);
