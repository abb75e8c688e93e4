// A chain of eight equal pendulums in a plane by hand, as in pendulum8.zw.
#pragma once

enum { PENDULUM_LINKS = 8 };

// angular accelerations from the angles to the vertical and their rates
void pendulum_hand_accelerations(const double* q, const double* v, double* a);
// 10 s of it; returns the steps
long pendulum_hand_run(void);
