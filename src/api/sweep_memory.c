// Rows of a sweep as numbers in the memory of the caller.
#include "api/sweep.h"

#include <string.h>

int api_sweep_width(const api_sweep* s)
{
  return s->plan.axes + s->want.count + (s->want.basins > 0) + 1;
}

void api_sweep_columns(const api_sweep* s, base_text* out)
{
  for (int i = 0; i < s->plan.axes; i++) base_text_printf(out, "%s\n", s->plan.axis[i].name);
  for (int i = 0; i < s->want.count; i++) base_text_printf(out, "%s\n", s->want.wanted[i].label);
  if (s->want.basins) base_text_add(out, "basin\n");
  base_text_add(out, "quality");
}

static double quality_of(const sweep_rows* rows, int i)
{
  const char* said = rows->quality[i];
  if (rows->reason[i]) return -1;
  return said && !strncmp(said, sweep_doubtful, strlen(sweep_doubtful));
}

// numbers of rows that lie behind each other into rows of another width, column by column
static void put_columns(int rows, const double* from, size_t columns, double* to, size_t width)
{
  for (size_t k = 0; k < columns; k++)
    for (size_t i = 0; i < (size_t)rows; i++) to[i * width + k] = from[i * columns + k];
}

out_sweep_counts api_sweep_put(const api_sweep* s, const sweep_rows* rows)
{
  const size_t axes = (size_t)s->plan.axes, results = (size_t)s->want.count;
  const size_t width = (size_t)api_sweep_width(s);
  const int64_t room = s->o->table_room - rows->first;
  const int count = room < rows->count ? (int)room : rows->count;
  out_sweep_counts counts = {0};
  if (count <= 0) return counts;
  double* to = s->o->table + (size_t)rows->first * width;
  put_columns(count, rows->value, axes, to, width);
  put_columns(count, rows->result, results, to + axes, width);
  for (int i = 0; i < count; i++, to += width) {
    if (s->want.basins) to[axes + results] = rows->basin[i];
    const double quality = to[width - 1] = quality_of(rows, i);
    counts.failed += quality < 0;
    counts.doubtful += quality > 0;
  }
  return counts;
}
