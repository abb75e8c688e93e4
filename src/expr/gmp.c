// GMP's memory: of the call under way, so that lack of it gives up the call and not the program.
//
// GMP has one set of functions for the whole process. Ours take what malloc gives, as GMP's own do,
// so blocks of both may meet; outside of calls they are GMP's own. Functions that the program has
// set itself stay.
#include "expr/pool.h"

#include <pthread.h>

extern void* __gmp_default_allocate(size_t n) __attribute__((weak));

static void* (*usual_alloc)(size_t n);
static void* (*usual_realloc)(void* p, size_t before, size_t n);
static void (*usual_free)(void* p, size_t n);

static void* take(size_t n)
{
  return base_call_is_open() ? base_foreign_alloc(n) : usual_alloc(n);
}

static void* resize(void* p, size_t before, size_t n)
{
  return base_call_is_open() ? base_foreign_realloc(p, n) : usual_realloc(p, before, n);
}

static void give_back(void* p, size_t n)
{
  if (base_call_is_open())
    base_foreign_free(p);
  else
    usual_free(p, n);
}

static void set(void)
{
  mp_get_memory_functions(&usual_alloc, &usual_realloc, &usual_free);
  if (usual_alloc == __gmp_default_allocate) mp_set_memory_functions(take, resize, give_back);
}

void expr_gmp_guard(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set);
}
