// The law of a contact: the nearest point of a half line and of a disc, by what makes it the
// nearest (Moreau 1962), and its slopes by differences.
#include "check.h"
#include "cone/many.h"

#include <string.h>

static double next(unsigned long long* seed)
{
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static double length_of(int size, const double* tangents)
{
  double sum = 0;
  for (int k = 0; k < size - 1; k++) sum += tangents[k] * tangents[k];
  return sqrt(sum);
}

// x_n is y_n or zero; x_t is in the disc, and y_t - x_t points away from it
static void check_law(int size, double mu, const double* y, const double* x)
{
  double away[CONE_MANY_ROUND] = {0}, product = 0;
  CHECK(x[0] == (y[0] > 0 ? y[0] : 0));
  const double radius = mu * x[0];
  for (int k = 1; k < size; k++) {
    away[k] = y[k] - x[k];
    product += away[k] * x[k];
  }
  CHECK(length_of(size, x + 1) <= radius + 1e-14);
  CHECK_NEAR(product, radius * length_of(size, away + 1), 1e-14);
}

TEST(the_law_of_a_contact_gives_the_nearest_impulse)
{
  unsigned long long seed = 3;
  int on_side = 0, inside = 0, tip = 0;
  for (int trial = 0; trial < 3000; trial++) {
    const int size = 1 + trial % CONE_MANY_ROUND;
    const double mu = size > 1 ? 0.05 + 1.5 * fabs(next(&seed)) : 0, small = 1e-6;
    double y[CONE_MANY_ROUND], x[CONE_MANY_ROUND], slope[CONE_MANY_ROUND * CONE_MANY_ROUND];
    for (int k = 0; k < size; k++) x[k] = y[k] = next(&seed);
    const bool side = cone_many_law(size, mu, x, slope);
    check_law(size, mu, y, x);
    on_side += side;
    inside += !side && x[0] > 0;
    tip += !side && !(x[0] > 0);
    // differences across an edge of the regions tell nothing
    const double across = length_of(size, y + 1);
    if (fabs(across - mu * x[0]) < 1e-3 || fabs(y[0]) < 1e-3 || (size > 1 && across < 0.05))
      continue;
    for (int j = 0; j < size; j++) {
      double up[CONE_MANY_ROUND], down[CONE_MANY_ROUND], none[CONE_MANY_ROUND * CONE_MANY_ROUND];
      memcpy(up, y, sizeof up);
      memcpy(down, y, sizeof down);
      up[j] += small;
      down[j] -= small;
      cone_many_law(size, mu, up, none);
      cone_many_law(size, mu, down, none);
      for (int i = 0; i < size; i++)
        CHECK_NEAR(slope[i * size + j], (up[i] - down[i]) / (2 * small), 1e-7);
    }
  }
  CHECK(on_side > 500 && inside > 200 && tip > 200);
}
