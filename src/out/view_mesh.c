// Surfaces as grids of points, over the part of the chart that is worth seeing.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>

#include "out/json_text.h"

enum { AROUND = 64, ACROSS = 32, ALONG = 48, WIRE = 240 };

// r(u, v) with the params as numbers
typedef struct chart
{
  const model* m;
  const model_part* part;
  int n;
  expr* symbol;
  double* value;
} chart;

static chart chart_of(const model* m, const model_part* part, base_arena* arena)
{
  chart c = {.m = m, .part = part, .n = m->params + 2};
  c.symbol = base_arena_take(arena, sizeof(expr) * (size_t)c.n);
  c.value = base_arena_take(arena, sizeof(double) * (size_t)c.n);
  for (int i = 0; i < m->params; i++) {
    c.symbol[i] = m->param[i].symbol;
    c.value[i] = m->param[i].number;
  }
  c.symbol[c.n - 2] = part->u;
  c.symbol[c.n - 1] = part->v;
  return c;
}

static bool point_at(const chart* c, double u, double v, double r[3])
{
  c->value[c->n - 2] = u;
  c->value[c->n - 1] = v;
  expr_values(c->m->pool, 3, c->part->r, c->n, c->symbol, c->value, r);
  return isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]);
}

static double apart(const double a[3], const double b[3])
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static const double turn = 6.283185307179586;

// Does the surface come back after a full turn of u (which 0) or v (1), without being a point?
static bool is_around(const chart* c, int which, const double range[4])
{
  bool moves = false;
  for (int i = 0; i < 5; i++) {
    const double u = range[0] + (range[1] - range[0]) * i / 4 + 0.37 * i,
                 v = range[2] + (range[3] - range[2]) * i / 4 + 0.23 * i;
    double a[3], b[3], half[3];
    const double du = which ? 0 : turn, dv = which ? turn : 0;
    if (!point_at(c, u, v, a) || !point_at(c, u + du, v + dv, b)) return false;
    if (!point_at(c, u + du / 2, v + dv / 2, half)) return false;
    const double size = apart(a, (double[3]){0, 0, 0}) + apart(a, half);
    if (apart(a, b) > 1e-9 * size) return false;
    moves = moves || apart(a, half) > 1e-6 * size;
  }
  return moves;
}

// at this v all u give the same point
static bool is_pole(const chart* c, double v)
{
  double a[3], b[3];
  if (!point_at(c, 0, v, a)) return false;
  for (int i = 1; i < 4; i++)
    if (!point_at(c, 1.3 * i, v, b) || apart(a, b) > 1e-9) return false;
  return true;
}

static void widen(double* range, double least)
{
  const double middle = (range[0] + range[1]) / 2;
  const double half = fmax(0.65 * (range[1] - range[0]), least);
  range[0] = middle - half;
  range[1] = middle + half;
}

// what of a declared surface is seen: whole turns, from pole to pole, else around the contacts
static void open_range(const chart* c, double range[4])
{
  const double spread = fmax(range[1] - range[0], range[3] - range[2]);
  const bool around[2] = {is_around(c, 0, range), is_around(c, 1, range)};
  const double least = around[0] || around[1] ? 1 : fmax(0.4 * spread, 0.05);
  for (int k = 0; k < 2; k++) {
    if (around[k])
      range[2 * k] = 0, range[2 * k + 1] = turn;
    else
      widen(range + 2 * k, least);
  }
  if (!around[0]) return;
  const double poles[2][2] = {{-turn / 4, turn / 4}, {0, turn / 2}};
  for (int k = 0; k < 2; k++)
    if (is_pole(c, poles[k][0]) && is_pole(c, poles[k][1]))
      range[2] = poles[k][0], range[3] = poles[k][1];
}

static void find_range(const chart* c, const double touched[4], double range[4])
{
  for (int i = 0; i < 4; i++) range[i] = isfinite(touched[i]) ? touched[i] : 0;
  double r[3];
  switch (c->part->chart) {
  case MODEL_CHART_PLANE:
    break;
  case MODEL_CHART_ROUND:
    range[0] = 0, range[1] = turn, range[2] = -turn / 4, range[3] = turn / 4;
    break;
  case MODEL_CHART_TORUS:
    range[0] = range[2] = 0, range[1] = range[3] = turn;
    break;
  case MODEL_CHART_TUBE:
    point_at(c, 0, 0, r);
    range[0] = 0, range[1] = turn;
    widen(range + 2, 1.5 * hypot(r[0], r[1]));
    break;
  case MODEL_CHART_CONE:
    range[0] = 0, range[1] = turn;
    range[3] = range[3] > 0 ? 1.3 * range[3] : 1;
    range[2] = 0;
    break;
  case MODEL_CHART_OPEN:
    open_range(c, range);
    break;
  }
}

static bool is_full(const double* range)
{
  return range[1] - range[0] > turn - 1e-9;
}

static json_t* grid(int nu, int nv, const double* points, int n)
{
  json_t* mesh = json_object();
  out_json_set(mesh, "nu", json_integer(nu));
  out_json_set(mesh, "nv", json_integer(nv));
  out_json_set(mesh, "points", out_pack_floats(points, (size_t)(3 * n)));
  return mesh;
}

// a whole turn of what closes after one, else where its point goes and some more
json_t* out_view_wire(const model* m, const model_part* part, const double touched[2])
{
  base_arena* arena = base_arena_new();
  const chart c = chart_of(m, part, arena);
  double range[4] = {touched[0], touched[1], 0, 0}, points[3 * (WIRE + 1)];
  bool whole = isfinite(range[0]) && isfinite(range[1]);
  if (whole && is_around(&c, 0, range))
    range[0] = 0, range[1] = turn;
  else
    widen(range, 0.05);
  for (int i = 0; i <= WIRE; i++) {
    const double u = range[0] + (range[1] - range[0]) * i / WIRE;
    whole = whole && point_at(&c, u, u, points + 3 * i);
  }
  json_t* mesh = whole ? grid(WIRE, 0, points, WIRE + 1) : NULL;
  base_arena_free(arena);
  return mesh;
}

json_t* out_view_mesh(const model* m, const model_part* part, const double touched[4])
{
  if (part->chart == MODEL_CHART_PLANE) return NULL;
  base_arena* arena = base_arena_new();
  const chart c = chart_of(m, part, arena);
  double range[4];
  find_range(&c, touched, range);
  const int nu = is_full(range) ? AROUND : ALONG, nv = is_full(range + 2) ? ACROSS : ALONG;
  double* points = base_arena_take(arena, sizeof(double) * (size_t)(3 * (nu + 1) * (nv + 1)));
  bool whole = true;
  for (int i = 0; i <= nu; i++)
    for (int j = 0; j <= nv; j++)
      whole =
          point_at(&c, range[0] + (range[1] - range[0]) * i / nu,
                   range[2] + (range[3] - range[2]) * j / nv, points + 3 * (i * (nv + 1) + j)) &&
          whole;
  json_t* mesh = whole ? grid(nu, nv, points, (nu + 1) * (nv + 1)) : NULL;
  base_arena_free(arena);
  return mesh;
}
