// The end of a step put back on the constraints, in all lanes at once, by changes of least length:
//   A dq + f0 = 0,   then   A dv + f1 = 0.
#include "sweep/settle.h"

#include "step/step.h"

#include <math.h>

// of the largest place or speed of a run: a change after which no further one is needed; the
// largest that may be left
static const double settled = 1e-12, unsettled = 1e-9;
enum { most_changes = 3 };
// smallest share of itself a pivot may be reduced to
static const double least_shift = 1e-6;

// ---- kernels ------------------------------------------------------------------------------------

code_kernel* sweep_shift_new(expr_pool* pool, base_arena* arena, int n, int rows, const expr* A,
                             const expr* f, int inputs, const expr* input)
{
  expr *unit = base_arena_take(arena, sizeof(expr) * (size_t)(n * n + 1)),
       *none = base_arena_take(arena, sizeof(expr) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    none[i] = expr_int(pool, 0);
    for (int j = 0; j < n; j++) unit[i * n + j] = expr_int(pool, i == j);
  }
  const code_linear problem = {
      .n = n, .rows = rows, .M = unit, .F = none, .A = A, .b = f, .tolerance = least_shift};
  return code_build_solve(pool, &problem, inputs, input, NULL);
}

bool sweep_settles(const sweep_settle* s)
{
  return s->places || s->speeds;
}

void sweep_settle_ready(const sweep_settle* s, int width)
{
  if (s->places) code_native(s->places, width);
  if (s->speeds) code_native(s->speeds, width);
}

void sweep_settle_free(sweep_settle* s)
{
  code_free(s->places);
  code_free(s->speeds);
}

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

size_t sweep_settle_room(const sweep_settle* s, int width)
{
  const size_t places = s->places ? (size_t)code_outputs(s->places) : 0,
               speeds = s->speeds ? (size_t)code_outputs(s->speeds) : 0;
  return larger(1, larger(places, speeds)) * (size_t)width;
}

size_t sweep_settle_scratch(const sweep_settle* s, int width)
{
  return larger(s->places ? code_scratch_lanes(s->places, width) : 1,
                s->speeds ? code_scratch_lanes(s->speeds, width) : 1);
}

// ---- changes ------------------------------------------------------------------------------------

typedef struct lanes
{
  const sweep_settle* s;
  int width;
  double *out, *scratch;
} lanes;

// Of one change in W lanes: it is added where a lane is open (1, else 0); the largest of it, which
// is infinite where it is none, and of the state then. Written so that lanes stay side by side.
static inline __attribute__((always_inline)) void change(const int W, int n, const double* d,
                                                         const double* open, double* y,
                                                         double* most, double* size)
{
  double sick[STEP_ABREAST] = {0};
  for (int l = 0; l < W; l++) most[l] = size[l] = 0;
  for (int i = 0; i < n; i++)
    for (int l = 0; l < W; l++) {
      const double x = d[i * W + l], z = y[i * W + l] + (open[l] > 0 ? x : 0), far = fabs(x),
                   large = fabs(z);
      y[i * W + l] = z;
      sick[l] += 0 * x;
      most[l] = far > most[l] ? far : most[l];
      size[l] = large > size[l] ? large : size[l];
    }
  for (int l = 0; l < W; l++) most[l] = sick[l] == 0 ? most[l] : INFINITY;
}

// by changes of least length, as many as it takes; no lane is changed for another's sake
static void shift(const lanes* x, const code_kernel* k, int turns, double* y, const double* in,
                  double* well)
{
  const int W = x->width, n = x->s->n;
  double open[STEP_ABREAST], most[STEP_ABREAST], size[STEP_ABREAST], any = 1;
  for (int l = 0; l < W; l++) open[l] = 1;
  for (int turn = 0; turn < turns && any > 0; turn++) {
    code_run_lanes(k, W, in, x->out, x->scratch);
    if (W == STEP_ABREAST)
      change(STEP_ABREAST, n, x->out, open, y, most, size);
    else
      change(4, n, x->out, open, y, most, size);
    any = 0;
    const double allowed = turn + 1 < turns || turns == 1 ? INFINITY : unsettled;
    for (int l = 0; l < W; l++) {
      const bool fine = x->out[n * W + l] > 0 && most[l] < INFINITY &&
                        (allowed == INFINITY || most[l] <= allowed * size[l]);
      if (open[l] > 0 && !fine) well[l] = 0;
      open[l] = open[l] > 0 && most[l] > settled * size[l];
      any += open[l];
    }
  }
}

void sweep_settle_lanes(const sweep_settle* s, int width, double* out, double* scratch, double* in,
                        double* well)
{
  const lanes x = {s, width, out, scratch};
  for (int l = 0; l < width; l++) well[l] = 1;
  if (s->places) shift(&x, s->places, most_changes, in + width, in, well);
  if (s->speeds)
    shift(&x, s->speeds, s->straight ? 1 : most_changes, in + (1 + s->n) * width, in, well);
}
