// Memory of a program and of an engine, freed with them.
#include "engine/inside.h"

#include <stdint.h>

enum { cache_line = 64 };

void* engine_take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count ? count : 1) * size);
}

double* engine_doubles(engine* e, int count)
{
  return engine_take(e, (size_t)count, sizeof(double));
}

double* engine_lines(engine* e, size_t count)
{
  const uintptr_t at = (uintptr_t)base_arena_take(e->arena, count * sizeof(double) + cache_line);
  return (double*)((at + cache_line - 1) / cache_line * cache_line);
}

void* engine_program_take(engine_program* p, size_t count, size_t size)
{
  return base_arena_take(p->arena, (count ? count : 1) * size);
}
