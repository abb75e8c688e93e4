// About how long a period is, where nobody has said it.
//
// The motion is followed from the initial state until it passes the plane across it there,
// f(x0) . (x - x0) = 0, on the same side and comes near to x0, measured by how far each coordinate
// has gone. Where it does not, it is given time to come to what attracts it, and looked at again
// from there. What is found is where shooting begins.
#include "study/orbit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { steps_looked = 20000, steps_given = 4000, passes = 4 };
static const double tolerance = 1e-12; // of the steps, so that they are short
static const double is_near = 0.05;    // distance of a return over how far the motion goes

typedef struct watch
{
  study_linear* l;
  const bool *ignorable, *angle;
  double *x0, *f0, *low, *high, *last; // of 2n each
  double t, across;                    // the step before
  bool looks;                          // or only goes on
  double found;                        // period
} watch;

static int rhs(void* context, double t, const double* y, double* dy)
{
  const watch* w = context;
  engine* e = w->l->e;
  const int n = e->n;
  engine_state(e, t, y, y + n);
  e->factored = false;
  if (contact_accelerations(e)) return 1;
  memcpy(dy, y + n, sizeof(double) * (size_t)n);
  memcpy(dy + n, e->a, sizeof(double) * (size_t)n);
  return 0;
}

// y_j - x0_j, whole turns of angles left out; nothing of coordinates that nothing depends on
static double away(const watch* w, const double* y, int j)
{
  const int n = w->l->n;
  if (j < n && w->ignorable[j]) return 0;
  const double off = y[j] - w->x0[j];
  return j < n && w->angle[j] ? off - 2 * M_PI * round(off / (2 * M_PI)) : off;
}

static step_status look(void* context, step_stepper* s)
{
  watch* w = context;
  const int N = 2 * w->l->n;
  double across = 0, far = 0;
  if (!w->looks) return STEP_OK;
  for (int j = 0; j < N; j++) {
    across += w->f0[j] * away(w, s->y, j);
    w->low[j] = fmin(w->low[j], away(w, s->y, j));
    w->high[j] = fmax(w->high[j], away(w, s->y, j));
  }
  const bool passed = w->across < 0 && across >= 0;
  const double x = passed ? -w->across / (across - w->across) : 0;
  for (int j = 0; j < N && passed; j++) {
    const double off = (1 - x) * away(w, w->last, j) + x * away(w, s->y, j);
    far = fmax(far, w->high[j] > w->low[j] ? fabs(off) / (w->high[j] - w->low[j]) : 0);
  }
  if (passed && far < is_near) w->found = w->t + x * (s->t - w->t);
  w->t = s->t;
  w->across = across;
  memcpy(w->last, s->y, sizeof(double) * (size_t)N);
  return w->found > 0 ? STEP_TOO_MANY : STEP_OK;
}

// from the state y on, so many steps; y becomes where it ends
static void go(watch* w, step_stepper* s, int steps, double* y)
{
  const int N = 2 * w->l->n;
  const step_way way = {.most_steps = steps, .ask = look, .context = w};
  const double t = w->l->e->in[0];
  memcpy(w->x0, y, sizeof(double) * (size_t)N);
  memcpy(w->last, y, sizeof(double) * (size_t)N);
  w->t = t;
  w->across = 0;
  for (int j = 0; j < N; j++) w->low[j] = w->high[j] = 0;
  if (rhs(w, t, y, w->f0)) return;
  step_carry(s, t, y, t + DBL_MAX / 4, &way);
  if (!w->looks) memcpy(y, s->y, sizeof(double) * (size_t)N);
  if (w->found > 0) w->found -= t;
}

bool study_orbit_guess(study_linear* l, const bool* ignorable, double* period)
{
  engine* e = l->e;
  const int n = e->n, N = 2 * n;
  base_arena* arena = base_arena_new();
  double* room = base_arena_take(arena, sizeof(double) * (size_t)(7 * N + 1));
  bool* angle = base_arena_take(arena, (size_t)n + 1);
  watch w = {.l = l, .ignorable = ignorable, .angle = angle};
  double *y = room, *abs_tol = room + N, **part[] = {&w.x0, &w.f0, &w.low, &w.high, &w.last};
  const double t = e->in[0];
  for (int k = 0; k < 5; k++) *part[k] = room + (2 + k) * N;
  study_orbit_angles(l, ignorable, angle);
  for (int i = 0; i < N; i++) abs_tol[i] = tolerance;
  memcpy(y, e->q, sizeof(double) * (size_t)N);
  const step_ode ode = {
      .n = N, .rhs = rhs, .context = &w, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  for (int pass = 0; pass < passes && !(w.found > 0); pass++) {
    w.looks = pass % 2 == 0;
    engine_time(e, t);
    go(&w, s, w.looks ? steps_looked : steps_given, y);
  }
  step_method_dop853.destroy(s);
  engine_state(e, t, y, y + n);
  e->factored = false;
  *period = w.found;
  base_arena_free(arena);
  return w.found > 0;
}
