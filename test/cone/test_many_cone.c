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

static double length_of(int from, int to, const double* x)
{
  double sum = 0;
  for (int k = from; k < to; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

// x_n is y_n or zero; the x of each group is in its disc, and y - x points away from it
static void check_law(const cone_many_discs* d, const double* y, const double* x)
{
  CHECK(x[0] == (y[0] > 0 ? y[0] : 0));
  for (int g = 0; g < d->groups; g++) {
    const int from = d->first[g], to = d->first[g + 1];
    const double radius = d->mu[g] * x[0];
    double away[CONE_MANY_ROWS] = {0}, product = 0;
    for (int k = from; k < to; k++) {
      away[k] = y[k] - x[k];
      product += away[k] * x[k];
    }
    CHECK(length_of(from, to, x) <= radius + 1e-14);
    CHECK_NEAR(product, radius * length_of(from, to, away), 1e-14);
  }
}

// up to three groups, of one tangent or of two
static cone_many_discs draw(int trial, unsigned long long* seed)
{
  cone_many_discs d = {.size = 1, .first = {1}};
  const int groups = trial % 4;
  while (d.groups < groups) {
    d.mu[d.groups] = 0.05 + 1.5 * fabs(next(seed));
    d.size += next(seed) > 0 ? 2 : 1;
    d.first[++d.groups] = d.size;
  }
  return d;
}

// differences across an edge of the regions tell nothing
static bool is_near_an_edge(const cone_many_discs* d, const double* y, double x)
{
  bool near = fabs(y[0]) < 1e-3;
  for (int g = 0; g < d->groups; g++) {
    const double across = length_of(d->first[g], d->first[g + 1], y);
    near = near || fabs(across - d->mu[g] * x) < 1e-3 || across < 0.05;
  }
  return near;
}

TEST(the_law_of_a_contact_gives_the_nearest_impulse)
{
  unsigned long long seed = 3;
  int on_side = 0, inside = 0, tip = 0;
  for (int trial = 0; trial < 3000; trial++) {
    const cone_many_discs d = draw(trial, &seed);
    const int size = d.size;
    const double small = 1e-6;
    double y[CONE_MANY_ROWS], x[CONE_MANY_ROWS], slope[CONE_MANY_ROWS * CONE_MANY_ROWS];
    for (int k = 0; k < size; k++) x[k] = y[k] = next(&seed);
    const bool side = cone_many_law(&d, x, slope);
    check_law(&d, y, x);
    on_side += side;
    inside += !side && x[0] > 0;
    tip += !side && !(x[0] > 0);
    if (is_near_an_edge(&d, y, x[0])) continue;
    for (int j = 0; j < size; j++) {
      double up[CONE_MANY_ROWS], down[CONE_MANY_ROWS], none[CONE_MANY_ROWS * CONE_MANY_ROWS];
      memcpy(up, y, sizeof(double) * (size_t)size);
      memcpy(down, y, sizeof(double) * (size_t)size);
      up[j] += small;
      down[j] -= small;
      cone_many_law(&d, up, none);
      cone_many_law(&d, down, none);
      for (int i = 0; i < size; i++)
        CHECK_NEAR(slope[i * size + j], (up[i] - down[i]) / (2 * small), 1e-7);
    }
  }
  CHECK(on_side > 500 && inside > 200 && tip > 200);
}

// One contact by itself, from any impulses: what it comes to obeys the law, x = P(x - w/d).
TEST(a_contact_with_several_discs_is_solved_by_itself)
{
  unsigned long long seed = 8;
  int solved = 0, slips = 0, trials = 0;
  for (int trial = 0; trial < 4000; trial++) {
    const cone_many_discs c = draw(trial, &seed);
    double A[CONE_MANY_ROWS * CONE_MANY_ROWS], B[CONE_MANY_ROWS * CONE_MANY_ROWS] = {0};
    double b[CONE_MANY_ROWS], d[CONE_MANY_ROWS], x[CONE_MANY_ROWS], y[CONE_MANY_ROWS],
        none[CONE_MANY_ROWS * CONE_MANY_ROWS];
    const int n = c.size;
    if (c.groups < 2) continue;
    for (int k = 0; k < n * n; k++) A[k] = 0.5 * next(&seed) + (k % (n + 1) ? 0 : 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) B[i * n + j] += A[i * n + k] * A[j * n + k];
    for (int k = 0; k < n; k++) {
      b[k] = next(&seed) - (k ? 0 : 1);
      x[k] = k ? 0 : fabs(next(&seed));
      d[k] = B[k * n + k];
    }
    // two of a group have one step
    for (int g = 0; g < c.groups; g++)
      d[c.first[g]] = d[c.first[g + 1] - 1] = fmax(d[c.first[g]], d[c.first[g + 1] - 1]);
    trials++;
    if (!cone_many_several(&c, B, b, d, x)) continue;
    solved++;
    for (int k = 0; k < n; k++) {
      double w = b[k];
      for (int o = 0; o < n; o++) w += B[k * n + o] * x[o];
      y[k] = x[k] - w / d[k];
    }
    slips += cone_many_law(&c, y, none) && y[0] > 0;
    for (int k = 0; k < n; k++) CHECK_NEAR(x[k], y[k], 1e-10);
  }
  printf("# %d of %d contacts solved, %d slip\n", solved, trials, slips);
  CHECK(trials > 1500 && solved > 0.9 * trials && slips > 500);
}
