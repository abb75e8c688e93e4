// The rolling disc by hand, in the components of its angular velocity along the leaning axes,
//   u1 = lean',  u2 = spin' + yaw' sin lean,  u3 = yaw' cos lean,
// derived on paper (for a thin disc the radius stays in one term only):
//   u1' = (4 g sin lean + 6 r u2 u3 - r u3^2 tan lean) / (5 r)
//   u2' = -2 u1 u3 / 3
//   u3' = -2 u1 u2 + u1 u3 tan lean
// and the contact runs along the heading with r spin'.
#include "disc_hand.h"

#include <math.h>

static const double r = 0.26, g = 9.81;
enum { YAW, LEAN, SPIN, X, Y };

void disc_hand_accelerations(const double q[5], const double v[5], double a[5])
{
  const double s = sin(q[LEAN]), c = cos(q[LEAN]), over_c = 1 / c, t = s * over_c;
  const double u1 = v[LEAN], u2 = v[SPIN] + v[YAW] * s, u3 = v[YAW] * c;
  const double du2 = -2.0 / 3 * u1 * u3, du3 = -2 * u1 * u2 + u1 * u3 * t;
  a[LEAN] = (4 / (5 * r) * g) * s + (1.2 * u2 - 0.2 * u3 * t) * u3;
  a[YAW] = (du3 + v[YAW] * u1 * s) * over_c;
  a[SPIN] = du2 - a[YAW] * s - v[YAW] * u1 * c;
  const double sy = sin(q[YAW]), cy = cos(q[YAW]), along = r * a[SPIN];
  const double across = r * v[SPIN] * v[YAW];
  a[X] = along * cy - across * sy;
  a[Y] = along * sy + across * cy;
}
