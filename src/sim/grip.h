// Private to sim: one dry friction of a contact of surfaces, against slip, rolling or pivoting. Its
// number is MODEL_GRIPS contact + kind.
#pragma once

#include "sim/engine.h"

int sim_grips(const sim_engine* e);
const model_contact* sim_grip_contact(const sim_engine* e, int i);
// is there such friction, and do the surfaces touch? does it hold now?
bool sim_grip_acts(const sim_engine* e, int i);
bool sim_grip_sticks(const sim_engine* e, int i);
// let it hold, or go
void sim_grip_set(sim_engine* e, int i, bool on);

// the motion it acts against at the state in the input block; returns its size
double sim_grip_speed(sim_engine* e, int i, double s[2]);
// its growth |s|' at that state while it slips; nan where not known
double sim_grip_growth(sim_engine* e, int i);
// the force or moment T that holds it at that state, and mu N; false with e->reason
bool sim_grip_load(sim_engine* e, int i, double T[2], double* most);
// the change of s by unit impulses against it, W row-major; 0, or 1 with e->reason
int sim_grip_mobility(sim_engine* e, int i, double W[4]);
// an impulse makes the motion s what is wanted, as far as it may be while the grip does not hold
int sim_grip_push(sim_engine* e, int i, const double wanted[2]);
