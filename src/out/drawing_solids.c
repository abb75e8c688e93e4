// Boxes and cylinders on paper: the faces that are seen, those above lighter than those aside.
// Tubes are looked through.
#include "out/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rim = 48 };

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// "#rrggbb" nearer to white by that share, or to black where it is below zero
static const char* tinted(const char* color, double share, char out[8])
{
  unsigned c[3];
  if (sscanf(color, "#%2x%2x%2x", &c[0], &c[1], &c[2]) != 3) return color;
  for (int i = 0; i < 3; i++)
    c[i] = (unsigned)lround(share > 0 ? c[i] + share * (255.0 - c[i]) : (1 + share) * c[i]);
  snprintf(out, 8, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
  return out;
}

static double light_on(const out_drawing* d, const double n[3])
{
  return 0.4 * dot(n, d->top) - 0.22 * dot(n, d->right);
}

// in the plane its section is seen
static void section(out_drawing* d, const double x[3], const double R[9], const double edge[3],
                    const char* fill)
{
  double p[4][2];
  for (int i = 0; i < 4; i++) {
    const double own[3] = {(i == 0 || i == 3 ? -1 : 1) * edge[0] / 2,
                           (i < 2 ? -1 : 1) * edge[1] / 2, 0};
    double y[3];
    for (int k = 0; k < 3; k++) y[k] = x[k] + R[3 * k] * own[0] + R[3 * k + 1] * own[1];
    out_drawing_at(d, y, p[i]);
  }
  out_drawing_polygon(d, 4, p, fill);
}

static void face(out_drawing* d, const double x[3], const double R[9], const double edge[3],
                 int axis, int side, const char* fill)
{
  const double n[3] = {side * R[axis], side * R[3 + axis], side * R[6 + axis]};
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  double p[4][2];
  char color[8];
  if (!(dot(n, d->toward) > 1e-9)) return;
  for (int i = 0; i < 4; i++) {
    const double u = (i == 0 || i == 3 ? -0.5 : 0.5) * edge[a], v = (i < 2 ? -0.5 : 0.5) * edge[b];
    double y[3];
    for (int k = 0; k < 3; k++)
      y[k] = x[k] + n[k] * edge[axis] / 2 + R[3 * k + a] * u + R[3 * k + b] * v;
    out_drawing_at(d, y, p[i]);
  }
  out_drawing_polygon(d, 4, p, tinted(fill, light_on(d, n), color));
}

void out_drawing_box(out_drawing* d, const double x[3], const double R[9], const double edge[3],
                     const char* fill)
{
  if (d->planar) {
    section(d, x, R, edge, fill);
    return;
  }
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) face(d, x, R, edge, axis, side, fill);
}

// the circle of that radius across an axis, `off` along it from a place
static void circle(const out_drawing* d, const double x[3], const double R[9], int axis, double r,
                   double off, double (*at)[2])
{
  for (int i = 0; i < rim; i++) {
    const double a = 2 * M_PI * i / rim, c = r * cos(a), s = r * sin(a);
    double y[3];
    for (int k = 0; k < 3; k++)
      y[k] = x[k] + off * R[3 * k + axis] + c * R[3 * k + (axis + 1) % 3] +
             s * R[3 * k + (axis + 2) % 3];
    out_drawing_at(d, y, at[i]);
  }
}

void out_drawing_cylinder(out_drawing* d, const double x[3], const double R[9], int axis, double r,
                          double height, const char* fill)
{
  double at[2 * rim][2], centre[2], y[3];
  char color[8];
  const double n[3] = {R[axis], R[3 + axis], R[6 + axis]};
  const double side = dot(n, d->toward) < 0 ? -1 : 1, off = side * height / 2;
  circle(d, x, R, axis, r, height / 2, at);
  circle(d, x, R, axis, r, -height / 2, at + rim);
  out_drawing_outline(d, 2 * rim, at, tinted(fill, -0.15, color));
  circle(d, x, R, axis, r, off, at);
  const double up[3] = {side * n[0], side * n[1], side * n[2]};
  out_drawing_polygon(d, rim, at, tinted(fill, light_on(d, up), color));
  // a radius shows how it turns
  for (int k = 0; k < 3; k++) y[k] = x[k] + off * n[k];
  out_drawing_at(d, y, centre);
  out_drawing_line(d, centre, at[0], 1, "#ffffff");
}

// ---- tubes --------------------------------------------------------------------------------------

enum { rings = 9 };

typedef struct tube
{
  double centre[3], axis[3], aside[3], ahead[3]; // ahead: toward who looks
  double radius, low, high;                      // along the axis
} tube;

static void cross(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static bool tube_of(const out_drawing* d, const json_t* p, tube* t)
{
  double n[3], to[3], span[2];
  if (!out_drawing_vector(d, p, "at", t->centre) || !out_drawing_vector(d, p, "to", to) ||
      !out_drawing_vector(d, p, "normal", n))
    return false;
  const double sense = n[0] + n[1] + n[2];
  for (int k = 0; k < 3; k++) t->axis[k] = sense * n[k];
  cross(d->toward, t->axis, t->aside);
  const double size = sqrt(dot(t->aside, t->aside));
  for (int k = 0; k < 3; k++) // seen along its axis it is a ring
    t->aside[k] = size > 1e-9 ? t->aside[k] / size : d->right[k];
  cross(t->axis, t->aside, t->ahead);
  t->radius = out_drawing_first(d, p, "size", 0);
  if (!out_drawing_flag(p, "both")) t->radius += sense * out_drawing_room(d, to);
  const double here = dot(to, t->axis);
  out_drawing_reach(d, p, t->axis, span);
  t->low = (d->far ? here : span[0]) - 0.3 * d->size - here;
  t->high = (d->far ? here : span[1]) + 0.3 * d->size - here;
  return t->radius > 0;
}

static void tube_point(const out_drawing* d, const tube* t, double along, double angle,
                       double out[2])
{
  double x[3];
  for (int k = 0; k < 3; k++)
    x[k] = t->centre[k] + along * t->axis[k] +
           t->radius * (cos(angle) * t->aside[k] + sin(angle) * t->ahead[k]);
  out_drawing_at(d, x, out);
}

void out_drawing_tube(out_drawing* d, const json_t* p)
{
  tube t;
  double a[2], b[2];
  if (!tube_of(d, p, &t)) return;
  for (int i = 0; i < rings; i++) {
    const bool end = i == 0 || i == rings - 1;
    base_text_add(d->out, "<polygon points=\"");
    for (int k = 0; k < rim; k++) {
      tube_point(d, &t, t.low + (t.high - t.low) * i / (rings - 1), 2 * M_PI * k / rim, a);
      base_text_printf(d->out, "%.2f,%.2f ", a[0], a[1]);
    }
    base_text_printf(d->out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"/>\n",
                     end ? OUT_STEEL : "#aab1ba", end ? 1.2 : 0.6);
  }
  for (int side = 0; side < 2; side++) {
    tube_point(d, &t, t.low, side * M_PI, a);
    tube_point(d, &t, t.high, side * M_PI, b);
    out_drawing_line(d, a, b, 1.2, OUT_STEEL);
  }
}
