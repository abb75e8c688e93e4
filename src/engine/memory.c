// Memory of an engine, freed with it.
#include "engine/engine.h"

void* engine_take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count ? count : 1) * size);
}

double* engine_doubles(engine* e, int count)
{
  return engine_take(e, (size_t)count, sizeof(double));
}
