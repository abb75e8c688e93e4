// Letters of other alphabets in LaTeX, with whatever fonts there are.
#include "out/latex.h"

#include <stdlib.h>

// An engine that reads Unicode needs a font that has the letters. pdflatex needs to be told of
// each: Greek is set as in formulas, Cyrillic in its own fonts where they are installed and in
// Latin letters otherwise, signs by what looks like them, and what is left by its number.

// the code point at s (valid UTF-8) and its length
static uint32_t decode(const char* s, size_t* n)
{
  const unsigned char* u = (const unsigned char*)s;
  *n = u[0] < 0x80 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
  uint32_t code = *n == 1 ? u[0] : u[0] & (0xffu >> (*n + 1));
  for (size_t i = 1; i < *n; i++) code = code << 6 | (u[i] & 0x3fu);
  return code;
}

static int by_code(const void* a, const void* b)
{
  uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return (x > y) - (x < y);
}

static const char* greek(uint32_t code)
{
  static const char* const small[] = {
      "alpha", "beta",   "gamma",   "delta",  "varepsilon", "zeta", "eta",  "theta", "iota",
      "kappa", "lambda", "mu",      "nu",     "xi",         NULL,   "pi",   "rho",   "varsigma",
      "sigma", "tau",    "upsilon", "varphi", "chi",        "psi",  "omega"};
  return code >= 0x3b1 && code <= 0x3c9 ? small[code - 0x3b1] : NULL;
}

// Latin letters for Cyrillic ones, U+0400 .. U+045F; the second half is the first in small letters
static const char* latin(uint32_t code)
{
  static const char* const large[] = {
      "E",  "Yo", "Dj", "Gj",  "Ye", "Dz",   "I",         "Yi", "J",         "Lj", "Nj", "C",
      "Kj", "I",  "U",  "Dzh", "A",  "B",    "V",         "G",  "D",         "E",  "Zh", "Z",
      "I",  "J",  "K",  "L",   "M",  "N",    "O",         "P",  "R",         "S",  "T",  "U",
      "F",  "Kh", "Ts", "Ch",  "Sh", "Shch", "\\char34 ", "Y",  "\\char39 ", "E",  "Yu", "Ya"};
  static const char* const little[] = {
      "a",  "b",    "v",         "g",  "d",         "e",  "zh", "z",  "i",  "j",  "k",  "l",
      "m",  "n",    "o",         "p",  "r",         "s",  "t",  "u",  "f",  "kh", "ts", "ch",
      "sh", "shch", "\\char34 ", "y",  "\\char39 ", "e",  "yu", "ya", "e",  "yo", "dj", "gj",
      "ye", "dz",   "i",         "yi", "j",         "lj", "nj", "c",  "kj", "i",  "u",  "dzh"};
  if (code >= 0x400 && code < 0x430) return large[code - 0x400];
  return code >= 0x430 && code < 0x460 ? little[code - 0x430] : NULL;
}

static const char* sign(uint32_t code)
{
  static const struct
  {
    uint32_t code;
    const char* latex;
  } signs[] = {{0xab, "\\ensuremath{\\ll}"},
               {0xbb, "\\ensuremath{\\gg}"},
               {0xb0, "\\ensuremath{^\\circ}"},
               {0xb2, "\\ensuremath{^2}"},
               {0xb3, "\\ensuremath{^3}"},
               {0xb7, "\\ensuremath{\\cdot}"},
               {0x2013, "--"},
               {0x2014, "---"},
               {0x2018, "`"},
               {0x2019, "'"},
               {0x201c, "``"},
               {0x201d, "''"},
               {0x201e, ",,"},
               {0x2026, "\\ldots{}"},
               {0x2116, "No."},
               {0x2212, "\\ensuremath{-}"}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (signs[i].code == code) return signs[i].latex;
  return NULL;
}

// what pdflatex sets for a letter
static void declare(base_text* out, uint32_t code)
{
  const char *letter = greek(code), *other = latin(code) ? latin(code) : sign(code);
  base_text_printf(out, "\\DeclareUnicodeCharacter{%04X}{", (unsigned)code);
  if (letter)
    base_text_printf(out, "\\ensuremath{\\%s}}\n", letter);
  else if (other)
    base_text_printf(out, "%s}\n", other);
  else
    base_text_printf(out, "\\text{\\texttt{U+%04X}}}\n", (unsigned)code);
}

typedef BASE_LIST(uint32_t) codes;

// every code point that pdflatex does not know, once; it knows accented letters of western Europe
static codes codes_of(const char* body)
{
  codes all = {0};
  size_t n;
  for (const char* s = body; *s; s += n) {
    const uint32_t code = decode(s, &n);
    if (code >= 0x100 || (code >= 0x80 && code < 0xc0)) base_push(&all, code);
  }
  if (all.n) qsort(all.at, (size_t)all.n, sizeof *all.at, by_code);
  int count = 0;
  for (int i = 0; i < all.n; i++)
    if (i == 0 || all.at[i] != all.at[i - 1]) all.at[count++] = all.at[i];
  all.n = count;
  return all;
}

static void declare_all(base_text* out, const codes* list, bool cyrillic)
{
  for (int i = 0; i < list->n; i++)
    if ((latin(list->at[i]) != NULL) == cyrillic) declare(out, list->at[i]);
}

void out_latex_letters(base_text* out, const char* body)
{
  codes list = codes_of(body);
  bool cyrillic = false, fonts = false;
  for (int i = 0; i < list.n; i++) {
    cyrillic = cyrillic || latin(list.at[i]);
    fonts = fonts || (!greek(list.at[i]) && !sign(list.at[i]));
  }
  if (list.n) base_text_add(out, "\\usepackage{iftex}\n\\ifPDFTeX\n");
  declare_all(out, &list, false);
  if (cyrillic) {
    base_text_add(out, "\\IfFileExists{t2acmr.fd}{\\usepackage[T2A]{fontenc}}{%\n");
    declare_all(out, &list, true);
    base_text_add(out, "}\n");
  }
  if (fonts)
    base_text_add(out, "\\else\n\\IfFileExists{fontspec.sty}{\\usepackage{fontspec}%\n"
                       "\\IfFontExistsTF{CMU Serif}{\\setmainfont{CMU Serif}}{%\n"
                       "\\IfFontExistsTF{DejaVu Serif}{\\setmainfont{DejaVu Serif}}{}}}{}\n");
  if (list.n) base_text_add(out, "\\fi\n");
  base_list_free(&list);
}
