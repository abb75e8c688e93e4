// The likely word: edit distance with neighbouring letters exchanged (Damerau 1964), on code
// points.
#include "base/base.h"

#include <string.h>
#include <utf8proc.h>

// costs in half edits: a letter that differs only in case is half an edit
enum { longest = 64, edit = 2, other_case = 1 };

typedef struct letters
{
  int n;
  utf8proc_int32_t at[longest];
} letters;

static bool spell(const char* word, letters* out)
{
  size_t length = strlen(word);
  out->n = 0;
  for (size_t i = 0; i < length;) {
    utf8proc_int32_t code;
    utf8proc_ssize_t step =
        utf8proc_iterate((const utf8proc_uint8_t*)word + i, (utf8proc_ssize_t)(length - i), &code);
    if (step <= 0 || out->n == longest) return false;
    out->at[out->n++] = code;
    i += (size_t)step;
  }
  return true;
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

static int exchange(utf8proc_int32_t a, utf8proc_int32_t b)
{
  if (a == b) return 0;
  return utf8proc_tolower(a) == utf8proc_tolower(b) ? other_case : edit;
}

// d[i][j]: cheapest way from the first i letters of a to the first j of b; three rows suffice
static int distance(const letters* a, const letters* b)
{
  int rows[3][longest + 1];
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (int j = 0; j <= b->n; j++) last[j] = j * edit;
  for (int i = 1; i <= a->n; i++) {
    now[0] = i * edit;
    for (int j = 1; j <= b->n; j++) {
      int d = least(last[j], now[j - 1]) + edit;
      d = least(d, last[j - 1] + exchange(a->at[i - 1], b->at[j - 1]));
      // two neighbours exchanged
      if (i > 1 && j > 1 && a->at[i - 1] == b->at[j - 2] && a->at[i - 2] == b->at[j - 1])
        d = least(d, before[j - 2] + edit);
      now[j] = d;
    }
    int* spare = before;
    before = last, last = now, now = spare;
  }
  return last[b->n];
}

const char* base_nearest(const char* word, const char* const* words, int count)
{
  letters typed, other;
  if (!spell(word, &typed) || typed.n == 0) return NULL;
  // one edit for every three letters; a single letter may only differ in case
  int allowed = typed.n < 3 ? other_case : typed.n / 3 * edit;
  const char* nearest = NULL;
  for (int i = 0; i < count && allowed >= 0; i++) {
    if (!words[i] || !spell(words[i], &other)) continue;
    int d = distance(&typed, &other);
    if (d > allowed) continue;
    nearest = words[i];
    allowed = d - 1;
  }
  return nearest;
}
