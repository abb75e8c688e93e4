// Blocks of memory in use, counted: what an input took and did not give back is still among them.
#include "fuzz.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

// the C library's own are meant here
#undef malloc
#undef calloc
#undef realloc
#undef free

static atomic_size_t blocks;

#ifdef __SANITIZE_ADDRESS__

// called by its runtime
__attribute__((visibility("default"))) void __sanitizer_malloc_hook(const volatile void* p,
                                                                    size_t n);
__attribute__((visibility("default"))) void __sanitizer_free_hook(const volatile void* p);

void __sanitizer_malloc_hook(const volatile void* p, size_t n)
{
  (void)n;
  if (p) atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
}

void __sanitizer_free_hook(const volatile void* p)
{
  if (p) atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
}

#else

// glibc takes these in the place of its own (its manual, "Replacing malloc")
void* __libc_malloc(size_t n);
void* __libc_calloc(size_t count, size_t n);
void* __libc_realloc(void* p, size_t n);
void* __libc_memalign(size_t alignment, size_t n);
void __libc_free(void* p);

static void* counted(void* p)
{
  if (p) atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
  return p;
}

void* malloc(size_t n)
{
  return counted(__libc_malloc(n));
}

void* calloc(size_t count, size_t n)
{
  return counted(__libc_calloc(count, n));
}

void* realloc(void* p, size_t n)
{
  if (!p) return malloc(n);
  if (!n) {
    free(p);
    return NULL;
  }
  return __libc_realloc(p, n);
}

void* aligned_alloc(size_t alignment, size_t n)
{
  return counted(__libc_memalign(alignment, n));
}

int posix_memalign(void** p, size_t alignment, size_t n)
{
  *p = counted(__libc_memalign(alignment, n));
  return *p ? 0 : ENOMEM;
}

void free(void* p)
{
  if (p) atomic_fetch_sub_explicit(&blocks, 1, memory_order_relaxed);
  __libc_free(p);
}

#endif

size_t fuzz_memory_in_use(void)
{
  return atomic_load_explicit(&blocks, memory_order_relaxed);
}
