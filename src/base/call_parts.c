// Parts of a call: what must be put in order before it is given up, and its further threads, each
// with a ledger of its own.
#include "base/ledger.h"

static bool run_inside(base_call* c, void (*f)(void*), void* context)
{
  base_call* const before = base_call_current;
  c->locks = base_kept_held();
  if (setjmp(c->point) == 0) {
    base_call_current = c;
    f(context);
    base_call_current = before;
    return true;
  }
  base_kept_release(c->locks);
  base_call_current = before;
  return false;
}

bool base_try(void (*f)(void*), void* context)
{
  if (base_call_current) {
    base_call inner = {.ledger = base_call_current->ledger, .stock = base_call_current->stock};
    return run_inside(&inner, f, context);
  }
  f(context);
  return true;
}

base_call* base_call_share(void)
{
  if (base_call_current) base_call_current->ledger->shared = true;
  return base_call_current;
}

// Of a thread that ended, or a new one; null without memory. It stays to the end of the call:
// blocks are struck from it by whoever frees them.
static base_ledger* further_ledger(base_ledger* common)
{
  lock(common);
  base_ledger* l = common->further;
  while (l && l->busy) l = l->further;
  if (!l && (l = base_ledger_new())) {
    l->common = common;
    l->shared = true;
    l->further = common->further;
    common->further = l;
  }
  if (l) l->busy = true;
  unlock(common);
  return l;
}

bool base_try_thread(base_call* of, void (*f)(void*), void* context)
{
  if (!of) {
    f(context);
    return true;
  }
  base_ledger* common = of->ledger->common;
  base_call own = {.ledger = further_ledger(common)};
  const bool fine = own.ledger && run_inside(&own, f, context);
  lock(common);
  if (own.ledger) own.ledger->busy = false;
  unlock(common);
  return fine;
}
