// Faults on purpose.
#include "base/base.h"
#include "base/ledger.h"

#include <stdatomic.h>

static struct
{
  atomic_long first, every, count;
} plan[BASE_FAULTS];

atomic_bool base_fault_is_planned;

void base_fault_plan(base_fault_kind kind, long first, long every)
{
  atomic_store(&plan[kind].first, 0);
  atomic_store(&plan[kind].count, 0);
  atomic_store(&plan[kind].every, every);
  atomic_store(&plan[kind].first, first);
  if (first) atomic_store(&base_fault_is_planned, true);
}

long base_fault_count(base_fault_kind kind)
{
  return atomic_load(&plan[kind].count);
}

bool base_fault(base_fault_kind kind)
{
  const long first = atomic_load_explicit(&plan[kind].first, memory_order_relaxed);
  if (!first) return false;
  const long every = atomic_load(&plan[kind].every);
  const long number = atomic_fetch_add(&plan[kind].count, 1) + 1;
  return number == first || (every > 0 && number > first && (number - first) % every == 0);
}
