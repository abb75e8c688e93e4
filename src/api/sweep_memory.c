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

out_sweep_counts api_sweep_put(const api_sweep* s, const sweep_rows* rows)
{
  const size_t axes = (size_t)s->plan.axes, results = (size_t)s->want.count;
  const size_t width = (size_t)api_sweep_width(s);
  out_sweep_counts counts = {0};
  for (int i = 0; i < rows->count && rows->first + i < s->o->table_room; i++) {
    double* to = s->o->table + (size_t)(rows->first + i) * width;
    memcpy(to, rows->value + (size_t)i * axes, sizeof(double) * axes);
    memcpy(to + axes, rows->result + (size_t)i * results, sizeof(double) * results);
    if (s->want.basins) to[axes + results] = rows->basin[i];
    const double quality = to[width - 1] = quality_of(rows, i);
    counts.failed += quality < 0;
    counts.doubtful += quality > 0;
  }
  return counts;
}
