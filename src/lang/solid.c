// Contacts between shapes: `contact NAME: A as SHAPE, B as SHAPE with ...` and
// `contacts NAME: among X[*] as SHAPE and Y as SHAPE with ...`.
#include "lang/law.h"
#include "lang/reader.h"

#include <string.h>

// bodies named in one statement; those that [*] stands for are counted by the model
enum { most_solids = 64, most_brackets = 1000 };

// the name of a body, or of many
static void read_bodies(lang_parser* p, lang_solid* x)
{
  x->all = lang_name_pattern(p, &x->name);
  if (!x->all) x->name = lang_name_read(p, "the name of a body or frame");
}

// SHAPE, SHAPE(a, b, c), SHAPE (x, y) (x, y) ..., SHAPE "file"
static void read_shape(lang_parser* p, lang_solid* x)
{
  static const char* const shapes[] = {"sphere", "plane",  "box",     "capsule", "cylinder",
                                       "hull",   "circle", "segment", "polygon"};
  enum { count = sizeof shapes / sizeof *shapes };
  BASE_LIST(lang_node*) list = {0};
  x->shape = lang_name_choice(p,
                              "a shape: `sphere`, `plane`, `box`, `capsule`, `cylinder`, `hull`, "
                              "`circle`, `segment` or `polygon`",
                              shapes, count);
  while (p->now.kind == TOKEN_OPEN && list.n < most_brackets)
    base_push(&list, lang_expression_value(p));
  x->sizes = list.n;
  x->size = lang_seal(p, &list);
  if (p->now.kind == TOKEN_STRING) {
    x->file_place = lang_parser_place(p);
    x->file = lang_parser_string(p);
    if (x->shape.text && strcmp(x->shape.text, "hull") == 0)
      x->data = lang_use_data(p, x->file, x->file_place, &x->bytes);
  }
}

static void read_solid(lang_parser* p, lang_solid* x)
{
  const base_place from = lang_parser_place(p);
  read_bodies(p, x);
  lang_parser_expect_word(p, "as");
  read_shape(p, x);
  x->place = lang_parser_since(p, from);
}

void lang_law_solids(lang_parser* p, lang_statement* s)
{
  BASE_LIST(lang_solid) list = {0};
  const bool many = s->kind == LANG_CONTACTS;
  s->name = lang_name_read(p, "a name for the contact");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  if (many) lang_parser_expect_word(p, "among");
  do {
    lang_solid x = {0};
    read_solid(p, &x);
    if (lang_parser_failed(p)) break;
    if (!many && x.all)
      lang_parser_fail(p, x.name.place, "a contact is between two bodies, `%s` may be many",
                       x.name.text);
    if (list.n == most_solids)
      lang_parser_fail(p, x.name.place, "more than %d bodies in one statement", most_solids);
    base_push(&list, x);
  } while (many ? lang_parser_accept_word(p, "and")
                : list.n < 2 && lang_parser_expect(p, TOKEN_COMMA, "`,`"));
  s->solids = list.n;
  s->solid = lang_seal(p, &list);
  while (lang_parser_accept_word(p, "with")) lang_law_with(p, s);
}
