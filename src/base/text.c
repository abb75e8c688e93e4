// Growing texts, and doubles written as short as they can be read back.
#include "base/base.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// room for n more bytes and the zero byte at the end
static void grow(base_text* t, size_t n)
{
  if (t->room - t->n > n) return;
  size_t room = t->room ? t->room : 64;
  while (room - t->n <= n) room *= 2;
  t->at = base_realloc(t->at, room);
  t->room = room;
}

void base_text_add(base_text* t, const char* text)
{
  base_text_addn(t, text, strlen(text));
}

void base_text_addn(base_text* t, const char* text, size_t n)
{
  assert(n < SIZE_MAX / 4);
  grow(t, n);
  if (n > 0) memcpy(t->at + t->n, text, n);
  t->n += n;
  t->at[t->n] = 0;
}

void base_text_printf(base_text* t, const char* format, ...)
{
  assert(format);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0) base_no_room();
  grow(t, (size_t)length);
  va_start(args, format);
  vsnprintf(t->at + t->n, (size_t)length + 1, format, args);
  va_end(args);
  t->n += (size_t)length;
}

char* base_vprintf(const char* format, va_list args)
{
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) base_no_room();
  char* text = base_alloc((size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, args);
  return text;
}

void base_text_free(base_text* t)
{
  free(t->at);
  *t = (base_text){0};
}

char* base_text_take(base_text* t)
{
  if (!t->at) grow(t, 0), t->at[0] = 0;
  char* at = t->at;
  *t = (base_text){0};
  return at;
}

void base_text_double(base_text* t, double x)
{
  if (isnan(x)) {
    base_text_add(t, "nan");
    return;
  }
  // a normal double that has a name of 15 digits or fewer is printed by it at 15;
  // subnormals carry fewer digits, so there we start at one
  char digits[40];
  for (int p = fabs(x) < DBL_MIN ? 1 : 15; p <= 17; p++) {
    snprintf(digits, sizeof digits, "%.*g", p, x);
    if (strtod(digits, NULL) == x) break;
  }
  base_text_add(t, digits);
}
