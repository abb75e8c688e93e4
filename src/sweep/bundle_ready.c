// The starts of runs side by side: found a block at a time, with their energies, and laid out for
// the lanes that take them.
#include "sweep/bundle_worker.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { rows_of_a_run = 501 };
// what may be left of a velocity constraint at the start
static const double start_tolerance = 1e-11;

// Rows of numbers of W lanes, row by row, so that lanes stay side by side: `bad` grows where one is
// larger than `most`, or no number.
static inline __attribute__((always_inline)) void judge(const int W, int rows, const double* x,
                                                        double most, double* bad)
{
  for (int i = 0; i < rows; i++)
    for (int l = 0; l < W; l++) bad[l] += fabs(x[i * W + l]) <= most ? 0 : 1;
}

static void judge_rows(int W, int rows, const double* x, double most, double* bad)
{
  if (W == STEP_ABREAST)
    judge(STEP_ABREAST, rows, x, most, bad);
  else
    judge(4, rows, x, most, bad);
}

// velocities put on the constraints, in a lane where those given are not
static void take_nearest(sweep_bundle_worker* w, int lane, double* bad)
{
  const sweep_bundle* b = w->b;
  const int W = b->width;
  const double* near = w->near_out + b->free * W;
  bool met = near[lane] > 0;
  for (int k = 0; k < b->rows; k++)
    met = met && fabs(near[(1 + b->l + k) * W + lane]) <= start_tolerance;
  if (!met) bad[lane]++;
  for (int i = 0; i < b->l; i++) w->ready.in[(1 + b->n + i) * W + lane] = near[(1 + i) * W + lane];
}

// the starts from what the kernels give; those that are not found are left to the ordinary way
static void take_starts(sweep_bundle_worker* w)
{
  const sweep_bundle* b = w->b;
  const sweep_ready* r = &w->ready;
  const int W = b->width, state = b->n + b->l;
  const size_t row = sizeof(double) * (size_t)W;
  const double *out = w->start_out, *left = out + (2 + state) * W;
  double bad[STEP_ABREAST] = {0}, unmet[STEP_ABREAST] = {0}, any = 0;
  memcpy(r->in, out, row);
  memcpy(r->in + W, out + 2 * W, row * (size_t)state);
  memcpy(r->in + (1 + state) * W, w->start_in, row * (size_t)b->axes);
  for (int i = 0; i < b->bounds; i++)
    for (int l = 0; l < W; l++) bad[l] += left[(b->rows + i) * W + l] >= 0 ? 0 : 1;
  judge_rows(W, b->rows, left, start_tolerance, unmet);
  for (int l = 0; l < W; l++) any += unmet[l];
  if (any > 0 && b->nearest) code_run_lanes(b->nearest, W, w->start_in, w->near_out, w->scratch);
  for (int l = 0; l < W && any > 0; l++) {
    if (unmet[l] > 0 && b->nearest) take_nearest(w, l, bad);
    if (!b->nearest) bad[l] += unmet[l];
  }
  judge_rows(W, 1 + state, r->in, DBL_MAX, bad);
  judge_rows(W, 1, out + W, DBL_MAX, bad);
  for (int l = 0; l < W; l++) r->fine[l] = bad[l] == 0 && out[W + l] > out[l];
}

// the energies at the starts
static void open_accounts(sweep_bundle_worker* w)
{
  const int W = w->b->width;
  code_run_lanes(w->b->energy, W, w->ready.in, w->energy_out, w->scratch);
  for (int lane = 0; lane < W; lane++) {
    const double H = w->energy_out[lane], T = w->energy_out[W + lane];
    w->ready.account[lane] = (sweep_account){.H = H, .largest = sweep_larger(fabs(H), fabs(T))};
  }
}

// Those that were found wait for lanes. In the other places one of them waits, too: its numbers are
// ordinary ones.
static void begin_ready(sweep_bundle_worker* w)
{
  const sweep_bundle* b = w->b;
  const sweep_ready* r = &w->ready;
  const int W = b->width;
  int some = 0;
  while (some < r->count && !r->fine[some]) some++;
  for (int place = 0; place < W && some < r->count; place++) {
    const int i = place < r->count && r->fine[place] ? place : some;
    const double t = r->in[i], t_end = w->start_out[W + i];
    for (int k = 0; k < b->n + b->l; k++) w->y[k] = r->in[(1 + k) * W + i];
    const step_lanes_run run = {.t = t,
                                .t_end = t_end,
                                .longest = b->by_time ? (t_end - t) / rows_of_a_run : INFINITY,
                                .y = w->y,
                                .rest = w->value + r->run[i] * b->axes};
    step_lanes_wait(w->lanes, place, &run);
  }
}

void sweep_bundle_make_ready(sweep_bundle_worker* w)
{
  const sweep_bundle* b = w->b;
  sweep_ready* r = &w->ready;
  const int left = w->count - w->taken;
  r->count = left < b->width ? left : b->width;
  r->next = 0;
  if (!r->count) return;
  for (int lane = 0; lane < b->width; lane++) {
    const int run = w->taken + (lane < r->count ? lane : 0);
    r->run[lane] = run;
    for (int i = 0; i < b->axes; i++)
      w->start_in[i * b->width + lane] = w->value[run * b->axes + i];
  }
  w->taken += r->count;
  code_run_lanes(b->start, b->width, w->start_in, w->start_out, w->scratch);
  take_starts(w);
  open_accounts(w);
  begin_ready(w);
}
