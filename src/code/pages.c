// Pages for code: filled while they can be written, then made executable, and never both.
#include "code/native.h"

#include <string.h>

// where pieces begin: numbers in them are aligned as in pages of their own
enum { PIECE = 64 };

void code_sheaf_add(code_sheaf* s, code_pages* p, int n, const void* bytes, size_t entry)
{
  const int from = (s->n + PIECE - 1) / PIECE * PIECE, to = from + n;
  if (to > s->room) s->at = base_realloc(s->at, (size_t)(s->room = 2 * to));
  memset(s->at + s->n, 0, (size_t)(from - s->n));
  memcpy(s->at + from, bytes, (size_t)n);
  *p = (code_pages){.entry = (size_t)from + entry};
  s->n = to;
}

#if defined(__EMSCRIPTEN__)

// a browser has modules in place of pages
bool code_pages_new(code_pages* p, size_t n, const void* bytes, size_t entry)
{
  (void)n, (void)bytes, (void)entry;
  *p = (code_pages){0};
  return false;
}

void code_pages_free(code_pages* p)
{
  code_module_free(p);
}

bool code_sheaf_bind(const code_sheaf* s, int count, code_pages* const* piece)
{
  (void)s, (void)count, (void)piece;
  return false;
}

#else
#include <sys/mman.h>

bool code_pages_new(code_pages* p, size_t n, const void* bytes, size_t entry)
{
  *p = (code_pages){0};
  void* at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return false;
  memcpy(at, bytes, n);
  if (mprotect(at, n, PROT_READ | PROT_EXEC) != 0) {
    munmap(at, n);
    return false;
  }
  *p = (code_pages){at, n, entry, 0};
  return true;
}

void code_pages_free(code_pages* p)
{
  if (p->bytes) munmap(p->at, p->bytes);
  *p = (code_pages){0};
}

bool code_sheaf_bind(const code_sheaf* s, int count, code_pages* const* piece)
{
  code_pages all = {0};
  if (!count || !code_pages_new(&all, (size_t)s->n, s->at, 0)) return false;
  for (int i = 0; i < count; i++) {
    piece[i]->at = all.at;
    piece[i]->bytes = i ? 0 : all.bytes;
  }
  return true;
}
#endif
