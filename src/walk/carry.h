// The motion over a short time in which nothing happens. Private to walk.
#pragma once

#include "contact/contact.h"
#include "rate/rate.h"

typedef struct walk_carry_way
{
  rate_flow* f; // of the engine whose state is carried
  long most_steps;
  int (*note)(engine* e, double h); // behind each step of length h, nonzero ends it; null: nothing
  // null, or how far it came; the engine is left there where it took more than `most_steps` for the
  // rest
  double* reached;
  // asked behind each step, as it was made: true ends it there, as `most_steps` do; null: nothing
  // is looked for
  bool (*ends)(void* context, step_stepper* s);
  void* context;
} walk_carry_way;

// the engine's state is carried from t to the instant `to` in its present mode; 0, or 1 where it
// could not be
int walk_carry(const walk_carry_way* way, double t, double to);
