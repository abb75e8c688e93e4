// Scales: what places, speeds, accelerations, constraints and times of a run are measured by, and
// the tolerances as multiples of them. Part of the door of engine.
//
// A number is small only against something. Each coordinate has its own scales, from what was seen
// of it along the run. Coordinates that are coupled through masses, constraints or forces lend each
// other a share of theirs by way of the kinetic energy, which knows no units; those that know
// nothing of each other lend nothing. Where nothing was seen yet, the forces and the length of the
// run say what will be. Multiplying all lengths, masses or times of a problem by a factor
// multiplies every scale as its dimension says and changes no decision.
#pragma once

#include <stdbool.h>

struct engine;
struct engine_program;

// What is coupled along the motion: groups of coordinates, that of each, named by its first; their
// members, those of group g from from[g] on; and which inputs 1 + ... the switching function of a
// corner holds.
typedef struct engine_coupling
{
  int groups, *group, *member, *from;
  int *corner_from, *corner_holds;
} engine_coupling;

typedef struct engine_scales
{
  engine_coupling of;
  // seen of each coordinate alone: the largest entry on the diagonal of M, place, speed, rate of
  // speed (that of its forces, too, which may be balanced by others)
  double *mass, *seen_place, *seen_speed, *seen_acceleration, *seen_terms;
  // what follows: the sizes of its motion
  double *place, *speed, *acceleration;
  // and of the numbers it is computed from, whose rounding it has: those of all coupled with it
  double *place_terms, *speed_terms, *rate_terms;
  double *speed_noise, *rate_noise; // to which speeds and accelerations are known
  double* like; // work space: the mass of each coordinate, of its like where it has none
  bool frozen;  // what is seen now is no part of the run
  double span;  // of the run; 0: not known
} engine_scales;

// ---- what is small ------------------------------------------------------------------------------

// A rounding is 1e-16 of a number. What solving a small system or meeting constraints leaves is
// some thousand of them.
static const double engine_noise_gap = 1e-11;   // of places: a gap that is closed
static const double engine_noise_speed = 1e-9;  // of speeds: an approach or a slip that is none
static const double engine_noise_force = 1e-10; // of forces that balance, and of accelerations

static const double engine_noise_slope = 1e-14; // of slopes of forces: they are those of before
static const double engine_least_pivot = 1e-13; // of pivots of balanced rows: more is determined

static const double engine_noise_start = 1e-11;  // of the terms of an initial equation: it is met
static const double engine_noise_moved = 1e-13;  // of the numbers of a state: it is the same one
static const double engine_noise_state = 1e-11;  // of places and speeds: what events do not feel
static const double engine_noise_solved = 1e-14; // of speeds: what Newton's method ends with
static const double engine_noise_slip = 1e-11;   // of a switching function: an impact's rounding
static const double engine_noise_held = 1e-9;    // of one that holds the motion: drift of the steps
static const double engine_slip_ends = 3e-10;    // of speeds: slip of surfaces at its end
static const double engine_slip_stops = 1e-8;    // of speeds: the same of an inequality
static const double engine_slip_begins = 1e-11;  // of speeds: with this it begins where forces jump
static const double engine_slip_rests = 1e-10;   // of speeds: an inequality's slip that is none
static const double engine_slip_begun = 5e-5;    // of speeds: what began to slip is on its way
static const double engine_slip_smooth = 1e-6;   // of speeds: where less begins an impulse does it
static const double engine_over_cone = 1e-9;     // of a squared bound: friction does not suffice
static const double engine_leak = 1e-12;      // of an open constraint: it was passed without a sign
static const double engine_open_gap = 1e-9;   // of places: a gap that a change has opened
static const double engine_beyond_gap = 1e-7; // of places: no rounding explains it
static const double engine_beyond_slip = 1e-7; // of speeds: the same
static const double engine_noise_kick = 1e-12; // of speeds: those that a change leaves as they are

// Of times, or of the run where that is longer: roundings of t; instants that are one; pauses after
// which what happens again and again has no end.
static const double engine_noise_root = 2e-15;
static const double engine_same_time = 1e-12;
static const double engine_no_pause = 1e-9;

// of the time in which the motion changes by its size: how far ahead is looked where neither forces
// nor accelerations decide. Long enough for a difference of the second order to be seen, short
// enough for the third not to.
static const double engine_look_ahead = 1e-5;

// of places and speeds: a difference for a slope, half of the digits of a double, and the least
// that says anything where the law is curved
static const double engine_difference = 1e-7;
static const double engine_least_difference = 1e-11;
// of the tolerance and of the sizes: slip that begins is followed to no less
static const double engine_slip_exact = 1e-11;
// of a step: what happened there happened at its start
static const double engine_step_start = 1e-3;

// of the time in which the motion changes by its size: all but nothing changes
static const double engine_brief = 1e-3;

// of pivots of rows of length one, and of gradients against what they were: below this margin the
// rows are near a loss of rank, and what divides by them takes care
static const double engine_near_singular = 0.3;

// of the run: nothing that a force or a speed does in this time was meant
static const double engine_moment = 1e-6;

// The limit of fast changes: the longest of them, of the quickest time of the motion; how exactly
// each is followed, of places and speeds, beyond what their extrapolation asks for; where that is
// down to rounding; a limit known to no better has not settled; two that differ by more are two.
static const double engine_limit_first = 0.1;
static const double engine_limit_exact = 1e-13;
static const double engine_limit_done = 1e-13;
static const double engine_limit_settled = 1e-7;
static const double engine_limit_same = 1e-6;

// Of a run whose end is not known, in times of the motion: by then it should be there; the clock
// has no digits left for what the motion does. And of the way made: the longest step.
static const double engine_open_time = 1e4;
static const double engine_open_clock = 1e15;
static const double engine_open_stride = 10;

// ---- scales -------------------------------------------------------------------------------------

engine_scales* engine_scales_new(struct engine* e);
// what they are made by, in the program's arena
engine_coupling engine_coupling_find(struct engine_program* p);
// the length of the run
void engine_scales_span(struct engine* e, double span);
// from here on nothing is seen, or again
void engine_scales_freeze(struct engine* e, bool frozen);
// places and speeds seen so far are forgotten
void engine_scales_forget(struct engine* e);
// a state of the motion, null where not known; true where scales grew
bool engine_scales_see(struct engine* e, const double* q, const double* v, const double* a);
// the same of the motion that steers the steps: without the speeds marked as quiet
bool engine_scales_see_steered(struct engine* e, const double* q, const double* v,
                               const bool* quiet);
// masses and forces as evaluated last
void engine_scales_see_forces(struct engine* e);
// The sizes of what forces are made of, which may cancel at the state in the input block: how they
// change with place, speed and time by their scales, and with the sides of corners.
void engine_scales_see_terms(struct engine* e);

// Sizes of f0, f1 and A a - c of constraint k, given its gradient A_k: what they are when all that
// enters them moves by its own scale
double engine_scale_place(const struct engine* e, const double* gradient);
double engine_scale_speed(const struct engine* e, const double* gradient);
double engine_scale_acceleration(const struct engine* e, const double* gradient);
// size of f0, f1 or its rate (level 0, 1, 2) of constraint k, its levels evaluated
double engine_scale_row(const struct engine* e, int k, int level);
// acceleration along it by a unit of its reaction, and the reaction that holds them all back
double engine_scale_mobility(const struct engine* e, const double* gradient);
double engine_scale_reaction(const struct engine* e, const double* gradient);
// what short times at t are measured by: t, or a part of the run
double engine_scale_instant(const struct engine* e, double t);
// the longest time in which a coordinate changes its place or speed by what was seen of it; 1 s
// where nothing moves
double engine_scale_motion(const struct engine* e);
// a time in parts of which no coordinate changes by its size; at most the run
double engine_scale_quick(const struct engine* e);
// a time in which what it binds moves by its own size, at most the run; 1 s where nothing is known
double engine_scale_time(const struct engine* e, const double* gradient);
// size of the switching function of corner i about the state in the input block; it is evaluated
double engine_scale_corner(struct engine* e, int i);
