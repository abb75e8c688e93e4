// Private to mech: servo constraints, their hidden constraints and their index.
#pragma once

#include "mech/form.h"

// constraints a model can have once the hidden ones are known
int mech_servo_room(const model* m);
// Find the constraints hidden behind servo ones and append them to the system; M, h, G and the rows
// of the written constraints are there. False with the reason noted where no control does.
bool mech_servo_reduce(mech_system* s, base_notes* notes);
// the row of constraint k in A, c, f0, f1
void mech_derive_row(mech_system* s, int k);
// the system of the ideal constraints alone, for the forms; the servo ones are in the forces
mech_system* mech_servo_ideal(const mech_system* s, base_arena* arena);
