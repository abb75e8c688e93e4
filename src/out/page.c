// What a picture shows: the plots of the model, or every coordinate over time when it names none.
#include "out/page.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/text.h"

enum { PANELS_MOST = 36 };

// where the numbers of a panel stand in the tables of the tracks
typedef struct source
{
  bool from_curves; // the finer table of the plots, else the main one
  int x, lines;
  const int* y;
  int event; // rows of this event alone; -1: all
} source;

// ---- labels -------------------------------------------------------------------------------------

// length of a label without its unit: "eta [m]" -> 3
static size_t name_length(const char* label)
{
  size_t n = strlen(label);
  const char* open = strrchr(label, '[');
  if (n == 0 || label[n - 1] != ']' || !open || open == label) return n;
  n = (size_t)(open - label);
  while (n > 0 && label[n - 1] == ' ') n--;
  return n;
}

static const char* unit_part(const char* label)
{
  return label + name_length(label);
}

static bool same_unit(int n, const char* const* label)
{
  for (int i = 1; i < n; i++)
    if (strcmp(unit_part(label[i]), unit_part(label[0])) != 0) return false;
  return true;
}

// all curves on one axis: "a, b [m]"; nothing where the units differ or the names are too long
static const char* axis_label(base_arena* a, int n, const char* const* label)
{
  if (n == 1) return label[0];
  if (!same_unit(n, label)) return "";
  base_text t = {0};
  for (int i = 0; i < n; i++) {
    if (i > 0) base_text_add(&t, ", ");
    base_text_addn(&t, label[i], name_length(label[i]));
  }
  if (t.n > 40) t.n = 0, t.at[0] = 0;
  const char* unit = unit_part(label[0]);
  base_text_add(&t, t.n ? unit : unit + strspn(unit, " "));
  const char* result = base_arena_strdup(a, t.at);
  base_text_free(&t);
  return result;
}

// "eta", "L5 = 0.65", or "eta, L5 = 0.65"
static const char* legend(base_arena* a, const out_runs* r, int run, int n,
                          const char* const* label, int line)
{
  base_text t = {0};
  base_text_add(&t, "");
  if (n > 1)
    base_text_addn(&t, label[line],
                   same_unit(n, label) ? name_length(label[line]) : strlen(label[line]));
  if (r->count > 1) {
    if (t.n) base_text_add(&t, ", ");
    if (r->varied) {
      out_text_plain(&t, r->varied);
      base_text_add(&t, " = ");
      out_text_number(&t, r->value[run], 6);
    } else {
      base_text_printf(&t, "run %d", run + 1);
    }
  }
  const char* result = base_arena_strdup(a, t.at);
  base_text_free(&t);
  return result;
}

// ---- ranges -------------------------------------------------------------------------------------

static void widen(double* low, double* high, double x)
{
  if (!isfinite(x)) return;
  if (!(x >= *low)) *low = x;
  if (!(x <= *high)) *high = x;
}

// A range that is only rounding noise around a value is drawn as the constant it is.
static void make_room(double* low, double* high, double margin)
{
  double size = fmax(fabs(*low), fabs(*high)), span = *high - *low;
  if (size == 0) {
    *low = -1;
    *high = 1;
  } else if (span <= 1e-9 * size) {
    *low -= 0.1 * size;
    *high += 0.1 * size;
  } else {
    *low -= margin * span;
    *high += margin * span;
  }
}

// on equal scales a nearly straight path still gets a picture of some height
static void at_least(double* low, double* high, double span)
{
  double lack = span - (*high - *low);
  if (lack <= 0) return;
  *low -= lack / 2;
  *high += lack / 2;
}

static void find_ranges(out_panel* p)
{
  double range[4] = {NAN, NAN, NAN, NAN};
  for (int c = 0; c < p->curves; c++)
    for (int i = 0; i < p->curve[c].n; i++) {
      double x = p->curve[c].x[i], y = p->curve[c].y[i];
      if (!isfinite(x) || !isfinite(y)) continue;
      widen(&range[0], &range[1], x);
      widen(&range[2], &range[3], y);
    }
  p->empty = isnan(range[0]);
  if (p->empty) range[0] = range[2] = 0, range[1] = range[3] = 1;
  make_room(&range[0], &range[1], p->path ? 0.04 : 0);
  make_room(&range[2], &range[3], 0.06);
  if (p->same_scale) {
    double x_span = range[1] - range[0], y_span = range[3] - range[2];
    at_least(&range[0], &range[1], y_span / 3);
    at_least(&range[2], &range[3], x_span / 3);
  }
  p->x_min = range[0];
  p->x_max = range[1];
  p->y_min = range[2];
  p->y_max = range[3];
}

// ---- panels -------------------------------------------------------------------------------------

static void fill_curve(out_page* page, const walk_track* t, const source* s, int line, out_curve* c)
{
  const walk_table* table = s->from_curves ? &t->curves : &t->table;
  c->n = 0;
  c->x = base_arena_take(page->arena, ((size_t)table->rows + 1) * sizeof(double));
  c->y = base_arena_take(page->arena, ((size_t)table->rows + 1) * sizeof(double));
  assert(s->x < table->width && s->y[line] < table->width);
  for (int i = 0; i < table->rows; i++) {
    const double* row = table->value + (size_t)i * (size_t)table->width;
    if (s->event >= 0 && table->event[i] != s->event) continue;
    c->x[c->n] = row[s->x];
    c->y[c->n++] = row[s->y[line]];
  }
}

static void fill_panel(out_page* page, const out_runs* r, const source* s,
                       const char* const* y_label, out_panel* p)
{
  p->y_label = axis_label(page->arena, s->lines, y_label);
  p->curves = r->count * s->lines;
  p->curve = base_arena_take(page->arena, (size_t)p->curves * sizeof *p->curve);
  for (int run = 0; run < r->count; run++)
    for (int line = 0; line < s->lines; line++) {
      out_curve* c = &p->curve[run * s->lines + line];
      c->run = run;
      c->line = line;
      c->label = legend(page->arena, r, run, s->lines, y_label, line);
      fill_curve(page, r->track[run], s, line, c);
    }
  find_ranges(p);
  for (int i = 0; i < p->curves; i++) {
    out_curve* c = &p->curve[i];
    c->n = out_page_thin(c->n, c->x, c->y, p->x_max - p->x_min, p->y_max - p->y_min, !p->path);
  }
}

// the model's own plots; the finer table holds t, then x, y1, y2, ... of each
static void take_plots(out_page* page, const out_runs* r)
{
  const model* m = r->track[0]->model;
  int column = 1;
  for (int i = 0; i < page->panels; i++) {
    const model_plot* plot = &m->plot[i];
    out_panel* p = &page->panel[i];
    int* y = base_arena_take(page->arena, (size_t)plot->curves * sizeof *y);
    const char** label = base_arena_take(page->arena, (size_t)plot->curves * sizeof *label);
    for (int k = 0; k < plot->curves; k++) {
      y[k] = column + 1 + k;
      label[k] = out_text_clean(page->arena, plot->y_label[k]);
    }
    p->title = out_text_clean(page->arena, plot->title);
    p->x_label = out_text_clean(page->arena, plot->x_label);
    p->same_scale = plot->same_scale;
    p->path = plot->x != m->t;
    p->points = plot->section > 0;
    fill_panel(page, r, &(source){true, column, plot->curves, y, plot->section - 1}, label, p);
    column += 1 + plot->curves;
  }
}

static const char* with_unit(base_arena* a, const char* name, const char* unit)
{
  return out_text_clean(a, unit && unit[0] ? base_arena_printf(a, "%s [%s]", name, unit) : name);
}

static int column_of(const walk_track* t, const char* name)
{
  for (int i = 0; i < t->columns; i++)
    if (strcmp(t->column[i], name) == 0) return i;
  return -1;
}

// no plots in the model: its coordinates over time, those of one unit together
static void take_coordinates(out_page* page, const out_runs* r)
{
  const walk_track* t = r->track[0];
  const model* m = t->model;
  page->panel = base_arena_take(page->arena, (size_t)m->coords * sizeof *page->panel);
  bool* taken = base_arena_take(page->arena, (size_t)m->coords * sizeof *taken);
  int* y = base_arena_take(page->arena, (size_t)m->coords * sizeof *y);
  const char** label = base_arena_take(page->arena, (size_t)m->coords * sizeof *label);
  for (int i = 0; i < m->coords && page->panels < PANELS_MOST; i++) {
    int lines = 0;
    for (int k = i; k < m->coords && lines < 8; k++) {
      int column = column_of(t, m->coord[k].name);
      if (taken[k] || column < 0 || strcmp(m->coord[k].unit, m->coord[i].unit) != 0) continue;
      taken[k] = true;
      y[lines] = column;
      label[lines++] = with_unit(page->arena, m->coord[k].name, m->coord[k].unit);
    }
    if (lines == 0) continue;
    out_panel* p = &page->panel[page->panels++];
    p->title = "";
    p->x_label = with_unit(page->arena, "t", t->unit ? t->unit[0] : "");
    fill_panel(page, r, &(source){false, 0, lines, y, -1}, label, p);
  }
}

// ---- layout -------------------------------------------------------------------------------------

// a page for one panel follows the shape of a path drawn on equal scales
static void size_of_one(out_page* page)
{
  const out_panel* p = &page->panel[0];
  page->width = 840;
  page->height = 560;
  if (!p->same_scale) return;
  double shape = (p->y_max - p->y_min) / (p->x_max - p->x_min);
  double width = shape < 1 ? 720 : 640 / shape, height = width * shape;
  page->width = (int)fmax(width, 320) + 110;
  page->height = (int)fmax(height, 240) + 120;
}

static void lay_out(out_page* page)
{
  int n = page->panels;
  page->columns = n <= 1 ? 1 : n <= 4 ? 2 : n <= 12 ? 3 : 4;
  page->rows = (n + page->columns - 1) / page->columns;
  if (n == 1) {
    size_of_one(page);
    return;
  }
  page->width = page->columns * 520;
  page->height = page->rows * 400 + 40;
}

out_page* out_page_new(const out_runs* r, base_notes* notes)
{
  assert(r->count > 0);
  const walk_track* t = r->track[0];
  const model* m = t->model;
  for (int i = 0; i < r->count; i++)
    if (m->plots > 0 && r->track[i]->curves.rows == 0) {
      base_error(notes, BASE_NOWHERE, "cannot draw: the run recorded no curves");
      return NULL;
    }
  base_arena* arena = base_arena_new();
  out_page* page = base_arena_take(arena, sizeof *page);
  page->arena = arena;
  page->runs = r->count;
  page->title = out_text_clean(arena, m->title);
  if (m->plots > 0) {
    page->panels = m->plots < PANELS_MOST ? m->plots : PANELS_MOST;
    page->left_out = m->plots - page->panels;
    page->panel = base_arena_take(arena, (size_t)page->panels * sizeof *page->panel);
    take_plots(page, r);
  } else {
    take_coordinates(page, r);
  }
  if (page->panels == 0) {
    base_error(notes, BASE_NOWHERE, "cannot draw: the model has no coordinates");
    out_page_free(page);
    return NULL;
  }
  lay_out(page);
  for (int i = 0; i < page->panels; i++) out_page_legend(page, &page->panel[i]);
  return page;
}

void out_page_free(out_page* p)
{
  if (p) base_arena_free(p->arena);
}
