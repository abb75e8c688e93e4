// Rows of a sweep as bytes: CSV, or records of one size that become HDF5 in the end.
#include "out/sweep_rows.h"

#include <string.h>
#include <strings.h>

#include "out/csv.h"
#include "out/number.h"

void out_sweep_header(const out_sweep_head* h, base_text* out)
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

bool out_sweep_is_binary(const char* path)
{
  const char* dot = strrchr(path, '.');
  return dot && !strcasecmp(dot, ".h5");
}

size_t out_sweep_record(const out_sweep_head* h)
{
  return sizeof(double) * (size_t)(h->axes + h->results) + sizeof(int64_t) + 2 * SWEEP_REASON;
}

static const char* quality_of(const sweep_rows* r, int i)
{
  return r->quality && r->quality[i] ? r->quality[i] : "";
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
  out_csv_field(out, r->reason[i]);
  base_text_addn(out, "\n", 1);
}

static void add_record(const out_sweep_head* h, const sweep_rows* r, int i, base_text* out)
{
  const int64_t basin = r->basin[i];
  char quality[SWEEP_REASON] = {0}, reason[SWEEP_REASON] = {0};
  memcpy(quality, quality_of(r, i), strlen(quality_of(r, i)));
  memcpy(reason, r->reason[i], strlen(r->reason[i]));
  base_text_addn(out, (const char*)(r->value + i * h->axes), sizeof(double) * (size_t)h->axes);
  base_text_addn(out, (const char*)(r->result + i * h->results),
                 sizeof(double) * (size_t)h->results);
  base_text_addn(out, (const char*)&basin, sizeof basin);
  base_text_addn(out, quality, sizeof quality);
  base_text_addn(out, reason, sizeof reason);
}

void out_sweep_encode(const out_sweep_head* head, bool binary, const sweep_rows* rows,
                      base_text* out)
{
  for (int i = 0; i < rows->count; i++)
    if (binary)
      add_record(head, rows, i, out);
    else
      add_line(head, rows, i, out);
}

// ---- counting -----------------------------------------------------------------------------------

static bool is_doubtful(const char* quality)
{
  return !strncmp(quality, sweep_doubtful, strlen(sweep_doubtful));
}

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
  const size_t record = out_sweep_record(h);
  for (size_t end = record; end <= n; end += record) {
    const char *reason = bytes + end - SWEEP_REASON, *quality = reason - SWEEP_REASON;
    c->failed += *reason != 0;
    c->doubtful += !*reason && is_doubtful(quality);
  }
}

void out_sweep_count(const out_sweep_head* h, bool binary, const char* bytes, size_t n,
                     out_sweep_counts* c)
{
  (binary ? count_records : count_lines)(h, bytes, n, c);
}
