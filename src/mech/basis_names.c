// Names and meanings of quasi-velocities, and the velocities that are left where all are zero.
#include "mech/basis_work.h"
#include "mech/factor.h"
#include "mech/linear.h"

// a name for the i-th of `count` quasi-velocities that nobody has
static const char* fresh_name(const mech_basis_work* w, int i, int count)
{
  static const char* const stems[] = {"v", "u", "w", "nu", "quasi_"};
  for (int stem = 0; stem < 5; stem++) {
    bool taken = false;
    for (int j = 0; j < count; j++) {
      const char* name =
          count == 1 ? stems[stem] : base_arena_printf(w->arena, "%s%d", stems[stem], j + 1);
      taken |= mech_name_is_taken(w->s->model, name);
    }
    if (taken) continue;
    return count == 1 ? stems[stem] : base_arena_printf(w->arena, "%s%d", stems[stem], i + 1);
  }
  // underscores until it is new
  char* name = base_arena_printf(w->arena, "quasi%d_", i + 1);
  while (mech_name_is_taken(w->s->model, name)) name = base_arena_printf(w->arena, "%s_", name);
  return name;
}

// is null vector c the velocity of its free coordinate alone, whatever the others are?
static bool is_plain(const mech_basis_work* w, int c)
{
  const expr* z = w->b->Z + w->declared + c;
  int l = w->b->l;
  if (w->natural) return w->natural[c * w->s->n + w->free[c]] == expr_int(w->s->pool, 1);
  for (int j = 0; j < w->s->n; j++) {
    if (j == w->free[c]) {
      if (z[j * l] != expr_int(w->s->pool, 1)) return false;
    } else if (!w->direct && z[j * l] != w->s->zero[0]) {
      return false;
    }
  }
  return true;
}

// v of null vector c in terms of q': by its dual row, or along the motion where z is orthogonal to
// the other vectors, z.(q' - known) / z.z; otherwise by its free coordinate
static expr dual(const mech_basis_work* w, int c)
{
  const mech_system* s = w->s;
  int l = w->b->l, n = s->n;
  const expr* z = w->b->Z + w->declared + c;
  if (!s->small || w->b->known[0] == EXPR_NONE) return EXPR_NONE;
  if (w->natural) return mech_tidy(s, mech_dot(s->pool, n, w->natural + c * n, 1, s->v, 1));
  expr* moved = mech_basis_take(w, n);
  for (int j = 0; j < n; j++) moved[j] = expr_sub(s->pool, s->v[j], w->b->known[j]);
  for (int d = 0; d < l; d++) {
    if (d == w->declared + c) continue;
    if (mech_tidy(s, mech_dot(s->pool, n, z, l, w->b->Z + d, l)) == s->zero[0]) continue;
    if (!w->direct) return EXPR_NONE;
    const int f = w->free[c];
    return mech_tidy(s, expr_div(s->pool, moved[f], z[f * l]));
  }
  expr along = mech_dot(s->pool, n, z, l, moved, 1), square = mech_dot(s->pool, n, z, l, z, l);
  return mech_tidy(s, expr_div(s->pool, along, mech_tidy(s, square)));
}

void mech_basis_name(mech_basis_work* w)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  mech_basis* b = w->b;
  for (int i = 0; i < w->declared; i++) {
    const model_quasi* u = &m->quasi[w->quasi[i]];
    b->label[i] = u->name;
    b->v[i] = expr_symbol(s->pool, u->name);
    b->meaning[i] = mech_tidy(s, u->value);
  }
  int open = s->n - w->k, count = 0, i = 0;
  for (int c = 0; c < open; c++) count += !is_plain(w, c);
  for (int c = 0; c < open; c++) {
    int at = w->declared + c;
    bool plain = is_plain(w, c);
    b->label[at] = plain ? m->coord[w->free[c]].name : fresh_name(w, i++, count);
    b->v[at] = plain ? s->v[w->free[c]] : expr_symbol(s->pool, b->label[at]);
    b->meaning[at] = plain ? EXPR_NONE : dual(w, c);
  }
}

// S q' = s with s_i = -(part of the i-th quasi-velocity without q'), or minus that of a constraint
static bool offset(const mech_basis_work* w, int i, expr* out)
{
  const mech_system* s = w->s;
  const model* m = s->model;
  expr value;
  if (i < w->declared) {
    const model_quasi* u = &m->quasi[w->quasi[i]];
    if (u->order != 1) return false;
    value = u->value;
  } else {
    const model_constraint* f = &m->constraint[w->b->row[i - w->declared]];
    if (f->order == 2 || !f->linear) return false;
    value = s->f1[w->b->row[i - w->declared]];
  }
  for (int j = 0; j < s->n; j++)
    if (expr_has_any(s->pool, w->S[i * s->n + j], s->n, s->v)) return false;
  *out = expr_neg(s->pool, expr_substitute(s->pool, value, s->n, s->v, s->zero));
  return true;
}

void mech_basis_known(mech_basis_work* w)
{
  const mech_system* s = w->s;
  int n = s->n, k = w->k;
  expr* side = mech_basis_take(w, k);
  w->b->known = mech_basis_take(w, n);
  for (int i = 0; i < k; i++)
    if (!offset(w, i, &side[i])) return;
  for (int j = 0; j < n; j++) {
    expr above = mech_tidy(s, mech_dot(s->pool, k, w->right + j * k, 1, side, 1));
    w->b->known[j] = expr_div(s->pool, above, w->b->D);
  }
}
