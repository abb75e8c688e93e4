// Steady motions, their spectrum and what decides beyond it. Private to sim.
#pragma once

#include "study/symmetry.h"

// Initial equations that a steady motion keeps, and their derivatives by the state: value holds
// count numbers, then a row of 2n for each. None where they cannot be evaluated.
typedef struct sim_kept
{
  int count;
  code_kernel* kernel;
  double *value, *scratch;
} sim_kept;
void sim_kept_build(sim_engine* e, int count, const expr* f, sim_kept* k);
void sim_kept_run(const sim_engine* e, const sim_kept* k); // at the state of the engine
void sim_kept_free(sim_kept* k);

// Which coordinates do not appear in the equations near the engine's state (n flags), and whether
// time does. False with an error noted where the equations cannot be evaluated there.
bool sim_steady_look(sim_linear* l, bool* ignorable, bool* timed, base_notes* notes);
// Move the engine to the steady motion next to its state: a = 0, the velocities of coordinates that
// are not ignorable zero. Initial equations on the others are kept where that can be.
bool sim_steady_find(sim_linear* l, const bool* ignorable, int count, const model_initial* initial,
                     bool* moved, base_notes* notes);
// the same from here alone, the initial equations on speeds being kept; false where it fails
bool sim_steady_try(sim_linear* l, const bool* ignorable, int count, const model_initial* initial);
// Basis U of the admissible changes of state across the family of steady motions, 2n by d - f; F
// holds the family, 2n by f. Returns f. The linear system l is that of the steady motion.
int sim_steady_family(sim_linear* l, const bool* ignorable, double* F, double* U);
// Null space of `count` rows of length N, entries below 1e-12 of `size` taken as rounding; out is N
// by what is returned.
int sim_steady_null(int N, int count, const double* rows, double size, double tolerance,
                    double* out);
// The same for motions that symmetries of the equations carry along: does one explain the speeds of
// the engine's state that ignorable coordinates do not?
bool sim_relative_explains(const sim_symmetry* s, const sim_engine* e, const bool* ignorable);
// Move the engine to the relative equilibrium next to its state; xi is the group's speed there,
// kept is 2 where all exact initial equations hold, 1 where those on speeds do, else 0.
bool sim_relative_find(sim_linear* l, const sim_symmetry* s, int count,
                       const model_initial* initial, base_arena* arena, double* xi, int* kept);
// xi with sum xi_k eta_k(q) nearest to v; returns what is left of v
double sim_relative_speed(const sim_symmetry* s, const double* q, const double* v, double* xi);
// Of the group's speeds that carry the engine's state alike, the one whose axes turn least.
void sim_relative_calm(sim_linear* l, const sim_symmetry* s, double* xi);
// J in axes that move along
void sim_relative_turn(sim_linear* l, const sim_symmetry* s, const double* xi);
// as sim_steady_family, after sim_relative_turn
int sim_relative_family(sim_linear* l, const sim_symmetry* s, double* F, double* U);
// the steady motion in the engine, only ignorable coordinates of `like` moving
sim_stability* sim_stability_here(sim_linear* l, const sim_stability* like, base_notes* notes);
// further steady motions into r->other, from those of `near` (or null) and from many starts
void sim_stability_others(sim_linear* l, int count, const model_initial* initial,
                          const sim_stability* near, sim_stability* r);
// Verdict, reason and remark on the steady motion whose eigenvalues r has. s: what carries it;
// family: 2n by r->family, null for relative equilibria.
void sim_stability_judge(sim_linear* l, const sim_symmetry* s, const double* family,
                         sim_stability* r);
// real part of eigenvalue i; of several that are one but for rounding, their mean
double sim_stability_real(const sim_stability* r, int i);
// are the equations linear themselves, at all states?
bool sim_stability_is_linear(sim_linear* l, const sim_stability* r);
bool sim_stability_multipliers_are_simple(const sim_stability* r);
// Multipliers of the motion over one period from the engine's state into r; false with an error
bool sim_floquet(sim_linear* l, const bool* ignorable, bool timed, sim_stability* r,
                 base_notes* notes);
// Do the equations come back after this time, at the engine's state and others?
bool sim_period_repeats(sim_linear* l, double period);
// the shortest time after which they do; false where there is none, or it was not found
bool sim_period_find(sim_linear* l, double* period);
// into r->chetaev; the motion of r is the one looked at, s (or null) the group that carries it
void sim_chetaev_look(sim_linear* l, const sim_symmetry* s, sim_stability* r);
