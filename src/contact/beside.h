// Contacts with friction beside other forces that switch or feel reactions, inside contact.
#pragma once

#include "contact/contact.h"

// room for so many contacts
contact_beside* contact_beside_new(engine* e, int contacts, int tangents);
// jumps at which the motion stands take part in the problem from here on, or no more
void contact_beside_choose(engine* e, bool choosing);
// the row S of the rate S a + ... of jump c, the slopes of the forces being evaluated
const double* contact_corner_row(const engine* e, int c);
// pressed_jumps.c: is it made of the rows that hold? Of pressure and constraints alone, or of what
// sticks and the other jumps that hold, too: how the load is shared with these is open then.
typedef enum contact_span { CONTACT_BY_PRESSURE, CONTACT_BY_ALL } contact_span;
bool contact_corner_is_spanned(const engine* e, int c, contact_span by);
// does friction of contacts share its load with jumps at which the motion rests?
bool contact_beside_shares(const engine* e);
// contact i has a little less friction from here on; -1: none. False: no jumps took part last.
bool contact_beside_weaken(engine* e, int i);
// how fast one of these begins to slip, and is that something?
double contact_beside_rate(engine* e, int count, const cone_contact_solution* s, bool* moves);
// the problem of contacts as one about accelerations and what forces add to them, the forces and
// slopes being evaluated. 0, or 1 with e->reason.
int contact_beside_reduce(engine* e, int count, const int* row, cone_contact_problem* p);
// the answer to it, made anew until forces and sides confirm it
cone_contact_result contact_beside_solve(engine* e, int count, const int* row, bool decided);
// accelerations, reactions and sides of a solution into the input block
void contact_beside_take(engine* e, int count, const int* row, const cone_contact_solution* s);
// the values of these jumps with the contacts as they are decided, the rates to which they lead,
// and what is nothing of those; false: none are found
bool contact_beside_box(engine* e, int count, const int* corner, double* sigma, double* w,
                        double* noise);
// pressed_jumps.c: takes out of the problem of contacts, which has been decided, the jumps at which
// their pressure alone holds the motion, each with the side that relieves them. True: there are
// such, and the contacts are to be decided again.
bool contact_press_jumps(engine* e);
// slip_rows.c: forces without the friction of contacts; the problem with the reactions in the input
// block, 0, or 1 with e->reason
void contact_slip_see(engine* e);
int contact_slip_problem_about(engine* e, int count, const int* row, bool decided,
                               cone_contact_problem* p);
