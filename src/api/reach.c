// Growth vectors along the model's own run.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

static bool not_endless(void* context, const walk_progress* p)
{
  const long* most = context;
  return p->steps < *most;
}

walk_track* api_own_run(zw_system* s, int rows, long most_steps)
{
  if (!s->model->has_run) return NULL;
  base_notes* quiet = base_notes_new();
  walk_options o = walk_options_default();
  o.points = rows;
  o.progress = not_endless;
  o.progress_context = &most_steps;
  walk_track* t = walk_run(s->system, &o, quiet);
  base_notes_free(quiet);
  if (t && t->table.rows > 1) return t;
  walk_track_free(t);
  return NULL;
}

geom_reach* api_reach(zw_system* s, const geom_report* report, int symbols, const expr* symbol,
                      const double* value, const walk_track* t, double* time)
{
  const model* m = s->model;
  if (!report->growth_known) return NULL;
  const int points = t ? api_reach_points : 1;
  double* values = base_alloc(sizeof(double) * (size_t)(points * symbols + 1));
  for (int p = 0; p < points; p++) {
    double* at = values + p * symbols;
    memcpy(at, value, sizeof(double) * (size_t)symbols);
    if (!t) continue;
    const double* row = t->table.value + (p * (t->table.rows - 1) / (points - 1)) * t->table.width;
    time[p] = row[0];
    for (int i = 0; i < symbols; i++) {
      if (symbol[i] == m->t) at[i] = row[0];
      for (int k = 0; k < m->coords; k++)
        if (symbol[i] == m->coord[k].q) at[i] = row[1 + k];
    }
  }
  geom_reach* r = geom_reach_make(m, report, symbols, symbol, points, values);
  free(values);
  return r;
}
