// What stability says: shared by its writers. Private to out.
#pragma once

#include "out/out.h"

// C q + c in the names of the coordinates, of one coordinate; to be freed
char* out_stability_field(const study_stability* r, int i);
// what happens along a periodic motion, with the states on both sides
struct json_t* out_stability_happenings(const study_stability* r);
void out_stability_json(const out_stability* s, base_text* out);
