// Accelerations by the equations of a form. Private to study.
#pragma once

#include "study/linear.h"

// accelerations and reactions by a form's own equations, into the input block; false with errors
// noted
bool study_by_form(engine* e, const mech_form* form, base_notes* notes);
// The same at one state after another: equations made for a state serve others as well, where what
// they take for independent is so.
typedef struct study_forms study_forms;
study_forms* study_forms_new(void);
void study_forms_free(study_forms* f);
bool study_forms_solve(study_forms* f, engine* e, const mech_form* form, base_notes* notes);
// by the which-th equations made earlier; false where there are none, or singular ones
bool study_forms_again(study_forms* f, engine* e, const mech_form* form, int which);

// how far rounding alone takes forms apart at the motion in the engine, over its size
double study_verify_rounding(engine* e);

// expressions of a view: the state, the accelerations and the reactions as they stand in the engine
void study_forms_evaluate(engine* e, const mech_view* v, int count, const expr* list, double* out);
// Independent constraints of a view, the declared quasi-velocities that are well determined beside
// them, and dependent velocities for both, by the numbers of this state.
mech_choice study_minor_choose(engine* e, const mech_view* v, base_arena* arena);
