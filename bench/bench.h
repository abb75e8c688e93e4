// Contestants timed in turns, so that a busy machine slows all of them alike; what is printed is
// also appended to the file that ZWANG_RESULTS names.
#pragma once

#include "sweep/sweep.h"
#include "walk/walk.h"

// what is timed; `count` times the same work
typedef void bench_work(void* context, int count);

typedef struct bench_contestant
{
  const char* name;
  bench_work* work;
  void* context;
  const long* steps; // taken by one piece of work, to print steps per second; null: not printed
} bench_contestant;

// Time every contestant `rounds` times in turns, `count` pieces of work at a go: few enough to fit
// between two interruptions by other programs. Prints for each the median and the quickest time of
// one piece, and how many times the first one's it takes, round by round: the spread of that.
void bench_round(const char* title, int count, int rounds, int contestants,
                 const bench_contestant* c);

// from now on the time of this process on a processor is taken, which leaves out what other
// programs take away; not for work of other processes or many threads
void bench_processor_time(void);

// how a number varied over repetitions
typedef struct bench_spread
{
  double least, quarter, median, three_quarters;
} bench_spread;

bench_spread bench_spread_of(int n, double* x); // sorts x
// "0.94 times the last (middle half 0.93 .. 0.95, of the least times 0.94)"; least: that of the
// shortest times, which a busy machine disturbs less than any ratio of one round
void bench_say_ratio(bench_spread r, double least, const char* of);
// seconds as "1.23 us"
void bench_say_time(double seconds);

// the machine in words, once at the start: processor, cores, compiler
void bench_begin(const char* title);
void bench_say(const char* format, ...) BASE_PRINTF(1, 2);
// say why and end with status 1 when two contestants do not do the same
void bench_near(const char* what, double a, double b, double allowed);

// a model read and derived; ends the program when that fails
typedef struct bench_model
{
  base_notes* notes;
  base_arena* arena;
  model* model;
  mech_system* system;
} bench_model;

bench_model bench_read(const char* path);
bench_model bench_read_with(const char* path, int overrides, const model_override* override);
void bench_forget(bench_model* b);
