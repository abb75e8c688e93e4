// The eight problems by hand: derivations on paper, in the coordinates with the fewest terms, for
// the compiler to put where they are used.
#pragma once

#include <math.h>

typedef struct precision_blade
{
  double M, J, a, b, k1, k2;
} precision_blade;

// A body on a blade at (x, y) along theta, its centre of mass (a, b) from there; y = x, y, theta,
// v along the blade, omega. In v and omega the kinetic energy is constant.
static inline void on_blade(const precision_blade* p, double torque, const double* y, double* dy)
{
  const double v = y[3], w = y[4], D = p->M * (p->J + p->M * p->a * p->a);
  const double F1 = p->M * p->a * w * w - p->k1 * v, F2 = torque - p->k2 * w - p->M * p->a * v * w;
  dy[0] = v * cos(y[2]);
  dy[1] = v * sin(y[2]);
  dy[2] = w;
  dy[3] = (p->J + p->M * (p->a * p->a + p->b * p->b)) / D * F1 + p->M * p->b / D * F2;
  dy[4] = p->M / D * (F2 + p->b * F1);
}

static inline void rhs_skater(double t, const double* y, double* dy)
{
  static const precision_blade p = {14, 14, 0.1, 0.05, 0.6, 0.1};
  (void)t;
  on_blade(&p, 1, y, dy);
}

static inline void rhs_sleigh(double t, const double* y, double* dy)
{
  static const precision_blade p = {1, 0.5, 0.3, 0.1, 0, 0};
  on_blade(&p, 2 * cos(2 * t), y, dy);
}

// two masses 1 on links of 1; y = q, q'. With d = q1 - q2:
//   2 a1 + cos d a2 = -sin d v2^2 - 2 g sin q1,  cos d a1 + a2 = sin d v1^2 - g sin q2
static inline void rhs_pendulum2(double t, const double* y, double* dy)
{
  const double g = 9.81, s1 = sin(y[0]), c1 = cos(y[0]), s2 = sin(y[1]), c2 = cos(y[1]);
  const double c = c1 * c2 + s1 * s2, s = s1 * c2 - c1 * s2;
  const double f1 = -s * y[3] * y[3] - 2 * g * s1, f2 = s * y[2] * y[2] - g * s2;
  const double over = 1 / (2 - c * c);
  (void)t;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = (f1 - c * f2) * over;
  dy[3] = (2 * f2 - c * f1) * over;
}

// Masses 1 on n massless links of 1, by the tensions T of the links: u along a link, across it n;
// a_i = g - T_i u_i + T_i+1 u_i+1, and along link i, across which it turns,
//   (a_i - a_i-1).u_i = -w_i^2,  (a_i - a_i-1).n_i = w_i'
// is a tridiagonal system for T, then w'.
static inline void rhs_pendulum8(double t, const double* y, double* dy)
{
  enum { n = 8 };
  const double g = 9.81, *w = y + n;
  double s[n], c[n], along[n], across[n], T[n + 1], rest[n], factor[n];
  (void)t;
  for (int i = 0; i < n; i++) {
    s[i] = sin(y[i]);
    c[i] = cos(y[i]);
    dy[i] = w[i];
  }
  for (int i = 0; i + 1 < n; i++) {
    along[i] = c[i] * c[i + 1] + s[i] * s[i + 1];
    across[i] = s[i + 1] * c[i] - c[i + 1] * s[i];
  }
  // T_1 - along_1 T_2 = w_1^2 + g c_1,  -along_i-1 T_i-1 + 2 T_i - along_i T_i+1 = w_i^2
  double pivot = 1;
  rest[0] = w[0] * w[0] + g * c[0];
  for (int i = 1; i < n; i++) {
    factor[i - 1] = along[i - 1] / pivot;
    rest[i] = w[i] * w[i] + factor[i - 1] * rest[i - 1];
    rest[i - 1] /= pivot;
    pivot = 2 - along[i - 1] * factor[i - 1];
  }
  T[n] = 0;
  T[n - 1] = rest[n - 1] / pivot;
  for (int i = n - 2; i >= 0; i--) T[i] = rest[i] + factor[i] * T[i + 1];
  dy[n] = -g * s[0] + T[1] * across[0];
  for (int i = 1; i < n - 1; i++) dy[n + i] = T[i + 1] * across[i] - T[i - 1] * across[i - 1];
  dy[2 * n - 1] = -T[n - 2] * across[n - 2];
}

// rolling disc: angular velocity u in the leaning axes; y = x, y, q1, q2, q3, u1, u2, u3
static inline void rhs_disc(double t, const double* y, double* dy)
{
  const double r = 0.5, g = 9.81, u1 = y[5], u2 = y[6], u3 = y[7];
  const double s = sin(y[3]), over = 1 / cos(y[3]), tangent = s * over;
  (void)t;
  dy[2] = u3 * over;
  dy[3] = u1;
  dy[4] = u2 - u3 * tangent;
  dy[0] = r * dy[4] * cos(y[2]);
  dy[1] = r * dy[4] * sin(y[2]);
  dy[5] = (4 * g / r * s + 6 * u2 * u3 - u3 * u3 * tangent) / 5;
  dy[6] = -2.0 / 3 * u1 * u3;
  dy[7] = (u3 * tangent - 2 * u2) * u1;
}

// a mass on a rod in Cartesian coordinates, with its multiplier mu; y = x, y, x', y'
static inline void rhs_rod(double t, const double* y, double* dy)
{
  const double g = 9.81;
  const double mu = (g * y[1] - y[2] * y[2] - y[3] * y[3]) / (y[0] * y[0] + y[1] * y[1]);
  (void)t;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = mu * y[0];
  dy[3] = mu * y[1] - g;
}

// on the circle, and the velocity along it
static inline void project_rod(double* y)
{
  const double over = 1 / sqrt(y[0] * y[0] + y[1] * y[1]);
  y[0] *= over;
  y[1] *= over;
  const double off = y[0] * y[2] + y[1] * y[3];
  y[2] -= off * y[0];
  y[3] -= off * y[1];
}

// G m = r, of the constraints x1^2 + y1^2 = 1 and d^2 + y1^2 = 6.25, d = x2 - x1, halved: their
// rows are (x1, y1, 0) and (-d, y1, d); adds what m says along them to out
static inline void along_crank(const double* y, double r1, double r2, double* out)
{
  const double x1 = y[0], y1 = y[1], d = y[2] - x1;
  const double G11 = x1 * x1 + y1 * y1, G12 = y1 * y1 - d * x1, G22 = 2 * d * d + y1 * y1;
  const double over = 1 / (G11 * G22 - G12 * G12);
  const double m1 = (G22 * r1 - G12 * r2) * over, m2 = (G11 * r2 - G12 * r1) * over;
  out[0] += m1 * x1 - m2 * d;
  out[1] += (m1 + m2) * y1;
  out[2] += m2 * d;
}

// slider crank; y = x1, y1, x2 and their rates
static inline void rhs_crank(double t, const double* y, double* dy)
{
  const double x1 = y[0], y1 = y[1], x2 = y[2], d = x2 - x1, dd = y[5] - y[3];
  (void)t;
  for (int i = 0; i < 3; i++) dy[i] = y[3 + i];
  double* a = dy + 3;
  a[0] = -0.5 * y1;
  a[1] = 0.5 * x1 - 9.81;
  a[2] = -10 * (x2 - 2.5) - 0.1 * y[5];
  along_crank(y, -(y[3] * y[3] + y[4] * y[4] + x1 * a[0] + y1 * a[1]),
              -(dd * dd + y[4] * y[4] + d * (a[2] - a[0]) + y1 * a[1]), a);
}

static inline void project_crank(double* y)
{
  // what a step leaves is small: the second turn has its square to mend
  for (int turn = 0; turn < 2; turn++) {
    const double d = y[2] - y[0];
    const double off1 = (y[0] * y[0] + y[1] * y[1] - 1) / 2,
                 off2 = (d * d + y[1] * y[1] - 6.25) / 2;
    double move[3] = {0};
    along_crank(y, -off1, -off2, move);
    for (int i = 0; i < 3; i++) y[i] += move[i];
  }
  const double d = y[2] - y[0];
  along_crank(y, -(y[0] * y[3] + y[1] * y[4]), -(d * (y[5] - y[3]) + y[1] * y[4]), y + 3);
}

// heavy top about x, z and y; y = alpha, beta, phi and rates. With Jt = J + m h^2 and
// P = Jy (phi' - alpha' sin beta):
//   Jt alpha'' cos b = 2 Jt alpha' beta' sin b + P beta' - m g h cos a
//   Jt beta'' = -alpha' cos b (Jt alpha' sin b + P) + m g h sin a sin b
static inline void rhs_top(double t, const double* y, double* dy)
{
  const double mgh = 15 * 9.81, Jy = 15.0 / 32, Jt = 15.0 / 64 + 15;
  const double sb = sin(y[1]), cb = cos(y[1]), a = y[3], b = y[4], P = Jy * (y[5] - a * sb);
  (void)t;
  for (int i = 0; i < 3; i++) dy[i] = y[3 + i];
  dy[3] = (2 * Jt * a * b * sb + P * b - mgh * cos(y[0])) / (Jt * cb);
  dy[4] = (-a * cb * (Jt * a * sb + P) + mgh * sin(y[0]) * sb) / Jt;
  dy[5] = dy[3] * sb + a * b * cb;
}
