// Stages that take other things from outside: options of a sweep, files of one broken off, command
// lines.
#include "api/sweep.h"
#include "cli/cli.h"
#include "fuzz.h"
#include "out/sweep_rows.h"
#include "out/sweep_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- words of a sweep ---------------------------------------------------------------------------

static void put_words(fuzz_choices* c, base_text* out)
{
  static const char* const words[] = {"x",          "=",        "1",
                                      "..",         "2",        ":",
                                      "3",          "log",      ",",
                                      "p",          "x'",       "y",
                                      ";",          "hit",      "(",
                                      ")",          "max(x)",   "time(hit,2)",
                                      "count(hit)", "final(x)", "min(",
                                      " ",          "1e308",    "-1",
                                      "0",          "E",        "nan",
                                      "inf",        "1e9",      "0x1p9",
                                      "t",          "θ",        "A: x=1, x'=0",
                                      "reason",     "."};
  base_text_add(out, "");
  for (int n = fuzz_pick(c, 14); n > 0; n--) base_text_add(out, FUZZ_WORD(c, words));
  if (fuzz_rarely(c, 8)) fuzz_spoil(c, out);
}

static const char model_text[] = "param p = 1 [m], k = 2\ncoord x [m]\ncoord y\n"
                                 "kinetic x'^2/2 + y'^2/2\npotential k*x^2\n"
                                 "event hit: x = 0 report\noutput E = energy()\n";

void fuzz_feed_sweep(fuzz_choices* c)
{
  // read once: it is not what is tried here
  static zw_notes* kept;
  static zw_model* read;
  if (!kept) kept = zw_notes_new();
  if (!read) read = zw_model_read_text("fuzz.zw", model_text, sizeof model_text - 1, NULL, 0, kept);
  FUZZ_HOLDS(read);
  base_text over[2] = {{0}}, results = {0}, basin = {0}, region = {0};
  for (int i = 0; i < 2; i++) put_words(c, &over[i]);
  put_words(c, &results);
  put_words(c, &basin);
  put_words(c, &region);
  fuzz_show(over[0].at);
  fuzz_show(over[1].at);
  fuzz_show(results.at);
  fuzz_show(basin.at);
  fuzz_show(region.at);
  const char* const overs[] = {over[0].at, over[1].at};
  const char* const basins[] = {basin.at};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = overs;
  o.over_count = 1 + fuzz_pick(c, 2);
  o.results = fuzz_rarely(c, 4) ? NULL : results.at;
  o.basin = basins;
  o.basin_count = fuzz_pick(c, 2);
  o.sobol = fuzz_pick(c, 3);
  base_notes* notes = base_notes_new();
  api_sweep s = {.source = read, .o = &o, .arena = base_arena_new()};
  const bool fine = api_sweep_read_axes(&s, notes) && api_sweep_read_results(&s, notes);
  FUZZ_HOLDS(fine == (base_notes_errors(notes) == 0));
  const int64_t runs = fine ? sweep_plan_runs(&s.plan) : 0;
  double value[2] = {0};
  if (runs > 0) sweep_plan_point(&s.plan, runs - 1, value);
  double low[2], high[2];
  int coord[] = {0, 1};
  const geom_space space = {.m = read->model, .n = 2, .coord = coord};
  const int before = base_notes_errors(notes);
  FUZZ_HOLDS(api_region_read(&space, region.at, low, high, notes) ==
             (base_notes_errors(notes) == before));
  base_arena_free(s.arena);
  base_notes_free(notes);
  for (int i = 0; i < 2; i++) base_text_free(&over[i]);
  base_text_free(&results);
  base_text_free(&basin);
  base_text_free(&region);
}

// ---- files of a sweep that was broken off -------------------------------------------------------

static const char* const axis[] = {"a"};
static const char* const result[] = {"x", "E"};
static const char* const names[] = {"left", "the \"right\" one, far"};
static const out_sweep_head head = {.title = "fuzz",
                                    .axes = 1,
                                    .axis = axis,
                                    .results = 2,
                                    .result = result,
                                    .basins = 2,
                                    .basin = names,
                                    .runs = 100,
                                    .print = 7};

// rows as they are written, or nearly
static void put_rows(fuzz_choices* c, out_sweep_kind kind, base_text* out)
{
  static const char* const cells[] = {"1",
                                      ",",
                                      "0.5",
                                      "-3e7",
                                      "nan",
                                      "\"left\"",
                                      "\n",
                                      "\"",
                                      "left",
                                      ",,",
                                      "",
                                      "doubtful: ",
                                      "1e999",
                                      "\"the \"\"right\"\" one, far\"",
                                      "0,1,2,left,,\n"};
  base_text_add(out, "");
  if ((kind == OUT_SWEEP_CSV && !fuzz_rarely(c, 4)) ||
      (kind == OUT_SWEEP_NPY && !fuzz_rarely(c, 8)))
    out_sweep_header(&head, kind, out);
  if (kind != OUT_SWEEP_CSV) {
    char record[4 * SWEEP_REASON] = {0};
    for (int n = fuzz_pick(c, 4); n > 0; n--) {
      for (int k = fuzz_pick(c, 8); k > 0; k--) {
        const int at = fuzz_pick(c, 64);
        record[at] = (char)fuzz_pick(c, 256);
      }
      base_text_addn(out, record, out_sweep_record(&head, kind) - (size_t)fuzz_rarely(c, 8));
    }
    return;
  }
  for (int n = fuzz_pick(c, 40); n > 0; n--) base_text_add(out, FUZZ_WORD(c, cells));
}

// lines whose sums are right, over rows that may be others
static void put_journal(fuzz_choices* c, const base_text* rows, base_text* out)
{
  static const int64_t odd[] = {0, 1, -1, 5, INT64_MAX, INT64_MIN};
  base_text_add(out, "");
  out_sweep_journal_first(&head, out);
  out_sum sum = out_sum_start();
  size_t at = 0;
  for (int n = fuzz_pick(c, 5); n > 0; n--) {
    size_t step = 8 * (size_t)fuzz_pick(c, 64) + (size_t)fuzz_pick(c, 8);
    if (step > rows->n - at) step = rows->n - at;
    out_sum_add(&sum, rows->at + at, step);
    at += step;
    out_sweep_mark m = {
        .runs = fuzz_pick(c, 100), .bytes = (int64_t)at, .sum = out_sum_value(&sum)};
    if (fuzz_rarely(c, 6)) m.runs = odd[fuzz_pick(c, 6)];
    if (fuzz_rarely(c, 6)) m.bytes = odd[fuzz_pick(c, 6)];
    out_sweep_journal_line(&m, out);
  }
  if (fuzz_rarely(c, 3)) fuzz_spoil(c, out);
}

static void put_file(const char* path, const base_text* text)
{
  FILE* f = fopen(path, "w");
  FUZZ_HOLDS(f && fwrite(text->at, 1, text->n, f) == text->n);
  fclose(f);
}

static void count_row(void* context, const double* numbers, int basin)
{
  (void)numbers;
  FUZZ_HOLDS(basin >= -1 && basin < head.basins);
  ++*(int*)context;
}

// the next row in its place
static void place_row(out_sweep* s, int64_t run)
{
  double value[] = {1}, results[] = {2, 3};
  int basin[] = {0};
  char* reason[] = {NULL};
  char* quality[] = {NULL};
  const sweep_rows rows = {run, 1, value, results, basin, reason, quality, false};
  base_text receipt = {0};
  out_sweep_place(s, &rows, &receipt);
  FUZZ_HOLDS(run >= head.runs || out_sweep_settle(s, receipt.at, receipt.n, run + 1));
  base_text_free(&receipt);
}

// as --resume takes it up, a row is written, and all is read back
static void resume(const char* path, bool place)
{
  int64_t done;
  int code, rows = 0;
  base_notes* notes = base_notes_new();
  out_sweep* s = out_sweep_open(path, &head, true, &done, &code, notes);
  FUZZ_HOLDS(s || base_notes_errors(notes));
  if (s) {
    FUZZ_HOLDS(done >= 0);
    FUZZ_HOLDS(out_sweep_read(s, count_row, &rows));
    if (place && out_sweep_has_places(s)) place_row(s, done);
    out_sweep_close(s, false, notes);
  }
  base_notes_free(notes);
}

void fuzz_feed_journal(fuzz_choices* c)
{
  base_text rows = {0}, journal = {0};
  static const char* const ending[] = {"csv", "h5", "npy"};
  const out_sweep_kind kind = (out_sweep_kind)fuzz_pick(c, 3);
  put_rows(c, kind, &rows);
  put_journal(c, &rows, &journal);
  fuzz_show(journal.at);
  fuzz_show(rows.at);
  out_sweep_journal j = out_sweep_journal_read(&head, journal.at, journal.n);
  FUZZ_HOLDS(!(j.foreign && j.other));
  out_sweep_journal_free(&j);
  char path[64], part[80], book[80];
  snprintf(path, sizeof path, "/tmp/fuzz-%d.%s", (int)getpid(), ending[kind]);
  snprintf(part, sizeof part, "%s.part", path);
  snprintf(book, sizeof book, "%s.journal", path);
  put_file(part, &rows);
  put_file(book, &journal);
  // a disk takes its time to forget what was mapped
  resume(path, fuzz_rarely(c, 16));
  unlink(part);
  unlink(book);
  base_text_free(&rows);
  base_text_free(&journal);
}

// ---- command lines ------------------------------------------------------------------------------

enum { MOST_WORDS = 12 };

static char* word(fuzz_choices* c)
{
  static const char* const plain[] = {"model.zw",
                                      "-",
                                      "1",
                                      "0",
                                      "-1",
                                      "nan",
                                      "1e400",
                                      "x=1",
                                      "1,2,3",
                                      "--",
                                      "-h",
                                      "",
                                      "--=",
                                      "--x",
                                      "640x480",
                                      "0x0",
                                      "99999999999999999999",
                                      "A: x=1",
                                      "x=0..1:5",
                                      "list",
                                      "text",
                                      "json",
                                      "-q",
                                      "1e-3",
                                      "--set"};
  int options = 0;
  while (cli_option_list[options].name) options++;
  base_text text = {0};
  base_text_add(&text, "");
  if (fuzz_pick(c, 2)) {
    base_text_printf(&text, "--%s", cli_option_list[fuzz_pick(c, options)].name);
    if (fuzz_rarely(c, 3)) base_text_printf(&text, "=%s", FUZZ_WORD(c, plain));
  } else {
    base_text_add(&text, FUZZ_WORD(c, plain));
  }
  if (fuzz_rarely(c, 12)) fuzz_spoil(c, &text);
  return base_text_take(&text);
}

void fuzz_feed_command(fuzz_choices* c)
{
  int commands = 0;
  while (cli_commands[commands].name) commands++;
  char* argv[MOST_WORDS + 1] = {0};
  const int argc = fuzz_pick(c, MOST_WORDS), which = fuzz_pick(c, commands);
  for (int i = 0; i < argc; i++) argv[i] = word(c);
  fuzz_show(cli_commands[which].name);
  for (int i = 0; i < argc; i++) fuzz_show(argv[i]);
  cli_options o;
  const int status = cli_parse(&cli_commands[which], argc, argv, &o);
  FUZZ_HOLDS(status == CLI_DONE || status == CLI_BAD_INPUT);
  cli_options_free(&o);
  for (int i = 0; i < argc; i++) free(argv[i]);
}
