// Ground in space, as a sheet: that of constraints, and the one that a round body rolls or rests on
// without being told.
#include "out/drawing.h"

#include <math.h>
#include <string.h>

enum { samples = 200 };
static const double seen = 1e-3; // of the size: what is closer looks the same

// a plane n . x = height, two directions in it, and the part of it that is drawn
typedef struct sheet
{
  double n[3], along[2][3], height, low[2], high[2];
  const json_t* table; // a round one that turns
} sheet;

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void lay(const double n[3], double height, sheet* s)
{
  *s = (sheet){.height = height, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  memcpy(s->n, n, sizeof s->n);
  // along x, or along y where it stands across x: aslant on the paper, as such sheets are drawn
  const int axis = fabs(n[0]) < 0.9 ? 0 : 1;
  double* along = s->along[0];
  for (int k = 0; k < 3; k++) along[k] = (k == axis) - n[axis] * n[k];
  const double length = sqrt(dot(along, along));
  for (int k = 0; k < 3; k++) along[k] /= length;
  cross(n, along, s->along[1]);
}

// the sheet reaches some room beyond a place
static void reach(sheet* s, const double x[3], double room)
{
  for (int i = 0; i < 2; i++) {
    const double at = dot(x, s->along[i]);
    s->low[i] = fmin(s->low[i], at - room);
    s->high[i] = fmax(s->high[i], at + room);
  }
}

static void reach_run(const out_drawing* d, const json_t* p, const char* name, sheet* s)
{
  out_drawing at = *d;
  double x[3];
  for (int i = 0; i < (d->far ? 1 : samples); i++) {
    if (!d->far) {
      at.row = (int)((long long)i * (d->rows - 1) / (samples - 1));
      at.between = 0;
    }
    if (out_drawing_vector(&at, p, name, x)) reach(s, x, 0.8 * d->size);
  }
}

static void corner(const sheet* s, int i, double x[3])
{
  const double u = i == 0 || i == 3 ? s->low[0] : s->high[0];
  const double v = i < 2 ? s->low[1] : s->high[1];
  for (int k = 0; k < 3; k++) x[k] = s->height * s->n[k] + u * s->along[0][k] + v * s->along[1][k];
}

// ---- of a constraint ----------------------------------------------------------------------------

// about its axis, as far as anything goes
static void make_table(const json_t* p, const double at[3], sheet* s)
{
  double most = 0, middle[2];
  for (int i = 0; i < 2; i++) {
    middle[i] = dot(at, s->along[i]);
    most = fmax(most, fmax(s->high[i] - middle[i], middle[i] - s->low[i]));
  }
  for (int i = 0; i < 2; i++) s->low[i] = middle[i] - most, s->high[i] = middle[i] + most;
  s->table = p;
}

static bool of_ground(const out_drawing* d, const json_t* p, sheet* s)
{
  double at[3], n[3], to[3];
  if (d->planar || !out_drawing_vector(d, p, "at", at) || !out_drawing_vector(d, p, "normal", n) ||
      !out_drawing_vector(d, p, "to", to))
    return false;
  if (out_drawing_flag(p, "both") && dot(n, d->up) < 0)
    for (int k = 0; k < 3; k++) n[k] = -n[k];
  if (!(dot(n, d->toward) > 0.2)) return false; // seen from its edge it is a line
  lay(n, dot(at, n) - out_drawing_room(d, to), s);
  reach_run(d, p, "to", s);
  if (json_object_get(p, "turn")) make_table(p, at, s);
  return s->low[0] < s->high[0];
}

// ---- of what rolls, rests or skates
// ---------------------------------------------------------------

// how far something round reaches below its centre; zero for all else
static double below(const out_drawing* d, const json_t* p)
{
  double n[3], R[9], world[3];
  if (out_drawing_is(p, "ball")) return out_drawing_first(d, p, "size", 0);
  if (!out_drawing_is(p, "disc") || !out_drawing_vector(d, p, "normal", n)) return 0;
  out_drawing_turn(d, p, R);
  for (int k = 0; k < 3; k++) world[k] = dot(&R[3 * k], n);
  const double tilt = dot(world, d->up) / sqrt(dot(world, world));
  return out_drawing_first(d, p, "size", 0) * sqrt(fmax(0, 1 - tilt * tilt));
}

static bool moves(const json_t* p)
{
  const json_t* at = json_object_get(p, "at");
  bool is = false;
  for (size_t k = 0; k < 3; k++) is = is || json_is_array(json_array_get(at, k));
  return is;
}

// the lowest place of all, and whether something round that moves is there, as far as is seen
static double lowest(const out_drawing* d, bool* round)
{
  static const char* const kinds[] = {"ball", "disc", "particle", "rod", "body", "link", "box"};
  double least = INFINITY, wheel = INFINITY, x[3];
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (int end = 0; end < 2 && out_drawing_is(p, kinds[k]); end++) {
        if (!out_drawing_vector(d, p, end ? "to" : "at", x)) continue;
        const double down = below(d, p), height = dot(x, d->up) - down;
        least = fmin(least, height);
        if (down > 0 && moves(p)) wheel = fmin(wheel, height);
      }
  }
  *round = wheel < least + seen * d->size;
  return *round ? wheel : least;
}

static const json_t* blade_of(const out_drawing* d)
{
  for (size_t i = 0; i < json_array_size(d->parts); i++)
    if (out_drawing_is(json_array_get(d->parts, i), "blade")) return json_array_get(d->parts, i);
  return NULL;
}

// Is the lowest that anything round comes to a height where it stays for a while, all the time
// where it rolls? Turns of a motion are over sooner: `a while` is a fifth of it. What has a blade
// stands on its lowest point.
static bool of_rest(const out_drawing* d, sheet* s)
{
  double height[samples], least = INFINITY;
  bool round[samples] = {false};
  const json_t* blade = blade_of(d);
  out_drawing at = *d;
  int stays = 0;
  // a blade stands on its ground, which may lean
  if (blade && out_drawing_vector(d, blade, "normal", at.up) && dot(at.up, d->up) < 0)
    for (int k = 0; k < 3; k++) at.up[k] = -at.up[k];
  for (int i = 0; i < samples; i++) {
    at.row = (int)((long long)i * (d->rows - 1) / (samples - 1));
    at.between = 0;
    height[i] = lowest(&at, &round[i]);
    least = fmin(least, height[i]);
  }
  for (int i = 0; i < samples; i++) stays += round[i] && height[i] < least + seen * d->size;
  if (!isfinite(least) || (!blade && stays < samples / 5)) return false;
  lay(at.up, least, s);
  if (blade) reach_run(d, blade, "at", s);
  for (size_t k = 0; k < json_array_size(d->parts); k++) {
    const json_t* p = json_array_get(d->parts, k);
    if (out_drawing_is(p, "disc") || out_drawing_is(p, "ball")) reach_run(d, p, "at", s);
  }
  return true;
}

// nothing else carries it: no ground, surface, support
static bool is_carried(const out_drawing* d)
{
  for (size_t k = 0; k < json_array_size(d->parts); k++) {
    const json_t* p = json_array_get(d->parts, k);
    if (out_drawing_is(p, "surface") || out_drawing_is(p, "ground") || out_drawing_is(p, "curve") ||
        out_drawing_is(p, "round") || out_drawing_is(p, "tube") || out_drawing_flag(p, "fixed"))
      return true;
  }
  return false;
}

// ---- both ---------------------------------------------------------------------------------------

static bool next(const out_drawing* d, size_t* i, sheet* s)
{
  while (*i < json_array_size(d->parts)) {
    const json_t* p = json_array_get(d->parts, (*i)++);
    if (out_drawing_is(p, "ground") && of_ground(d, p, s)) return true;
  }
  if ((*i)++ > json_array_size(d->parts) || d->planar || is_carried(d)) return false;
  return of_rest(d, s);
}

bool out_drawing_is_sheet(const out_drawing* d, const json_t* ground)
{
  sheet s;
  return of_ground(d, ground, &s);
}

void out_drawing_floor_room(const out_drawing* d,
                            void (*widen)(out_drawing* d, const double x[3], double room),
                            out_drawing* to)
{
  sheet s;
  double x[3];
  for (size_t i = 0; next(d, &i, &s);)
    for (int k = 0; k < 4; k++) {
      corner(&s, k, x);
      widen(to, x, 0);
    }
}

bool out_drawing_under(const out_drawing* d, double x[3])
{
  sheet s;
  size_t last = json_array_size(d->parts);
  if (!next(d, &last, &s)) return false;
  const double off = dot(x, s.n) - s.height;
  for (int k = 0; k < 3; k++) x[k] -= off * s.n[k];
  return true;
}

// its rim, and lines from its middle by which its turning is seen
static void table(out_drawing* d, const sheet* s)
{
  enum { sides = 60, every = 5 };
  const double r = (s->high[0] - s->low[0]) / 2;
  double rim[sides][2], middle[3], centre[2], R[9];
  for (int k = 0; k < 3; k++)
    middle[k] =
        s->height * s->n[k] + (s->low[0] + r) * s->along[0][k] + (s->low[1] + r) * s->along[1][k];
  out_drawing_turn(d, s->table, R);
  for (int i = 0; i < sides; i++) {
    const double a = 2 * M_PI * i / sides;
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = middle[k] + r * (cos(a) * R[3 * k] + sin(a) * R[3 * k + 1]);
    out_drawing_at(d, x, rim[i]);
  }
  out_drawing_at(d, middle, centre);
  out_drawing_polygon(d, sides, rim, "#e9ecef");
  for (int i = 0; i < sides; i += every) out_drawing_line(d, centre, rim[i], 0.6, OUT_STEEL);
}

void out_drawing_floors(out_drawing* d)
{
  sheet s;
  for (size_t i = 0; next(d, &i, &s);) {
    double at[4][2], x[3];
    if (s.table) {
      base_text_add(d->out, "<g class=\"floor\">\n");
      table(d, &s);
      base_text_add(d->out, "</g>\n");
      continue;
    }
    for (int k = 0; k < 4; k++) {
      corner(&s, k, x);
      out_drawing_at(d, x, at[k]);
    }
    base_text_add(d->out, "<g class=\"floor\">\n");
    out_drawing_polygon(d, 4, at, "#e9ecef");
    base_text_add(d->out, "</g>\n");
  }
}
