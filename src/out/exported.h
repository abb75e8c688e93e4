// What the exported C is made of: lists of expressions, the tables beside them, their inputs.
// Private to out.
#pragma once

#include "out/out.h"

// friction of one contact: the rows that hold it at rest, and by how much of the normal force
typedef struct out_friction
{
  int normal, rows, row[3];
  expr bound;
} out_friction;

typedef struct out_exported
{
  const mech_system* s;
  base_arena* arena;
  int inputs; // params, then whatever else the expressions hold (rates of params)
  expr* input;
  // sign(w) in the forces, a symbol in its place: w, its slope by the velocities, and -w' without
  // accelerations; those of places alone do not slide
  int jumps;
  expr *node, *side, *w, *slope, *drift;
  bool* slides;
  expr* F;                       // the forces with those symbols
  expr *G, *D;                   // their derivatives by reactions and by sides
  int branches;                  // conditions in the forces: switching function,
  expr* branch;                  // and both branches
  BASE_LIST(out_friction) pairs; // of contacts
  int guards;                    // not negative while the model means something
  expr* guard;
  int *sense, *order, *during, *friction_of; // of each row
  bool *ideal, *leads, *reactive, *starts, *bounces;
  // the reduced form: independent quasi-velocities, q' in them; u, u' without accelerations, du/dq'
  int speeds;
  expr *speed, *velocity, *reduced;
  bool coupled; // some force depends on reactions, or jumps
} out_exported;

// why there can be no C, null where there can
const char* out_exported_unsuited(const mech_system* s);
void out_exported_make(out_exported* x, const mech_system* s, base_arena* arena);
// all of a list that is neither t, state, reaction, hold nor side joins the params as an input
void out_exported_inputs(out_exported* x, int count, const expr* list);
// M, F, A, c, G, D; and what tells what holds: gaps, rates, jumps, bounds, guards, branches,
// bounces
expr* out_exported_terms(const out_exported* x, int* count);
expr* out_exported_levels(const out_exported* x, int* count);
// t, q, v, params, reactions, holds, sides, and behind them accelerations and quasi-velocities
int out_exported_layout(const out_exported* x, expr** input);

// fills in the reduced form, none where constraints bind more than velocities or come and go
void out_exported_reduce(out_exported* x);
// events, ends of stages, outputs, and what is set at events
void out_exported_events(const out_exported* x, base_text* out);
// the C of the events' expressions, for those to find their inputs
expr* out_exported_results(const out_exported* x, int* count);

// The C that does not depend on the model, line by line, ended by a null
extern const char* const out_exported_motion[];
extern const char* const out_exported_happenings[];
extern const char* const out_exported_quasi[];
