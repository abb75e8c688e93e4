// Where a constraint lets a particle go: its velocity as an arrow, and the sheet of directions that
// the constraint permits at this place.
//
// A constraint f(q, v) = 0 on the velocity v of a particle acts across n = df/dv. Where f is
// homogeneous in v, as all that speak of directions are, n . v = 0 (Euler): the sheet across n
// holds the velocity, and is what Chetaev (1932) takes for its virtual displacements. Where n lies
// along v the speed is given, and the arrow is all there is to see.
#include "out/drawing.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool to_unit(double a[3])
{
  const double n = sqrt(dot(a, a));
  for (int k = 0; k < 3 && n > 0; k++) a[k] /= n;
  return n > 0;
}

// from the row before to the one behind this instant
static bool direction(const out_drawing* d, const json_t* p, double v[3])
{
  out_drawing a = *d, b = *d;
  double x[3], y[3];
  a.between = b.between = 0;
  b.row = d->row + 1 < d->rows ? d->row + 1 : d->row;
  if (b.row == d->row && a.row > 0) a.row--;
  if (!out_drawing_vector(&a, p, "at", x) || !out_drawing_vector(&b, p, "at", y)) return false;
  for (int k = 0; k < 3; k++) v[k] = y[k] - x[k];
  return to_unit(v);
}

static void arrow(out_drawing* d, const double x[3], const double v[3])
{
  double end[3], a[2], b[2], head[3][2];
  for (int k = 0; k < 3; k++) end[k] = x[k] + 0.6 * d->size * v[k];
  out_drawing_at(d, x, a);
  out_drawing_at(d, end, b);
  const double dx = b[0] - a[0], dy = b[1] - a[1], w = hypot(dx, dy);
  if (!(w > 4)) return;
  out_drawing_line(d, a, b, 1.6, OUT_INK);
  for (int i = 0; i < 3; i++) {
    const double back = i ? 9 : 0, side = i == 0 ? 0 : i == 1 ? 3.2 : -3.2;
    head[i][0] = b[0] + (-back * dx - side * dy) / w;
    head[i][1] = b[1] + (-back * dy + side * dx) / w;
  }
  out_drawing_polygon(d, 3, head, OUT_INK);
}

static void sheet(out_drawing* d, const double x[3], const double v[3], const double n[3],
                  double half)
{
  double w[3], at[4][2];
  for (int k = 0; k < 3; k++)
    w[k] = n[(k + 1) % 3] * v[(k + 2) % 3] - n[(k + 2) % 3] * v[(k + 1) % 3];
  for (int i = 0; i < 4; i++) {
    const double a = (i == 0 || i == 3 ? -1 : 1) * half, b = (i < 2 ? -0.8 : 0.8) * half;
    double y[3];
    for (int k = 0; k < 3; k++) y[k] = x[k] + a * v[k] + b * w[k];
    out_drawing_at(d, y, at[i]);
  }
  out_drawing_polygon(d, 4, at, "#cfe3f1");
}

// at one instant
static bool sheet_at(out_drawing* d, const json_t* p, double half, double x[3], double v[3])
{
  double n[3];
  if (!out_drawing_vector(d, p, "at", x) || !direction(d, p, v)) return false;
  // a row is some way from the next one
  if (!d->planar && out_drawing_vector(d, p, "force", n) && to_unit(n) && fabs(dot(n, v)) < 0.05)
    sheet(d, x, v, n, half);
  return true;
}

enum { sheets = 6 };

static int row_of(const out_drawing* d, int i)
{
  return (int)((2LL * i + 1) * (d->rows - 1) / (2 * sheets));
}

// so large that they lie apart
static double half_of(const out_drawing* d, const json_t* p)
{
  out_drawing at = *d;
  double x[3], y[3] = {0}, sum = 0;
  at.between = 0;
  for (int i = 0; i < sheets; i++) {
    at.row = row_of(d, i);
    if (!out_drawing_vector(&at, p, "at", x)) continue;
    for (int k = 0; k < 3 && i; k++) y[k] = x[k] - y[k];
    if (i) sum += sqrt(dot(y, y));
    memcpy(y, x, sizeof y);
  }
  const double most = fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]);
  return fmin(0.06 * most, 0.3 * sum / (sheets - 1));
}

// sheets along the way, the arrow where it is now
void out_drawing_velocity(out_drawing* d, const json_t* p)
{
  double x[3], v[3];
  const int row = d->row;
  const double between = d->between;
  if (!out_drawing_flag(p, "velocity")) return;
  const double half = half_of(d, p);
  d->between = 0;
  for (int i = 0; i < sheets; i++) {
    d->row = row_of(d, i);
    sheet_at(d, p, half, x, v);
  }
  d->row = row;
  d->between = between;
  if (sheet_at(d, p, half, x, v)) arrow(d, x, v);
}
