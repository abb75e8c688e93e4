// The page as a gnuplot script with its data inside.
//
// Titles and labels are the user's words. gnuplot runs commands found between backquotes in double
// quotes, so every text stands in single quotes, where only the quote itself means something.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/page.h"
#include "out/text.h"

// Okabe and Ito (2008), told apart by all kinds of colour vision; without their yellow
static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#404040"};
enum { COLOURS = sizeof colours / sizeof *colours };

// dark blue to yellow through green, for runs too many to tell apart one by one
static void ramp_colour(char out[8], double s)
{
  static const double stop[5][3] = {
      {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {220, 200, 30}};
  assert(s >= 0 && s <= 1);
  int i = s < 1 ? (int)(s * 4) : 3;
  double f = s * 4 - i;
  int c[3];
  for (int k = 0; k < 3; k++) c[k] = (int)lround((1 - f) * stop[i][k] + f * stop[i + 1][k]);
  snprintf(out, 8, "#%02x%02x%02x", (unsigned)c[0] & 255, (unsigned)c[1] & 255,
           (unsigned)c[2] & 255);
}

// words in single quotes, cut to about `columns`
void out_page_quoted(base_text* out, const char* words, int columns)
{
  base_text clean = {0};
  out_text_plain(&clean, words);
  size_t n = clean.n;
  bool cut = columns > 0 && base_utf8_columns(clean.at, n) > columns;
  while (cut && base_utf8_columns(clean.at, n) > columns - 1) {
    n--;
    while (n > 0 && ((unsigned char)clean.at[n] & 0xc0) == 0x80) n--;
  }
  // gnuplot takes two quotes at the beginning for an empty string: they stand before it
  size_t from = 0;
  while (from < n && clean.at[from] == '\'') from++;
  if (from) base_text_printf(out, "\"%.*s\".", (int)from, clean.at);
  base_text_add(out, "'");
  for (size_t i = from; i < n; i++)
    base_text_addn(out, clean.at[i] == '\'' ? "''" : clean.at + i, clean.at[i] == '\'' ? 2 : 1);
  base_text_add(out, cut ? "…'" : "'");
  base_text_free(&clean);
}

// ---- settings -----------------------------------------------------------------------------------

void out_page_terminal(int w, int h, out_terminal terminal, const char* picture, base_text* out)
{
  base_text_add(out, "set encoding utf8\n");
  // what this gnuplot can do is known only to itself
  base_text_add(out, "can(name) = strstrt(' '.GPVAL_TERMINALS.' ', ' '.name.' ') > 0\n");
  switch (terminal) {
  case OUT_GP:
    base_text_add(out, "# for a window instead of a file, take out the next two lines\n");
    base_text_printf(
        out, "set terminal svg size %d,%d font 'sans-serif,12' noenhanced background '#ffffff'\n",
        w, h);
    base_text_add(out, "set output ");
    out_page_quoted(out, picture, 0);
    base_text_add(out, "\n");
    break;
  case OUT_SVG:
    base_text_printf(out,
                     "if (can('svg')) {\n  set terminal svg size %d,%d font 'sans-serif,12' "
                     "noenhanced rounded background '#ffffff'\n} else {\n",
                     w, h);
    base_text_add(out, "  printerr 'this gnuplot cannot write SVG'\n  exit status 4\n}\n");
    break;
  case OUT_PNG:
    // twice the points: sharp on today's screens
    base_text_printf(
        out,
        "if (can('pngcairo')) {\n  set terminal pngcairo size %d,%d font 'Sans,10' fontscale 2 "
        "linewidth 2 pointscale 2 noenhanced rounded background '#ffffff'\n",
        2 * w, 2 * h);
    base_text_printf(out, "} else { if (can('png')) {\n  set terminal png size %d,%d noenhanced\n",
                     w, h);
    base_text_add(out,
                  "} else {\n  printerr 'this gnuplot cannot write PNG'\n  exit status 4\n}}\n");
    break;
  case OUT_PDF:
    base_text_printf(
        out,
        "if (can('pdfcairo')) {\n  set terminal pdfcairo size %.2fin,%.2fin font "
        "'Sans,10' fontscale 0.75 "
        "linewidth 1.4 pointscale 0.8 noenhanced rounded background '#ffffff'\n} else {\n",
        w / 96.0, h / 96.0);
    base_text_add(out, "  printerr 'this gnuplot cannot write PDF'\n  exit status 4\n}\n");
    break;
  }
}

static void add_style(base_text* out)
{
  base_text_add(out, "set border 3 linecolor '#808080' linewidth 1\n"
                     "set tics nomirror out scale 0.6 textcolor '#303030'\n"
                     "set grid linetype 1 linecolor '#e4e4e4' linewidth 0.7\n"
                     "set xlabel textcolor '#303030'\n"
                     "set ylabel textcolor '#303030'\n");
}

// ---- data ---------------------------------------------------------------------------------------

static void add_data(const out_page* page, base_text* out)
{
  for (int i = 0; i < page->panels; i++)
    for (int k = 0; k < page->panel[i].curves; k++) {
      const out_curve* c = &page->panel[i].curve[k];
      base_text_printf(out, "$panel%d_curve%d << END\n", i + 1, k + 1);
      for (int j = 0; j < c->n; j++) {
        if (isfinite(c->x[j]) && isfinite(c->y[j]))
          base_text_printf(out, "%.12g %.12g\n", c->x[j], c->y[j]);
        else
          base_text_add(out, "NaN NaN\n");
      }
      // a block without rows is an error to gnuplot
      if (c->n == 0) base_text_add(out, "NaN NaN\n");
      base_text_add(out, "END\n");
    }
}

// ---- panels -------------------------------------------------------------------------------------

// runs differ by colour, curves of one run by dashes; a single run's curves by colour
static void add_line(const out_page* page, const out_curve* c, bool points, base_text* out)
{
  char colour[8];
  int which = page->runs > 1 ? c->run : c->line;
  if (page->runs > COLOURS)
    ramp_colour(colour, (double)c->run / (page->runs - 1));
  else
    snprintf(colour, sizeof colour, "%s", colours[which % COLOURS]);
  int dash = page->runs > 1 ? c->line : c->line / COLOURS;
  if (points) {
    base_text_printf(out, "with points pointtype 7 pointsize 0.35 linecolor '%s'", colour);
    return;
  }
  base_text_printf(out, "with lines linecolor '%s' dashtype %d linewidth %s", colour, 1 + dash % 5,
                   page->runs > COLOURS ? "1.2" : "2");
}

static int first_point(const out_curve* c)
{
  for (int i = 0; i < c->n; i++)
    if (isfinite(c->x[i]) && isfinite(c->y[i])) return i;
  return -1;
}

// a dot where each path starts, named once
static void add_starts(const out_panel* p, int number, base_text* out)
{
  bool named = false;
  for (int k = 0; k < p->curves; k++) {
    int at = first_point(&p->curve[k]);
    if (at < 0) continue;
    base_text_printf(
        out,
        ", \\\n     $panel%d_curve%d every ::%d::%d with points pointtype 7 pointsize 0.8 "
        "linecolor '#202020' %s",
        number, k + 1, at, at, named ? "notitle" : "title 'start'");
    named = true;
  }
}

static void add_key(const out_panel* p, base_text* out)
{
  static const char* const places[] = {[OUT_LEGEND_RIGHT_TOP] = "inside right top",
                                       [OUT_LEGEND_LEFT_TOP] = "inside left top",
                                       [OUT_LEGEND_RIGHT_BOTTOM] = "inside right bottom",
                                       [OUT_LEGEND_LEFT_BOTTOM] = "inside left bottom",
                                       [OUT_LEGEND_BESIDE] = "outside right top"};
  if (p->legend == OUT_LEGEND_NONE)
    base_text_add(out, "unset key\n");
  else
    base_text_printf(
        out,
        "set key %s vertical Left reverse samplen 2 spacing 1.2 noenhanced textcolor '#303030'\n",
        places[p->legend]);
}

static void add_range(base_text* out, const char* axis, double low, double high)
{
  base_text_printf(out, "set %srange [%.12g:%.12g]\n", axis, low, high);
}

// One panel carries the model's title above its own, both centred on the panel. Of several panels
// each carries its own, and the page the model's.
static void add_titles(const out_page* page, const out_panel* p, int font, base_text* out)
{
  int columns = page->width / page->columns / 9;
  bool both = page->panels == 1 && page->title[0] && p->title[0];
  const char* title = page->panels == 1 && page->title[0] ? page->title : p->title;
  base_text_add(out, "unset label\nset title ");
  out_page_quoted(out, title, page->panels == 1 ? columns * 4 / 5 : columns);
  base_text_printf(out, " noenhanced font ',%d' offset 0,%s textcolor '#202020'\n",
                   page->panels == 1 ? font + 4 : font + 2, both ? "1.2" : "0");
  base_text_add(out, both ? "set tmargin 5\n" : title[0] ? "set tmargin\n" : "set tmargin 1.5\n");
  if (!both) return;
  base_text_add(out, "set label 1 ");
  out_page_quoted(out, p->title, columns);
  base_text_printf(out,
                   " at graph 0.5,1 center offset 0,1 noenhanced font ',%d' textcolor '#202020'\n",
                   font + 2);
}

static void add_panel(const out_page* page, int i, int font, base_text* out)
{
  const out_panel* p = &page->panel[i];
  int columns = page->width / page->columns / 9;
  base_text_printf(out, "\n# panel %d\n", i + 1);
  add_titles(page, p, font, out);
  base_text_add(out, "set xlabel ");
  out_page_quoted(out, p->x_label, columns);
  base_text_add(out, " noenhanced\nset ylabel ");
  out_page_quoted(out, p->y_label, 40);
  base_text_add(out, " noenhanced\n");
  add_range(out, "x", p->x_min, p->x_max);
  add_range(out, "y", p->y_min, p->y_max);
  base_text_add(out, p->same_scale ? "set size ratio -1\n" : "set size noratio\n");
  if (p->empty) base_text_add(out, "set label 2 'no finite values' at graph 0.5,0.5 center\n");
  add_key(p, out);
  base_text_add(out, "plot ");
  for (int k = 0; k < p->curves; k++) {
    base_text_printf(out, "%s$panel%d_curve%d using 1:2 ", k ? ", \\\n     " : "", i + 1, k + 1);
    add_line(page, &p->curve[k], p->points, out);
    if (out_page_is_named(p, k)) {
      base_text_add(out, " title ");
      out_page_quoted(out, p->curve[k].label, 48);
    } else {
      base_text_add(out, " notitle");
    }
  }
  if (p->path && !p->points) add_starts(p, i + 1, out);
  base_text_add(out, "\n");
}

void out_page_script(const out_page* p, out_terminal terminal, const char* picture, base_text* out)
{
  // as the terminals' own fonts below
  int font = terminal == OUT_SVG || terminal == OUT_GP ? 12 : 10;
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(p->width, p->height, terminal, picture, out);
  add_style(out);
  base_text_add(out, "\n");
  add_data(p, out);
  base_text_printf(out, "\nset multiplot layout %d,%d", p->rows, p->columns);
  if (p->title[0] && p->panels > 1) {
    base_text_add(out, " title ");
    out_page_quoted(out, p->title, p->width / 10);
    base_text_printf(out, " noenhanced font ',%d' textcolor '#202020'", font + 4);
  }
  base_text_add(out, "\n");
  for (int i = 0; i < p->panels; i++) add_panel(p, i, font, out);
  base_text_add(out, "\nunset multiplot\nunset output\n");
}
