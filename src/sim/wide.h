// The motion with twice the digits: its power series, its constraints, its rows. Private to sim.
#pragma once

#include "sim/record.h"

// one kernel with its scratch block
typedef struct sim_wide_part
{
  code_wide* code;
  double* scratch;
} sim_wide_part;

struct sim_wide
{
  sim_engine* e;
  num_stepper* stepper; // of the run
  base_wide* in;        // the input block
  sim_wide_part eom, power, levels, columns;
  bool works;     // the power is not a number
  int rows, *row; // active rows the list of products was made for
  bool listed;
  int products;
  code_jet_product* product;
  double *K, *scale, *right; // factored matrix of the unknowns in doubles, powers of two
  int* pivot;
  base_wide *K0, *x, *sum, *r; // the matrix itself, unknowns, work space
  double *plain, *position, *velocity;
  base_wide *y, *c; // a state, and its series of first order
};

// why this model has no run with twice the digits, or null
const char* sim_wide_unsuited(const sim_engine* e);
// made from the engine's equations, in its arena; sim_wide_free frees what is not there
sim_wide* sim_wide_new(sim_engine* e, int order);
void sim_wide_free(sim_wide* w);
// num_ode.wide_series and num_ode.wide_settle of a flow with u = v
int sim_wide_expand(void* flow, base_wide t, const base_wide* y, int order, int wide, base_wide* c);
int sim_wide_settle(void* flow, base_wide t, base_wide* y);
// residuals of the constraints at the end of the last step, as sim_residuals
void sim_wide_residuals(sim_wide* w, double* position, double* velocity);
// the initial state from the one found in doubles, with `count` initial equations; false with an
// error noted
bool sim_wide_start(sim_wide* w, base_wide t, int count, const model_initial* initial,
                    base_notes* notes);
// Of a motion in doubles only its constraints, in the engine's arena; null where there are none or
// none with twice the digits. And num_ode.wide_settle of its flow, to which states come that are
// nearly there: one turn for each level.
sim_wide* sim_wide_levels_new(sim_engine* e);
int sim_wide_nudge(void* flow, base_wide t, base_wide* y);
// the row at t from the last step of the run: high and low parts of its columns; 0, or 1 with the
// engine's reason
int sim_wide_row(sim_wide* w, const sim_record* r, double t, double* high, double* low);

// for the files of it: time and state into the input block, and order 0 of a part
void sim_wide_load(sim_wide* w, base_wide t, const base_wide* y);
void sim_wide_evaluate(const sim_wide* w, const sim_wide_part* part);
sim_wide_part sim_wide_part_new(sim_engine* e, int count, const expr* list, int order, int extra);
