// <math.h> as far as the functions of emscripten's C library need it where functions.sh makes them for this machine, without
// the declarations of the library that is here.
#pragma once

typedef double double_t;
typedef float float_t;
#define NAN         __builtin_nan("")
#define INFINITY    __builtin_inf()
#define isnan(X)    __builtin_isnan(X)
#define isinf(X)    __builtin_isinf(X)
#define isfinite(X) __builtin_isfinite(X)
#define signbit(X)  __builtin_signbit(X)

double fabs(double), floor(double), scalbn(double, int), sqrt(double);
double exp(double), expm1(double), exp2(double), log(double), log1p(double), log2(double), log10(double);
double pow(double, double), cbrt(double), hypot(double, double);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double);
double sinh(double), cosh(double), tanh(double), asinh(double), acosh(double), atanh(double);
void sincos(double, double*, double*);
