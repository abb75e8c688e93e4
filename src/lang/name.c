// Names, and names with indices: x[i-1] inside a repetition is the name `x[2]` when i is 3.
#include "lang/reader.h"
#include "lang/repeat.h"

#include <string.h>

// inside of the bracket we stand at
static lang_parser inside(const lang_parser* p)
{
  lang_parser q = *p;
  q.source.length = p->now.to - 1;
  q.now = (lang_token){.kind = TOKEN_NEWLINE, .from = p->now.from + 1, .to = p->now.from + 1};
  q.round = 0;
  q.units = false;
  return q;
}

// Where a unit may follow, brackets hold an index only if no other name stands in them.
static bool is_unit(const lang_parser* p)
{
  if (!p->units) return false;
  const lang_parser q = inside(p);
  bool number = false;
  for (uint32_t at = q.now.to; at < q.source.length;) {
    const lang_token t = lang_scan(&q.source, at);
    if (t.kind == TOKEN_END) break;
    if (t.kind == TOKEN_FAULT) return true;
    if (t.kind == TOKEN_NAME) {
      char* name = base_arena_strndup(p->arena, q.source.text + t.from, t.to - t.from);
      if (!lang_index_find(p, name)) return true;
    }
    number = number || t.kind == TOKEN_NAME || t.kind == TOKEN_NUMBER;
    at = t.to;
  }
  return !number;
}

// "x" and 12: "x[12]"
static char* indexed(base_arena* arena, const char* name, long index)
{
  char digits[24], *from = digits + sizeof digits;
  unsigned long rest = index < 0 ? 0 - (unsigned long)index : (unsigned long)index;
  *--from = ']';
  do *--from = (char)('0' + rest % 10);
  while (rest /= 10);
  if (index < 0) *--from = '-';
  *--from = '[';
  const size_t n = strlen(name), more = (size_t)(digits + sizeof digits - from);
  char* text = base_arena_take(arena, n + more + 1);
  memcpy(text, name, n);
  memcpy(text + n, from, more);
  return text;
}

static void give_up(lang_parser* p)
{
  p->stuck = p->now;
  p->now.kind = TOKEN_FAILED;
  p->spoilt = true;
}

// x[i], as most are: an index and nothing else; null otherwise
static const lang_index* index_alone(const lang_parser* p)
{
  const char* text = p->source.text + p->now.from + 1;
  const size_t n = p->now.to - p->now.from - 2;
  for (const lang_index* x = p->scope ? NULL : p->index; x; x = x->outer)
    if (strncmp(x->name, text, n) == 0 && !x->name[n]) return x;
  return NULL;
}

// the bracket right behind a name, as part of it: x[i-1] becomes `x[2]`; false where it is a unit
static bool read_index(lang_parser* p, lang_word* word)
{
  const lang_index* alone = p->reader && !p->reader->settled ? NULL : index_alone(p);
  if (alone) {
    word->text = indexed(p->arena, word->text, alone->value);
    word->place.to = p->now.to;
    lang_parser_advance(p);
    return true;
  }
  if (is_unit(p)) return false;
  lang_parser q = inside(p);
  if (p->reader && !p->reader->settled) {
    p->reader->repeats = true;
    word->text = base_arena_printf(p->arena, "%s[0]", word->text);
    lang_parser_advance(p);
    return true;
  }
  lang_parser_advance(&q);
  do {
    const lang_node* n = lang_expression_value(&q);
    long value = 0;
    if (!lang_parser_failed(&q)) lang_constant_whole(&q, n, "an index", &value);
    if (!lang_parser_failed(&q)) word->text = indexed(p->arena, word->text, value);
  } while (lang_parser_accept(&q, TOKEN_COMMA));
  if (!lang_parser_failed(&q) && q.now.kind != TOKEN_END)
    lang_parser_unexpected(&q, "the end of the index");
  word->place.to = p->now.to;
  if (lang_parser_failed(&q))
    give_up(p);
  else
    lang_parser_advance(p);
  return true;
}

// left.thigh, left.foot.toe: what belongs to a part that was put somewhere
static void read_path(lang_parser* p, lang_word* word)
{
  while (p->now.kind == TOKEN_DOT && p->now.from == p->last &&
         lang_parser_ahead(p).kind == TOKEN_NAME && lang_part_is_instance(p, word->text)) {
    lang_parser_advance(p);
    const lang_token t = p->now;
    const char* next = base_utf8_compose(p->arena, p->source.text + t.from, t.to - t.from);
    word->text = base_arena_printf(p->arena, "%s.%s", word->text, next);
    word->place.to = t.to;
    lang_parser_advance(p);
    while (p->now.kind == TOKEN_UNIT && p->now.from == p->last && read_index(p, word)) {
    }
  }
}

lang_word lang_name_word(lang_parser* p, const char* what)
{
  if (lang_parser_dangles(p)) lang_parser_unexpected(p, what);
  lang_word word = {.place = lang_parser_place(p)};
  if (p->now.kind != TOKEN_NAME) {
    lang_parser_unexpected(p, what);
    return word;
  }
  word.text = base_utf8_compose(p->arena, p->source.text + p->now.from, p->now.to - p->now.from);
  lang_parser_advance(p);
  while (p->now.kind == TOKEN_UNIT && p->now.from == p->last && read_index(p, &word)) {
  }
  if (p->scope) word.text = lang_part_own(p, word.text);
  if (p->now.kind == TOKEN_DOT && lang_part_is_instance(p, word.text)) read_path(p, &word);
  return word;
}

lang_word lang_name_read(lang_parser* p, const char* what)
{
  const lang_word word = lang_name_word(p, what);
  if (word.text && lang_index_find(p, word.text))
    lang_parser_fail(p, word.place, "`%s` is the index of this repetition, no name", word.text);
  return word;
}

lang_word lang_name_made(lang_parser* p, const char* what)
{
  lang_word word = lang_name_read(p, what);
  if (lang_parser_failed(p) || p->now.kind != TOKEN_DOT || p->now.from != p->last) return word;
  // what stands behind the dot is no name of the part that is being read
  const struct lang_scope* scope = p->scope;
  p->scope = NULL;
  lang_parser_advance(p);
  const lang_word part = lang_name_read(p, "the name of a part after the dot");
  p->scope = scope;
  if (!part.text) return word;
  word.text = base_arena_printf(p->arena, "%s.%s", word.text, part.text);
  word.place.to = part.place.to;
  return word;
}

lang_word lang_name_choice(lang_parser* p, const char* what, const char* const* words, int count)
{
  for (int i = 0; i < count; i++)
    if (lang_parser_is_word(p, words[i])) return lang_name_read(p, what);
  bool named = p->now.kind == TOKEN_NAME;
  lang_token t = p->now;
  if (lang_parser_unexpected(p, what) && named) {
    char* word = base_arena_strndup(p->arena, p->source.text + t.from, t.to - t.from);
    const char* near = base_nearest(word, words, count);
    if (near) base_help(p->notes, "did you mean `%s`?", near);
  }
  return (lang_word){.place = lang_parser_place(p)};
}

// ---- patterns -----------------------------------------------------------------------------------

// [*] right behind a name
static bool is_star(const lang_parser* p)
{
  if (p->now.kind != TOKEN_UNIT || p->now.from != p->last) return false;
  const char* text = p->source.text + p->now.from;
  const uint32_t length = p->now.to - p->now.from;
  for (uint32_t i = 1; i + 1 < length; i++)
    if (text[i] != '*' && text[i] != ' ') return false;
  return memchr(text, '*', length) != NULL;
}

static bool goes_on(const lang_parser* p)
{
  return p->now.from == p->last &&
         (p->now.kind == TOKEN_UNIT ||
          (p->now.kind == TOKEN_DOT && lang_parser_ahead(p).kind == TOKEN_NAME));
}

static bool holds_star(lang_parser p)
{
  if (p.now.kind != TOKEN_NAME) return false;
  lang_parser_advance(&p);
  while (goes_on(&p)) {
    if (is_star(&p)) return true;
    if (p.now.kind == TOKEN_DOT) lang_parser_advance(&p);
    lang_parser_advance(&p);
  }
  return false;
}

bool lang_name_pattern(lang_parser* p, lang_word* word)
{
  if (!holds_star(*p)) return false;
  word->place = lang_parser_place(p);
  word->text = base_utf8_compose(p->arena, p->source.text + p->now.from, p->now.to - p->now.from);
  lang_parser_advance(p);
  if (p->scope) word->text = lang_part_own(p, word->text);
  while (goes_on(p) && !lang_parser_failed(p)) {
    if (p->now.kind == TOKEN_UNIT && !is_star(p)) {
      if (!read_index(p, word)) break;
      continue;
    }
    const char* next = "[*]";
    if (p->now.kind == TOKEN_DOT) {
      lang_parser_advance(p);
      const char* name =
          base_utf8_compose(p->arena, p->source.text + p->now.from, p->now.to - p->now.from);
      next = base_arena_printf(p->arena, ".%s", name);
    }
    word->text = base_arena_printf(p->arena, "%s%s", word->text, next);
    word->place.to = p->now.to;
    lang_parser_advance(p);
  }
  return true;
}

// behind the indices that a name has here, as [1][2]
static const char* behind_indices(const char* name)
{
  while (*name == '[') {
    const char* end = strchr(name, ']');
    if (!end) return name;
    name = end + 1;
  }
  return name;
}

bool lang_name_matches(const char* pattern, const char* name)
{
  while (*pattern) {
    if (strncmp(pattern, "[*]", 3) == 0) {
      const char* next = behind_indices(name);
      if (next == name) return false;
      name = next;
      pattern += 3;
    } else if (*pattern++ != *name++) {
      return false;
    }
  }
  return !*name;
}
