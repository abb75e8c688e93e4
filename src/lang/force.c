// What a force is and what it acts on.
#include "lang/law.h"

static bool ends_force(lang_token_kind k)
{
  return k == TOKEN_NEWLINE || k == TOKEN_END || k == TOKEN_COLON;
}

bool lang_law_force(lang_parser* p, lang_statement* s)
{
  s->vector = lang_expression_value(p);
  if (p->now.kind == TOKEN_EQUAL && s->vector->kind == LANG_FIELD &&
      s->vector->kid[0]->kind == LANG_NAME) {
    // a coordinate that another statement makes, as that of a joint
    s->name =
        (lang_word){base_arena_printf(p->arena, "%s.%s", s->vector->kid[0]->text, s->vector->text),
                    s->vector->place};
    s->vector = NULL;
    lang_parser_advance(p);
    s->value = lang_expression_value(p);
    return true;
  }
  if (p->now.kind == TOKEN_EQUAL)
    lang_parser_fail(p, s->vector->place, "left of the `=` of a force stands a coordinate");
  if (ends_force(p->now.kind) && s->vector->kind != LANG_TUPLE)
    lang_parser_fail(p, s->vector->place,
                     "this force has neither a coordinate nor a point that it acts on");
  return false;
}
