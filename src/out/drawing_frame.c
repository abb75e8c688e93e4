// How a scene lies on paper: seen along the normal of its plane, else from aside and above, without
// perspective.
#include "out/drawing.h"

#include <math.h>
#include <string.h>

enum { samples = 200 };

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void unit(double a[3])
{
  const double n = sqrt(dot(a, a));
  for (int i = 0; i < 3 && n > 0; i++) a[i] /= n;
}

// what is drawn but tells nothing of the place of bodies
static bool counts(const json_t* p)
{
  static const char* const not [] = {"point", "frame", "force", "ground", "curve"};
  for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
    if (out_drawing_is(p, not [i])) return false;
  return !out_drawing_flag(p, "base");
}

// half the room a part takes around its place
static double room_of(const out_drawing* d, const json_t* p)
{
  static const char* const round[] = {"ball", "disc", "round", "spokes", "tube"};
  double most = 0;
  for (size_t i = 0; i < sizeof round / sizeof *round; i++)
    if (out_drawing_is(p, round[i])) return out_drawing_first(d, p, "size", 0);
  if (out_drawing_is(p, "surface")) return json_number_value(json_object_get(p, "reach"));
  const json_t* edges = json_object_get(p, "edges");
  for (size_t i = 0; i < 3; i++) {
    const double edge = out_drawing_is(p, "box") ? out_drawing_first(d, p, "size", (int)i)
                                                 : json_number_value(json_array_get(edges, i));
    // in space a corner may be what is farthest
    most = d->planar ? fmax(most, edge / 2) : hypot(most, edge / 2);
  }
  return most;
}

typedef struct extent
{
  double low[3], high[3];
  double largest, whole; // of a body, and of all of them together at one instant
} extent;

static void put(extent* e, const double x[3], double room)
{
  for (int k = 0; k < 3; k++) {
    e->low[k] = fmin(e->low[k], x[k] - room);
    e->high[k] = fmax(e->high[k], x[k] + room);
  }
}

static void to_row(out_drawing* d, int i)
{
  d->row = (int)((long long)i * (d->rows - 1) / (samples - 1));
  d->between = 0;
}

// all places over the run, along the world's axes; with the room they take, or without
static extent extent_of(out_drawing* d, bool rooms)
{
  const extent none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, 0};
  extent e = none;
  for (int i = 0; i < samples; i++) {
    extent now = none;
    to_row(d, i);
    for (size_t k = 0; k < json_array_size(d->parts); k++) {
      const json_t* p = json_array_get(d->parts, k);
      double a[3], b[3];
      if (!counts(p) || !out_drawing_vector(d, p, "at", a)) continue;
      const double room = room_of(d, p);
      put(&e, a, rooms ? room : 0);
      if (!out_drawing_is(p, "trace") && !out_drawing_is(p, "centre")) put(&now, a, 0);
      e.largest = fmax(e.largest, i ? 0 : 2 * room);
      if (out_drawing_is(p, "blade") || !out_drawing_vector(d, p, "to", b)) continue;
      put(&e, b, 0);
      if (i == 0) e.largest = fmax(e.largest, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
    }
    for (int k = 0; k < 3; k++)
      if (now.high[k] > now.low[k]) e.whole = fmax(e.whole, now.high[k] - now.low[k]);
  }
  return e;
}

// does a body turn out of the plane of x and y?
static bool turns_up(out_drawing* d)
{
  for (int i = 0; i < samples; i++) {
    to_row(d, i);
    for (size_t k = 0; k < json_array_size(d->parts); k++) {
      const json_t* p = json_array_get(d->parts, k);
      double R[9];
      if (!(out_drawing_is(p, "body") || out_drawing_is(p, "ball") || out_drawing_is(p, "box")) ||
          !json_object_get(p, "turn"))
        continue;
      out_drawing_turn(d, p, R);
      if (R[8] < 0.99) return true;
    }
  }
  return false;
}

// does a disc stand across the plane of x and y, or ground lie in it?
static bool stands(out_drawing* d)
{
  to_row(d, 0);
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    double n[3], R[9];
    if (out_drawing_is(p, "ground") && out_drawing_vector(d, p, "normal", n) && fabs(n[2]) > 0.9)
      return true;
    if (!out_drawing_is(p, "disc") || !out_drawing_vector(d, p, "normal", n)) continue;
    out_drawing_turn(d, p, R);
    if (fabs(R[6] * n[0] + R[7] * n[1] + R[8] * n[2]) < 0.9 * sqrt(dot(n, n))) return true;
  }
  return false;
}

static void look(out_drawing* d, const extent* bare)
{
  double up[3] = {0, 0, 0}, travel = 1e-300;
  const json_t* list = json_object_get(d->run, "up");
  for (size_t k = 0; k < 3; k++) {
    up[k] = json_number_value(json_array_get(list, k));
    travel = fmax(travel, bare->high[k] - bare->low[k]);
  }
  const double heavy = sqrt(dot(up, up));
  memcpy(d->up, heavy > 0 ? up : (double[3]){0, 0, 1}, sizeof up);
  unit(d->up);
  d->planar = !stands(d) && !turns_up(d) && bare->high[2] - bare->low[2] < 1e-6 * travel &&
              !(fabs(up[2]) > 0.5 * heavy);
  if (d->planar) {
    memcpy(d->toward, (double[3]){0, 0, 1}, sizeof d->toward);
    up[2] = 0;
    if (!(dot(up, up) > 0)) up[1] = 1;
  } else {
    if (!(heavy > 0)) up[2] = 1;
    unit(up);
    double side[3] = {fabs(up[2]) > 0.5 ? 0.55 : 0.45, fabs(up[2]) > 0.5 ? -1 : 0,
                      fabs(up[2]) > 0.5 ? 0 : 1};
    const double along = dot(side, up);
    for (int k = 0; k < 3; k++) side[k] -= along * up[k];
    unit(side);
    for (int k = 0; k < 3; k++) d->toward[k] = side[k] + 0.55 * up[k];
    unit(d->toward);
  }
  cross(up, d->toward, d->right);
  unit(d->right);
  cross(d->toward, d->right, d->top);
}

void out_drawing_project(const out_drawing* d, const double x[3], double p[2])
{
  p[0] = dot(x, d->right);
  p[1] = dot(x, d->top);
}

void out_drawing_at(const out_drawing* d, const double x[3], double p[2])
{
  out_drawing_project(d, x, p);
  p[0] = d->margin + (p[0] - d->low[0]) * d->scale;
  p[1] = d->margin + (d->high[1] - p[1]) * d->scale;
}

double out_drawing_dot(const out_drawing* d)
{
  return 0.045 * d->size;
}

static void widen(out_drawing* d, const double x[3], double room)
{
  double at[2];
  out_drawing_project(d, x, at);
  for (int c = 0; c < 2; c++) {
    d->low[c] = fmin(d->low[c], at[c] - room);
    d->high[c] = fmax(d->high[c], at[c] + room);
  }
}

// All that is seen over the run, or at the present row alone. The wall of a spring stands off.
static void make_room(out_drawing* d, bool here)
{
  for (int i = 0; i < (here ? 1 : samples); i++) {
    if (!here) to_row(d, i);
    for (size_t k = 0; k < json_array_size(d->parts); k++) {
      const json_t* p = json_array_get(d->parts, k);
      double x[3], n[3];
      if (!counts(p) || (here && out_drawing_is(p, "trace"))) continue;
      const double room = fmax(room_of(d, p), 0.1 * d->size);
      for (int end = 0; end < 2; end++)
        if (out_drawing_vector(d, p, end ? "to" : "at", x) && !(end && out_drawing_is(p, "blade")))
          widen(d, x, room);
      if (!out_drawing_wall(d, p, x, n)) continue;
      for (int c = 0; c < 3; c++) x[c] -= 0.1 * d->size * n[c];
      widen(d, x, room);
    }
  }
}

// where a point goes along a direction over the run
void out_drawing_reach(const out_drawing* d, const json_t* p, const double along[3], double out[2])
{
  out_drawing at = *d;
  out[0] = INFINITY, out[1] = -INFINITY;
  for (int i = 0; i < samples; i++) {
    double x[3];
    to_row(&at, i);
    if (!out_drawing_vector(&at, p, "to", x)) continue;
    const double s = dot(x, along);
    out[0] = fmin(out[0], s), out[1] = fmax(out[1], s);
  }
}

bool out_drawing_wall(const out_drawing* d, const json_t* p, double at[3], double n[3])
{
  double span[2];
  if (!(out_drawing_is(p, "spring") || out_drawing_is(p, "damper")) ||
      !out_drawing_flag(p, "fixed") || !out_drawing_vector(d, p, "normal", n) ||
      !out_drawing_vector(d, p, "at", at))
    return false;
  out_drawing_reach(d, p, n, span);
  const double rest = dot(at, n);
  const double far = 1.25 * fmax(fabs(span[0] - rest), fabs(span[1] - rest)) + 0.35 * d->size;
  for (int k = 0; k < 3; k++) at[k] -= far * n[k];
  return true;
}

// what goes far is shown with something of what is around it: as much as its largest part
static void stand_back(out_drawing* d, double largest)
{
  for (int c = 0; c < 2; c++) d->low[c] -= 0.4 * largest, d->high[c] += 0.4 * largest;
}

void out_drawing_frame(out_drawing* d, double t, double width, double height)
{
  const extent bare = extent_of(d, false);
  look(d, &bare);
  const extent whole = extent_of(d, true);
  double travel = 1e-9;
  for (int k = 0; k < 3; k++)
    if (whole.high[k] > whole.low[k]) travel = fmax(travel, whole.high[k] - whole.low[k]);
  const double together = fmax(whole.largest, whole.whole);
  d->far = travel >= 7 * together && together > 0;
  d->size = fmin(fmax(whole.largest, (d->far ? 0.02 : 0.22) * travel), travel);
  for (int c = 0; c < 2; c++) d->low[c] = INFINITY, d->high[c] = -INFINITY;
  out_drawing_seek(d, t);
  make_room(d, d->far);
  if (d->far) stand_back(d, whole.largest);
  out_drawing_seek(d, t);
  out_drawing_floor_room(d, widen, d);
  for (int c = 0; c < 2; c++)
    if (!(d->low[c] < d->high[c])) d->low[c] = -1, d->high[c] = 1;
  d->margin = 12;
  d->scale = fmin((width - 2 * d->margin) / (d->high[0] - d->low[0]),
                  (height - 2 * d->margin) / (d->high[1] - d->low[1]));
}

double out_drawing_room(const out_drawing* d, const double x[3])
{
  double most = 0, shown = 0;
  for (size_t k = 0; k < json_array_size(d->parts); k++) {
    const json_t* p = json_array_get(d->parts, k);
    double at[3], room = 0;
    if (!out_drawing_vector(d, p, "at", at)) continue;
    const bool rod = out_drawing_is(p, "rod") && !out_drawing_flag(p, "shown");
    bool here = fabs(at[0] - x[0]) + fabs(at[1] - x[1]) + fabs(at[2] - x[2]) < 1e-6 * d->size;
    if (rod && !here && out_drawing_vector(d, p, "to", at))
      here = fabs(at[0] - x[0]) + fabs(at[1] - x[1]) + fabs(at[2] - x[2]) < 1e-6 * d->size;
    if (!here) continue;
    if (out_drawing_is(p, "particle")) room = out_drawing_dot(d);
    if (rod) room = 0.02 * d->size;
    if (out_drawing_is(p, "ball") || (out_drawing_is(p, "disc") && d->planar))
      room = out_drawing_first(d, p, "size", 0);
    if (out_drawing_flag(p, "shown") || out_drawing_flag(p, "shape")) shown = fmax(shown, room);
    most = fmax(most, room);
  }
  return shown > 0 ? shown : most;
}
