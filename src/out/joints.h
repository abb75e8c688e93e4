// Joints of a model: which place bodies, which close loops, and how freedoms are counted.
#pragma once

#include "out/json_text.h"
#include "out/out.h"

void out_joints_text(const mech_system* s, const study_point* p, base_text* out);
// adds `joints` and `mobility` where there are joints
void out_joints_json(const mech_system* s, const study_point* p, json_t* o);
