// Velocities in independent quasi-velocities that serve everywhere: no pivot that might vanish.
#include "mech/frame.h"

mech_reduction* mech_reduce(const mech_system* s, base_arena* arena)
{
  for (int k = 0; k < s->m; k++)
    if (s->model->constraint[k].order != 1 || !s->model->constraint[k].linear) return NULL;
  base_notes* quiet = base_notes_new();
  const mech_frame* f = mech_frame_choose(s, NULL, arena, quiet);
  base_notes_free(quiet);
  if (!f || f->u->b->assumptions || f->u->b->rank != s->m) return NULL;
  mech_reduction* r = base_arena_take(arena, sizeof *r);
  r->l = f->l;
  r->u = f->w;
  r->meaning = f->meaning;
  r->velocity = f->velocity;
  r->Z = base_arena_take(arena, sizeof(expr) * (size_t)(s->n * f->l + 1));
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < f->l; k++) r->Z[i * f->l + k] = f->Z[i * f->n + k];
  return r;
}
