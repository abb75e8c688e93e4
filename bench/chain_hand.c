// A chain of N rods in the angles between neighbours by hand, in proportion to N:
//
// A rod of mass m and length l along u, n across it, turns about its hinge by w; its far end
// carries what takes the force A a + b for an acceleration a of that end. From the moments about
// the hinge, with p = m l/2 n + l A n and D = m l^2/3 + l^2 n.A n,
//   w' = -(p.a + s)/D,   s = m l/2 n.g + l n.(b - w^2 l A u)
// and the hinge takes the force A a + b of
//   A <- m + A - p p^T/D,   b <- m g - w^2 (m l/2 u + l A u) + b - p s/D
// (g against the weight), from the last rod to the first; then accelerations from the first to the
// last. By symmetry A has three entries.
#include "chain_hand.h"

#include "step/step.h"

#include <math.h>
#include <stdlib.h>

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

long chain_hand_run(int n, double until, double tolerance, double* q)
{
  chain k = {n, calloc((size_t)n, sizeof *k.at)};
  double *start = calloc(2 * (size_t)n, sizeof *start),
         *abs_tol = calloc(2 * (size_t)n, sizeof *abs_tol);
  if (!k.at || !start || !abs_tol) exit(1);
  for (int i = 0; i < 2 * n; i++) abs_tol[i] = tolerance;
  const step_ode ode = {
      .n = 2 * n, .rhs = rhs, .context = &k, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  if (step_method_dop853.start(s, 0, start, until) == STEP_OK)
    while (s->t < until && step_method_dop853.step(s, until) == STEP_OK) continue;
  const long steps = s->counts.steps;
  for (int i = 0; i < n; i++) q[i] = s->y[i];
  step_method_dop853.destroy(s);
  free(abs_tol);
  free(start);
  free(k.at);
  return steps;
}
