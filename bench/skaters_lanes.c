// Many skaters by hand, eight abreast: the loop of skaters_hand.c with a vector of eight in the
// place of each number. Every lane has its own mass, time and step; one that is done takes the next
// skater.
#include "skaters_hand.h"

#include "step/dop853_table.h"

#include <math.h>
#include <stdint.h>

enum { LANES = 8 };
enum { XI, ETA, THETA, U, W, N };
static const double l = 1, k1 = 0.6, L = 1, t_end = 15;

typedef double vector __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t choice __attribute__((vector_size(LANES * sizeof(int64_t))));

typedef struct skaters
{
  vector drag, spin; // k/(2 m), L/(2 m l^2)
} skaters;

static inline vector all(double x)
{
  return (vector){x, x, x, x, x, x, x, x};
}

static inline vector pick(choice c, vector yes, vector no)
{
  return (vector)((c & (choice)yes) | (~c & (choice)no));
}

static inline vector larger(vector a, vector b)
{
  return pick(a > b, a, b);
}

static inline vector smaller(vector a, vector b)
{
  return pick(a < b, a, b);
}

static inline vector size(vector a)
{
  return (vector)((choice)a & INT64_MAX);
}

static inline vector root(vector a)
{
  for (int i = 0; i < LANES; i++) a[i] = __builtin_sqrt(a[i]);
  return a;
}

// Sine and cosine of angles of some thousand turns at most: pi/2 in three parts (Cody and Waite
// 1980), then series about zero to the last digit on |r| <= pi/4.
static inline void both(vector x, vector* sine, vector* cosine)
{
  const vector big = all(0x1.8p52);
  const vector shifted = x * 0x1.45f306dc9c883p-1 + big, n = shifted - big;
  const choice quadrant = (choice)shifted;
  vector r = x - n * 0x1.921fb54400000p0;
  r = r - n * 0x1.0b4611a600000p-34;
  r = r - n * 0x1.3198a2e037073p-69;
  const vector z = r * r;
  vector s = z * (1 / 355687428096000.0) - 1 / 1307674368000.0;
  s = s * z + 1 / 6227020800.0;
  s = s * z - 1 / 39916800.0;
  s = s * z + 1 / 362880.0;
  s = s * z - 1 / 5040.0;
  s = s * z + 1 / 120.0;
  s = s * z - 1 / 6.0;
  s = r + r * z * s;
  vector c = z * (-1 / 6402373705728000.0) + 1 / 20922789888000.0;
  c = c * z - 1 / 87178291200.0;
  c = c * z + 1 / 479001600.0;
  c = c * z - 1 / 3628800.0;
  c = c * z + 1 / 40320.0;
  c = c * z - 1 / 720.0;
  c = c * z + 1 / 24.0;
  c = c * z - 0.5;
  c = 1 + z * c;
  const choice odd = -(quadrant & 1);
  *sine = (vector)((choice)pick(odd, c, s) ^ ((quadrant & 2) << 62));
  *cosine = (vector)((choice)pick(odd, s, c) ^ (((quadrant + 1) & 2) << 62));
}

static inline __attribute__((always_inline)) void rates(const skaters* s, const vector* y,
                                                        vector* dy)
{
  vector sine, cosine;
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

static inline __attribute__((always_inline)) vector
step(const skaters* s, vector h, double tolerance, const vector* y, vector k[13][N], vector* y_new)
{
  vector w[N], most5 = all(0), most3 = all(0);
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
    const vector slope = b_0 * K(0) + b_5 * K(5) + b_6 * K(6) + b_7 * K(7) + b_8 * K(8) +
                         b_9 * K(9) + b_10 * K(10) + b_11 * K(11);
    y_new[i] = y[i] + h * slope;
    const vector e5 = e_0 * K(0) + e_5 * K(5) + e_6 * K(6) + e_7 * K(7) + e_8 * K(8) + e_9 * K(9) +
                      e_10 * K(10) + e_11 * K(11);
    const vector e3 = slope - w_0 * K(0) - w_8 * K(8) - w_11 * K(11);
    const vector unit = 1 / (tolerance + tolerance * larger(size(y[i]), size(y_new[i])));
    most5 += e5 * unit * (e5 * unit);
    most3 += e3 * unit * (e3 * unit);
  }
  const vector below = most5 + 0.01 * most3;
  return h * most5 / root(N * pick(below > 0, below, all(1)));
}

// the state of lane j at the start, with this mass
static void place(skaters* s, int j, double m, vector* y, vector* t, vector* h)
{
  s->drag[j] = k1 / (2 * m);
  s->spin[j] = L / (2 * m * l * l);
  for (int i = 0; i < N; i++) y[i][j] = i == U ? 7 : 0;
  (*t)[j] = 0;
  (*h)[j] = 0.1;
}

void skaters_hand_lanes(int count, const double* m, double tolerance, double (*q)[3])
{
  skaters s = {0};
  vector y[N] = {0}, y_new[N], k[13][N], t = all(0), h = all(0.1);
  int run[LANES], next = 0, busy = 0;
  for (int j = 0; j < LANES; j++) {
    run[j] = next < count ? next : -1;
    busy += run[j] >= 0;
    place(&s, j, next < count ? m[next] : 1, y, &t, &h);
    next++;
  }
  rates(&s, y, k[0]);
  while (busy) {
    h = pick(t + 1.01 * h > t_end, t_end - t, h);
    const vector e = step(&s, h, tolerance, y, k, y_new);
    const vector factor =
        smaller(larger(0.9 / root(root(root(larger(e, all(1e-16))))), all(1.0 / 3)), all(6));
    const choice good = e < 1;
    const choice last = good & (h == t_end - t);
    t = pick(good, t + h, t);
    for (int i = 0; i < N; i++) y[i] = pick(good, y_new[i], y[i]);
    h *= factor;
    for (int j = 0; j < LANES; j++) {
      if (!last[j]) continue;
      for (int i = 0; i < 3 && run[j] >= 0; i++) q[run[j]][i] = y[i][j];
      busy -= run[j] >= 0;
      run[j] = next < count ? next : -1;
      busy += run[j] >= 0;
      place(&s, j, next < count ? m[next] : 1, y, &t, &h);
      next++;
    }
    rates(&s, y, k[0]);
  }
}
