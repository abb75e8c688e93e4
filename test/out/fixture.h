// A small model, its equations and two runs of it, made by hand.
#pragma once

#include "out/out.h"

enum { FOLDERS = 8 };

// A pendulum in Cartesian coordinates x, y [m] with params m, g, l and a constraint `rod`; a second
// constraint `twin` is three times the first when asked for. Two stages, one event, one plot.
typedef struct fixture
{
  base_arena* arena;
  base_notes* notes;
  expr_pool* pool;
  model m;
  mech_system s;
  mech_form form;
  mech_equations e;
  walk_track track[2];
  const walk_track* tracks[2];
  double value[2];
  study_point point;
  int folders;
  char* folder[FOLDERS];
  out_runs one, two; // the first run alone; both, varied in l
} fixture;

fixture* fixture_new(int constraints);
void fixture_free(fixture* f);
expr fixture_read(fixture* f, const char* sum_of_products); // "m*g - 2*x*x'"
// the expression as expr prints it; lasts as long as the fixture
const char* fixture_text(fixture* f, expr e);
// a folder of its own under the system's temporary one, and paths in it
char* fixture_folder(fixture* f);
char* fixture_path(fixture* f, const char* name);
// everything in the file, null if it is not there
char* fixture_file(fixture* f, const char* path, size_t* n);
int fixture_files_in(const char* folder);
