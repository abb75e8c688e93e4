// The table of a sweep being written. Private to out.
#pragma once

#include "out/out.h"

struct out_sweep
{
  out_sweep_head head;
  bool binary, plain; // plain: a stream with no journal
  char *path, *part_path, *journal_path;
  int part, journal; // open files, -1
  int64_t bytes;     // in the part
  double last;       // when the journal was last written
  int fault;         // errno of the first thing that went wrong
};
