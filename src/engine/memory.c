// Memory of a program and of an engine, freed with them.
#include "engine/inside.h"

void* engine_take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count ? count : 1) * size);
}

double* engine_doubles(engine* e, int count)
{
  return engine_take(e, (size_t)count, sizeof(double));
}

void* engine_program_take(engine_program* p, size_t count, size_t size)
{
  return base_arena_take(p->arena, (count ? count : 1) * size);
}
