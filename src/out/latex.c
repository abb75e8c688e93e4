// LaTeX helpers: words escaped, long formulas broken into lines.
#include "out/latex.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "out/text.h"

void out_latex_words(base_text* out, const char* words)
{
  base_text clean = {0};
  out_text_plain(&clean, words);
  for (const char* c = clean.at; *c; c++) {
    const char* special = strchr("#$%&_{}", *c);
    if (special)
      base_text_printf(out, "\\%c", *c);
    else if (*c == '\\')
      base_text_add(out, "\\textbackslash{}");
    else if (*c == '^' || *c == '~')
      base_text_printf(out, "\\%c{}", *c);
    else if (*c == '`')
      base_text_add(out, "\\textasciigrave{}");
    else if (*c == '<' || *c == '>' || *c == '|')
      base_text_printf(out, "$%c$", *c);
    else
      base_text_addn(out, c, 1);
  }
  base_text_free(&clean);
}

void out_latex_math(base_text* out, const char* formula)
{
  static const char text[] = "\\text{";
  base_text_add(out, "");
  for (const char* c = formula; *c;) {
    size_t n = 0;
    const bool set = strncmp(c, text, sizeof text - 1) == 0;
    while ((unsigned char)c[n] >= 0x80) n++;
    if (set)
      base_text_addn(out, c, n = strcspn(c, "}")); // letters in it stand as text already
    else if (n > 0)
      base_text_printf(out, "\\text{%.*s}", (int)n, c);
    else
      base_text_addn(out, c, n = 1);
    c += n;
  }
}

// ---- tokens of a formula ------------------------------------------------------------------------

// bytes of the token at s: a command, a character of any alphabet
static size_t token_length(const char* s)
{
  size_t n = 1;
  if (s[0] == '\\') {
    if (!isalpha((unsigned char)s[1])) return s[1] ? 2 : 1;
    while (isalpha((unsigned char)s[n])) n++;
    return n;
  }
  while (((unsigned char)s[n] & 0xc0) == 0x80) n++;
  return n;
}

static bool token_is(const char* s, size_t n, const char* text)
{
  return strlen(text) == n && memcmp(s, text, n) == 0;
}

static double token_width(const char* s, size_t n)
{
  static const char* const silent[] = {"\\left",   "\\right", "\\frac", "\\mathrm",
                                       "\\mathit", "\\text",  "\\dot",  "\\ddot",
                                       "\\dddot",  "\\begin", "\\end",  "\\operatorname"};
  // set as words, not as one sign
  static const char* const words[] = {"\\sin",    "\\cos",    "\\tan",   "\\exp",  "\\ln",
                                      "\\min",    "\\max",    "\\sinh",  "\\cosh", "\\tanh",
                                      "\\arcsin", "\\arccos", "\\arctan"};
  if (s[0] == '\\' && n > 1) {
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
      if (token_is(s, n, silent[i])) return 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (token_is(s, n, words[i])) return (double)n - 1;
    return 1.2;
  }
  // Cyrillic; beyond it and the letters of western Europe pdflatex shows the number of the letter
  if ((unsigned char)s[0] == 0xd0 || (unsigned char)s[0] == 0xd1) return 1.5;
  if ((unsigned char)s[0] >= 0xc4) return 6;
  if (strchr("{}^_ &", s[0])) return 0;
  if (s[0] == '+' || s[0] == '-' || s[0] == '=') return 2;
  return 1;
}

double out_latex_width(const char* formula, size_t n)
{
  double width = 0;
  for (size_t i = 0; i < n;) {
    size_t k = token_length(formula + i);
    width += token_width(formula + i, k);
    i += k;
  }
  return width;
}

// ---- breaking -----------------------------------------------------------------------------------

// a formula as tokens with what matters for breaking
typedef struct token
{
  size_t from, n;
  int line;       // which line it went to
  int partner;    // \left <-> \right, ( <-> ), else -1
  bool sizes;     // \left or \right
  int depth;      // brackets around it
  bool breakable; // a + or - that may start a line
} token;

typedef BASE_LIST(token) tokens;

static void split(const char* formula, tokens* list)
{
  BASE_LIST(int) open = {0};
  int braces = 0;
  for (size_t i = 0; formula[i];) {
    const char* s = formula + i;
    token t = {.from = i, .n = token_length(s), .partner = -1, .depth = open.n};
    if (s[0] == '{' || token_is(s, t.n, "\\begin")) braces++;
    if (s[0] == '}' || token_is(s, t.n, "\\end")) braces--;
    // a bracket belongs to the \left or \right before it, or stands for itself
    const bool sized = list->n > 0 && list->at[list->n - 1].sizes;
    t.sizes = token_is(s, t.n, "\\left") || token_is(s, t.n, "\\right");
    if (token_is(s, t.n, "\\left") || (s[0] == '(' && !sized)) base_push(&open, list->n);
    if ((token_is(s, t.n, "\\right") || (s[0] == ')' && !sized)) && open.n > 0) {
      t.partner = open.at[--open.n];
      list->at[t.partner].partner = list->n;
    }
    bool sign = (s[0] == '+' || s[0] == '-') && i > 0 && s[-1] == ' ' && s[1] == ' ';
    t.breakable = sign && braces == 0;
    i += t.n;
    base_push(list, t);
  }
  base_list_free(&open);
}

// give every token its line; the same greedy rule as for text: the shallowest break that fits
static double lay_lines(const char* formula, tokens* list, double room)
{
  int line = 0, from = 0;
  double widest = 0;
  while (from < list->n) {
    int best = -1, to = list->n;
    double width = 0, best_width = 0;
    for (int i = from; i < list->n; i++) {
      token* t = &list->at[i];
      if (i > from && t->breakable) {
        if (width > room && best >= 0) break;
        if (best < 0 || t->depth <= list->at[best].depth || best_width < room / 3)
          best = i, best_width = width;
        if (width > room) break;
      }
      width += token_width(formula + t->from, t->n);
      if (i == list->n - 1 && width <= room) best = -1;
    }
    if (best >= 0) to = best, width = best_width;
    if (width > widest) widest = width;
    for (int i = from; i < to; i++) list->at[i].line = line;
    from = to;
    line++;
  }
  return widest;
}

enum { SOURCE_WIDTH = 100 };

// a token of the source; a space far to the right becomes a line break, which TeX reads the same
static void add_token(base_text* out, size_t* line, const char* s, size_t n)
{
  bool turn = s[0] == ' ' && out->n - *line > SOURCE_WIDTH;
  base_text_addn(out, turn ? "\n" : s, n);
  if (turn) *line = out->n;
}

double out_latex_wrap(base_text* out, const char* formula, double width, const char* between)
{
  tokens list = {0};
  split(formula, &list);
  double widest = lay_lines(formula, &list, width);
  size_t line = out->n;
  base_text_add(out, "");
  for (int i = 0; i < list.n; i++) {
    const token* t = &list.at[i];
    if (i > 0 && t->line != list.at[i - 1].line) {
      base_text_add(out, between);
      line = out->n;
    }
    bool broken = t->sizes && t->partner >= 0 && list.at[t->partner].line != t->line;
    if (broken)
      base_text_add(out, formula[t->from + 1] == 'l' ? "\\bigl" : "\\bigr");
    else
      add_token(out, &line, formula + t->from, t->n);
  }
  base_list_free(&list);
  return widest;
}
