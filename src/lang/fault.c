// What is wrong with a piece of text that is no token, and the way out.
#include "lang/scan.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

// ways out for signs that come from other habits or from a word processor
static const struct
{
  const char *sign, *help;
} habits[] = {
    {"\u201C", "use plain quotes: \""},
    {"\u201D", "use plain quotes: \""},
    {"\u201E", "use plain quotes: \""},
    {"\u2018", "a derivative is written with a plain prime: x'"},
    {"\u2019", "a derivative is written with a plain prime: x'"},
    {"\u2013", "a minus is written -"},
    {"\u2014", "a minus is written -"},
    {"\u00F7", "a quotient is written with /"},
    {"\u00B0", "degrees are a unit: 30 [deg]"},
    {"\u221A", "a root is written sqrt(x)"},
    {"|", "a modulus is written abs(x), that of a vector norm(a)"},
    {"%", "a comment starts with #"},
    {"\\", "a line goes on when it ends in an operator or a comma, or while a bracket is open"},
    {"?", "a choice is written if(x > 0, 1, 0)"},
    {"]", "square brackets hold units: [m/s]; all others are round"},
};

static void report_stray(const lang_source* s, lang_token t, base_place at, base_notes* notes)
{
  int n = (int)(t.to - t.from);
  base_error(notes, at, "the sign `%.*s` has no meaning here", n, s->text + t.from);
  if (s->text[t.from] == '\\' && t.to < s->length && isalpha((unsigned char)s->text[t.to])) {
    base_help(notes, "this is no LaTeX: names are written as theta, fractions as (a + b)/c");
    return;
  }
  for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
    if (strlen(habits[i].sign) == (size_t)n &&
        memcmp(habits[i].sign, s->text + t.from, (size_t)n) == 0)
      base_help(notes, "%s", habits[i].help);
}

static void report_number(const lang_source* s, lang_token t, base_place at, base_notes* notes)
{
  uint32_t digits = t.from;
  while (strchr("0123456789.", s->text[digits])) digits++;
  const char* word = s->text + t.from;
  if (t.to - digits == 1 && (s->text[digits] == 'e' || s->text[digits] == 'E')) {
    base_error(notes, at, "the exponent of the number has no digits");
    return;
  }
  const char* e = s->text + digits;
  const size_t sign = *e == 'e' || *e == 'E' ? 1 + (e[1] == '+' || e[1] == '-') : 0;
  if (sign && isdigit((unsigned char)e[sign]))
    digits += (uint32_t)(sign + strspn(e + sign, "0123456789"));
  int n = (int)(digits - t.from), rest = (int)(t.to - digits);
  base_error(notes, at, "`%.*s` is neither a number nor a name", n + rest, word);
  if (word[n + rest + (int)strspn(word + n + rest, " \t")] == ':')
    base_help(notes, "a name begins with a letter");
  else if (lang_habits_unit(word + n) == (size_t)rest)
    base_help(notes, "a unit stands in brackets: %.*s [%.*s]", n, word, rest, word + n);
  else
    base_help(notes, "a product is written with a star: %.*s*%.*s", n, word, rest, word + n);
}

void lang_scan_report(const lang_source* s, lang_token t, base_notes* notes)
{
  assert(t.kind == TOKEN_FAULT && t.from < t.to);
  base_place at = {s->file, t.from, t.to};
  base_place first = {s->file, t.from, t.from + 1};
  switch (t.fault) {
  case FAULT_BYTES:
    base_error(notes, first, "the byte 0x%02X is not UTF-8 here", (unsigned char)s->text[t.from]);
    base_help(notes, "save the file as UTF-8");
    break;
  case FAULT_ZERO:
    base_error(notes, first, "a zero byte in the text");
    base_help(notes, "a model is plain text; this file may be of another kind");
    break;
  case FAULT_RETURN:
    base_error(notes, first, "a carriage return without a line feed");
    base_help(notes, "save the file with line ends LF or CRLF");
    break;
  case FAULT_STRING:
    base_error(notes, at, "the quotes are not closed on this line");
    base_help(notes, "end the text with \"");
    break;
  case FAULT_UNIT:
    base_error(notes, first, "the unit is not closed on this line");
    base_help(notes, "a unit is written in brackets: [m/s]");
    break;
  case FAULT_UNIT_EMPTY:
    base_error(notes, at, "the brackets hold no unit");
    base_help(notes, "write [1] for a pure number, or leave the brackets out");
    break;
  case FAULT_UNIT_LONG:
    base_error(notes, at, "the unit is too long (%u bytes)", t.to - t.from);
    break;
  case FAULT_NUMBER:
    report_number(s, t, at, notes);
    break;
  case FAULT_POINTS:
    base_error(notes, at, "the number has two decimal points");
    break;
  case FAULT_DOTS:
    base_error(notes, at, "a range is written with two dots: 0 .. 5");
    base_help(notes, "a number below one is set apart, or written with its zero: 0 .. 0.5");
    break;
  case FAULT_RANGE:
    base_error(notes, at, "the number is out of range");
    base_help(notes, "numbers have at most 400 digits and exponents from -400 to 400");
    break;
  case FAULT_LONG:
    base_error(notes, at, "the name is too long (%u bytes)", t.to - t.from);
    base_help(notes, "names have at most 200 bytes");
    break;
  case FAULT_EQUALS:
    base_error(notes, at, "`==` has no meaning here");
    base_help(notes, "an equation is written with a single =");
    break;
  case FAULT_BLANK:
    base_error(notes, at, "a blank that is not a plain blank");
    base_help(notes, "replace it by a plain blank; it may come from a word processor");
    break;
  case FAULT_STRAY:
    report_stray(s, t, at, notes);
    break;
  case FAULT_NONE:
    assert(false);
  }
}
