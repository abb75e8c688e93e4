// The surface a system moves on, and the path of the point that stands for it.
#include <math.h>
#include <stdlib.h>

#include "out/geometry.h"
#include "out/page.h"

enum { WIDTH = 800, HEIGHT = 640 };

static void add_rows(const char* name, int rows, int columns, const double* x, base_text* out)
{
  base_text_printf(out, "$%s << END\n", name);
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < columns; k++)
      base_text_printf(out, isfinite(x[i * columns + k]) ? "%.10g " : "NaN ", x[i * columns + k]);
    base_text_add(out, "\n");
  }
  base_text_add(out, "END\n");
}

static void add_surface(const geom_embedding* e, base_text* out)
{
  base_text_add(out, "$surface << END\n");
  for (int i = 0; i < OUT_GRID; i++) {
    for (int j = 0; j < OUT_GRID; j++) {
      const double q[2] = {out_grid(e, 0, i), out_grid(e, 1, j)};
      double x[3];
      geom_embedding_at(e, q, x, NULL, NULL);
      base_text_printf(out, "%.10g %.10g %.10g\n", x[0], x[1], x[2]);
    }
    base_text_add(out, "\n");
  }
  base_text_add(out, "END\n");
}

static void add_space(const out_geometry* g, base_text* out)
{
  const bool surface = g->embedding->n == 2 && g->embedding->N == 3;
  const bool path = g->motion && g->motion->rows > 1;
  if (surface) add_surface(g->embedding, out);
  if (path) add_rows("path", g->motion->rows, g->motion->N, g->motion->x, out);
  base_text_add(out,
                "set xlabel 'x1'\nset ylabel 'x2'\nset zlabel 'x3'\nset ticslevel 0\n"
                "set tics font ',8' textcolor '#606060'\nset xtics autofreq offset 0,-0.3\n"
                "set view 62,35,1.35\nset view equal xyz\nset border 4095 linecolor '#b0b0b0'\n"
                "set key outside right top\nsplot ");
  if (surface)
    base_text_add(out, "$surface using 1:2:3 with lines linecolor '#9ab8d0' linewidth 0.6 title "
                       "'surface'");
  if (path)
    base_text_printf(
        out,
        "%s$path using 1:2:3 with lines linecolor '#d55e00' linewidth 2 title 'path', "
        "$path every ::0::0 using 1:2:3 with points pointtype 7 pointsize 0.8 linecolor "
        "'#202020' title 'start'",
        surface ? ", " : "");
  base_text_add(out, "\n");
}

static void add_plane(const out_geometry* g, base_text* out)
{
  add_rows("path", g->motion->rows, g->motion->N, g->motion->x, out);
  base_text_add(out,
                "set xlabel 'x1'\nset ylabel 'x2'\nset size ratio -1\n"
                "set grid linetype 1 linecolor '#e4e4e4'\n"
                "plot $path using 1:2 with lines linecolor '#0072b2' linewidth 2 title 'path', "
                "$path every ::0::0 using 1:2 with points pointtype 7 linecolor '#202020' title "
                "'start'\n");
}

static void add_line(const out_geometry* g, base_text* out)
{
  const geom_motion* m = g->motion;
  double* both = base_alloc(sizeof(double) * (size_t)(2 * m->rows));
  for (int i = 0; i < m->rows; i++) both[2 * i] = m->t[i], both[2 * i + 1] = m->x[i];
  add_rows("path", m->rows, 2, both, out);
  free(both);
  base_text_add(out, "set xlabel 't'\nset ylabel 'x1'\n"
                     "plot $path using 1:2 with lines linecolor '#0072b2' linewidth 2 notitle\n");
}

static void script(const void* what, out_terminal terminal, const char* picture, base_text* out)
{
  const out_geometry* g = what;
  base_text_add(out, "# a picture by zwang, for gnuplot 5\n");
  out_page_terminal(WIDTH, HEIGHT, terminal, picture, out);
  base_text_add(out, "set title ");
  out_page_quoted(out, g->space->m->title, 80);
  base_text_add(out, " noenhanced\n");
  if (g->geodesic)
    out_geodesic_script(g, out);
  else if (g->embedding->N >= 3)
    add_space(g, out);
  else if (g->embedding->N == 2)
    add_plane(g, out);
  else
    add_line(g, out);
  base_text_add(out, "unset output\n");
}

int out_geometry_plot(const out_geometry* g, const char* path, base_notes* notes)
{
  const geom_embedding* e = g->embedding;
  if (g->geodesic && g->geodesic->rows > 1) return out_plot_script(path, script, g, notes);
  const bool moves = g->motion && g->motion->rows > 1;
  if (e && e->N > 0 && (moves || (e->n == 2 && e->N == 3)))
    return out_plot_script(path, script, g, notes);
  base_error(notes, BASE_NOWHERE, "there is nothing to draw: %s",
             !e         ? "no embedding was asked for"
             : e->N > 0 ? "no run in the coordinates of the embedding"
                        : "no embedding was found");
  return 2;
}
