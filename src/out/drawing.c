// A drawing of a mechanism as SVG, for papers: from the data of a page, so that it shows the same
// scene.
#include "out/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/file.h"
#include "out/out.h"

// what is drawn first lies behind
static const char* const layers[][10] = {{"ground", "curve", "round", "tube"},
                                         {"trace"},
                                         {"plate", "surface"},
                                         {"link", "spring", "damper", "string", "force"},
                                         {"body", "box", "disc", "ball", "rod", "spokes"},
                                         {"wire"},
                                         {"particle", "centre", "blade", "contact"},
                                         {"hinge"}};

// a body by itself: not what is shown of one, nor what it lies on
static bool is_body(const json_t* p)
{
  static const char* const kinds[] = {"body", "plate", "disc", "ball", "surface"};
  bool is = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) is = is || out_drawing_is(p, kinds[i]);
  return is && !out_drawing_flag(p, "shown") && !out_drawing_flag(p, "base");
}

static bool is_shown_ball(const json_t* p)
{
  return out_drawing_is(p, "ball") && out_drawing_flag(p, "shown");
}

static bool is_asked(const json_t* p)
{
  return out_drawing_is(p, "trace");
}

static bool is_particle(const json_t* p)
{
  return out_drawing_is(p, "particle");
}

static bool is_contact(const json_t* p)
{
  return out_drawing_is(p, "contact");
}

// the paths asked for, else of the first kind of these of which there are some, but not too many
static void traces(out_drawing* d)
{
  static const struct
  {
    bool (*is)(const json_t* p);
    int most, instead;
  } kinds[] = {{is_asked, 1000, 0},
               {is_particle, 8, 0},
               {is_contact, 8, 0},
               {is_body, 3, 1},
               {is_shown_ball, 3, 0}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    int count = 0;
    for (size_t i = 0; i < json_array_size(d->parts); i++)
      count += kinds[k].is(json_array_get(d->parts, i));
    if (!count) continue;
    // of many the first stands for all, or none of them
    int left = count <= kinds[k].most ? count : kinds[k].instead;
    for (size_t i = 0; i < json_array_size(d->parts) && left > 0; i++) {
      const json_t* p = json_array_get(d->parts, i);
      if (kinds[k].is(p)) out_drawing_trace(d, p), left--;
    }
    return;
  }
}

// something is shown in its place
static bool is_covered(const out_drawing* d, const json_t* part)
{
  double a[3], b[3];
  if (out_drawing_is(part, "force")) return !out_drawing_flag(part, "velocity");
  if (!(out_drawing_is(part, "particle") || out_drawing_is(part, "body")) ||
      !out_drawing_vector(d, part, "at", a))
    return false;
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    const bool over = out_drawing_is(p, "spokes") ||
                      ((out_drawing_is(p, "disc") || out_drawing_is(p, "ball")) &&
                       out_drawing_flag(p, "held") && out_drawing_is(part, "body")) ||
                      ((out_drawing_flag(p, "shown") || out_drawing_flag(p, "shape")) &&
                       (out_drawing_is(p, "ball") || out_drawing_is(p, "box")));
    if (over && out_drawing_vector(d, p, "at", b) &&
        fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-6 * d->size)
      return true;
  }
  return false;
}

// planes that something rolls on lie behind everything; seen along the paper they are lines
static void planes(out_drawing* d)
{
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    if (!out_drawing_is(p, "surface") || !out_drawing_flag(p, "plane")) continue;
    base_text_add(d->out, "<g class=\"plane\">\n");
    out_drawing_plane(d, p);
    base_text_add(d->out, "</g>\n");
  }
}

// a part of a layer, and how near its middle is to the eye
typedef struct piece
{
  const json_t* part;
  double near;
  size_t place; // among the parts: of what is equally near the first lies behind
} piece;

static int by_depth(const void* a, const void* b)
{
  const piece *x = a, *y = b;
  if (x->near != y->near) return x->near < y->near ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static double nearness(const out_drawing* d, const json_t* p)
{
  double a[3], b[3], sum = 0;
  if (d->planar || !out_drawing_vector(d, p, "at", a)) return 0;
  if (!out_drawing_vector(d, p, "to", b)) memcpy(b, a, sizeof b);
  for (int k = 0; k < 3; k++) sum += d->toward[k] * (a[k] + b[k]) / 2;
  return isfinite(sum) ? sum : 0;
}

// of a layer in space what is farther away lies behind
static void layer(out_drawing* d, const char* const* kinds)
{
  const size_t most = json_array_size(d->parts);
  piece* list = base_alloc(sizeof *list * (most + 1));
  size_t n = 0;
  for (size_t i = 0; i < most; i++) {
    const json_t* p = json_array_get(d->parts, i);
    for (int k = 0; kinds[k]; k++)
      if (out_drawing_is(p, kinds[k]) && !is_covered(d, p))
        list[n++] = (piece){p, nearness(d, p), i};
  }
  qsort(list, n, sizeof *list, by_depth);
  for (size_t i = 0; i < n; i++) out_drawing_part(d, list[i].part);
  free(list);
}

static void parts(out_drawing* d)
{
  planes(d);
  out_drawing_floors(d);
  for (size_t k = 0; k < sizeof layers / sizeof *layers; k++) {
    if (strcmp(layers[k][0], "trace") == 0)
      traces(d);
    else
      layer(d, layers[k]);
  }
}

// ---- directions, in a corner --------------------------------------------------------------------

static bool is_heavy(const out_drawing* d)
{
  const json_t* up = json_object_get(d->run, "up");
  double most = 0;
  for (size_t k = 0; k < 3; k++) most = fmax(most, fabs(json_number_value(json_array_get(up, k))));
  return most > 0;
}

// beside the picture, for directions: nothing lies there
static double column(const out_drawing* d)
{
  return is_heavy(d) ? 26 : 60;
}

// in points of the picture, the way as a direction of the world: all of it, or what is seen of it
static void arrow(out_drawing* d, const char* kind, const double from[2], const double way[3],
                  bool whole)
{
  double at[2];
  out_drawing_project(d, way, at);
  const double size = hypot(at[0], at[1]), x = from[0], y = from[1];
  if (!(size > 1e-9)) return;
  const double dx = at[0] / size, dy = -at[1] / size, span = whole ? 22 : 22 * size;
  base_text_printf(d->out,
                   "<g class=\"%s\" stroke=\"#1d232b\" fill=\"none\"><path d=\"M%.1f %.1f "
                   "l%.1f %.1f m%.1f %.1f L%.1f %.1f l%.1f %.1f\"/></g>\n",
                   kind, x, y, span * dx, span * dy, -6 * dx - 3 * dy, -6 * dy + 3 * dx,
                   x + span * dx, y + span * dy, -6 * dx + 3 * dy, -6 * dy - 3 * dx);
}

static void letter(out_drawing* d, double x, double y, char name)
{
  base_text_printf(d->out,
                   "<text x=\"%.1f\" y=\"%.1f\" font-family=\"serif\" font-style=\"italic\" "
                   "font-size=\"12\">%c</text>\n",
                   x, y, name);
}

// that of weight, else the axes
static void directions(out_drawing* d, double width)
{
  if (is_heavy(d)) {
    const double at[2] = {width - 14, 14};
    double down[3], seen[2];
    for (int k = 0; k < 3; k++) down[k] = -d->up[k];
    out_drawing_project(d, down, seen);
    arrow(d, "gravity", at, down, true);
    if (hypot(seen[0], seen[1]) > 1e-9) letter(d, at[0] - 14, at[1] + 16, 'g');
    return;
  }
  const double at[2] = {width - 42, 40};
  for (int k = 0; k < (d->planar ? 2 : 3); k++) {
    const double way[3] = {k == 0, k == 1, k == 2};
    double end[2];
    out_drawing_project(d, way, end);
    arrow(d, "axis", at, way, false);
    letter(d, at[0] + 30 * end[0] - 3, at[1] - 30 * end[1] + 4, "xyz"[k]);
  }
}

static void words(base_text* out, const char* text)
{
  for (; text && *text; text++) {
    if (*text == '<')
      base_text_add(out, "&lt;");
    else if (*text == '&')
      base_text_add(out, "&amp;");
    else
      base_text_addn(out, text, 1);
  }
}

int out_drawing_write(const char* page, const out_film* f, const char* path, base_notes* notes)
{
  out_drawing d;
  base_text out = {0};
  bool done = out_drawing_open(&d, page, notes);
  if (done) {
    const double from = out_drawing_time(&d, 0), to = out_drawing_time(&d, d.rows - 1);
    d.out = &out;
    const double beside = column(&d);
    out_drawing_frame(&d, isfinite(f->frame) ? f->frame : from + (to - from) / 3, f->width - beside,
                      f->height);
    const double width = 2 * d.margin + (d.high[0] - d.low[0]) * d.scale + beside;
    const double height = 2 * d.margin + (d.high[1] - d.low[1]) * d.scale;
    base_text_printf(&out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "viewBox=\"0 0 %.2f %.2f\" role=\"img\">\n<title>",
                     width, height, width, height);
    words(&out, json_string_value(json_object_get(d.data, "title")));
    base_text_add(&out, "</title>\n");
    parts(&d);
    directions(&d, width);
    base_text_add(&out, "</svg>\n");
    done = out_file_write(path, out.at, out.n, notes);
  }
  out_drawing_close(&d);
  base_text_free(&out);
  return done ? 0 : 2;
}
