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
  base_text_add(out, h->basins ? "basin,reason\n" : "reason\n");
}

bool out_sweep_is_binary(const char* path)
{
  const char* dot = strrchr(path, '.');
  return dot && !strcasecmp(dot, ".h5");
}

size_t out_sweep_record(const out_sweep_head* h)
{
  return sizeof(double) * (size_t)(h->axes + h->results) + sizeof(int64_t) + SWEEP_REASON;
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
  out_csv_field(out, r->reason[i]);
  base_text_addn(out, "\n", 1);
}

static void add_record(const out_sweep_head* h, const sweep_rows* r, int i, base_text* out)
{
  const int64_t basin = r->basin[i];
  char reason[SWEEP_REASON] = {0};
  memcpy(reason, r->reason[i], strlen(r->reason[i]));
  base_text_addn(out, (const char*)(r->value + i * h->axes), sizeof(double) * (size_t)h->axes);
  base_text_addn(out, (const char*)(r->result + i * h->results),
                 sizeof(double) * (size_t)h->results);
  base_text_addn(out, (const char*)&basin, sizeof basin);
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
