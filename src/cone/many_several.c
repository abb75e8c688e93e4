// One contact with several discs, slip and rolling and pivoting at once, by itself: w = B x + b.
//
// Newton on x = P(x - w/d), P the law of the contact (many_cone.c) and d the mobility of its rows:
//   (1 - S (1 - B/d)) dx = P - x,   S the slopes of P.
// From the impulses of the sweep before one turn ends it where nobody changes sides. Where turns do
// not end, the one that left the least is the answer so far: sweeps come by again.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

enum { most_turns = 12, most_rows = CONE_MANY_ROWS };

// P - x of x, as a velocity the largest of it, and the slopes of P
static double look(const cone_many_discs* c, const double* B, const double* b, const double* d,
                   const double* x, double* left, double* slope)
{
  double y[most_rows], most = 0;
  const int size = c->size;
  for (int a = 0; a < size; a++) {
    double w = b[a];
    for (int o = 0; o < size; o++) w += B[a * size + o] * x[o];
    y[a] = x[a] - w / d[a];
  }
  cone_many_law(c, y, slope);
  for (int a = 0; a < size; a++) {
    left[a] = y[a] - x[a];
    most = fmax(most, d[a] * fabs(left[a]));
  }
  return most;
}

// the rows from .. to of the matrix: what they ask for is a matter of the normal row and their own
static void add_rows(int size, int from, int to, const double* slope, const double* B,
                     const double* d, double* J)
{
  for (int a = from; a < to; a++) {
    double* row = J + a * size;
    for (int o = 0; o < size; o++) row[o] = (a == o) - slope[a * size + o];
    for (int k = 0; k < to; k = k ? k + 1 : from ? from : 1) {
      const double share = slope[a * size + k] / d[k];
      for (int o = 0; o < size && share != 0; o++) row[o] += share * B[k * size + o];
    }
  }
}

bool cone_many_several(const cone_many_discs* c, const double* B, const double* b, const double* d,
                       double* x)
{
  double z[most_rows], left[most_rows], slope[most_rows * most_rows], J[most_rows * most_rows];
  double large = 0, least = INFINITY;
  int pivot[most_rows];
  const size_t bytes = sizeof(double) * (size_t)c->size;
  for (int a = 0; a < c->size; a++) large = fmax(large, fabs(b[a]));
  memcpy(z, x, bytes);
  for (int turn = 0; turn < most_turns; turn++) {
    const double most = look(c, B, b, d, z, left, slope);
    if (most < least) {
      least = most;
      memcpy(x, z, bytes);
    }
    if (most <= cone_many_tolerance * large) return true;
    add_rows(c->size, 0, 1, slope, B, d, J);
    for (int g = 0; g < c->groups; g++)
      add_rows(c->size, c->first[g], c->first[g + 1], slope, B, d, J);
    if (!num_lu(c->size, J, pivot)) return false;
    num_lu_solve(c->size, J, pivot, left);
    for (int a = 0; a < c->size; a++) z[a] += left[a];
    if (!(z[0] > 0)) z[0] = 0;
  }
  return false;
}
