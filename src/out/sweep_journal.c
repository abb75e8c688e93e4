// Lines of the journal of a sweep, and the sum over its rows.
#include "out/sweep_journal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- sums ---------------------------------------------------------------------------------------

enum { word_bytes = sizeof(uint64_t), half_word = 32 };

// Rows come by the gigabyte, and from many threads: each word, eight bytes, is stirred with its
// place alone and added, so that no word waits for another. Odd multipliers, the golden section of
// 2^64 and one of Steele, Lea and Flood (2014), carry every bit upwards; shifts bring it down
// again.
static const uint64_t golden = 0x9e3779b97f4a7c15u;

// placed: the place times the golden section
static inline uint64_t stir(uint64_t placed, uint64_t word)
{
  uint64_t x = (word ^ placed) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> half_word) * 0x94d049bb133111ebu;
  return x ^ x >> half_word;
}

out_sum out_sum_start(void)
{
  return (out_sum){0};
}

out_sum out_sum_from(uint64_t words)
{
  return (out_sum){.words = words};
}

void out_sum_join(out_sum* s, const out_sum* piece)
{
  assert(!s->held && !piece->held && piece->words >= s->words);
  s->sum += piece->sum;
  s->words = piece->words;
}

// eight bytes, the first the lowest; written out, so that compilers see one load
static uint64_t word_at(const unsigned char* b)
{
  return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static void add_byte(out_sum* s, char byte)
{
  s->word |= (uint64_t)(unsigned char)byte << 8 * s->held;
  if (++s->held < word_bytes) return;
  s->sum += stir(++s->words * golden, s->word);
  s->word = 0;
  s->held = 0;
}

void out_sum_add(out_sum* s, const char* bytes, size_t n)
{
  for (; n > 0 && s->held; n--) add_byte(s, *bytes++);
  const size_t words = n / word_bytes;
  uint64_t sum = 0, placed = s->words * golden;
  for (size_t i = 0; i < words; i++, bytes += word_bytes)
    sum += stir(placed += golden, word_at((const unsigned char*)bytes));
  s->sum += sum;
  s->words += words;
  n -= words * word_bytes;
  for (; n > 0; n--) add_byte(s, *bytes++);
}

uint64_t out_sum_value(const out_sum* s)
{
  // zeros that are there differ from zeros that fill the word up
  return s->sum + stir((s->words + 1) * golden, s->word) +
         stir((s->words + 2) * golden, (uint64_t)s->held);
}

static uint64_t sum_of(const char* text)
{
  out_sum s = out_sum_start();
  out_sum_add(&s, text, strlen(text));
  return out_sum_value(&s);
}

// ---- writing ------------------------------------------------------------------------------------

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
