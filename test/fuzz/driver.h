// What the process that feeds and the one that watches it share. Private to fuzz.
#pragma once

#include "fuzz.h"

#include <stdatomic.h>

enum { FUZZ_MOST = 4096, FUZZ_ENTRIES = 1 << 15, FUZZ_ROOM = 48 << 20 };
// how a feeding process ends that met too much work, or memory that is not given back
enum { FUZZ_EXIT_WORK = 71, FUZZ_EXIT_LEAK = 72 };

typedef struct fuzz_entry
{
  uint32_t at, n;
  bool useful;  // reaches what none before it does
  bool written; // is a file already
} fuzz_entry;

// Inputs worth going on from, in memory that outlives the feeding process.
typedef struct fuzz_shared
{
  const fuzz_stage* stage;
  uint64_t seed, inputs;    // inputs: how many are wanted
  _Atomic uint64_t done;    // fed so far, the one under way among them
  atomic_bool stop;         // no more are wanted
  uint64_t place;           // where the last finding is, to tell it from others
  uint64_t most_work;       // of one input
  uint8_t input[FUZZ_MOST]; // under way
  size_t n;
  uint8_t seen[FUZZ_PLACES];
  int loaded; // entries from files; they are the first inputs
  int entries;
  uint32_t used;
  fuzz_entry entry[FUZZ_ENTRIES];
  uint8_t bytes[FUZZ_ROOM];
} fuzz_shared;

bool fuzz_keep(fuzz_shared* s, const uint8_t* bytes, size_t n); // false: no room
_Noreturn void fuzz_work(fuzz_shared* s);                       // the feeding process
