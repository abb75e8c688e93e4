// The rolling disc of models/rolling_disc.zw as one would write it by hand in C.
#pragma once

// accelerations of yaw, lean, spin, x and y from these and their rates
void disc_hand_accelerations(const double q[5], const double v[5], double a[5]);
