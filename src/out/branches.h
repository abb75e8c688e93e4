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

// a part of a branch along which motions are alike: values of the param, and its points (none where
// `last` lies before `first`)
typedef struct out_part
{
  study_stability_verdict verdict;
  double from, to;
  int first, last;
} out_part;
// the parts of a branch, to be freed; how many (branches_parts.c)
int out_branches_parts(const model* m, const study_path* p, out_part** out);
