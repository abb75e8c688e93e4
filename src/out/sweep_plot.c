// A picture of a sweep: results as curves over one axis, or the first result as colours over two.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/page.h"
#include "out/sweep_rows.h"
#include "out/sweep_table.h"

enum { WIDTH = 800, HEIGHT = 600, most_curves = 6 };
static const int64_t most_points = 4000000;

typedef struct picture
{
  const out_sweep_head* h;
  const sweep_plan* plan;
  const out_sweep* table;
  int axes, axis[2]; // that take more than one value
  int results, result[most_curves];
  bool basins; // colours are basins
  base_text* out;
  double last_x; // of a map on a grid: an empty line between its columns
} picture;

static int moving_axes(const sweep_plan* p, int* axis)
{
  int count = 0;
  for (int i = 0; i < p->axes; i++)
    if (p->axis[i].kind == SWEEP_SAMPLED || p->axis[i].count > 1) {
      if (count < 2) axis[count] = i;
      count++;
    }
  return count;
}

int out_sweep_plot_check(const sweep_plan* p, const char* table, const char* path,
                         base_notes* notes)
{
  int axis[2];
  const int count = moving_axes(p, axis);
  if (!strcmp(table, "-")) {
    base_error(notes, BASE_NOWHERE, "--plot draws the rows of a file: give one with --out");
    return 1;
  }
  if (count < 1 || count > 2) {
    base_error(notes, BASE_NOWHERE, "--plot draws over one or two axes; this sweep has %d", count);
    return 1;
  }
  if (sweep_plan_runs(p) > most_points) {
    base_error(notes, BASE_NOWHERE, "--plot draws at most %lld runs", (long long)most_points);
    return 1;
  }
  return out_plot_check(path, notes);
}

// the time at the end is hardly ever what one wants to see
static void choose_results(picture* p)
{
  for (int i = 0; i < p->h->results && p->results < most_curves; i++)
    if (strcmp(p->h->result[i], "t") != 0) p->result[p->results++] = i;
  if (!p->results) p->result[p->results++] = 0;
  if (p->axes == 2) p->results = 1;
  p->basins = p->axes == 2 && p->h->basins;
}

static void add_row(void* context, const double* numbers, int basin)
{
  picture* p = context;
  const double x = numbers[p->axis[0]];
  if (p->axes == 2 && !isnan(p->last_x) && x != p->last_x) base_text_add(p->out, "\n");
  p->last_x = x;
  for (int i = 0; i < p->axes; i++) base_text_printf(p->out, "%.10g ", numbers[p->axis[i]]);
  if (p->basins)
    base_text_printf(p->out, "%d", basin);
  else
    for (int i = 0; i < p->results; i++)
      base_text_printf(p->out, "%.10g ", numbers[p->h->axes + p->result[i]]);
  base_text_add(p->out, "\n");
}

static void add_range(picture* p, const char* letter, int i)
{
  const sweep_axis* a = &p->plan->axis[p->axis[i]];
  base_text_printf(p->out, "set %slabel ", letter);
  out_page_quoted(p->out, a->name, 60);
  base_text_add(p->out, " noenhanced\n");
  if (a->logarithmic) base_text_printf(p->out, "set logscale %s\n", letter);
}

static void add_map(picture* p)
{
  const sweep_axis *a = &p->plan->axis[p->axis[0]], *b = &p->plan->axis[p->axis[1]];
  const bool even =
      a->kind == SWEEP_GRID && b->kind == SWEEP_GRID && !a->logarithmic && !b->logarithmic;
  add_range(p, "y", 1);
  base_text_add(p->out, "set cblabel ");
  out_page_quoted(p->out, p->basins ? "basin" : p->h->result[p->result[0]], 60);
  base_text_add(p->out, " noenhanced\nunset key\nset autoscale xfix\nset autoscale yfix\n");
  if (p->basins) {
    base_text_add(p->out, "set cbtics (");
    for (int i = 0; i < p->h->basins; i++) {
      if (i) base_text_add(p->out, ", ");
      out_page_quoted(p->out, p->h->basin[i], 30);
      base_text_printf(p->out, " %d", i);
    }
    base_text_add(p->out, ")\n");
  }
  base_text_printf(p->out, "plot $rows using 1:2:3 with %s\n",
                   even ? "image pixels" : "points pointtype 5 pointsize 0.6 palette");
}

static void add_curves(picture* p)
{
  const bool sampled = p->plan->axis[p->axis[0]].kind == SWEEP_SAMPLED;
  base_text_add(p->out, "plot ");
  for (int i = 0; i < p->results; i++) {
    base_text_printf(p->out, "%s$rows using 1:%d with %s title ", i ? ", " : "", i + 2,
                     sampled ? "points pointtype 7 pointsize 0.3" : "lines linewidth 2");
    out_page_quoted(p->out, p->h->result[p->result[i]], 40);
    base_text_add(p->out, " noenhanced");
  }
  base_text_add(p->out, "\n");
}

static void script(const void* what, out_terminal terminal, const char* name, base_text* out)
{
  picture p = *(const picture*)what;
  p.out = out;
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, name, out);
  base_text_add(out, "set datafile missing 'nan'\n$rows << END\n");
  out_sweep_read(p.table, add_row, &p);
  base_text_add(out, "END\nset title ");
  out_page_quoted(out, p.h->title, 80);
  base_text_add(out, " noenhanced\nset grid linetype 1 linecolor '#e4e4e4'\n");
  add_range(&p, "x", 0);
  if (p.axes == 2)
    add_map(&p);
  else
    add_curves(&p);
  base_text_add(out, "unset output\n");
}

int out_sweep_plot(out_sweep* s, const sweep_plan* plan, const char* path, base_notes* notes)
{
  picture p = {.h = &s->head, .plan = plan, .table = s, .last_x = NAN};
  p.axes = moving_axes(plan, p.axis);
  choose_results(&p);
  return out_plot_script(path, script, &p, notes);
}
