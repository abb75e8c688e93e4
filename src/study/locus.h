// Curves of special points in two params. Private to study.
#pragma once

#include "study/path.h"

// The special points of one kind on the branches of a road, over both params: unknowns (u, b), u
// those of the branch with its param last
typedef struct study_locus_of
{
  const study_road* r;
  study_kind kind;
  int idle;          // eigenvalues that are nothing for ever (multipliers that are one)
  double size;       // of the others, at the first point
  double* weight;    // of (u, b)
  double *J, *F, *v; // work space
} study_locus_of;

// what is special on it between two places; how many
int study_locus_changes(const study_road* r, const study_place* a, const study_place* b,
                        bool* which);
double study_locus_test(const study_road* r, int kind, const study_place* a, const study_place* p);
// does it end at what was found last, from this one on?
bool study_locus_ends(const study_locus_of* o, const study_founds* found, int from);
// first Lyapunov coefficient at (u, b), on curves of Hopf points; else nan
double study_locus_lyapunov(const study_locus_of* o, const double* u, const study_stability* at);

typedef struct study_two
{
  double value, from, to; // of the second param: where the branch lies, and its range
} study_two;

// The curve through a special point of a branch, appended to `out`, unless it lies on one of them.
void study_locus_follow(const study_road* r, const study_found* f, int branch, const study_two* two,
                        study_branches* out);
