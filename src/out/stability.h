// What stability says: shared by its writers. Private to out.
#pragma once

#include "out/out.h"

// C q + c in the names of the coordinates, of one coordinate; to be freed
char* out_stability_field(const study_stability* r, int i);
void out_stability_json(const out_stability* s, base_text* out);
