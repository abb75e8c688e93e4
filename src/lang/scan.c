// The next token of a text: blanks and comments skipped, faults named.
#include "lang/scan.h"

#include <assert.h>
#include <string.h>

enum { longest_name = 200, longest_number = 400, longest_unit = 200, largest_exponent = 400 };

static lang_token token(lang_token_kind kind, uint32_t from, uint32_t to)
{
  return (lang_token){.kind = kind, .from = from, .to = to};
}

static lang_token wrong(lang_fault fault, uint32_t from, uint32_t to)
{
  assert(from < to);
  return (lang_token){.kind = TOKEN_FAULT, .fault = fault, .from = from, .to = to};
}

static int peek(const lang_source* s, uint32_t at)
{
  return at < s->length ? (unsigned char)s->text[at] : -1;
}

static bool is_digit(int c)
{
  return '0' <= c && c <= '9';
}

static bool starts(const lang_source* s, uint32_t at, const char* sign)
{
  size_t n = strlen(sign);
  return s->text[at] == *sign && s->length - at >= n && memcmp(s->text + at, sign, n) == 0;
}

static uint32_t line_end(const lang_source* s, uint32_t at)
{
  const char* newline = memchr(s->text + at, '\n', s->length - at);
  return newline ? (uint32_t)(newline - s->text) : s->length;
}

// the first thing in from .. to that no text may hold: FAULT_NONE when all is well
static lang_token unreadable(const lang_source* s, uint32_t from, uint32_t to)
{
  // the carriage return of CRLF is part of the line end
  if (to > from && peek(s, to - 1) == '\r' && (to == s->length || peek(s, to) == '\n')) to--;
  const char* piece = s->text + from;
  size_t n = to - from;
  const char* zero = memchr(piece, 0, n);
  const char* turn = memchr(piece, '\r', n);
  ptrdiff_t bytes = base_utf8_fault(piece, n);
  if (bytes >= 0) return wrong(FAULT_BYTES, from + (uint32_t)bytes, from + (uint32_t)bytes + 1);
  if (zero) from += (uint32_t)(zero - piece);
  if (zero) return wrong(FAULT_ZERO, from, from + 1);
  if (turn) from += (uint32_t)(turn - piece);
  if (turn) return wrong(FAULT_RETURN, from, from + 1);
  return token(TOKEN_END, to, to);
}

// ---- words and numbers --------------------------------------------------------------------------

static uint32_t name_end(const lang_source* s, uint32_t at)
{
  size_t n;
  while ((n = base_utf8_name_part(s->text + at, s->length - at))) at += (uint32_t)n;
  return at;
}

static bool is_name_start(const lang_source* s, uint32_t at)
{
  return base_utf8_name_start(s->text + at, s->length - at) > 0;
}

static uint32_t digits_end(const lang_source* s, uint32_t at)
{
  while (is_digit(peek(s, at))) at++;
  return at;
}

// digits [. digits] [e [sign] digits]; the two dots of 0..15 are not part of it
static lang_token number(const lang_source* s, uint32_t from)
{
  uint32_t to = digits_end(s, from);
  if (peek(s, to) == '.' && peek(s, to + 1) != '.' && !is_name_start(s, to + 1))
    to = digits_end(s, to + 1);
  // a second point right after the fraction
  if (to > from && memchr(s->text + from, '.', to - from) && peek(s, to) == '.' &&
      is_digit(peek(s, to + 1)))
    return wrong(FAULT_POINTS, from, digits_end(s, to + 1));
  if (peek(s, to) == 'e' || peek(s, to) == 'E') {
    uint32_t sign = to + 1;
    if (peek(s, sign) == '+' || peek(s, sign) == '-') sign++;
    uint32_t end = digits_end(s, sign);
    if (end > sign) {
      int exponent = 0;
      for (uint32_t i = sign; i < end && exponent <= largest_exponent; i++)
        exponent = 10 * exponent + (peek(s, i) - '0');
      if (exponent > largest_exponent) return wrong(FAULT_RANGE, from, end);
      to = end;
    }
  }
  if (to < s->length && is_name_start(s, to)) return wrong(FAULT_NUMBER, from, name_end(s, to));
  if (to - from > longest_number) return wrong(FAULT_RANGE, from, to);
  return token(TOKEN_NUMBER, from, to);
}

static lang_token name(const lang_source* s, uint32_t from)
{
  uint32_t to = name_end(s, from);
  return to - from > longest_name ? wrong(FAULT_LONG, from, to) : token(TOKEN_NAME, from, to);
}

// the first `close` after from, else the end of the line; looks at nothing beyond it, so that a
// line full of openings costs no more than its length
static uint32_t closing(const lang_source* s, uint32_t from, char close)
{
  uint32_t at = from + 1;
  while (at < s->length && s->text[at] != close && s->text[at] != '\n') at++;
  return at;
}

static lang_token string(const lang_source* s, uint32_t from)
{
  uint32_t to = closing(s, from, '"');
  bool closed = peek(s, to) == '"';
  to += closed;
  lang_token bad = unreadable(s, from, to);
  if (bad.kind == TOKEN_FAULT) bad.to = to;
  if (bad.kind == TOKEN_FAULT) return bad;
  return closed ? token(TOKEN_STRING, from, to) : wrong(FAULT_STRING, from, to);
}

static lang_token unit(const lang_source* s, uint32_t from)
{
  uint32_t to = closing(s, from, ']');
  if (peek(s, to) != ']') return wrong(FAULT_UNIT, from, to);
  to++;
  lang_token bad = unreadable(s, from, to);
  if (bad.kind == TOKEN_FAULT) bad.to = to;
  if (bad.kind == TOKEN_FAULT) return bad;
  if (to - from > longest_unit) return wrong(FAULT_UNIT_LONG, from, to);
  uint32_t inside = from + 1;
  while (peek(s, inside) == ' ' || peek(s, inside) == '\t') inside++;
  return inside + 1 == to ? wrong(FAULT_UNIT_EMPTY, from, to) : token(TOKEN_UNIT, from, to);
}

// ---- signs --------------------------------------------------------------------------------------

// longer signs before their own beginnings
static const struct
{
  const char* sign;
  lang_token_kind kind;
} signs[] = {
    {"\n", TOKEN_NEWLINE},    {"(", TOKEN_OPEN},       {")", TOKEN_CLOSE},
    {"{", TOKEN_BRACE},       {"}", TOKEN_UNBRACE},    {",", TOKEN_COMMA},
    {";", TOKEN_SEMICOLON},   {":", TOKEN_COLON},      {"..", TOKEN_DOTS},
    {".", TOKEN_DOT},         {"=", TOKEN_EQUAL},      {"~", TOKEN_TILDE},
    {"+", TOKEN_PLUS},        {"-", TOKEN_MINUS},      {"*", TOKEN_TIMES},
    {"/", TOKEN_OVER},        {"^", TOKEN_POWER},      {"<=", TOKEN_LE},
    {"<", TOKEN_LT},          {">=", TOKEN_GE},        {">", TOKEN_GT},
    {"'", TOKEN_PRIME},       {"\u2212", TOKEN_MINUS}, {"\u00B7", TOKEN_TIMES},
    {"\u22C5", TOKEN_TIMES},  {"\u00D7", TOKEN_TIMES}, {"\u2264", TOKEN_LE},
    {"\u2265", TOKEN_GE},     {"\u2032", TOKEN_PRIME}, {"\u2033", TOKEN_PRIME},
    {"\u00B2", TOKEN_SQUARE}, {"\u00B3", TOKEN_CUBE},
};

static const char* const blanks[] = {"\u00A0", "\u2002", "\u2003", "\u2009", "\u200A", "\u202F",
                                     "\u3000", "\u200B", "\uFEFF", "\f",     "\v"};

// bytes of the character at `at`
static uint32_t character(const lang_source* s, uint32_t at)
{
  uint32_t n = 1;
  while (n < 4 && (peek(s, at + n) & 0xC0) == 0x80) n++;
  return (unsigned char)s->text[at] < 0x80 ? 1 : n;
}

static lang_token sign(const lang_source* s, uint32_t at)
{
  if (starts(s, at, "==")) return wrong(FAULT_EQUALS, at, at + 2);
  // two dots and a number that begins with one look the same, and are meant less often
  if (starts(s, at, "...")) return wrong(FAULT_DOTS, at, at + 3);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (starts(s, at, signs[i].sign))
      return token(signs[i].kind, at, at + (uint32_t)strlen(signs[i].sign));
  for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
    if (starts(s, at, blanks[i])) return wrong(FAULT_BLANK, at, at + (uint32_t)strlen(blanks[i]));
  lang_token bad = unreadable(s, at, at + character(s, at));
  if (bad.kind == TOKEN_FAULT) return bad;
  return wrong(peek(s, at) == '\r' ? FAULT_RETURN : FAULT_STRAY, at, at + character(s, at));
}

// the next byte that is neither blank nor comment; `bad` is set when a comment cannot be read
static uint32_t skip(const lang_source* s, uint32_t at, lang_token* bad)
{
  for (;;) {
    int c = peek(s, at);
    if (c == ' ' || c == '\t' || (c == '\r' && peek(s, at + 1) == '\n')) {
      at++;
    } else if (c == '#') {
      uint32_t end = line_end(s, at);
      *bad = unreadable(s, at, end);
      if (bad->kind == TOKEN_FAULT) return at;
      at = end;
    } else {
      return at;
    }
  }
}

static lang_token scan(const lang_source* s, uint32_t at)
{
  lang_token bad = {0};
  at = skip(s, at, &bad);
  if (bad.kind == TOKEN_FAULT) {
    // the rest of the comment goes with its fault
    bad.to = line_end(s, at);
    return bad;
  }
  if (at >= s->length) return token(TOKEN_END, s->length, s->length);
  int c = peek(s, at);
  if (is_digit(c) || (c == '.' && is_digit(peek(s, at + 1)))) return number(s, at);
  if (is_name_start(s, at)) return name(s, at);
  if (c == '"') return string(s, at);
  if (c == '[') return unit(s, at);
  return sign(s, at);
}

// A token that is whole stays what it is where the text ends behind it, as the inside of brackets
// does.
lang_token lang_scan(const lang_source* s, uint32_t at)
{
  lang_token* kept =
      s->kept && s->kept_from <= at && at < s->kept_to ? &s->kept[at - s->kept_from] : NULL;
  if (kept && kept->to > at && kept->to <= s->length) return *kept;
  const lang_token t = scan(s, at);
  if (kept && t.kind != TOKEN_END && t.kind != TOKEN_FAULT) *kept = t;
  return t;
}
