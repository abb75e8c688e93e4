// The table of a sweep that was broken off: whatever was done to its files since, going on gives
// the bytes of a sweep that was never broken off, or it is refused.
#include "out/sweep_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "fixture.h"

enum { chunk = 50, chunks = 10, broken_after = 6 };

static const char* const axis[] = {"m"};
static const char* const result[] = {"x", "y"};

static out_sweep_head head_of(uint64_t print)
{
  return (out_sweep_head){.title = "a sweep",
                          .axes = 1,
                          .results = 2,
                          .axis = axis,
                          .result = result,
                          .runs = chunk * chunks,
                          .print = print};
}

// Rows of one chunk as bytes, or put in their place with a receipt for it; `other`: of a sweep with
// other params.
static void encode(const out_sweep* s, bool place, int64_t which, double other, base_text* out)
{
  double value[chunk], results[2 * chunk];
  int basin[chunk];
  char failed[] = "it, \"so\" to say, failed", *reason[chunk], *quality[chunk] = {0};
  sweep_rows rows = {which * chunk, chunk, value, results, basin, reason, quality, true};
  for (int i = 0; i < chunk; i++) {
    const double x = (double)(which * chunk + i);
    value[i] = x / 7 + other;
    results[2 * i] = 1 / (1 + x) + other;
    results[2 * i + 1] = x * x * x;
    basin[i] = -1;
    reason[i] = i % 9 == 4 ? failed : NULL;
    // of these every ninth is one that failed
    if (i % 5 == 3) sweep_judge(&rows, i, i % 2, i % 3 ? "a, \"b\",\n" : "plain");
  }
  if (place)
    out_sweep_place(s, &rows, out);
  else
    out_sweep_encode(&s->head, s->kind, &rows, out);
  for (int i = 0; i < chunk; i++) free(quality[i]);
}

// what a whole table must have counted
static out_sweep_counts counts_wanted(void)
{
  out_sweep_counts c = {0};
  for (int i = 0; i < chunk; i++) {
    c.failed += i % 9 == 4;
    c.doubtful += i % 9 != 4 && i % 5 == 3 && i % 2;
  }
  return (out_sweep_counts){c.failed * chunks, c.doubtful * chunks};
}

static void check_counts(const out_sweep* s)
{
  const out_sweep_counts got = out_sweep_look(s), want = counts_wanted();
  CHECK(want.failed > 0 && want.doubtful > 0);
  CHECK_INT(got.failed, want.failed);
  CHECK_INT(got.doubtful, want.doubtful);
}

// chunks from `first` to `last`, each with a line in the journal
static void write_chunks(out_sweep* s, int64_t first, int64_t last, double other)
{
  base_text bytes = {0};
  s->every = -1;
  for (int64_t i = first; i < last; i++) {
    // every third goes the other way: both make the same file
    const bool place = out_sweep_has_places(s) && i % 3;
    bytes.n = 0;
    encode(s, place, i, other, &bytes);
    CHECK((place ? out_sweep_settle : out_sweep_write)(s, bytes.at, bytes.n, (i + 1) * chunk));
  }
  base_text_free(&bytes);
}

// a file as it was
typedef struct kept
{
  char* path;
  char* bytes;
  size_t n;
} kept;

static kept keep(fixture* f, char* path)
{
  kept k = {.path = path};
  k.bytes = fixture_file(f, path, &k.n);
  CHECK(k.bytes != NULL);
  return k;
}

static void put(const kept* k, const char* bytes, size_t n)
{
  FILE* file = fopen(k->path, "wb");
  CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

typedef struct broken
{
  fixture* f;
  char* path;
  kept part, journal, other; // other: the part of a sweep with other params
  char* whole;               // the bytes that must come out
  size_t length;
} broken;

static broken broken_sweep(fixture* f, const char* folder, const char* ending)
{
  broken b = {.f = f, .path = base_arena_printf(f->arena, "%s/a%s", folder, ending)};
  const out_sweep_head h = head_of(7);
  int64_t done;
  int code;
  out_sweep* s = out_sweep_open(b.path, &h, false, &done, &code, f->notes);
  write_chunks(s, 0, chunks, 0);
  check_counts(s);
  CHECK_INT(out_sweep_close(s, true, f->notes), 0);
  b.whole = fixture_file(f, b.path, &b.length);
  CHECK(b.whole && b.length > 0);
  for (int other = 1; other >= 0; other--) {
    unlink(base_arena_printf(f->arena, "%s.journal", b.path));
    s = out_sweep_open(b.path, &h, false, &done, &code, f->notes);
    write_chunks(s, 0, broken_after, other);
    CHECK_INT(out_sweep_close(s, false, f->notes), 0);
    const kept part = keep(f, base_arena_printf(f->arena, "%s.part", b.path));
    *(other ? &b.other : &b.part) = part;
  }
  b.journal = keep(f, base_arena_printf(f->arena, "%s.journal", b.path));
  return b;
}

// Goes on with what lies there; the runs that were taken up, -1 where it was refused. Rows that the
// journal knew of and that are lost must be told of.
static int64_t go_on(const broken* b, uint64_t print, bool tells)
{
  const out_sweep_head h = head_of(print);
  int64_t done;
  int code;
  base_notes* notes = base_notes_new();
  out_sweep* s = out_sweep_open(b->path, &h, true, &done, &code, notes);
  if (s) {
    CHECK_INT(base_notes_errors(notes), 0);
    CHECK_INT(done % chunk, 0);
    CHECK(!tells || done == broken_after * chunk || base_notes_count(notes) > 0);
    write_chunks(s, done / chunk, chunks, 0);
    check_counts(s);
    CHECK_INT(out_sweep_close(s, true, notes), 0);
    size_t n = 0;
    const char* bytes = fixture_file(b->f, b->path, &n);
    CHECK(n == b->length && memcmp(bytes, b->whole, n) == 0);
    CHECK(access(b->journal.path, F_OK) != 0);
  } else {
    CHECK_INT(code, 1);
    CHECK_INT(base_notes_errors(notes), 1);
    done = -1;
  }
  base_notes_free(notes);
  return done;
}

static void restore(const broken* b)
{
  put(&b->part, b->part.bytes, b->part.n);
  put(&b->journal, b->journal.bytes, b->journal.n);
}

static void check_parts(const broken* b)
{
  const size_t n = b->part.n;
  char* bytes = base_arena_take(b->f->arena, n + 100);
  restore(b);
  CHECK_INT(go_on(b, 7, true), broken_after * chunk);
  // cut off anywhere
  for (size_t at = 0; at < n; at += 1 + n / 23) {
    restore(b);
    put(&b->part, b->part.bytes, at);
    const int64_t done = go_on(b, 7, true);
    CHECK(done >= 0 && done < broken_after * chunk);
  }
  // one bit turned anywhere
  for (size_t at = 0; at < n; at += 1 + n / 23) {
    restore(b);
    memcpy(bytes, b->part.bytes, n);
    bytes[at] ^= 4;
    put(&b->part, bytes, n);
    const int64_t done = go_on(b, 7, true);
    CHECK(done >= 0 && done <= (int64_t)(broken_after * at / n + 1) * chunk);
    CHECK(done < broken_after * chunk);
  }
  // more behind it, which a kill leaves there too
  restore(b);
  memcpy(bytes, b->part.bytes, n);
  memset(bytes + n, 'x', 100);
  put(&b->part, bytes, n + 100);
  CHECK_INT(go_on(b, 7, true), broken_after * chunk);
  // nothing but zeros, and the part of other params
  restore(b);
  memset(bytes, 0, n);
  put(&b->part, bytes, n);
  CHECK_INT(go_on(b, 7, true), 0);
  restore(b);
  put(&b->part, b->other.bytes, b->other.n);
  CHECK_INT(go_on(b, 7, true), 0);
  restore(b);
  unlink(b->part.path);
  CHECK_INT(go_on(b, 7, true), 0);
}

static void check_journals(const broken* b)
{
  const size_t n = b->journal.n;
  char* bytes = base_arena_take(b->f->arena, n + 100);
  for (size_t at = 0; at < n; at += 1 + n / 40) {
    // cut off anywhere: the lines before count
    restore(b);
    put(&b->journal, b->journal.bytes, at);
    int64_t done = go_on(b, 7, false);
    CHECK(done >= 0 && done < broken_after * chunk);
    // one bit turned anywhere
    restore(b);
    memcpy(bytes, b->journal.bytes, n);
    bytes[at] ^= 1;
    put(&b->journal, bytes, n);
    done = go_on(b, 7, false);
    CHECK(done < broken_after * chunk);
  }
  // another sweep, and another file by chance of that name
  restore(b);
  CHECK_INT(go_on(b, 8, true), -1);
  restore(b);
  put(&b->journal, "dear diary\n", 11);
  CHECK_INT(go_on(b, 7, true), -1);
  restore(b);
  put(&b->journal, "dear diary", 10);
  CHECK_INT(go_on(b, 7, true), -1);
}

static void check_ending(const char* ending)
{
  fixture* f = fixture_new(1);
  const broken b = broken_sweep(f, fixture_folder(f), ending);
  check_parts(&b);
  check_journals(&b);
  fixture_free(f);
}

TEST(a_sweep_goes_on_to_the_same_bytes_whatever_was_done_to_its_part)
{
  check_ending(".csv");
}

TEST(so_does_one_that_becomes_hdf5)
{
  fixture* f = fixture_new(1);
  const bool can =
      out_table_check(base_arena_printf(f->arena, "%s/try.h5", fixture_folder(f)), f->notes) == 0;
  fixture_free(f);
  if (!can) SKIP("HDF5 is not installed");
  check_ending(".h5");
}

TEST(so_does_one_of_rows_in_their_places)
{
  check_ending(".npy");
}

// the numbers behind the header, in the order of the machine
TEST(rows_of_numpy_stand_behind_a_header_that_names_them)
{
  fixture* f = fixture_new(1);
  static const char* const again[] = {"m", "it's"};
  char* path = base_arena_printf(f->arena, "%s/a.npy", fixture_folder(f));
  out_sweep_head h = head_of(7);
  h.result = again;
  int64_t done;
  int code;
  out_sweep* s = out_sweep_open(path, &h, false, &done, &code, f->notes);
  write_chunks(s, 0, chunks, 0);
  CHECK_INT(out_sweep_close(s, true, f->notes), 0);
  size_t n = 0;
  const char* bytes = fixture_file(f, path, &n);
  const size_t rows = 4 * sizeof(double) * chunk * chunks, header = n - rows;
  CHECK(bytes && n > rows && header % 64 == 0);
  CHECK(bytes && memcmp(bytes, "\x93NUMPY\1\0", 8) == 0);
  CHECK_INT((unsigned char)bytes[8] + 256 * (unsigned char)bytes[9], (int64_t)header - 10);
  CHECK(strstr(bytes + 10, "{'descr': [('m', '<f8'), ('m_', '<f8'), ('it\\'s', '<f8'), "
                           "('quality', '<f8'), ], 'fortran_order': False, 'shape': (500,), }"));
  CHECK(bytes[header - 1] == '\n');
  for (int i = 0; i < chunk * chunks; i++) {
    double row[4];
    memcpy(row, bytes + header + sizeof row * (size_t)i, sizeof row);
    const int k = i % chunk;
    CHECK(row[0] == i / 7.0 && row[1] == 1 / (1.0 + i) && row[2] == (double)i * i * i);
    CHECK(row[3] == (k % 9 == 4 ? -1 : k % 5 == 3 && k % 2));
  }
  fixture_free(f);
}

TEST(pieces_of_a_stream_are_summed_in_any_order)
{
  char text[240];
  for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * i + 5 * i);
  out_sum whole = out_sum_start(), joined = out_sum_start();
  out_sum_add(&whole, text, sizeof text);
  out_sum piece[3];
  for (int i = 2; i >= 0; i--) {
    piece[i] = out_sum_from((uint64_t)i * 10);
    out_sum_add(&piece[i], text + 80 * i, 80);
  }
  for (int i = 0; i < 3; i++) out_sum_join(&joined, &piece[i]);
  CHECK(out_sum_value(&joined) == out_sum_value(&whole));
  // words that change places are seen
  out_sum changed = out_sum_start();
  out_sum_add(&changed, text + 8, 8);
  out_sum_add(&changed, text, 8);
  out_sum_add(&changed, text + 16, sizeof text - 16);
  CHECK(out_sum_value(&changed) != out_sum_value(&whole));
}

TEST(the_sum_of_a_stream_does_not_depend_on_its_pieces)
{
  char text[200];
  for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * i + 3 * i);
  out_sum whole = out_sum_start();
  out_sum_add(&whole, text, sizeof text);
  for (size_t piece = 1; piece < 40; piece++) {
    out_sum s = out_sum_start();
    for (size_t at = 0; at < sizeof text; at += piece)
      out_sum_add(&s, text + at, at + piece < sizeof text ? piece : sizeof text - at);
    CHECK(out_sum_value(&s) == out_sum_value(&whole));
  }
  // many at once, too
  static char rows[4000];
  for (size_t i = 0; i < sizeof rows; i++) rows[i] = (char)(i * i * 7 + 11 * i);
  out_sum many = out_sum_from(3), one = many;
  out_sum_add(&many, rows, sizeof rows);
  for (size_t i = 0; i < sizeof rows; i++) out_sum_add(&one, rows + i, 1);
  CHECK(out_sum_value(&many) == out_sum_value(&one));
  // and zeros count
  out_sum a = out_sum_start(), b = out_sum_start();
  out_sum_add(&a, "\0\0\0", 3);
  out_sum_add(&b, "\0\0\0\0", 4);
  CHECK(out_sum_value(&a) != out_sum_value(&b));
}
