// What plain stretches of runs side by side are made of. Private to sweep.
#pragma once

#include "contact/contact.h"
#include "engine/engine.h"
#include "rate/rate.h"
#include "sweep/settle.h"
#include "sweep/sweep.h"

// How a value stays while a stretch lasts: on the side it is on at the beginning; above zero; above
// a share of what it is at the beginning; below the square of a bound; a gradient that turns by
// less than a right angle.
typedef enum sweep_watch_kind {
  SWEEP_KEEPS,
  SWEEP_ABOVE,
  SWEEP_LARGE,
  SWEEP_WITHIN,
  SWEEP_TURNS
} sweep_watch_kind;

typedef struct sweep_watch
{
  sweep_watch_kind kind;
  int row; // of the last three: the constraint
} sweep_watch;

// The motion in one mode as kernels, for all runs that come to it. Const once made.
//
// Inputs: those of the program (t, q, v, what stays), then a sign and a floor for each watch: what
// must be above zero is sign * value - floor; then, for each gradient that may turn, what it is at
// the beginning (n).
struct sweep_mode
{
  int n, inputs, own; // own: inputs of the program
  code_kernel* rates; // q'' (n), guard, q' (n), power if any, the watches
  int power;          // -1: none
  int first, watches; // outputs
  sweep_watch* watch;
  int* row;            // step_lanes_problem.row
  sweep_settle settle; // what puts the end of a step on the constraints
  code_kernel* stages; // of a step; null: the rates are too long for that
};

// The mode of a stretch, made where there is none yet and kept with the system; null with *why.
const sweep_mode* sweep_mode_of(const walk_stretch* x, const char** why);
// Inputs beyond t, q, v at the beginning of a stretch (inputs - 1 - 2n numbers); false where a
// value that is watched is on no side there. scratch: outputs of the rates, then theirs.
bool sweep_mode_enter(const sweep_mode* m, const walk_stretch* x, double* rest, double* scratch);
// room for that
size_t sweep_mode_room(const sweep_mode* m);
// steps in it; the functions are the caller's
step_lanes_problem sweep_mode_problem(const sweep_mode* m, int width);

// ---- while they are made ------------------------------------------------------------------------

typedef struct sweep_mode_maker
{
  const walk_stretch* x;
  engine* e;
  const engine_program* program;
  expr_pool* pool;
  base_arena* arena;
  const rate_rows* p;
  BASE_LIST(expr) value; // watched
  BASE_LIST(sweep_watch) watch;
  BASE_LIST(expr) before; // gradients at the beginning
} sweep_mode_maker;

expr* sweep_mode_take(const sweep_mode_maker* w, int count);
// convoy_watch.c: lists all that could end the mode
void sweep_mode_watch(sweep_mode_maker* w);
