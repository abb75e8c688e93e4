// Unilateral constraints: which of them hold now, impacts. Private to sim.
#pragma once

#include "sim/engine.h"

// what was decided about a unilateral constraint at an instant
typedef enum sim_contact_change {
  SIM_CONTACT_KEPT,
  SIM_CONTACT_LOOSENED,
  SIM_CONTACT_ENGAGED,
  SIM_CONTACT_HIT,   // an impact after which it is open again
  SIM_CONTACT_RESTED // after infinitely many impacts
} sim_contact_change;

struct sim_unilateral
{
  int count;
  int* of;      // constraint numbers
  double* sign; // 1: f >= 0, -1: f <= 0
  double* restitution;
  bool* present;   // not released by a stage
  bool* closed;    // f = 0 (order 0), to be looked at as a candidate
  double* impulse; // of the last impact, 0 where there was none
  double* alpha;   // loosening accelerations of the last decision
  double* lambda;  // reactions of the last decision, both with the sign of the inequality
  bool* was;       // active before the decision
  int* candidate;  // numbers into `of`
  int candidates;
  num_least* least;
  num_impact* impact;
  int* law; // a model_impact each
  // accumulation of impacts: when each was last hit, and how long before that
  double *hit, *pause;
  int* hits;         // in a row, each sooner than the one before
  bool* held_before; // corners that held the motion when a decision began
  int* slip;         // number of its rows among the slips, -1: smooth
  // work space
  double *T, *dT, *mu;
  double *N, *d, *NB, *dB, *w, *v, *e;
};

sim_unilateral* sim_unilateral_new(sim_engine* e);
void sim_unilateral_free(sim_unilateral* u);
// number of a constraint among the unilateral ones, -1
int sim_unilateral_find(const sim_unilateral* u, int k);

// At the start: the inequalities violated by the state become equations for the search of a
// consistent one. How many were added.
int sim_unilateral_hold_violated(sim_engine* e);

// Which constraints hold at the state in the input block, after the impacts it needs (`impacts`
// false: none are made, and a state that needs one is refused). Sets e->active and the rows.
// `closing`: constraints known to stand at their limit (located events), null or one flag each.
// 0, or 1 with e->reason.
int sim_unilateral_decide(sim_engine* e, bool impacts, const bool* closing);
// the constraints that can be stressed at the state in the input block, into `candidate`. 0, or 1
// with e->reason.
int sim_unilateral_candidates(sim_engine* e);
// what the last decision changed for constraint i
sim_contact_change sim_unilateral_change(const sim_engine* e, int i);

// Where active constraints depend on one another their reactions are not unique: those of least
// norm that obey the inequalities, into e->lambda.
void sim_unilateral_reactions(sim_engine* e);
// the first active constraint that would loosen at the state in the input block, -1: none. For
// redundant ones, whose reactions say nothing each by itself.
int sim_unilateral_loose(sim_engine* e);

// let the sizes against which things are nothing grow with the motion: at the end of a step, with
// the accelerations of the engine
void sim_unilateral_see(sim_engine* e);
// gap velocity of constraint i as a distance per time; the levels are evaluated
double sim_unilateral_rate(const sim_engine* e, int i);
// and the gap itself, as a distance
double sim_unilateral_gap(const sim_engine* e, int i);

// The value that stays positive while the present mode goes on: the gap (or its velocity, or
// acceleration, by the order) of an open constraint, the reaction of an active one. The state in
// the input block has accelerations where `sim_unilateral_needs` says so.
double sim_unilateral_watch(const sim_engine* e, int i);
bool sim_unilateral_needs(const sim_engine* e, int i);
