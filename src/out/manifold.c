// Manifolds of a saddle as text or JSON, as a table and as a picture.
#include <math.h>
#include <string.h>

#include "out/file.h"
#include "out/json_text.h"
#include "out/number.h"
#include "out/out.h"
#include "out/page.h"
#include "out/text.h"

enum { WIDTH = 800, HEIGHT = 720 };

static const char* name_of(const study_manifold* c)
{
  return c->stable ? "stable" : "unstable";
}

static json_t* state_of(const study_manifolds* r)
{
  json_t* o = json_object();
  base_text name = {0};
  for (int k = 0; k < 2 * r->n; k++) {
    name.n = 0;
    base_text_printf(&name, "%s%s", r->model->coord[k % r->n].name, k < r->n ? "" : "'");
    out_json_set(o, name.at, out_json_real(k < r->n ? r->q[k] : r->v[k - r->n]));
  }
  base_text_free(&name);
  return o;
}

static void write_json(const study_manifolds* r, base_text* out)
{
  json_t *o = json_object(), *list = json_array();
  const int width = 2 * r->n + 1;
  for (int i = 0; i < r->count; i++) {
    const study_manifold* c = &r->curve[i];
    json_t *one = json_object(), *points = json_array();
    for (int p = 0; p < c->points; p++) {
      json_t* row = json_array();
      for (int k = 0; k < width; k++) out_json_push(row, out_json_real(c->point[p * width + k]));
      out_json_push(points, row);
    }
    out_json_set(one, "kind", json_string(name_of(c)));
    out_json_set(one, "side", json_integer(c->side));
    out_json_set(one, r->period > 0 ? "multiplier" : "eigenvalue", out_json_real(c->rate));
    out_json_set(one, "length", out_json_real(c->length));
    out_json_set(one, "back", out_json_real(c->back));
    out_json_set(one, "ends", json_string(c->ends));
    out_json_set(one, "points", points);
    out_json_push(list, one);
  }
  out_json_set(o, "kind", json_string(r->period > 0 ? "orbit" : "equilibrium"));
  out_json_set(o, "state", state_of(r));
  out_json_set(o, "period", r->period > 0 ? out_json_real(r->period) : json_null());
  out_json_set(o, "unstable", json_integer(r->unstable));
  out_json_set(o, "stable", json_integer(r->stable));
  out_json_set(o, "curves", list);
  out_json_print(out, o, true);
}

static void write_text(const study_manifolds* r, base_text* out)
{
  out_text_plain(out, r->model->title[0] ? r->model->title : "model without a title");
  base_text_printf(out, ": manifolds of the %s motion at t = %.6g\n ",
                   r->period > 0 ? "periodic" : "steady", r->t);
  for (int k = 0; k < 2 * r->n; k++)
    base_text_printf(out, " %s%s = %.10g", r->model->coord[k % r->n].name, k < r->n ? "" : "'",
                     k < r->n ? r->q[k] : r->v[k - r->n]);
  if (r->period > 0)
    base_text_printf(out, "\n  points at multiples of its period %.10g", r->period);
  base_text_printf(out, "\n  dimensions: unstable %d, stable %d\n\n", r->unstable, r->stable);
  for (int i = 0; i < r->count; i++) {
    const study_manifold* c = &r->curve[i];
    base_text_printf(out, "  %-8s %c  %s %.10g  %d points  length %.6g", name_of(c),
                     c->side > 0 ? '+' : '-', r->period > 0 ? "multiplier" : "eigenvalue", c->rate,
                     c->points, c->length);
    base_text_printf(out, "  comes back to within %.2g\n    ends: %s\n", c->back, c->ends);
  }
}

bool out_manifolds_write(const study_manifolds* r, const char* style, base_text* out)
{
  const bool json = !strcmp(style, "json");
  if (!json && strcmp(style, "text") != 0) return false;
  if (r && json) write_json(r, out);
  if (r && !json) write_text(r, out);
  return true;
}

int out_manifolds_save(const study_manifolds* r, const char* path, base_notes* notes)
{
  base_text text = {0};
  const int width = 2 * r->n + 1;
  base_text_add(&text, "manifold,side,t");
  for (int k = 0; k < 2 * r->n; k++)
    base_text_printf(&text, ",%s%s", r->model->coord[k % r->n].name, k < r->n ? "" : "'");
  base_text_add(&text, "\n");
  for (int i = 0; i < r->count; i++)
    for (int p = 0; p < r->curve[i].points; p++) {
      const double* row = r->curve[i].point + p * width;
      base_text_printf(&text, "%s,%d,", name_of(&r->curve[i]), r->curve[i].side);
      out_number_add(&text, row[0]);
      out_numbers_add(&text, 2 * r->n, row + 1);
      base_text_add(&text, "\n");
    }
  const bool written = out_file_write(path, text.at, text.n, notes);
  base_text_free(&text);
  return written ? 0 : 1;
}

// ---- the picture --------------------------------------------------------------------------------

// the coordinate that changes most along the curves
static int shown(const study_manifolds* r)
{
  const int width = 2 * r->n + 1;
  double most = -1;
  int best = 0;
  for (int i = 0; i < r->n; i++) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < r->count; k++)
      for (int p = 0; p < r->curve[k].points; p++) {
        low = fmin(low, r->curve[k].point[p * width + 1 + i]);
        high = fmax(high, r->curve[k].point[p * width + 1 + i]);
      }
    if (high - low > most) best = i;
    most = fmax(most, high - low);
  }
  return best;
}

static void put_curves(const study_manifolds* r, int i, base_text* out)
{
  const int width = 2 * r->n + 1;
  for (int k = 0; k < r->count; k++) {
    base_text_printf(out, "$curve%d << END\n", k);
    for (int p = 0; p < r->curve[k].points; p++)
      base_text_printf(out, "%.10g %.10g\n", r->curve[k].point[p * width + 1 + i],
                       r->curve[k].point[p * width + 1 + r->n + i]);
    base_text_add(out, "END\n");
  }
  base_text_printf(out, "$saddle << END\n%.10g %.10g\nEND\n", r->q[i], r->v[i]);
}

static void script(const void* what, out_terminal terminal, const char* picture, base_text* out)
{
  const study_manifolds* r = what;
  const int i = shown(r);
  base_text label = {0};
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, picture, out);
  put_curves(r, i, out);
  base_text_add(out, "set title ");
  out_page_quoted(out, r->model->title, 80);
  base_text_add(out, " noenhanced\nset key outside below\nset grid linetype 1 linecolor "
                     "'#e4e4e4'\nset xlabel ");
  out_page_quoted(out, r->model->coord[i].name, 60);
  base_text_add(out, " noenhanced\nset ylabel ");
  base_text_printf(&label, "%s'", r->model->coord[i].name);
  out_page_quoted(out, label.at, 60);
  base_text_free(&label);
  base_text_add(out, " noenhanced\nplot ");
  for (int k = 0; k < r->count; k++)
    base_text_printf(out, "$curve%d using 1:2 with lines linewidth 1.5 linecolor '%s' title '%s', ",
                     k, r->curve[k].stable ? "#0072b2" : "#d55e00",
                     r->curve[k].side > 0 ? name_of(&r->curve[k]) : "");
  base_text_add(out, "$saddle using 1:2 with points pointtype 7 pointsize 1 linecolor 'black' "
                     "title 'saddle'\nunset output\n");
}

int out_manifolds_plot(const study_manifolds* r, const char* path, base_notes* notes)
{
  return out_plot_script(path, script, r, notes);
}
