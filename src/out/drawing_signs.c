// The signs of mechanics on paper: rods, strings, ground, hinges, springs, wheels.
#include "out/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/view.h"

static bool place(const out_drawing* d, const json_t* p, const char* name, double at[2])
{
  double x[3];
  if (!out_drawing_vector(d, p, name, x)) return false;
  out_drawing_at(d, x, at);
  return true;
}

// ---- lines --------------------------------------------------------------------------------------

// Slack: a parabola of that length. Of sag s over the span w it is w (1 + 8 s^2/(3 w^2)) long where
// s is small against w.
static void string_between(out_drawing* d, const double a[2], const double b[2], double length)
{
  const double w = hypot(b[0] - a[0], b[1] - a[1]);
  const double sag = length > w ? sqrt(3.0 / 8 * fmax(w, 0.05 * length) * (length - w)) : 0;
  base_text_printf(d->out,
                   "<path d=\"M%.2f %.2f Q%.2f %.2f %.2f %.2f\" fill=\"none\" stroke=\"#6d5a45\" "
                   "stroke-width=\"1.4\"/>\n",
                   a[0], a[1], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + 2 * sag, b[0], b[1]);
}

// n teeth between two ends
static void zigzag(out_drawing* d, const double a[2], const double b[2])
{
  enum { teeth = 10 };
  const double dx = b[0] - a[0], dy = b[1] - a[1], w = hypot(dx, dy);
  const double high = 0.035 * d->size * d->scale;
  if (!(w > 0)) return;
  base_text_printf(d->out, "<polyline points=\"%.2f,%.2f ", a[0], a[1]);
  for (int i = 0; i <= teeth; i++) {
    const double t = 0.12 + 0.76 * i / teeth, off = i == 0 || i == teeth ? 0 : i % 2 ? high : -high;
    base_text_printf(d->out, "%.2f,%.2f ", a[0] + t * dx - off * dy / w,
                     a[1] + t * dy + off * dx / w);
  }
  base_text_printf(d->out, "%.2f,%.2f\" fill=\"none\" stroke=\"#2f6f4f\" stroke-width=\"1.5\"/>\n",
                   b[0], b[1]);
}

// a pot on the first end, a piston on the second
static void piston(out_drawing* d, const double a[2], const double b[2])
{
  const double dx = b[0] - a[0], dy = b[1] - a[1], w = hypot(dx, dy);
  const double r = 0.03 * d->size * d->scale;
  if (!(w > 0)) return;
  const double nx = -dy / w * r, ny = dx / w * r;
  double p[4][2];
  const double along[4] = {0.3, 0.62, 0.62, 0.3}, side[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; i++) {
    p[i][0] = a[0] + along[i] * dx + side[i] * nx;
    p[i][1] = a[1] + along[i] * dy + side[i] * ny;
  }
  out_drawing_line(d, a, (double[2]){a[0] + 0.3 * dx, a[1] + 0.3 * dy}, 1.5, OUT_STEEL);
  out_drawing_polygon(d, 4, p, "#eef0f2");
  out_drawing_line(d, (double[2]){a[0] + 0.5 * dx, a[1] + 0.5 * dy}, b, 1.5, OUT_STEEL);
}

// ---- ground -------------------------------------------------------------------------------------

// a line with strokes behind it; `off` points away from the ground, on the picture
static void hatch(out_drawing* d, const double a[2], const double b[2], const double off[2])
{
  const double dx = b[0] - a[0], dy = b[1] - a[1], w = hypot(dx, dy);
  const double deep = 0.07 * d->size * d->scale;
  const int n = (int)fmin(400, w / (0.6 * deep) + 1);
  base_text_add(d->out, "<g class=\"hatch\">\n");
  out_drawing_line(d, a, b, 1.6, OUT_INK);
  for (int i = 1; i <= n && w > 0; i++) {
    const double t = (double)i / n, x = a[0] + t * dx, y = a[1] + t * dy;
    out_drawing_line(d, (double[2]){x, y},
                     (double[2]){x - deep * (dx / w + off[0]), y - deep * (dy / w + off[1])}, 0.8,
                     OUT_STEEL);
  }
  base_text_add(d->out, "</g>\n");
}

// to which side of a plane the bodies lie
static double side_of(const out_drawing* d, const double at[3], const double n[3])
{
  double sum = 0, x[3];
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    if (!(out_drawing_is(p, "particle") || out_drawing_is(p, "body") || out_drawing_is(p, "rod") ||
          out_drawing_is(p, "disc") || out_drawing_is(p, "ball")))
      continue;
    for (int end = 0; end < 2; end++)
      if (out_drawing_vector(d, p, end ? "to" : "at", x))
        for (int k = 0; k < 3; k++) sum += n[k] * (x[k] - at[k]);
  }
  if (fabs(sum) > 1e-6 * d->size) return sum;
  return n[0] * d->top[0] + n[1] * d->top[1] + n[2] * d->top[2] + 1e-12 * n[0];
}

static void ground(out_drawing* d, const json_t* p)
{
  double at[3], n[3], to[3], along[3], span[2], a[3], b[3], pa[2], pb[2], off[2], origin[2];
  if (!out_drawing_vector(d, p, "at", at) || !out_drawing_vector(d, p, "normal", n) ||
      !out_drawing_vector(d, p, "to", to) || out_drawing_is_sheet(d, p))
    return;
  const double turn = out_drawing_flag(p, "both") && side_of(d, at, n) < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) n[k] *= turn;
  for (int k = 0; k < 3; k++)
    along[k] = n[(k + 1) % 3] * d->toward[(k + 2) % 3] - n[(k + 2) % 3] * d->toward[(k + 1) % 3];
  const double w = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  if (!(w > 1e-3)) return;
  for (int k = 0; k < 3; k++) along[k] /= w;
  out_drawing_reach(d, p, along, span);
  const double room = out_drawing_room(d, to);
  const double here = at[0] * along[0] + at[1] * along[1] + at[2] * along[2];
  for (int k = 0; k < 3; k++) {
    a[k] = at[k] - room * n[k] + (span[0] - 0.4 * d->size - here) * along[k];
    b[k] = at[k] - room * n[k] + (span[1] + 0.4 * d->size - here) * along[k];
  }
  out_drawing_at(d, a, pa);
  out_drawing_at(d, b, pb);
  out_drawing_project(d, n, off);
  out_drawing_project(d, (double[3]){0, 0, 0}, origin);
  const double size = hypot(off[0], off[1]);
  hatch(d, pa, pb, (double[2]){off[0] / size, -off[1] / size});
}

// a wire, or uneven ground, in its pieces
static void curve(out_drawing* d, const json_t* p)
{
  base_text bytes = {0};
  double n[3], to[3], since = 0;
  const char* text = json_string_value(json_object_get(p, "pieces"));
  const bool both = out_drawing_flag(p, "both");
  if (!text || !out_drawing_vector(d, p, "normal", n) || !out_drawing_vector(d, p, "to", to))
    return;
  out_pack_decode(text, &bytes);
  const double sense = n[0] + n[1] + n[2], room = both ? 0 : out_drawing_room(d, to);
  const double deep = 0.06 * d->size * d->scale;
  for (size_t i = 0; i + 9 * sizeof(float) <= bytes.n; i += 9 * sizeof(float)) {
    float f[9];
    double x[2][3], at[2][2], off[2];
    memcpy(f, bytes.at + i, sizeof f);
    const double away[3] = {sense * (double)f[6], sense * (double)f[7], sense * (double)f[8]};
    for (int end = 0; end < 2; end++) {
      for (int k = 0; k < 3; k++) x[end][k] = (double)f[3 * end + k] - room * away[k];
      out_drawing_at(d, x[end], at[end]);
    }
    out_drawing_line(d, at[0], at[1], both ? 2 : 1.6, both ? OUT_STEEL : OUT_INK);
    const double dx = at[1][0] - at[0][0], dy = at[1][1] - at[0][1], w = hypot(dx, dy);
    since += w;
    if (both || since < 0.6 * deep || !(w > 0)) continue;
    since = 0;
    out_drawing_project(d, away, off);
    const double end[2] = {at[0][0] - deep * (dx / w + off[0]),
                           at[0][1] - deep * (dy / w - off[1])};
    out_drawing_line(d, at[0], end, 0.8, OUT_STEEL);
  }
  base_text_free(&bytes);
}

// ---- joints -------------------------------------------------------------------------------------

static void hinge(out_drawing* d, const json_t* p)
{
  double at[2], x[3];
  if (!out_drawing_vector(d, p, "at", x)) return;
  out_drawing_at(d, x, at);
  const double r = fmax(2.2, 0.02 * d->size * d->scale), h = 3.2 * r;
  if (out_drawing_flag(p, "fixed")) {
    const double up = side_of(d, x, d->top) < 0 ? -1 : 1; // hangs: the support is above
    double foot[3][2] = {
        {at[0], at[1]}, {at[0] - 0.7 * h, at[1] + up * h}, {at[0] + 0.7 * h, at[1] + up * h}};
    out_drawing_polygon(d, 3, foot, "#d9dde1");
    const double wide = 1.3 * h;
    hatch(d, (double[2]){at[0] - wide, at[1] + up * h}, (double[2]){at[0] + wide, at[1] + up * h},
          (double[2]){0, -up});
  }
  out_drawing_circle(d, at, r, "#ffffff", OUT_INK);
}

// ---- all ----------------------------------------------------------------------------------------

static void to_wall(out_drawing* d, const json_t* p, double a[2])
{
  double n[3], at[3], off[2];
  if (!out_drawing_wall(d, p, at, n)) return;
  out_drawing_at(d, at, a);
  out_drawing_project(d, n, off);
  const double wide = 0.13 * d->size * d->scale;
  hatch(d, (double[2]){a[0] + wide * off[1], a[1] + wide * off[0]},
        (double[2]){a[0] - wide * off[1], a[1] - wide * off[0]}, (double[2]){off[0], -off[1]});
}

static bool between(out_drawing* d, const json_t* p)
{
  double a[2], b[2];
  const bool rod = out_drawing_is(p, "rod"), link = out_drawing_is(p, "link"),
             string = out_drawing_is(p, "string");
  const bool spring = out_drawing_is(p, "spring"), damper = out_drawing_is(p, "damper");
  if (!(rod || link || string || spring || damper)) return false;
  if (!place(d, p, "at", a) || !place(d, p, "to", b)) return true;
  if (out_drawing_flag(p, "fixed")) to_wall(d, p, a);
  if (string || (rod && json_object_get(p, "size")))
    string_between(d, a, b, out_drawing_first(d, p, "size", 0) * d->scale);
  else if (spring)
    zigzag(d, a, b);
  else if (damper)
    piston(d, a, b);
  else
    out_drawing_line(d, a, b, rod && !out_drawing_flag(p, "shown") ? 0.04 * d->size * d->scale : 2,
                     rod ? out_drawing_color(d, p) : OUT_STEEL);
  return true;
}

// a point with mass that slides on ground: a block on it, as high as a dot; else a dot
static void particle(out_drawing* d, const json_t* p)
{
  double x[3], to[3], n[3], R[9], at[2];
  const double r = out_drawing_dot(d), edge[3] = {3 * r, 2 * r, 2 * r};
  if (!out_drawing_vector(d, p, "at", x)) return;
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* g = json_array_get(d->parts, i);
    if (!out_drawing_is(g, "ground") ||
        !(out_drawing_flag(g, "both") || out_drawing_flag(g, "held")) ||
        !out_drawing_vector(d, g, "to", to) || !out_drawing_vector(d, g, "normal", n))
      continue;
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (fabs(x[0] - to[0]) + fabs(x[1] - to[1]) + fabs(x[2] - to[2]) > 1e-6 * d->size ||
        !(size > 0))
      continue;
    // the axes of the block: along, off the ground, across
    const int across = fabs(n[2]) > 0.9 * size ? 0 : 2;
    double side[3], length = 0;
    for (int k = 0; k < 3; k++) n[k] /= size;
    for (int k = 0; k < 3; k++)
      side[k] = (k == across) - n[across] * n[k], length = hypot(length, side[k]);
    for (int k = 0; k < 3; k++) side[k] /= length;
    for (int k = 0; k < 3; k++) {
      R[3 * k] = n[(k + 1) % 3] * side[(k + 2) % 3] - n[(k + 2) % 3] * side[(k + 1) % 3];
      R[3 * k + 1] = n[k];
      R[3 * k + 2] = side[k];
    }
    out_drawing_box(d, x, R, edge, out_drawing_color(d, p));
    return;
  }
  out_drawing_at(d, x, at);
  out_drawing_circle(d, at, r * d->scale, out_drawing_color(d, p), OUT_INK);
}

static void draw(out_drawing* d, const json_t* p)
{
  static const struct
  {
    const char* kind;
    void (*draw)(out_drawing* d, const json_t* p);
  } table[] = {{"ground", ground},           {"curve", curve},
               {"tube", out_drawing_tube},   {"hinge", hinge},
               {"body", out_drawing_body},   {"ball", out_drawing_round},
               {"disc", out_drawing_round},  {"round", out_drawing_round},
               {"plate", out_drawing_plate}, {"spokes", out_drawing_spokes},
               {"blade", out_drawing_blade}, {"surface", out_drawing_surface},
               {"wire", out_drawing_wire},   {"force", out_drawing_velocity},
               {"particle", particle}};
  double at[2], x[3], R[9], edge[3];
  if (between(d, p)) return;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (out_drawing_is(p, table[i].kind)) table[i].draw(d, p);
  if (out_drawing_is(p, "centre") && place(d, p, "at", at))
    out_drawing_circle(d, at, 5, "#e0a030", OUT_INK);
  if (out_drawing_is(p, "contact") && place(d, p, "at", at))
    out_drawing_circle(d, at, 2.5, "#e69f00", OUT_INK);
  if (!out_drawing_is(p, "box") || !out_drawing_vector(d, p, "at", x)) return;
  for (int k = 0; k < 3; k++) edge[k] = out_drawing_first(d, p, "size", k);
  out_drawing_turn(d, p, R);
  out_drawing_box(d, x, R, edge, out_drawing_color(d, p));
}

// a body that has a wire is looked through: the wire may go behind it
static bool has_wire(const out_drawing* d, const json_t* p)
{
  const char* name = json_string_value(json_object_get(p, "carrier"));
  bool has = false;
  if (out_drawing_is(p, "hinge") || out_drawing_is(p, "wire")) return false;
  for (size_t i = 0; i < json_array_size(d->parts) && name && *name; i++) {
    const json_t* other = json_array_get(d->parts, i);
    const char* on = json_string_value(json_object_get(other, "carrier"));
    has = has || (out_drawing_is(other, "wire") && on && strcmp(on, name) == 0);
  }
  return has;
}

void out_drawing_part(out_drawing* d, const json_t* p)
{
  base_text_printf(d->out, "<g class=\"%s%s\"%s>\n", json_string_value(json_object_get(p, "kind")),
                   out_drawing_flag(p, "fixed") ? " fixed" : "",
                   has_wire(d, p) ? " fill-opacity=\"0.3\"" : "");
  draw(d, p);
  base_text_add(d->out, "</g>\n");
}

void out_drawing_trace(out_drawing* d, const json_t* p)
{
  out_drawing at = *d;
  const int step = d->rows / 2000 + 1;
  base_text_add(d->out, "<polyline class=\"trace\" points=\"");
  for (at.row = 0, at.between = 0; at.row < d->rows; at.row += step) {
    double x[3], q[2];
    if (!out_drawing_vector(&at, p, "at", x)) continue;
    out_drawing_at(d, x, q);
    base_text_printf(d->out, "%.2f,%.2f ", q[0], q[1]);
  }
  base_text_add(d->out, "\" fill=\"none\" stroke=\"#d55e00\" stroke-width=\"0.8\"/>\n");
}
