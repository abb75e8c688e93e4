// Texts spoilt byte by byte, for the scanner.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void put_in(base_text* t, size_t at, const char* bytes, size_t n)
{
  base_text_addn(t, bytes, n);
  memmove(t->at + at + n, t->at + at, t->n - n - at);
  memcpy(t->at + at, bytes, n);
}

static void leave_out(base_text* t, size_t at, size_t n)
{
  if (n > t->n - at) n = t->n - at;
  memmove(t->at + at, t->at + at + n, t->n - n - at);
  t->n -= n;
  t->at[t->n] = 0;
}

static void double_part(base_text* t, size_t at, size_t n)
{
  if (n > t->n - at) n = t->n - at;
  char* copy = base_alloc(n);
  memcpy(copy, t->at + at, n);
  put_in(t, at, copy, n);
  free(copy);
}

void fuzz_spoil(fuzz_choices* c, base_text* t)
{
  static const char* const words[] = {"(",
                                      ")",
                                      "[",
                                      "]",
                                      "{",
                                      "}",
                                      "..",
                                      "..",
                                      "'",
                                      "\"",
                                      "#",
                                      ";",
                                      ":",
                                      ",",
                                      "=",
                                      ">=",
                                      "~",
                                      "^",
                                      "\n",
                                      "\t",
                                      "\r",
                                      "\xff",
                                      "\xc3",
                                      "\xce\xb8",
                                      "\xe2\x80\xae",
                                      "\xef\xbb\xbf",
                                      "e9",
                                      "1e",
                                      ".",
                                      "for i in 1..3 {",
                                      "sum(i in 1..3: ",
                                      "use \"a.zw\"\n",
                                      "in ",
                                      "at ",
                                      "model \"",
                                      "coord ",
                                      "param ",
                                      "x0",
                                      "world",
                                      "pi",
                                      "while ",
                                      "with ",
                                      "over ",
                                      "((((((((",
                                      "--------",
                                      "''''",
                                      "\xf0\x9f\x98\x80",
                                      "\xcc\x81",
                                      "stage {",
                                      "event ",
                                      "if(",
                                      "<"};
  for (int n = 1 + fuzz_pick(c, 5); n > 0 && t->n > 0; n--) {
    const size_t at = (size_t)(fuzz_pick(c, 256) * 256 + fuzz_pick(c, 256)) % t->n;
    const size_t length = 1 + (size_t)fuzz_pick(c, 24);
    switch (fuzz_pick(c, 4)) {
    case 0: {
      const char* word = FUZZ_WORD(c, words);
      put_in(t, at, word, strlen(word));
      break;
    }
    case 1:
      leave_out(t, at, length);
      break;
    case 2:
      double_part(t, at, length);
      break;
    default:
      t->at[at] = (char)fuzz_pick(c, 256);
    }
  }
}
