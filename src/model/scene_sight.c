// States drawn at random, and the points of a picture at them.

#include "model/scene_sight.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// points up to which pairs of them are looked at
enum { MOST_POINTS = 160 };

// what two columns may lack of being independent, and what may be left of a fit, relative
static const double dependent = 1e-7, left_over = 1e-8;

bool model_sight_is_free(model_scope* s, expr e)
{
  return e != EXPR_NONE && !(model_scope_uses(s, e) & (MODEL_USES_STATE | MODEL_USES_FIRST));
}

// the same numbers each time: Lehmer's generator, Park and Miller (1988)
static double draw(uint64_t* seed)
{
  *seed = *seed * 48271 % 2147483647;
  return 2 * ((double)*seed / 2147483647) - 1;
}

static void draw_states(model_sight* x)
{
  const model* m = x->s->m;
  uint64_t seed = 20011;
  x->symbols = 3 * m->coords + m->params + 1;
  x->symbol = base_alloc(sizeof(expr) * (size_t)x->symbols);
  x->state = base_alloc(sizeof(double) * (size_t)(x->symbols * MODEL_SIGHTS));
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    double* at = x->state + k * x->symbols;
    int n = 0;
    for (int i = 0; i < m->coords; i++) {
      const expr symbol[3] = {m->coord[i].q, m->coord[i].v, m->coord[i].a};
      for (int j = 0; j < 3; j++) {
        x->symbol[n] = symbol[j];
        at[n++] = draw(&seed);
      }
    }
    for (int i = 0; i < m->params; i++) {
      x->symbol[n] = m->param[i].symbol;
      at[n++] = m->param[i].number;
    }
    x->symbol[n] = m->t;
    at[n] = 0;
  }
}

void model_sight_values(const model_sight* x, expr e, double out[MODEL_SIGHTS])
{
  for (int k = 0; k < MODEL_SIGHTS; k++)
    expr_values(x->s->pool, 1, &e, x->symbols, x->symbol, x->state + k * x->symbols, &out[k]);
}

double model_sight_number(const model_sight* x, expr e)
{
  double y = NAN;
  if (!model_sight_is_free(x->s, e)) return NAN;
  expr_values(x->s->pool, 1, &e, x->symbols, x->symbol, x->state, &y);
  return y;
}

bool model_sight_varies(const double y[MODEL_SIGHTS])
{
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    if (!isfinite(y[k])) continue;
    low = fmin(low, y[k]);
    high = fmax(high, y[k]);
  }
  return high - low > 1e-12 * fmax(fabs(low), fabs(high));
}

int model_sight_line_of(const model_sight_point* p)
{
  if (p->moves[0] + p->moves[1] + p->moves[2] != 1) return -1;
  return p->moves[0] ? 0 : p->moves[1] ? 1 : 2;
}

// ---- least squares ------------------------------------------------------------------------------

static double dot(const double* a, const double* b)
{
  double sum = 0;
  for (int k = 0; k < MODEL_SIGHTS; k++) sum += a[k] * b[k];
  return sum;
}

// By Gram and Schmidt, each column twice. States at which something has no value are left out.
model_fit model_sight_fit(int n, const double* const column[], const double* y, double* by)
{
  double q[MODEL_FIT_MOST][MODEL_SIGHTS], r[MODEL_FIT_MOST][MODEL_FIT_MOST] = {{0}};
  double rest[MODEL_SIGHTS], c[MODEL_FIT_MOST];
  int usable = 0;
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    bool fine = isfinite(y[k]);
    for (int i = 0; i < n; i++) fine = fine && isfinite(column[i][k]);
    for (int i = 0; i < n; i++) q[i][k] = fine ? column[i][k] : 0;
    rest[k] = fine ? y[k] : 0;
    usable += fine;
  }
  if (usable < MODEL_SIGHTS / 2) return MODEL_FIT_NOT;
  const double whole = dot(rest, rest);
  for (int i = 0; i < n; i++) {
    const double before = dot(q[i], q[i]);
    for (int again = 0; again < 2; again++)
      for (int j = 0; j < i; j++) {
        const double along = dot(q[j], q[i]);
        r[j][i] += along;
        for (int k = 0; k < MODEL_SIGHTS; k++) q[i][k] -= along * q[j][k];
      }
    r[i][i] = sqrt(dot(q[i], q[i]));
    if (!(r[i][i] > dependent * sqrt(before))) return MODEL_FIT_LOOSE;
    for (int k = 0; k < MODEL_SIGHTS; k++) q[i][k] /= r[i][i];
    c[i] = dot(q[i], rest);
    for (int k = 0; k < MODEL_SIGHTS; k++) rest[k] -= c[i] * q[i][k];
  }
  for (int i = n - 1; i >= 0; i--) {
    by[i] = c[i];
    for (int j = i + 1; j < n; j++) by[i] -= r[i][j] * by[j];
    by[i] /= r[i][i];
  }
  return dot(rest, rest) <= left_over * left_over * whole ? MODEL_FIT_GOOD : MODEL_FIT_NOT;
}

// ---- points -------------------------------------------------------------------------------------

static void add_point(model_sight* x, const model_part* p, const expr at[3])
{
  const bool heavy = p->kind != MODEL_PART_FRAME && p->kind != MODEL_PART_POINT;
  for (int i = 0; i < x->points.n; i++)
    if (memcmp(x->points.at[i].at, at, sizeof(expr) * 3) == 0) {
      x->points.at[i].heavy |= heavy;
      return;
    }
  model_sight_point point = {.name = p->name, .heavy = heavy};
  for (int i = 0; i < 3; i++) {
    point.at[i] = at[i];
    model_sight_values(x, at[i], point.x[i]);
    point.moves[i] = model_sight_varies(point.x[i]);
    point.free |= point.moves[i];
  }
  base_push(&x->points, point);
}

bool model_sight_open(model_sight* x, model_scene_list* l)
{
  *x = (model_sight){.l = l, .s = l->s};
  if (l->parts.n > MOST_POINTS) return false;
  draw_states(x);
  for (int i = 0; i < l->parts.n; i++) {
    const model_part* p = &l->parts.at[i];
    if (p->kind == MODEL_PART_LINK || p->kind == MODEL_PART_SURFACE ||
        p->kind == MODEL_PART_CONTACT)
      continue;
    add_point(x, p, p->at);
    if (p->kind == MODEL_PART_ROD) add_point(x, p, p->to);
  }
  for (int i = 0; i < l->s->m->shows; i++) {
    const model_show* shown = &l->s->m->show[i];
    const bool body = shown->shape == MODEL_SHOW_BALL || shown->shape == MODEL_SHOW_BOX;
    const model_part part = {.kind = body ? MODEL_PART_BALL : MODEL_PART_POINT,
                             .name = shown->name};
    add_point(x, &part, shown->at);
    if (shown->shape == MODEL_SHOW_ROD) add_point(x, &part, shown->to);
  }
  return x->points.n <= MOST_POINTS;
}

void model_sight_close(model_sight* x)
{
  free(x->symbol);
  free(x->state);
  base_list_free(&x->points);
}

// ---- roots --------------------------------------------------------------------------------------

// half an odd number
static bool is_half(const expr_pool* p, expr e)
{
  const double twice = expr_is_number(p, e) ? 2 * expr_number(p, e) : 0;
  return fabs(fmod(twice, 2)) == 1;
}

static void walk(const model_sight* x, expr e, int depth, int room, expr* out, int* n)
{
  expr_pool* p = x->s->pool;
  if (depth > 12 || *n >= room || model_sight_is_free(x->s, e)) return;
  const expr_kind kind = expr_kind_of(p, e);
  const bool power = kind == EXPR_POWER && is_half(p, expr_arg(p, e, 1));
  if (power || (kind == EXPR_CALL && expr_fn_of(p, e) == EXPR_SQRT)) {
    const expr under = expr_arg(p, e, 0);
    for (int i = 0; i < *n; i++)
      if (out[i] == under) return;
    out[(*n)++] = under;
    return;
  }
  for (int i = 0; i < expr_arg_count(p, e); i++)
    walk(x, expr_arg(p, e, i), depth + 1, room, out, n);
}

int model_sight_roots(const model_sight* x, expr e, int room, expr* out)
{
  int n = 0;
  walk(x, e, 0, room, out, &n);
  return n;
}
