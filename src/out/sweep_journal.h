// How far the rows of a sweep are good, as a file beside them. Private to out.
//
// The journal begins with a line that names the sweep. A line is added after the rows it speaks of
// have reached the disk: runs done, bytes of the part, how many of those runs failed and how many
// are doubtful, a sum over those bytes, and a sum over the line itself. Whenever the program is
// killed, what the last whole line says is there; where the part was changed since, its sum tells,
// and the last line that still fits counts.
#pragma once

#include "out/out.h"

// A sum over a stream of bytes, however it is cut into pieces.
typedef struct out_sum
{
  uint64_t sum, words; // so far, and how many words of eight it is made of
  uint64_t word;       // the bytes that do not make one yet
  int held;            // how many those are
} out_sum;
out_sum out_sum_start(void);
// of a piece that begins behind so many words, and the sum of what lies before it with its own:
// pieces may be summed in any order, by anyone, whole words each
out_sum out_sum_from(uint64_t words);
void out_sum_join(out_sum* s, const out_sum* piece);
void out_sum_add(out_sum* s, const char* bytes, size_t n);
uint64_t out_sum_value(const out_sum* s);

// A line of a journal ends in the sum over the rest of it. Does it? That is then cut off.
void out_journal_end_line(base_text* line);
bool out_journal_is_whole(char* line);

// One line: up to here the rows are good.
typedef struct out_sweep_mark
{
  int64_t runs, bytes;
  out_sweep_counts counts;
  uint64_t sum;       // of those bytes
  size_t journal_end; // of this line in the journal
} out_sweep_mark;

typedef struct out_sweep_journal
{
  bool foreign; // it is not the beginning of a journal
  bool other;   // it is that of another sweep
  BASE_LIST(out_sweep_mark) marks;
} out_sweep_journal;

void out_sweep_journal_first(const out_sweep_head* h, base_text* out);
void out_sweep_journal_line(const out_sweep_mark* m, base_text* out);
// what a journal says to this sweep
out_sweep_journal out_sweep_journal_read(const out_sweep_head* h, const char* text, size_t n);
void out_sweep_journal_free(out_sweep_journal* j);
