// Power series of the test problems' solutions, by hand: c[k*n + i], as step_ode.series wants them.
#pragma once

#include <math.h>

static int oscillator_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context, (void)t;
  c[0] = y[0];
  c[1] = y[1];
  for (int k = 0; k < order; k++) {
    c[2 * k + 2] = c[2 * k + 1] / (k + 1);
    c[2 * k + 3] = -c[2 * k] / (k + 1);
  }
  return 0;
}

// g = x^2 + y^2,  w = g^(-3/2):  g w' = -3/2 g' w
static int kepler_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context, (void)t;
  double g[64], w[64];
  for (int i = 0; i < 4; i++) c[i] = y[i];
  for (int k = 0; k < order; k++) {
    g[k] = 0;
    for (int j = 0; j <= k; j++)
      g[k] += c[4 * j] * c[4 * (k - j)] + c[4 * j + 1] * c[4 * (k - j) + 1];
    w[k] = k ? 0 : 1 / (g[0] * sqrt(g[0]));
    for (int j = 0; j < k; j++) w[k] += (-1.5 * (k - j) - j) * g[k - j] * w[j];
    if (k) w[k] /= k * g[0];
    double a[2] = {0, 0};
    for (int j = 0; j <= k; j++)
      for (int i = 0; i < 2; i++) a[i] -= c[4 * j + i] * w[k - j];
    for (int i = 0; i < 2; i++) {
      c[4 * k + 4 + i] = c[4 * k + 2 + i] / (k + 1);
      c[4 * k + 6 + i] = a[i] / (k + 1);
    }
  }
  return 0;
}

static int logistic_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context, (void)t;
  c[0] = y[0];
  for (int k = 0; k < order; k++) {
    double sum = c[k];
    for (int j = 0; j <= k; j++) sum -= c[j] * c[k - j];
    c[k + 1] = sum / (k + 1);
  }
  return 0;
}

static int prothero_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context;
  double cosine = cos(t), sine = sin(t);
  c[0] = y[0];
  for (int k = 0; k < order; k++) {
    c[k + 1] = (-200 * (c[k] - cosine) - sine) / (k + 1);
    const double next = -sine / (k + 1);
    sine = cosine / (k + 1);
    cosine = next;
  }
  return 0;
}

static int decay_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context, (void)t;
  c[0] = y[0];
  for (int k = 0; k < order; k++) c[k + 1] = -c[k] / (k + 1);
  return 0;
}

static int nothing_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context, (void)t, (void)y, (void)order, (void)c;
  return 0;
}

// an oscillator, and beside it the integral of sin(500 t)
static int recorded_series(void* context, double t, const double* y, int order, double* c)
{
  (void)context;
  double cosine = cos(500 * t), sine = sin(500 * t);
  for (int i = 0; i < 3; i++) c[i] = y[i];
  for (int k = 0; k < order; k++) {
    c[3 * k + 3] = c[3 * k + 1] / (k + 1);
    c[3 * k + 4] = -c[3 * k] / (k + 1);
    c[3 * k + 5] = sine / (k + 1);
    const double next = -500 * sine / (k + 1);
    sine = 500 * cosine / (k + 1);
    cosine = next;
  }
  return 0;
}
