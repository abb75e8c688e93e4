// Rows of a track and when they are due. Private to sim.
#pragma once

#include "rate/rate.h"
#include "walk/walk.h"

typedef struct sim_record
{
  sim_track* track;
  sim_flow* flow;
  double* times; // due times of rows, ascending; null: every step
  int due, count;
  bool fixed_rows; // --at: these rows and no others
  bool curves;
  int curve_rows; // at which the table of the plots is thinned
  double* values; // of the columns kernel
  double* row;
  double* watched; // of the expressions asked for
} sim_record;

sim_record* sim_record_new(sim_track* track, sim_flow* flow);
// compute the row at the flow's state y and append it to the table; 0, or 1 with the engine's
// reason
int sim_record_row(sim_record* r, double t, const double* y, int stage, int event);
// the same at the engine's state, which is on the constraints
int sim_record_here(sim_record* r, double t, int stage, int event);
// the same for the table of the plots
int sim_record_curve(sim_record* r, double t, const double* y, int stage);
// both for the state, accelerations and reactions in the engine's input block as they are
void sim_record_put(sim_record* r, double t, int stage, int event);
void sim_record_put_curve(sim_record* r, double t, int stage, int event);

// the row at t from the last step of the run: high and low parts of its columns; 0, or 1 with the
// engine's reason
int sim_wide_row(sim_wide* w, const sim_record* r, double t, double* high, double* low);
