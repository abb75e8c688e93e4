// Friction over a round patch against the integrals over the patch, and which forces it holds.
#include "check.h"
#include "cone/cone.h"

#include <math.h>

enum { nodes = 48, turns = 4000 };

// nodes and weights of Gauss and Legendre on 0 .. 1
static void gauss(double* x, double* w)
{
  for (int i = 0; i < nodes; i++) {
    double z = cos(M_PI * (i + 0.75) / (nodes + 0.5)), slope = 1;
    for (int turn = 0; turn < 100; turn++) {
      double p = 1, before = 0;
      for (int j = 0; j < nodes; j++) {
        const double last = before;
        before = p;
        p = ((2 * j + 1) * z * before - j * last) / (j + 1);
      }
      slope = nodes * (z * p - before) / (z * z - 1);
      z -= p / slope;
    }
    x[i] = (1 - z) / 2;
    w[i] = 1 / ((1 - z * z) * slope * slope);
  }
}

// the pressure times the area of the patch at the distance r of its middle, 1 - r^2 given
static double pressure(cone_patch_pressure kind, double rest)
{
  return kind == CONE_PATCH_HERTZ ? 1.5 / M_PI * sqrt(fmax(0, rest)) : 1 / M_PI;
}

// Polar coordinates about the centre of the turning, which is d away from the middle of the patch:
// an element at the distance x in the direction a moves across a, and presses by p x dx da.
static void add_ray(cone_patch_pressure kind, double d, double a, double weight, const double* node,
                    const double* share, double* F, double* M)
{
  const double half = sqrt(fmax(0, 1 - d * d * sin(a) * sin(a))), from = d * cos(a) - half,
               to = d * cos(a) + half, begin = fmax(0, from);
  for (int i = 0; i < nodes; i++) {
    // x = begin + (to - begin) (3 s^2 - 2 s^3): no root at either end
    const double s = node[i], length = to - begin, x = begin + length * s * s * (3 - 2 * s);
    const double p = pressure(kind, (to - x) * (x - from)), dx = length * 6 * s * (1 - s);
    const double element = weight * share[i] * p * x * dx;
    *F += element * cos(a);
    *M += element * (x - d * cos(a));
  }
}

static void integrate(cone_patch_pressure kind, double d, double* F, double* M)
{
  double node[nodes], share[nodes];
  gauss(node, share);
  *F = *M = 0;
  for (int k = 0; k < turns && d < 1; k++)
    add_ray(kind, d, 2 * M_PI * k / turns, 2 * M_PI / turns, node, share, F, M);
  // from outside the patch is seen under |sin a| <= 1/d: sin a = sin(b)/d
  for (int k = 0; k < nodes && d > 1; k++) {
    const double b = M_PI * (node[k] - 0.5), a = asin(sin(b) / d);
    add_ray(kind, d, a, share[k] * M_PI * cos(b) / (d * cos(a)), node, share, F, M);
  }
}

TEST(the_laws_of_a_patch_are_the_integrals_over_it)
{
  static const double at[] = {0.01, 0.2, 0.6, 0.95, 1.05, 1.6, 3.9, 4.1, 10, 300};
  for (int kind = 0; kind < 2; kind++)
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
      double F, M, wanted_F, wanted_M;
      integrate((cone_patch_pressure)kind, at[k], &wanted_F, &wanted_M);
      cone_patch_law((cone_patch){(cone_patch_pressure)kind, false}, 7 * at[k], 7, &F, &M);
      CHECK_NEAR(F, wanted_F, 1e-11);
      CHECK_NEAR(M, wanted_M, 1e-11);
    }
}

// and dF/dM = -1/d: the force that is lost in the direction of the motion is stationary
TEST(a_patch_takes_the_most_power_that_its_forces_can)
{
  for (int kind = 0; kind < 2; kind++)
    for (double d = 0.05; d < 8; d *= 1.13) {
      const double h = 1e-5;
      const cone_patch patch = {(cone_patch_pressure)kind, false};
      double F[2], M[2];
      for (int k = 0; k < 2; k++) cone_patch_law(patch, d * (k ? 1 + h : 1 - h), 1, &F[k], &M[k]);
      CHECK_NEAR(((F[1] - F[0]) * d + (M[1] - M[0])) / (2 * h), 0, 1e-9);
    }
}

TEST(quotients_have_the_ends_of_the_law)
{
  for (int kind = 0; kind < 2; kind++) {
    const cone_patch exact = {(cone_patch_pressure)kind, false}, short_ = {exact.pressure, true};
    double F[2], M[2];
    for (int far = 0; far < 2; far++) {
      const double v = far ? 1 : 1e-6, u = far ? 1e-6 : 1;
      cone_patch_law(exact, v, u, &F[0], &M[0]);
      cone_patch_law(short_, v, u, &F[1], &M[1]);
      CHECK_NEAR(F[1] / F[0], 1, 1e-5);
      CHECK_NEAR(M[1] / M[0], 1, 1e-5);
    }
  }
}

TEST(a_force_on_the_edge_of_what_a_patch_holds_points_to_its_motion)
{
  for (int kind = 0; kind < 4; kind++)
    for (double d = 1e-3; d < 1e3; d *= 3.7) {
      const cone_patch patch = {(cone_patch_pressure)(kind / 2), kind % 2};
      double F, M, way[3], length = hypot(d, 1);
      cone_patch_law(patch, d, 1, &F, &M);
      const double T[3] = {-2.5 * F * 0.6, 2.5 * F * 0.8, 2.5 * M};
      CHECK_NEAR(cone_patch_size(patch, T, way), 2.5, 1e-12);
      CHECK_NEAR(way[0], 0.6 * d / length, 1e-10);
      CHECK_NEAR(way[1], -0.8 * d / length, 1e-10);
      CHECK_NEAR(way[2], -1 / length, 1e-10);
    }
  const cone_patch hertz = {CONE_PATCH_HERTZ, false};
  double way[3];
  CHECK_NEAR(cone_patch_size(hertz, (const double[]){0, 0, 2}, way), 32 / (3 * M_PI), 1e-13);
  CHECK(way[0] == 0 && way[1] == 0 && way[2] == -1);
  CHECK_NEAR(cone_patch_size(hertz, (const double[]){0, -2, 0}, way), 2, 1e-13);
  CHECK(way[0] == 0 && way[1] == 1 && way[2] == 0);
  CHECK(cone_patch_size(hertz, (const double[]){0, 0, 0}, way) == 0);
}
