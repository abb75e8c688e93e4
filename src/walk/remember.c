// What a run keeps of an instant: a happening with its row.
#include "walk/losses.h"
#include "walk/singular.h"

#include <string.h>

void walk_run_remember(walk_job* r, const walk_found* f, const char* name, const double* y)
{
  const int event = name ? -2 - r->track->happenings : f->index;
  walk_losses_show(r, f->t);
  walk_aside_begin(r->record->aside, r->f);
  const int failed = walk_rows_row(r->record, f->t, y, r->stage, event);
  if (!failed && r->record->curves && !name) walk_rows_put_curve(r->record, f->t, r->stage, event);
  walk_aside_end(r->record->aside, r->f);
  if (!failed)
    walk_run_keep(r, f, name);
  else if (!walk_singular_lost(r)) // as where a row has no values
    walk_run_give_up(r, r->e->reason);
}

void walk_run_keep(walk_job* r, const walk_found* f, const char* name)
{
  walk_track* t = r->track;
  const int width = t->columns, event = name ? -1 : f->index;
  walk_happening h = {.event = event,
                      .name = name ? base_arena_strdup(walk_track_kept(t), name) : NULL,
                      .t = f->t,
                      .direction = f->direction};
  h.row = base_arena_take(walk_track_kept(t), sizeof(double) * (size_t)width);
  memcpy(h.row, t->table.value + (size_t)(t->table.rows - 1) * (size_t)width,
         sizeof(double) * (size_t)width);
  if (r->record->fixed_rows) {
    t->table.rows--;
    if (t->watched.rows) t->watched.rows--;
  }
  walk_track_add(t, h);
}
