// A run kept as it goes: rows in `FILE.part`, checkpoints in `FILE.journal` (run_keep.h).
#include "out/run_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "out/beside.h"
#include "out/csv.h"
#include "out/file.h"

// s: shorter runs leave nothing behind; between two writings of rows; of checkpoints
static const double worth_keeping = 1, rows_every = 0.5, checkpoints_every = 1;
// checkpoints come so seldom that writing them takes no more than this share of the time, and in
// the end every hundredth of the way
static const double share_of_writing = 0.02, share_of_way = 0.01;
enum { longest_line = 120 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- writing ------------------------------------------------------------------------------------

// what was written in part is taken back; nothing more is written from here on
static void give_up(out_run_keep* k, int fault, const char* path)
{
  k->fault = fault;
  k->fault_path = path;
  if (k->part >= 0) (void)out_beside_cut(k->part, k->part_end);
  if (k->journal >= 0) (void)out_beside_cut(k->journal, k->journal_end);
}

static void add_to_journal(out_run_keep* k, const base_text* bytes)
{
  if (k->fault) return;
  const int fault = out_beside_put(k->journal, bytes->at, bytes->n);
  if (fault) give_up(k, fault, k->journal_path);
  if (!fault) k->journal_end += (int64_t)bytes->n;
}

// the journal's first line, and the part's header, where the run has come to be worth it
static void begin(out_run_keep* k, const walk_track* t)
{
  if (k->begun || k->fault) return;
  base_text text = {0};
  k->begun = true;
  base_text_printf(&text, "zwang run %016" PRIx64, k->print);
  out_journal_end_line(&text);
  int fault = out_beside_cut(k->journal, 0);
  if (fault) give_up(k, fault, k->journal_path);
  add_to_journal(k, &text);
  text.n = 0;
  k->part = open(k->part_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (!k->columns.at) k->columns = out_columns_all(t);
  out_csv_header(t, &k->columns, false, &text);
  fault = k->part < 0 ? errno : k->fault ? 0 : out_beside_put(k->part, text.at, text.n);
  if (fault) give_up(k, fault, k->part_path);
  if (!k->fault) k->part_end = (int64_t)text.n;
  base_text_free(&text);
}

static void show_rows(out_run_keep* k, const walk_track* t)
{
  base_text text = {0};
  begin(k, t);
  for (; !k->fault && k->shown < t->table.rows; k->shown++)
    out_csv_row(t, &k->columns, k->shown, &text);
  const int fault = k->fault ? 0 : out_beside_put(k->part, text.at, text.n);
  if (fault) give_up(k, fault, k->part_path);
  if (!k->fault) k->part_end += (int64_t)text.n;
  base_text_free(&text);
  k->last_part = now();
}

static void rows(void* context, const walk_track* t)
{
  out_run_keep* k = context;
  if (k->fault || t->table.rows == k->shown) return;
  const double at = now();
  if (at - k->started < out_beside_every(worth_keeping)) return;
  if (at - k->last_part < out_beside_every(rows_every)) return;
  show_rows(k, t);
}

static void checkpoint(void* context, const walk_track* t, const char* bytes, size_t n)
{
  out_run_keep* k = context;
  const double at = now();
  if (k->fault || at - k->last_journal < k->pause) return;
  if (at - k->started < out_beside_every(worth_keeping)) return;
  begin(k, t);
  base_text all = {0}, record = {0};
  walk_track_pack(t, &k->known, &all);
  base_text_addn(&all, bytes, n);
  out_sum sum = out_sum_start();
  out_sum_add(&sum, all.at, all.n);
  base_text_printf(&record, "checkpoint %zu %zu %016" PRIx64, all.n, n, out_sum_value(&sum));
  out_journal_end_line(&record);
  base_text_addn(&record, all.at, all.n);
  add_to_journal(k, &record);
  if (!k->fault && base_file_sync(k->journal)) give_up(k, errno, k->journal_path);
  if (!k->fault) k->checkpoints++;
  base_text_free(&all);
  base_text_free(&record);
  k->last_journal = now();
  const double took = k->last_journal - at, way = k->last_journal - k->started;
  k->pause = out_beside_every(checkpoints_every);
  if (!out_beside_is_hurried()) k->pause += took / share_of_writing + way * share_of_way;
}

// ---- taking up ----------------------------------------------------------------------------------

typedef struct record
{
  size_t bytes, onward; // of them, the last so many are not of the tables
  uint64_t sum;
} record;

// the line at `at`, and what it says; its length, 0 where it is broken
static size_t read_line(const char* text, size_t n, record* r)
{
  const char* end = memchr(text, '\n', n < longest_line ? n : longest_line);
  if (!end) return 0;
  char* line = base_strndup(text, (size_t)(end - text));
  const bool right = out_journal_is_whole(line) && sscanf(line, "checkpoint %zu %zu %" SCNx64,
                                                          &r->bytes, &r->onward, &r->sum) == 3;
  free(line);
  return right && r->onward <= r->bytes ? (size_t)(end - text) + 1 : 0;
}

// the checkpoint at the beginning of the text, taken up; its length, 0 where it is broken
static size_t take_one(out_run_keep* k, const char* text, size_t n)
{
  record r = {0};
  const size_t line = read_line(text, n, &r);
  if (!line || r.bytes > n - line) return 0;
  out_sum sum = out_sum_start();
  out_sum_add(&sum, text + line, r.bytes);
  if (out_sum_value(&sum) != r.sum) return 0;
  const char* at = text + line;
  size_t left = r.bytes;
  if (!walk_track_unpack(k->so_far, &at, &left) || left != r.onward) {
    // no damage by chance: the tables are no longer what an earlier one vouches for
    free(k->onward);
    k->onward = NULL;
    k->checkpoints = 0;
    return 0;
  }
  k->onward = base_realloc(k->onward, r.onward + 1);
  memcpy(k->onward, at, r.onward);
  k->onward_n = r.onward;
  k->checkpoints++;
  return line + r.bytes;
}

// what the journal vouches for; what lies behind it is cut off
static void take_up(out_run_keep* k, const char* text, size_t n, size_t first, const model* m,
                    base_notes* notes)
{
  k->so_far = walk_track_new(m);
  size_t at = first;
  for (size_t length; at < n && (length = take_one(k, text + at, n - at)); at += length) {
  }
  const walk_track* t = k->so_far;
  k->known = (walk_known){t->table.rows, t->curves.rows, t->thinned, t->happenings};
  k->begun = k->checkpoints > 0;
  k->journal_end = (int64_t)at;
  if (at < n)
    base_warning(notes, BASE_NOWHERE,
                 k->onward
                     ? "`%s` is damaged, or was cut short: what lies behind is made again"
                     : "`%s` is damaged, or was cut short: the run is made again from its start",
                 k->journal_path);
  else if (!k->onward)
    base_info(notes, BASE_NOWHERE, "no checkpoint in `%s`: begun from the start", k->journal_path);
  if (k->onward) return;
  walk_track_free(k->so_far);
  k->so_far = NULL;
}

typedef enum kind { KIND_NONE, KIND_OURS, KIND_OTHER, KIND_FOREIGN } kind;

// whose journal it is; *first: length of its first line
static kind kind_of(const out_run_keep* k, const char* text, size_t n, size_t* first)
{
  if (!n) return KIND_NONE;
  const char* end = memchr(text, '\n', n < longest_line ? n : longest_line);
  char* line = base_strndup(text, end ? (size_t)(end - text) : 0);
  uint64_t print = 0;
  const bool right =
      end && out_journal_is_whole(line) && sscanf(line, "zwang run %" SCNx64, &print) == 1;
  free(line);
  *first = end ? (size_t)(end - text) + 1 : 0;
  return !right ? KIND_FOREIGN : print == k->print ? KIND_OURS : KIND_OTHER;
}

static bool refuse(const out_run_keep* k, const char* what, const char* help, base_notes* notes)
{
  base_error(notes, BASE_NOWHERE, what, k->journal_path);
  base_help(notes, help, k->journal_path);
  return false;
}

// a journal is there, or none: may the run begin, or go on? False with an error noted.
static bool look(out_run_keep* k, bool resume, const model* m, base_notes* notes)
{
  size_t n = 0, first = 0;
  const char* why;
  char* text = base_file_read(k->journal_path, (size_t)1 << 40, &n, &why);
  if (!text) return refuse(k, "cannot read `%s`", "to begin anew, remove `%s`", notes);
  kind what = kind_of(k, text, n, &first);
  // a name alone is nothing to go on with
  if (what == KIND_OURS && n == first) what = KIND_NONE;
  bool fine = true;
  if (what == KIND_FOREIGN)
    fine = refuse(k, "`%s` is not the journal of a run, or it was damaged",
                  "to begin anew, remove `%s`", notes);
  else if (what == KIND_OTHER && resume)
    fine = refuse(k, "`%s` belongs to another run",
                  "the same model and options go on with it; to begin anew, remove `%s`", notes);
  else if (what == KIND_OTHER)
    base_info(notes, BASE_NOWHERE, "another run into `%s` was broken off: what was kept of it goes",
              k->path);
  else if (what == KIND_OURS && !resume)
    fine = refuse(k, "this run was broken off before: `%s` has what was kept of it",
                  "--resume goes on with it; to begin anew, remove `%s`", notes);
  else if (what == KIND_OURS)
    take_up(k, text, n, first, m, notes);
  else if (resume)
    base_info(notes, BASE_NOWHERE, "nothing to go on with beside `%s`: begun from the start",
              k->path);
  free(text);
  return fine;
}

// ---- opening and closing ------------------------------------------------------------------------

// where a call is given up the files stay: the journal says how far they are right
static void shut(void* keep)
{
  out_run_keep* k = keep;
  if (k->part >= 0) close(k->part);
  if (k->journal >= 0) close(k->journal);
}

static void forget(out_run_keep* k)
{
  base_hold_end(k->hold);
  shut(k);
  walk_track_free(k->so_far);
  free(k->onward);
  out_columns_free(&k->columns);
  free(k->path);
  free(k->part_path);
  free(k->journal_path);
  free(k);
}

// the files as they have to be for what was taken up
static bool put_back(out_run_keep* k, base_notes* notes)
{
  int fault = k->onward ? out_beside_cut(k->journal, k->journal_end) : 0;
  if (!fault && k->onward) {
    k->part = open(k->part_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    base_text text = {0};
    k->columns = out_columns_all(k->so_far);
    out_csv_header(k->so_far, &k->columns, false, &text);
    fault = k->part < 0 ? errno : out_beside_put(k->part, text.at, text.n);
    k->part_end = (int64_t)text.n;
    base_text_free(&text);
    if (!fault) show_rows(k, k->so_far);
  }
  if (fault)
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", k->part_path, strerror(fault));
  return !fault;
}

bool out_run_keep_may(const char* path)
{
  return strcmp(path, "-") != 0 && out_file_kind_of(path) != OUT_FILE_SPECIAL;
}

out_run_keep* out_run_keep_open(const char* path, uint64_t print, bool resume, const model* m,
                                int* code, base_notes* notes)
{
  out_run_keep* k = base_alloc(sizeof *k);
  k->path = out_beside_path(path, "");
  k->part_path = out_beside_path(path, ".part");
  k->journal_path = out_beside_path(path, ".journal");
  k->print = print;
  k->part = k->journal = -1;
  k->hold = base_hold_begin(shut, k);
  k->pause = out_beside_every(checkpoints_every);
  k->started = k->last_part = k->last_journal = now();
  k->keeper = (walk_keeper){k, rows, checkpoint};
  k->journal = out_beside_lock(k->journal_path);
  bool fine = k->journal >= 0;
  *code = k->journal == out_beside_busy ? 1 : 2;
  if (k->journal == out_beside_busy)
    out_beside_tell_busy(k->path, notes);
  else if (!fine && resume)
    base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", k->journal_path, strerror(errno));
  else if (!fine)
    base_warning(notes, BASE_NOWHERE, "the run is not kept as it goes: cannot write `%s`: %s",
                 k->journal_path, strerror(errno));
  else if (!look(k, resume, m, notes))
    fine = !(*code = 1);
  else
    fine = put_back(k, notes);
  if (fine) return k;
  forget(k);
  return NULL;
}

const walk_keeper* out_run_keep_keeper(const out_run_keep* k)
{
  return &k->keeper;
}

bool out_run_keep_onward(const out_run_keep* k, walk_onward* onward)
{
  *onward = (walk_onward){k->onward, k->onward_n, k->so_far};
  return k->onward != NULL;
}

// what went wrong meanwhile, and the way on
static void tell(const out_run_keep* k, bool written, bool over, base_notes* notes)
{
  if (k->fault)
    base_warning(notes, BASE_NOWHERE, "the run could not be kept as it went: cannot write `%s`: %s",
                 k->fault_path, strerror(k->fault));
  if (k->checkpoints && !(written && over))
    base_info(notes, BASE_NOWHERE, "`%s` has the rows so far; --resume goes on from `%s`",
              written ? k->path : k->part_path, k->journal_path);
}

void out_run_keep_close(out_run_keep* k, bool written, bool over, base_notes* notes)
{
  if (!k) return;
  if (notes) tell(k, written, over, notes);
  if (written && k->begun) {
    // the table first; then what it was made of may go
    const int fd = open(k->path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) fsync(fd);
    if (fd >= 0) close(fd);
    out_beside_settle(k->path);
  }
  if (written) unlink(k->part_path);
  if ((written && over) || !k->checkpoints) unlink(k->journal_path);
  forget(k);
}
