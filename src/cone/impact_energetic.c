// An impact on one contact with friction, followed through its impulse, with energetic restitution.
//
// The relative velocities answer the impulses, (g, u) = q + D (P, T). With the normal impulse P as
// time (Darboux 1880, Routh 1905, Keller 1986) friction acts as in any slip: dT = -mu u/|u| dP, or
// what holds u = 0 where the cone admits it; where it does not, slip goes on along the direction d
// from rest in which it grows, D_un - mu D_uu d = k d, k > 0. The work of the normal impulse,
// W' = g, is lost in compression, to g = 0; expansion ends where e^2 of that has been given back
// (Stronge 1990). So slip may stop or turn in the middle of an impact, and no energy is made.
//
// In the plane, and from rest, all of it is piecewise linear in P. In space the direction of slip
// turns: with ds = dP/|u| its equations are smooth up to where it ends.
#include "cone/contact.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

enum { parts = 7, most_stretches = 40, most_steps = 20000, directions = 96 };

// g, u, P, T, W in this order
typedef struct blow
{
  double y[parts];
  double D[3][3], mu, e;
  int t;
  double size; // of the velocities before
  bool expands;
  double target; // W at which it ends
} blow;

static double slip_of(const double* y)
{
  return hypot(y[1], y[2]);
}

// rates by P of everything, friction being f per unit of P
static void along(const blow* b, const double* y, const double f[2], double rate[parts])
{
  for (int k = 0; k < 3; k++) rate[k] = b->D[k][0] + b->D[k][1] * f[0] + b->D[k][2] * f[1];
  rate[3] = 1;
  rate[4] = f[0];
  rate[5] = f[1];
  rate[6] = y[0];
}

// friction that holds u = 0; false where the cone does not admit it
static bool holds(const blow* b, double f[2])
{
  const double(*D)[3] = b->D;
  f[1] = 0;
  if (b->t == 1) {
    f[0] = D[1][1] > 0 ? -D[1][0] / D[1][1] : 0;
  } else {
    const double det = D[1][1] * D[2][2] - D[1][2] * D[2][1];
    f[0] = (-D[1][0] * D[2][2] + D[2][0] * D[1][2]) / det;
    f[1] = (-D[2][0] * D[1][1] + D[1][0] * D[2][1]) / det;
  }
  return hypot(f[0], f[1]) <= b->mu;
}

// across the direction at this angle: how far slip from rest along it would turn away
static double turns(const blow* b, double angle, double* grows)
{
  const double d[2] = {cos(angle), sin(angle)};
  double a[2];
  for (int k = 0; k < 2; k++)
    a[k] = b->D[k + 1][0] - b->mu * (b->D[k + 1][1] * d[0] + b->D[k + 1][2] * d[1]);
  *grows = a[0] * d[0] + a[1] * d[1];
  return a[1] * d[0] - a[0] * d[1];
}

// friction of slip that begins from rest; false: no direction was found
static bool begins(const blow* b, double f[2])
{
  const double step = 8 * atan(1) / directions;
  double grows;
  f[1] = 0;
  if (b->t == 1) {
    f[0] = b->D[1][0] > 0 ? -b->mu : b->mu;
    return true;
  }
  for (int i = 0; i < directions; i++) {
    double low = i * step, high = low + step;
    const double from = turns(b, low, &grows);
    if (from * turns(b, high, &grows) > 0) continue;
    for (int k = 0; k < 60; k++) {
      const double middle = (low + high) / 2;
      if (from * turns(b, middle, &grows) > 0)
        low = middle;
      else
        high = middle;
    }
    turns(b, low, &grows);
    if (!(grows > 0)) continue;
    f[0] = -b->mu * cos(low);
    f[1] = -b->mu * sin(low);
    return true;
  }
  return false;
}

// g has come to zero: from here on e^2 of the work lost is given back
static void turn_back(blow* b)
{
  b->y[0] = 0;
  b->expands = true;
  b->target = (1 - b->e * b->e) * b->y[6];
}

// P until g = 0 in compression, or until the work is given back, along constant rates; infinite
static double until_phase(const blow* b, double rate)
{
  const double g = b->y[0], left = b->target - b->y[6];
  if (!b->expands) return rate > 0 ? fmax(0, -g / rate) : INFINITY;
  if (rate < 0) return -g / rate;
  return rate > 0 ? (sqrt(g * g + 2 * rate * left) - g) / rate : left / g;
}

// no friction, or slip that begins; slip in the plane; none
typedef enum stretch { FREELY, SLIPPING, STICKING } stretch;

// One stretch with constant rates. True when the impact is over.
static bool go_straight(blow* b, const double f[2], stretch how)
{
  double rate[parts];
  along(b, b->y, f, rate);
  const double u = b->y[1], phase = until_phase(b, rate[0]);
  const double stop = how == SLIPPING && u * rate[1] < 0 ? -u / rate[1] : INFINITY,
               P = fmin(phase, stop);
  if (!isfinite(P)) return true;
  b->y[6] += P * (b->y[0] + P / 2 * rate[0]);
  for (int k = 0; k < 6; k++) b->y[k] += P * rate[k];
  if (stop <= phase) b->y[1] = 0;
  if (how == STICKING) b->y[1] = b->y[2] = 0;
  if (phase > stop) return false;
  if (b->expands) return true;
  turn_back(b);
  return b->e == 0;
}

// ---- slip that turns ----------------------------------------------------------------------------

static void rates_of_slip(const blow* b, const double* y, double rate[parts])
{
  const double size = slip_of(y), f[2] = {-b->mu * y[1], -b->mu * y[2]};
  for (int k = 0; k < 3; k++) rate[k] = b->D[k][0] * size + b->D[k][1] * f[0] + b->D[k][2] * f[1];
  rate[3] = size;
  rate[4] = f[0];
  rate[5] = f[1];
  rate[6] = y[0] * size;
}

// a step of Dormand and Prince's pair of order 5; its error over the sizes
static double step(const blow* b, const double* y, double h, double* out)
{
  static const double a[6][6] = {
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  double k[7][parts], x[parts], worst = 0;
  rates_of_slip(b, y, k[0]);
  for (int s = 0; s < 6; s++) {
    for (int i = 0; i < parts; i++) {
      x[i] = y[i];
      for (int j = 0; j <= s; j++) x[i] += h * a[s][j] * k[j][i];
    }
    rates_of_slip(b, x, k[s + 1]);
  }
  memcpy(out, x, sizeof x);
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int s = 0; s < 7; s++) sum += h * e[s] * k[s][i];
    worst = fmax(worst, fabs(sum));
  }
  return worst / (cone_blow_exact * b->size);
}

// what ends the phase has been passed at y?
static bool is_past(const blow* b, const double* y)
{
  return b->expands ? y[6] >= b->target || y[0] < 0 : y[0] > 0;
}

// Along the turning slip, to its end or that of the phase. True when the impact is over.
static bool go_round(blow* b)
{
  double h = 0.1 / (b->mu * (b->D[1][1] + b->D[2][2]) + b->D[0][0]), x[parts];
  for (int n = 0; n < most_steps; n++) {
    if (slip_of(b->y) <= cone_blow_stops * b->size) {
      b->y[1] = b->y[2] = 0;
      return false;
    }
    const double error = step(b, b->y, h, x);
    const double factor = error > 0 ? 0.9 * pow(error, -0.2) : 4;
    if (error > 1) {
      h *= fmax(0.2, factor);
      continue;
    }
    if (is_past(b, x)) {
      double low = 0, high = h;
      for (int k = 0; k < 100 && low < (low + high) / 2 && (low + high) / 2 < high; k++) {
        const double middle = (low + high) / 2;
        step(b, b->y, middle, x);
        if (is_past(b, x))
          high = middle;
        else
          low = middle;
      }
      step(b, b->y, high, b->y);
      if (b->expands) return true;
      turn_back(b);
      return b->e == 0;
    }
    memcpy(b->y, x, sizeof x);
    h *= fmin(4, fmax(0.2, factor));
  }
  return true;
}

// ---- the whole ----------------------------------------------------------------------------------

// True: it is over, and nothing approaches any more.
static bool follow(blow* b)
{
  double f[2];
  for (int n = 0; n < most_stretches; n++) {
    const double slip = slip_of(b->y);
    bool over;
    f[0] = f[1] = 0;
    if (b->mu == 0 || b->t == 0) {
      over = go_straight(b, f, FREELY);
    } else if (slip == 0) {
      const bool sticks = holds(b, f);
      if (!sticks && !begins(b, f)) return false;
      over = go_straight(b, f, sticks ? STICKING : FREELY);
    } else if (b->t == 1) {
      f[0] = b->y[1] > 0 ? -b->mu : b->mu;
      over = go_straight(b, f, SLIPPING);
    } else {
      over = go_round(b);
    }
    if (over) return b->y[0] >= -cone_impact_closing * b->size;
  }
  return false;
}

bool cone_impact_energetic(cone_contact* f, double e, double* force)
{
  blow b = {.mu = f->mu[0], .e = e, .t = f->t};
  for (int i = 0; i <= f->t; i++) {
    b.y[i] = f->q[i];
    b.size = hypot(b.size, f->q[i]);
    for (int j = 0; j <= f->t; j++) b.D[i][j] = f->D[(size_t)i * f->rows + j];
  }
  if (fabs(hypot(b.y[1], b.y[2])) <= cone_blow_stops * b.size) b.y[1] = b.y[2] = 0;
  if (!follow(&b)) return false;
  for (int k = 0; k <= f->t; k++) force[k] = b.y[3 + k];
  return true;
}
