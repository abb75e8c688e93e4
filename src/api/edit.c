// What editors ask for.
#include "api/api.h"

#include "edit/edit.h"

enum { most_bytes = 8 << 20 };

char* zw_format(const char* name, const char* text, size_t length, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_HAS(name), API_HAS(text));
  base_text out = {0};
  if (length <= most_bytes && lang_layout(text, length, &out))
    return api_hand_out_text(base_text_take(&out));
  base_text_free(&out);
  base_arena* arena = base_arena_new();
  const int before = base_notes_errors(notes->notes);
  lang_parse(name, text, length, NULL, NULL, arena, notes->notes);
  base_arena_free(arena);
  // the parser does not read all: the block of a repetition without turns is skipped
  if (base_notes_errors(notes->notes) == before)
    base_error(notes->notes, BASE_NOWHERE,
               "%s: a part that is never read, as the block of a repetition without turns, holds "
               "what the language does not know",
               name);
  return NULL;
}

struct zw_editor
{
  api_object object;
  edit_server* server;
};

zw_editor* zw_editor_new(void)
{
  API_ENTER_ALONE(NULL, API_HAS(ZWANG_VERSION));
  zw_editor* e = api_object_new(API_EDITOR, sizeof *e, NULL, NULL);
  e->server = edit_server_new();
  return api_hand_out(e);
}

void api_editor_clear(void* editor)
{
  edit_server_free(((zw_editor*)editor)->server);
}

void zw_editor_free(zw_editor* e)
{
  if (api_take_back(API_EDITOR, e)) api_object_drop(e);
}

char* zw_editor_take(zw_editor* e, const char* message, size_t length, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(EDITOR, e), API_HAS(message));
  return api_hand_out_text(edit_server_take(e->server, message, length));
}

bool zw_editor_ended(const zw_editor* e, int* status)
{
  int how;
  API_ENTER_QUIET(true, EDITOR, e);
  const bool ended = edit_server_ended(e->server, &how);
  if (status) *status = how;
  return ended;
}
