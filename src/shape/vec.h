// Vectors of three doubles. Private to shape.
#pragma once

#include <math.h>

static inline double vec_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vec_cross(const double a[3], const double b[3], double out[3])
{
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static inline void vec_sub(const double a[3], const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

// a + s b
static inline void vec_along(const double a[3], double s, const double b[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[k] + s * b[k];
}

static inline void vec_copy(const double a[3], double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = a[k];
}

static inline double vec_length(const double a[3])
{
  return sqrt(vec_dot(a, a));
}

static inline double vec_apart(const double a[3], const double b[3])
{
  double d[3];
  vec_sub(a, b, d);
  return vec_length(d);
}

// to length one; its length before
static inline double vec_unit(double a[3])
{
  const double l = vec_length(a);
  for (int k = 0; k < 3 && l > 0; k++) a[k] /= l;
  return l;
}
