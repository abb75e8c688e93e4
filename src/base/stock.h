// A stock of blocks that were given back. Private to base.
//
// Lists by size: four to each power of two, so that a block is at most a quarter larger than what
// is asked for, unless that is little. A block of a stock knows its list; how large another is, the
// C library knows, which rounds up by less than the least step between two lists.
#pragma once

#include "base/ledger.h"

enum {
  stock_least_log = 7,
  stock_logs = 40,
  stock_steps = 4,
  stock_lists = stock_steps * stock_logs
};

struct base_stock
{
  base_ledger ledger;
  block* list[stock_lists]; // of spare ones: each has the next in `after`
};

static inline int stock_log_of(size_t n)
{
  return 63 - __builtin_clzll((unsigned long long)n);
}

static inline size_t stock_size_of(int list)
{
  return (size_t)(stock_steps + list % stock_steps) << (list / stock_steps + stock_least_log - 2);
}

// the largest size that is no larger
static inline int stock_list_below(size_t n)
{
  const int log = stock_log_of(n);
  return stock_steps * (log - stock_least_log) + (int)(n >> (log - 2) & 3);
}

// the least size that is no smaller
static inline int stock_list_above(size_t n)
{
  return n <= stock_size_of(0) ? 0 : stock_list_below(n - 1) + 1;
}

// null: it has none
static inline block* stock_take(base_stock* s, int list)
{
  block* b = s->list[list];
  if (b) s->list[list] = b->after;
  return b;
}

static inline void stock_add(base_stock* s, block* b, int list)
{
  b->after = s->list[list];
  s->list[list] = b;
}
