// Branches of motions and curves of their special points, as they are written. Private to out.
#pragma once

#include "out/out.h"
#include "out/page.h"

void out_branches_put_state(const model* m, const study_stability* r, base_text* out);
// all points of the branches and of the curves, as they are given to programs (branches_json.c)
void out_branches_json(const out_branches* b, base_text* out);

// the curves in two params: behind the branches, as a table, as a picture
void out_loci_text(const out_branches* b, base_text* out);
void out_loci_csv(const out_branches* b, base_text* out);
void out_loci_script(const out_branches* b, out_terminal terminal, const char* picture,
                     base_text* out);
