// Keys of what engines share, made without memory of the heap where they are short: they are looked
// for in every run. Private to rate.
#pragma once

#include "rate/rate.h"

enum { rate_key_room = 256 };

typedef struct rate_key
{
  base_text bytes;
  char few[rate_key_room];
} rate_key;

static inline void rate_key_begin(rate_key* k, const engine* e, int count)
{
  const size_t n = sizeof e->program + sizeof(int) * ((size_t)count + 1 + (size_t)e->mode.rows);
  k->bytes = n < rate_key_room ? (base_text){.at = k->few, .room = rate_key_room} : (base_text){0};
}

static inline void rate_key_end(rate_key* k)
{
  if (k->bytes.at != k->few) base_text_free(&k->bytes);
}

// by the rows that hold, by numbers and by a choice of velocities
static inline base_key rate_key_by(rate_key* k, const engine* e, const char* what, size_t count,
                                   const int* number, int depends, const int* dependent)
{
  rate_key_begin(k, e, (int)count + depends);
  base_key key = rate_shared_key(e, what, &k->bytes, (int)count, number);
  if (depends)
    base_text_addn(&k->bytes, (const char*)dependent, sizeof *dependent * (size_t)depends);
  key.bytes = k->bytes.at;
  key.n = k->bytes.n;
  return key;
}
