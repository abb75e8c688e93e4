// One long step across instants at which the right-hand side has no value, though the motion is
// smooth there: collocation at nodes that keep away from them.
//
// On the span [a, b], x = (2 t - a - b)/(b - a), the slopes are a polynomial in Legendre's form,
//   y' = sum_k c_k P_k(x),   y = y0 + (b - a)/2 sum_k c_k (I_k(x) - I_k(x0)),
//   I_k = (P_(k+1) - P_(k-1))/(2k + 1), I_0 = x + 1,
// that agrees with f(t, y) at the nodes (Guillou and Soule 1969; any distinct nodes give a
// collocation method of at least their number as order). The state known need not be at an end of
// the span. Solved by repeated substitution: the span is short against what the motion takes.
#include "step/stepper.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { nodes = STEP_BRIDGE_NODES, most_turns = 60 };
// what a turn may still change when nothing is gained by more of them: rounding
static const double settled = 1e-15, rounding = 1e-9;

typedef struct bridge
{
  step_stepper base;
  double from, to, origin; // the span, and where the state is known
  double *c, *F, *Y, *known, *change;
  const double* scale;
  double basis[nodes * nodes]; // c = basis F
  double weight[nodes * nodes];
} bridge;

// P_0 .. P_count at x
static void legendre(int count, double x, double* P)
{
  P[0] = 1;
  P[1] = x;
  for (int k = 2; k <= count; k++) P[k] = ((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k;
}

// I_0 .. I_(nodes - 1)
static void integrals(double x, double* I)
{
  double P[nodes + 1];
  legendre(nodes, x, P);
  I[0] = x + 1;
  for (int k = 1; k < nodes; k++) I[k] = (P[k + 1] - P[k - 1]) / (2 * k + 1);
}

static double place(const bridge* b, double t)
{
  return (2 * t - b->from - b->to) / (b->to - b->from);
}

// c = V^-1 F, V_jk = P_k(x_j)
static bool find_basis(bridge* b, const double* node)
{
  double V[nodes * nodes], column[nodes], P[nodes + 1];
  int pivot[nodes];
  for (int j = 0; j < nodes; j++) {
    legendre(nodes, place(b, node[j]), P);
    memcpy(V + j * nodes, P, sizeof(double) * nodes);
  }
  if (!num_lu(nodes, V, pivot)) return false;
  for (int j = 0; j < nodes; j++) {
    memset(column, 0, sizeof column);
    column[j] = 1;
    num_lu_solve(nodes, V, pivot, column);
    for (int k = 0; k < nodes; k++) b->basis[k * nodes + j] = column[k];
  }
  return true;
}

static void find_weights(bridge* b, const double* node)
{
  double I[nodes], I0[nodes];
  const double half = (b->to - b->from) / 2;
  integrals(place(b, b->origin), I0);
  for (int i = 0; i < nodes; i++) {
    integrals(place(b, node[i]), I);
    for (int j = 0; j < nodes; j++) {
      double sum = 0;
      for (int k = 0; k < nodes; k++) sum += (I[k] - I0[k]) * b->basis[k * nodes + j];
      b->weight[i * nodes + j] = half * sum;
    }
  }
}

// largest entry of component i at the nodes
static double size_of(const bridge* b, const double* at, int i)
{
  double most = 0;
  for (int j = 0; j < nodes; j++) most = fmax(most, fabs(at[j * b->base.ode.n + i]));
  return most;
}

// what component i is measured by: its size, and that of what it is bound to
static double scale_of(const bridge* b, int i)
{
  return size_of(b, b->Y, i) + b->scale[i];
}

// one substitution; the largest change over its scale
static double substitute(bridge* b)
{
  const int n = b->base.ode.n;
  memset(b->change, 0, sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < nodes; j++) {
      double sum = b->known[i];
      for (int k = 0; k < nodes; k++) sum += b->weight[j * nodes + k] * b->F[k * n + i];
      b->change[i] = fmax(b->change[i], fabs(sum - b->Y[j * n + i]));
      b->Y[j * n + i] = sum;
    }
  double most = 0;
  for (int i = 0; i < n; i++) {
    const double scale = scale_of(b, i);
    const bool quiet = b->base.ode.quiet && b->base.ode.quiet[i];
    if (!quiet && scale > 0) most = fmax(most, b->change[i] / scale);
  }
  return most;
}

static bool slopes(bridge* b, const double* node)
{
  const step_ode* o = &b->base.ode;
  for (int j = 0; j < nodes; j++) {
    b->base.counts.evaluations++;
    if (o->rhs(o->context, node[j], b->Y + j * o->n, b->F + j * o->n)) return false;
    if (!step_all_finite((size_t)o->n, b->F + j * o->n)) return false;
  }
  return true;
}

bool step_bridge_cross(step_stepper* s, const step_bridge_span* span, double* Y)
{
  bridge* b = (bridge*)s;
  const int n = s->ode.n;
  b->from = span->from;
  b->to = span->to;
  b->origin = span->origin;
  b->scale = span->scale;
  b->Y = Y;
  if (s->ode.rest) *s->ode.rest = 0;
  memcpy(b->known, span->y, sizeof(double) * (size_t)n);
  if (!find_basis(b, span->node)) return false;
  find_weights(b, span->node);
  double before = INFINITY;
  bool done = false;
  for (int turn = 0; turn < most_turns && !done; turn++) {
    if (!slopes(b, span->node)) return false;
    const double change = substitute(b);
    if (!isfinite(change)) return false;
    done = change <= settled || (change < rounding && change > 0.5 * before);
    if (!done && turn > 8 && change > before) return false;
    before = change;
  }
  for (int k = 0; k < nodes; k++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < nodes; j++) sum += b->basis[k * nodes + j] * b->F[j * n + i];
      b->c[k * n + i] = sum;
    }
  s->t_old = s->t = span->origin;
  memcpy(s->y, span->y, sizeof(double) * (size_t)n);
  return done;
}

double step_bridge_error(const step_stepper* s)
{
  const bridge* b = (const bridge*)s;
  const int n = s->ode.n;
  double most = 0;
  for (int i = 0; i < n; i++) {
    const double scale = scale_of(b, i);
    if ((s->ode.quiet && s->ode.quiet[i]) || !(scale > 0)) continue;
    const double last = fabs(b->c[(nodes - 1) * n + i]) + fabs(b->c[(nodes - 2) * n + i]);
    most = fmax(most, (b->to - b->from) / 2 * last / (2 * nodes - 1) / scale);
  }
  return most;
}

void step_bridge_slopes(const step_stepper* s, double t, double* dy)
{
  const bridge* b = (const bridge*)s;
  double P[nodes + 1];
  legendre(nodes, place(b, t), P);
  for (int i = 0; i < s->ode.n; i++) {
    dy[i] = 0;
    for (int k = nodes - 1; k >= 0; k--) dy[i] += P[k] * b->c[k * s->ode.n + i];
  }
}

void step_bridge_fit(const step_stepper* s, int count, const double* at_nodes, double* c)
{
  const bridge* b = (const bridge*)s;
  for (int k = 0; k < nodes; k++)
    for (int i = 0; i < count; i++) {
      c[k * count + i] = 0;
      for (int j = 0; j < nodes; j++)
        c[k * count + i] += b->basis[k * nodes + j] * at_nodes[j * count + i];
    }
}

void step_bridge_value(const step_stepper* s, int count, const double* c, double t, double* out)
{
  const bridge* b = (const bridge*)s;
  double P[nodes + 1];
  legendre(nodes, place(b, t), P);
  for (int i = 0; i < count; i++) {
    out[i] = 0;
    for (int k = nodes - 1; k >= 0; k--) out[i] += P[k] * c[k * count + i];
  }
}

// ---- as a method --------------------------------------------------------------------------------

static step_stepper* create(const step_method* method, const step_ode* ode)
{
  const size_t n = (size_t)ode->n;
  bridge* b = base_alloc(sizeof *b + sizeof(double) * (n * (2 * nodes + 3) + 1));
  double* p = (double*)(b + 1);
  double** vector[] = {&b->base.y, &b->known, &b->change};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++, p += n) *vector[i] = p;
  b->F = p;
  b->c = p + nodes * n;
  b->base.method = method;
  b->base.ode = *ode;
  b->base.slack = 1;
  return &b->base;
}

static void destroy(step_stepper* s)
{
  free(s);
}

static step_status start(step_stepper* s, double t, const double* y, double t_end)
{
  (void)t;
  (void)y;
  (void)t_end;
  return step_stepper_fail(s, STEP_RHS_FAILED, "a bridge is not started anew", s->t);
}

static void dense(step_stepper* s, double t, double* y)
{
  const bridge* b = (const bridge*)s;
  double I[nodes], I0[nodes];
  const double half = (b->to - b->from) / 2;
  integrals(place(b, t), I);
  integrals(place(b, b->origin), I0);
  for (int i = 0; i < s->ode.n; i++) {
    double sum = 0;
    for (int k = nodes - 1; k >= 0; k--) sum += (I[k] - I0[k]) * b->c[k * s->ode.n + i];
    y[i] = b->known[i] + half * sum;
  }
}

static step_status step(step_stepper* s, double t_limit)
{
  const bridge* b = (const bridge*)s;
  s->t_old = s->t;
  s->t = fmin(b->to, t_limit);
  dense(s, s->t, s->y);
  s->counts.steps++;
  return STEP_OK;
}

static step_status amend(step_stepper* s, const double* y)
{
  memcpy(s->y, y, sizeof(double) * (size_t)s->ode.n);
  return STEP_OK;
}

const step_method step_method_bridge = {
    .name = "bridge",
    .summary = "collocation across instants without a right-hand side",
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
    .dense = dense,
    .amend = amend,
};
