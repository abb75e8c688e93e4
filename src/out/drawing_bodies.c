// Bodies on paper: as they are seen, with what shows their turning.
#include "out/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- bodies -------------------------------------------------------------------------------------

// the body of a wheel, which is drawn by its rolling
static bool is_of_wheel(const out_drawing* d, const json_t* p)
{
  const char* name = json_string_value(json_object_get(p, "carrier"));
  for (size_t i = 0; i < json_array_size(d->parts) && name && *name; i++) {
    const json_t* other = json_array_get(d->parts, i);
    const char* on = json_string_value(json_object_get(other, "carrier"));
    if (out_drawing_is(other, "disc") && out_drawing_flag(other, "held") && on &&
        strcmp(on, name) == 0)
      return true;
  }
  return false;
}

// where the mass of something is that is drawn otherwise: a circle, two quarters of it filled
static void mass_centre(out_drawing* d, const double at[2])
{
  const double r = 0.055 * d->size * d->scale;
  out_drawing_circle(d, at, r, "#ffffff", OUT_INK);
  for (int i = 0; i < 2; i++) {
    const double s = i ? -r : r;
    base_text_printf(d->out,
                     "<path d=\"M%.2f %.2f h%.2f A%.2f %.2f 0 0 1 %.2f %.2f z\" fill=\"" OUT_INK
                     "\"/>\n",
                     at[0], at[1], s, r, r, at[0], at[1] + s);
  }
}

// the ring that something turns in
static void gimbal(out_drawing* d, const json_t* p, const double x[3])
{
  enum { sides = 60 };
  double R[9], n[3], a[3], b[3], rim[sides][2];
  const double r = out_drawing_first(d, p, "size", 0);
  if (!out_drawing_vector(d, p, "normal", n)) return;
  out_drawing_turn(d, p, R);
  const int i = fabs(n[0]) < 0.6 ? 0 : 1; // an own axis aside of the normal
  double size = 0;
  for (int k = 0; k < 3; k++) a[k] = (k == i) - n[i] * n[k], size = hypot(size, a[k]);
  for (int k = 0; k < 3; k++) a[k] /= size;
  for (int k = 0; k < 3; k++)
    b[k] = n[(k + 1) % 3] * a[(k + 2) % 3] - n[(k + 2) % 3] * a[(k + 1) % 3];
  for (int s = 0; s < sides; s++) {
    const double c = cos(2 * M_PI * s / sides), e = sin(2 * M_PI * s / sides);
    double y[3];
    for (int k = 0; k < 3; k++) {
      y[k] = x[k];
      for (int m = 0; m < 3; m++) y[k] += r * R[3 * k + m] * (c * a[m] + e * b[m]);
    }
    out_drawing_at(d, y, rim[s]);
  }
  for (int s = 0; s < sides; s++)
    out_drawing_line(d, rim[s], rim[(s + 1) % sides], 3, out_drawing_color(d, p));
}

void out_drawing_body(out_drawing* d, const json_t* p)
{
  double x[3], R[9], Q[9], S[9], q[4] = {1, 0, 0, 0}, edge[3] = {1, 1, 1}, at[2];
  if (!out_drawing_vector(d, p, "at", x)) return;
  const json_t *edges = json_object_get(p, "edges"), *turn = json_object_get(p, "principal");
  for (size_t i = 0; i < 3; i++)
    edge[i] = edges ? json_number_value(json_array_get(edges, i)) : 0.12 * d->size;
  for (size_t i = 0; i < 4 && turn; i++) q[i] = json_number_value(json_array_get(turn, i));
  const long long round = json_integer_value(json_object_get(p, "round"));
  out_drawing_at(d, x, at);
  if (out_drawing_flag(p, "held")) {
    gimbal(d, p, x);
    return;
  }
  if (is_of_wheel(d, p)) {
    mass_centre(d, at);
    return;
  }
  if (edges && round >= (d->planar ? 2 : 3)) {
    out_drawing_circle(d, at, edge[0] / 2 * d->scale, out_drawing_color(d, p), OUT_INK);
    return;
  }
  out_drawing_turn(d, p, R);
  out_drawing_quaternion(q, Q);
  for (int i = 0; i < 9; i++)
    S[i] =
        R[i / 3 * 3] * Q[i % 3] + R[i / 3 * 3 + 1] * Q[3 + i % 3] + R[i / 3 * 3 + 2] * Q[6 + i % 3];
  if (edges && round >= 0 && round < 3 && !d->planar)
    out_drawing_cylinder(d, x, S, (int)round, edge[(round + 1) % 3] / 2, edge[round],
                         out_drawing_color(d, p));
  else
    out_drawing_box(d, x, S, edge, out_drawing_color(d, p));
}

// A disc or ball, with what shows its turning: spokes of a wheel, else one diameter
void out_drawing_round(out_drawing* d, const json_t* p)
{
  double x[3], R[9], n[3] = {0, 0, 1}, at[2];
  if (!out_drawing_vector(d, p, "at", x)) return;
  out_drawing_at(d, x, at);
  out_drawing_turn(d, p, R);
  const double r = out_drawing_first(d, p, "size", 0);
  const bool disc = out_drawing_is(p, "disc"), wheel = disc && out_drawing_flag(p, "held");
  if (disc) out_drawing_vector(d, p, "normal", n);
  const int k = fabs(n[0]) > 0.9 ? 0 : fabs(n[1]) > 0.9 ? 1 : 2;
  if (disc && !d->planar) {
    double rim[48][2];
    for (int i = 0; i < 48; i++) {
      const double a = 2 * M_PI * i / 48;
      double y[3];
      for (int c = 0; c < 3; c++)
        y[c] = x[c] + r * (cos(a) * R[3 * c + (k + 1) % 3] + sin(a) * R[3 * c + (k + 2) % 3]);
      out_drawing_at(d, y, rim[i]);
    }
    out_drawing_polygon(d, 48, rim, wheel ? "none" : out_drawing_color(d, p));
  } else {
    out_drawing_circle(d, at, r * d->scale, wheel ? "none" : out_drawing_color(d, p), OUT_INK);
  }
  if (!json_object_get(p, "turn")) return;
  for (int i = 0; i < (wheel ? 8 : 1); i++) {
    const double a = M_PI * i / 4;
    double y[3], end[2];
    for (int c = 0; c < 3; c++)
      y[c] = x[c] + r * (cos(a) * R[3 * c + (k + 1) % 3] + sin(a) * R[3 * c + (k + 2) % 3]);
    out_drawing_at(d, y, end);
    out_drawing_line(d, at, end, 1, wheel ? OUT_STEEL : "#ffffff");
  }
}

void out_drawing_plate(out_drawing* d, const json_t* p)
{
  double a[3], b[3], c[3], e[3], at[4][2];
  if (!out_drawing_vector(d, p, "at", a) || !out_drawing_vector(d, p, "to", b) ||
      !out_drawing_vector(d, p, "third", c))
    return;
  for (int k = 0; k < 3; k++) e[k] = b[k] + c[k] - a[k];
  out_drawing_at(d, a, at[0]);
  out_drawing_at(d, b, at[1]);
  out_drawing_at(d, e, at[2]);
  out_drawing_at(d, c, at[3]);
  out_drawing_polygon(d, 4, at, out_drawing_color(d, p));
}

void out_drawing_spokes(out_drawing* d, const json_t* p)
{
  double hub[3], foot[3], at[2], end[2];
  if (!out_drawing_vector(d, p, "at", hub) || !out_drawing_vector(d, p, "to", foot)) return;
  const double length = out_drawing_first(d, p, "size", 0);
  const int n = (int)fmax(3, fmin(64, lround(2 * M_PI / out_drawing_first(d, p, "size", 1))));
  const double first = atan2(foot[1] - hub[1], foot[0] - hub[0]);
  out_drawing_at(d, hub, at);
  for (int i = 0; i < n; i++) {
    const double a = first + 2 * M_PI * i / n;
    const double x[3] = {hub[0] + length * cos(a), hub[1] + length * sin(a), hub[2]};
    out_drawing_at(d, x, end);
    out_drawing_line(d, at, end, i ? 1.6 : 2.4, OUT_BLUE);
  }
  out_drawing_circle(d, at, out_drawing_dot(d) * d->scale, OUT_BLUE, OUT_INK);
}

// from a place on the floor to the foot that stands beside it, where there is one
static void to_foot(const out_drawing* d, const double x[3], double step[3])
{
  memset(step, 0, 3 * sizeof *step);
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    for (int end = 0; end < 2 && out_drawing_is(p, "rod"); end++) {
      double foot[3], ground[3], high = 0, far = 0;
      if (!out_drawing_vector(d, p, end ? "to" : "at", foot)) continue;
      memcpy(ground, foot, sizeof ground);
      if (!out_drawing_under(d, ground)) return;
      for (int k = 0; k < 3; k++) {
        high = hypot(high, foot[k] - ground[k]);
        far = hypot(far, ground[k] - x[k]);
      }
      if (!(high < 0.08 * d->size && far < 0.3 * d->size)) continue;
      for (int k = 0; k < 3; k++) step[k] = ground[k] - x[k];
      return;
    }
  }
}

void out_drawing_blade(out_drawing* d, const json_t* p)
{
  double a[3], b[3], step[3] = {0, 0, 0}, ends[2][2];
  if (!out_drawing_vector(d, p, "at", a) || !out_drawing_vector(d, p, "to", b)) return;
  if (out_drawing_under(d, a)) to_foot(d, a, step);
  out_drawing_under(d, b);
  for (int k = 0; k < 3; k++) a[k] += step[k], b[k] += step[k];
  for (int i = 0; i < 2; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = a[k] + (i ? 0.14 : -0.14) * d->size * (b[k] - a[k]);
    out_drawing_at(d, x, ends[i]);
  }
  out_drawing_line(d, ends[0], ends[1], 3.2, OUT_INK);
}

// ---- surfaces -----------------------------------------------------------------------------------

// the lines of a mesh along one of its directions, not more than some of them
static void wires(out_drawing* d, int lines, int line_step, int points, int step, double (*at)[2])
{
  const int skip = lines / 12 + 1;
  for (int i = 0; i < lines; i += skip) {
    base_text_add(d->out, "<polyline points=\"");
    for (int k = 0; k < points; k++) {
      const double* p = at[i * line_step + k * step];
      base_text_printf(d->out, "%.2f,%.2f ", p[0], p[1]);
    }
    base_text_add(d->out, "\" fill=\"none\" stroke=\"#aab1ba\" stroke-width=\"0.6\"/>\n");
  }
}

// a mesh goes by rows of v; in some the last row is the first one again
static void wired(out_drawing* d, const json_t* p, int n, double (*at)[2])
{
  const json_t* mesh = json_object_get(p, "mesh");
  int nu = (int)json_integer_value(json_object_get(mesh, "nu"));
  int nv = (int)json_integer_value(json_object_get(mesh, "nv"));
  if ((long long)(nu + 1) * (nv + 1) == n) nu++, nv++;
  if (nu < 1 || (long long)nu * nv != n) return;
  wires(d, nu, nv, nv, 1, at);
  wires(d, nv, 1, nu, nv, at);
}

// the ground of a contact: as much of the plane as is touched, and some room around it
void out_drawing_plane(out_drawing* d, const json_t* p)
{
  static const int corner[4][2] = {{0, 2}, {1, 2}, {1, 3}, {0, 3}};
  double x[3], R[9], range[4], at[4][2];
  const json_t* list = json_object_get(p, "range");
  if (!out_drawing_vector(d, p, "at", x)) return;
  out_drawing_turn(d, p, R);
  for (size_t i = 0; i < 4; i++)
    range[i] = json_number_value(json_array_get(list, i)) + (i % 2 ? 0.8 : -0.8) * d->size;
  for (int i = 0; i < 4; i++) {
    const double u = range[corner[i][0]], v = range[corner[i][1]];
    double y[3];
    for (int k = 0; k < 3; k++) y[k] = x[k] + R[3 * k] * u + R[3 * k + 1] * v;
    out_drawing_at(d, y, at[i]);
  }
  out_drawing_polygon(d, 4, at, "#e9ecef");
}

// the points of a mesh on paper, to be freed; how many
static int mesh_at(out_drawing* d, const json_t* p, double (**out)[2])
{
  float* points = NULL;
  double x[3], R[9];
  const int n = out_drawing_vector(d, p, "at", x) ? out_drawing_mesh(p, &points) : 0;
  double(*at)[2] = base_alloc(sizeof *at * (size_t)(n + 1));
  out_drawing_turn(d, p, R);
  for (int i = 0; i < n; i++) {
    double y[3];
    for (int k = 0; k < 3; k++)
      y[k] = x[k] + R[3 * k] * (double)points[3 * i] + R[3 * k + 1] * (double)points[3 * i + 1] +
             R[3 * k + 2] * (double)points[3 * i + 2];
    out_drawing_at(d, y, at[i]);
  }
  free(points);
  *out = at;
  return n;
}

void out_drawing_wire(out_drawing* d, const json_t* p)
{
  double(*at)[2];
  const int n = mesh_at(d, p, &at);
  if (n) base_text_add(d->out, "<polyline points=\"");
  for (int i = 0; i < n; i++) base_text_printf(d->out, "%.2f,%.2f ", at[i][0], at[i][1]);
  if (n)
    base_text_add(d->out, "\" fill=\"none\" stroke=\"" OUT_STEEL "\" stroke-width=\"1.6\"/>\n");
  free(at);
}

void out_drawing_surface(out_drawing* d, const json_t* p)
{
  double(*at)[2];
  const int n = mesh_at(d, p, &at);
  if (n) {
    if (out_drawing_flag(p, "wire"))
      wired(d, p, n, at);
    else
      out_drawing_outline(d, n, at, out_drawing_flag(p, "base") ? "none" : out_drawing_color(d, p));
  }
  free(at);
}
