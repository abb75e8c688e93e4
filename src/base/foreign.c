// Blocks of other libraries, known to the call under way by their addresses.
#include "base/ledger.h"

#include <string.h>

#undef malloc
#undef calloc
#undef realloc
#undef free

static size_t place_of(const base_ledger* l, const void* p)
{
  const uint64_t hash = (uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(hash >> 32) & (l->foreign_room - 1);
  while (l->foreign[i] && l->foreign[i] != p) i = (i + 1) & (l->foreign_room - 1);
  return i;
}

// room for one more; false without memory
static bool foreign_grow(base_ledger* l)
{
  if (l->foreign_room && 2 * (l->foreign_count + 1) <= l->foreign_room) return true;
  const size_t before = l->foreign_room, room = before ? 2 * before : 256;
  void **old = l->foreign, **larger = calloc(room, sizeof *larger);
  if (!larger) return false;
  l->foreign = larger;
  l->foreign_room = room;
  for (size_t i = 0; i < before; i++)
    if (old[i]) l->foreign[place_of(l, old[i])] = old[i];
  free(old);
  return true;
}

static void foreign_add(base_ledger* l, void* p)
{
  l->foreign[place_of(l, p)] = p;
  l->foreign_count++;
}

static void foreign_remove(base_ledger* l, const void* p)
{
  size_t i = l->foreign_room ? place_of(l, p) : 0;
  if (!l->foreign_room || !l->foreign[i]) return;
  l->foreign[i] = NULL;
  l->foreign_count--;
  // those behind the gap that a search would pass by move up
  for (i = (i + 1) & (l->foreign_room - 1); l->foreign[i]; i = (i + 1) & (l->foreign_room - 1)) {
    void* q = l->foreign[i];
    l->foreign[i] = NULL;
    l->foreign[place_of(l, q)] = q;
  }
}

bool base_call_is_open(void)
{
  return base_call_current != NULL;
}

void* base_foreign_alloc(size_t n)
{
  return base_foreign_realloc(NULL, n);
}

void* base_foreign_realloc(void* p, size_t n)
{
  base_ledger* l = base_call_current ? base_call_current->ledger->common : NULL;
  if (l) lock(l);
  const bool fits = !base_fault(BASE_FAULT_MEMORY) && (!l || foreign_grow(l));
  if (l && p && fits) foreign_remove(l, p);
  void* q = fits ? realloc(p, n ? n : 1) : NULL;
  if (l && q) foreign_add(l, q);
  if (l && p && fits && !q) foreign_add(l, p);
  if (l) unlock(l);
  if (!q) base_no_room();
  return q;
}

void base_foreign_free(void* p)
{
  base_ledger* l = base_call_current ? base_call_current->ledger->common : NULL;
  if (l) lock(l);
  if (l && p) foreign_remove(l, p);
  if (l) unlock(l);
  free(p);
}
