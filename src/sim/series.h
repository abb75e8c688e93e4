// The power series of the motion, for methods that take them. Private to sim.
#pragma once

#include "sim/flow.h"

struct sim_series
{
  sim_engine* e;
  int order;       // at most
  code_jet* eom;   // M, F, A, c; the unknowns x are kept beside its inputs
  code_jet* power; // of the work
  double *eom_scratch, *power_scratch;
  int rows, *row; // active rows the list of products was made for
  bool listed;
  int products;
  code_jet_product* product;
  double* ramp;           // coefficients of the params on their way
  double t;               // of the last expansion
  int expanded;           // its order, 0 if there is none
  double *start, *motion; // its inputs of order 0 and its coefficients, for the events
  code_jet* watches;      // event functions; null where they are not smooth
  double* watch_scratch;
  bool watching;               // their series belong to the last expansion
  bool works;                  // the power is not a number
  double* K0;                  // the matrix of x at order 0, of all rows
  double *K, *scale, *x, *sum; // factored matrix of x, scales of its constraint rows, work
  double* inverse;             // of K_0 where that is quicker, by columns
  double* multiplier;          // -Lambda of the active rows by order, for the events
  code_series* native;         // the same recurrence as machine code; null where there is none
  double *native_scratch, *right, *whole; // of it: right side at order 0, inverse for all rows
  code_series* direct;                    // of the kernel of `direct_of`; null where there is none
  const code_kernel* direct_of;
  double *direct_scratch, *direct_right;
  int* pivot;
};

// Where things are among the outputs of the equations of motion: M (n n), F (n), A (m n), c (m).
static inline int sim_eom_M(const sim_engine* e, int i, int j)
{
  return i * e->n + j;
}
static inline int sim_eom_F(const sim_engine* e, int i)
{
  return e->n * e->n + i;
}
static inline int sim_eom_A(const sim_engine* e, int row, int j)
{
  return e->n * e->n + e->n + row * e->n + j;
}
static inline int sim_eom_c(const sim_engine* e, int row)
{
  return e->n * e->n + e->n + e->m * e->n + row;
}

// why the motion of this system has no series by the recurrence, or null
const char* sim_series_unsuited(const sim_engine* e);
enum { sim_series_inverted = 12, sim_series_ramp_orders = 6 };
// made from the engine's kernels, in its arena; sim_series_free frees what is not there
sim_series* sim_series_new(sim_engine* e, int order);
void sim_series_free(sim_series* s);
// time and params of order k > 0 as inputs of a jet
void sim_series_given(const sim_series* s, const code_jet* j, double* scratch, int k);
// Expand the event functions along the step that began at t.
void sim_series_watch(sim_series* s, double t);
// Roots of one of them on [a, b] inside that step, as num_roots: f is its value.
int sim_series_roots(sim_series* s, int which, num_function* f, void* context, double a, double b,
                     double tolerance, int room, num_root* out);
// K_0 of the active rows factored, from K0; 1 where it is singular
int sim_series_factor(sim_series* s);
// coefficients k of a param on its way and of its derivatives
void sim_series_ramp(const sim_series* s, int param, int k, double of[3]);
// The same as machine code: made, and an expansion, false where it is not finite.
void sim_series_native_make(sim_series* s);
bool sim_series_native_expand(sim_series* s, const double* y, int order, double* c);
// The same from accelerations that one kernel gives for the active rows, where that is cheaper.
void sim_series_direct_make(sim_flow* f);
bool sim_series_direct_expand(sim_flow* f, const double* y, int order, double* c);
// num_ode.series of a flow with u = v
int sim_series_expand(void* flow, double t, const double* y, int order, double* c);
