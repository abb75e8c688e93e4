// Rods that nothing says, but the places do: a particle that is always as far from a place of the
// world, or from another particle, as the angles of a pendulum have it, and a rod that is shown
// from a place at rest to one that goes around it.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

static bool is_same(const expr a[3], const expr b[3])
{
  return memcmp(a, b, 3 * sizeof *a) == 0;
}

static bool is_there(const model_scene_list* l, model_part_kind kind, const expr at[3])
{
  for (int i = 0; i < l->parts.n; i++)
    if (l->parts.at[i].kind == kind && is_same(l->parts.at[i].at, at)) return true;
  return false;
}

static void push_pivot(model_scene_list* l, const char* name, const expr at[3])
{
  if (is_there(l, MODEL_PART_HINGE, at)) return;
  model_part p = model_scene_part(l->s, MODEL_PART_HINGE, name, NULL);
  memcpy(p.at, at, sizeof p.at);
  p.fixed = true;
  base_push(&l->parts, p);
}

static void push_rod(model_scene_list* l, const char* name, const expr from[3], const expr to[3])
{
  model_part p = model_scene_part(l->s, MODEL_PART_LINK, name, NULL);
  memcpy(p.at, from, sizeof p.at);
  memcpy(p.to, to, sizeof p.to);
  p.held = true;
  base_push(&l->parts, p);
}

// ---- about a place ------------------------------------------------------------------------------

// What of a place no coordinate moves, as it stands in the sum, where it has that number; else the
// number, and what time adds.
static bool still_part(const model_sight* x, expr at, double number, expr* out)
{
  model_scope* s = x->s;
  expr_pool* pool = s->pool;
  if (fabs(number) < 1e-9) number = 0;
  expr sum = expr_int(pool, 0);
  if (expr_kind_of(pool, at) == EXPR_SUM)
    for (int i = 0; i < expr_arg_count(pool, at); i++)
      if (model_sight_is_free(s, expr_arg(pool, at, i)))
        sum = expr_add(pool, sum, expr_arg(pool, at, i));
  *out = sum;
  if (fabs(model_sight_number(x, sum) - number) <= 1e-9 * (1 + fabs(number))) return true;
  *out = expr_double(pool, number);
  return !(model_scope_uses(s, at) & MODEL_USES_TIME);
}

// does time carry it along, whatever the coordinates are?
static bool is_carried(const model_sight* x, const expr at[3])
{
  for (int k = 0; k < 3; k++)
    if (!model_sight_is_free(x->s,
                             expr_simplify(x->s->pool, expr_diff(x->s->pool, at[k], x->s->m->t))))
      return false;
  return true;
}

// |p|^2 = a + b . p on a circle or sphere about b/2
static bool centre_of(const model_sight* x, const model_sight_point* p, expr out[3])
{
  const double* column[4];
  double one[MODEL_SIGHTS], square[MODEL_SIGHTS], by[4] = {0};
  int n = 0;
  column[n++] = one;
  for (int k = 0; k < 3; k++)
    if (p->moves[k]) column[n++] = p->x[k];
  for (int i = 0; i < MODEL_SIGHTS; i++) {
    one[i] = 1, square[i] = 0;
    for (int k = 0; k < 3; k++)
      if (p->moves[k]) square[i] += p->x[k][i] * p->x[k][i];
  }
  if (n < 3 || model_sight_fit(n, column, square, by) != MODEL_FIT_GOOD) return false;
  n = 1;
  for (int k = 0; k < 3; k++) {
    out[k] = p->at[k];
    if (p->moves[k] && !still_part(x, p->at[k], by[n++] / 2, &out[k])) return false;
  }
  return is_carried(x, p->at);
}

// ---- of two -------------------------------------------------------------------------------------

static bool keep_apart(const model_sight* x, const model_sight_point* a, const model_sight_point* b)
{
  expr_pool* pool = x->s->pool;
  double square[MODEL_SIGHTS];
  expr apart[3], slip[3];
  for (int i = 0; i < MODEL_SIGHTS; i++) {
    square[i] = 0;
    for (int k = 0; k < 3; k++) square[i] += pow(a->x[k][i] - b->x[k][i], 2);
  }
  model_vec_sub(pool, a->at, b->at, apart);
  for (int k = 0; k < 3; k++) slip[k] = expr_simplify(pool, expr_diff(pool, apart[k], x->s->m->t));
  // squares of places lose half of the digits that places have
  for (int i = 0; i < MODEL_SIGHTS; i++)
    if (!(fabs(square[i] - square[0]) <= 1e-10 * square[0])) return false;
  return square[0] > 0 && model_vec_is_zero(pool, slip);
}

// a particle placed in the axes of the world; what frames carry has its links
static int particle_of(const model_sight* x, const model_part* p)
{
  if (p->kind != MODEL_PART_PARTICLE || *p->carrier) return -1;
  for (int i = 0; i < x->points.n; i++)
    if (is_same(x->points.at[i].at, p->at)) return x->points.at[i].free ? i : -1;
  return -1;
}

// a ball is shown about that place: the particle goes along it, or is held on it
static bool is_in_ball(const model_sight* x, const expr place[3])
{
  const model* m = x->s->m;
  for (int i = 0; i < m->shows; i++) {
    bool same = m->show[i].shape == MODEL_SHOW_BALL;
    for (int k = 0; k < 3; k++)
      same = same &&
             fabs(model_sight_number(x, m->show[i].at[k]) - model_sight_number(x, place[k])) < 1e-9;
    if (same) return true;
  }
  return false;
}

static void look_at(model_scene_list* l, const model_sight* x, int part, int parts)
{
  const int p = particle_of(x, &l->parts.at[part]);
  const char* name = l->parts.at[part].name;
  expr centre[3];
  if (p < 0) return;
  if (centre_of(x, &x->points.at[p], centre) && !is_in_ball(x, centre)) {
    push_rod(l, name, centre, x->points.at[p].at);
    push_pivot(l, name, centre);
  }
  for (int i = part + 1; i < parts; i++) {
    const int o = particle_of(x, &l->parts.at[i]);
    if (o >= 0 && o != p && keep_apart(x, &x->points.at[p], &x->points.at[o]))
      push_rod(l, l->parts.at[i].name, x->points.at[p].at, x->points.at[o].at);
  }
}

// ---- of rods that are shown ---------------------------------------------------------------------

static const model_sight_point* point_at(const model_sight* x, const expr at[3])
{
  for (int i = 0; i < x->points.n; i++)
    if (is_same(x->points.at[i].at, at)) return &x->points.at[i];
  return NULL;
}

static void look_at_show(model_scene_list* l, const model_sight* x, const model_show* shown)
{
  const model_sight_point *a = point_at(x, shown->at), *b = point_at(x, shown->to);
  if (!a || !b || a->free == b->free || !keep_apart(x, a, b)) return;
  push_pivot(l, shown->name, a->free ? b->at : a->at);
}

void model_scene_rigid(model_scene_list* l)
{
  const model* m = l->s->m;
  const int parts = l->parts.n;
  model_sight x;
  if (model_sight_open(&x, l)) {
    for (int i = 0; i < parts; i++) look_at(l, &x, i, parts);
    for (int i = 0; i < m->shows; i++)
      if (m->show[i].shape == MODEL_SHOW_ROD) look_at_show(l, &x, &m->show[i]);
  }
  model_sight_close(&x);
}
