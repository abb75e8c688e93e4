// A model being read: the statements of one of its texts.
#include "lang/reader.h"

#include <string.h>

// files of word processors and the like: one error says it all
static const char* other_kind(const char* text, size_t n)
{
  if (n >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
    return "the text is UTF-16, not UTF-8";
  if (n >= 4 && memcmp(text, "PK\x03\x04", 4) == 0) return "this is an archive, not a text";
  if (n >= 4 && memcmp(text, "%PDF", 4) == 0) return "this is a PDF document, not a text";
  if (n >= 4 && memcmp(text,
                       "\x7F"
                       "ELF",
                       4) == 0)
    return "this is a program, not a text";
  return NULL;
}

void lang_reader_text(lang_reader* r, const char* name, const char* text, size_t length,
                      const char* folder)
{
  r->bytes += length;
  const char* kind = other_kind(text, length);
  if (kind) {
    base_error(r->notes, (base_place){base_notes_source(r->notes, name, "", 0), 0, 0}, "%s", kind);
    base_help(r->notes, "a model is a plain text file in UTF-8");
    return;
  }
  lang_parser p = {.limits = r->limits,
                   .arena = r->arena,
                   .notes = r->notes,
                   .reader = r,
                   .begins = lang_statement_is_word,
                   .folder = folder};
  lang_parser_start(&p, name, text, length);
  lang_statement_all(&p, UINT32_MAX);
}
