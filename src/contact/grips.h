// grips: dry friction in space, of surfaces and where the slip of rough contacts begins. Part of
// the door of contact.
#pragma once

#include "engine/engine.h"

// ---- dry friction of contacts of surfaces -------------------------------------------------------

int contact_grips(const engine* e);
const model_contact* contact_grip_contact(const engine* e, int i);
// is there such friction, and do the surfaces touch? does it hold now?
bool contact_grip_acts(const engine* e, int i);
bool contact_grip_sticks(const engine* e, int i);
// does it act over a patch?
bool contact_grip_is_spread(const engine* e, int i);
// let it hold, or go
void contact_grip_set(engine* e, int i, bool on);

// the motion it acts against at the state in the input block; returns its size
double contact_grip_speed(engine* e, int i, double s[MODEL_GRIP_ROWS]);
// what that is measured by; is it at its end, if it slows down?
double contact_grip_scale(engine* e, int i);
bool contact_grip_rests(engine* e, int i);
// its growth |s|' at that state while it slips; nan where not known
double contact_grip_growth(engine* e, int i);
// the force or moment that holds it at that state, as the least bound mu N that would do, the bound
// that it has, and how it would move where it gives way, of length one; false with e->reason
typedef struct contact_load
{
  double size, most, direction[MODEL_GRIP_ROWS];
} contact_load;
bool contact_grip_load(engine* e, int i, contact_load* out);
// the change of s by unit impulses against it, W row-major; 0, or 1 with e->reason
int contact_grip_mobility(engine* e, int i, double W[MODEL_GRIP_ROWS * MODEL_GRIP_ROWS]);
// an impulse makes the motion s what is wanted, as far as it may be while the grip does not hold
int contact_grip_push(engine* e, int i, const double wanted[MODEL_GRIP_ROWS]);

// ---- rough contacts -----------------------------------------------------------------------------

// Slip in space that begins (slip_start.c): is that so of inequality i? its friction acts against
// its acceleration from here on, or by the law; and what it is measured by, the speed at which it
// is on its way, and its acceleration at the state in the input block, false where that has none
typedef struct contact_start
{
  double scale, begun, alpha;
} contact_start;

// acceleration of the slip along itself, by e->a, and the size of all of it
double contact_slip_growth(const engine* e, int i, double* whole);
bool contact_slip_starts(const engine* e, int i);
void contact_slip_set_start(engine* e, int i, bool starts);
bool contact_slip_start(engine* e, int i, contact_start* out);
// has it begun, and is hardly on its way?
bool contact_slip_is_young(engine* e, int i);
