// Rows of a sweep as bytes: CSV, or records of one size, numbers alone or such as become HDF5.
#include "out/sweep_rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "out/csv.h"
#include "out/number.h"

static void csv_header(const out_sweep_head* h, base_text* out)
{
  for (int i = 0; i < h->axes; i++) {
    out_csv_field(out, h->axis[i]);
    base_text_add(out, ",");
  }
  for (int i = 0; i < h->results; i++) {
    out_csv_field(out, h->result[i]);
    base_text_add(out, ",");
  }
  base_text_add(out, h->basins ? "basin,quality,reason\n" : "quality,reason\n");
}

void out_sweep_header(const out_sweep_head* h, out_sweep_kind kind, base_text* out)
{
  if (kind == OUT_SWEEP_CSV) csv_header(h, out);
  if (kind == OUT_SWEEP_NPY) out_sweep_npy_header(h, out);
}

out_sweep_kind out_sweep_kind_of(const char* path)
{
  const char* dot = strrchr(path, '.');
  if (dot && !strcasecmp(dot, ".h5")) return OUT_SWEEP_HDF5;
  return dot && !strcasecmp(dot, ".npy") ? OUT_SWEEP_NPY : OUT_SWEEP_CSV;
}

size_t out_sweep_record(const out_sweep_head* h, out_sweep_kind kind)
{
  const size_t numbers = sizeof(double) * (size_t)(h->axes + h->results);
  if (kind == OUT_SWEEP_NPY) return numbers + sizeof(double) * (size_t)(1 + (h->basins > 0));
  return kind == OUT_SWEEP_HDF5 ? numbers + sizeof(int64_t) + 2 * SWEEP_REASON : 0;
}

static const char* quality_of(const sweep_rows* r, int i)
{
  return r->quality && r->quality[i] ? r->quality[i] : "";
}

static const char* reason_of(const sweep_rows* r, int i)
{
  return r->reason[i] ? r->reason[i] : "";
}

static void add_line(const out_sweep_head* h, const sweep_rows* r, int i, base_text* out)
{
  for (int k = 0; k < h->axes; k++) {
    out_number_add(out, r->value[i * h->axes + k]);
    base_text_addn(out, ",", 1);
  }
  for (int k = 0; k < h->results; k++) {
    out_number_add(out, r->result[i * h->results + k]);
    base_text_addn(out, ",", 1);
  }
  if (h->basins) {
    out_csv_field(out, r->basin[i] >= 0 ? h->basin[r->basin[i]] : "");
    base_text_addn(out, ",", 1);
  }
  out_csv_field(out, quality_of(r, i));
  base_text_addn(out, ",", 1);
  out_csv_field(out, reason_of(r, i));
  base_text_addn(out, "\n", 1);
}

static void add_record(const out_sweep_head* h, const sweep_rows* r, int i, base_text* out)
{
  const int64_t basin = r->basin[i];
  char quality[SWEEP_REASON] = {0}, reason[SWEEP_REASON] = {0};
  memcpy(quality, quality_of(r, i), strlen(quality_of(r, i)));
  memcpy(reason, reason_of(r, i), strlen(reason_of(r, i)));
  base_text_addn(out, (const char*)(r->value + i * h->axes), sizeof(double) * (size_t)h->axes);
  base_text_addn(out, (const char*)(r->result + i * h->results),
                 sizeof(double) * (size_t)h->results);
  base_text_addn(out, (const char*)&basin, sizeof basin);
  base_text_addn(out, quality, sizeof quality);
  base_text_addn(out, reason, sizeof reason);
}

static bool is_doubtful(const char* quality)
{
  return !strncmp(quality, sweep_doubtful, strlen(sweep_doubtful));
}

// one column after the other
static void lay_apart(int count, int columns, const double* from, int width, double* to)
{
  for (int k = 0; k < columns; k++)
    for (int i = 0; i < count; i++) to[i * width + k] = from[i * columns + k];
}

void out_sweep_numbers(const out_sweep_head* h, const sweep_rows* r, int from, int count,
                       double* to)
{
  const int width = (int)(out_sweep_record(h, OUT_SWEEP_NPY) / sizeof(double));
  lay_apart(count, h->axes, r->value + (size_t)from * (size_t)h->axes, width, to);
  lay_apart(count, h->results, r->result + (size_t)from * (size_t)h->results, width, to + h->axes);
  for (int i = 0; i < count && h->basins; i++) to[i * width + width - 2] = r->basin[from + i];
  char* const* quality = r->quality ? r->quality + from : NULL;
  char* const* reason = r->reason + from;
  for (int i = 0; i < count && !r->told; i++) to[i * width + width - 1] = 0;
  for (int i = 0; i < count && r->told; i++) {
    const char* said = quality ? quality[i] : NULL;
    to[i * width + width - 1] = reason[i] ? -1 : said && is_doubtful(said);
  }
}

static void add_numbers(const out_sweep_head* h, const sweep_rows* r, int i, base_text* out)
{
  double row[SWEEP_MOST_AXES], *to = row;
  const size_t bytes = out_sweep_record(h, OUT_SWEEP_NPY);
  if (bytes > sizeof row) to = base_alloc(bytes);
  out_sweep_numbers(h, r, i, 1, to);
  base_text_addn(out, (const char*)to, bytes);
  if (to != row) free(to);
}

// ---- counting -----------------------------------------------------------------------------------

// behind the next comma that is not quoted
static const char* next_field(const char* at)
{
  for (bool quoted = false; *at != '\n' && (quoted || *at != ','); at++)
    if (*at == '"') quoted = !quoted;
  return *at == ',' ? at + 1 : at;
}

static void count_lines(const out_sweep_head* h, const char* bytes, size_t n, out_sweep_counts* c)
{
  const char* line = bytes;
  const int before = h->axes + h->results + (h->basins > 0);
  for (const char* at; (at = memchr(line, '\n', n - (size_t)(line - bytes))); line = at + 1) {
    // reason and quality are the last fields, and mostly empty
    c->failed += at[-1] != ',';
    if (at[-1] != ',' || at[-2] == ',') continue;
    const char* quality = line;
    for (int i = 0; i < before; i++) quality = next_field(quality);
    c->doubtful += is_doubtful(quality + (*quality == '"'));
  }
}

static void count_records(const out_sweep_head* h, const char* bytes, size_t n, out_sweep_counts* c)
{
  const size_t record = out_sweep_record(h, OUT_SWEEP_HDF5);
  for (size_t end = record; end <= n; end += record) {
    const char *reason = bytes + end - SWEEP_REASON, *quality = reason - SWEEP_REASON;
    c->failed += *reason != 0;
    c->doubtful += !*reason && is_doubtful(quality);
  }
}

static void count_numbers(const out_sweep_head* h, const char* bytes, size_t n, out_sweep_counts* c)
{
  const size_t record = out_sweep_record(h, OUT_SWEEP_NPY);
  for (size_t end = record; end <= n; end += record) {
    double quality;
    memcpy(&quality, bytes + end - sizeof quality, sizeof quality);
    c->failed += quality < 0;
    c->doubtful += quality > 0;
  }
}

void out_sweep_count(const out_sweep_head* h, out_sweep_kind kind, const char* bytes, size_t n,
                     out_sweep_counts* c)
{
  static void (*const count[])(const out_sweep_head* h, const char* bytes, size_t n,
                               out_sweep_counts* c) = {[OUT_SWEEP_CSV] = count_lines,
                                                       [OUT_SWEEP_HDF5] = count_records,
                                                       [OUT_SWEEP_NPY] = count_numbers};
  count[kind](h, bytes, n, c);
}

// ---- chunks -----------------------------------------------------------------------------------

// all but writing them, which one thread does for many
void out_sweep_encode(const out_sweep_head* head, out_sweep_kind kind, const sweep_rows* rows,
                      base_text* out)
{
  static void (*const add[])(const out_sweep_head* h, const sweep_rows* r, int i,
                             base_text* out) = {
      [OUT_SWEEP_CSV] = add_line, [OUT_SWEEP_HDF5] = add_record, [OUT_SWEEP_NPY] = add_numbers};
  const size_t from = out->n;
  out_sweep_counts counts = {0};
  for (int i = 0; i < rows->count; i++) add[kind](head, rows, i, out);
  if (out->n > from) out_sweep_count(head, kind, out->at + from, out->n - from, &counts);
  base_text_addn(out, (const char*)&counts, sizeof counts);
}
