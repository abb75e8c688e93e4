// The bifurcation diagram: what moves most over the param, stable parts whole, others dashed.
#include "out/branches.h"
#include "out/page.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 620, coords_shown = 3 };
static const double near_by = 0.1; // of the range: a special point between two points of a branch

static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#e69f00", "#555555"};
enum { colour_count = sizeof colours / sizeof colours[0] };

// what is drawn upwards: a coordinate, its greatest value along periodic motions, or the velocity
// of coordinate - n
static double height(const out_branches* b, const study_stability* r, int what)
{
  if (r->period > 0 && r->swing && what < b->model->coords) return r->swing[what].most;
  return what < b->model->coords ? r->q[what] : r->v[what - b->model->coords];
}

// are greatest values drawn?
static bool is_greatest(const out_branches* b, int what)
{
  for (int i = 0; i < b->branches->count; i++)
    if (b->branches->path[i].point[0]->swing && what < b->model->coords) return true;
  return false;
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

static void add_point(const out_branches* b, double value, const study_stability* r, int what,
                      base_text* out)
{
  base_text_printf(out, "%.10g %.10g\n", value / b->scale, height(b, r, what));
}

// The special point of the path between its points k and k + 1: what parts two verdicts. Null: none
// is known.
static const study_special* between(const out_branches* b, const study_path* p, int k, int what)
{
  const study_special* best = NULL;
  double least = INFINITY;
  for (int i = 0; i < p->specials; i++) {
    const study_special* x = &p->special[i];
    if (!x->at) continue;
    const double here = height(b, x->at, what), v = x->value;
    const double low = height(b, p->point[k], what), high = height(b, p->point[k + 1], what);
    const bool beside = (v - p->value[k]) * (v - p->value[k + 1]) <= 0;
    const bool level = (here - low) * (here - high) <= 0;
    const double off = fabs(v - (p->value[k] + p->value[k + 1]) / 2);
    if ((!beside && !level) || off >= least) continue;
    best = x;
    least = off;
  }
  return least <= fabs(b->to - b->from) * b->scale * near_by ? best : NULL;
}

// where the path begins (end 0) or ends on the one it leaves: a motion that doubles its period, or
// comes to rest
static const study_special* joint(const out_branches* b, const study_path* p, int end)
{
  if (p->from < 0) return NULL;
  if (strcmp(p->ends[end], "the period doubles") != 0 &&
      strcmp(p->ends[end], "the motion shrinks to the steady one") != 0)
    return NULL;
  const study_path* parent = &b->branches->path[p->from];
  for (int i = 0; i < parent->specials; i++)
    if (parent->special[i].at && parent->special[i].value == p->from_value)
      return &parent->special[i];
  return NULL;
}

// points `from` to `to` of a path, with the special points that they begin and end at
static void add_stretch(const out_branches* b, const study_path* p, int from, int to, int what,
                        base_text* out)
{
  const study_special* first = from ? between(b, p, from - 1, what) : joint(b, p, 0);
  const study_special* last = to + 1 < p->points ? between(b, p, to, what) : joint(b, p, 1);
  if (first) add_point(b, first->value, first->at, what, out);
  // without one, neighbours share a point, so that no gap is seen
  if (from && !first) add_point(b, p->value[from - 1], p->point[from - 1], what, out);
  for (int k = from; k <= to; k++) add_point(b, p->value[k], p->point[k], what, out);
  if (last) add_point(b, last->value, last->at, what, out);
}

static const struct
{
  const char *style, *name;
} line_of[] = {[STUDY_UNSTABLE] = {"linewidth 1.3 dashtype '--'", "unstable"},
               [STUDY_MARGINAL] = {"linewidth 2 dashtype '.'", "not decided"},
               [STUDY_STABLE] = {"linewidth 2.5 dashtype 1", "stable"}};

// what the lines mean, beside the marks
static void add_lines(const out_branches* b, base_text* plot)
{
  static const study_stability_verdict order[] = {STUDY_STABLE, STUDY_UNSTABLE, STUDY_MARGINAL};
  for (size_t m = 0; m < sizeof order / sizeof order[0]; m++) {
    bool has = false;
    for (int i = 0; i < b->branches->count && !has; i++)
      for (int k = 0; k < b->branches->path[i].points && !has; k++)
        has = b->branches->path[i].point[k]->verdict == order[m];
    if (has)
      base_text_printf(plot, ", \\\n  NaN with lines %s linecolor '#333333' title '%s'",
                       line_of[order[m]].style, line_of[order[m]].name);
  }
}

// one data block for each stretch of one verdict
static int add_stretches(const out_branches* b, int what, base_text* out, base_text* plot)
{
  int blocks = 0;
  for (int i = 0; i < b->branches->count; i++) {
    const study_path* p = &b->branches->path[i];
    for (int from = 0; from < p->points;) {
      int to = from;
      while (to + 1 < p->points && p->point[to + 1]->verdict == p->point[from]->verdict) to++;
      base_text_printf(out, "$part%d << END\n", blocks);
      add_stretch(b, p, from, to, what, out);
      base_text_add(out, "END\n");
      const study_stability_verdict v = p->point[from]->verdict;
      base_text_printf(plot, "%s$part%d with lines %s linecolor '%s' notitle",
                       blocks ? ", \\\n  " : "", blocks, line_of[v].style,
                       colours[i % colour_count]);
      blocks++;
      from = to + 1;
    }
  }
  return blocks;
}

// A family at one value of the param has no end: what lies on other branches, and what is special,
// tells how high the picture is.
static void add_range(const out_branches* b, int what, base_text* out)
{
  const double range = fabs(b->to - b->from) * b->scale;
  double low = INFINITY, high = -INFINITY;
  bool family = false;
  for (int i = 0; i < b->branches->count; i++) {
    const study_path* p = &b->branches->path[i];
    const bool level = p->points > 2 &&
                       fabs(p->value[0] - p->value[p->points - 1]) < 1e-9 * range &&
                       fabs(p->value[0] - p->value[p->points / 2]) < 1e-9 * range;
    family = family || level;
    for (int k = 0; k < p->points && !level; k++) {
      low = fmin(low, height(b, p->point[k], what));
      high = fmax(high, height(b, p->point[k], what));
    }
    for (int k = 0; k < p->specials; k++) {
      if (!p->special[k].at) continue;
      low = fmin(low, height(b, p->special[k].at, what));
      high = fmax(high, height(b, p->special[k].at, what));
    }
  }
  if (!family || !(high > low)) return;
  base_text_printf(out, "set yrange [%.10g:%.10g]\n", low - 0.2 * (high - low),
                   high + 0.5 * (high - low));
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
  if (is_greatest(b, up)) base_text_add(out, "'greatest '.");
  out_page_quoted(
      out, up < m->coords ? m->coord[up].name : expr_name(m->pool, m->coord[up - m->coords].v), 60);
  base_text_add(out, " noenhanced\n");
  add_range(b, up, out);
  base_text_add(out, "plot ");
  base_text_add(out, plot.at ? plot.at : "0");
  add_lines(b, out);
  base_text_add(out, "\nunset output\n");
  base_text_free(&plot);
}

int out_branches_plot(const out_branches* b, const char* path, base_notes* notes)
{
  return out_plot_script(path, script, b, notes);
}
