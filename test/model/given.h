// A model built from a text, its notes, and its expressions evaluated at a state.
#pragma once

#include "base/base.h"
#include "model/model.h"

typedef struct given
{
  base_arena* arena;
  base_notes* notes;
  model* m; // null where there were errors
} given;

given given_text(const char* text);
given given_set(const char* text, int overrides, const model_override* override);
void given_free(given* g);

// the reasons of all errors, one a line
const char* given_errors(given* g);
// all notes with their help, as shown
const char* given_notes(given* g);
// an expression as text
const char* given_print(given* g, expr e);
expr given_output(given* g, const char* name);

// A model of two texts, one behind the other.
given given_both(const char* before, const char* more);
// Two ways to write one model: no errors, and T, V, the forces and constraints are the same at any
// state.
void given_are_alike(const char* before, const char* one, const char* other);
// The reason of all errors is this one.
void given_is_refused(const char* before, const char* more, const char* reason);

// Values of every symbol: coordinate i follows q_i(t) = c0 + c1 t + c2 t^2 + c3 sin(t) with numbers
// drawn from the seed, changing params likewise; reactions are drawn.
typedef struct motion
{
  unsigned seed;
  double t;
} motion;
double given_value(given* g, expr e, motion at);

// both are the same function: equal at several random states
bool given_same(given* g, expr a, expr b);
// the expression written as an output named NAME in the model equals e
double given_differ(given* g, expr a, expr b, motion at);
