// A step of skaters by hand, with numbers or with vectors of them: who includes it says what a
// `number` is, and all, larger, size, root, both (sine and cosine) and or_one (x, or 1 where that
// is zero) of it.
#pragma once

#include "step/dop853_table.h"

enum { XI, ETA, THETA, U, W, N };
static const double l = 1, k1 = 0.6, L = 1, t_end = 15;

typedef struct skater
{
  number drag, spin; // k/(2 m), L/(2 m l^2)
} skater;

static inline __attribute__((always_inline)) void rates(const skater* s, const number* y,
                                                        number* dy)
{
  number sine, cosine;
  both(y[THETA], &sine, &cosine);
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

static inline __attribute__((always_inline)) number
step(const skater* s, number h, double tolerance, const number* y, number k[13][N], number* y_new)
{
  number w[N], most5 = all(0), most3 = all(0);
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
    const number slope = b_0 * K(0) + b_5 * K(5) + b_6 * K(6) + b_7 * K(7) + b_8 * K(8) +
                         b_9 * K(9) + b_10 * K(10) + b_11 * K(11);
    y_new[i] = y[i] + h * slope;
    const number e5 = e_0 * K(0) + e_5 * K(5) + e_6 * K(6) + e_7 * K(7) + e_8 * K(8) + e_9 * K(9) +
                      e_10 * K(10) + e_11 * K(11);
    const number e3 = slope - w_0 * K(0) - w_8 * K(8) - w_11 * K(11);
    const number unit = 1 / (tolerance + tolerance * larger(size(y[i]), size(y_new[i])));
    most5 += e5 * unit * (e5 * unit);
    most3 += e3 * unit * (e3 * unit);
  }
  const number below = most5 + 0.01 * most3;
  return h * most5 / root(N * or_one(below));
}
