// The skater by hand: derived on paper, in the quasi-velocities u (along the blade) and w (spin).
//   u' = -k u / (2 m),  w' = L / (2 m l^2),  xi' = u cos theta,  eta' = u sin theta,  theta' = w
// and the reaction of the blade 2 m u w.
#include "skater_hand.h"

#include "step/step.h"

#include <math.h>
#include <stdio.h>

static const double m = 7, l = 1, k = 0.6, L = 1, tolerance = 1e-10, t_end = 15;
enum { ROWS = 501, XI = 0, THETA, ETA, U, W, N };

void skater_hand_accelerations(const double q[3], const double v[3], double a[3])
{
  const double c = cos(q[THETA]), s = sin(q[THETA]), u = v[XI] * c + v[ETA] * s, w = v[THETA];
  const double du = -k * u / (2 * m);
  a[XI] = du * c - u * w * s;
  a[THETA] = L / (2 * m * l * l);
  a[ETA] = du * s + u * w * c;
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  dy[XI] = y[U] * cos(y[THETA]);
  dy[THETA] = y[W];
  dy[ETA] = y[U] * sin(y[THETA]);
  dy[U] = -k * y[U] / (2 * m);
  dy[W] = L / (2 * m * l * l);
  return 0;
}

static step_stepper* start(void)
{
  static const double abs_tol[N] = {1e-12, 1e-12, 1e-12, 1e-12, 1e-12}, y[N] = {[U] = 7};
  const step_ode ode = {.n = N, .rhs = rhs, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  if (step_method_dop853.start(s, 0, y, t_end) == STEP_OK) return s;
  step_method_dop853.destroy(s);
  return NULL;
}

long skater_hand_run(double q[3])
{
  step_stepper* s = start();
  if (!s) return 0;
  while (s->t < t_end && step_method_dop853.step(s, t_end) == STEP_OK) continue;
  for (int i = 0; i < 3; i++) q[i] = s->y[i];
  const long steps = s->counts.steps;
  step_method_dop853.destroy(s);
  return steps;
}

static void write_row(FILE* f, double t, const double* y)
{
  fprintf(f, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, y[XI], y[THETA],
          y[ETA], y[U] * cos(y[THETA]), y[W], y[U] * sin(y[THETA]), y[U], y[W],
          2 * m * y[U] * y[W]);
}

bool skater_hand_table(const char* path)
{
  FILE* f = fopen(path, "w");
  step_stepper* s = start();
  if (!f || !s) return false;
  fprintf(f, "t,xi,theta,eta,xi',theta',eta',v,w,reaction.blade\n");
  write_row(f, 0, s->y);
  int row = 1;
  bool fine = true;
  while (fine && row < ROWS) {
    fine = step_method_dop853.step(s, t_end) == STEP_OK;
    for (; fine && row < ROWS && t_end * row / (ROWS - 1) <= s->t; row++) {
      double y[N];
      step_method_dop853.dense(s, t_end * row / (ROWS - 1), y);
      write_row(f, t_end * row / (ROWS - 1), y);
    }
  }
  step_method_dop853.destroy(s);
  return fclose(f) == 0 && fine;
}
