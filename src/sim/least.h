// Constraints nonlinear in the accelerations. Private to sim.
#pragma once

#include "sim/engine.h"

enum { SIM_LEAST_DEGREE = 6, SIM_LEAST_MINIMA = 16 };

struct sim_least
{
  code_kernel* kernel; // f, df/dq'', d2f/dq''2 of every such constraint
  int count;           // of such constraints
  int* of;             // their numbers
  int* degree;         // as polynomials in the accelerations, 0: none
  double* out;
  // the problem at the state last set up
  int active, *now; // those that hold
  int l;
  double *ap, *Z, *H, *r;
  num_stationary* solver;
  num_monomial* term;
  // the branch followed: its place at the start of the step, and at the state last evaluated
  double *anchor_a, *anchor_lambda, *found_lambda;
  double *rival_a, *rival_lambda; // another branch that has become less
  double U;
  bool lost; // the branch was not found at the state last evaluated
  // local minima at the state last looked at
  int minima;
  num_stationary_point minimum[SIM_LEAST_MINIMA];
  bool complete, continuum;
};

int sim_least_list(const sim_engine* e, expr** out);
sim_least* sim_least_new(sim_engine* e, code_kernel* kernel);
void sim_least_free(sim_least* f);

// values, gradients and second derivatives of the constraints that hold, by w; context: the engine
int sim_least_evaluate(void* context, const double* w, double* phi, double* grad, double* hess);
// those constraints as polynomials in w into `out`, null where they are none or too long
// (allocates)
const num_polynomial* sim_least_polynomials(sim_engine* e, num_polynomial* out);

// Z, a_p, H and r at the state in the input block
void sim_least_set_up(sim_engine* e);
// the answer w, with the equations and their factorisation as sim_reactions() needs them
void sim_least_take(sim_engine* e, const double* w);
// w and lambda of accelerations and reactions given in full
void sim_least_reduce(const sim_engine* e, const double* a, const double* all_lambda, double* w,
                      double* lambda);
const char* sim_least_name(const sim_engine* e); // of the first constraint that holds

// accelerations of the branch followed; 0, or 1 with e->reason
int sim_least_accelerations(sim_engine* e);
// the branch as it is at the engine's accelerations is the one to follow from here
void sim_least_anchor(sim_engine* e);
// all local minima; 0, or 1 with e->reason
int sim_least_minima(sim_engine* e);
// take the least of all; where several are least, with `ahead` the one that is the least a moment
// later. 0, or 1 with e->reason.
int sim_least_choose(sim_engine* e, bool ahead);
// is another minimum less than the branch followed here? it is the rival then
bool sim_least_find_rival(sim_engine* e);
// how far above the branch followed the rival lies; infinite where it does not exist yet
double sim_least_lead(sim_engine* e);
// gain of Gauss's function at the admissible accelerations nearest to some thrown far around those
// of the engine (one number of -1 .. 1 per direction), relative to the distance
double sim_least_gain(sim_engine* e, const double* thrown);
