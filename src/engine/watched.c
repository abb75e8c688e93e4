// Kernels beside those of the equations: what is delayed, and what a run is asked to see.
#include "engine/inside.h"

bool engine_delayed_build(engine_program* p, base_notes* notes)
{
  const int count = p->is_part ? 0 : p->model->delays;
  expr* list = engine_program_take(p, (size_t)count, sizeof(expr));
  for (int i = 0; i < count; i++) list[i] = p->model->delay[i].x;
  p->delayed = engine_kernel_make(p, count, list, "what is delayed", notes);
  return p->delayed;
}

static void release_kernel(void* kernel)
{
  code_free(kernel);
}

bool engine_watch(engine* e, int count, const expr* list, base_notes* notes)
{
  base_text by = {0};
  base_text_addn(&by, (const char*)&e->program, sizeof e->program);
  if (count) base_text_addn(&by, (const char*)list, sizeof *list * (size_t)count);
  const base_key key = {"watched", by.at, by.n};
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = engine_kernel_make(e->program, count, list, "what is to be seen", notes);
    if (found) engine_keep(e, key, found, release_kernel);
  }
  base_kept_unlock(e->s->kept);
  base_text_free(&by);
  if (!found) return false;
  e->watched = found;
  e->work.watched_scratch = engine_doubles(e, (int)code_scratch(e->watched) + 1);
  return true;
}
