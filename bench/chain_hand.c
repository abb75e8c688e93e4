// A chain of N rods in the angles between neighbours by hand, in proportion to N:
//
//   chain_hand N UNTIL TOLERANCE ROUNDS     prints seconds (the least of the rounds), steps, the
//   end
//
// A rod of mass m and length l along u, n across it, turns about its hinge by w; its far end
// carries what takes the force A a + b for an acceleration a of that end. From the moments about
// the hinge, with p = m l/2 n + l A n and D = m l^2/3 + l^2 n.A n,
//   w' = -(p.a + s)/D,   s = m l/2 n.g + l n.(b - w^2 l A u)
// and the hinge takes the force A a + b of
//   A <- m + A - p p^T/D,   b <- m g - w^2 (m l/2 u + l A u) + b - p s/D
// (g against the weight), from the last rod to the first; then accelerations from the first to the
// last. By symmetry A has three entries.
#include "step/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double m = 0.1, l = 0.1, g = 9.81;

typedef struct rod
{
  double c, s, w2;   // u = (c, s), n = (-s, c)
  double px, py, sD; // p/D, s/D
} rod;

typedef struct chain
{
  int n;
  rod* at;
} chain;

static int rhs(void* context, double t, const double* y, double* dy)
{
  (void)t;
  chain* k = context;
  const int n = k->n;
  const double *q = y, *v = y + n;
  double angle = 0, speed = 0, xx = 0, xy = 0, yy = 0, bx = 0, by = 0;
  for (int i = 0; i < n; i++) {
    angle += q[i];
    speed += v[i];
    k->at[i].c = cos(angle);
    k->at[i].s = sin(angle);
    k->at[i].w2 = speed * speed;
    dy[i] = v[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    rod* r = &k->at[i];
    const double c = r->c, s = r->s;
    const double Aux = xx * c + xy * s, Auy = xy * c + yy * s;
    const double Anx = xy * c - xx * s, Any = yy * c - xy * s;
    const double px = l * Anx - m * l / 2 * s, py = l * Any + m * l / 2 * c;
    const double D = 1 / (m * l * l / 3 + l * l * (c * Any - s * Anx));
    const double ex = bx - r->w2 * l * Aux, ey = by - r->w2 * l * Auy;
    const double moment = m * l / 2 * c * g + l * (c * ey - s * ex);
    r->px = px * D;
    r->py = py * D;
    r->sD = moment * D;
    xx += m - px * r->px;
    xy -= px * r->py;
    yy += m - py * r->py;
    bx = ex - r->w2 * m * l / 2 * c - px * r->sD;
    by = ey - r->w2 * m * l / 2 * s - py * r->sD + m * g;
  }
  double ax = 0, ay = 0, before = 0;
  for (int i = 0; i < n; i++) {
    const rod* r = &k->at[i];
    const double turning = -(r->px * ax + r->py * ay + r->sD);
    dy[n + i] = turning - before;
    before = turning;
    ax -= l * (turning * r->s + r->w2 * r->c);
    ay += l * (turning * r->c - r->w2 * r->s);
  }
  return 0;
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv)
{
  if (argc != 5) return 2;
  const int n = atoi(argv[1]), rounds = atoi(argv[4]);
  const double until = atof(argv[2]), tolerance = atof(argv[3]);
  if (n < 1 || rounds < 1) return 2;
  chain k = {n, calloc((size_t)n, sizeof *k.at)};
  double *y = calloc(2 * (size_t)n, sizeof *y), *abs_tol = calloc(2 * (size_t)n, sizeof *abs_tol);
  if (!k.at || !y || !abs_tol) return 1;
  for (int i = 0; i < 2 * n; i++) abs_tol[i] = tolerance;
  const step_ode ode = {
      .n = 2 * n, .rhs = rhs, .context = &k, .rel_tol = tolerance, .abs_tol = abs_tol};
  double least = INFINITY;
  long steps = 0;
  for (int round = 0; round < rounds; round++) {
    double* start = calloc(2 * (size_t)n, sizeof *start);
    if (!start) return 1;
    const double began = seconds();
    step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
    if (step_method_dop853.start(s, 0, start, until) == STEP_OK)
      while (s->t < until && step_method_dop853.step(s, until) == STEP_OK) continue;
    least = fmin(least, seconds() - began);
    steps = s->counts.steps;
    for (int i = 0; i < 2 * n; i++) y[i] = s->y[i];
    step_method_dop853.destroy(s);
    free(start);
  }
  printf("%.9f %ld", least, steps);
  for (int i = 0; i < 2 * n; i++) printf(" %.17g", y[i]);
  printf("\n");
  free(abs_tol);
  free(y);
  free(k.at);
  return 0;
}
