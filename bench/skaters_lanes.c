// Many skaters by hand, eight abreast: the loop of skaters_hand.c with a vector of eight in the
// place of each number. Every lane has its own mass, time and step; one that is done takes the next
// skater.
#include "skaters_hand.h"

#include <math.h>
#include <stdint.h>

enum { LANES = 8 };
typedef double number __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t choice __attribute__((vector_size(LANES * sizeof(int64_t))));

static inline number all(double x)
{
  return (number){x, x, x, x, x, x, x, x};
}

static inline number pick(choice c, number yes, number no)
{
  return (number)((c & (choice)yes) | (~c & (choice)no));
}

static inline number larger(number a, number b)
{
  return pick(a > b, a, b);
}

static inline number smaller(number a, number b)
{
  return pick(a < b, a, b);
}

static inline number size(number a)
{
  return (number)((choice)a & INT64_MAX);
}

static inline number root(number a)
{
  for (int i = 0; i < LANES; i++) a[i] = __builtin_sqrt(a[i]);
  return a;
}

static inline number or_one(number a)
{
  return pick(a > 0, a, all(1));
}

// Sine and cosine of angles of some thousand turns at most: pi/2 in three parts (Cody and Waite
// 1980), then series about zero to the last digit on |r| <= pi/4.
static inline void both(number x, number* sine, number* cosine)
{
  const number big = all(0x1.8p52);
  const number shifted = x * 0x1.45f306dc9c883p-1 + big, n = shifted - big;
  const choice quadrant = (choice)shifted;
  number r = x - n * 0x1.921fb54400000p0;
  r = r - n * 0x1.0b4611a600000p-34;
  r = r - n * 0x1.3198a2e037073p-69;
  const number z = r * r;
  number s = z * (1 / 355687428096000.0) - 1 / 1307674368000.0;
  s = s * z + 1 / 6227020800.0;
  s = s * z - 1 / 39916800.0;
  s = s * z + 1 / 362880.0;
  s = s * z - 1 / 5040.0;
  s = s * z + 1 / 120.0;
  s = s * z - 1 / 6.0;
  s = r + r * z * s;
  number c = z * (-1 / 6402373705728000.0) + 1 / 20922789888000.0;
  c = c * z - 1 / 87178291200.0;
  c = c * z + 1 / 479001600.0;
  c = c * z - 1 / 3628800.0;
  c = c * z + 1 / 40320.0;
  c = c * z - 1 / 720.0;
  c = c * z + 1 / 24.0;
  c = c * z - 0.5;
  c = 1 + z * c;
  const choice odd = -(quadrant & 1);
  *sine = (number)((choice)pick(odd, c, s) ^ ((quadrant & 2) << 62));
  *cosine = (number)((choice)pick(odd, s, c) ^ (((quadrant + 1) & 2) << 62));
}

#include "skaters_step.h"

// the state of lane j at the start, with this mass
static void place(skater* s, int j, double m, number* y, number* t, number* h)
{
  s->drag[j] = k1 / (2 * m);
  s->spin[j] = L / (2 * m * l * l);
  for (int i = 0; i < N; i++) y[i][j] = i == U ? 7 : 0;
  (*t)[j] = 0;
  (*h)[j] = 0.1;
}

void skaters_hand_lanes(int count, const double* m, double tolerance, double (*q)[3])
{
  skater s = {0};
  number y[N] = {0}, y_new[N], k[13][N], t = all(0), h = all(0.1);
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
    const number e = step(&s, h, tolerance, y, k, y_new);
    const number factor =
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
