// Memory of a program and of an engine, freed with them.
#include "engine/inside.h"

#include <stdint.h>

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
  const size_t line = ENGINE_LINE * sizeof(double);
  const uintptr_t at = (uintptr_t)base_arena_take(e->arena, count * sizeof(double) + line);
  return (double*)((at + line - 1) / line * line);
}

void* engine_program_take(engine_program* p, size_t count, size_t size)
{
  return base_arena_take(p->arena, (count ? count : 1) * size);
}
