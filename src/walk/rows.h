// Rows of a track and when they are due. Private to walk.
#pragma once

#include "rate/rate.h"
#include "walk/walk.h"

// what an evaluation beside the run would change, kept meanwhile
typedef struct walk_aside walk_aside;

typedef struct walk_rows
{
  walk_track* track;
  rate_flow* flow;
  walk_aside* aside;
  double* times; // due times of rows, ascending; null: every step
  int due, count;
  bool fixed_rows; // --at: these rows and no others
  bool curves;
  int curve_rows; // at which the table of the plots is thinned
  double* values; // of the columns kernel
  double* row;
  double* watched; // of the expressions asked for
} walk_rows;

walk_aside* walk_aside_new(walk_track* track, const rate_flow* flow);
// Between these the engine and the flow serve rows; behind them they are as they were. They nest.
void walk_aside_begin(walk_aside* a, const rate_flow* f);
void walk_aside_end(walk_aside* a, rate_flow* f);

// a track whose columns are named with its system, for all runs of it
walk_track* walk_track_new_of(const mech_system* s);
base_arena* walk_track_kept(walk_track* t); // memory for what its happenings hold
walk_rows* walk_rows_new(walk_track* track, rate_flow* flow);
// compute the row at the flow's state y and append it to the table; 0, or 1 with the engine's
// reason
int walk_rows_row(walk_rows* r, double t, const double* y, int stage, int event);
// the same into `out`, which is no part of the table
int walk_rows_read(walk_rows* r, double t, const double* y, double* out);
// the same at the engine's state, which is on the constraints
int walk_rows_here(walk_rows* r, double t, int stage, int event);
// the same for the table of the plots
int walk_rows_curve(walk_rows* r, double t, const double* y, int stage);
// both for the state, accelerations and reactions in the engine's input block as they are
void walk_rows_put(walk_rows* r, double t, int stage, int event);
void walk_rows_put_curve(walk_rows* r, double t, int stage, int event);

// the row at t from the last step of the run: high and low parts of its columns; 0, or 1 with the
// engine's reason
int walk_wide_row(rate_wide* w, const walk_rows* r, double t, double* high, double* low);
