// Accelerations by the equations of a form. Private to study.
#pragma once

#include "study/linear.h"

// accelerations and reactions by a form's own equations, into the input block; false with errors
// noted
bool sim_by_form(sim_engine* e, const mech_form* form, base_notes* notes);
// The same at one state after another: equations made for a state serve others as well, where what
// they take for independent is so.
typedef struct sim_forms sim_forms;
sim_forms* sim_forms_new(void);
void sim_forms_free(sim_forms* f);
bool sim_forms_solve(sim_forms* f, sim_engine* e, const mech_form* form, base_notes* notes);
// by the which-th equations made earlier; false where there are none, or singular ones
bool sim_forms_again(sim_forms* f, sim_engine* e, const mech_form* form, int which);
