// Where a line begins with no statement: what it may have been meant to be.
#include "lang/parser.h"

#include <string.h>

// comments as other languages write them
static bool is_foreign_comment(const lang_parser* p)
{
  const char* at = p->source.text + p->now.from;
  return strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0 || strncmp(at, "--", 2) == 0;
}

static void report_sign(lang_parser* p)
{
  const bool sign = TOKEN_PLUS <= p->now.kind && p->now.kind <= TOKEN_GE;
  const bool comment = is_foreign_comment(p);
  if (!lang_parser_unexpected(p, "a statement")) return;
  if (comment)
    base_help(p->notes, "a comment starts with #");
  else if (sign)
    base_help(p->notes, "a line goes on when the line before ends in an operator or a comma");
}

// how what others call so is written here; null: nothing of that name
static const char* written_here(const char* word)
{
  static const char* const told[][2] = {
      {"until", "run 0 .. 10"},
      {"duration", "run 0 .. 10"},
      {"time", "run 0 .. 10"},
      {"tend", "run 0 .. 10"},
      {"simulate", "run 0 .. 10"},
      {"integrate", "run 0 .. 10"},
      {"tol", "tolerance 1e-12"},
      {"solver", "method dop853"},
      {"step", "tolerance 1e-10  (steps are chosen for it; `zwang run --step` gives one)"},
      {"dt", "tolerance 1e-10  (steps are chosen for it; `zwang run --step` gives one)"},
      {"var", "coord x [m]"},
      {"variable", "coord x [m]"},
      {"const", "param m = 1 [kg]"},
      {"mass", "particle P mass m = (x, y, z) in world"},
      {"lagrangian", "kinetic m/2*x'^2 and, on a line of its own, potential k/2*x^2"},
      {"damping", "force x = -c*x'"},
      {"damper", "force x = -c*x'  or  spring s: from P to Q stiffness k damping c"},
      {"friction", "constraint floor: y >= 0 with friction 0.3"},
      {"restitution", "constraint floor: y >= 0 with restitution 0.5"},
      {"set", "param m = 3  (in a stage or an event: stage s { set m = 3; until t >= 4 })"},
      {"import", "use \"other.zw\"  or  use std \"wheels\""},
      {"include", "use \"other.zw\""},
      {"T", "kinetic m/2*x'^2  (a constant: param T = 1)"},
      {"V", "potential m*g*y  (a constant: param V = 1)"},
      {"U", "potential m*g*y  (a constant: param U = 1)"},
      {"L", "kinetic m/2*x'^2 and potential k/2*x^2, each on its line (a constant: param L = 1)"},
  };
  for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
    if (!strcmp(word, told[i][0])) return told[i][1];
  return NULL;
}

void lang_stray_report(lang_parser* p, const char* const* words, int count)
{
  if (p->now.kind != TOKEN_NAME) {
    report_sign(p);
    return;
  }
  const lang_token_kind next = lang_parser_ahead(p).kind;
  const lang_token t = p->now;
  char* word = base_arena_strndup(p->arena, p->source.text + t.from, t.to - t.from);
  lang_parser_fail(p, lang_parser_place(p), "there is no statement `%s`", word);
  const char *near = base_nearest(word, words, count), *here = written_here(word);
  if (here)
    base_help(p->notes, "it is written: %s", here);
  else if (near)
    base_help(p->notes, "did you mean `%s`?", near);
  else if (next == TOKEN_EQUAL)
    base_help(p->notes, "a constant is written `param %s = ...`, an expression `let %s = ...`",
              word, word);
  else if (next == TOKEN_OPEN || next == TOKEN_PRIME)
    base_help(p->notes,
              "a line begins with what it says: `initial %s = 1` is a start, "
              "`constraint NAME: ... = ...` a condition, `force %s = ...` a force",
              word, word);
  else
    base_help(p->notes, "a line begins with a word such as `coord`, `param`, `kinetic`, `body`, "
                        "`force`, `constraint`, `initial` or `run`");
}
