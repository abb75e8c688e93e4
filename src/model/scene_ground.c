// Ground that is said by how things move: under a wheel that rolls, and a table that turns under
// what rolls on it.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

static void values(const model_sight* x, const expr at[3], double out[3][MODEL_SIGHTS])
{
  for (int k = 0; k < 3; k++) model_sight_values(x, at[k], out[k]);
}

static bool is_constant(const double y[MODEL_SIGHTS])
{
  for (int i = 0; i < MODEL_SIGHTS; i++)
    if (!(fabs(y[i] - y[0]) <= 1e-9 * (1 + fabs(y[0])))) return false;
  return true;
}

// do their points go together, before parallel planes?
static bool is_one(const model_sight* x, const model_part* a, const model_part* b)
{
  double n[2][3][MODEL_SIGHTS], to[2][3][MODEL_SIGHTS], cosine = 0;
  values(x, a->normal, n[0]), values(x, b->normal, n[1]);
  for (int k = 0; k < 3; k++) cosine += n[0][k][0] * n[1][k][0];
  if (!(fabs(cosine) > 1 - 1e-9)) return false;
  values(x, a->to, to[0]), values(x, b->to, to[1]);
  for (int k = 0; k < 3; k++) {
    double apart[MODEL_SIGHTS];
    for (int i = 0; i < MODEL_SIGHTS; i++) apart[i] = to[0][k][i] - to[1][k][i];
    if (!is_constant(apart)) return false;
  }
  return true;
}

bool model_scene_has_ground(const model_scene_list* l, const model_sight* x, const model_part* g)
{
  for (int i = 0; i < l->parts.n; i++)
    if (l->parts.at[i].kind == MODEL_PART_GROUND && is_one(x, &l->parts.at[i], g)) return true;
  return false;
}

// ---- under a wheel ------------------------------------------------------------------------------

// The wheel at p turns about n by w and goes along e: v + w x R d = 0 at its foot R d, which lies
// across both, and always at one height.
void model_scene_wheel_ground(model_scene_list* l, const model_sight* x, const model_sight_point* p,
                              const double n[3], int e, double radius)
{
  expr_pool* pool = l->s->pool;
  double d[3], height[MODEL_SIGHTS];
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    d[k] = (i == e ? n[j] : 0) - (j == e ? n[i] : 0);
  }
  for (int i = 0; i < MODEL_SIGHTS; i++) {
    height[i] = 0;
    for (int k = 0; k < 3; k++) height[i] += d[k] * p->x[k][i];
  }
  if (!is_constant(height)) return;
  model_part g = model_scene_part(l->s, MODEL_PART_GROUND, p->name, NULL);
  for (int k = 0; k < 3; k++) {
    const double foot = radius * d[k];
    g.to[k] = expr_add(pool, p->at[k], expr_double(pool, foot));
    g.at[k] = p->moves[k] ? expr_int(pool, 0) : g.to[k];
    g.normal[k] = expr_double(pool, -(radius < 0 ? -1 : 1) * d[k]);
  }
  if (!model_scene_has_ground(l, x, &g)) base_push(&l->parts, g);
}

// ---- a table that turns -------------------------------------------------------------------------

// What holds a point that goes in a plane against it, a_i . v + .. = f_i(p): with the rates of all
// coordinates zero, the velocity u of the table there is a^-1 f.
typedef struct drift
{
  const model_constraint* c;
  double a[2];   // by the two axes of the point
  double by[3];  // f_i = by[0] + by[1] p + by[2] q
  expr slope[2]; // by[1] and by[2] in symbols
} drift;

static bool read_drift(const model_sight* x, const model_sight_point* p, const int axis[2],
                       const model_constraint* c, drift* d)
{
  model_scope* s = x->s;
  const model* m = s->m;
  expr f = c->f;
  const expr zero = expr_int(s->pool, 0);
  double value[MODEL_SIGHTS], one[MODEL_SIGHTS];
  for (int i = 0; i < MODEL_SIGHTS; i++) one[i] = 1;
  d->c = c;
  for (int i = 0; i < m->coords; i++) {
    for (int k = 0; k < 2; k++) {
      if (p->at[axis[k]] != m->coord[i].q) continue;
      d->a[k] = model_sight_number(x, expr_simplify(s->pool, expr_diff(s->pool, f, m->coord[i].v)));
      if (!isfinite(d->a[k])) return false;
    }
  }
  for (int i = 0; i < m->coords; i++) f = expr_substitute(s->pool, f, 1, &m->coord[i].v, &zero);
  f = expr_neg(s->pool, f);
  model_sight_values(x, f, value);
  for (int k = 0; k < 2; k++)
    d->slope[k] = expr_simplify(s->pool, expr_diff(s->pool, f, p->at[axis[k]]));
  return model_sight_fit(3, (const double* const[]){one, p->x[axis[0]], p->x[axis[1]]}, value,
                         d->by) == MODEL_FIT_GOOD;
}

// u = W (p - c), W = a^-1 b a turn: W00 = W11 = 0, W10 = -W01
static bool is_turn(const drift d[2], double w[2][2], double centre[2])
{
  const double det = d[0].a[0] * d[1].a[1] - d[0].a[1] * d[1].a[0];
  double u[3][2], most = 0;
  if (!(fabs(det) > 1e-12)) return false;
  for (int k = 0; k < 3; k++) {
    u[k][0] = (d[1].a[1] * d[0].by[k] - d[0].a[1] * d[1].by[k]) / det;
    u[k][1] = (d[0].a[0] * d[1].by[k] - d[1].a[0] * d[0].by[k]) / det;
  }
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) w[i][k] = u[1 + k][i], most = fmax(most, fabs(w[i][k]));
  if (!(most > 1e-9) || fabs(w[0][0]) + fabs(w[1][1]) + fabs(w[0][1] + w[1][0]) > 1e-7 * most)
    return false;
  centre[0] = -u[0][1] / w[1][0];
  centre[1] = u[0][0] / w[1][0];
  return true;
}

// the rate W10 = (a00 b1 - a10 b0)/det of the slopes in symbols
static expr rate_of(expr_pool* pool, const drift d[2])
{
  const double det = d[0].a[0] * d[1].a[1] - d[0].a[1] * d[1].a[0];
  const expr sum = expr_sub(pool, expr_mul(pool, expr_double(pool, d[0].a[0]), d[1].slope[0]),
                            expr_mul(pool, expr_double(pool, d[1].a[0]), d[0].slope[0]));
  return expr_simplify(pool, expr_mul(pool, expr_double(pool, 1 / det), sum));
}

static void set_turn(expr_pool* pool, model_part* g, int third, expr angle)
{
  const int i = (third + 1) % 3, j = (third + 2) % 3;
  const expr c = expr_fn1(pool, EXPR_COS, angle), sine = expr_fn1(pool, EXPR_SIN, angle);
  const expr zero = expr_int(pool, 0);
  for (int k = 0; k < 9; k++) g->rotation[k] = zero;
  // own z lies along the axis
  g->rotation[3 * third + 2] = expr_int(pool, 1);
  g->rotation[3 * i] = c, g->rotation[3 * i + 1] = expr_neg(pool, sine);
  g->rotation[3 * j] = sine, g->rotation[3 * j + 1] = c;
  g->turns = true;
}

static bool add_table(model_scene_list* l, const model_sight* x, const model_sight_point* p,
                      const model_constraint* c[2])
{
  expr_pool* pool = l->s->pool;
  const int third = !p->moves[0] ? 0 : !p->moves[1] ? 1 : 2;
  const int axis[2] = {(third + 1) % 3, (third + 2) % 3};
  drift d[2] = {0};
  double w[2][2], centre[2];
  for (int i = 0; i < 2; i++)
    if (!read_drift(x, p, axis, c[i], &d[i])) return false;
  if (!is_turn(d, w, centre)) return false;
  const expr rate = rate_of(pool, d);
  if (!model_sight_is_free(l->s, rate) || model_scope_uses(l->s, rate) & MODEL_USES_TIME)
    return false;
  model_part g = model_scene_part(l->s, MODEL_PART_GROUND, c[0]->name, NULL);
  memcpy(g.to, p->at, sizeof g.to);
  g.at[third] = p->at[third];
  for (int k = 0; k < 2; k++) g.at[axis[k]] = expr_double(pool, centre[k]);
  g.normal[third] = expr_int(pool, 1);
  g.held = true;
  set_turn(pool, &g, third, expr_mul(pool, rate, l->s->m->t));
  base_push(&l->parts, g);
  return true;
}

static bool goes_in_plane(const model_sight* x, const model_sight_point* p)
{
  int coords = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < x->s->m->coords; i++) coords += p->at[k] == x->s->m->coord[i].q;
  return p->heavy && coords == 2 && p->moves[0] + p->moves[1] + p->moves[2] == 2;
}

void model_scene_tables(model_scene_list* l)
{
  const model* m = l->s->m;
  model_sight x;
  if (model_sight_open(&x, l))
    for (int i = 0; i < x.points.n; i++) {
      bool found = !goes_in_plane(&x, &x.points.at[i]);
      for (int a = 0; a < m->constraints && !found; a++)
        for (int b = a + 1; b < m->constraints && !found; b++) {
          const model_constraint* c[2] = {&m->constraint[a], &m->constraint[b]};
          const bool grips = c[0]->order == 1 && c[1]->order == 1 && c[0]->linear && c[1]->linear &&
                             !c[0]->sense && !c[1]->sense && !c[0]->internal;
          found = grips && add_table(l, &x, &x.points.at[i], c);
        }
      if (found && goes_in_plane(&x, &x.points.at[i])) break;
    }
  model_sight_close(&x);
}

// ---- ground that a frame turns with -------------------------------------------------------------

// A frame that time alone turns, about the normal of the ground, through which its axis goes.
void model_scene_turn_ground(const model_scene_list* l, const model_sight* x, model_part* g)
{
  for (int i = 0; i < l->parts.n; i++) {
    const model_part* f = &l->parts.at[i];
    if (f->kind != MODEL_PART_FRAME) continue;
    for (int own = 0; own < 3; own++) {
      bool fits = true, turns = false;
      for (int k = 0; k < 9 && fits; k++) {
        const unsigned uses = (unsigned)model_scope_uses(l->s, f->rotation[k]);
        fits = model_sight_is_free(l->s, f->rotation[k]);
        turns = turns || uses & MODEL_USES_TIME;
        if (k % 3 != own) continue;
        const double along = model_sight_number(x, f->rotation[k]);
        fits = fits && !(uses & MODEL_USES_TIME) &&
               fabs(along - model_sight_number(x, g->normal[k / 3])) < 1e-9;
      }
      for (int k = 0; k < 3; k++) fits = fits && model_sight_is_free(l->s, f->at[k]);
      if (!fits || !turns) continue;
      for (int k = 0; k < 9; k++) g->rotation[k] = f->rotation[3 * (k / 3) + (k % 3 + own + 1) % 3];
      for (int k = 0; k < 3; k++)
        if (fabs(model_sight_number(x, g->normal[k])) < 1e-9) g->at[k] = f->at[k];
      g->turns = true;
      return;
    }
  }
}
