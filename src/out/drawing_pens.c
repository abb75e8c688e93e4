// Pens: lines, circles, polygons, and the colours of bodies.
#include "out/drawing.h"

#include <stdlib.h>
#include <string.h>

static const char* const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#8c6d4f", "#666b73"};

void out_drawing_line(out_drawing* d, const double a[2], const double b[2], double width,
                      const char* color)
{
  base_text_printf(d->out,
                   "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\" "
                   "stroke-width=\"%.2f\" stroke-linecap=\"round\"/>\n",
                   a[0], a[1], b[0], b[1], color, width);
}

void out_drawing_circle(out_drawing* d, const double at[2], double r, const char* fill,
                        const char* edge)
{
  base_text_printf(d->out,
                   "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\" stroke=\"%s\"/>\n",
                   at[0], at[1], r, fill, edge);
}

void out_drawing_polygon(out_drawing* d, int n, double (*at)[2], const char* fill)
{
  base_text_add(d->out, "<polygon points=\"");
  for (int i = 0; i < n; i++) base_text_printf(d->out, "%.2f,%.2f ", at[i][0], at[i][1]);
  base_text_printf(d->out, "\" fill=\"%s\" stroke=\"%s\" stroke-linejoin=\"round\"/>\n", fill,
                   OUT_INK);
}

static int by_place(const void* a, const void* b)
{
  const double *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return p[1] < q[1] ? -1 : p[1] > q[1];
}

static double bend(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// the outline of what bulges: the hull of its points on paper, by Andrew's chains (1979)
void out_drawing_outline(out_drawing* d, int n, double (*at)[2], const char* fill)
{
  double(*hull)[2] = base_alloc(sizeof *hull * (size_t)(2 * n + 2));
  int k = 0;
  qsort(at, (size_t)n, sizeof *at, by_place);
  for (int pass = 0; pass < 2; pass++) {
    const int first = k;
    for (int j = 0; j < n; j++) {
      const double* p = at[pass ? n - 1 - j : j];
      while (k - first >= 2 && bend(hull[k - 2], hull[k - 1], p) <= 0) k--;
      memcpy(hull[k++], p, sizeof *hull);
    }
    k--;
  }
  if (k > 2) out_drawing_polygon(d, k, hull, fill);
  free(hull);
}

const char* out_drawing_color(const out_drawing* d, const json_t* part)
{
  const char* name = json_string_value(json_object_get(part, "name"));
  int number = 0;
  bool rests = out_drawing_flag(part, "shown");
  for (size_t k = 0; k < 3; k++)
    rests = rests && json_is_number(json_array_get(json_object_get(part, "at"), k));
  if (rests) return "#aab1ba";
  for (size_t i = 0; i < json_array_size(d->parts); i++) {
    const json_t* p = json_array_get(d->parts, i);
    const char* other = json_string_value(json_object_get(p, "name"));
    if (!(out_drawing_is(p, "particle") || out_drawing_is(p, "body") || out_drawing_is(p, "rod") ||
          out_drawing_is(p, "plate") || out_drawing_is(p, "disc") || out_drawing_is(p, "ball")))
      continue;
    if (name && other && strcmp(name, other) == 0) break;
    number++;
  }
  return palette[number % 8];
}
