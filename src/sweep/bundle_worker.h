// One thread that makes many runs side by side. Private to sweep.
#pragma once

#include "sweep/bundle.h"

// H at the start of a run, the largest energy seen, and the work done until its end
typedef struct sweep_account
{
  double H, largest, work;
} sweep_account;

// runs that wait for their results
typedef struct sweep_ended
{
  int count;
  int* run;
  double *in, *out;
  sweep_account* account;
} sweep_ended;

// runs whose starts are known
typedef struct sweep_ready
{
  int count, next;
  int* run;
  bool* fine;
  double* in; // rows: t, q, u and the params that differ
  sweep_account* account;
} sweep_ready;

struct sweep_bundle_worker
{
  const sweep_bundle* b;
  step_lanes* lanes;
  double *scratch, *shift;
  double *start_in, *start_out, *near_out, *y;
  double* energy_out;
  int abreast;            // lanes
  int* run;               // of each lane
  sweep_account* account; // of each lane
  sweep_ready ready;
  sweep_ended ended;
  // the task
  int count, taken;
  const double* value;
  double* result;
  bool* done;
};

// The larger one, b where one is no number; fmax is a call.
static inline double sweep_larger(double a, double b)
{
  return a > b ? a : b;
}

// the starts of the next runs of the task, a block of them at a time (bundle_ready.c); none are
// ready behind it where there are no more
void sweep_bundle_make_ready(sweep_bundle_worker* w);
