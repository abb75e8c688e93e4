// Exponents as text or JSON, sections as a table and a picture.
#include <math.h>
#include <string.h>

#include "out/file.h"
#include "out/json_text.h"
#include "out/number.h"
#include "out/out.h"
#include "out/page.h"
#include "out/text.h"

enum { WIDTH = 800, HEIGHT = 720 };

static void write_json(const study_chaos* r, base_text* out)
{
  json_t *o = json_object(), *list = json_array();
  for (int i = 0; i < r->exponents; i++) {
    json_t* one = json_object();
    out_json_set(one, "value", out_json_real(r->value[i]));
    out_json_set(one, "error", out_json_real(r->error[i]));
    out_json_push(list, one);
  }
  out_json_set(o, "exponents", list);
  out_json_set(o, "dimension", out_json_real(r->dimension));
  out_json_set(o, "chaotic", json_boolean(r->chaotic));
  out_json_set(o, "sum", out_json_real(r->sum));
  out_json_set(o, "from", out_json_real(r->from));
  out_json_set(o, "to", out_json_real(r->to));
  out_json_set(o, "counted", out_json_real(r->counted));
  out_json_set(o, "section_points", json_integer(r->points));
  out_json_print(out, o, true);
}

static void write_text(const study_chaos* r, base_text* out)
{
  out_text_plain(out, r->model->title[0] ? r->model->title : "model without a title");
  base_text_printf(out, ": exponents over %.6g s of t = %.6g .. %.6g\n\n", r->counted, r->from,
                   r->to);
  for (int i = 0; i < r->exponents; i++)
    if (isinf(r->value[i]))
      base_text_add(out, "          -inf  changes of the state are lost, as where things stick\n");
    else if (isfinite(r->error[i]))
      base_text_printf(out, "  %12.6g  +- %.2g\n", r->value[i], r->error[i]);
    else
      base_text_printf(out, "  %12.6g  its error is not known: the motion is too short\n",
                       r->value[i]);
  base_text_printf(out, "\nsum        %.6g\ndimension  %.5g (Kaplan, Yorke)\n", r->sum,
                   r->dimension);
  if (r->chaotic)
    base_text_add(out, "the largest is above zero: chaotic, as far as was followed\n");
  else
    base_text_add(out, "none is clearly above zero: no chaos seen\n");
  if (r->points) base_text_printf(out, "%d points on the section\n", r->points);
}

bool out_chaos_write(const study_chaos* r, const char* style, base_text* out)
{
  const bool json = !strcmp(style, "json");
  if (!json && strcmp(style, "text") != 0) return false;
  if (r && json) write_json(r, out);
  if (r && !json) write_text(r, out);
  return true;
}

// ---- sections -----------------------------------------------------------------------------------

static void table(const study_chaos* r, base_text* out)
{
  base_text_add(out, "t");
  for (int k = 0; k < 2 * r->n; k++)
    base_text_printf(out, ",%s%s", r->model->coord[k % r->n].name, k < r->n ? "" : "'");
  base_text_add(out, "\n");
  for (int p = 0; p < r->points; p++) {
    const double* row = r->point + p * (2 * r->n + 1);
    out_number_add(out, row[0]);
    out_numbers_add(out, 2 * r->n, row + 1);
    base_text_add(out, "\n");
  }
}

int out_chaos_save(const study_chaos* r, const char* path, base_notes* notes)
{
  base_text text = {0};
  table(r, &text);
  const bool written = out_file_write(path, text.at, text.n, notes);
  base_text_free(&text);
  return written ? 0 : 1;
}

// the first coordinate that is not the same everywhere on the section
static int shown(const study_chaos* r)
{
  const int width = 2 * r->n + 1;
  for (int i = 0; i < r->n; i++) {
    double low = INFINITY, high = -INFINITY, speed = 0;
    for (int p = 0; p < r->points; p++) {
      low = fmin(low, r->point[p * width + 1 + i]);
      high = fmax(high, r->point[p * width + 1 + i]);
      speed = fmax(speed, fabs(r->point[p * width + 1 + r->n + i]));
    }
    if (high - low > 1e-6 * (fabs(low) + fabs(high) + speed)) return i;
  }
  return 0;
}

static void script(const void* what, out_terminal terminal, const char* picture, base_text* out)
{
  const study_chaos* r = what;
  const int i = shown(r), width = 2 * r->n + 1;
  base_text label = {0};
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, picture, out);
  base_text_add(out, "$section << END\n");
  for (int p = 0; p < r->points; p++)
    base_text_printf(out, "%.10g %.10g\n", r->point[p * width + 1 + i],
                     r->point[p * width + 1 + r->n + i]);
  base_text_add(out, "END\nset title ");
  out_page_quoted(out, r->model->title, 80);
  base_text_add(out,
                " noenhanced\nunset key\nset grid linetype 1 linecolor '#e4e4e4'\nset xlabel ");
  out_page_quoted(out, r->model->coord[i].name, 60);
  base_text_add(out, " noenhanced\nset ylabel ");
  base_text_printf(&label, "%s'", r->model->coord[i].name);
  out_page_quoted(out, label.at, 60);
  base_text_free(&label);
  base_text_add(out, " noenhanced\nplot $section using 1:2 with points pointtype 7 pointsize 0.25 "
                     "linecolor '#0072b2'\nunset output\n");
}

int out_chaos_plot(const study_chaos* r, const char* path, base_notes* notes)
{
  return out_plot_script(path, script, r, notes);
}
