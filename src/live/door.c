// zwang in a browser: what the page's worker calls, on the public header alone.
//
// One model at a time is open, with its system and its last run. Texts that are returned are the
// door's own and stay until its next call; numbers of a run stay until the next run.
#include "live/live.h"

#include <emscripten.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct
{
  zw_notes* notes;
  int told; // of the notes
  zw_model* model;
  zw_system* system;
  zw_track* track;     // of the last whole run
  zw_program* program; // of the model, in which numbers are changed without reading it anew
  zw_state* state;
  const zw_track* seen; // the last run, that track or the state's
  zw_editor* editor;
  char* text;  // the last one returned
  char* noted; // and of the notes
} open_now;

static const char* give(char* text)
{
  zw_text_free(open_now.text);
  open_now.text = text;
  return text;
}

static void shut_track(void)
{
  zw_track_free(open_now.track);
  open_now.track = NULL;
  open_now.seen = NULL;
}

static void shut_program(void)
{
  zw_state_free(open_now.state);
  zw_program_free(open_now.program);
  open_now.state = NULL;
  open_now.program = NULL;
}

static void shut(void)
{
  shut_track();
  shut_program();
  zw_system_free(open_now.system);
  zw_model_free(open_now.model);
  zw_notes_free(open_now.notes);
  open_now.system = NULL;
  open_now.model = NULL;
  open_now.notes = zw_notes_new();
  open_now.told = 0;
}

EMSCRIPTEN_KEEPALIVE const char* live_version(void)
{
  return zw_version();
}

// A text that models of the folder can `use`, by its name there; false where it cannot be kept.
EMSCRIPTEN_KEEPALIVE bool live_file(const char* name, const char* text)
{
  char path[1000];
  if (snprintf(path, sizeof path, "%s", name) >= (int)sizeof path) return false;
  for (char* slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
  FILE* file = fopen(path, "w");
  if (!file) return false;
  fputs(text, file);
  return fclose(file) == 0;
}

// "x'=1.5": a start in place of the model's
static bool give_start(char* line)
{
  char *equal = strchr(line, '='), *end;
  if (!equal) return false;
  *equal = 0;
  const double value = strtod(equal + 1, &end);
  return end != equal + 1 && zw_model_start(open_now.model, line, value, open_now.notes) == ZW_OK;
}

// Reads and derives a model. `sets` are params to override, "NAME=VALUE", `starts` are coordinates
// and velocities with theirs, one in each line. False where there are errors: see live_notes.
EMSCRIPTEN_KEEPALIVE bool live_open(const char* name, const char* text, char* sets, char* starts)
{
  enum { most = 1000 };
  const char* set[most];
  int count = 0;
  char* rest;
  for (char* line = strtok_r(sets, "\n", &rest); line && count < most;
       line = strtok_r(NULL, "\n", &rest))
    set[count++] = line;
  shut();
  if (!live_file(name, text)) return false;
  open_now.model = zw_model_read(name, set, count, open_now.notes);
  bool fine = open_now.model;
  for (char* line = strtok_r(starts, "\n", &rest); line && fine; line = strtok_r(NULL, "\n", &rest))
    fine = give_start(line);
  if (fine) open_now.system = zw_derive(open_now.model, open_now.notes);
  return open_now.system != NULL;
}

// What has been noted since the last call, as JSON: level, text, and line and column where it has
// a place in the model.
EMSCRIPTEN_KEEPALIVE const char* live_notes(void)
{
  free(open_now.noted);
  return open_now.noted = live_notes_json(open_now.notes, &open_now.told);
}

// A run; until nan, tolerance 0, method null, points 0 and every 0 are the model's own. Returns a
// zw_status; what came of it stays until the next one.
EMSCRIPTEN_KEEPALIVE int live_run(double until, double tolerance, const char* method, int points,
                                  double every, bool scene)
{
  if (!open_now.system) return ZW_BAD_INPUT;
  shut_track();
  zw_run_options o = zw_run_defaults();
  o.until = until;
  o.tolerance = tolerance;
  if (method && *method) o.method = method;
  o.points = points;
  o.every = every;
  o.scene = scene;
  open_now.seen = open_now.track = zw_run(open_now.system, &o, open_now.notes);
  return open_now.track ? zw_track_status(open_now.track) : ZW_BAD_INPUT;
}

// ---- other numbers
// -------------------------------------------------------------------------------

// Makes the model that is open ready for other numbers, with rows at every so many seconds; false
// where it cannot be. Its own numbers are those it was opened with.
EMSCRIPTEN_KEEPALIVE bool live_prepare(double tolerance, double every)
{
  if (!open_now.system) return false;
  shut_program();
  zw_notes* quiet = zw_notes_new();
  zw_run_options o = zw_run_defaults();
  o.tolerance = tolerance;
  o.every = every;
  o.scene = true;
  open_now.program = zw_program_new(open_now.system, "*", &o, quiet);
  if (open_now.program) open_now.state = zw_state_new(open_now.program, quiet);
  zw_notes_free(quiet);
  return open_now.state != NULL;
}

static bool give_number(char* line)
{
  char *equal = strchr(line, '='), *end;
  if (!equal) return false;
  *equal = 0;
  const double value = strtod(equal + 1, &end);
  const int input = zw_program_input(open_now.program, line);
  return end != equal + 1 && !*end && zw_state_set(open_now.state, input, value) == ZW_OK;
}

// A run of what was made ready, with these numbers of params and starts, "NAME=VALUE" in each line,
// and all others as the model has them; until nan: the model's own. Returns a zw_status;
// ZW_BAD_INPUT: the model has to be read anew for them.
EMSCRIPTEN_KEEPALIVE int live_again(char* numbers, double until)
{
  if (!open_now.state) return ZW_BAD_INPUT;
  bool fine = true;
  char* rest;
  zw_state_reset(open_now.state);
  for (char* line = strtok_r(numbers, "\n", &rest); line && fine;
       line = strtok_r(NULL, "\n", &rest))
    fine = give_number(line);
  if (!fine) return ZW_BAD_INPUT;
  live_notes(); // those of runs before are told
  const int status = zw_state_run(open_now.state, until, NULL, 0, open_now.notes);
  if (status == ZW_BAD_INPUT) return status;
  open_now.seen = zw_state_track(open_now.state);
  return status;
}

EMSCRIPTEN_KEEPALIVE const char* live_reason(void)
{
  return open_now.seen ? zw_track_reason(open_now.seen) : "";
}

EMSCRIPTEN_KEEPALIVE int live_rows(void)
{
  return open_now.seen ? zw_track_rows(open_now.seen) : 0;
}

EMSCRIPTEN_KEEPALIVE int live_columns(void)
{
  return open_now.seen ? zw_track_columns(open_now.seen) : 0;
}

EMSCRIPTEN_KEEPALIVE const char* live_column(int i)
{
  return open_now.seen ? zw_track_name(open_now.seen, i) : NULL;
}

EMSCRIPTEN_KEEPALIVE const char* live_unit(int i)
{
  return open_now.seen ? zw_track_unit(open_now.seen, i) : NULL;
}

// row by row
EMSCRIPTEN_KEEPALIVE const double* live_values(void)
{
  return open_now.seen ? zw_track_values(open_now.seen) : NULL;
}

// The equations in a form, as "text", "latex" or "json"; null where it does not suit.
EMSCRIPTEN_KEEPALIVE const char* live_equations(const char* form, const char* style)
{
  return open_now.system ? give(zw_equations(open_now.system, form, style, open_now.notes)) : NULL;
}

// Which forms suit the model, as JSON.
EMSCRIPTEN_KEEPALIVE const char* live_forms(void)
{
  return open_now.system ? give(zw_forms(open_now.system, "json", open_now.notes)) : NULL;
}

// What the page is to show of the last run, as JSON; `whole`: with equations and texts.
EMSCRIPTEN_KEEPALIVE const char* live_scene(bool whole)
{
  if (!open_now.seen) return NULL;
  const zw_track* track = open_now.seen;
  const zw_runs runs = {.track = &track, .count = 1};
  const zw_view_options o = zw_view_defaults();
  return give(zw_view_json(&runs, &o, !whole, open_now.notes));
}

// The models that come with zwang, by number; null behind the last.
EMSCRIPTEN_KEEPALIVE const char* live_example(int i)
{
  return zw_example_name(i);
}

EMSCRIPTEN_KEEPALIVE const char* live_example_title(int i)
{
  return zw_example_title(i);
}

EMSCRIPTEN_KEEPALIVE const char* live_example_text(const char* name)
{
  return zw_example_text(name);
}

// What an editor asks and is told: messages of the language server protocol.
EMSCRIPTEN_KEEPALIVE const char* live_editor(const char* message)
{
  if (!open_now.editor) open_now.editor = zw_editor_new();
  if (!open_now.notes) open_now.notes = zw_notes_new();
  return give(zw_editor_take(open_now.editor, message, strlen(message), open_now.notes));
}
