// Keys of what engines share: the program, numbers, the rows that hold, a choice of velocities.
// They are made without memory of the heap where they are short, as they are looked for in every
// run. Private to rate.
#pragma once

#include "rate/rate.h"

#include <stdlib.h>
#include <string.h>

enum { rate_key_room = 256 };

typedef struct rate_key
{
  size_t n;
  char* at;
  char few[rate_key_room];
} rate_key;

static inline void rate_key_add(rate_key* k, int count, const int* number)
{
  for (int i = 0; i < count; i++, k->n += sizeof *number)
    memcpy(k->at + k->n, &number[i], sizeof *number);
}

static inline base_key rate_key_by(rate_key* k, const engine* e, const char* what, int count,
                                   const int* number, int depends, const int* dependent)
{
  const int rows = e->mode.rows;
  const size_t numbers = (size_t)count + 1 + (size_t)rows + (size_t)depends;
  const size_t n = sizeof e->program + sizeof(int) * numbers;
  k->at = n <= rate_key_room ? k->few : base_alloc(n);
  memcpy(k->at, &e->program, sizeof e->program);
  k->n = sizeof e->program;
  rate_key_add(k, count, number);
  rate_key_add(k, 1, &rows);
  rate_key_add(k, rows, e->mode.row);
  rate_key_add(k, depends, dependent);
  return (base_key){what, k->at, k->n};
}

static inline void rate_key_end(rate_key* k)
{
  if (k->at != k->few) free(k->at);
}
