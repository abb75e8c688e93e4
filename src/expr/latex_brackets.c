// Brackets of LaTeX formulas in the size of what they enclose.
#include "expr/print.h"

typedef struct opening
{
  size_t at; // where the text of the bracket begins
  bool tall; // something inside is higher than a letter with an exponent
} opening;

static bool starts(const char* s, const char* word)
{
  return strncmp(s, word, strlen(word)) == 0;
}

// Brackets around what is as high as a letter have the size of letters: \left( of a dotted letter
// is larger than of others, which a reader would take for a meaning.
void expr_latex_brackets(base_text* out, size_t from)
{
  BASE_LIST(opening) open = {0};
  size_t to = from;
  for (size_t i = from; i < out->n;) {
    const char* s = out->at + i;
    bool tall = starts(s, "\\frac") || starts(s, "\\sqrt") || starts(s, "\\begin");
    if (tall && open.n) open.at[open.n - 1].tall = true;
    if (starts(s, "\\left")) base_push(&open, (opening){to, s[5] != '('});
    if (starts(s, "\\right") && open.n) {
      opening last = open.at[--open.n];
      // one inside another stays larger
      if (open.n) open.at[open.n - 1].tall = true;
      if (!last.tall && s[6] == ')') {
        memmove(out->at + last.at, out->at + last.at + 5, to - last.at - 5);
        to -= 5;
        i += 6;
        s += 6;
      }
    }
    out->at[to++] = *s;
    i++;
  }
  out->n = to;
  if (out->at) out->at[to] = 0;
  base_list_free(&open);
}
