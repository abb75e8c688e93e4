// Lines of the journal of a sweep.
#include "out/sweep_journal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- writing ------------------------------------------------------------------------------------

static uint64_t sum_of(const char* text)
{
  out_sum s = out_sum_start();
  out_sum_add(&s, text, strlen(text));
  return out_sum_value(&s);
}

void out_journal_end_line(base_text* line)
{
  base_text_printf(line, " %016" PRIx64 "\n", sum_of(line->at));
}

void out_sweep_journal_first(const out_sweep_head* h, base_text* out)
{
  base_text_printf(out, "zwang sweep %016" PRIx64 " of %" PRId64 " runs", h->print, h->runs);
  out_journal_end_line(out);
}

void out_sweep_journal_line(const out_sweep_mark* m, base_text* out)
{
  base_text line = {0};
  base_text_printf(&line, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %016" PRIx64, m->runs,
                   m->bytes, m->counts.failed, m->counts.doubtful, m->sum);
  out_journal_end_line(&line);
  base_text_addn(out, line.at, line.n);
  base_text_free(&line);
}

// ---- reading ------------------------------------------------------------------------------------

bool out_journal_is_whole(char* line)
{
  char* sum = strrchr(line, ' ');
  if (!sum) return false;
  *sum = 0;
  return strtoull(sum + 1, NULL, 16) == sum_of(line);
}

// the line at the beginning of the text, and what it says; false where it is broken
static bool read_line(const char* text, size_t n, out_sweep_mark* m)
{
  const char* end = memchr(text, '\n', n);
  if (!end) return false;
  char* line = base_strndup(text, (size_t)(end - text));
  const bool right =
      out_journal_is_whole(line) &&
      sscanf(line, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNx64, &m->runs, &m->bytes,
             &m->counts.failed, &m->counts.doubtful, &m->sum) == 5;
  free(line);
  m->journal_end = (size_t)(end - text) + 1;
  return right && m->runs >= 0 && m->bytes >= 0;
}

// is it the first line of some sweep, or the beginning of one that was cut off while it was
// written?
static bool is_first_line(const char* text, size_t n, const base_text* ours)
{
  const char* end = memchr(text, '\n', n);
  if (!end) return n < ours->n && !memcmp(text, ours->at, n);
  char* line = base_strndup(text, (size_t)(end - text));
  const bool right =
      out_journal_is_whole(line) && !strncmp(line, "zwang sweep ", strlen("zwang sweep "));
  free(line);
  return right;
}

out_sweep_journal out_sweep_journal_read(const out_sweep_head* h, const char* text, size_t n)
{
  out_sweep_journal j = {0};
  base_text first = {0};
  out_sweep_journal_first(h, &first);
  const bool ours = n >= first.n && !memcmp(text, first.at, first.n);
  if (n > 0 && !is_first_line(text, n, &first)) {
    j.foreign = true;
  } else if (!ours) {
    j.other = memchr(text, '\n', n) != NULL;
  } else {
    size_t at = first.n;
    for (out_sweep_mark m; at < n && read_line(text + at, n - at, &m);) {
      at = m.journal_end += at;
      base_push(&j.marks, m);
    }
  }
  base_text_free(&first);
  return j;
}

void out_sweep_journal_free(out_sweep_journal* j)
{
  base_list_free(&j->marks);
}
