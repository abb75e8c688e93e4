// Eight states side by side: what lanes.c and lanes_turn.c share. Private to rate.
#pragma once

#include "rate/rate.h"

#include <string.h>

enum { rate_lanes_width = STEP_ABREAST, rate_lanes_most = 8 };

typedef struct rate_lanes_choice
{
  base_arena* arena;         // that it lies in
  const code_kernel* kernel; // null: there is none
  int rows, *row;
  bool* depends; // by coordinate: its velocity is eliminated
  bool any;      // some is
  bool meets;    // all of these rows hold by what is made of the velocities
  // outputs: by coordinate x' where it does not depend, q' where that is not x itself (else -1);
  // guard, power (-1: no power)
  int *put, *put_rate, guard, power;
  bool watched; // the guard may warn
  int turns;    // pairs of velocities that were turned
  const int* pair;
  const code_kernel* turn; // rate_rows.turned; null: none
  // Of the kernel what the turns of an iteration need: null, or what the rates of components that
  // others need are made of, and what of it stays meanwhile (null: nothing).
  const code_kernel *moves, *stays;
  const bool* uses; // by input of what moves: the time, then the components
} rate_lanes_choice;

struct rate_lanes
{
  engine* e;
  rate_velocities which;
  int count;
  const rate_lanes_choice* at[rate_lanes_most];
  const rate_lanes_choice* now;  // null: none
  const rate_lanes_choice* laid; // for which components have their places
  const bool* needed;            // by coordinate: something depends on it
  bool timed;                    // something depends on time or on params that change
  bool undefined;                // something has no value
  int lanes;                     // of the processor, a part of the width
  double *in, *out, *part_in, *part_out, *scratch, *one_out, *one_scratch;
  // turns: inputs of their kernel part by part, where the processor has fewer lanes; what stays has
  // to be made
  double* part_turn;
  bool stale;
  size_t rows; // of inputs that there is room for
  double** Y;
  const double** F;
  int* rate;
  step_abreast ode;
};

// lanes of `count` rows whose places are so far apart; a known number of bytes is moved at once
static inline void rate_lanes_copy(int count, int lanes, double* to, int to_apart,
                                   const double* from, int from_apart)
{
  for (int i = 0; i < count; i++, to += to_apart, from += from_apart)
    if (lanes == 4)
      memcpy(to, from, 4 * sizeof *to);
    else
      memcpy(to, from, sizeof *to * (size_t)lanes);
}

// may the kernel be believed in all lanes? Each is asked apart: what is foreseen waits for none
static inline bool rate_lanes_sure(const rate_lanes* s)
{
  const double* guard = s->out + rate_lanes_width * s->now->guard;
  for (int l = 0; l < rate_lanes_width && s->now->watched; l++)
    if (!(guard[l] > 0)) return false;
  return true;
}

// lanes_choice.c: the kernel for the rows that are active, safe at the engine's state where there
// is one, by the velocities that are wanted; null where the equations are not those of one linear
// problem. It lasts as long as the engine.
const rate_lanes_choice* rate_lanes_choose(engine* e, rate_velocities which);

// The parts of a kernel, made where there are none yet, and all set for those of now. Outputs are
// those of the kernel, up to the last that is needed.
void rate_lanes_turn_make(engine* e, rate_lanes_choice* c);
void rate_lanes_turn_rebase(rate_lanes* s);
// with them: rows of inputs, and scratch
size_t rate_lanes_turn_rows(const rate_lanes* s);
size_t rate_lanes_turn_scratch(const rate_lanes* s);
// step_abreast.turn
int rate_lanes_evaluate_turn(void* flow);
