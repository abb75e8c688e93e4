// Files of runs: tables, the same as texts, plots.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

static zw_status file_status(int code)
{
  return code == 0 ? ZW_OK : code == 1 ? ZW_BAD_INPUT : ZW_NO_ROOM;
}

zw_status zw_table_check(const char* path, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_HAS(path));
  return out_table_check(path, notes->notes) ? ZW_BAD_INPUT : ZW_OK;
}

zw_status zw_plot_check(const char* path, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_HAS(path));
  return out_plot_check(path, notes->notes) ? ZW_BAD_INPUT : ZW_OK;
}

typedef int writer(const out_runs* r, const char* path, base_notes* notes);

// the list of tracks is to be freed
static out_runs runs_of(const zw_runs* r, const walk_track*** track)
{
  *track = base_alloc(sizeof **track * (size_t)r->count);
  for (int i = 0; i < r->count; i++) (*track)[i] = r->track[i]->track;
  return (out_runs){r->count,           *track,     r->varied, r->value,
                    r->track[0]->notes, r->columns, r->units};
}

static zw_status write_runs(const zw_runs* r, const char* path, writer* write, zw_notes* notes)
{
  const walk_track** track;
  const out_runs runs = runs_of(r, &track);
  const int code = write(&runs, path, notes->notes);
  free(track);
  return file_status(code);
}

// runs whose params count repetitions may have other columns
static bool has_same_columns(const walk_track* a, const walk_track* b)
{
  if (a->columns != b->columns) return false;
  for (int i = 0; i < a->columns; i++)
    if (strcmp(a->column[i], b->column[i]) != 0) return false;
  return true;
}

static bool has_same_curves(const walk_track* a, const walk_track* b)
{
  return a->curve_columns == b->curve_columns && a->model->plots == b->model->plots;
}

static bool are_alike(const zw_runs* r, bool (*alike)(const walk_track* a, const walk_track* b),
                      const char* what, zw_notes* notes)
{
  for (int i = 1; i < r->count; i++) {
    if (alike(r->track[0]->track, r->track[i]->track)) continue;
    base_error(notes->notes, BASE_NOWHERE, "runs with different %s cannot be put together", what);
    if (r->varied)
      base_help(notes->notes, "`%s` counts repetitions of the model: make a run for each value",
                r->varied);
    return false;
  }
  return true;
}

static bool columns_are_there(const zw_runs* r, zw_notes* notes)
{
  return !r->columns || out_columns_check(r->track[0]->track->model, r->columns, notes->notes);
}

zw_status zw_columns_check(const zw_system* s, const char* columns, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_IS(SYSTEM, s), API_HAS(columns));
  return out_columns_check(s->model, columns, notes->notes) ? ZW_OK : ZW_BAD_INPUT;
}

// the table of a run that is kept was written, or could not be
static void leave_keep(const zw_runs* r, const char* path, bool written, base_notes* notes)
{
  zw_track* t = r->count == 1 ? (zw_track*)(uintptr_t)r->track[0] : NULL;
  if (!t || !t->keep || strcmp(path, t->kept) != 0) return;
  out_run_keep_close(t->keep, written, t->track->status != WALK_INTERRUPTED, notes);
  t->keep = NULL;
}

zw_status zw_table_write(const zw_runs* r, const char* path, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_RUNS(r), API_HAS(path));
  if (!are_alike(r, has_same_columns, "columns", notes)) return ZW_BAD_INPUT;
  if (!columns_are_there(r, notes)) return ZW_BAD_INPUT;
  const zw_status status = write_runs(r, path, out_table_write, notes);
  leave_keep(r, path, status == ZW_OK, notes->notes);
  return status;
}

typedef void teller(const out_runs* r, base_text* out);

static char* tell_runs(const zw_runs* r, teller* tell, zw_notes* notes)
{
  if (!are_alike(r, has_same_columns, "columns", notes)) return NULL;
  if (!columns_are_there(r, notes)) return NULL;
  base_text text = {0};
  const walk_track** track;
  const out_runs runs = runs_of(r, &track);
  tell(&runs, &text);
  free(track);
  return api_hand_out_text(base_text_take(&text));
}

char* zw_table_json(const zw_runs* r, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_RUNS(r));
  return tell_runs(r, out_json, notes);
}

char* zw_table_text(const zw_runs* r, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_RUNS(r));
  return tell_runs(r, out_rows, notes);
}

zw_status zw_plot_write(const zw_runs* r, const char* path, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_RUNS(r), API_HAS(path));
  if (!are_alike(r, has_same_curves, "curves", notes)) return ZW_BAD_INPUT;
  return write_runs(r, path, out_plot_write, notes);
}
