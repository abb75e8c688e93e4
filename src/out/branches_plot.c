// The bifurcation diagram: what moves most over the param, stable parts whole, others dashed.
#include "out/branches.h"
#include "out/page.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 620, coords_shown = 3 };

static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#e69f00", "#555555"};
enum { colour_count = sizeof colours / sizeof colours[0] };

// what is drawn upwards: a coordinate, or the velocity of coordinate - n
static double height(const out_branches* b, const study_stability* r, int what)
{
  return what < b->model->coords ? r->q[what] : r->v[what - b->model->coords];
}

static double spread(const out_branches* b, int what)
{
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < b->branches->count; i++)
    for (int k = 0; k < b->branches->path[i].points; k++) {
      const double x = height(b, b->branches->path[i].point[k], what);
      low = fmin(low, x);
      high = fmax(high, x);
    }
  return high - low;
}

// the coordinate (else the velocity) that differs most over all points
static int most_spread(const out_branches* b)
{
  const int n = b->model->coords;
  int best = 0;
  double most = 0;
  for (int turn = 0; turn < 2 && !(most > 1e-9); turn++)
    for (int i = turn * n; i < (turn ? 2 * n : b->model->places); i++) {
      if (!turn && b->branches->path[0].point[0]->ignorable[i]) continue;
      const double x = spread(b, i);
      if (x > 1.000001 * most) {
        most = x;
        best = i;
      }
    }
  return best;
}

// one data block for each stretch of one verdict; neighbours share a point, so that no gap is seen
static int add_stretches(const out_branches* b, int what, base_text* out, base_text* plot)
{
  int blocks = 0;
  for (int i = 0; i < b->branches->count; i++) {
    const study_path* p = &b->branches->path[i];
    for (int from = 0; from < p->points;) {
      int to = from;
      while (to + 1 < p->points && p->point[to + 1]->verdict == p->point[from]->verdict) to++;
      base_text_printf(out, "$part%d << END\n", blocks);
      for (int k = from ? from - 1 : 0; k <= to; k++)
        base_text_printf(out, "%.10g %.10g\n", p->value[k] / b->scale,
                         height(b, p->point[k], what));
      base_text_add(out, "END\n");
      const study_stability_verdict v = p->point[from]->verdict;
      base_text_printf(plot, "%s$part%d with lines linewidth %s dashtype %s linecolor '%s' notitle",
                       blocks ? ", \\\n  " : "", blocks, v == STUDY_STABLE ? "2.5" : "1.3",
                       v == STUDY_STABLE     ? "1"
                       : v == STUDY_UNSTABLE ? "'--'"
                                             : "'.'",
                       colours[i % colour_count]);
      blocks++;
      from = to + 1;
    }
  }
  return blocks;
}

static const struct
{
  const char* kind;
  int point;
  const char* colour;
} marks[] = {{"fold", 13, "#000000"},  {"branch", 5, "#000000"},    {"hopf", 7, "#c00000"},
             {"krein", 9, "#c00000"},  {"doubling", 11, "#7030a0"}, {"torus", 65, "#7030a0"},
             {"grazing", 3, "#000000"}};

static void add_specials(const out_branches* b, int what, base_text* out, base_text* plot)
{
  for (size_t m = 0; m < sizeof marks / sizeof marks[0]; m++) {
    int count = 0;
    for (int i = 0; i < b->branches->count; i++)
      for (int k = 0; k < b->branches->path[i].specials; k++) {
        const study_special* x = &b->branches->path[i].special[k];
        if (!x->at || strcmp(x->kind, marks[m].kind) != 0) continue;
        if (!count++) base_text_printf(out, "$%s << END\n", marks[m].kind);
        base_text_printf(out, "%.10g %.10g\n", x->value / b->scale, height(b, x->at, what));
      }
    if (!count) continue;
    base_text_add(out, "END\n");
    base_text_printf(plot,
                     ", \\\n  $%s with points pointtype %d pointsize 1.1 linecolor '%s' title '%s'",
                     marks[m].kind, marks[m].point, marks[m].colour, marks[m].kind);
  }
}

static void script(const void* what, out_terminal terminal, const char* picture, base_text* out)
{
  const out_branches* b = what;
  const model* m = b->model;
  if (b->other) {
    out_loci_script(b, terminal, picture, out);
    return;
  }
  const int up = most_spread(b);
  base_text plot = {0};
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, picture, out);
  add_stretches(b, up, out, &plot);
  add_specials(b, up, out, &plot);
  base_text_add(out, "set title ");
  out_page_quoted(out, m->title, 80);
  base_text_add(out, " noenhanced\nset grid linetype 1 linecolor '#e4e4e4'\nset key outside right "
                     "top\nset xlabel ");
  out_page_quoted(out, b->name, 60);
  base_text_printf(out,
                   " noenhanced\nset xrange [%.10g:%.10g]\nset offsets 0, 0, graph 0.04, graph "
                   "0.04\nset ylabel ",
                   b->from, b->to);
  out_page_quoted(
      out, up < m->coords ? m->coord[up].name : expr_name(m->pool, m->coord[up - m->coords].v), 60);
  base_text_add(out, " noenhanced\nplot ");
  base_text_add(out, plot.at ? plot.at : "0");
  // what the lines mean, beside the marks
  base_text_add(
      out, ", \\\n  NaN with lines linewidth 2.5 linecolor '#333333' title 'stable', NaN with "
           "lines linewidth 1.3 dashtype '--' linecolor '#333333' title 'unstable', NaN with lines "
           "linewidth 1.3 dashtype '.' linecolor '#333333' title 'not decided'\nunset output\n");
  base_text_free(&plot);
}

int out_branches_plot(const out_branches* b, const char* path, base_notes* notes)
{
  return out_plot_script(path, script, b, notes);
}
