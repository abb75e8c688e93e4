// The equations of an initial state, and their solution. Private to walk.
#pragma once

#include "engine/engine.h"
#include "walk/walk.h"

// one scalar equation and where it comes from
typedef struct walk_origin
{
  expr f;
  base_place place;
  const char* constraint; // its name, or null for an initial equation
  bool holds_velocity;
} walk_origin;

// what is asked of a start
typedef struct walk_request
{
  double t;
  int count;
  const model_initial* initial;
  base_notes* notes;
  walk_guesses* moved; // or null
} walk_request;

typedef struct walk_initial
{
  engine* e;
  int count;
  walk_origin* eq;
  // the equations and unknowns of the present attempt
  int rows, unknowns;
  int* row;                  // numbers into eq
  int offset;                // first unknown: 0 positions, n velocities
  const code_kernel* kernel; // F of all equations, then J of all equations by q and v
  double* out;
  bool fresh; // it is that of the guesses, which the engine has
  double* scratch;
  double* weight; // 2n: of guesses against what nothing is said of
  // 2n: sizes of the unknowns, powers of two, and what they weigh in units of them; sizes of the
  // equations
  double *size, *metric, *scale;
  num_rows J; // many coordinates: pattern of the derivatives by q and v
  // of few: the equations without velocities are linear in what they leave open, so that there is
  // one place nearest to a guess
  bool one_place;
} walk_initial;

// what is looked for at once
typedef enum walk_initial_part { WALK_POSITIONS, WALK_VELOCITIES, WALK_BOTH } walk_initial_part;

// exact initial equations and the constraints active now; then their kernel, false with errors
// noted
void walk_initial_collect(walk_initial* p, int count, const model_initial* initial);
bool walk_initial_build(walk_initial* p, base_notes* notes);
void walk_initial_free(walk_initial* p);
// what is kept for all engines with the same equations; its bytes are those of `by`, until its end
enum { walk_initial_few = 256 };
typedef struct walk_initial_words
{
  base_text text;
  char few[walk_initial_few];
} walk_initial_words;
base_key walk_initial_key(const walk_initial* p, const char* what, walk_initial_words* by);
void walk_initial_key_end(walk_initial_words* by);
// sizes of unknowns and equations at the engine's state, whose masses engine_weigh() has seen
void walk_initial_measure(walk_initial* p);
// sum over the unknowns of slope times size, at the state for which the kernel ran last
double walk_initial_terms(const walk_initial* p, int i);
// the equations and unknowns of a part
void walk_initial_choose(walk_initial* p, walk_initial_part part);
// those solved from the engine's state
num_newton_result walk_initial_attempt(walk_initial* p, walk_initial_part part);
// noughts of the guess (places and velocities) that came out as rounding of those solved are
// noughts
void walk_initial_clear(walk_initial* p, const double* guess);
// root mean square of the residuals at the engine's state; infinite where one is not defined
double walk_initial_miss(walk_initial* p, walk_initial_part part);

// With the constraints active now. `seed`: guesses where nothing is said, null for those of the
// model; `moved`: how far the coordinates had to go from the guesses.
bool walk_initial_solve(engine* e, const walk_request* a, const double* seed, double* moved);

// why no state was found: what is off at the engine's state, the nearest one (initial_report.c)
void walk_initial_report(walk_initial* p, base_notes* notes);
