// Many skaters by hand: derived on paper, the steps of Dormand and Prince of order 8(5,3) written
// out for five components with the right-hand side in them, error control as Hairer, Norsett and
// Wanner publish it (1993, II.5). The compiler may do all it can.
#include "skaters_hand.h"

#include <math.h>

typedef double number;

static inline number all(double x)
{
  return x;
}

static inline number larger(number a, number b)
{
  return fmax(a, b);
}

static inline number size(number a)
{
  return fabs(a);
}

static inline number root(number a)
{
  return sqrt(a);
}

static inline number or_one(number a)
{
  return a > 0 ? a : 1;
}

static inline void both(number x, number* sine, number* cosine)
{
  sincos(x, sine, cosine);
}

#include "skaters_step.h"

long skaters_hand_one(double m, double tolerance, double q[3])
{
  const skater s = {k1 / (2 * m), L / (2 * m * l * l)};
  double y[N] = {[U] = 7}, y_new[N], k[13][N], t = 0, h = 0.1;
  long steps = 0;
  rates(&s, y, k[0]);
  while (t < t_end) {
    if (t + 1.01 * h > t_end) h = t_end - t;
    const double e = step(&s, h, tolerance, y, k, y_new);
    const double factor = fmin(fmax(0.9 * pow(fmax(e, 1e-16), -1.0 / 8), 1.0 / 3), 6);
    steps++;
    if (e < 1) {
      t = h == t_end - t ? t_end : t + h;
      for (int i = 0; i < N; i++) y[i] = y_new[i];
      rates(&s, y, k[0]);
    }
    h *= factor;
  }
  for (int i = 0; i < 3; i++) q[i] = y[i];
  return steps;
}
