// Corners of the forces one by one, inside contact.
#pragma once

#include "engine/engine.h"

// accelerations, with the sides of corners in the reactions found anew
int contact_corner_accelerations(engine* e);
// rate of switching function i at the accelerations in the input block
double contact_corner_rate(engine* e, int i);
// the same with that corner on a side
double contact_corner_rate_on(engine* e, int i, double side);
// does its jump show in the rates of its switching function on its sides?
bool contact_corner_is_felt(engine* e, int i, double above, double below);
// Is it contacts that hold the motion at corner i, which would be passed, or its jump felt, without
// them? The side of a jump is the one that relieves them then.
bool contact_corner_is_pressed(engine* e, int i);
// is it a velocity that others hold?
bool contact_corner_stands_still(engine* e, int i);
// Has its switching function no rate, now and a moment later? Where a contact that held it has just
// let go it has none yet, and leaves all the same.
typedef enum contact_sided { CONTACT_THIS_SIDE, CONTACT_BOTH_SIDES } contact_sided;
bool contact_corner_stays(engine* e, int i, contact_sided sides);
void contact_corner_hold(engine* e, int i, bool held);
// it is the second rate of corner i that counts, or the first
void contact_corner_turn(engine* e, int i, bool twice);
// Does the motion stand at corner i with its rate, given on both sides, and does the second rate
// feel the jump? It counts then.
bool contact_corner_rests(engine* e, int i, double above, double below);
// All jumps at which the state stands: their values and rates, now and a moment later
// (corner_box.c)
typedef struct contact_jumps
{
  int count, *corner;
  bool beside_slip; // of contacts in space that begin to
  double *value, *rate, *noise, *later, *later_rate;
} contact_jumps;
// is corner i one of them, held or met here? and all that are there besides are marked as such
bool contact_corner_jumps_here(const engine* e, int i);
void contact_corners_stand(engine* e);
// find them, with none of them held; false where there is no answer
bool contact_jumps_solve(engine* e, contact_jumps* j);
// sides as they were found, which of them stand still; those that begin to slip have let go
void contact_jumps_take(engine* e, const contact_jumps* j, bool* stuck);
// The state stands at s = 0 of corner i: the side to which the motion goes, or the hold. 0, or 1
// with e->reason.
int contact_corner_choose(engine* e, int i);
// the motion meets corner i, coming up (direction 1) or down (-1)
int contact_corner_meet(engine* e, int i, int direction);
