// The data of a page, as numbers.
#include "out/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/out.h"
#include "out/view.h"

static const char open_data[] = "<script type=\"application/json\" id=\"data\">";
enum { largest_page = 1 << 30 };

static bool fail(base_notes* notes, const char* why)
{
  base_error(notes, BASE_NOWHERE, "cannot draw: %s", why);
  return false;
}

static void decode(const json_t* object, const char* name, base_text* out)
{
  const char* text = json_string_value(json_object_get(object, name));
  base_text_add(out, "");
  if (text) out_pack_decode(text, out);
}

// how far a mesh reaches from its place, beside it
static void note_reach(json_t* part)
{
  float* points;
  double most = 0;
  const int n = out_drawing_mesh(part, &points);
  for (int i = 0; i < n; i++)
    most = fmax(most, hypot(hypot((double)points[3 * i], (double)points[3 * i + 1]),
                            (double)points[3 * i + 2]));
  free(points);
  json_object_set_new(part, "reach", json_real(most));
}

// Where a model has no bodies to be seen, the surface that it moves on is the picture, as in the
// page: a mesh, the representing point and its path.
static void add_surface(out_drawing* d, json_t* parts)
{
  json_t* mesh = json_object_get(d->data, "surface");
  json_t* point = json_object_get(d->run, "point");
  if (json_array_size(parts) || !json_is_object(mesh) || !json_is_array(point)) return;
  json_array_append_new(parts, json_pack("{s:s, s:s, s:[iii], s:O, s:b}", "kind", "surface", "name",
                                         "surface", "at", 0, 0, 0, "mesh", mesh, "wire", 1));
  json_array_append_new(
      parts, json_pack("{s:s, s:s, s:O}", "kind", "particle", "name", "point", "at", point));
  json_array_append_new(
      parts, json_pack("{s:s, s:s, s:O}", "kind", "trace", "name", "point", "at", point));
}

bool out_drawing_open(out_drawing* d, const char* page, base_notes* notes)
{
  size_t n = 0;
  const char* why = "";
  char* text = base_file_read(page, largest_page, &n, &why);
  *d = (out_drawing){0};
  if (!text) return fail(notes, why);
  const char* from = memmem(text, n, open_data, strlen(open_data));
  const char* to = from ? memmem(from, n - (size_t)(from - text), "</script>", 9) : NULL;
  if (to) {
    from += strlen(open_data);
    d->data = json_loadb(from, (size_t)(to - from), 0, NULL);
  }
  free(text);
  d->run = json_array_get(json_object_get(d->data, "runs"), 0);
  json_t* parts = json_object_get(d->run, "parts");
  if (!parts) return fail(notes, "this is no page of a motion");
  add_surface(d, parts);
  for (size_t i = 0; i < json_array_size(parts); i++)
    if (json_object_get(json_array_get(parts, i), "mesh")) note_reach(json_array_get(parts, i));
  d->parts = parts;
  d->rows = (int)json_integer_value(json_object_get(d->run, "rows"));
  decode(d->run, "floats", &d->floats);
  decode(d->run, "shorts", &d->shorts);
  decode(d->run, "time", &d->times);
  if (d->rows < 1 || d->times.n < sizeof(double) * (size_t)d->rows)
    return fail(notes, "the page has no frames");
  return true;
}

void out_drawing_close(out_drawing* d)
{
  json_decref(d->data);
  base_text_free(&d->floats);
  base_text_free(&d->shorts);
  base_text_free(&d->times);
}

double out_drawing_time(const out_drawing* d, int row)
{
  double t;
  memcpy(&t, d->times.at + sizeof t * (size_t)row, sizeof t);
  return t;
}

void out_drawing_seek(out_drawing* d, double t)
{
  int low = 0, high = d->rows - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (out_drawing_time(d, middle) <= t)
      low = middle;
    else
      high = middle;
  }
  const double a = out_drawing_time(d, low), b = out_drawing_time(d, high);
  d->row = low;
  d->between = b > a ? fmax(0, fmin(1, (t - a) / (b - a))) : 0;
}

bool out_drawing_is(const json_t* part, const char* kind)
{
  const char* k = json_string_value(json_object_get(part, "kind"));
  return k && strcmp(k, kind) == 0;
}

bool out_drawing_flag(const json_t* part, const char* name)
{
  return json_is_true(json_object_get(part, name));
}

static double float_at(const out_drawing* d, long long block, int row)
{
  float x;
  const size_t at = sizeof x * ((size_t)block * (size_t)d->rows + (size_t)row);
  if (block < 0 || at + sizeof x > d->floats.n) return NAN;
  memcpy(&x, d->floats.at + at, sizeof x);
  return x;
}

double out_drawing_number(const out_drawing* d, const json_t* c)
{
  if (!json_is_array(c)) return json_is_number(c) ? json_number_value(c) : NAN;
  const double offset = json_number_value(json_array_get(c, 0));
  const long long block = json_integer_value(json_array_get(c, 1));
  const double a = float_at(d, block, d->row);
  if (!(d->between > 0)) return offset + a;
  return offset + a + (float_at(d, block, d->row + 1) - a) * d->between;
}

bool out_drawing_vector(const out_drawing* d, const json_t* part, const char* name, double x[3])
{
  const json_t* list = json_object_get(part, name);
  for (size_t i = 0; i < 3; i++) x[i] = out_drawing_number(d, json_array_get(list, i));
  return json_array_size(list) >= 3 && isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

double out_drawing_first(const out_drawing* d, const json_t* part, const char* name, int i)
{
  const json_t* list = json_object_get(part, name);
  return list ? out_drawing_number(d, json_array_get(list, (size_t)i)) : NAN;
}

void out_drawing_quaternion(const double q[4], double R[9])
{
  const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double w = n > 0 ? q[0] / n : 1, x = n > 0 ? q[1] / n : 0, y = n > 0 ? q[2] / n : 0,
               z = n > 0 ? q[3] / n : 0;
  const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(R, m, sizeof m);
}

void out_drawing_turn(const out_drawing* d, const json_t* part, double R[9])
{
  const json_t* turn = json_object_get(part, "turn");
  double q[4] = {1, 0, 0, 0};
  if (json_array_size(turn) == 4)
    for (size_t i = 0; i < 4; i++) q[i] = json_number_value(json_array_get(turn, i));
  if (json_array_size(turn) == 1) {
    const size_t block = (size_t)json_integer_value(json_array_get(turn, 0));
    for (size_t i = 0; i < 4; i++) {
      int16_t x[2] = {0, 0};
      const size_t at = sizeof *x * (4 * (block * (size_t)d->rows + (size_t)d->row) + i);
      if (at + sizeof *x <= d->shorts.n) memcpy(&x[0], d->shorts.at + at, sizeof *x);
      x[1] = x[0];
      if (d->between > 0 && at + 5 * sizeof *x <= d->shorts.n)
        memcpy(&x[1], d->shorts.at + at + 4 * sizeof *x, sizeof *x);
      q[i] = x[0] + (x[1] - x[0]) * d->between;
    }
  }
  out_drawing_quaternion(q, R);
}

int out_drawing_mesh(const json_t* part, float** points)
{
  base_text bytes = {0};
  const json_t* mesh = json_object_get(part, "mesh");
  decode(mesh, "points", &bytes);
  const int n = (int)(bytes.n / (3 * sizeof(float)));
  *points = base_alloc(sizeof(float) * 3 * (size_t)(n + 1));
  if (n) memcpy(*points, bytes.at, sizeof(float) * 3 * (size_t)n);
  base_text_free(&bytes);
  return n;
}
