// A model from a text, ready to run, for the tests of walk, study and sweep.
#pragma once

#include "code/code.h"
#include "study/study.h"
#include "walk/walk.h"

typedef struct bench
{
  base_notes* notes;
  base_arena* arena;
  model* model;
  mech_system* system;
} bench;

bench bench_text(const char* text);
// for kinematics alone
bench bench_mechanism(const char* text, int drives, const char* const* drive);
bench bench_path(const char* path);
bench bench_file(const char* name);   // of models/
bench bench_system(const char* name); // of test/unions/systems/
void bench_free(bench* b);
// run with a tolerance, rows at the given times; prints the notes when it fails
walk_track* bench_run(bench* b, double tolerance, int at_count, const double* at);
// the same by a method; null where it does not take the model
walk_track* bench_run_by(bench* b, const char* method, double tolerance, int at_count,
                         const double* at);
// largest difference of the coordinates in common rows, against the size of each column
double bench_apart(const walk_track* a, const walk_track* b);
// `look` at every model of the gallery, in the order of their names; how many it says yes to
int bench_gallery(bool (*look)(const char* name));
// and at every system of the unions
int bench_systems(bool (*look)(const char* name));
double bench_value(const walk_track* t, int row, const char* column);
const char* bench_first_error(const bench* b);

// stability of the steady motion near the initial state, or of the one with a period; null after a
// failed check
study_stability* bench_stability(bench* b, double period);
// it is refused with a reason that holds these words
void bench_stability_refused(const char* text, double period, const char* reason);
