// Velocities in independent quasi-velocities that serve everywhere: no pivot that might vanish.
//
// They are those of mech_frame, without what only its equations need: accelerations, and the
// velocities that the constraints forbid.
#include "mech/basis.h"

static bool is_linear(const mech_system* s)
{
  for (int k = 0; k < s->m; k++)
    if (s->model->constraint[k].order != 1 || !s->model->constraint[k].linear) return false;
  return true;
}

static bool serves(const mech_system* s, const mech_basis* b)
{
  bool known = !b->assumptions && b->rank == s->m;
  for (int i = 0; i < s->n; i++) known = known && b->known[i] != EXPR_NONE;
  return known;
}

mech_reduction* mech_reduce(const mech_system* s, base_arena* arena)
{
  if (!is_linear(s)) return NULL;
  base_notes* quiet = base_notes_new();
  const mech_basis* b = mech_basis_choose(s, NULL, MECH_LINEAR_VELOCITIES, arena, quiet);
  base_notes_free(quiet);
  if (!serves(s, b)) return NULL;
  mech_reduction* r = base_arena_take(arena, sizeof *r);
  const int n = s->n, l = r->l = b->l;
  r->u = b->v;
  r->Z = b->Z;
  r->meaning = mech_take(arena, l);
  r->velocity = mech_take(arena, n);
  for (int i = 0; i < l; i++)
    r->meaning[i] = mech_tidy(s, i < b->declared ? s->model->quasi[b->quasi[i]].value
                                                 : mech_dot(s->pool, n, b->W + i * n, 1, s->v, 1));
  for (int i = 0; i < n; i++) {
    const expr moving = mech_dot(s->pool, l, b->Z + i * l, 1, b->v, 1);
    r->velocity[i] = mech_tidy(s, expr_add(s->pool, moving, b->known[i]));
  }
  return r;
}
