// The table of a sweep on disk: rows in `FILE.part`, how far they are good in `FILE.journal`.
//
// The journal begins with a line that names the sweep. A line is added after the rows it speaks of
// have reached the disk: runs done, bytes of the part, and a sum over both. Whenever the program
// is killed, what the last whole line says is there and right; what lies behind it is cut off and
// computed again, to the same bits.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "out/file.h"
#include "out/hdf5.h"
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

static char* with_ending(const char* path, const char* ending)
{
  base_text t = {0};
  base_text_printf(&t, "%s%s", path, ending);
  return base_text_take(&t);
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
    base_help(notes, "use a name that ends in .csv or .h5, or `-` for CSV on stdout");
    return 1;
  }
  if (resume && is_stream(path)) {
    base_error(notes, BASE_NOWHERE, "--resume needs --out with the name of a file");
    return 1;
  }
  return out_table_check(path, notes);
}

// ---- writing ------------------------------------------------------------------------------------

static bool put(out_sweep* s, int fd, const char* bytes, size_t n)
{
  while (n > 0 && !s->fault) {
    const ssize_t k = write(fd, bytes, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) {
      s->fault = k < 0 ? errno : EIO;
      break;
    }
    bytes += k;
    n -= (size_t)k;
  }
  return !s->fault;
}

// Fowler, Noll and Vo (1991)
static uint64_t sum_of(const char* text)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 0x100000001b3u;
  return h;
}

static void add_sum(base_text* line)
{
  base_text_printf(line, " %016" PRIx64 "\n", sum_of(line->at));
}

static void add_journal(out_sweep* s, int64_t done)
{
  if (fdatasync(s->part) && !s->fault) s->fault = errno;
  base_text line = {0};
  base_text_printf(&line, "%" PRId64 " %" PRId64, done, s->bytes);
  add_sum(&line);
  put(s, s->journal, line.at, line.n);
  if (!s->fault && fdatasync(s->journal)) s->fault = errno;
  base_text_free(&line);
  s->last = now();
}

bool out_sweep_write(out_sweep* s, const char* bytes, size_t n, int64_t done)
{
  if (!put(s, s->part, bytes, n)) return false;
  s->bytes += (int64_t)n;
  if (!s->plain && now() - s->last > journal_every) add_journal(s, done);
  return !s->fault;
}

// ---- opening ------------------------------------------------------------------------------------

static void first_line(const out_sweep_head* h, base_text* out)
{
  base_text_printf(out, "zwang sweep %016" PRIx64 " of %" PRId64 " runs", h->print, h->runs);
  add_sum(out);
}

// the journal's text up to the last line that is whole and right; how far it says we are
static size_t good_part(const char* text, size_t n, int64_t* done, int64_t* bytes)
{
  size_t good = 0;
  for (size_t at = 0; at < n;) {
    const char* end = memchr(text + at, '\n', n - at);
    if (!end) break;
    char* line = base_strndup(text + at, (size_t)(end - (text + at)));
    char* sum = strrchr(line, ' ');
    bool right = sum != NULL;
    if (right) {
      *sum = 0;
      right = strtoull(sum + 1, NULL, 16) == sum_of(line);
    }
    if (right && at > 0) right = sscanf(line, "%" SCNd64 " %" SCNd64, done, bytes) == 2;
    free(line);
    if (!right) break;
    at = good = (size_t)(end - text) + 1;
  }
  return good;
}

static bool complain(base_notes* notes, const char* path, int fault)
{
  base_error(notes, BASE_NOWHERE, "cannot write `%s`: %s", path, strerror(fault));
  return false;
}

// an empty table: the header, and the journal's first line
static bool begin(out_sweep* s)
{
  base_text text = {0};
  if (ftruncate(s->journal, 0) || ftruncate(s->part, 0)) s->fault = errno;
  if (!s->binary) out_sweep_header(&s->head, &text);
  put(s, s->part, text.at, text.n);
  s->bytes = (int64_t)text.n;
  text.n = 0;
  first_line(&s->head, &text);
  put(s, s->journal, text.at, text.n);
  base_text_free(&text);
  return !s->fault;
}

// take up what the journal says; false with an error noted
static bool go_on(out_sweep* s, int64_t* done, base_notes* notes)
{
  size_t n;
  const char* why;
  char* text = base_file_read(s->journal_path, (size_t)1 << 32, &n, &why);
  base_text first = {0};
  first_line(&s->head, &first);
  int64_t runs = -1, bytes = -1;
  const size_t good = text ? good_part(text, n, &runs, &bytes) : 0;
  const bool same = good >= first.n && !memcmp(text, first.at, first.n);
  const bool fresh = runs < 0;
  bool fine = true;
  if (good && !same) {
    base_error(notes, BASE_NOWHERE, "`%s` belongs to another sweep", s->journal_path);
    base_help(notes, "the same model and options go on with it; to begin anew, remove it");
    fine = false;
  } else if (fresh || lseek(s->part, 0, SEEK_END) < bytes) {
    fine = begin(s);
  } else if (ftruncate(s->part, bytes) || lseek(s->part, 0, SEEK_END) < 0 ||
             ftruncate(s->journal, (off_t)good) || lseek(s->journal, 0, SEEK_END) < 0) {
    s->fault = errno;
    fine = false;
  } else {
    *done = runs;
    s->bytes = bytes;
  }
  base_text_free(&first);
  free(text);
  return fine;
}

static bool open_files(out_sweep* s, bool resume, int64_t* done, int* code, base_notes* notes)
{
  const bool there = access(s->journal_path, F_OK) == 0;
  if (there && !resume) {
    base_error(notes, BASE_NOWHERE, "a sweep into `%s` was broken off", s->path);
    base_help(notes, "--resume goes on with it; to begin anew, remove `%s`", s->journal_path);
    *code = 1;
    return false;
  }
  if (resume && !there)
    base_info(notes, BASE_NOWHERE, "nothing to go on with beside `%s`: begun with the first run",
              s->path);
  s->journal = open(s->journal_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->journal < 0) return complain(notes, s->journal_path, errno);
  if (flock(s->journal, LOCK_EX | LOCK_NB)) {
    base_error(notes, BASE_NOWHERE, "another sweep is writing `%s`", s->path);
    return false;
  }
  s->part = open(s->part_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->part < 0) return complain(notes, s->part_path, errno);
  const bool fine = there ? go_on(s, done, notes) : begin(s);
  if (s->fault) complain(notes, s->part_path, s->fault);
  if (!fine && !s->fault) *code = 1;
  return fine;
}

static void forget(out_sweep* s)
{
  if (s->part > STDERR_FILENO) close(s->part);
  if (s->journal >= 0) close(s->journal);
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
  s->binary = out_sweep_is_binary(path);
  s->plain = is_stream(path);
  s->part = s->journal = -1;
  s->last = now();
  char* real = !s->plain && out_file_kind_of(path) == OUT_FILE_PLAIN ? realpath(path, NULL) : NULL;
  s->path = base_strdup(real ? real : path);
  free(real);
  s->part_path = with_ending(s->path, ".part");
  s->journal_path = with_ending(s->path, ".journal");
  *done = 0;
  *code = 2;
  bool fine;
  if (s->plain) {
    s->part = strcmp(path, "-") ? open(path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
    base_text text = {0};
    out_sweep_header(head, &text);
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
  if (rename(from, s->path)) return false;
  char* slash = strrchr(s->path, '/');
  char* folder = slash ? base_strndup(s->path, (size_t)(slash - s->path) + 1) : base_strdup(".");
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    fsync(fd);
    close(fd);
  }
  free(folder);
  return true;
}

static bool complete_file(out_sweep* s, base_notes* notes)
{
  if (fdatasync(s->part)) return complain(notes, s->part_path, errno);
  if (!s->binary) {
    if (!appear(s, s->part_path)) return complain(notes, s->path, errno);
  } else {
    char* made = with_ending(s->path, ".making");
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
  if (!fine) complain(notes, s->path, s->fault);
  if (fine && complete && !s->plain) fine = complete_file(s, notes);
  forget(s);
  return fine ? 0 : 2;
}
