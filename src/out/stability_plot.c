// Eigenvalues over a param: real parts above, imaginary parts below, critical values as lines.
#include "out/out.h"
#include "out/page.h"
#include "out/stability_chart.h"

#include <math.h>

enum { WIDTH = OUT_CHART_WIDTH, HEIGHT = OUT_CHART_HEIGHT };

static void add_data(const out_stability* s, base_text* out)
{
  base_text_add(out, "$values << END\n");
  for (int i = 0; i < s->scan->points; i++) {
    const study_stability* r = s->scan->point[i];
    if (!r) continue;
    const bool floquet = r->period > 0;
    const int count = floquet ? r->multipliers : r->count;
    for (int k = 0; k < count; k++) {
      const double re = floquet ? r->multiplier_re[k] : r->re[k],
                   im = floquet ? r->multiplier_im[k] : r->im[k];
      base_text_printf(out, "%.10g %.10g %.10g\n", s->scan->value[i], floquet ? hypot(re, im) : re,
                       floquet ? atan2(im, re) : im);
    }
  }
  base_text_add(out, "END\n");
}

static void script(const void* what, out_terminal terminal, const char* picture, base_text* out)
{
  const out_stability* s = what;
  const bool floquet = s->at->period > 0;
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, picture, out);
  add_data(s, out);
  base_text_add(out, "set multiplot layout 2,1 title ");
  out_page_quoted(out, s->at->model->title, 80);
  base_text_add(out, " noenhanced\nset grid linetype 1 linecolor '#e4e4e4'\nunset key\n");
  base_text_add(out, "set xlabel ");
  out_page_quoted(out, s->over, 60);
  base_text_printf(out, " noenhanced\nset xrange [%.10g:%.10g]\n", s->scan->value[0],
                   s->scan->value[s->scan->points - 1]);
  for (int i = 0; i < s->scan->criticals; i++)
    base_text_printf(out,
                     "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead linecolor '#d55e00' "
                     "dashtype 2\n",
                     s->scan->critical[i].value, s->scan->critical[i].value);
  base_text_printf(out,
                   "set ylabel '%s'\nplot %d with lines linecolor '#808080', $values using 1:2 "
                   "with points pointtype 7 pointsize 0.3 linecolor '#0072b2'\n",
                   floquet ? "modulus" : "real part", floquet ? 1 : 0);
  base_text_printf(out,
                   "set ylabel '%s'\nplot $values using 1:3 with points pointtype 7 pointsize 0.3 "
                   "linecolor '#0072b2'\nunset multiplot\nunset output\n",
                   floquet ? "argument" : "imaginary part");
}

int out_stability_plot(const out_stability* s, const char* path, base_notes* notes)
{
  return out_plot_script(path, s->rows ? out_stability_chart : script, s, notes);
}
