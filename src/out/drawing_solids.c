// Boxes and cylinders on paper: the faces that are seen, those above lighter than those aside.
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
