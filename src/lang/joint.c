// What joins two bodies.
//   joint NAME: KIND B at P axis D normal E on A at P axis D normal E
//   joint NAME: point B at P on curve C of A at P axis D normal E with friction MU, and the same
//   with a surface
//   bushing NAME: B at P on A at P stiffness (...) turning (...) damping (...) turning damping
//   (...)
#include "lang/law.h"

#include <string.h>

static void given_twice(lang_parser* p, const lang_node* n, base_place word, const char* text)
{
  if (n) lang_parser_fail(p, word, "`%s` is given twice", text);
}

// where it is on one of the two, and how it lies there
static void read_clauses(lang_parser* p, lang_statement* s, lang_end* x)
{
  struct
  {
    const char* word;
    lang_node** to;
  } const clause[] = {{"at", &x->at},
                      {"axis", &x->axis},
                      {"normal", &x->normal},
                      {"pitch", &s->pitch},
                      {"length", &s->natural}};
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < sizeof clause / sizeof *clause && !found; i++) {
      const base_place word = lang_parser_place(p);
      if (!lang_parser_accept_word(p, clause[i].word)) continue;
      found = true;
      given_twice(p, *clause[i].to, word, clause[i].word);
      *clause[i].to = lang_expression_value(p);
    }
  }
}

// behind `on`: curve C of A, surface S of A, or A as S; a curve of the world where no A is named
static void read_guide(lang_parser* p, lang_statement* s)
{
  const bool curve = lang_parser_is_word(p, "curve"), surface = lang_parser_is_word(p, "surface");
  s->end[1].body = (lang_word){"world", lang_parser_place(p)};
  if (!curve && !surface) {
    s->end[1].body = lang_name_read(p, "`curve`, `surface` or the name of a body or frame");
    read_clauses(p, s, &s->end[1]);
    lang_parser_expect_word(p, "as");
    s->left = lang_expression_value(p);
    return;
  }
  lang_parser_advance(p);
  s->direction = (lang_word){curve ? "curve" : "surface", s->end[1].body.place};
  s->left = lang_expression_value(p);
  if (!lang_parser_accept_word(p, "of")) return;
  s->end[1].body = lang_name_read(p, "the name of a body or frame");
  read_clauses(p, s, &s->end[1]);
}

// behind both: that it is a constraint, and how it rubs
static void read_kind_of_hold(lang_parser* p, lang_statement* s)
{
  for (;;) {
    const base_place word = lang_parser_place(p);
    if (lang_parser_accept_word(p, "as")) {
      lang_parser_expect_word(p, "constraint");
      if (s->closes) lang_parser_fail(p, word, "`as constraint` is given twice");
      s->closes = true;
    } else if (lang_parser_accept_word(p, "with")) {
      lang_parser_expect_word(p, "friction");
      given_twice(p, s->friction, word, "with friction");
      s->friction = lang_expression_value(p);
    } else {
      return;
    }
    if (lang_parser_failed(p)) return;
  }
}

void lang_law_joint(lang_parser* p, lang_statement* s)
{
  static const char* const kinds[] = {"weld",        "hinge",     "slider",    "screw",
                                      "cylindrical", "universal", "spherical", "planar",
                                      "free",        "distance",  "point"};
  enum { count = sizeof kinds / sizeof *kinds };
  s->name = lang_name_read(p, "a name for the joint");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  s->shape = lang_name_choice(p,
                              "the kind of the joint: `weld`, `hinge`, `slider`, `screw`, "
                              "`cylindrical`, `universal`, `spherical`, `planar`, `free`, "
                              "`distance` or `point`",
                              kinds, count);
  s->end = base_arena_take(p->arena, 2 * sizeof *s->end);
  s->end[0].body = lang_name_read(p, "the name of a body or frame");
  read_clauses(p, s, &s->end[0]);
  lang_parser_expect_word(p, "on");
  if (s->shape.text && strcmp(s->shape.text, "point") == 0) {
    read_guide(p, s);
  } else {
    s->end[1].body = lang_name_read(p, "the name of a body or frame");
    read_clauses(p, s, &s->end[1]);
  }
  read_kind_of_hold(p, s);
}

void lang_law_bushing(lang_parser* p, lang_statement* s)
{
  s->name = lang_name_read(p, "a name for the bushing");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  s->end = base_arena_take(p->arena, 2 * sizeof *s->end);
  for (int i = 0; i < 2; i++) {
    if (i) lang_parser_expect_word(p, "on");
    s->end[i].body = lang_name_read(p, "the name of a body or frame");
    if (lang_parser_accept_word(p, "at")) s->end[i].at = lang_expression_value(p);
  }
  for (;;) {
    const base_place word = lang_parser_place(p);
    const bool turning = lang_parser_accept_word(p, "turning");
    const bool stiffness = !turning && lang_parser_accept_word(p, "stiffness");
    const bool damping = !stiffness && lang_parser_accept_word(p, "damping");
    if (!turning && !stiffness && !damping) break;
    lang_node** to = turning ? &s->turning[damping] : damping ? &s->damping : &s->stiffness;
    given_twice(p, *to, word, damping ? "damping" : turning ? "turning" : "stiffness");
    *to = lang_expression_value(p);
    if (lang_parser_failed(p)) return;
  }
  if (!s->stiffness && !s->turning[0] && !s->damping && !s->turning[1])
    lang_parser_unexpected(p, "`stiffness`, `turning` or `damping`");
}
