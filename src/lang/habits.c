// Ways out for what comes from other habits: signs and words of other languages where something
// else was expected.
#include "lang/parser.h"

#include <ctype.h>
#include <string.h>

static bool is_among(const char* const* list, size_t count, const char* word, size_t n)
{
  for (size_t i = 0; i < count; i++)
    if (strlen(list[i]) == n && memcmp(list[i], word, n) == 0) return true;
  return false;
}

static bool is_function(const char* word, size_t n)
{
  static const char* const names[] = {"sin",  "cos",  "tan",  "asin", "acos", "atan", "sinh",
                                      "cosh", "tanh", "sqrt", "exp",  "log",  "abs",  "sign"};
  return is_among(names, sizeof names / sizeof *names, word, n);
}

static bool is_unit(const char* word, size_t n)
{
  static const char* const names[] = {"m",  "kg", "s",   "N",   "J",  "W",   "Pa", "Hz", "rad",
                                      "g",  "cm", "mm",  "km",  "kN", "min", "h",  "A",  "K",
                                      "ms", "us", "deg", "rpm", "V",  "C",   "mol"};
  return is_among(names, sizeof names / sizeof *names, word, n);
}

// what stands behind `with`
static bool is_law(const char* word, size_t n)
{
  static const char* const names[] = {"restitution", "friction", "rolling", "pivoting"};
  return is_among(names, sizeof names / sizeof *names, word, n);
}

// how much of the text from here on is units: 2 of `kg`, 5 of `m/s^2`; 0: it begins with none
size_t lang_habits_unit(const char* text)
{
  size_t all = 0;
  for (;;) {
    size_t n = 0;
    while (isalpha((unsigned char)text[all + n])) n++;
    if (!is_unit(text + all, n)) return 0;
    all += n;
    if (text[all] == '^') all += 1 + strspn(text + all + 1, "-0123456789");
    if (!(text[all] == '/' || text[all] == '*') || !isalpha((unsigned char)text[all + 1]))
      return all;
    all++;
  }
}

// the name that ends at `to`, or where it would begin
static const char* name_before(const char* text, const char* to)
{
  while (to > text && (isalnum((unsigned char)to[-1]) || to[-1] == '_')) to--;
  // 9.81 is one number
  if (isdigit((unsigned char)*to) && to > text + 1 && to[-1] == '.' &&
      isdigit((unsigned char)to[-2])) {
    to--;
    while (to > text && isdigit((unsigned char)to[-1])) to--;
  }
  return to;
}

// nothing but another item, or the end of the line, comes behind it
static bool is_last(const char* at)
{
  at += strspn(at, " \t");
  return !*at || strchr(",\"#\r\n", *at);
}

// a line whose first word is followed by expressions alone
static bool holds_expressions(const char* text, const char* at)
{
  static const char* const words[] = {"kinetic", "potential", "force",   "let",
                                      "output",  "initial",   "param",   "constraint",
                                      "rate",    "quasi",     "integral"};
  while (at > text && at[-1] != '\n') at--;
  at += strspn(at, " \t");
  return is_among(words, sizeof words / sizeof *words, at, strcspn(at, " \t\r\n"));
}

// two values side by side, the second a name; the first ends at `end`
static void help_of_neighbours(lang_parser* p, const char* end, const char* word, int n)
{
  const char* begin = name_before(p->source.text, end);
  const int before = (int)(end - begin);
  const bool number = before > 0 && isdigit((unsigned char)*begin);
  const size_t unit = number ? lang_habits_unit(word) : 0;
  if (is_law(word, (size_t)n))
    base_help(p->notes, "`with` stands before it: with %.*s ...", n, word);
  else if (before == 2 && memcmp(begin, "if", 2) == 0)
    base_help(p->notes, "a choice is written if(x > 0, 1, 0)");
  else if (is_function(begin, (size_t)before))
    base_help(p->notes, "what a function is taken of stands in brackets: %.*s(%.*s)", before, begin,
              n, word);
  else if (unit && is_last(word + unit))
    base_help(p->notes, "a unit stands in brackets: %.*s [%.*s]", before, begin, (int)unit, word);
  else if ((before > 0 || end[-1] == ')' || end[-1] == '\'') &&
           holds_expressions(p->source.text, word))
    base_help(p->notes, "a product is written with a star: %.*s*%.*s", before, begin, n, word);
}

// sin^2(x), of which sin^2 ends at `end`: the function; null where it is something else
static const char* function_with_power(const char* text, const char* end, int* length)
{
  const char* at = end;
  while (at > text && isdigit((unsigned char)at[-1])) at--;
  if (at == end || at == text || at[-1] != '^') return NULL;
  const char* begin = name_before(text, --at);
  *length = (int)(at - begin);
  return is_function(begin, (size_t)*length) ? begin : NULL;
}

static bool is_relation(lang_token_kind k)
{
  return k == TOKEN_LT || k == TOKEN_LE || k == TOKEN_GT || k == TOKEN_GE;
}

// does the line of this place begin with the word?
static bool line_begins(const char* text, const char* at, const char* word)
{
  while (at > text && at[-1] != '\n') at--;
  at += strspn(at, " \t");
  return strncmp(at, word, strlen(word)) == 0;
}

// names and conditions as others write them; whether something was said
static bool help_of_names(lang_parser* p, const char* wanted, bool line)
{
  const lang_token t = p->stuck;
  const char *text = p->source.text, *word = text + t.from;
  if (line && t.kind == TOKEN_OPEN && line_begins(text, word, "coord"))
    base_help(p->notes, "a coordinate is a function of time as it is, and has a name alone");
  else if (strstr(wanted, "`}`") && t.kind == TOKEN_EQUAL)
    base_help(p->notes, "a condition has `>=` or `<=`: until t >= 4");
  else if (strstr(wanted, "`>=`") && t.kind == TOKEN_NAME && word[t.to - t.from] == ':')
    base_help(p->notes, "a name is one word: with `_` in the place of blanks");
  else
    return false;
  return true;
}

// relations and equations as others write them; whether something was said
static bool help_of_relations(lang_parser* p, const char* wanted, bool line)
{
  const lang_token t = p->stuck;
  const char *text = p->source.text, *word = text + t.from;
  int n = 0;
  const char* of = function_with_power(text, text + p->last, &n);
  if (line && is_relation(t.kind))
    base_help(p->notes, "one relation each: `0 <= x` and `x <= 1` are two constraints");
  else if (strstr(wanted, "`>=`") && (t.kind == TOKEN_LT || t.kind == TOKEN_GT))
    base_help(p->notes, "write `%c=`: the boundary belongs to it", *word);
  else if (*word == ':' && word[1] == '=')
    base_help(p->notes, "written with `=` alone");
  else if (line && t.kind == TOKEN_EQUAL && line_begins(text, word, "coord"))
    base_help(p->notes, "a start is a statement of its own: initial x = 1");
  else if (line && t.kind == TOKEN_OPEN && of)
    base_help(p->notes, "a power stands behind the bracket: %.*s(x)^2", n, of);
  else
    return false;
  return true;
}

void lang_habits_help(lang_parser* p, const char* wanted)
{
  const lang_token t = p->stuck;
  const char *text = p->source.text, *word = text + t.from;
  const char* end = text + p->last; // of what was read last
  const bool line = strcmp(wanted, "the end of the line") == 0;
  const bool touches = t.from > 0 && text[t.from - 1] == *word;
  if (help_of_names(p, wanted, line) || help_of_relations(p, wanted, line)) return;
  if (line && t.kind == TOKEN_SEMICOLON)
    base_help(p->notes, "a statement ends with its line, without `;`");
  else if (t.kind == TOKEN_EQUAL &&
           is_law(name_before(text, end), (size_t)(end - name_before(text, end))))
    base_help(p->notes, "it is written without `=`: with friction 0.3, with restitution 0.5");
  else if (t.kind == TOKEN_BRACE && strcmp(wanted, "a value") == 0)
    base_help(p->notes, "the brackets of a formula are round: (a + b)*c");
  else if (*word == '*' && touches)
    base_help(p->notes, "a power is written with ^");
  else if (t.kind == TOKEN_NUMBER && p->last >= 2 && end[-1] == ',' &&
           isdigit((unsigned char)end[-2]))
    base_help(p->notes, "decimals are written with a point: 1.5");
  else if (line && t.kind == TOKEN_NAME && p->last > 0)
    help_of_neighbours(p, end, word, (int)(t.to - t.from));
}
