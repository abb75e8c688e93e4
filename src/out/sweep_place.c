// Rows of numbers as NumPy keeps them: a header, then records of one size. Every row has its place
// before it is made, so that each thread puts its rows into the file itself, through a mapping:
// writes of several threads to one file would wait for each other.
#include "out/sweep_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "out/beside.h"
#include "out/sweep_rows.h"

// ---- the header ---------------------------------------------------------------------------------

// numpy.lib.format: magic, version, length of the rest, a dict of Python with what a record is made
// of, blanks up to a multiple of 64
enum { magic_bytes = 8, alignment = 64, blank_end = 1 };
static const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';

// fields differ in their names: a result that is called as an axis gets a line behind
static void add_field(base_text* dict, const char* name)
{
  base_text field = {0};
  base_text_add(&field, "('");
  for (const char* c = name; *c; c++)
    base_text_printf(&field, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
  for (;;) {
    base_text whole = {0};
    base_text_printf(&whole, "%s', ", field.at);
    const bool taken = dict->at && strstr(dict->at, whole.at);
    base_text_free(&whole);
    if (!taken) break;
    base_text_add(&field, "_");
  }
  base_text_printf(dict, "%s', '%cf8'), ", field.at, order);
  base_text_free(&field);
}

static bool is_ascii(const base_text* t)
{
  for (size_t i = 0; i < t->n; i++)
    if ((unsigned char)t->at[i] > 0x7f) return false;
  return true;
}

void out_sweep_npy_header(const out_sweep_head* h, base_text* out)
{
  base_text dict = {0};
  base_text_add(&dict, "{'descr': [");
  for (int i = 0; i < h->axes; i++) add_field(&dict, h->axis[i]);
  for (int i = 0; i < h->results; i++) add_field(&dict, h->result[i]);
  if (h->basins) add_field(&dict, "basin");
  add_field(&dict, "quality");
  base_text_printf(&dict, "], 'fortran_order': False, 'shape': (%lld,), }", (long long)h->runs);
  // version 1 has two bytes for the length and Latin letters, version 3 four and all
  const bool old = is_ascii(&dict) && dict.n < UINT16_MAX - 2 * alignment;
  const size_t length_bytes = old ? 2 : 4;
  while ((magic_bytes + length_bytes + dict.n + blank_end) % alignment) base_text_add(&dict, " ");
  base_text_add(&dict, "\n");
  base_text_addn(out, "\x93NUMPY", magic_bytes - 2);
  base_text_addn(out, old ? "\1\0" : "\3\0", 2);
  for (size_t i = 0; i < length_bytes; i++) {
    const char byte = (char)(dict.n >> 8 * i & 0xff);
    base_text_addn(out, &byte, 1);
  }
  base_text_addn(out, dict.at, dict.n);
  base_text_free(&dict);
}

size_t out_sweep_before(const out_sweep_head* h, out_sweep_kind kind)
{
  base_text header = {0};
  out_sweep_header(h, kind, &header);
  const size_t n = header.n;
  base_text_free(&header);
  return n;
}

// ---- places -------------------------------------------------------------------------------------

// of rows that are in their place
typedef struct receipt
{
  int fault; // errno, 0
  size_t bytes;
  out_sum sum;
  out_sweep_counts counts;
} receipt;

bool out_sweep_has_places(const out_sweep* s)
{
  return s->kind == OUT_SWEEP_NPY && !s->plain;
}

enum { together = 256 }; // rows that stay in the first cache until they are summed up

// They are put together there, column by column, and go to their place at once: memory that comes
// from afar is met in its order.
static void put_rows(const out_sweep* s, const sweep_rows* rows, char* to, receipt* r)
{
  const size_t record = out_sweep_record(&s->head, s->kind);
  char* const piece = base_alloc(together * record);
  for (int from = 0, count; from < rows->count; from += count) {
    count = rows->count - from < together ? rows->count - from : together;
    out_sweep_numbers(&s->head, rows, from, count, (double*)(void*)piece);
    out_sum_add(&r->sum, piece, (size_t)count * record);
    out_sweep_count(&s->head, s->kind, piece, (size_t)count * record, &r->counts);
    memcpy(to + (size_t)from * record, piece, (size_t)count * record);
  }
  free(piece);
}

// where a mapping does not go: by a copy
static int write_rows(const out_sweep* s, const sweep_rows* rows, off_t at, receipt* r)
{
  char* copy = base_alloc(r->bytes + 1);
  put_rows(s, rows, copy, r);
  size_t done = 0;
  int fault = 0;
  while (done < r->bytes && !fault) {
    const ssize_t k = pwrite(s->part, copy + done, r->bytes - done, at + (off_t)done);
    if (k > 0) done += (size_t)k;
    if (k < 0 && errno != EINTR) fault = errno;
    if (k == 0) fault = ENOSPC;
  }
  free(copy);
  return fault;
}

// The whole file is mapped once: mapping pieces of it in every thread makes them wait for each
// other.
struct out_sweep_places
{
  char* map; // null: rows are written
  size_t length;
};

// The room is taken first, by each thread for its own rows: a disk that is full says so here, and
// not by a signal when the mapping is written to. False: there is none, or this system has no such
// call.
static bool take_room(const struct out_sweep_places* p, size_t at, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), from = at / page * page;
  return madvise(p->map + from, at + bytes - from, MADV_POPULATE_WRITE) == 0;
#else
  (void)p, (void)at, (void)bytes;
  return false;
#endif
}

void out_sweep_make_places(out_sweep* s)
{
  const size_t whole = s->before + (size_t)s->head.runs * out_sweep_record(&s->head, s->kind);
  // where it cannot be as long as that, rows are written and the reason is told then
  s->laid_out = out_sweep_has_places(s) && ftruncate(s->part, (off_t)whole) == 0;
  if (!s->laid_out) return;
  char* map = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, s->part, 0);
  if (map == MAP_FAILED) return;
  // a table in memory takes its pages many times faster where the machine grants large ones
  madvise(map, whole, MADV_HUGEPAGE);
  s->places->map = map;
  s->places->length = whole;
}

struct out_sweep_places* out_sweep_no_places(void)
{
  return base_alloc(sizeof(struct out_sweep_places));
}

void out_sweep_leave_places(out_sweep* s)
{
  if (!s->places->map) return;
  munmap(s->places->map, s->places->length);
  s->places->map = NULL;
}

static bool map_rows(const out_sweep* s, const sweep_rows* rows, size_t at, receipt* r)
{
  if (!s->places->map || !take_room(s->places, at, r->bytes)) return false;
  put_rows(s, rows, s->places->map + at, r);
  return true;
}

void out_sweep_place(const out_sweep* s, const sweep_rows* rows, base_text* out)
{
  const size_t record = out_sweep_record(&s->head, s->kind),
               at = s->before + (size_t)rows->first * record;
  receipt r = {.bytes = (size_t)rows->count * record, .sum = out_sum_from(at / sizeof(uint64_t))};
  if (!map_rows(s, rows, at, &r)) r.fault = write_rows(s, rows, (off_t)at, &r);
  base_text_addn(out, (const char*)&r, sizeof r);
}

bool out_sweep_take_receipt(out_sweep* s, const char* bytes, size_t n)
{
  receipt r = {.fault = EIO};
  if (n == sizeof r) memcpy(&r, bytes, sizeof r);
  if (r.fault && !s->fault) s->fault = r.fault;
  if (s->fault) return false;
  s->bytes += (int64_t)r.bytes;
  // what is written the other way goes behind it
  if (lseek(s->part, (off_t)s->bytes, SEEK_SET) < 0) s->fault = errno;
  out_sum_join(&s->sum, &r.sum);
  s->counts.failed += r.counts.failed;
  s->counts.doubtful += r.counts.doubtful;
  return !s->fault;
}
