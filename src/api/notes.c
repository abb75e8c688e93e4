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
  if (api_take_back(API_TEXT, text)) free(text);
}

zw_notes* api_notes_new(void)
{
  zw_notes* n = api_object_new(API_NOTES, sizeof *n, NULL, NULL);
  n->notes = base_notes_new();
  return n;
}

void api_notes_clear(void* notes)
{
  base_notes_free(((zw_notes*)notes)->notes);
}

zw_notes* zw_notes_new(void)
{
  API_ENTER_ALONE(NULL, API_HAS(ZWANG_VERSION));
  return api_hand_out(api_notes_new());
}

void zw_notes_free(zw_notes* n)
{
  if (api_take_back(API_NOTES, n)) api_object_drop(n);
}

int zw_notes_count(const zw_notes* n)
{
  API_ENTER_QUIET(0, NOTES, n);
  return base_notes_count(n->notes);
}

int zw_notes_errors(const zw_notes* n)
{
  API_ENTER_QUIET(0, NOTES, n);
  return base_notes_errors(n->notes);
}

static bool has(const zw_notes* n, int i)
{
  return i >= 0 && i < base_notes_count(n->notes);
}

zw_level zw_notes_level(const zw_notes* n, int i)
{
  API_ENTER_QUIET(ZW_INFO, NOTES, n);
  switch (has(n, i) ? base_notes_level(n->notes, i) : BASE_INFO) {
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
  API_ENTER_QUIET(NULL, NOTES, n);
  return has(n, i) ? base_notes_text(n->notes, i) : NULL;
}
