// Blocks from the heap that are never null: out of memory ends the program with status 3.
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(size_t n)
{
  fprintf(stderr, "zwang: out of memory (%zu bytes wanted)\n", n);
  exit(3);
}

void* base_alloc(size_t n)
{
  void* p = calloc(1, n ? n : 1);
  if (!p) out_of_memory(n);
  return p;
}

void* base_realloc(void* p, size_t n)
{
  void* q = realloc(p, n ? n : 1);
  if (!q) out_of_memory(n);
  return q;
}

char* base_strdup(const char* text)
{
  return base_strndup(text, strlen(text));
}

char* base_strndup(const char* text, size_t n)
{
  size_t length = strnlen(text, n);
  char* copy = base_alloc(length + 1);
  memcpy(copy, text, length);
  return copy;
}
