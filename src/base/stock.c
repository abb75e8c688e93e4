// The life of a stock of blocks.
#include "base/stock.h"

#undef malloc
#undef calloc
#undef realloc
#undef free

base_stock* base_stock_new(void)
{
  base_stock* s = base_alloc(sizeof *s);
  base_ledger_open(&s->ledger);
  return s;
}

void base_stock_free(base_stock* s)
{
  if (!s) return;
  for (int i = 0; i < stock_lists; i++)
    for (block* b; (b = stock_take(s, i));) free(b);
  base_ledger_close(&s->ledger);
  base_free(s);
}

base_ledger* base_stock_ledger(base_stock* s)
{
  return &s->ledger;
}
