// Names in a text, as an editor asks for them: where each stands, whether it begins a statement.
#include "lang/lang.h"
#include "lang/scan.h"

static bool joins(lang_token_kind kind)
{
  return TOKEN_COMMA <= kind && kind <= TOKEN_GE;
}

// the names of an index, x[i - 1]
static void list_index(const lang_source* s, lang_token t, lang_mentions* out)
{
  const lang_source inside = {.text = s->text, .length = t.to - 1, .file = s->file};
  for (uint32_t at = t.from + 1; at < inside.length;) {
    const lang_token next = lang_scan(&inside, at);
    if (next.kind == TOKEN_END || next.kind == TOKEN_FAULT) return;
    if (next.kind == TOKEN_NAME) base_push(out, ((lang_mention){.from = next.from, .to = next.to}));
    at = next.to;
  }
}

void lang_mentions_list(const char* text, size_t length, lang_mentions* out)
{
  const lang_source s = {.text = text, .length = (uint32_t)length};
  lang_token last = {.kind = TOKEN_NEWLINE};
  int round = 0;
  for (uint32_t at = 0; at < length;) {
    const lang_token t = lang_scan(&s, at);
    if (t.kind == TOKEN_END || t.kind == TOKEN_FAULT) return;
    at = t.to;
    round += (t.kind == TOKEN_OPEN) - (t.kind == TOKEN_CLOSE && round > 0);
    if (t.kind == TOKEN_NEWLINE && (round || joins(last.kind))) continue;
    if (t.kind == TOKEN_UNIT && t.from == last.to && last.kind == TOKEN_NAME)
      list_index(&s, t, out);
    if (t.kind == TOKEN_NAME)
      base_push(out,
                ((lang_mention){.from = t.from,
                                .to = t.to,
                                .begins = last.kind == TOKEN_NEWLINE ||
                                          last.kind == TOKEN_SEMICOLON || last.kind == TOKEN_BRACE,
                                .part = last.kind == TOKEN_DOT && t.from == last.to}));
    // x[1].y and x[1][2]: an index is part of the name before it
    const bool index = t.kind == TOKEN_UNIT && t.from == last.to && last.kind == TOKEN_NAME;
    last = index ? (lang_token){.kind = TOKEN_NAME, .from = last.from, .to = t.to} : t;
  }
}
