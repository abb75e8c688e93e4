// The table of a sweep on disk: rows in `FILE.part`, how far they are good in `FILE.journal`
// (sweep_journal.h). Whenever the program is killed, and whatever was done to the rows since, those
// that the journal vouches for are taken up; what lies behind them is cut off and computed again,
// to the same bits.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "out/beside.h"
#include "out/file.h"
#include "out/hdf5.h"
#include "out/sweep_place.h"
#include "out/sweep_rows.h"
#include "out/sweep_table.h"

// s between two lines of the journal
static const double journal_every = 0.5;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_stream(const char* path)
{
  return !strcmp(path, "-") || out_file_kind_of(path) == OUT_FILE_SPECIAL;
}

int out_sweep_check(const char* path, bool resume, base_notes* notes)
{
  const char* name = strrchr(path, '/');
  const char* dot = strrchr(name ? name : path, '.');
  if (dot && !strcasecmp(dot, ".json")) {
    base_error(notes, BASE_NOWHERE, "cannot write a sweep to `%s`: JSON is written whole", path);
    base_help(notes, "use a name that ends in .csv, .h5 or .npy, or `-` for CSV on stdout");
    return 1;
  }
  if (resume && is_stream(path)) {
    base_error(notes, BASE_NOWHERE, "--resume needs --out with the name of a file");
    return 1;
  }
  if (out_sweep_kind_of(path) == OUT_SWEEP_NPY) return out_file_check(path, notes) ? 0 : 2;
  return out_table_check(path, notes);
}

// ---- writing ------------------------------------------------------------------------------------

static bool put(out_sweep* s, int fd, const char* bytes, size_t n)
{
  if (!s->fault) s->fault = out_beside_put(fd, bytes, n);
  return !s->fault;
}

static void add_journal(out_sweep* s, int64_t done)
{
  if (base_file_sync(s->part) && !s->fault) s->fault = errno;
  base_text line = {0};
  const out_sweep_mark mark = {
      .runs = done, .bytes = s->bytes, .counts = s->counts, .sum = out_sum_value(&s->sum)};
  out_sweep_journal_line(&mark, &line);
  put(s, s->journal, line.at, line.n);
  if (!s->fault && base_file_sync(s->journal)) s->fault = errno;
  base_text_free(&line);
  s->last = now();
}

// the journal has a line more where it is time for one
static bool keep(out_sweep* s, int64_t done)
{
  if (!s->plain && now() - s->last > s->every) add_journal(s, done);
  return !s->fault;
}

static void count_in(out_sweep* s, const char* bytes, size_t n)
{
  s->bytes += (int64_t)n;
  out_sum_add(&s->sum, bytes, n);
}

// What is written goes on its way to the disk while further rows are made, so that little is left
// to wait for in the end. That it has not begun is no fault.
static void send_on(out_sweep* s)
{
#ifdef SYNC_FILE_RANGE_WRITE
  enum { piece = 4 << 20 };
  if (s->bytes - s->sent < piece) return;
  sync_file_range(s->part, s->sent, s->bytes - s->sent, SYNC_FILE_RANGE_WRITE);
  s->sent = s->bytes;
#else
  (void)s;
#endif
}

bool out_sweep_write(out_sweep* s, const char* bytes, size_t n, int64_t done)
{
  out_sweep_counts counts;
  assert(n >= sizeof counts);
  n -= sizeof counts;
  memcpy(&counts, bytes + n, sizeof counts);
  if (!put(s, s->part, bytes, n)) return false;
  s->counts.failed += counts.failed;
  s->counts.doubtful += counts.doubtful;
  if (!s->plain) {
    count_in(s, bytes, n);
    send_on(s);
  }
  return keep(s, done);
}

bool out_sweep_settle(out_sweep* s, const char* receipt, size_t n, int64_t done)
{
  if (!out_sweep_take_receipt(s, receipt, n)) return false;
  return keep(s, done);
}

out_sweep_counts out_sweep_look(const out_sweep* s)
{
  return s->counts;
}

// ---- opening ------------------------------------------------------------------------------------

static bool complain(base_notes* notes, const char* path, int fault)
{
  base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, strerror(fault));
  return false;
}

static bool cut(out_sweep* s, int fd, int64_t length)
{
  s->fault = out_beside_cut(fd, length);
  return !s->fault;
}

// nothing that was written counts: the header, and the journal's first line
static bool begin(out_sweep* s)
{
  base_text text = {0};
  if (!cut(s, s->journal, 0) || !cut(s, s->part, 0)) return false;
  out_sweep_header(&s->head, s->kind, &text);
  put(s, s->part, text.at, text.n);
  s->bytes = 0;
  s->sum = out_sum_start();
  count_in(s, text.at, text.n);
  text.n = 0;
  out_sweep_journal_first(&s->head, &text);
  put(s, s->journal, text.at, text.n);
  base_text_free(&text);
  return !s->fault;
}

// does the part, from where the sum stands, go on as it was when the mark was made?
static bool still_holds(out_sweep* s, const out_sweep_mark* m)
{
  char block[1 << 14];
  while (s->bytes < m->bytes) {
    const int64_t left = m->bytes - s->bytes;
    const size_t want = left < (int64_t)sizeof block ? (size_t)left : sizeof block;
    const ssize_t k = pread(s->part, block, want, (off_t)s->bytes);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    count_in(s, block, (size_t)k);
  }
  return s->bytes == m->bytes && out_sum_value(&s->sum) == m->sum;
}

// rows that all have one size end where their number says
static bool fits(const out_sweep* s, const out_sweep_mark* m)
{
  const int64_t record = (int64_t)out_sweep_record(&s->head, s->kind);
  return !record || (m->runs <= s->head.runs && m->bytes == (int64_t)s->before + m->runs * record);
}

// the last mark up to which the part is as it was; null where there is none
static const out_sweep_mark* last_good(out_sweep* s, const out_sweep_journal* j)
{
  const out_sweep_mark* good = NULL;
  out_sum sum = out_sum_start();
  s->bytes = 0;
  s->sum = sum;
  for (int i = 0; i < j->marks.n && fits(s, &j->marks.at[i]) && still_holds(s, &j->marks.at[i]);
       i++) {
    good = &j->marks.at[i];
    sum = s->sum;
  }
  s->bytes = good ? good->bytes : 0;
  s->counts = good ? good->counts : (out_sweep_counts){0};
  s->sum = sum;
  return good;
}

static bool refuse_journal(const out_sweep* s, const out_sweep_journal* j, base_notes* notes)
{
  if (j->other) {
    base_error(notes, BASE_NOWHERE, "`%s` belongs to another sweep", s->journal_path);
    base_help(notes, "the same model and options go on with it; to begin anew, remove it");
  } else {
    base_error(notes, BASE_NOWHERE, "`%s` is not the journal of a sweep, or it was changed",
               s->journal_path);
    base_help(notes, "to begin anew, remove it");
  }
  return false;
}

// take up what the journal vouches for; false with an error noted
static bool go_on(out_sweep* s, int64_t* done, base_notes* notes)
{
  size_t n;
  const char* why;
  char* text = base_file_read(s->journal_path, (size_t)1 << 32, &n, &why);
  if (!text) {
    base_error(notes, BASE_NOWHERE, "cannot read `%s`: %s", s->journal_path, why);
    return false;
  }
  out_sweep_journal j = out_sweep_journal_read(&s->head, text, n);
  bool fine = !j.other && !j.foreign;
  const out_sweep_mark* good = fine ? last_good(s, &j) : NULL;
  const int64_t written = j.marks.n ? j.marks.at[j.marks.n - 1].runs : 0;
  *done = good ? good->runs : 0;
  if (!fine)
    refuse_journal(s, &j, notes);
  else if (good)
    fine = cut(s, s->part, s->bytes) && cut(s, s->journal, (int64_t)good->journal_end);
  else
    fine = begin(s);
  if (fine && *done < written)
    base_warning(notes, BASE_NOWHERE,
                 "`%s` was changed since it was written: runs from %" PRId64 " on are made again",
                 s->part_path, *done + 1);
  out_sweep_journal_free(&j);
  free(text);
  return fine;
}

// the journal is ours alone from here on; false where that cannot be, with the reason
static bool lock(out_sweep* s, int* code, base_notes* notes)
{
  s->journal = out_beside_lock(s->journal_path);
  if (s->journal >= 0) return true;
  if (s->journal != out_beside_busy) return complain(notes, s->journal_path, errno);
  *code = 1;
  out_beside_tell_busy(s->path, notes);
  return false;
}

static bool open_files(out_sweep* s, bool resume, int64_t* done, int* code, base_notes* notes)
{
  if (!lock(s, code, notes)) return false;
  const bool there = lseek(s->journal, 0, SEEK_END) > 0;
  if (there && !resume) {
    base_error(notes, BASE_NOWHERE, "a sweep into `%s` was broken off", s->path);
    base_help(notes, "--resume goes on with it; to begin anew, remove `%s`", s->journal_path);
    *code = 1;
    return false;
  }
  if (resume && !there)
    base_info(notes, BASE_NOWHERE, "nothing to go on with beside `%s`: begun with the first run",
              s->path);
  s->part = open(s->part_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->part < 0) {
    const int fault = errno;
    if (!there) unlink(s->journal_path);
    return complain(notes, s->part_path, fault);
  }
  const bool fine = there ? go_on(s, done, notes) : begin(s);
  if (fine) out_sweep_make_places(s);
  if (s->fault) complain(notes, s->part_path, s->fault);
  if (!fine && !s->fault) *code = 1;
  return fine;
}

// where a call is given up the files stay: their journal says how far they are right
static void shut(void* sweep)
{
  out_sweep* s = sweep;
  out_sweep_leave_places(s);
  if (s->part > STDERR_FILENO) close(s->part);
  if (s->journal >= 0) close(s->journal);
}

static void forget(out_sweep* s)
{
  base_hold_end(s->hold);
  shut(s);
  free(s->places);
  free(s->path);
  free(s->part_path);
  free(s->journal_path);
  free(s);
}

out_sweep* out_sweep_open(const char* path, const out_sweep_head* head, bool resume, int64_t* done,
                          int* code, base_notes* notes)
{
  out_sweep* s = base_alloc(sizeof *s);
  s->head = *head;
  s->kind = out_sweep_kind_of(path);
  s->plain = is_stream(path);
  s->part = s->journal = -1;
  s->places = out_sweep_no_places();
  s->hold = base_hold_begin(shut, s);
  s->every = out_beside_every(journal_every);
  s->last = now();
  s->before = out_sweep_before(head, s->kind);
  s->path = out_beside_path(path, "");
  s->part_path = out_beside_path(path, ".part");
  s->journal_path = out_beside_path(path, ".journal");
  *done = 0;
  *code = 2;
  bool fine;
  if (s->plain) {
    s->part = strcmp(path, "-") ? open(path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
    base_text text = {0};
    out_sweep_header(head, s->kind, &text);
    fine = s->part >= 0 && put(s, s->part, text.at, text.n);
    if (!fine) complain(notes, path, s->fault ? s->fault : errno);
    base_text_free(&text);
  } else {
    fine = open_files(s, resume, done, code, notes);
  }
  if (fine) return s;
  forget(s);
  return NULL;
}

// ---- the end ------------------------------------------------------------------------------------

// the name of the finished file; its folder is told to keep it
static bool appear(out_sweep* s, const char* from)
{
  if (base_file_rename(from, s->path)) return false;
  out_beside_settle(s->path);
  return true;
}

static bool complete_file(out_sweep* s, base_notes* notes)
{
  if (base_file_sync(s->part)) return complain(notes, s->part_path, errno);
  if (s->kind != OUT_SWEEP_HDF5) {
    if (!appear(s, s->part_path)) return complain(notes, s->path, errno);
  } else {
    char* made = out_beside_path(s->path, ".making");
    bool fine = out_sweep_hdf5(&s->head, s->part, made, notes);
    if (fine && !appear(s, made)) fine = complain(notes, s->path, errno);
    if (!fine) unlink(made);
    free(made);
    if (!fine) return false;
    unlink(s->part_path);
  }
  unlink(s->journal_path);
  return true;
}

int out_sweep_close(out_sweep* s, bool complete, base_notes* notes)
{
  bool fine = !s->fault;
  out_sweep_leave_places(s);
  if (!fine) complain(notes, s->path, s->fault);
  if (fine && complete && !s->plain) fine = complete_file(s, notes);
  // behind what is good lie places that are empty, or rows that nobody vouches for
  if (!complete && s->laid_out) s->laid_out = ftruncate(s->part, (off_t)s->bytes) != 0;
  forget(s);
  return fine ? 0 : 2;
}
