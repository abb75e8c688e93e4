// Velocities affine in quasi-velocities: the basis of mech/basis.h completed by the constraints.
#include "mech/frame.h"

#include <string.h>

static void symbols(const mech_system* s, mech_frame* f, base_arena* arena)
{
  const mech_basis* b = f->u->b;
  for (int i = 0; i < f->l; i++) f->w[i] = b->v[i];
  for (int i = f->l; i < f->n; i++) {
    const char* name = s->model->constraint[b->row[i - f->l]].name;
    f->w[i] = mech_name_symbol(s, arena, base_arena_printf(arena, "f_%s", name), "");
  }
}

// the matrices, row by row
static void matrices(const mech_system* s, mech_frame* f)
{
  const mech_basis* b = f->u->b;
  expr_pool* p = s->pool;
  int n = f->n, l = f->l;
  memcpy(f->W, b->W, sizeof(expr) * (size_t)(l * n));
  for (int i = l; i < n; i++)
    memcpy(f->W + i * n, s->A + b->row[i - l] * n, sizeof(expr) * (size_t)n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < l; j++) f->Z[i * n + j] = b->Z[i * l + j];
    for (int j = l; j < n; j++)
      f->Z[i * n + j] = mech_tidy(s, expr_div(p, b->R[i * b->rank + j - l], b->D));
    f->k[i] = b->known[i];
    expr moving = mech_dot(p, l, f->Z + i * n, 1, f->w, 1);
    f->velocity[i] = mech_tidy(s, expr_add(p, moving, f->k[i]));
  }
}

static void meanings(const mech_system* s, mech_frame* f)
{
  const mech_basis* b = f->u->b;
  for (int i = 0; i < f->n; i++) {
    if (i < b->declared)
      f->meaning[i] = s->model->quasi[b->quasi[i]].value;
    else if (i < f->l)
      f->meaning[i] = mech_dot(s->pool, f->n, f->W + i * f->n, 1, s->v, 1);
    else
      f->meaning[i] = s->f1[b->row[i - f->l]];
    f->w0[i] = expr_substitute(s->pool, f->meaning[i], f->n, s->v, s->zero);
    f->meaning[i] = mech_tidy(s, f->meaning[i]);
  }
}

mech_frame* mech_frame_choose(const mech_system* s, const mech_choice* choice, base_arena* arena,
                              base_notes* notes)
{
  int n = s->n;
  mech_frame* f = base_arena_take(arena, sizeof *f);
  f->u = mech_pseudo_choose(s, choice, MECH_LINEAR_VELOCITIES, arena, notes);
  f->n = n;
  f->l = f->u->b->l;
  for (int i = 0; i < n; i++)
    if (f->u->b->known[i] == EXPR_NONE) return NULL;
  f->w = mech_take(arena, n);
  f->Z = mech_take(arena, n * n);
  f->W = mech_take(arena, n * n);
  f->k = mech_take(arena, n);
  f->w0 = mech_take(arena, n);
  f->meaning = mech_take(arena, n);
  f->velocity = mech_take(arena, n);
  symbols(s, f, arena);
  matrices(s, f);
  meanings(s, f);
  return f;
}

expr mech_frame_in(const mech_system* s, const mech_frame* f, expr e)
{
  return expr_substitute(s->pool, e, f->n, s->v, f->velocity);
}

expr mech_frame_out(const mech_system* s, const mech_frame* f, expr e)
{
  return expr_substitute(s->pool, e, f->n, f->w, f->meaning);
}

void mech_frame_define(mech_equations* e, const mech_system* s, const mech_frame* f, bool all)
{
  const mech_basis* b = f->u->b;
  expr_pool* p = s->pool;
  for (int i = 0; i < (all ? f->n : f->l); i++) {
    const char* label = i < f->l ? b->label[i] : s->model->constraint[b->row[i - f->l]].name;
    if (f->meaning[i] != f->w[i]) mech_add_definition(e, label, f->w[i], f->meaning[i]);
  }
  for (int j = 0; j < f->n; j++) {
    expr right = f->velocity[j];
    if (all)
      right = mech_tidy(s, expr_add(p, mech_dot(p, f->n, f->Z + j * f->n, 1, f->w, 1), f->k[j]));
    if (right != s->v[j]) mech_add_definition(e, s->model->coord[j].name, s->v[j], right);
  }
}
