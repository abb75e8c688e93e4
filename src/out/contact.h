// Private to out: contacts in what check and eval say.
#pragma once

#include <jansson.h>

#include "out/out.h"

// one entry beside the constraints for each contact, and its coordinates
void out_contact_check_json(const model* m, const study_point* p, const geom_report* g,
                            json_t* constraints, json_t* coordinates);
void out_contact_check_text(const model* m, const study_point* p, const geom_report* g,
                            base_text* out);
// force of contact i on its body at a state, world axes
void out_contact_force(const mech_system* s, const study_point* p, int i, double F[3]);
