// Which columns a table shows, in which order, and what their heads say.
#pragma once

#include "out/out.h"

// behind the numbers of a track come two columns of words
enum { OUT_STAGE = -1, OUT_EVENT = -2 };

typedef struct out_columns
{
  int count;
  int* at; // columns of the track, OUT_STAGE, OUT_EVENT
} out_columns;

// Those of the runs' `columns`, or all; each name of them must be there (out_columns_check).
out_columns out_columns_of(const out_runs* r);
out_columns out_columns_all(const walk_track* t);
void out_columns_free(out_columns* c);

const char* out_columns_name(const walk_track* t, int at);
// the name, with its unit behind it in brackets where it is asked for and known
void out_columns_head(const walk_track* t, int at, bool units, base_text* out);
// the word in a row of OUT_STAGE or OUT_EVENT
const char* out_columns_word(const walk_track* t, int at, int row);
