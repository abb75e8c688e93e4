// One small model for the tests of the public interface, read, derived and, if asked for, run.
#pragma once

#include <zwang/zwang.h>

// a bead of mass m slides on a ring of radius 1 in the plane x, y, from (0.6, -0.8) at rest
extern const char bead_text[];

typedef struct bead
{
  zw_notes* notes;
  zw_model* model;
  zw_system* system;
} bead;

// with params to override, or null; fails the test where the model is not taken
bead bead_read(const char* set);
void bead_free(bead* b);
// its run with so many points; null fails the test
zw_track* bead_run(const bead* b, int points);

// the reasons noted since the count before hold this word
bool bead_noted(const zw_notes* n, int before, const char* word);

// a folder of this process's own, made at the first call, and a path in it; lasts until the next
const char* bead_path(const char* name);
// everything in the file, or null; to be freed
char* bead_file(const char* path);
