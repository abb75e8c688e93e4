// Runs and tracks.
#include "api/sweep.h"
#include "api/words.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { run_cookie = 0x5a57, most_rows = 20000000, most_digits = 28 };

static const api_member run_members[] = {
    API_MEMBER(API_DOUBLE, zw_run_options, tolerance, 0, DBL_MAX),
    API_MEMBER(API_DOUBLE, zw_run_options, step, 0, DBL_MAX),
    API_MEMBER(API_DOUBLE, zw_run_options, every, 0, DBL_MAX),
    API_MEMBER(API_INT, zw_run_options, points, 0, most_rows),
    API_MEMBER(API_DOUBLE, zw_run_options, digits, 0, most_digits),
    API_MEMBER(API_DOUBLE, zw_run_options, estimate_within, 0, DBL_MAX),
    API_LIST(API_NUMBERS, zw_run_options, at, at_count, most_rows)};
const api_options api_run_options = {"zw_run_defaults", run_cookie,
                                     offsetof(zw_run_options, cookie),
                                     sizeof run_members / sizeof *run_members, run_members};

zw_run_options zw_run_defaults(void)
{
  return (zw_run_options){.until = NAN, .cookie = run_cookie};
}

static bool pass_progress(void* context, const walk_progress* p)
{
  const zw_run_options* o = context;
  const zw_progress out = {p->t, p->t_from, p->t_to, p->step, p->residual, p->steps};
  base_call* call = base_call_leave();
  const bool go_on = o->progress(o->progress_context, &out);
  base_call_return(call);
  return go_on;
}

// ---- frames -------------------------------------------------------------------------------------

// 60 a second, but not fewer than 600 in all and not more than 12000
enum { frames_a_second = 60, least_frames = 600, most_frames = 12000 };

static double time_between(double span)
{
  const double frames = fmin(fmax(span * frames_a_second, least_frames), most_frames);
  return span / frames;
}

// how far the run goes, without a picture of it; nan: the input is wrong, which the run will tell
static double find_end(zw_system* s, walk_options o, double* from)
{
  base_notes* quiet = base_notes_new();
  o.points = 2;
  walk_track* t = walk_run(s->system, &o, quiet);
  if (!t) {
    // no end is known: a row now and then
    o.points = 0;
    o.every = 1e6;
    t = walk_run(s->system, &o, quiet);
  }
  const double to = t ? t->t_reached : NAN;
  *from = t ? t->t_from : NAN;
  walk_track_free(t);
  base_notes_free(quiet);
  return to;
}

static walk_track* run_once(zw_system* s, const walk_options* o, const zw_run_options* wish,
                            base_notes* notes)
{
  if (wish->digits > 0) return walk_digits_run(s->system, o, wish->digits, notes);
  walk_track* t = walk_run(s->system, o, notes);
  if (!t || !wish->estimate) return t;
  if (wish->estimate_within > 0 && t->seconds > wish->estimate_within)
    walk_digits_leave(t,
                      "a second pass, which tells, would take as long again: --estimate makes it");
  else
    walk_digits_find(s->system, o, t);
  return t;
}

// A run with what a moving picture needs. Stop events and stages may end it at any time, so how far
// it goes is found by running before the frames are spread over it.
static walk_track* run_frames(zw_system* s, walk_options o, const zw_run_options* wish,
                              model_scene** scene, base_notes* notes)
{
  double from;
  if (!o.at_count && !o.points && !(o.every > 0)) {
    const double to = find_end(s, o, &from);
    if (to > from) o.every = time_between(to - from);
  }
  base_arena* arena = base_arena_new();
  expr* watch = NULL;
  *scene = model_scene_make(s->model);
  o.watched = out_view_watch(s->model, *scene, arena, &watch);
  o.watch = watch;
  walk_track* t = run_once(s, &o, wish, notes);
  base_arena_free(arena);
  return t;
}

// ---- a run --------------------------------------------------------------------------------------

static uint64_t sum_text(uint64_t sum, const char* text)
{
  return text ? api_sum(sum, text, strlen(text) + 1) : api_sum(sum, "", 1);
}

// of all that a number in the table depends on
static uint64_t print_of(const zw_system* s, const zw_run_options* o, const base_notes* notes)
{
  const zw_model* m = s->source;
  uint64_t h = api_sum(api_sum_sources(notes), ZWANG_VERSION, sizeof ZWANG_VERSION);
  for (int i = 0; m && i < m->set_count; i++) h = sum_text(h, m->sets[i]);
  const double numbers[] = {o->until, o->tolerance, o->step, o->every, o->digits};
  const int counts[] = {o->points, o->curves, o->at_count};
  h = api_sum(h, numbers, sizeof numbers);
  h = api_sum(h, counts, sizeof counts);
  if (o->at_count) h = api_sum(h, o->at, sizeof *o->at * (size_t)o->at_count);
  h = sum_text(sum_text(sum_text(h, o->method), o->contact_solver), o->beyond);
  return sum_text(h, o->contacts);
}

// Files beside the table, where the run is to be kept; false with an error noted.
static bool open_keep(zw_track* t, const zw_run_options* o, walk_options* options,
                      walk_onward* onward, base_notes* notes)
{
  int code;
  if (!o->keep || !out_run_keep_may(o->keep)) {
    if (o->resume) base_error(notes, BASE_NOWHERE, "--resume needs --out with the name of a file");
    return !o->resume;
  }
  const uint64_t print = print_of(t->system, o, notes);
  t->keep = out_run_keep_open(o->keep, print, o->resume, t->system->model, &code, notes);
  // whether the table can be written will show
  if (!t->keep) return code == 2 && !o->resume;
  t->kept = base_strdup(o->keep);
  options->keeper = out_run_keep_keeper(t->keep);
  if (out_run_keep_onward(t->keep, onward)) options->onward = onward;
  return true;
}

bool api_run_read(const zw_run_options* o, walk_options* out, base_notes* notes)
{
  bool siconos;
  walk_contacts contacts;
  model_beyond beyond;
  if (!api_words_contacts(o->contacts, &contacts, notes) ||
      !api_words_solver(o->contact_solver, &siconos, notes) ||
      !api_words_beyond(o->beyond, &beyond, notes))
    return false;
  *out = (walk_options){.until = o->until,
                        .tolerance = o->tolerance,
                        .method = o->method,
                        .step = o->step,
                        .beyond = beyond,
                        .siconos = siconos,
                        .contacts = contacts,
                        .at = o->at,
                        .at_count = o->at_count,
                        .every = o->every,
                        .points = o->points,
                        .curves = o->curves,
                        .progress = o->progress ? pass_progress : NULL,
                        .progress_context = (void*)(uintptr_t)o};
  return true;
}

zw_track* zw_run(zw_system* s, const zw_run_options* o, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, api_run_options));
  walk_options options;
  if (!api_run_read(o, &options, notes->notes)) return NULL;
  walk_onward onward;
  zw_track* out = api_object_new(API_TRACK, sizeof *out, s, notes);
  out->system = s;
  out->notes = notes->notes;
  if (open_keep(out, o, &options, &onward, notes->notes))
    out->track = o->scene ? run_frames(s, options, o, &out->scene, notes->notes)
                          : run_once(s, &options, o, notes->notes);
  if (out->track) return api_hand_out(out);
  api_object_drop(out);
  return NULL;
}

void api_track_clear(void* track)
{
  zw_track* t = track;
  out_run_keep_close(t->keep, false, false, NULL);
  walk_track_free(t->track);
  free(t->kept);
}

void zw_track_free(zw_track* t)
{
  if (api_take_back(API_TRACK, t)) api_object_drop(t);
}

zw_status api_run_status(const walk_track* t)
{
  const bool doubtful = *t->doubt;
  switch (t->status) {
  case WALK_DONE:
    return doubtful ? ZW_DOUBTFUL : ZW_OK;
  case WALK_STOPPED:
    return doubtful ? ZW_DOUBTFUL : ZW_STOPPED;
  case WALK_INTERRUPTED:
    return ZW_INTERRUPTED;
  case WALK_UNFINISHED:
    return ZW_UNFINISHED;
  }
  return ZW_UNFINISHED;
}

zw_status zw_track_status(const zw_track* t)
{
  API_ENTER_QUIET(ZW_BAD_INPUT, TRACK, t);
  return api_run_status(t->track);
}

const char* zw_track_reason(const zw_track* t)
{
  API_ENTER_QUIET("", TRACK, t);
  return t->track->reason;
}

const char* zw_track_doubt(const zw_track* t)
{
  API_ENTER_QUIET("", TRACK, t);
  return t->track->doubt;
}

int zw_track_rows(const zw_track* t)
{
  API_ENTER_QUIET(0, TRACK, t);
  return t->track->table.rows;
}

int zw_track_columns(const zw_track* t)
{
  API_ENTER_QUIET(0, TRACK, t);
  return t->track->columns;
}

const char* zw_track_name(const zw_track* t, int column)
{
  API_ENTER_QUIET(NULL, TRACK, t);
  return column >= 0 && column < t->track->columns ? t->track->column[column] : NULL;
}

int zw_track_column(const zw_track* t, const char* name)
{
  API_ENTER_QUIET(-1, TRACK, t);
  for (int i = 0; name && i < t->track->columns; i++)
    if (!strcmp(t->track->column[i], name)) return i;
  return -1;
}

double zw_track_value(const zw_track* t, int row, int column)
{
  API_ENTER_QUIET(NAN, TRACK, t);
  const walk_table* table = &t->track->table;
  if (row < 0 || row >= table->rows || column < 0 || column >= table->width) return NAN;
  return table->value[(size_t)row * (size_t)table->width + (size_t)column];
}

const double* zw_track_values(const zw_track* t)
{
  API_ENTER_QUIET(NULL, TRACK, t);
  return t->track->table.rows ? t->track->table.value : NULL;
}

const char* zw_track_unit(const zw_track* t, int column)
{
  API_ENTER_QUIET(NULL, TRACK, t);
  return column >= 0 && column < t->track->columns ? t->track->unit[column] : NULL;
}

int zw_track_events(const zw_track* t)
{
  API_ENTER_QUIET(0, TRACK, t);
  return t->track->happenings;
}

const char* zw_track_event(const zw_track* t, int i, double* time)
{
  API_ENTER_QUIET(NULL, TRACK, t);
  if (i < 0 || i >= t->track->happenings) return NULL;
  if (time) *time = t->track->happening[i].t;
  return walk_happening_name(t->track, &t->track->happening[i]);
}

double zw_track_residual(const zw_track* t)
{
  API_ENTER_QUIET(NAN, TRACK, t);
  double most = 0;
  for (int k = 0; k < t->track->model->constraints; k++) {
    if (t->track->residual[k].position > most) most = t->track->residual[k].position;
    if (t->track->residual[k].velocity > most) most = t->track->residual[k].velocity;
    if (t->track->residual[k].acceleration > most) most = t->track->residual[k].acceleration;
  }
  return most;
}

double zw_track_energy_balance(const zw_track* t)
{
  API_ENTER_QUIET(NAN, TRACK, t);
  const double scale = t->track->energy_scale;
  return scale > 0 ? t->track->energy_balance / scale : t->track->energy_balance;
}

double zw_track_digits(const zw_track* t, const char** why)
{
  API_ENTER_QUIET(NAN, TRACK, t);
  const walk_digits* d = &t->track->digits;
  if (why) *why = !d->asked ? "the run was not asked for it" : isnan(d->good) ? d->why : "";
  return d->good;
}

char* zw_track_summary(const zw_track* t)
{
  API_ENTER_ALONE(NULL, API_READ(TRACK, t));
  base_text text = {0};
  out_summary(t->track, &text);
  return api_hand_out_text(base_text_take(&text));
}
