// Private to mech: servo constraints, their hidden constraints and their index.
#pragma once

#include "mech/form.h"

// The equations of the present lead constraints: Gamma u = right, each row scaled by its D.
typedef struct mech_servo_table
{
  mech_system* s;
  base_arena* arena;
  int count;   // of servo constraints
  int* lead;   // the constraint that leads for each
  int* servo;  // the written constraint
  bool* known; // were the equations between lead and controls solved?
  expr* Gamma; // count by count
  expr* right;
  int between; // an inequality along whose gradient some lead moves, -1
  int ideal;   // ideal constraints that always hold
  int* row;    // their numbers
  int* part;   // per coordinate: the first of those it moves with
  expr* Y;     // n + ideal by count: y and z of each lead, times D
  expr* D;     // count; not zero
} mech_servo_table;
// an inequality, or what sticks only while it touches: the controls are sought as if it were open
bool mech_servo_comes_and_goes(const mech_system* s, int k);
// row, part, Y, D and known of the leads
void mech_servo_directions(mech_servo_table* t);
// does what lead c moves belong together with what constraint k binds?
bool mech_servo_reaches(const mech_servo_table* t, int c, int k);

// constraints a model can have once the hidden ones are known
int mech_servo_room(const model* m);
// Find the constraints hidden behind servo ones and append them to the system; M, h, G and the rows
// of the written constraints are there. False with the reason noted where no control does.
bool mech_servo_reduce(mech_system* s, base_notes* notes);
// the row of constraint k in A, c, f0, f1
void mech_derive_row(mech_system* s, int k);
// the system of the ideal constraints alone, for the forms; the servo ones are in the forces
mech_system* mech_servo_ideal(const mech_system* s, base_arena* arena);
