// The motion at a glance, for people who asked for no file and no columns: a few rows of the table.
//
// Below the summary, in its layout: times down, coordinates and then speeds across, as many as fit
// a line. The first row and the last are those of the table, the others as far apart in it.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum {
  glance_rows = 6,
  line_width = 100,
  key_width = 15,
  digits = 6,
  most_across = 12,
  cell_room = 80
};

typedef struct glance
{
  const zw_track* track;
  int row[glance_rows], rows;
  int column[most_across], wide[most_across], across;
} glance;

static void head_of(const zw_track* t, int column, char* cell)
{
  const char *name = zw_track_name(t, column), *unit = zw_track_unit(t, column);
  snprintf(cell, cell_room, unit && unit[0] ? "%s [%s]" : "%s", name, unit);
}

static void value_of(const zw_track* t, int row, int column, char* cell)
{
  const double x = zw_track_value(t, row, column);
  if (x != x)
    snprintf(cell, cell_room, "-");
  else
    snprintf(cell, cell_room, "%.*g", digits, x == 0 ? 0.0 : x);
}

// signs that take room on a line
static int shown(const char* cell)
{
  int n = 0;
  for (; *cell; cell++) n += ((unsigned char)*cell & 0xc0) != 0x80;
  return n;
}

static int width_of(const glance* g, int column)
{
  char cell[cell_room];
  head_of(g->track, column, cell);
  int wide = shown(cell);
  for (int i = 0; i < g->rows; i++) {
    value_of(g->track, g->row[i], column, cell);
    if (shown(cell) > wide) wide = shown(cell);
  }
  return wide;
}

static void put(const char* cell, int wide, bool first)
{
  fprintf(stderr, "%s%*s%s", first ? "" : "  ", wide - shown(cell), "", cell);
}

static void choose(glance* g)
{
  const int all = zw_track_rows(g->track), columns = zw_track_columns(g->track);
  g->rows = all < glance_rows ? all : glance_rows;
  for (int i = 0; i < g->rows; i++)
    g->row[i] = g->rows < 2 ? 0 : (int)((long)i * (all - 1) / (g->rows - 1));
  int used = key_width;
  for (int c = 0; c < columns && g->across < most_across; c++) {
    const int wide = width_of(g, c);
    used += wide + (c ? 2 : 0);
    if (used > line_width && g->across > 1) return;
    g->column[g->across] = c;
    g->wide[g->across++] = wide;
  }
}

void cli_motion_print(const zw_track* t)
{
  glance g = {.track = t};
  choose(&g);
  if (g.rows < 2) return;
  char cell[cell_room];
  fprintf(stderr, "  %-*s", key_width - 2, "motion");
  for (int i = 0; i < g.across; i++) {
    head_of(t, g.column[i], cell);
    put(cell, g.wide[i], i == 0);
  }
  for (int r = 0; r < g.rows; r++) {
    fprintf(stderr, "\n%*s", key_width, "");
    for (int i = 0; i < g.across; i++) {
      value_of(t, g.row[r], g.column[i], cell);
      put(cell, g.wide[i], i == 0);
    }
  }
  fprintf(stderr, "\n%*s--columns prints what you choose, --out FILE.csv keeps all\n", key_width,
          "");
}
