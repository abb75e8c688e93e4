// Distances and heights in expressions.

#include "model/scene_sight.h"

#include <math.h>
#include <string.h>

static const double small = 1e-8;

// ---- of two points ------------------------------------------------------------------------------

static double square_apart(const model_sight_point* a, const model_sight_point* b, int k)
{
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const double d = a->x[i][k] - (b ? b->x[i][k] : 0);
    sum += d * d;
  }
  return sum;
}

// f = offset + scale g, g the distance or its square
static bool goes_with(const double* f, const double* g, double* scale, double* offset)
{
  double one[MODEL_SIGHTS], by[2];
  for (int k = 0; k < MODEL_SIGHTS; k++) one[k] = 1;
  if (!model_sight_varies(g)) return false;
  if (model_sight_fit(2, (const double* const[]){one, g}, f, by) != MODEL_FIT_GOOD) return false;
  *offset = by[0];
  *scale = by[1];
  return true;
}

static bool of_pair(const model_sight* x, const double* f, model_sight_distance* out)
{
  for (int i = 0; i < x->points.n; i++)
    for (int j = i + 1; j < x->points.n; j++) {
      const model_sight_point *a = &x->points.at[i], *b = &x->points.at[j];
      if (!a->free || !b->free) continue;
      double square[MODEL_SIGHTS], root[MODEL_SIGHTS];
      for (int k = 0; k < MODEL_SIGHTS; k++) root[k] = sqrt(square[k] = square_apart(a, b, k));
      *out = (model_sight_distance){.point = i, .other = j, .squared = true};
      if (goes_with(f, square, &out->scale, &out->offset)) return true;
      out->squared = false;
      if (goes_with(f, root, &out->scale, &out->offset)) return true;
    }
  return false;
}

// ---- of a point and a place ---------------------------------------------------------------------

// The place c of g = a + b (|p - c|^2): where p moves along its axes by coordinates of its own, p -
// dg/dp / (2 b) in symbols, so that it may move with time; else the number.
static void place_of(const model_sight* x, const model_sight_point* p, expr g, const double c[3],
                     expr out[3])
{
  expr_pool* pool = x->s->pool;
  const model* m = x->s->m;
  for (int i = 0; i < 3; i++) {
    out[i] = p->moves[i] ? expr_double(pool, c[i]) : p->at[i];
    for (int k = 0; k < m->coords && p->moves[i]; k++) {
      const expr q = m->coord[k].q;
      if (expr_simplify(pool, expr_diff(pool, p->at[i], q)) != expr_int(pool, 1)) continue;
      const expr slope = expr_diff(pool, g, q), twice = expr_diff(pool, slope, q);
      const expr step = twice == expr_int(pool, 0) ? EXPR_NONE : expr_div(pool, slope, twice);
      const expr at =
          step == EXPR_NONE ? step : expr_simplify(pool, expr_sub(pool, p->at[i], step));
      if (!model_sight_is_free(x->s, at)) continue;
      const double number = model_sight_number(x, at);
      if (fabs(number - c[i]) <= 1e-6 * (1 + fabs(c[i]))) out[i] = at;
    }
  }
}

// columns: 1, |p|^2, and p along the axes it moves along
typedef struct columns
{
  int n;
  const double* at[MODEL_FIT_MOST];
  double one[MODEL_SIGHTS], square[MODEL_SIGHTS];
} columns;

static void columns_of(const model_sight_point* p, bool quadratic, columns* c)
{
  c->n = 0;
  for (int k = 0; k < MODEL_SIGHTS; k++) {
    c->one[k] = 1;
    c->square[k] = 0;
    for (int i = 0; i < 3; i++)
      if (p->moves[i]) c->square[k] += p->x[i][k] * p->x[i][k];
  }
  c->at[c->n++] = c->one;
  for (int i = 0; i < 3; i++)
    if (p->moves[i]) c->at[c->n++] = p->x[i];
  if (quadratic) c->at[c->n++] = c->square;
}

static void centre_of(const model_sight_point* p, const double* by, double scale, double c[3])
{
  int n = 1;
  for (int i = 0; i < 3; i++) c[i] = p->moves[i] ? -by[n++] / (2 * scale) : 0;
}

static double square_of(const model_sight_point* p, const double c[3])
{
  double sum = 0;
  for (int i = 0; i < 3; i++)
    if (p->moves[i]) sum += c[i] * c[i];
  return sum;
}

// g = |p - c|^2 itself, as under a root: of a point on a circle the scale would not be seen
static bool is_square(const double* g, const model_sight_point* p, double c[3])
{
  columns x;
  double rest[MODEL_SIGHTS], by[MODEL_FIT_MOST];
  columns_of(p, false, &x);
  for (int k = 0; k < MODEL_SIGHTS; k++) rest[k] = g[k] - x.square[k];
  if (!model_sight_varies(g) || model_sight_fit(x.n, x.at, g, by) == MODEL_FIT_LOOSE) return false;
  const bool still = !model_sight_varies(rest);
  if (!still && model_sight_fit(x.n, x.at, rest, by) != MODEL_FIT_GOOD) return false;
  if (still) memset(by, 0, sizeof by), by[0] = rest[0];
  centre_of(p, by, 1, c);
  return fabs(by[0] - square_of(p, c)) <= 1e-6 * (fabs(by[0]) + square_of(p, c));
}

static bool under_root(const model_sight* x, expr f, const double* value, model_sight_distance* out)
{
  expr root[6];
  const int n = model_sight_roots(x, f, 6, root);
  for (int r = 0; r < n; r++) {
    double g[MODEL_SIGHTS], d[MODEL_SIGHTS], c[3];
    model_sight_values(x, root[r], g);
    for (int k = 0; k < MODEL_SIGHTS; k++) d[k] = sqrt(g[k]);
    *out = (model_sight_distance){.other = -1};
    if (!goes_with(value, d, &out->scale, &out->offset)) continue;
    for (int i = 0; i < x->points.n; i++) {
      const model_sight_point* p = &x->points.at[i];
      out->point = i;
      if (!p->free || !is_square(g, p, c)) continue;
      place_of(x, p, root[r], c, out->place);
      return true;
    }
  }
  return false;
}

// f = a + b |p - c|^2, b not zero; a point that moves along a line has no circle
static bool is_square_of(const model_sight* x, const model_sight_point* p, expr f,
                         const double* value, model_sight_distance* out)
{
  columns z;
  double by[MODEL_FIT_MOST], c[3], most = 0;
  if (p->moves[0] + p->moves[1] + p->moves[2] < 2) return false;
  columns_of(p, true, &z);
  if (model_sight_fit(z.n, z.at, value, by) != MODEL_FIT_GOOD) return false;
  for (int k = 0; k < z.n; k++) most = fmax(most, fabs(by[k]));
  const double scale = by[z.n - 1];
  if (fabs(scale) <= small * most) return false;
  centre_of(p, by, scale, c);
  *out = (model_sight_distance){.point = out->point, .other = -1, .squared = true, .scale = scale};
  out->offset = by[0] - scale * square_of(p, c);
  place_of(x, p, f, c, out->place);
  return true;
}

static bool of_square(const model_sight* x, expr f, const double* value, model_sight_distance* out)
{
  for (int i = 0; i < x->points.n; i++) {
    out->point = i;
    if (is_square_of(x, &x->points.at[i], f, value, out)) return true;
  }
  return false;
}

bool model_sight_distance_of(const model_sight* x, expr f, model_sight_distance* out)
{
  double value[MODEL_SIGHTS];
  model_sight_values(x, f, value);
  if (!model_sight_varies(value)) return false;
  return under_root(x, f, value, out) || of_square(x, f, value, out) || of_pair(x, value, out);
}

// As if the point stayed along the axis of the tube: then its distance from the axis is one from a
// place, which is abreast of it.
int model_sight_axis_of(const model_sight* x, expr f, model_sight_distance* out)
{
  double value[MODEL_SIGHTS];
  model_sight_values(x, f, value);
  for (int i = 0; i < x->points.n && model_sight_varies(value); i++)
    for (int axis = 0; axis < 3; axis++) {
      model_sight_point p = x->points.at[i];
      if (!p.heavy || p.moves[0] + p.moves[1] + p.moves[2] < 3) continue;
      p.moves[axis] = false;
      out->point = i;
      if (is_square_of(x, &p, f, value, out)) return axis;
    }
  return -1;
}

// ---- heights ------------------------------------------------------------------------------------

static bool height_at(const double* value, const model_sight_point* p, model_sight_height* out)
{
  columns c;
  double by[MODEL_FIT_MOST];
  columns_of(p, false, &c);
  if (model_sight_fit(c.n, c.at, value, by) != MODEL_FIT_GOOD) return false;
  int n = 1;
  double most = 0;
  for (int i = 0; i < 3; i++) {
    out->normal[i] = p->moves[i] ? by[n++] : 0;
    most = fmax(most, fabs(out->normal[i]));
  }
  for (int i = 0; i < 3; i++)
    if (fabs(out->normal[i]) <= small * most) out->normal[i] = 0;
  out->offset = by[0];
  return true;
}

bool model_sight_height_of(const model_sight* x, expr f, model_sight_height* out)
{
  double value[MODEL_SIGHTS];
  model_sight_values(x, f, value);
  if (!model_sight_varies(value)) return false;
  // where something with mass is, first
  for (int heavy = 1; heavy >= 0; heavy--)
    for (int i = 0; i < x->points.n; i++) {
      const model_sight_point* p = &x->points.at[i];
      *out = (model_sight_height){.point = i, .other = -1};
      if (p->free && p->heavy == heavy && height_at(value, p, out)) return true;
    }
  for (int i = 0; i < x->points.n; i++)
    for (int j = i + 1; j < x->points.n; j++) {
      model_sight_point apart = x->points.at[i];
      *out = (model_sight_height){.point = i, .other = j};
      apart.free = false;
      for (int k = 0; k < 3; k++) {
        for (int n = 0; n < MODEL_SIGHTS; n++) {
          const double a = apart.x[k][n], b = x->points.at[j].x[k][n];
          apart.x[k][n] = fabs(a - b) <= 1e-13 * (fabs(a) + fabs(b)) ? 0 : a - b;
        }
        apart.moves[k] = model_sight_varies(apart.x[k]);
        apart.free |= apart.moves[k];
      }
      if (x->points.at[j].free && apart.free && height_at(value, &apart, out)) return true;
    }
  return false;
}
