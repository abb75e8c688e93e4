// Many skaters by hand: derived on paper, the steps of Dormand and Prince of order 8(5,3) written
// out for five components with the right-hand side in them, error control as Hairer, Norsett and
// Wanner publish it (1993, II.5). The compiler may do all it can.
#include "skaters_hand.h"

#include "step/dop853_table.h"

#include <math.h>

enum { XI, ETA, THETA, U, W, N };
static const double l = 1, k1 = 0.6, L = 1, t_end = 15;

typedef struct skater
{
  double drag, spin; // k/(2 m), L/(2 m l^2)
} skater;

static inline __attribute__((always_inline)) void rates(const skater* s, const double* y,
                                                        double* dy)
{
  double sine, cosine;
  sincos(y[THETA], &sine, &cosine);
  dy[XI] = y[U] * cosine;
  dy[ETA] = y[U] * sine;
  dy[THETA] = y[W];
  dy[U] = -s->drag * y[U];
  dy[W] = s->spin;
}

#define STAGE(NUMBER, SUM)                               \
  do {                                                   \
    for (int i = 0; i < N; i++) w[i] = y[i] + h * (SUM); \
    rates(s, w, k[NUMBER]);                              \
  } while (0)
#define K(NUMBER) k[NUMBER][i]

static inline __attribute__((always_inline)) double
step(const skater* s, double h, double tolerance, const double* y, double k[13][N], double* y_new)
{
  double w[N], most5 = 0, most3 = 0;
  STAGE(1, a1_0 * K(0));
  STAGE(2, a2_0 * K(0) + a2_1 * K(1));
  STAGE(3, a3_0 * K(0) + a3_2 * K(2));
  STAGE(4, a4_0 * K(0) + a4_2 * K(2) + a4_3 * K(3));
  STAGE(5, a5_0 * K(0) + a5_3 * K(3) + a5_4 * K(4));
  STAGE(6, a6_0 * K(0) + a6_3 * K(3) + a6_4 * K(4) + a6_5 * K(5));
  STAGE(7, a7_0 * K(0) + a7_3 * K(3) + a7_4 * K(4) + a7_5 * K(5) + a7_6 * K(6));
  STAGE(8, a8_0 * K(0) + a8_3 * K(3) + a8_4 * K(4) + a8_5 * K(5) + a8_6 * K(6) + a8_7 * K(7));
  STAGE(9, a9_0 * K(0) + a9_3 * K(3) + a9_4 * K(4) + a9_5 * K(5) + a9_6 * K(6) + a9_7 * K(7) +
               a9_8 * K(8));
  STAGE(10, a10_0 * K(0) + a10_3 * K(3) + a10_4 * K(4) + a10_5 * K(5) + a10_6 * K(6) +
                a10_7 * K(7) + a10_8 * K(8) + a10_9 * K(9));
  STAGE(11, a11_0 * K(0) + a11_3 * K(3) + a11_4 * K(4) + a11_5 * K(5) + a11_6 * K(6) +
                a11_7 * K(7) + a11_8 * K(8) + a11_9 * K(9) + a11_10 * K(10));
  for (int i = 0; i < N; i++) {
    const double slope = b_0 * K(0) + b_5 * K(5) + b_6 * K(6) + b_7 * K(7) + b_8 * K(8) +
                         b_9 * K(9) + b_10 * K(10) + b_11 * K(11);
    y_new[i] = y[i] + h * slope;
    const double e5 = e_0 * K(0) + e_5 * K(5) + e_6 * K(6) + e_7 * K(7) + e_8 * K(8) + e_9 * K(9) +
                      e_10 * K(10) + e_11 * K(11);
    const double e3 = slope - w_0 * K(0) - w_8 * K(8) - w_11 * K(11);
    const double unit = tolerance + tolerance * fmax(fabs(y[i]), fabs(y_new[i]));
    most5 += e5 / unit * (e5 / unit);
    most3 += e3 / unit * (e3 / unit);
  }
  const double below = most5 + 0.01 * most3;
  return h * most5 / sqrt(N * (below > 0 ? below : 1));
}

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
