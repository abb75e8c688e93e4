// Curves of special points in two params: text, CSV and the picture in their plane.
#include "out/branches.h"
#include "out/csv.h"
#include "out/number.h"
#include "out/text.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 620 };

// ---- text ---------------------------------------------------------------------------------------

static void put_number(base_text* out, const char* before, double x, int digits)
{
  base_text_add(out, before);
  out_text_number(out, x, digits);
}

static void put_place(const out_branches* b, double p, double q, int digits, base_text* out)
{
  out_text_plain(out, b->name);
  put_number(out, " = ", p / b->scale, digits);
  base_text_add(out, ", ");
  out_text_plain(out, b->other);
  put_number(out, " = ", q / b->other_scale, digits);
}

void out_loci_text(const out_branches* b, base_text* out)
{
  const study_branches* all = b->branches;
  base_text_printf(out, "\n%d curve%s over ", all->loci, all->loci == 1 ? "" : "s");
  out_text_plain(out, b->name);
  base_text_add(out, " and ");
  out_text_plain(out, b->other);
  base_text_add(out, "\n");
  for (int i = 0; i < all->loci; i++) {
    const study_locus* x = &all->locus[i];
    base_text_printf(out, "\n  %d: %s, %d points, from branch %d\n", i + 1, x->kind, x->points,
                     x->branch + 1);
    for (int k = 0; k < x->specials; k++) {
      base_text_printf(out, "    %-16s ", x->special[k].kind);
      put_place(b, x->special[k].a, x->special[k].b, 12, out);
      for (int j = 0; j < 2 && isfinite(x->special[k].form[j]); j++)
        put_number(out, j ? ", b = " : "  normal form a = ", x->special[k].form[j], 10);
      out_branches_put_state(b->model, x->special[k].at, out);
      base_text_add(out, "\n");
    }
    for (int k = 0; k < 2; k++) {
      const int at = k ? x->points - 1 : 0;
      base_text_add(out, k ? "    ends at " : "    begins at ");
      put_place(b, x->a[at], x->b[at], 12, out);
      base_text_printf(out, ": %s\n", x->ends[k]);
    }
  }
}

// ---- CSV ----------------------------------------------------------------------------------------

static void put_row(const out_branches* b, int curve, const char* kind, const char* special,
                    double p, double q, const study_stability* r, base_text* out)
{
  base_text_printf(out, "%d,%s,%s", curve + 1, kind, special);
  out_numbers_add(out, 2, (double[]){p / b->scale, q / b->other_scale});
  out_numbers_add(out, b->model->places, r->q);
  out_numbers_add(out, r->n, r->v);
  base_text_add(out, ",");
  if (r->period > 0) out_number_add(out, r->period);
  base_text_add(out, "\n");
}

void out_loci_csv(const out_branches* b, base_text* out)
{
  const model* m = b->model;
  base_text_add(out, "curve,kind,special,");
  out_csv_field(out, b->name);
  base_text_add(out, ",");
  out_csv_field(out, b->other);
  for (int i = 0; i < m->places; i++) {
    base_text_add(out, ",");
    out_csv_field(out, m->coord[i].name);
  }
  for (int i = 0; i < m->coords; i++) {
    base_text_add(out, ",");
    out_csv_field(out, expr_name(m->pool, m->coord[i].v));
  }
  base_text_add(out, ",period\n");
  for (int i = 0; i < b->branches->loci; i++) {
    const study_locus* x = &b->branches->locus[i];
    for (int k = 0; k < x->points; k++)
      put_row(b, i, x->kind, "", x->a[k], x->b[k], x->point[k], out);
    for (int k = 0; k < x->specials; k++)
      put_row(b, i, x->kind, x->special[k].kind, x->special[k].a, x->special[k].b, x->special[k].at,
              out);
  }
}

// ---- the picture --------------------------------------------------------------------------------

static const struct
{
  const char *kind, *colour;
} lines[] = {
    {"fold", "#0072b2"}, {"hopf", "#d55e00"}, {"doubling", "#7030a0"}, {"torus", "#009e73"}};
enum { line_kinds = sizeof lines / sizeof lines[0] };

static const char* colour_of(const char* kind)
{
  for (int i = 0; i < line_kinds; i++)
    if (!strcmp(kind, lines[i].kind)) return lines[i].colour;
  return "#333333";
}

// special points with their names beside them
static void add_specials(const out_branches* b, base_text* out, base_text* plot)
{
  int count = 0;
  for (int i = 0; i < b->branches->loci; i++)
    for (int k = 0; k < b->branches->locus[i].specials; k++) {
      const study_locus_point* x = &b->branches->locus[i].special[k];
      if (!count++) base_text_add(out, "$special << END\n");
      base_text_printf(out, "%.10g %.10g \"%s\"\n", x->a / b->scale, x->b / b->other_scale,
                       x->kind);
    }
  if (!count) return;
  base_text_add(out, "END\n");
  base_text_add(plot, ", \\\n  $special with points pointtype 7 pointsize 1 linecolor '#000000' "
                      "notitle, $special using 1:2:3 with labels offset character 1, character 0.8 "
                      "left noenhanced notitle");
}

void out_loci_script(const out_branches* b, out_terminal terminal, const char* picture,
                     base_text* out)
{
  base_text plot = {0};
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, picture, out);
  for (int i = 0; i < b->branches->loci; i++) {
    const study_locus* x = &b->branches->locus[i];
    base_text_printf(out, "$curve%d << END\n", i);
    for (int k = 0; k < x->points; k++)
      base_text_printf(out, "%.10g %.10g\n", x->a[k] / b->scale, x->b[k] / b->other_scale);
    base_text_add(out, "END\n");
    base_text_printf(&plot, "%s$curve%d with lines linewidth 2 linecolor '%s' notitle",
                     i ? ", \\\n  " : "", i, colour_of(x->kind));
  }
  if (!b->branches->loci) base_text_add(&plot, "NaN notitle");
  add_specials(b, out, &plot);
  for (int i = 0; i < line_kinds; i++)
    base_text_printf(&plot, ", \\\n  NaN with lines linewidth 2 linecolor '%s' title '%s'",
                     lines[i].colour, lines[i].kind);
  base_text_add(out, "set title ");
  out_page_quoted(out, b->model->title, 80);
  base_text_add(out, " noenhanced\nset grid linetype 1 linecolor '#e4e4e4'\nset key outside right "
                     "top\nset xlabel ");
  out_page_quoted(out, b->name, 60);
  base_text_add(out, " noenhanced\nset ylabel ");
  out_page_quoted(out, b->other, 60);
  base_text_printf(out, " noenhanced\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nplot ",
                   b->from, b->to, b->other_from, b->other_to);
  base_text_add(out, plot.at);
  base_text_add(out, "\nunset output\n");
  base_text_free(&plot);
}
