// Notes, statuses and texts of the public door.
#include "api/api.h"

#include <stdlib.h>

const char* zw_status_text(zw_status s)
{
  switch (s) {
#define X(NAME, VALUE, TEXT) \
  case NAME:                 \
    return TEXT;
    ZW_STATUS_LIST(X)
#undef X
  }
  return "unknown status";
}

const char* zw_version(void)
{
  return ZWANG_VERSION;
}

void zw_text_free(char* text)
{
  free(text);
}

zw_notes* zw_notes_new(void)
{
  zw_notes* n = base_alloc(sizeof *n);
  n->notes = base_notes_new();
  return n;
}

void zw_notes_free(zw_notes* n)
{
  if (!n) return;
  base_notes_free(n->notes);
  free(n);
}

int zw_notes_count(const zw_notes* n)
{
  return base_notes_count(n->notes);
}

int zw_notes_errors(const zw_notes* n)
{
  return base_notes_errors(n->notes);
}

zw_level zw_notes_level(const zw_notes* n, int i)
{
  switch (base_notes_level(n->notes, i)) {
  case BASE_INFO:
    return ZW_INFO;
  case BASE_WARNING:
    return ZW_WARNING;
  case BASE_ERROR:
    return ZW_ERROR;
  }
  return ZW_ERROR;
}

const char* zw_notes_text(const zw_notes* n, int i)
{
  return base_notes_text(n->notes, i);
}
