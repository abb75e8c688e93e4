// What a picture shows before it is a picture: panels, curves, ranges, labels.
#pragma once

#include "out/out.h"

typedef struct out_curve
{
  const char* label; // in the legend; "" for none
  int run, line;     // which run, and which of the panel's curves
  int n;
  double *x, *y;
} out_curve;

typedef enum out_legend {
  OUT_LEGEND_NONE,
  OUT_LEGEND_RIGHT_TOP,
  OUT_LEGEND_LEFT_TOP,
  OUT_LEGEND_RIGHT_BOTTOM,
  OUT_LEGEND_LEFT_BOTTOM,
  OUT_LEGEND_BESIDE
} out_legend;

typedef struct out_panel
{
  const char *title, *x_label, *y_label;
  bool same_scale;
  bool path;   // x is not time: the start is marked
  bool points; // a section: points, not curves
  bool empty;  // no finite point at all
  out_legend legend;
  int curves;
  out_curve* curve;
  double x_min, x_max, y_min, y_max; // what is shown, margins included
} out_panel;

typedef struct out_page
{
  base_arena* arena;
  const char* title;
  int runs;
  int panels, left_out; // plots beyond the limit
  out_panel* panel;
  int columns, rows; // layout
  int width, height; // in points of the screen
} out_page;

// null with an error noted when there is nothing to draw
out_page* out_page_new(const out_runs* r, base_notes* notes);
void out_page_free(out_page* p);

// choose the place of a panel's legend, and say which curves are named in it
void out_page_legend(const out_page* page, out_panel* p);
bool out_page_is_named(const out_panel* p, int k);

// drop points that no eye would miss: keeps at most about `most`, in place; returns how many remain
int out_page_thin(int n, double* x, double* y, double x_span, double y_span, bool rising);

typedef enum out_terminal { OUT_SVG, OUT_PNG, OUT_PDF, OUT_GP } out_terminal;
// the page as a gnuplot script with its data inside; `picture` is the output a kept script names
void out_page_script(const out_page* p, out_terminal terminal, const char* picture, base_text* out);

// parts of such scripts: the terminal for a picture of this size, and words in quotes, cut to about
// so many columns (0: never)
void out_page_terminal(int width, int height, out_terminal terminal, const char* picture,
                       base_text* out);
void out_page_quoted(base_text* out, const char* words, int columns);

// a picture into a file by its ending, from a script that `make` writes; as out_plot_write
typedef void out_script(const void* what, out_terminal terminal, const char* picture,
                        base_text* out);
int out_plot_script(const char* path, out_script* make, const void* what, base_notes* notes);
