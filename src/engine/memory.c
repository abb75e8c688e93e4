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

// of two doubles, so that each list begins as the whole does
static size_t rounded(int count)
{
  return count > 0 ? ((size_t)count + 1) / 2 * 2 : 2;
}

void engine_rooms(engine* e, size_t lists, const engine_room* list)
{
  size_t all = 0;
  for (size_t i = 0; i < lists; i++) all += rounded(list[i].count);
  double* at = engine_take(e, all, sizeof(double));
  for (size_t i = 0; i < lists; i++) {
    *list[i].at = at;
    at += rounded(list[i].count);
  }
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
