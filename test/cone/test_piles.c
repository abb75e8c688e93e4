// Large islands, solved among the velocities of their bodies: a wall of bricks in which each point
// of contact is a contact of three rows, much more than the bodies have freedoms.
#include "cone/cone.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { wide = 7, high = 8, bodies = wide * high, freedoms = 6, points = 2, most = 1000 };

typedef struct wall
{
  int r, start[most + 1], column[most * 2 * freedoms];
  double value[most * 2 * freedoms];
  int G_start[most + 1], *G_column, of[most], pair[most];
  double *G, q[most], mu[most], x[most], w[most], W[bodies * freedoms * freedoms];
  int block_start[bodies + 1], block_of[bodies * freedoms], place[bodies * freedoms];
  size_t W_start[bodies + 1];
  cone_many_kind kind[most];
} wall;

static double next(unsigned long long* seed)
{
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// a row between two bodies, the lower one -1: the floor
static void add_row(wall* s, int above, int below, int along, unsigned long long* seed)
{
  int at = s->start[s->r];
  const int pair[2] = {above, below};
  for (int side = 0; side < 2 && pair[side] >= 0; side++)
    for (int k = 0; k < freedoms; k++) {
      s->column[at] = pair[side] * freedoms + k;
      s->value[at++] = (side ? -1 : 1) * (k == along ? 1 : k < 3 ? 0 : 0.6 * next(seed));
    }
  s->start[++s->r] = at;
}

static void add_point(wall* s, int above, int below, bool rough, unsigned long long* seed)
{
  const int n = s->r;
  for (int k = 0; k < (rough ? 3 : 1); k++) {
    const int i = s->r;
    s->kind[i] = k ? CONE_MANY_TANGENT : CONE_MANY_NORMAL;
    s->of[i] = k ? n : -1;
    s->pair[i] = k == 0 ? -1 : k == 1 ? i + 1 : i - 1;
    s->mu[i] = k ? 0.5 : 0;
    s->q[i] = k ? 0.3 * next(seed) : -0.2 + 0.1 * next(seed);
    add_row(s, above, below, k ? k - 1 : 2, seed);
  }
}

// G with W the identity
static void make_G(wall* s)
{
  int at = 0;
  s->G = malloc(sizeof(double) * (size_t)(s->r * s->r));
  s->G_column = malloc(sizeof(int) * (size_t)(s->r * s->r));
  for (int i = 0; i < s->r; i++) {
    double row[bodies * freedoms] = {0};
    s->G_start[i] = at;
    for (int k = s->start[i]; k < s->start[i + 1]; k++) row[s->column[k]] = s->value[k];
    for (int j = 0; j < s->r; j++) {
      double sum = 0;
      bool meets = false;
      for (int k = s->start[j]; k < s->start[j + 1]; k++) {
        sum += s->value[k] * row[s->column[k]];
        meets = meets || s->column[k] == s->column[s->start[i]] ||
                s->column[k] == s->column[s->start[i + 1] - freedoms];
      }
      if (!meets) continue;
      s->G[at] = sum;
      s->G_column[at++] = j;
    }
  }
  s->G_start[s->r] = at;
}

static wall* make(bool rough)
{
  wall* s = malloc(sizeof *s);
  unsigned long long seed = 11;
  memset(s, 0, sizeof *s);
  for (int b = 0; b < bodies; b++)
    for (int p = 0; p < points; p++) {
      const bool last = b % wide == wide - 1;
      add_point(s, b, b < wide ? -1 : b - wide, rough, &seed);
      if (b >= wide && !last) add_point(s, b, b - wide + 1, rough, &seed);
    }
  for (int b = 0; b <= bodies; b++) {
    s->block_start[b] = b * freedoms;
    s->W_start[b] = (size_t)(b * freedoms * freedoms);
  }
  for (int i = 0; i < bodies * freedoms; i++) {
    s->block_of[i] = i / freedoms;
    s->place[i] = i % freedoms;
    s->W[i * freedoms + i % freedoms] = 1;
  }
  make_G(s);
  return s;
}

static void let_go(wall* s)
{
  free(s->G);
  free(s->G_column);
  free(s);
}

// from the impulses at hand
static cone_many_result solve(wall* s, bool among_bodies)
{
  const cone_many_origin origin = {.start = s->start,
                                   .column = s->column,
                                   .value = s->value,
                                   .blocks = bodies,
                                   .block_start = s->block_start,
                                   .block_of = s->block_of,
                                   .place = s->place,
                                   .W_start = s->W_start,
                                   .W = s->W};
  const cone_many_problem p = {.r = s->r,
                               .start = s->G_start,
                               .column = s->G_column,
                               .G = s->G,
                               .q = s->q,
                               .kind = s->kind,
                               .of = s->of,
                               .mu = s->mu,
                               .pair = s->pair,
                               .origin = among_bodies ? &origin : NULL};
  cone_many* f = cone_many_new(s->r);
  const cone_many_result out = cone_many_solve(f, &p, s->x, s->w);
  cone_many_free(f);
  return out;
}

// velocities are unique without friction, however many points carry
TEST(a_smooth_wall_moves_alike_among_rows_and_among_bodies)
{
  wall* s = make(false);
  double w[most];
  const cone_many_result rows = solve(s, false);
  memcpy(w, s->w, sizeof w);
  memset(s->x, 0, sizeof s->x);
  const cone_many_result out = solve(s, true);
  CHECK(rows.solved && out.solved);
  CHECK_INT(out.islands, 1);
  double off = 0;
  for (int i = 0; i < s->r; i++) off = fmax(off, fabs(s->w[i] - w[i]));
  CHECK(off < 1e-9);
  let_go(s);
}

// the laws of each contact, read from x and w = G x + q
TEST(a_rough_wall_obeys_the_laws)
{
  wall* s = make(true);
  CHECK(s->r <= most);
  const cone_many_result out = solve(s, true);
  CHECK(out.solved);
  CHECK(out.fault <= 1e-9);
  double off = 0;
  int press = 0, slip = 0;
  for (int n = 0; n < s->r; n += 3) {
    const double* x = s->x + n;
    double w[3];
    for (int k = 0; k < 3; k++) {
      w[k] = s->q[n + k];
      for (int e = s->G_start[n + k]; e < s->G_start[n + k + 1]; e++)
        w[k] += s->G[e] * s->x[s->G_column[e]];
    }
    const double push = hypot(x[1], x[2]), speed = hypot(w[1], w[2]), bound = s->mu[n + 1] * x[0];
    off = fmax(off, fmax(-x[0], -w[0]));
    off = fmax(off, fmin(x[0], w[0]));
    off = fmax(off, push - bound);
    // where it slips, friction is on its bound and against the slip
    if (x[0] > 1e-6 && speed > 1e-6) {
      off = fmax(off, fabs(x[1] * w[1] + x[2] * w[2] + bound * speed) / speed);
      slip++;
    }
    press += x[0] > 1e-6;
  }
  CHECK(off < 1e-8);
  CHECK(press > 50);
  CHECK(slip > 10);
  CHECK(slip < press);
  let_go(s);
}

// from the impulses of a step before some sweeps are enough, without a system among bodies
TEST(a_rough_wall_that_changes_a_little_takes_some_sweeps)
{
  wall* s = make(true);
  unsigned long long seed = 5;
  const cone_many_result cold = solve(s, true);
  for (int i = 0; i < s->r; i++) s->q[i] += 1e-7 * next(&seed);
  const cone_many_result warm = solve(s, true);
  CHECK(cold.solved && warm.solved);
  CHECK(warm.fault <= 1e-9);
  CHECK(warm.turns == 0 && cold.turns > 0);
  let_go(s);
}
