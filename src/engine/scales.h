// Scales: what places, speeds, accelerations, constraints and times of a run are measured by. What
// is small against them is in small.h. Part of the door of engine.
//
// A number is small only against something. Each coordinate has its own scales, from what was seen
// of it along the run. Coordinates that are coupled through masses, constraints or forces lend each
// other a share of theirs by way of the kinetic energy, which knows no units; those that know
// nothing of each other lend nothing. Where nothing was seen yet, the forces and the length of the
// run say what will be. Multiplying all lengths, masses or times of a problem by a factor
// multiplies every scale as its dimension says and changes no decision.
#pragma once

#include <stdbool.h>

#include "engine/small.h"

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

// Sizes seen of a coordinate: place, speed, rate of speed (that of its forces, too, which may be
// balanced by others), and what forces are made of
typedef struct engine_seen
{
  double place, speed, acceleration, terms;
} engine_seen;

// Those of all of some coordinates, in the unit of one of them: the largest sqrt(m_j) x_j, and the
// largest x_j, where masses say nothing
typedef struct engine_common
{
  engine_seen most, largest;
} engine_common;

typedef struct engine_scales
{
  engine_coupling of;
  engine_seen* seen;  // of each coordinate alone
  engine_common* all; // of each group
  double* mass;       // the largest entry on the diagonal of M
  // what follows: the sizes of its motion
  double *place, *speed, *acceleration;
  // and of the numbers it is computed from, whose rounding it has: those of all coupled with it
  double *place_terms, *speed_terms, *rate_terms;
  // work space: the mass of each coordinate, of its like where it has none; its root, and 1 by that
  double *like, *root, *inverse_root;
  bool massless; // one of them has none
  bool frozen;   // what is seen now is no part of the run
  double span;   // of the run; 0: not known
} engine_scales;

// ---- scales -------------------------------------------------------------------------------------

engine_scales* engine_scales_new(struct engine* e);
// what they are made by, in the program's arena
engine_coupling engine_coupling_find(struct engine_program* p);
// to what speeds and accelerations are known, of each coordinate
void engine_scales_noise(const struct engine* e, double* speed, double* rate);
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
// both
void engine_scales_see_all(struct engine* e, const double* q, const double* v, const double* a);
// The sizes of what forces are made of, which may cancel at the state in the input block: how they
// change with place, speed and time by their scales, and with the sides of corners.
void engine_scales_see_terms(struct engine* e);

// Sizes of f0, f1 and A a - c of constraint k, given its gradient A_k: what they are when all that
// enters them moves by its own scale
double engine_scale_place(const struct engine* e, const double* gradient);
double engine_scale_speed(const struct engine* e, const double* gradient);
double engine_scale_acceleration(const struct engine* e, const double* gradient);
// of the energy that the speeds seen give to the masses
double engine_scale_energy(const struct engine* e);
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
// and of the numbers it is computed from, where nothing has moved
double engine_scale_corner_terms(struct engine* e, int i);
