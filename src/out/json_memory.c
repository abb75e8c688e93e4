// Memory of the JSON library: of the call under way, as GMP's is (src/expr/gmp.c).
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>

#include "out/out.h"

static void* take(size_t n)
{
  return base_call_is_open() ? base_foreign_alloc(n) : (malloc)(n);
}

static void give_back(void* p)
{
  if (base_call_is_open())
    base_foreign_free(p);
  else
    (free)(p);
}

static void set(void)
{
  json_malloc_t usual_alloc;
  json_free_t usual_free;
  json_get_alloc_funcs(&usual_alloc, &usual_free);
  if (usual_alloc == malloc) json_set_alloc_funcs(take, give_back);
}

void out_json_guard(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set);
}
