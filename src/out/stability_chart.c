// The chart of stability over two params.
//
// Each row has its critical values to many digits, so that its parts are drawn from one to the
// next, however few motions were looked at between them. Borders of two rows with the same on both
// sides belong together and are joined by slanted lines. What lies between two such lines is one
// part of one row mostly; parts of the other row that are unlike it close to a point there, as
// tongues do. Where both rows have several, each is drawn to half way.
#include "out/stability_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { verdicts = 3, none = -1 };   // unstable, marginal, stable; and no motion
static const double farthest = 0.2; // of the range: a border from row to row; and what one costs
                                    // that is left alone

typedef struct parts
{
  int count;
  double* end; // count + 1, ascending
  int* verdict;
} parts;

static int by_size(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// What is said of the motions between two borders: at the one in the middle of those looked at;
// `unseen` where none was.
static int verdict_between(const study_scan* s, double from, double to, int unseen)
{
  const double middle = (from + to) / 2;
  int best = -1;
  for (int i = 0; i < s->points; i++)
    if (s->value[i] >= from && s->value[i] <= to &&
        (best < 0 || fabs(s->value[i] - middle) < fabs(s->value[best] - middle)))
      best = i;
  if (best < 0) return unseen;
  return s->point[best] ? (int)s->point[best]->verdict : none;
}

// what lies above a border, and below it, as far as its direction tells
static int beside(const study_scan* s, double value, bool above)
{
  for (int i = 0; i < s->criticals; i++)
    if (s->critical[i].value == value)
      return s->critical[i].rising == above ? STUDY_UNSTABLE : STUDY_STABLE;
  return none;
}

static parts parts_of(const study_scan* s)
{
  parts p = {0};
  if (!s) return p;
  const double from = s->value[0], to = s->value[s->points - 1];
  p.end = base_alloc(sizeof(double) * (size_t)(s->criticals + 2));
  p.verdict = base_alloc(sizeof(int) * (size_t)(s->criticals + 1));
  p.end[0] = from;
  for (int i = 0; i < s->criticals; i++)
    if (s->critical[i].value > from && s->critical[i].value < to)
      p.end[++p.count] = s->critical[i].value;
  p.end[++p.count] = to;
  qsort(p.end, (size_t)(p.count + 1), sizeof(double), by_size);
  for (int k = 0; k < p.count; k++) {
    const int unseen = k ? beside(s, p.end[k], true) : beside(s, p.end[k + 1], false);
    p.verdict[k] = verdict_between(s, p.end[k], p.end[k + 1], unseen);
  }
  return p;
}

// How far two borders are apart, over the range; infinite where other things lie beside them.
static double apart(const parts* a, int i, const parts* b, int j)
{
  const double range = a->end[a->count] - a->end[0];
  if (a->verdict[i - 1] != b->verdict[j - 1] || a->verdict[i] != b->verdict[j]) return INFINITY;
  const double off = fabs(a->end[i] - b->end[j]) / range;
  return off < farthest ? off : INFINITY;
}

// For each border of a the one of b that belongs to it, or 0: in order, as many and as near to each
// other as can be. That is the cheapest way through both, where one left alone costs `farthest`.
static void match(const parts* a, const parts* b, int* with)
{
  const int n = a->count, m = b->count, wide = m + 1;
  double* cost = base_alloc(sizeof(double) * (size_t)((n + 1) * wide));
  for (int i = n; i >= 1; i--)
    for (int j = m; j >= 1; j--) {
      double* c = &cost[i * wide + j];
      *c = (n - i + m - j) * farthest;
      if (i == n || j == m) continue;
      *c = farthest + fmin(cost[(i + 1) * wide + j], cost[i * wide + j + 1]);
      *c = fmin(*c, farthest + apart(a, i, b, j) / 2 + cost[(i + 1) * wide + j + 1]);
    }
  memset(with, 0, sizeof(int) * (size_t)(n + 1));
  for (int i = 1, j = 1; i < n && j < m;) {
    const double here = cost[i * wide + j];
    if (farthest + apart(a, i, b, j) / 2 + cost[(i + 1) * wide + j + 1] <= here)
      with[i++] = j++;
    else if (farthest + cost[(i + 1) * wide + j] <= here)
      i++;
    else
      j++;
  }
  free(cost);
}

// parts from number `first` to before `last` of a row
static parts some(const parts* p, int first, int last)
{
  return (parts){last - first, p->end + first, p->verdict + first};
}

// Where part k of a closes to in the one part of b, which it is unlike: its middle, or the end of
// the range that it lies at
static double point_of(const parts* a, int k, const parts* b)
{
  const double from = a->end[0], to = a->end[a->count];
  if (k == 0) return b->end[0];
  if (k == a->count - 1) return b->end[1];
  const double share = ((a->end[k] + a->end[k + 1]) / 2 - from) / (to - from);
  return b->end[0] + share * (b->end[1] - b->end[0]);
}

// Parts of a between the borders of b, which is one part: unlike ones are a point there. False
// where none is alike.
static bool close_up(const parts* a, const parts* b, double* end)
{
  bool any = false;
  end[0] = b->end[0];
  end[a->count] = b->end[1];
  for (int k = 0; k < a->count; k++) any = any || a->verdict[k] == b->verdict[0];
  for (int k = 1; k < a->count; k++)
    end[k] = point_of(a, a->verdict[k - 1] == b->verdict[0] ? k : k - 1, b);
  return any;
}

// the parts of a verdict from the height y of one row to that of another
static void add_band(const parts* a, double y, const parts* b, double z, int verdict,
                     base_text* out)
{
  for (int k = 0; k < a->count; k++)
    if (a->verdict[k] == verdict)
      base_text_printf(out, "%.10g %.10g\n%.10g %.10g\n%.10g %.10g\n%.10g %.10g\n\n", a->end[k], y,
                       a->end[k + 1], y, b->end[k + 1], z, b->end[k], z);
}

// the parts of a row half way to another, between borders that go on
static void add_half(const parts* a, double y, const parts* b, double z, int verdict,
                     base_text* out)
{
  const int n = a->count;
  double* end = base_alloc(sizeof(double) * (size_t)(n + 1));
  const double from = (a->end[0] + b->end[0]) / 2, to = (a->end[n] + b->end[b->count]) / 2;
  for (int k = 0; k <= n; k++)
    end[k] = from + (a->end[k] - a->end[0]) / (a->end[n] - a->end[0]) * (to - from);
  const parts half = {n, end, a->verdict};
  add_band(a, y, &half, (y + z) / 2, verdict, out);
  free(end);
}

// what lies between two borders that go on from row to row
static void add_between(const parts* a, double y, const parts* b, double z, int verdict,
                        base_text* out)
{
  const bool down = b->count == 1;
  const parts *more = down ? a : b, *one = down ? b : a;
  double* end = base_alloc(sizeof(double) * (size_t)(more->count + 1));
  if (one->count == 1 && close_up(more, one, end)) {
    const parts closed = {more->count, end, more->verdict};
    add_band(more, down ? y : z, &closed, down ? z : y, verdict, out);
  } else {
    add_half(a, y, b, z, verdict, out);
    add_half(b, z, a, y, verdict, out);
  }
  free(end);
}

static void add_rows(const parts* a, double y, const parts* b, double z, int verdict,
                     base_text* out)
{
  if (!b->count) add_band(a, y, a, (y + z) / 2, verdict, out);
  if (!a->count) add_band(b, (y + z) / 2, b, z, verdict, out);
  if (!a->count || !b->count) return;
  int* with = base_alloc(sizeof(int) * (size_t)(a->count + 1));
  match(a, b, with);
  with[a->count] = b->count;
  for (int i = 1, from = 0, to = 0; i <= a->count; i++) {
    if (!with[i]) continue;
    const parts one = some(a, from, i), other = some(b, to, with[i]);
    add_between(&one, y, &other, z, verdict, out);
    from = i;
    to = with[i];
  }
  free(with);
}

static void add_borders(const out_stability* s, base_text* out)
{
  base_text_add(out, "$borders << END\n");
  for (int j = 0; j < s->rows; j++)
    for (int i = 0; s->row[j] && i < s->row[j]->criticals; i++)
      base_text_printf(out, "%.10g %.10g\n", s->row[j]->critical[i].value, s->row_at[j]);
  base_text_add(out, "END\n");
}

// one block of polygons for each verdict that there is
static void add_areas(const out_stability* s, bool* has, base_text* out)
{
  parts* row = base_alloc(sizeof *row * (size_t)s->rows);
  for (int j = 0; j < s->rows; j++) row[j] = parts_of(s->row[j]);
  for (int v = 0; v < verdicts; v++) {
    base_text area = {0};
    for (int j = 0; j + 1 < s->rows; j++) {
      const double y = s->row_at[j], z = s->row_at[j + 1];
      add_rows(&row[j], y, &row[j + 1], z, v, &area);
    }
    has[v] = area.n > 0;
    if (has[v]) base_text_printf(out, "$area%d << END\n%.*sEND\n", v, (int)area.n, area.at);
    base_text_free(&area);
  }
  for (int j = 0; j < s->rows; j++) {
    free(row[j].end);
    free(row[j].verdict);
  }
  free(row);
}

static bool has_borders(const out_stability* s)
{
  for (int j = 0; j < s->rows; j++)
    if (s->row[j] && s->row[j]->criticals) return true;
  return false;
}

void out_stability_chart(const void* what, out_terminal terminal, const char* picture,
                         base_text* out)
{
  static const char* const look[verdicts][2] = {
      {"unstable", "#d55e00"}, {"marginal", "#f0e442"}, {"stable", "#56b4e9"}};
  const out_stability* s = what;
  bool has[verdicts];
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(OUT_CHART_WIDTH, OUT_CHART_HEIGHT, terminal, picture, out);
  add_areas(s, has, out);
  if (has_borders(s)) add_borders(s, out);
  base_text_add(out, "set title ");
  out_page_quoted(out, s->at->model->title, 80);
  base_text_add(out, " noenhanced\nset xlabel ");
  out_page_quoted(out, s->over, 60);
  base_text_add(out, " noenhanced\nset ylabel ");
  out_page_quoted(out, s->second, 60);
  base_text_printf(out, " noenhanced\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n",
                   s->scan->value[0], s->scan->value[s->scan->points - 1], s->row_at[0],
                   s->row_at[s->rows - 1]);
  base_text_add(out, "set key outside bottom center horizontal\nset tics front\nplot ");
  for (int v = 0; v < verdicts; v++)
    if (has[v])
      base_text_printf(
          out,
          "$area%d using 1:2 with filledcurves closed fillcolor rgb '%s' fillstyle solid border "
          "linecolor rgb '%s' title '%s', ",
          v, look[v][1], look[v][1], look[v][0]);
  if (has_borders(s))
    base_text_add(out, "$borders using 1:2 with points pointtype 7 pointsize 0.3 linecolor 'black' "
                       "title 'critical values'");
  else
    base_text_add(out, "NaN notitle");
  base_text_add(out, "\nunset output\n");
}
