// sweep: one system, many runs: which points, what is kept of each run, threads, ranks, a GPU.
// Takes a plan of values and someone who makes one run; gives rows in the order of the runs.
// Knows no text of models and no file formats.
#pragma once

#include "base/base.h"
#include "walk/walk.h"

// ---- runs side by side --------------------------------------------------------------------------

// A system made ready for many runs that differ in params: everything they need as kernels, several
// runs at a time. Made for smooth motion without events that change it, under linear constraints of
// velocities; const once made, so that threads may share it.
typedef struct sweep_bundle sweep_bundle;

// `param` are the params that differ, marked as changing; `column` those of the table wanted at the
// end. events: also those that report or stop, for a text that locates them. Null where the model
// is not of this kind, and *why says it.
sweep_bundle* sweep_bundle_new(mech_system* s, const walk_options* o, int axes, const int* param,
                               int columns, const int* column, bool events, const char** why);
void sweep_bundle_free(sweep_bundle* b);

// Its kernels as functions of a GPU, with its sizes as macros (bundle_source.c).
void sweep_bundle_print(const sweep_bundle* b, base_text* out);
// operations of one evaluation of the rates
int sweep_bundle_operations(const sweep_bundle* b);

// one thread's runs
typedef struct sweep_bundle_worker sweep_bundle_worker;
sweep_bundle_worker* sweep_bundle_open(const sweep_bundle* b);
void sweep_bundle_close(sweep_bundle_worker* w);
// values: count by axes, in SI; results: count by columns. done[i] is false where a run could not
// be made this way: the ordinary way will tell why, or make it.
void sweep_bundle_run(sweep_bundle_worker* w, int count, const double* value, double* result,
                      bool* done);

// ---- runs in convoy -----------------------------------------------------------------------------

// Runs that begin, meet what happens and end one by one, each as an ordinary run does, and go side
// by side in between: whatever the model is, as far as its motion is plain for a while. One
// thread's runs; params given with each run differ.
typedef struct sweep_convoy sweep_convoy;

typedef struct sweep_convoy_task
{
  void* context;
  // the next run with its options, which are copied, and notes of its own; false: there are no more
  bool (*next)(void* context, walk_options* o, base_notes** notes, int* run);
  // the end of one; the track is null where it did not begin, and belongs to the receiver. told:
  // something was said of it behind its start, which may depend on the steps it made by itself
  void (*end)(void* context, int run, walk_track* t, base_notes* notes, bool told);
} sweep_convoy_task;

// Someone who makes the steps of plain stretches of many runs in one mode: of each t, t_end, the
// longest step, y, then what stays the same, inputs + 2 numbers; and how it ended (0 or 1: it
// cannot go on, 2: something watched is about to happen, 3: the end is one step away), t, steps
// tried, the work of the forces, y. False: none was made.
typedef struct sweep_mode sweep_mode;
typedef struct sweep_carrier
{
  void* context;
  bool (*carry)(void* context, const sweep_mode* m, double tolerance, int count, const double* from,
                double* to);
} sweep_carrier;

// carrier: null for the lanes of this processor
sweep_convoy* sweep_convoy_open(mech_system* s, const sweep_carrier* carrier);
void sweep_convoy_close(sweep_convoy* c);
void sweep_convoy_run(sweep_convoy* c, const sweep_convoy_task* task);
// of the runs so far: how many there were, how many went side by side with others for a part of
// their way, steps made so; why the first that did not could not, null where all did
typedef struct sweep_convoy_counts
{
  long runs, along, steps;
  const char* why;
} sweep_convoy_counts;
sweep_convoy_counts sweep_convoy_look(const sweep_convoy* c);
// Could runs of the system go that way? The run of the options as they are is tried; null, or why
// not.
const char* sweep_convoy_refusal(mech_system* s, const walk_options* o);

// ---- which runs ---------------------------------------------------------------------------------

typedef enum sweep_kind { SWEEP_LIST, SWEEP_GRID, SWEEP_SAMPLED } sweep_kind;

// One thing that differs between the runs.
typedef struct sweep_axis
{
  const char* name;
  sweep_kind kind;
  bool logarithmic;    // grid and samples: even in the logarithm
  double from, to;     // grid and samples
  int64_t count;       // values of a list or a grid
  const double* value; // of a list
} sweep_axis;

typedef enum sweep_sampling { SWEEP_NONE, SWEEP_RANDOM, SWEEP_SOBOL } sweep_sampling;

// Every sample with every value of the lists and grids; of these the last axis changes fastest.
typedef struct sweep_plan
{
  int axes;
  const sweep_axis* axis;
  sweep_sampling sampling;
  int64_t samples; // 0: none
  uint64_t seed;   // of random samples
} sweep_plan;

enum { SWEEP_MOST_AXES = 64, SWEEP_SOBOL_MOST = 21 };
// number of runs; -1 where there are more than the counters hold
int64_t sweep_plan_runs(const sweep_plan* p);
// the values of a run, one per axis, from its number alone
void sweep_plan_point(const sweep_plan* p, int64_t run, double* value);
// of runs that follow each other, one behind the other
void sweep_plan_points(const sweep_plan* p, int64_t first, int count, double* value);

// component `dimension` of point `index` of Sobol's sequence, in (0, 1)
double sweep_sobol(int dimension, uint64_t index);
// those of indices that follow each other
void sweep_sobol_many(int dimension, uint64_t first, int count, double* to);

// ---- what is kept of a run ----------------------------------------------------------------------

typedef enum sweep_how { SWEEP_FINAL, SWEEP_MIN, SWEEP_MAX, SWEEP_TIME, SWEEP_COUNT } sweep_how;

typedef struct sweep_wanted
{
  const char* label;
  sweep_how how;
  int column;        // of the run's table, for final, min, max
  const char* event; // for time and count
  int which;         // time: of this occurrence, from 1
} sweep_wanted;

// A point that ends of runs are near to or not, in some of the columns.
typedef struct sweep_basin
{
  const char* name;
  int count;
  const int* column;
  const double* at;
} sweep_basin;

typedef struct sweep_results
{
  int count;
  const sweep_wanted* wanted;
  int basins;
  const sweep_basin* basin;
} sweep_results;

enum { SWEEP_REASON = 200 };

// Runs first .. first + count - 1.
typedef struct sweep_rows
{
  int64_t first;
  int count;
  double* value;  // count by axes
  double* result; // count by results; nan where the run failed. Who makes runs may have them lie
                  // elsewhere until the next are asked for
  int* basin;     // count: the nearest one, -1
  char** reason;  // count: why it failed, null where it did not
  char** quality; // count: what speaks against its numbers, null where nothing does
  bool told;      // some may have words of either kind
} sweep_rows;

// of a track, into row i
void sweep_take(const sweep_results* want, const walk_track* t, sweep_rows* rows, int i);
// the row of a run that failed
void sweep_fail(const sweep_results* want, const char* reason, sweep_rows* rows, int i);
// What was said against the run of row i, whose numbers stand nonetheless: warnings, or reasons for
// doubt, which come last. "" is nothing.
extern const char sweep_doubtful[]; // how the quality of a doubtful run begins
void sweep_judge(sweep_rows* rows, int i, bool doubtful, const char* text);
// is more than the last row of the table needed?
bool sweep_needs_rows(const sweep_results* want);
// The columns that results, then basins need of the last row, in their order; returns how many. -1
// where more than the last row is needed; `events`: times and counts may be wanted beside them.
int sweep_columns(const sweep_results* want, bool events, base_arena* arena, int** column);
// the row of a run from the values of these columns at its end, and the times and counts wanted
void sweep_take_columns(const sweep_results* want, const double* value, const double* times,
                        sweep_rows* rows, int i);
// the same of all rows, which have nothing told of them yet: `width` numbers each; where these are
// the results they stay where they are
void sweep_take_chunk(const sweep_results* want, double* value, int columns, int width,
                      sweep_rows* rows);
// where all results are of the end, without basins, and lie in the rows already
void sweep_take_ends(const sweep_results* want, sweep_rows* rows, int i);

// ---- doing it -----------------------------------------------------------------------------------

// Who makes runs. Each thread opens one of its own.
typedef struct sweep_maker
{
  void* context;
  void* (*open)(void* context);
  // fill results, basins, reasons and qualities of rows whose values are set; false: the sweep must
  // end
  bool (*run)(void* worker, sweep_rows* rows);
  void (*close)(void* worker);
  int chunk; // runs it takes at a time
} sweep_maker;

typedef struct sweep_job
{
  const sweep_plan* plan;
  const sweep_results* want;
  const sweep_maker* maker;
  int64_t first; // run to begin with
  int threads;
  void* context;
  // rows as bytes; any thread
  void (*encode)(void* context, const sweep_rows* rows, base_text* out);
  // bytes of all runs before `done` are out with these; in order, one thread; false: stop
  bool (*write)(void* context, const char* bytes, size_t n, int64_t done);
  // asked now and then; false: stop. Null: nobody asks, and one thread alone is this one.
  bool (*progress)(void* context, int64_t done);
} sweep_job;

typedef enum sweep_status { SWEEP_DONE, SWEEP_STOPPED, SWEEP_BROKEN } sweep_status;

// All runs from `first` on, over the threads of this process and those of the other ranks.
sweep_status sweep_drive(const sweep_job* job);

// threads that can run at once here
int sweep_threads(void);

// ---- a GPU --------------------------------------------------------------------------------------

typedef struct sweep_gpu_problem
{
  const sweep_bundle* bundle;
  int axes, columns;
  const sweep_results* want;
  int events;
  const char* const* event; // names
} sweep_gpu_problem;

// The program as text: CUDA C, and with a C compiler plain C with a function zwang_all that makes
// all runs. Returns how many times and counts of events follow the columns in a result.
int sweep_gpu_source(const sweep_gpu_problem* p, base_text* out);

typedef struct sweep_gpu_report
{
  char name[120];
  double compile, seconds; // s: making the program, running it
  long long trials;        // steps tried in all runs
  int operations;          // of one evaluation of the rates
} sweep_gpu_report;

// Null with an error noted where there is no GPU, or no compiler for it.
typedef struct sweep_gpu sweep_gpu;
sweep_gpu* sweep_gpu_open(const sweep_gpu_problem* p, base_notes* notes);
void sweep_gpu_close(sweep_gpu* g);
int sweep_gpu_chunk(void);               // runs at a time, at most
int sweep_gpu_width(const sweep_gpu* g); // numbers in a result: columns, then times and counts
const sweep_gpu_report* sweep_gpu_look(const sweep_gpu* g);
// One thread's runs: values, count by axes in SI, are put where the device fetches them. Results:
// count by width; trials[i] is 0 where a run must be made in the ordinary way, all: nowhere. Null,
// false where the GPU failed.
typedef struct sweep_gpu_worker sweep_gpu_worker;
sweep_gpu_worker* sweep_gpu_worker_open(sweep_gpu* g);
void sweep_gpu_worker_close(sweep_gpu_worker* w);
double* sweep_gpu_values(sweep_gpu_worker* w);
bool sweep_gpu_run(sweep_gpu_worker* w, int count, double** result, const int** trials, bool* all);

// Plain stretches of a mode as text, as above, with a function zwang_all for C.
void sweep_stretch_source(const sweep_mode* m, double tolerance, base_text* out);
// Who makes them on a GPU: null with an error noted where there is none. Errors of its programs go
// to the notes.
typedef struct sweep_gpu_carrier sweep_gpu_carrier;
sweep_gpu_carrier* sweep_gpu_carrier_open(base_notes* notes);
void sweep_gpu_carrier_close(sweep_gpu_carrier* g);
const sweep_carrier* sweep_gpu_carrier_of(const sweep_gpu_carrier* g);
const sweep_gpu_report* sweep_gpu_carrier_look(const sweep_gpu_carrier* g);
bool sweep_gpu_carrier_failed(const sweep_gpu_carrier* g);

// ---- ranks --------------------------------------------------------------------------------------

// Was the program started by mpirun? Then joins the others: true, or false with an error noted.
bool sweep_ranks_join(base_notes* notes);
void sweep_ranks_leave(void);
int sweep_rank(void); // 0 where there are no ranks
int sweep_ranks(void);
// the number that rank 0 has
int64_t sweep_ranks_share(int64_t x);
