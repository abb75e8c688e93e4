// accumulation: instants that follow each other ever sooner, and what is left at their limit. Part
// of the door of contact.
#pragma once

#include "engine/engine.h"

// Instants of one kind that may accumulate, be they impacts on a contact or passages of a jump in
// one direction (accumulation.c)
typedef struct contact_accumulation
{
  double last, pause; // the last one, and how long after the one before; nan
  double ratio;       // of the last two pauses
  double speed;       // what it was passed with, nan where that is not asked for
  double slower;      // of the last two, their ratio
  double per_speed;   // the last pause over the speed it began with
  double limit;       // when all have been, nan where that is not known
  double earlier;     // the pause before the last one
  double over_two;    // the last pause over the one two before it
  double change;      // of `slower`, since the one before
  long count, turns;  // in a row, each sooner than the one before, and than the one two before
} contact_accumulation;

// Another instant t, passed with this speed, known up to `blur` places: the time left until all
// that follow, each sooner, have been; 0 where they do not accumulate, or have not settled to a
// ratio
void contact_accumulation_forget(contact_accumulation* a);
double contact_accumulation_note(contact_accumulation* a, double t, double speed, double blur);
double contact_accumulation_left(const contact_accumulation* a, double t); // after t; 0: none
// do two accumulate together; and to the same limit, but for the time that a has left?
bool contact_accumulation_is_with(const contact_accumulation* a, const contact_accumulation* b);
bool contact_accumulation_ends_with(const contact_accumulation* a, const contact_accumulation* b);
// Take away what contacts still leave with, and the friction that goes with it
int contact_accumulation_kick(engine* e, const bool* closing);
// Hold what these contacts have brought to rest until the limit of their impacts: the gap, and the
// slip where the last impact brought it to stick. Whatever is decided behind them, impacts do that
// until then, and what leaves or slips at the limit has no speed there.
void contact_accumulation_hold(engine* e, const bool* closing);
// behind a decision: which of the contacts that were struck here have been brought to stick by it
void contact_accumulation_see(engine* e);
// impulses P of these contacts in a jump of the velocities: M (v - before) = given + rows^T P, with
// those of the equations, given: null for none; eom and levels are evaluated
void contact_accumulation_impulses(engine* e, int count, const int* row, const double* before,
                                   const double* given, double* P);
