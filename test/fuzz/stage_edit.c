// Stages of what helps to write models: their layout, and what editors ask.
#include "fuzz.h"
#include "zwang/zwang.h"

#include <stdlib.h>
#include <string.h>

// laid out once, a text is laid out
void fuzz_feed_format(fuzz_choices* c)
{
  base_text text = {0};
  fuzz_model(c, &text);
  fuzz_show(text.at);
  zw_notes* notes = zw_notes_new();
  char* once = zw_format("fuzz.zw", text.at, text.n, notes);
  FUZZ_HOLDS(once || zw_notes_errors(notes));
  char* twice = once ? zw_format("fuzz.zw", once, strlen(once), notes) : NULL;
  FUZZ_HOLDS(!once || (twice && !strcmp(once, twice)));
  zw_text_free(once);
  zw_text_free(twice);
  zw_notes_free(notes);
  base_text_free(&text);
}

// ---- messages of editors ------------------------------------------------------------------------

static void put_string(const char* text, size_t n, base_text* out)
{
  base_text_add(out, "\"");
  for (size_t i = 0; i < n; i++) {
    const unsigned char byte = (unsigned char)text[i];
    if (byte == '"' || byte == '\\' || byte < 0x20)
      base_text_printf(out, "\\u%04x", byte);
    else
      base_text_addn(out, text + i, 1);
  }
  base_text_add(out, "\"");
}

static void put_place(fuzz_choices* c, base_text* out)
{
  static const char* const numbers[] = {"0",  "1",          "2",   "5",    "12",
                                        "-1", "2147483648", "1e3", "null", "\"\""};
  base_text_add(out, "{\"line\":");
  base_text_add(out, FUZZ_WORD(c, numbers));
  base_text_add(out, ",\"character\":");
  base_text_add(out, FUZZ_WORD(c, numbers));
  base_text_add(out, "}");
}

static void put_message(fuzz_choices* c, const base_text* text, bool open, base_text* out)
{
  static const char* const methods[] = {"textDocument/hover",
                                        "textDocument/completion",
                                        "textDocument/definition",
                                        "textDocument/references",
                                        "textDocument/prepareRename",
                                        "textDocument/documentSymbol",
                                        "textDocument/formatting",
                                        "textDocument/rename",
                                        "textDocument/didChange",
                                        "textDocument/didClose",
                                        "initialize",
                                        "shutdown",
                                        "textDocument/nothing"};
  const char* method = open ? "textDocument/didOpen" : FUZZ_WORD(c, methods);
  base_text_printf(out,
                   "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{\"textDocument\":{"
                   "\"uri\":\"file:///m.zw\"",
                   fuzz_pick(c, 4), method);
  if (open) {
    base_text_add(out, ",\"text\":");
    put_string(text->at, text->n, out);
  }
  base_text_add(out, "},\"position\":");
  put_place(c, out);
  base_text_add(out, ",\"newName\":\"z\",\"contentChanges\":[{");
  if (fuzz_pick(c, 2)) {
    base_text_add(out, "\"range\":{\"start\":");
    put_place(c, out);
    base_text_add(out, ",\"end\":");
    put_place(c, out);
    base_text_add(out, "},");
  }
  base_text_add(out, "\"text\":\"coord z\\n\"}]}}");
  if (fuzz_rarely(c, 12)) fuzz_spoil(c, out);
}

void fuzz_feed_editor(fuzz_choices* c)
{
  base_text text = {0};
  fuzz_model(c, &text);
  zw_notes* notes = zw_notes_new();
  zw_editor* e = zw_editor_new();
  FUZZ_HOLDS(e);
  for (int k = 0, n = 2 + fuzz_pick(c, 6); k < n; k++) {
    base_text message = {0};
    put_message(c, &text, k == 0, &message);
    fuzz_show(message.at);
    char* answer = zw_editor_take(e, message.at, message.n, notes);
    FUZZ_HOLDS(answer);
    zw_text_free(answer);
    base_text_free(&message);
  }
  zw_editor_free(e);
  zw_notes_free(notes);
  base_text_free(&text);
}
