// Runs of a sweep by the ordinary engine: what `zwang run --set` would give, to the last bit. They
// share one program (sweep_shared.c), or have each a model of its own, read from its text.
#include "api/sweep.h"

#include <stdlib.h>
#include <string.h>

const uint64_t api_sum_start = 0xcbf29ce484222325u;

uint64_t api_sum(uint64_t sum, const void* bytes, size_t n)
{
  const unsigned char* at = bytes;
  for (size_t i = 0; i < n; i++) sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}

// has this source been read before? A model that repeats is, where params have other values.
static bool is_again(const base_notes* notes, int source, const char* text, size_t n)
{
  const char* name = base_notes_source_name(notes, source);
  for (int i = 0; i < source; i++) {
    size_t length;
    const char* other = base_notes_source_text(notes, i, &length);
    if (length == n && !strcmp(base_notes_source_name(notes, i), name) && !memcmp(other, text, n))
      return true;
  }
  return false;
}

uint64_t api_sum_sources(const base_notes* notes)
{
  uint64_t sum = api_sum_start;
  size_t n;
  const char* text;
  for (int i = 0; (text = base_notes_source_text(notes, i, &n)); i++) {
    // words of the command line are no part of it
    if (!strncmp(base_notes_source_name(notes, i), "--", 2)) continue;
    if (is_again(notes, i, text, n)) continue;
    sum = api_sum(sum, &n, sizeof n);
    sum = api_sum(sum, text, n);
  }
  return sum;
}

zw_model* api_sweep_model(const api_sweep* s, const double* value, base_notes* notes)
{
  const zw_model* m = s->source;
  const char** sets = base_alloc(sizeof *sets * (size_t)(m->set_count + s->plan.axes + 1));
  base_arena* words = base_arena_new();
  int count = 0;
  for (; count < m->set_count; count++) sets[count] = m->sets[count];
  for (int i = 0; i < s->plan.axes && value; i++)
    if (s->varied[i].param >= 0)
      sets[count++] = base_arena_printf(words, "%s=%.17g", s->plan.axis[i].name, value[i]);
  zw_model* out = m->text ? api_model_read_text(m->path, m->text, m->length, sets, count, notes)
                          : api_model_read(m->path, sets, count, notes);
  for (int i = 0; out && value && i < s->plan.axes; i++) {
    if (s->varied[i].param >= 0) continue;
    model_varied v;
    if (model_varied_find(out->model, "--over", s->plan.axis[i].name, notes, &v)) {
      model_start_set(out->model, &v, expr_double(out->model->pool, value[i]));
    } else {
      api_object_drop(out);
      out = NULL;
    }
  }
  base_arena_free(words);
  free(sets);
  return out;
}

static const char* first_error(const base_notes* notes)
{
  for (int i = 0; i < base_notes_count(notes); i++)
    if (base_notes_level(notes, i) == BASE_ERROR) return base_notes_reason(notes, i);
  return "the run could not be made";
}

walk_options api_sweep_run_options(const api_sweep* s)
{
  const zw_sweep_options* o = s->o;
  walk_options r = walk_options_default();
  r.until = o->until;
  r.tolerance = o->tolerance;
  r.method = o->method;
  r.step = o->step;
  r.every = o->every;
  r.points = o->points;
  // the last row is enough
  if (!sweep_needs_rows(&s->want) && !(r.every > 0)) r.points = r.points ? r.points : 2;
  return r;
}

// ---- what is said of a run ----------------------------------------------------------------------

void api_sweep_note_said(api_sweep* s, const base_notes* notes)
{
  const int count = base_notes_count(notes);
  s->said_text = base_arena_take(s->arena, sizeof *s->said_text * (size_t)(count + 1));
  for (int i = 0; i < count; i++)
    if (base_notes_level(notes, i) == BASE_WARNING)
      s->said_text[s->said++] = base_arena_strdup(s->arena, base_notes_reason(notes, i));
}

static bool was_said(const api_sweep* s, const char* text)
{
  for (int i = 0; i < s->said; i++)
    if (!strcmp(s->said_text[i], text)) return true;
  return false;
}

const char* api_sweep_warnings(const api_sweep* s, const base_notes* notes, const char* first,
                               base_arena* arena)
{
  const char* all = first ? first : "";
  for (int i = 0; i < base_notes_count(notes); i++) {
    const char* text = base_notes_reason(notes, i);
    if (base_notes_level(notes, i) != BASE_WARNING || was_said(s, text)) continue;
    if (first && !strcmp(text, first)) continue;
    all = *all ? base_arena_printf(arena, "%s; %s", all, text) : base_arena_strdup(arena, text);
  }
  return all;
}

// ---- tables of another shape --------------------------------------------------------------------

// Where a swept param counts repetitions, the table of a run has other columns than that of the
// model as it was read: they are found again by their names.
typedef struct shape
{
  const api_sweep* s;
  int columns;
  const char** column;
  const char* missing; // a column wanted that the run does not have, or null
} shape;

static int find_again(shape* x, int k)
{
  const char* name = x->s->column[k];
  if (k < x->columns && !strcmp(x->column[k], name)) return k;
  for (int i = 0; i < x->columns; i++)
    if (!strcmp(x->column[i], name)) return i;
  if (!x->missing) x->missing = name;
  return -1;
}

static sweep_results want_of_run(shape* x, base_arena* arena)
{
  sweep_results want = x->s->want;
  sweep_wanted* wanted = base_arena_take(arena, sizeof *wanted * (size_t)(want.count + 1));
  sweep_basin* basin = base_arena_take(arena, sizeof *basin * (size_t)(want.basins + 1));
  for (int i = 0; i < want.count; i++) {
    wanted[i] = want.wanted[i];
    if (!wanted[i].event) wanted[i].column = find_again(x, wanted[i].column);
  }
  for (int i = 0; i < want.basins; i++) {
    basin[i] = want.basin[i];
    int* column = base_arena_take(arena, sizeof *column * (size_t)(basin[i].count + 1));
    for (int k = 0; k < basin[i].count; k++) column[k] = find_again(x, basin[i].column[k]);
    basin[i].column = column;
  }
  want.wanted = wanted;
  want.basin = basin;
  return want;
}

static void take(const api_sweep* s, const walk_track* t, sweep_rows* rows, int i,
                 base_arena* arena)
{
  shape x = {.s = s, .columns = t->columns, .column = t->column};
  const sweep_results want = want_of_run(&x, arena);
  if (x.missing)
    sweep_fail(&s->want, base_arena_printf(arena, "the run has no column `%.100s`", x.missing),
               rows, i);
  else
    sweep_take(&want, t, rows, i);
}

void api_sweep_keep(const api_sweep* s, const walk_track* t, const base_notes* notes,
                    sweep_rows* rows, int i)
{
  base_arena* arena = base_arena_new();
  if (t)
    take(s, t, rows, i, arena);
  else
    sweep_fail(&s->want, first_error(notes), rows, i);
  const bool doubtful = t && *t->doubt && !rows->reason[i];
  sweep_judge(rows, i, doubtful, api_sweep_warnings(s, notes, doubtful ? t->doubt : NULL, arena));
  base_arena_free(arena);
}

bool api_sweep_one(const api_sweep* s, sweep_rows* rows, int i)
{
  if (s->shared && api_shared_run(s, rows, i)) return true;
  base_notes* notes = base_notes_new();
  zw_model* m = api_sweep_model(s, rows->value + i * s->plan.axes, notes);
  const bool same = api_sum_sources(notes) == s->sources;
  zw_system* y = m && same ? api_system_new(m, notes) : NULL;
  const walk_options o = api_sweep_run_options(s);
  walk_track* t = y ? walk_run(y->system, &o, notes) : NULL;
  api_sweep_keep(s, t, notes, rows, i);
  walk_track_free(t);
  api_object_drop(y);
  api_object_drop(m);
  base_notes_free(notes);
  return same;
}

// ---- one after the other ------------------------------------------------------------------------

// A thread, whose runs take the blocks that those before gave back.
typedef struct worker
{
  const api_sweep* s;
  base_stock* stock;
  base_hold hold; // of the stock
  sweep_rows* rows;
  int i;
  bool same;
} worker;

static void run_one(worker* w)
{
  sweep_rows* rows = w->rows;
  w->same = api_sweep_one(w->s, rows, w->i);
  base_keep_with(rows->reason, rows->reason[w->i]);
  base_keep_with(rows->quality, rows->quality[w->i]);
}

// The run as a call of its own: its blocks come from the stock and go back to it, and no thread
// waits for another's. False where memory ran out.
static bool try_one(worker* w)
{
  base_call c = {0};
  if (setjmp(c.point) == 0) {
    base_call_begin_with(&c, w->stock);
    run_one(w);
    base_call_end(&c);
    return true;
  }
  base_call_give_up(&c);
  return false;
}

static bool run(void* own, sweep_rows* rows)
{
  worker* w = own;
  w->rows = rows;
  w->same = true;
  for (w->i = 0; w->i < rows->count && w->same; w->i++)
    if (!try_one(w)) base_no_room();
  return w->same;
}

static void release_stock(void* stock)
{
  base_stock_free(stock);
}

static void* open_worker(void* context)
{
  worker* w = base_alloc(sizeof *w);
  w->s = context;
  w->stock = base_stock_new();
  w->hold = base_hold_begin(release_stock, w->stock);
  return w;
}

static void close_worker(void* own)
{
  worker* w = own;
  base_hold_end(w->hold);
  base_stock_free(w->stock);
  free(w);
}

// few at a time, so that little is lost when the sweep is killed; more where there are very many,
// so that threads do not meet too often
static int chunk_of(int64_t runs)
{
  const int64_t share = runs / 2048;
  return share < 4 ? 4 : share > 64 ? 64 : (int)share;
}

sweep_maker api_sweep_one_by_one(api_sweep* s)
{
  return (sweep_maker){.context = s,
                       .open = open_worker,
                       .run = run,
                       .close = close_worker,
                       .chunk = chunk_of(s->head.runs)};
}
