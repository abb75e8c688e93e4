// A run kept as it goes. Private to out; the functions are in out.h.
//
// Beside the table FILE that will be written at the end are two files while the run takes long:
//   FILE.part     the rows so far as CSV, for people
//   FILE.journal  a line that names the run, then checkpoints (walk/checkpoint.h), each a line with
//                 its length, a sum over its bytes and one over the line, then the bytes: what is
//                 new in the tables since the one before, and what the run goes on from.
// A run that is taken up goes on from the last checkpoint up to which every sum is right.
#pragma once

#include "out/columns.h"
#include "out/out.h"
#include "out/sweep_journal.h"

struct out_run_keep
{
  char *path, *part_path, *journal_path;
  uint64_t print;
  int journal, part; // open files, -1
  int64_t journal_end, part_end;
  int checkpoints;                                // in the journal
  bool begun;                                     // the journal has its first line
  walk_known known;                               // of the track, in the journal
  out_columns columns;                            // of the part: all, once it is begun
  int shown;                                      // rows of it in the part
  double started, last_part, last_journal, pause; // s, by the clock
  int fault; // errno of what went wrong first; nothing is written since
  const char* fault_path;
  walk_track* so_far; // taken up: until the run has it
  char* onward;       // and what it goes on from
  size_t onward_n;
  walk_keeper keeper;
  base_hold hold; // of the files
};
