// A sweep as asked for, taken apart. Private to api.
#pragma once

#include "api/api.h"
#include "sweep/sweep.h"

typedef struct api_sweep
{
  const zw_model* source;
  const zw_sweep_options* o;
  base_arena* arena;
  sweep_plan plan;
  model_varied* varied; // one per axis
  sweep_results want;
  int columns; // of the table of a run, those that `want` counts
  const char** column;
  out_sweep_head head;
  uint64_t sources; // sum over the texts of the model
  int said;         // warnings that the model gave when it was read: no run repeats them
  const char** said_text;
  out_sweep_kind kind;             // of the file
  const struct api_shared* shared; // null: each run has a model of its own
} api_sweep;

// One model and system for all runs, what differs given with each.
typedef struct api_shared
{
  base_notes* notes;
  zw_model* model;
  zw_system* system;
  int* param;    // per axis
  double* scale; // SI value of one, per axis
} api_shared;
// false where what the model is depends on what differs
bool api_shared_open(api_shared* b, const api_sweep* s);
void api_shared_close(api_shared* b);
// a run of it, its row being i; false where only a model of its own can make it or tell why not
bool api_shared_run(const api_sweep* s, sweep_rows* rows, int i);
// the row of a run with its quality
void api_sweep_keep(const api_sweep* s, const walk_track* t, const base_notes* notes,
                    sweep_rows* rows, int i);
// the model with the values of one run; value null: as it was read
zw_model* api_sweep_model(const api_sweep* s, const double* value, base_notes* notes);

// Each takes its part of the options; false with errors noted.
bool api_sweep_read_axes(api_sweep* s, base_notes* notes);
bool api_sweep_read_results(api_sweep* s, base_notes* notes);

// Fowler, Noll and Vo (1991): a sum over bytes, to tell texts apart
uint64_t api_sum(uint64_t sum, const void* bytes, size_t n);
extern const uint64_t api_sum_start;
// over all files a model was read from
uint64_t api_sum_sources(const base_notes* notes);

// takes down what was said so far
void api_sweep_note_said(api_sweep* s, const base_notes* notes);
// the warnings among the notes that were not said before, one behind the other; the first of them
// may be given: null, or else it comes first. In the arena.
const char* api_sweep_warnings(const api_sweep* s, const base_notes* notes, const char* first,
                               base_arena* arena);

// sweep_memory.c: rows in memory: numbers of each, their names, rows as they are made, and how many
// of those from one on failed or are not to be trusted
int api_sweep_width(const api_sweep* s);
void api_sweep_columns(const api_sweep* s, base_text* out);
out_sweep_counts api_sweep_put(const api_sweep* s, const sweep_rows* rows);

// one run after the other by the ordinary engine
sweep_maker api_sweep_one_by_one(api_sweep* s);
// one of them; false where the model's files have changed
bool api_sweep_one(const api_sweep* s, sweep_rows* rows, int i);
walk_options api_sweep_run_options(const api_sweep* s);

// several side by side: kernels of the model's system with what is varied as inputs
typedef struct api_bundle
{
  const api_sweep* s;
  sweep_bundle* bundle;
  int* column; // of the results and the basins
  int columns;
  double* scale; // SI value of one, per axis
  int chunk;     // runs at a time
} api_bundle;
// false where the model or the results do not suit; *why says it
bool api_bundle_open(api_bundle* b, const api_sweep* s, bool gpu, const char** why);
void api_bundle_close(api_bundle* b);
// those of rows in the units of the model
void api_bundle_values(const api_bundle* b, const sweep_rows* rows, double* value);
sweep_maker api_bundle_maker(api_bundle* b, int threads);

// Those that share one program, side by side where they can; threads add up what they did.
typedef struct api_convoy_counts
{
  long runs, along; // made, and taken along on a part of their way
  const char* why;  // not all of them were, or null
} api_convoy_counts;
typedef struct api_convoy
{
  const api_sweep* s;
  sweep_gpu_carrier* gpu; // where the steps are made; null: here
  api_convoy_counts counts;
} api_convoy;
// why not, or null; there is a shared program
const char* api_convoy_refusal(const api_sweep* s);
sweep_maker api_convoy_maker(api_convoy* c);

// several side by side on a GPU
typedef struct api_gpu
{
  api_bundle bundle;
  sweep_gpu* gpu;
  sweep_gpu_carrier* carrier; // instead, for plain stretches of runs that share a program
  api_shared shared;
  bool failed; // it did not do what it was told
} api_gpu;
// false with an error noted where there is none, or where the model does not suit
bool api_gpu_open(api_gpu* g, api_sweep* s, base_notes* notes);
void api_gpu_close(api_gpu* g);
sweep_maker api_gpu_maker(api_gpu* g);
