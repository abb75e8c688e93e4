// LU of matrices of blocks by fronts: what it solves is put in again.
#include "check.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double noise(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

// a box of a by b by c nodes, each beside the next, some far ones, too
typedef struct grid
{
  int nodes, start[700], column[8000], size[700];
  num_rows rows;
  int unknowns, offset[700];
} grid;

static bool are_near(int i, int j, int a, int b)
{
  const int x = abs(i % a - j % a), y = abs(i / a % b - j / a % b), z = abs(i / a / b - j / a / b);
  return x + y + z <= 1 || (i * j) % 97 == 31;
}

static void make(grid* g, int a, int b, int c)
{
  int at = 0;
  g->unknowns = 0;
  g->nodes = a * b * c;
  for (int i = 0; i < g->nodes; i++) {
    g->size[i] = 1 + i % 7;
    g->offset[i] = g->unknowns;
    g->unknowns += g->size[i];
    g->start[i] = at;
    for (int j = 0; j < g->nodes; j++)
      if (are_near(i, j, a, b) || i == j) g->column[at++] = j;
  }
  g->start[g->nodes] = at;
  g->rows = (num_rows){g->start, g->column};
}

// a diagonal that outweighs the rest, which is not symmetric
static void fill(const grid* g, num_fronts* s)
{
  uint64_t seed = 7;
  num_fronts_clear(s);
  for (int i = 0; i < g->nodes; i++)
    for (int k = g->start[i]; k < g->start[i + 1]; k++) {
      const int j = g->column[k], count = g->size[i] * g->size[j];
      double* block = num_fronts_block(s, i, j);
      for (int e = 0; e < count; e++) block[e] = noise(&seed);
      for (int e = 0; e < g->size[i] && i == j; e++) block[e * g->size[i] + e] += 80;
    }
}

// the largest of A x - f
static double residual(const grid* g, num_fronts* s, const double* x, const double* f)
{
  double most = 0;
  for (int i = 0; i < g->nodes; i++)
    for (int r = 0; r < g->size[i]; r++) {
      double sum = -f[g->offset[i] + r];
      for (int k = g->start[i]; k < g->start[i + 1]; k++) {
        const int j = g->column[k];
        const double* block = num_fronts_block(s, i, j);
        for (int c = 0; c < g->size[j]; c++) sum += block[r * g->size[j] + c] * x[g->offset[j] + c];
      }
      most = fmax(most, fabs(sum));
    }
  return most;
}

static bool solves(num_fronts* s, int a, int b, int c)
{
  static grid g;
  static double f[5000], x[5000];
  make(&g, a, b, c);
  for (int i = 0; i < g.unknowns; i++) x[i] = f[i] = sin(i);
  if (!num_fronts_pattern(s, g.nodes, g.size, &g.rows)) return false;
  fill(&g, s);
  if (!num_fronts_factor(s)) return false;
  num_fronts_solve(s, x);
  return residual(&g, s, x, f) < 1e-13;
}

TEST(blocks_in_space_are_solved_by_fronts)
{
  num_fronts* s = num_fronts_new();
  CHECK(solves(s, 1, 1, 1));
  CHECK(solves(s, 5, 1, 1));
  CHECK(solves(s, 8, 8, 9));
  CHECK(solves(s, 3, 4, 2)); // in the room that is there
  CHECK(solves(s, 3, 4, 2)); // and in the order that is known
  num_fronts_free(s);
}

TEST(nodes_that_are_no_neighbours_have_no_block)
{
  const int size[2] = {2, 1}, start[3] = {0, 1, 2}, column[2] = {0, 1};
  const num_rows rows = {start, column};
  double x[3] = {2, 4, 9};
  num_fronts* s = num_fronts_new();
  CHECK(num_fronts_pattern(s, 2, size, &rows));
  num_fronts_clear(s);
  CHECK(!num_fronts_block(s, 0, 1));
  double* a = num_fronts_block(s, 0, 0);
  a[0] = a[3] = 2;
  CHECK(!num_fronts_factor(s)); // nothing at the second node
  *num_fronts_block(s, 1, 1) = 3;
  CHECK(num_fronts_factor(s));
  num_fronts_solve(s, x);
  CHECK(x[0] == 1 && x[1] == 2 && x[2] == 3);
  num_fronts_free(s);
}
