// memset() in browsers: large blocks, which every run clears some of, by their instruction for it.
// The C library's goes eight bytes at a time.
#include <stddef.h>

// entering the instruction takes as long as clearing so many bytes otherwise
enum { large = 512 };

// The linker sends calls of memset to __wrap_memset, and those of __real_memset to the C library's.
void* __real_memset(void* at, int byte, size_t n);
void* __wrap_memset(void* at, int byte, size_t n);

void* __wrap_memset(void* at, int byte, size_t n)
{
  if (n < large) return __real_memset(at, byte, n);
  __asm__ volatile("local.get %0\n\tlocal.get %1\n\tlocal.get %2\n\tmemory.fill 0" ::"r"(at),
                   "r"(byte), "r"(n)
                   : "memory");
  return at;
}
