// The table of a sweep being written. Private to out.
#pragma once

#include "out/out.h"
#include "out/sweep_journal.h"

struct out_sweep
{
  out_sweep_head head;
  out_sweep_kind kind;
  bool plain;                      // a stream with no journal
  size_t before;                   // bytes of the header
  bool laid_out;                   // the part is as long as it will be
  struct out_sweep_places* places; // where its rows are put
  char *path, *part_path, *journal_path;
  int part, journal; // open files, -1
  base_hold hold;    // of both
  int64_t bytes;     // in the part
  int64_t sent;      // of them, on their way to the disk
  out_sum sum;       // of those
  out_sweep_counts counts;
  double every; // s between two lines of the journal
  double last;  // when it was last written
  int fault;    // errno of the first thing that went wrong
};
