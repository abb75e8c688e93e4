// A chain of eight equal pendulums by hand: N masses m, rods l, angles q to the vertical.
//   sum_j (N - max(i,j)) l (cos(q_i - q_j) a_j + sin(q_i - q_j) v_j^2) = -(N - i) g sin q_i
// (i, j from 0), with the sine and cosine of a difference from those of each angle.
#include "pendulum_hand.h"

#include "step/step.h"

#include <math.h>

enum { N = PENDULUM_LINKS };
static const double l = 1, g = 9.81, tolerance = 1e-10, t_end = 10;

// M a = F by Cholesky, M symmetric; its lower part is used up
static void solve(double M[N][N], double* a)
{
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < j; k++) M[j][j] -= M[j][k] * M[j][k];
    M[j][j] = 1 / sqrt(M[j][j]);
    for (int i = j + 1; i < N; i++) {
      for (int k = 0; k < j; k++) M[i][j] -= M[i][k] * M[j][k];
      M[i][j] *= M[j][j];
    }
  }
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < i; k++) a[i] -= M[i][k] * a[k];
    a[i] *= M[i][i];
  }
  for (int i = N - 1; i >= 0; i--) {
    for (int k = i + 1; k < N; k++) a[i] -= M[k][i] * a[k];
    a[i] *= M[i][i];
  }
}

void pendulum_hand_accelerations(const double* q, const double* v, double* a)
{
  double M[N][N], s[N], c[N];
  for (int i = 0; i < N; i++) s[i] = sin(q[i]), c[i] = cos(q[i]);
  for (int i = 0; i < N; i++) {
    a[i] = -(N - i) * g * s[i];
    for (int j = 0; j < N; j++) {
      const double carried = (N - (i > j ? i : j)) * l;
      M[i][j] = carried * (c[i] * c[j] + s[i] * s[j]);
      a[i] -= carried * (s[i] * c[j] - c[i] * s[j]) * v[j] * v[j];
    }
  }
  solve(M, a);
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  (void)context, (void)t;
  for (int i = 0; i < N; i++) dy[i] = y[N + i];
  pendulum_hand_accelerations(y, y + N, dy + N);
  return 0;
}

long pendulum_hand_run(void)
{
  double abs_tol[2 * N], y[2 * N] = {0};
  for (int i = 0; i < 2 * N; i++) abs_tol[i] = 1e-2 * tolerance;
  for (int i = 0; i < N; i++) y[i] = 1;
  const step_ode ode = {.n = 2 * N, .rhs = rhs, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  if (step_method_dop853.start(s, 0, y, t_end) == STEP_OK)
    while (s->t < t_end && step_method_dop853.step(s, t_end) == STEP_OK) continue;
  const long steps = s->counts.steps;
  step_method_dop853.destroy(s);
  return steps;
}
