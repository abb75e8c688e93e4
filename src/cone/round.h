// The round cone K = {y_0 >= |y_1|} of `size` numbers, one to three. Private to cone.
#pragma once

// y_0^2 - |y_1|^2, without cancellation
double cone_round_det(int size, const double* y);
double cone_round_dot(int size, const double* a, const double* b);
// the product of Jordan, and a o out = b
void cone_round_jordan(int size, const double* a, const double* b, double* out);
void cone_round_divide(int size, const double* a, const double* b, double* out);
// the share of the way d from y that stays in the cone, at most 1
double cone_round_share(int size, const double* y, const double* d);
// W^power on u, power 1, 2, -1, -2, W the scaling of direction w and length beta
void cone_round_scaled(int size, const double* w, double beta, int power, const double* u,
                       double* out);
