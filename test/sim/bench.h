// A model from a text, ready to run, for the tests of sim.
#pragma once

#include "sim/sim.h"

typedef struct bench
{
  base_notes* notes;
  base_arena* arena;
  model* model;
  mech_system* system;
} bench;

bench bench_text(const char* text);
bench bench_file(const char* name); // of models/
void bench_free(bench* b);
// run with a tolerance, rows at the given times; prints the notes when it fails
sim_track* bench_run(bench* b, double tolerance, int at_count, const double* at);
double bench_value(const sim_track* t, int row, const char* column);
const char* bench_first_error(const bench* b);
