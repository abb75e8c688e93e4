// A stock of blocks that were given back.
//
// Lists by size: four to each power of two, so that a block is at most a quarter larger than what
// is asked for, unless that is little. How large a block is, the C library knows; it rounds up by
// less than the least step between two lists, so that a block comes back to the list it is from.
#include "base/base.h"
#include "base/ledger.h"

#undef malloc
#undef calloc
#undef realloc
#undef free

enum { least_log = 7, logs = 40, steps = 4, lists = steps * logs };

typedef struct spare
{
  struct spare* next;
} spare;

struct base_stock
{
  base_ledger ledger;
  spare* list[lists];
};

static int log_of(size_t n)
{
  return 63 - __builtin_clzll((unsigned long long)n);
}

static size_t size_of(int list)
{
  return (size_t)(steps + list % steps) << (list / steps + least_log - 2);
}

// the largest size that is no larger
static int list_below(size_t n)
{
  const int log = log_of(n);
  return steps * (log - least_log) + (int)(n >> (log - 2) & 3);
}

// the least size that is no smaller
static int list_above(size_t n)
{
  return n <= size_of(0) ? 0 : list_below(n - 1) + 1;
}

base_stock* base_stock_new(void)
{
  base_stock* s = base_alloc(sizeof *s);
  base_ledger_open(&s->ledger);
  return s;
}

void base_stock_free(base_stock* s)
{
  if (!s) return;
  for (int i = 0; i < lists; i++)
    while (s->list[i]) {
      spare* first = s->list[i];
      s->list[i] = first->next;
      free(first);
    }
  base_ledger_close(&s->ledger);
  base_free(s);
}

base_ledger* base_stock_ledger(base_stock* s)
{
  return &s->ledger;
}

void base_stock_add(base_stock* s, void* at, size_t bytes)
{
  const int i = bytes < size_of(0) ? lists : list_below(bytes);
  if (i >= lists) {
    free(at);
    return;
  }
  spare* x = at;
  x->next = s->list[i];
  s->list[i] = x;
}

void* base_stock_take(base_stock* s, size_t* bytes)
{
  const int i = list_above(*bytes);
  if (i >= lists) return NULL;
  *bytes = size_of(i);
  spare* first = s->list[i];
  if (first) s->list[i] = first->next;
  return first;
}
