// Arenas: many blocks, one lifetime.
#include "base/base.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chunk chunk;
struct chunk
{
  chunk* below;
  size_t start; // bytes taken in all chunks below this one
  size_t used;
  size_t clear; // from what is used up to here all is zero
  size_t room;
  _Alignas(max_align_t) char data[];
};

// the first chunk stands behind it, in one block with it
struct base_arena
{
  _Alignas(max_align_t) chunk* top;
};

enum { first_room = 1 << 12, most_growth = 1 << 24, align = _Alignof(max_align_t) };
// chunks grow fourfold up to here, so that the arena of a small run has two of them; then twofold
enum { quick_growth = 1 << 14 };
// zeros for so many bytes to come are made at once: most of what is taken is small, and no more
// than are cleared without a start of their own
enum { ahead = 1 << 10 };

static chunk* push(const base_arena* a, chunk* below, size_t room)
{
  chunk* c = base_realloc_with(a, NULL, sizeof(chunk) + room);
  *c = (chunk){.below = below, .start = below->start + below->used, .room = room};
  return c;
}

// A block that fills a chunk by itself is of zeros from the system, where it has such: pages of it
// that nobody writes to take no memory.
static chunk* push_filled(const base_arena* a, chunk* below, size_t room)
{
  chunk* c = base_alloc_with(a, sizeof(chunk) + room);
  *c = (chunk){.below = below, .start = below->start + below->used, .room = room, .clear = room};
  return c;
}

base_arena* base_arena_new(void)
{
  base_arena* a = base_realloc(NULL, sizeof *a + sizeof(chunk) + first_room);
  a->top = (chunk*)(a + 1);
  *a->top = (chunk){.room = first_room};
  return a;
}

void base_arena_free(base_arena* a)
{
  if (!a) return;
  for (chunk *c = a->top, *below; c->below; c = below) {
    below = c->below;
    free(c);
  }
  free(a);
}

// The next n bytes, rounded up, where they are not all zero yet, or in another chunk.
__attribute__((noinline)) static void* take_more(base_arena* a, size_t n)
{
  if (n > a->top->room - a->top->used) {
    // chunks grow up to a bound, so little is wasted and few are needed
    const size_t times = a->top->room < quick_growth ? 4 : 2;
    const size_t room = times * a->top->room < most_growth ? times * a->top->room : most_growth;
    a->top = n > room ? push_filled(a, a->top, n) : push(a, a->top, room);
  }
  chunk* c = a->top;
  void* p = c->data + c->used;
  c->used += n;
  if (c->used > c->clear) {
    const size_t to = c->room - c->used > ahead ? c->used + ahead : c->room;
    memset(c->data + c->clear, 0, to - c->clear);
    c->clear = to;
  }
  assert((uintptr_t)p % align == 0);
  return p;
}

void* base_arena_take(base_arena* a, size_t n)
{
  // a size that cannot be rounded up cannot be had either
  if (n > SIZE_MAX / 2) return base_alloc(n);
  n = (n + align - 1) / align * align;
  chunk* c = a->top;
  if (n > c->clear - c->used) return take_more(a, n);
  void* p = c->data + c->used;
  c->used += n;
  return p;
}

char* base_arena_strdup(base_arena* a, const char* text)
{
  return base_arena_strndup(a, text, strlen(text));
}

char* base_arena_strndup(base_arena* a, const char* text, size_t n)
{
  size_t length = strnlen(text, n);
  char* copy = base_arena_take(a, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char* base_arena_printf(base_arena* a, const char* format, ...)
{
  assert(format);
  // most are names, which are written once
  char few[64];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(few, sizeof few, format, args);
  va_end(args);
  if (length < 0) base_no_room();
  char* text = base_arena_take(a, (size_t)length + 1);
  if ((size_t)length < sizeof few) return memcpy(text, few, (size_t)length + 1);
  va_start(args, format);
  vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  return text;
}

size_t base_arena_mark(const base_arena* a)
{
  return a->top->start + a->top->used;
}

void base_arena_cut(base_arena* a, size_t mark)
{
  assert(mark <= base_arena_mark(a));
  while (a->top->start > mark) {
    chunk* below = a->top->below;
    free(a->top);
    a->top = below;
  }
  a->top->used = a->top->clear = mark - a->top->start;
}
