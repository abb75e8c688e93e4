// Motions through events, stages, impacts, stick and slip. Private to study.
#pragma once

#include "study/branch.h"

struct study_hybrid
{
  mech_system* s;
  base_arena* arena;
  double* number;  // of the params
  int param;       // that is varied; -1: none
  walk_state* at;  // stands at the start: its engine has the mode there
  walk_state* fly; // makes the flights, each from what was saved there
  base_text saved;
  study_linear* l;
  study_stability* start; // state, time and period that the search begins with
  bool timed;
  double *memory, *memory_end; // values of the params that the motion sets: at the start, behind
  int memories, *memory_of;
  int stage;
  double *x, *side; // work space: a state and what a flight gives
  uint64_t way;     // what happens along the flight made last, as one number
  double error;     // of its derivatives
  bool grazes;      // what happens is not the same in all runs next to it
  int happenings;
  study_happening* happening;
  char reason[240];
};

// the run `fly` at the start of the motion of these unknowns (2n, period, param); false: none
bool study_hybrid_begin(study_hybrid* h, const double* u, base_notes* notes);
// where things happen, but for constraints that hold at the start, in a fresh block
// (hybrid_notice.c)
expr* study_hybrid_surfaces(const engine* e, int* count);
// a run at its start, in the state that is asked for; null with errors noted
walk_state* study_hybrid_run(const study_hybrid* h, const study_stability_options* o,
                             base_notes* notes);
walk_options study_hybrid_options(const study_hybrid* h);
// about how long the motion of a run from its start takes to come back; nan where it does not,
// 0 where nothing happens along it. The run is spent (hybrid_length.c).
double study_hybrid_length(study_hybrid* h, walk_state* w);

// What the model asks for by conditions: events, ends of stages, gaps, and what is set there. They
// tell whether coordinates and time are noticed (hybrid_notice.c).
void study_hybrid_notice(study_hybrid* h, bool* ignorable, bool* timed);
// does the motion of the engine's state meet, or come from, something that happens within this
// time?
bool study_hybrid_meets(engine* e, double within);
// may coordinate i grow by whole turns as far as these conditions go?
bool study_hybrid_turns(study_hybrid* h, int i);
