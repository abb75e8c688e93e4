// UTF-8: where it is wrong, how wide it is on a terminal, what may be in a name.
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

// the code point at text and its length in bytes, or 0 when it is not valid UTF-8
static size_t decode(const char* text, size_t n, utf8proc_int32_t* code)
{
  if (n == 0) return 0;
  utf8proc_ssize_t room = n < 4 ? (utf8proc_ssize_t)n : 4;
  utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t*)text, room, code);
  return length > 0 ? (size_t)length : 0;
}

ptrdiff_t base_utf8_fault(const char* text, size_t n)
{
  for (size_t i = 0; i < n;) {
    if ((unsigned char)text[i] < 0x80) {
      i++;
      continue;
    }
    utf8proc_int32_t code;
    size_t length = decode(text + i, n - i, &code);
    if (length == 0) return (ptrdiff_t)i;
    i += length;
  }
  return -1;
}

int base_utf8_columns(const char* text, size_t n)
{
  int columns = 0;
  for (size_t i = 0; i < n;) {
    utf8proc_int32_t code;
    size_t length = decode(text + i, n - i, &code);
    // a byte that is no character is shown as one replacement sign
    columns += length ? utf8proc_charwidth(code) : 1;
    i += length ? length : 1;
  }
  return columns;
}

size_t base_utf8_name_start(const char* text, size_t n)
{
  utf8proc_int32_t code;
  size_t length = decode(text, n, &code);
  if (length == 0) return 0;
  if (code == '_') return length;
  switch (utf8proc_category(code)) {
  case UTF8PROC_CATEGORY_LU:
  case UTF8PROC_CATEGORY_LL:
  case UTF8PROC_CATEGORY_LT:
  case UTF8PROC_CATEGORY_LM:
  case UTF8PROC_CATEGORY_LO:
    return length;
  default:
    return 0;
  }
}

size_t base_utf8_name_part(const char* text, size_t n)
{
  size_t length = base_utf8_name_start(text, n);
  if (length) return length;
  utf8proc_int32_t code;
  length = decode(text, n, &code);
  if (length == 0) return 0;
  switch (utf8proc_category(code)) {
  case UTF8PROC_CATEGORY_MN:
  case UTF8PROC_CATEGORY_MC:
  case UTF8PROC_CATEGORY_ND:
    return length;
  default:
    return 0;
  }
}

static void release(void* composed)
{
  (free)(composed); // utf8proc took it from malloc
}

char* base_utf8_compose(base_arena* a, const char* text, size_t n)
{
  bool plain = true;
  for (size_t i = 0; i < n && plain; i++) plain = (unsigned char)text[i] < 0x80;
  if (plain) return base_arena_strndup(a, text, n);
  utf8proc_uint8_t* composed = NULL;
  utf8proc_ssize_t length = utf8proc_map((const utf8proc_uint8_t*)text, (utf8proc_ssize_t)n,
                                         &composed, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  // what cannot be composed stays as it is
  if (length < 0) return base_arena_strndup(a, text, n);
  // where there is no room for the copy, what it is made of must not be left behind
  base_hold held = base_hold_begin(release, composed);
  char* copy = base_arena_strndup(a, (const char*)composed, (size_t)length);
  base_hold_end(held);
  release(composed);
  return copy;
}
