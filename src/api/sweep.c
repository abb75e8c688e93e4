// Many runs of one model into one table.
#include "api/sweep.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// beside a GPU each thread holds many rows
enum { sweep_cookie = 0x7377, most_gpu_threads = 32, most_rows = 20000000 };

static const api_member sweep_members[] = {
    API_LIST(API_WORDS, zw_sweep_options, over, over_count, INT_MAX),
    API_LIST(API_WORDS, zw_sweep_options, basin, basin_count, INT_MAX),
    API_MEMBER(API_DOUBLE, zw_sweep_options, tolerance, 0, DBL_MAX),
    API_MEMBER(API_DOUBLE, zw_sweep_options, step, 0, DBL_MAX),
    API_MEMBER(API_DOUBLE, zw_sweep_options, every, 0, DBL_MAX),
    API_MEMBER(API_INT, zw_sweep_options, points, 0, most_rows),
    API_MEMBER(API_INT, zw_sweep_options, threads, 0, 1024),
    API_MEMBER(API_LONG, zw_sweep_options, table_room, 0, (double)LLONG_MAX)};
static const api_options sweep_options = {
    "zw_sweep_defaults", sweep_cookie, offsetof(zw_sweep_options, cookie),
    sizeof sweep_members / sizeof *sweep_members, sweep_members};

zw_sweep_options zw_sweep_defaults(void)
{
  return (zw_sweep_options){.until = NAN, .cookie = sweep_cookie};
}

typedef struct state
{
  api_sweep* s;
  bool is_file; // rows go to one
  bool places;  // threads put theirs where they belong in it
  out_sweep* table;
  zw_sweep_progress progress;
  double started;
  bool interrupted;
  out_sweep_counts taken_up; // rows that were there already
  api_gpu gpu;               // where one is asked for
} state;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- what decides the numbers -------------------------------------------------------------------

static uint64_t sum_text(uint64_t sum, const char* text)
{
  return text ? api_sum(sum, text, strlen(text) + 1) : api_sum(sum, "", 1);
}

// of all options that a number in the table, or the table itself, depends on
static uint64_t print_of(const api_sweep* s)
{
  const zw_sweep_options* o = s->o;
  uint64_t h = api_sum(s->sources, ZWANG_VERSION, sizeof ZWANG_VERSION);
  for (int i = 0; i < s->source->set_count; i++) h = sum_text(h, s->source->sets[i]);
  for (int i = 0; i < o->over_count; i++) {
    h = sum_text(h, o->over[i]);
    if (o->over_values && o->over_values[i])
      h = api_sum(h, o->over_values[i], sizeof(double) * (size_t)o->over_counts[i]);
  }
  for (int i = 0; i < o->basin_count; i++) h = sum_text(h, o->basin[i]);
  const long long counts[] = {o->random, o->sobol, (long long)o->seed, o->points, s->kind};
  const double numbers[] = {o->until, o->tolerance, o->step, o->every};
  h = api_sum(h, counts, sizeof counts);
  h = api_sum(h, numbers, sizeof numbers);
  h = sum_text(h, o->results);
  h = sum_text(h, o->device);
  return sum_text(h, o->method);
}

// ---- callbacks of the drive ---------------------------------------------------------------------

static void encode(void* context, const sweep_rows* rows, base_text* out)
{
  const state* st = context;
  out_sweep_counts counts = {0};
  if (st->s->o->table) counts = api_sweep_put(st->s, rows);
  if (st->places)
    out_sweep_place(st->table, rows, out);
  else if (st->is_file)
    out_sweep_encode(&st->s->head, st->s->kind, rows, out);
  else // a receipt: the rows are where they belong
    base_text_addn(out, (const char*)&counts, sizeof counts);
}

static bool write_rows(void* context, const char* bytes, size_t n, int64_t done)
{
  state* st = context;
  if (!st->is_file) {
    out_sweep_counts counts;
    memcpy(&counts, bytes, sizeof counts);
    st->progress.failed += counts.failed;
    st->progress.doubtful += counts.doubtful;
    st->progress.done = done;
    return true;
  }
  st->progress.done = done;
  const bool written = (st->places ? out_sweep_settle : out_sweep_write)(st->table, bytes, n, done);
  const out_sweep_counts now_there = out_sweep_look(st->table);
  st->progress.failed = now_there.failed - st->taken_up.failed;
  st->progress.doubtful = now_there.doubtful;
  return written;
}

static bool pass_progress(void* context, int64_t done)
{
  state* st = context;
  const zw_sweep_options* o = st->s->o;
  if (st->is_file) st->progress.done = done;
  st->progress.seconds = now() - st->started;
  base_call* call = base_call_leave();
  const bool go_on = o->progress(o->progress_context, &st->progress);
  base_call_return(call);
  if (go_on) return true;
  st->interrupted = true;
  return false;
}

// ---- the sweep ----------------------------------------------------------------------------------

static bool is_method(const char* name)
{
  for (int i = 0; walk_method_name(i); i++)
    if (!strcmp(walk_method_name(i), name)) return true;
  return false;
}

static bool is_sound(const zw_model* m, const zw_sweep_options* o, base_notes* notes)
{
  const char* method = o->method ? o->method : m->model->method;
  if (o->method && !is_method(o->method))
    base_error(notes, BASE_NOWHERE, "there is no method `%s`; `zwang run --method list` lists them",
               o->method);
  else if (o->step > 0 && strcmp(method, "moreau") != 0)
    base_error(notes, BASE_NOWHERE,
               "--step is for the method moreau; other methods choose their own steps");
  else if (o->device && strcmp(o->device, "cpu") != 0 && strcmp(o->device, "gpu") != 0)
    base_error(notes, BASE_NOWHERE, "there is no device `%s`: it is cpu or gpu", o->device);
  else
    return true;
  return false;
}

static sweep_status drive_with(state* st, int64_t first, const sweep_maker* maker, int threads)
{
  api_sweep* s = st->s;
  const sweep_job job = {.plan = &s->plan,
                         .want = &s->want,
                         .maker = maker,
                         .first = first,
                         .threads = threads,
                         .context = st,
                         .encode = encode,
                         .write = write_rows,
                         .progress = s->o->progress ? pass_progress : NULL};
  return sweep_drive(&job);
}

static int threads_of(const api_sweep* s)
{
  return s->o->threads ? s->o->threads : sweep_threads();
}

static void tell_gpu(const sweep_gpu_report* r, base_notes* notes)
{
  base_info(notes, BASE_NOWHERE,
            "%s: program made in %.3g s, runs in %.4g s, %lld steps tried, %d operations a rate",
            r->name, r->compile, r->seconds, r->trials, r->operations);
}

static sweep_status drive_gpu(state* st, int64_t first, base_notes* notes)
{
  const sweep_maker maker = api_gpu_maker(&st->gpu);
  // more than one for a core was slower: they wait for each other's pages of the table
  const int threads = threads_of(st->s);
  const sweep_status status =
      drive_with(st, first, &maker, threads < most_gpu_threads ? threads : most_gpu_threads);
  tell_gpu(sweep_gpu_look(st->gpu.gpu), notes);
  return status;
}

// one program for all runs; those that can go side by side
static sweep_status drive_shared(state* st, int64_t first, const char* why, base_notes* notes)
{
  api_sweep* s = st->s;
  if (s->shared) why = api_convoy_refusal(s);
  api_convoy convoy = {.s = s, .gpu = st->gpu.carrier};
  const bool along = s->shared && !why;
  const sweep_maker maker = along ? api_convoy_maker(&convoy) : api_sweep_one_by_one(s);
  if (!along) base_info(notes, BASE_NOWHERE, "runs are made one by one: %s", why);
  const sweep_status status = drive_with(st, first, &maker, threads_of(s));
  const api_convoy_counts* c = &convoy.counts;
  if (convoy.gpu) tell_gpu(sweep_gpu_carrier_look(convoy.gpu), notes);
  if (convoy.gpu && sweep_gpu_carrier_failed(convoy.gpu))
    base_warning(notes, BASE_NOWHERE, "the GPU failed; the runs were made on the processor");
  if (along && 2 * c->along < c->runs)
    base_info(notes, BASE_NOWHERE, "%ld of %ld runs were made one by one: %s", c->runs - c->along,
              c->runs, c->why ? c->why : "they were too short");
  return status;
}

static sweep_status drive(state* st, int64_t first, base_notes* notes)
{
  api_sweep* s = st->s;
  if (st->gpu.gpu) return drive_gpu(st, first, notes);
  if (st->gpu.carrier) return drive_shared(st, first, NULL, notes);
  api_bundle bundle = {0};
  const char* why;
  if (api_bundle_open(&bundle, s, false, &why)) {
    const sweep_maker maker = api_bundle_maker(&bundle, threads_of(s));
    const sweep_status status = drive_with(st, first, &maker, threads_of(s));
    api_bundle_close(&bundle);
    return status;
  }
  api_shared shared = {0};
  if (api_shared_open(&shared, s)) s->shared = &shared;
  const sweep_status status = drive_shared(st, first, why, notes);
  s->shared = NULL;
  api_shared_close(&shared);
  return status;
}

static zw_status finish(state* st, sweep_status status, base_notes* notes)
{
  int code = 0;
  const char* plot = st->s->o->plot;
  if (st->table && plot && status == SWEEP_DONE)
    code = out_sweep_plot(st->table, &st->s->plan, plot, notes);
  if (st->table) code |= out_sweep_close(st->table, status == SWEEP_DONE, notes);
  if (status == SWEEP_BROKEN && st->gpu.failed)
    base_error(notes, BASE_NOWHERE, "the GPU failed; what is in order is kept for --resume");
  else if (status == SWEEP_BROKEN)
    base_error(notes, BASE_NOWHERE, "the model's files were changed while the sweep ran");
  if (status == SWEEP_BROKEN) return ZW_UNFINISHED;
  if (code) return ZW_NO_ROOM;
  if (status != SWEEP_DONE) return ZW_INTERRUPTED;
  if (!st->progress.doubtful) return ZW_OK;
  base_warning(notes, BASE_NOWHERE,
               "%lld of %lld runs are not to be trusted; the column `quality` says why",
               st->progress.doubtful, st->progress.total);
  base_help(notes, "try a smaller --tol or --step, or another --method");
  return ZW_DOUBTFUL;
}

static zw_status go(state* st, base_notes* notes)
{
  api_sweep* s = st->s;
  const char* out = s->o->out ? s->o->out : "-";
  int code = 0;
  int64_t first = 0;
  if (!sweep_ranks_join(notes)) return ZW_BAD_INPUT;
  if (s->o->table && sweep_ranks() > 1) {
    base_error(notes, BASE_NOWHERE, "under mpirun a sweep has no table in memory");
    sweep_ranks_leave();
    return ZW_BAD_INPUT;
  }
  if (sweep_rank() == 0 && st->is_file) {
    st->table = out_sweep_open(out, &s->head, s->o->resume, &first, &code, notes);
    if (!st->table) first = -1;
    if (st->table) st->taken_up = out_sweep_look(st->table);
    st->places = st->table && sweep_ranks() == 1 && out_sweep_has_places(st->table);
    st->progress.doubtful = st->taken_up.doubtful;
  }
  first = sweep_ranks_share(first);
  zw_status status = code == 1 ? ZW_BAD_INPUT : ZW_NO_ROOM;
  st->progress.first = first;
  st->progress.total = s->head.runs;
  if (first >= 0) status = finish(st, drive(st, first, notes), notes);
  st->progress.seconds = now() - st->started;
  st->progress.rank = sweep_rank();
  sweep_ranks_leave();
  return status;
}

// the options taken apart; false with errors noted
static bool read_sweep(api_sweep* s, base_notes* notes)
{
  const zw_sweep_options* o = s->o;
  s->sources = api_sum_sources(notes);
  api_sweep_note_said(s, notes);
  s->kind = o->out ? out_sweep_kind_of(o->out) : OUT_SWEEP_CSV;
  return is_sound(s->source, o, notes) && api_sweep_read_axes(s, notes) &&
         api_sweep_read_results(s, notes);
}

char* zw_sweep_plan(zw_model* m, const zw_sweep_options* o, long long* runs, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(MODEL, m), API_FIT(o, sweep_options), API_HAS(runs));
  api_sweep s = {.source = m, .o = o, .arena = base_arena_new()};
  base_text out = {0};
  const bool fine = read_sweep(&s, notes->notes);
  *runs = fine ? s.head.runs : 0;
  if (fine) api_sweep_columns(&s, &out);
  base_arena_free(s.arena);
  return fine ? api_hand_out_text(base_text_take(&out)) : NULL;
}

// can files be written where they are wanted?
static bool has_place(const api_sweep* s, bool is_file, base_notes* notes)
{
  const zw_sweep_options* o = s->o;
  const char* out = o->out ? o->out : "-";
  if (!is_file && o->plot) {
    base_error(notes, BASE_NOWHERE,
               "zw_sweep: a plot is drawn of a table in a file: `out` is null");
    return false;
  }
  return !is_file || (!out_sweep_check(out, o->resume, notes) &&
                      (!o->plot || !out_sweep_plot_check(&s->plan, out, o->plot, notes)));
}

zw_status zw_sweep(zw_model* m, const zw_sweep_options* o, zw_sweep_progress* report,
                   zw_notes* notes)
{
  if (report) *report = (zw_sweep_progress){0};
  API_ENTER_STATUS(notes, API_IS(MODEL, m), API_FIT(o, sweep_options));
  api_sweep s = {.source = m, .o = o, .arena = base_arena_new()};
  state st = {.s = &s, .is_file = o->out || !o->table, .started = now()};
  base_notes* n = notes->notes;
  zw_status status = ZW_BAD_INPUT;
  if (read_sweep(&s, n) && has_place(&s, st.is_file, n)) {
    s.head.print = print_of(&s);
    const bool gpu = o->device && !strcmp(o->device, "gpu");
    if (!gpu || api_gpu_open(&st.gpu, &s, n)) status = go(&st, n);
    api_gpu_close(&st.gpu);
  }
  if (report) *report = st.progress;
  base_arena_free(s.arena);
  return status;
}
