// The curve f(u, v) = 0 that guides or bounds a point of the plane, in pieces: marching squares
// over where the point goes, with the crossings of edges found by halving.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>

#include "out/json_text.h"

enum { CELLS = 120, HALVES = 40 };

typedef struct field
{
  const model* m;
  const model_part* part;
  int n, axis[2];
  expr* symbol;
  double *value, *grid;
  double low[2], step[2], third[3]; // third: the place across the plane
  base_text* out;
} field;

static double at(const field* c, const double p[2])
{
  double f;
  c->value[c->n - 2] = p[0];
  c->value[c->n - 1] = p[1];
  expr_values(c->m->pool, 1, c->part->r, c->n, c->symbol, c->value, &f);
  return f;
}

static void corner(const field* c, int i, int j, double p[2])
{
  p[0] = c->low[0] + c->step[0] * i;
  p[1] = c->low[1] + c->step[1] * j;
}

static void crossing(const field* c, const double a[2], const double b[2], double out[2])
{
  double low[2] = {a[0], a[1]}, high[2] = {b[0], b[1]};
  const bool rises = at(c, a) < 0;
  for (int i = 0; i < HALVES; i++) {
    const double middle[2] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2};
    const bool below = at(c, middle) < 0;
    double* end = below == rises ? low : high;
    end[0] = middle[0], end[1] = middle[1];
  }
  out[0] = low[0], out[1] = low[1];
}

static void add(const field* c, const double p[2], bool direction)
{
  for (int k = 0; k < 3; k++) {
    double x = direction ? 0 : c->third[k];
    for (int i = 0; i < 2; i++)
      if (c->axis[i] == k) x = p[i];
    const float y = (float)x;
    base_text_addn(c->out, (const char*)&y, sizeof y);
  }
}

// a piece, and the direction across it to where f is positive
static void add_piece(const field* c, const double a[2], const double b[2])
{
  const double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, h = 0.2;
  double n[2] = {-(b[1] - a[1]), b[0] - a[0]};
  const double size = hypot(n[0], n[1]);
  if (!(size > 0)) return;
  const double off[2] = {middle[0] + h * n[0], middle[1] + h * n[1]},
               back[2] = {middle[0] - h * n[0], middle[1] - h * n[1]};
  const double sign = at(c, off) < at(c, back) ? -1 : 1;
  n[0] *= sign / size, n[1] *= sign / size;
  add(c, a, false);
  add(c, b, false);
  add(c, n, true);
}

static void cell(const field* c, int i, int j)
{
  static const int at_i[5] = {0, 1, 1, 0, 0}, at_j[5] = {0, 0, 1, 1, 0};
  double hit[4][2];
  int hits = 0;
  for (int k = 0; k < 4; k++) {
    double a[2], b[2];
    const double fa = c->grid[(i + at_i[k]) * (CELLS + 1) + j + at_j[k]];
    const double fb = c->grid[(i + at_i[k + 1]) * (CELLS + 1) + j + at_j[k + 1]];
    if (!isfinite(fa) || !isfinite(fb)) return;
    if ((fa < 0) == (fb < 0)) continue;
    corner(c, i + at_i[k], j + at_j[k], a);
    corner(c, i + at_i[k + 1], j + at_j[k + 1], b);
    crossing(c, a, b, hit[hits++]);
  }
  for (int k = 0; k + 1 < hits; k += 2) add_piece(c, hit[k], hit[k + 1]);
}

// where the point goes, and a margin around it
static void range_of(field* c, int part, const walk_table* seen)
{
  double size = 0, high[2];
  for (int k = 0; k < 3; k++) c->third[k] = 0;
  for (int i = 0; i < 2; i++) {
    c->low[i] = INFINITY, high[i] = -INFINITY;
    for (int row = 0; row < seen->rows; row++) {
      const double* x = seen->value + (size_t)row * (size_t)seen->width +
                        (size_t)out_seen_part(part, OUT_SEEN_TO);
      for (int k = 0; k < 3; k++) c->third[k] = x[k];
      c->low[i] = fmin(c->low[i], x[c->axis[i]]);
      high[i] = fmax(high[i], x[c->axis[i]]);
    }
    size = fmax(size, high[i] - c->low[i]);
  }
  for (int i = 0; i < 2; i++) {
    c->low[i] -= 0.35 * size;
    c->step[i] = (high[i] + 0.35 * size - c->low[i]) / CELLS;
  }
}

json_t* out_view_curve(const model* m, const model_scene* s, int part, const walk_table* seen)
{
  const model_part* p = &s->part[part];
  base_text bytes = {0};
  field c = {.m = m, .part = p, .n = m->params + 3, .out = &bytes};
  c.symbol = base_alloc(sizeof(expr) * (size_t)c.n);
  c.value = base_alloc(sizeof(double) * (size_t)(c.n + (CELLS + 1) * (CELLS + 1)));
  c.grid = c.value + c.n;
  for (int i = 0; i < m->params; i++)
    c.symbol[i] = m->param[i].symbol, c.value[i] = m->param[i].number;
  c.symbol[m->params] = m->t, c.value[m->params] = 0;
  c.symbol[c.n - 2] = p->u, c.symbol[c.n - 1] = p->v;
  for (int i = 0; i < 2; i++) c.axis[i] = (int)expr_number(m->pool, p->r[1 + i]);
  range_of(&c, part, seen);
  for (int i = 0; i <= CELLS; i++)
    for (int j = 0; j <= CELLS; j++) {
      double x[2];
      corner(&c, i, j, x);
      c.grid[i * (CELLS + 1) + j] = at(&c, x);
    }
  for (int i = 0; i < CELLS; i++)
    for (int j = 0; j < CELLS; j++) cell(&c, i, j);
  json_t* pieces = out_pack_bytes(&bytes);
  base_text_free(&bytes);
  free(c.symbol);
  free(c.value);
  return pieces;
}
