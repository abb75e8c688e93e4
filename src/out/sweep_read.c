// The rows of a sweep read back from what was written: CSV or records.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/sweep_place.h"
#include "out/sweep_rows.h"
#include "out/sweep_table.h"

enum { block = 1 << 20 };

// which basin a field names; quotes as CSV writes them
static int basin_of(const out_sweep_head* h, const char* field, size_t n)
{
  char* name = base_alloc(n + 1);
  size_t m = 0;
  const bool quoted = n > 1 && field[0] == '"';
  for (size_t i = quoted; i < n - quoted; i++) {
    if (quoted && field[i] == '"') i++;
    name[m++] = field[i];
  }
  int found = -1;
  for (int i = 0; i < h->basins && found < 0; i++)
    if (!strcmp(h->basin[i], name)) found = i;
  free(name);
  return found;
}

static void read_line(const out_sweep_head* h, const char* line, double* numbers,
                      out_sweep_row* row, void* context)
{
  char* end;
  for (int i = 0; i < h->axes + h->results; i++) {
    numbers[i] = strtod(line, &end);
    line = end + (*end == ',');
  }
  size_t n = 0;
  for (bool quoted = false; line[n] && (quoted || line[n] != ','); n++)
    if (line[n] == '"') quoted = !quoted;
  row(context, numbers, h->basins && n ? basin_of(h, line, n) : -1);
}

static void read_record(const out_sweep* s, const char* at, double* numbers, out_sweep_row* row,
                        void* context)
{
  const out_sweep_head* h = &s->head;
  const size_t bytes = sizeof(double) * (size_t)(h->axes + h->results);
  int64_t basin = -1;
  double number = -1;
  memcpy(numbers, at, bytes);
  if (s->kind == OUT_SWEEP_HDF5) memcpy(&basin, at + bytes, sizeof basin);
  if (s->kind == OUT_SWEEP_NPY && h->basins) memcpy(&number, at + bytes, sizeof number);
  if (number >= 0 && number < h->basins) basin = (int64_t)number;
  // the file is not ours alone
  row(context, numbers, basin >= 0 && basin < h->basins ? (int)basin : -1);
}

// length of the row at the beginning of the text, 0 when it is not there as a whole
static size_t row_length(const out_sweep* s, const char* text, size_t n)
{
  const size_t record = out_sweep_record(&s->head, s->kind);
  if (record) return n < record ? 0 : record;
  bool quoted = false;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return i + 1;
  }
  return 0;
}

bool out_sweep_read(const out_sweep* s, out_sweep_row* row, void* context)
{
  double* numbers = base_alloc(sizeof *numbers * (size_t)(s->head.axes + s->head.results + 1));
  size_t room = block, have = 0;
  char* text = base_alloc(room + 1);
  const bool lines = s->kind == OUT_SWEEP_CSV;
  off_t at = lines ? 0 : (off_t)out_sweep_before(&s->head, s->kind);
  bool header = lines, fine = true;
  for (;;) {
    const ssize_t k = pread(s->part, text + have, room - have, at);
    fine = k >= 0;
    if (k <= 0) break;
    at += k;
    have += (size_t)k;
    size_t used = 0;
    for (size_t n; (n = row_length(s, text + used, have - used)); used += n) {
      char* line = text + used;
      if (lines) line[n - 1] = 0;
      if (!lines) read_record(s, line, numbers, row, context);
      if (!header && lines) read_line(&s->head, line, numbers, row, context);
      header = false;
    }
    memmove(text, text + used, have - used);
    have -= used;
    if (have < room) continue;
    room *= 2;
    text = base_realloc(text, room + 1);
  }
  free(text);
  free(numbers);
  return fine;
}
