// Steady motions, their spectrum and what decides beyond it. Private to study.
#pragma once

#include "study/symmetry.h"

// the motions above the critical values of a scan
void study_scan_look_above(study_scan* s);

// Settling, in parts. Of a smooth model; `before` is the state as the initial equations alone would
// have it, null: not asked for.
bool study_settle_smooth(mech_system* s, double* before, double* q, double* v, base_notes* notes);
// Has it inequalities, why are they beyond what is done here (null: they are not), and the state
// beside them
bool study_settle_unequal(const model* m);
const char* study_settle_not_plain(const model* m);
bool study_settle_beside(const model* m, double* before, double* q, double* v, base_notes* notes);
// may something of the model open or close?
bool study_stability_touches(const engine* e);
// the consistent state asked for, in the engine; false with an error noted
bool study_stability_begin(engine* e, const study_stability_options* o, base_notes* notes);

// moves the engine to the equilibrium or the steady motion next to its state
bool study_settle_engine(struct study_linear* l, study_where where,
                         const study_stability_options* start, base_notes* notes);

// Initial equations that a steady motion keeps, and their derivatives by the state: value holds
// count numbers, then a row of 2n for each, then what each changes by with the param (0 where there
// is none). None where they cannot be evaluated.
typedef struct study_kept
{
  int count;
  code_kernel* kernel;
  double *value, *scratch;
} study_kept;
void study_kept_build(engine* e, int param, int count, const expr* f, study_kept* k);
void study_kept_run(const engine* e, const study_kept* k); // at the state of the engine
void study_kept_free(study_kept* k);
bool study_kept_is_exact(const model_initial* g);
// How many exact initial equations do not hold at the engine's state, nor at one that is shifted
// along the group; the first of them, or count.
int study_kept_broken(engine* e, const study_symmetry* s, int count, const model_initial* initial,
                      int* first);

// The conditions of a motion that a group carries along (carried.c): unknowns (q, xi), and the
// param where l has one.
typedef struct study_carried
{
  study_linear* l;
  const study_symmetry* s;
  int wide, rows;                 // unknowns, equations
  double *C, *c, *eta, *Cv, *row; // of the group's speed now; of each field at the state
  study_kept kept;
  bool plain; // derivatives are wanted with their rounding
} study_carried;
// over: with the param of l as the last unknown. study_kept_free() its `kept` in the end.
study_carried study_carried_new(study_linear* l, const study_symmetry* s, bool over,
                                base_arena* arena);
// level 0: all exact initial equations stay, 1: those that hold a speed, 2: none
void study_carried_keep_initial(study_carried* c, int level, int count,
                                const model_initial* initial);
// these equations stay in place of those
void study_carried_keep(study_carried* c, int count, const expr* f);
// what is missing, and its derivatives; num_equations on a study_carried
int study_carried_at(void* context, const double* x, double* F, double* J);

// how much is asked of a steady motion: all, remarks beside the verdict included; the verdict; its
// eigenvalues
typedef enum study_care { STUDY_CARE_ALL, STUDY_CARE_VERDICT, STUDY_CARE_EIGENVALUES } study_care;

// Which coordinates do not appear in the equations near the engine's state (n flags), and whether
// time does. False with an error noted where the equations cannot be evaluated there.
bool study_steady_look(study_linear* l, bool* ignorable, bool* timed, base_notes* notes);
// Move the engine to the steady motion next to its state: a = 0, the velocities of coordinates that
// are not ignorable zero. Initial equations on the others are kept where that can be.
bool study_steady_find(study_linear* l, const bool* ignorable, int count,
                       const model_initial* initial, bool* moved, base_notes* notes);
// the same from here alone, the initial equations on speeds being kept; false where it fails
bool study_steady_try(study_linear* l, const bool* ignorable, int count,
                      const model_initial* initial);
// Basis U of the admissible changes of state across the family of steady motions, 2n by d - f; F
// holds the family, 2n by f. Returns f. The linear system l is that of the steady motion.
int study_steady_family(study_linear* l, const bool* ignorable, double* F, double* U);
// Null space of `count` rows of length N, entries below 1e-12 of `size` taken as rounding; out is N
// by what is returned.
int study_steady_null(int N, int count, const double* rows, double size, double tolerance,
                      double* out);
// The same for motions that symmetries of the equations carry along: does one explain the speeds of
// the engine's state that ignorable coordinates do not?
bool study_relative_explains(const study_symmetry* s, const engine* e, const bool* ignorable);
// Move the engine to the relative equilibrium next to its state; xi is the group's speed there,
// kept is 2 where all exact initial equations hold, 1 where those on speeds do, else 0.
bool study_relative_find(study_linear* l, const study_symmetry* s, int count,
                         const model_initial* initial, base_arena* arena, double* xi, int* kept);
// the same with the exact initial equations that can hold, in the order told; false where none can
bool study_relative_keep(study_linear* l, const study_symmetry* s, int count,
                         const model_initial* initial, base_arena* arena, double* xi);
// xi with sum xi_k eta_k(q) nearest to v; returns what is left of v
double study_relative_speed(const study_symmetry* s, const double* q, const double* v, double* xi);
// Of the group's speeds that carry the engine's state alike, the one whose axes turn least.
void study_relative_calm(study_linear* l, const study_symmetry* s, double* xi);
// J in axes that move along
void study_relative_turn(study_linear* l, const study_symmetry* s, const double* xi);
// as study_steady_family, after study_relative_turn
int study_relative_family(study_linear* l, const study_symmetry* s, double* F, double* U);
// the group that carries the motion along: with shifts of ignorable coordinates alone, or turns too
typedef struct study_carrier
{
  study_symmetry s;
  double* xi;
  bool relative;
  study_care care;
} study_carrier;
// The family of steady motions that one on a branch belongs to: its dimension stays, and its
// directions are those nearest to the ones before (family.c).
typedef struct study_family
{
  bool known, relative;
  int f;
  double* F; // 2n by f, room for 2n by 2n
} study_family;
// F and U as of study_steady_family; returns f
int study_family_follow(study_linear* l, const study_carrier* c, const bool* ignorable,
                        study_family* before, double* F, double* U);
// eigenvalues and verdict of the steady motion in the engine, after study_linear_at; family: null,
// or the one to follow
bool study_spectrum(study_linear* l, const study_carrier* c, study_family* family,
                    study_stability* r, base_notes* notes);
// an answer about the model of the engine, yet empty; the engine's state as its motion
study_stability* study_stability_new(const engine* e);
void study_stability_keep(const engine* e, study_stability* r);
// false with an error noted where forces have a corner at the engine's state
bool study_stability_is_smooth(engine* e, base_notes* notes);
// false with an error noted where an event that changes the motion happens at the engine's state
bool study_stability_is_undisturbed(engine* e, base_notes* notes);
// move the engine to the steady motion next to its state, or next to o->near
bool study_steady_next(study_linear* l, const study_stability_options* o, study_stability* r,
                       study_carrier* c, base_notes* notes);
// the steady motion in the engine, only ignorable coordinates of `like` moving
study_stability* study_stability_here(study_linear* l, const study_stability* like,
                                      base_notes* notes);
// further steady motions into r->other, from those of `near` (or null) and from many starts
void study_stability_others(study_linear* l, int count, const model_initial* initial,
                            const study_stability* near, study_stability* r);
// Verdict, reason and remark on the steady motion whose eigenvalues r has. s: what carries it;
// family: 2n by r->family, null for relative equilibria.
void study_stability_judge(study_linear* l, const study_symmetry* s, const double* family,
                           study_care care, study_stability* r);
// real part of eigenvalue i; of several that are one but for rounding, their mean
double study_stability_real(const study_stability* r, int i);
// are the equations linear themselves, at all states?
bool study_stability_is_linear(study_linear* l, const study_stability* r);
bool study_stability_multipliers_are_simple(const study_stability* r);
// Multipliers of the motion over one period from the engine's state into r; false with an error
bool study_floquet(study_linear* l, const bool* ignorable, bool timed, study_stability* r,
                   base_notes* notes);
// Do motions next to one another stay so, smoothly? Else an error that begins with what needs it
// (chaos.c).
bool study_chaos_suits(const engine* e, const char* what, base_notes* notes);
// Do the equations come back after this time, at the engine's state and others?
bool study_period_repeats(study_linear* l, double period);
// The period of equations that was told in a few digits: the multiple of their own next to it, or
// itself where there is none
double study_period_told(study_linear* l, double period);
// Multipliers of the map Phi (d by d) over the period of r, how well they are known, and what they
// say; false where they cannot be computed. shift: the change along the motion, which comes back as
// it is, or null; families: multipliers that are one beyond those of every such motion.
bool study_floquet_spectrum(study_stability* r, int d, const double* Phi, const double* shift,
                            bool timed, int families);
// what is marginal by its multipliers is stable where the equations are linear and those simple
void study_floquet_linear(study_linear* l, study_stability* r);
// the rate k of the time in sin(k t + ...) of the equations, and its derivative by the param of l;
// EXPR_NONE where there is none
expr study_period_rate(study_linear* l, expr* slope);
// the shortest time after which they do; false where there is none, or it was not found
bool study_period_find(study_linear* l, double* period);
// into r->chetaev; the motion of r is the one looked at, s (or null) the group that carries it
void study_chetaev_look(study_linear* l, const study_symmetry* s, study_stability* r);
