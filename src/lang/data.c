// States of first order and their rates.
#include "lang/law.h"

void lang_data_states(lang_parser* p, lang_statement* s)
{
  BASE_LIST(lang_param) list = {0};
  do {
    p->units = true;
    lang_param x = {.name = lang_name_read(p, "a name")};
    p->units = false;
    x.unit = lang_parser_unit(p);
    if (lang_parser_accept(p, TOKEN_EQUAL)) x.value = lang_expression_value(p);
    if (p->now.kind == TOKEN_STRING) x.note = lang_parser_string(p);
    base_push(&list, x);
  } while (lang_parser_accept(p, TOKEN_COMMA));
  s->params = list.n;
  s->param = lang_seal(p, &list);
}

void lang_data_rate(lang_parser* p, lang_statement* s)
{
  s->name = lang_name_read(p, "the name of a state");
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  s->value = lang_expression_value(p);
}
