// Where the legend goes: the first corner that no curve enters, else beside the panel.
#include <math.h>

#include "out/page.h"
#include "out/text.h"

enum { LEGEND_MOST = 12 };

bool out_page_is_named(const out_panel* p, int k)
{
  if (p->curves < 2 || !p->curve[k].label[0]) return false;
  if (p->curves <= LEGEND_MOST) return true;
  // of many runs only some are named
  int step = (p->curves + LEGEND_MOST - 2) / (LEGEND_MOST - 1);
  return k % step == 0 || k == p->curves - 1;
}

// a corner of the panel in parts of its width and height
typedef struct box
{
  double x_min, x_max, y_min, y_max;
} box;

static bool touches(const out_panel* p, const box* b)
{
  enum { BETWEEN = 8 };
  for (int k = 0; k < p->curves; k++) {
    const out_curve* c = &p->curve[k];
    for (int i = 0; i < c->n; i++) {
      int j = i > 0 ? i - 1 : 0;
      for (int s = 1; s <= BETWEEN; s++) {
        double f = (double)s / BETWEEN;
        double x = (c->x[j] + f * (c->x[i] - c->x[j]) - p->x_min) / (p->x_max - p->x_min);
        double y = (c->y[j] + f * (c->y[i] - c->y[j]) - p->y_min) / (p->y_max - p->y_min);
        if (x > b->x_min && x < b->x_max && y > b->y_min && y < b->y_max) return true;
      }
    }
  }
  return false;
}

void out_page_legend(const out_page* page, out_panel* p)
{
  int entries = p->path, longest = 5;
  for (int k = 0; k < p->curves; k++)
    if (out_page_is_named(p, k)) {
      int columns = out_text_columns(p->curve[k].label);
      longest = columns > longest ? columns : longest;
      entries++;
    }
  p->legend = entries == 0 ? OUT_LEGEND_NONE : OUT_LEGEND_BESIDE;
  if (entries == 0) return;

  // rough sizes on the page: letters of 8 by 20 points, margins around the panel
  double width = (8.0 * longest + 60) / fmax(page->width / page->columns - 100, 100);
  double height = (20.0 * entries + 16) / fmax(page->height / page->rows - 110, 100);
  const box corner[] = {{1 - width, 1, 1 - height, 1},
                        {0, width, 1 - height, 1},
                        {1 - width, 1, 0, height},
                        {0, width, 0, height}};
  static const out_legend place[] = {OUT_LEGEND_RIGHT_TOP, OUT_LEGEND_LEFT_TOP,
                                     OUT_LEGEND_RIGHT_BOTTOM, OUT_LEGEND_LEFT_BOTTOM};
  for (int i = 0; i < 4 && width < 0.6 && height < 0.6; i++)
    if (!touches(p, &corner[i])) {
      p->legend = place[i];
      return;
    }
}
