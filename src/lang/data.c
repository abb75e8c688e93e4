// States of first order and their rates; tables.
#include "lang/block.h"
#include "lang/law.h"
#include "lang/reader.h"

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

// sample NAME every T from t0 { k = k + 1; u = -K*x }
void lang_data_sample(lang_parser* p, lang_statement* s)
{
  s->name = lang_name_read(p, "a name");
  lang_parser_expect_word(p, "every");
  s->to = lang_expression_value(p);
  if (lang_parser_accept_word(p, "from")) s->from = lang_expression_value(p);
  s->block.plain = true;
  lang_block_read(p, &s->block);
}

// ---- tables -------------------------------------------------------------------------------------

// (a [m], b)
static void read_arguments(lang_parser* p, lang_statement* s)
{
  BASE_LIST(lang_param) list = {0};
  lang_parser_expect(p, TOKEN_OPEN, "`(`");
  do {
    p->units = true;
    lang_param x = {.name = lang_name_read(p, "the name of an argument")};
    p->units = false;
    x.unit = lang_parser_unit(p);
    if (x.name.text) base_push(&list, x);
  } while (lang_parser_accept(p, TOKEN_COMMA));
  lang_parser_expect(p, TOKEN_CLOSE, "`)`");
  if (list.n > 2) lang_parser_fail(p, list.at[2].name.place, "a table has one argument or two");
  s->params = list.n;
  s->param = lang_seal(p, &list);
}

static void read_file(lang_parser* p, lang_table* t)
{
  t->file_place = lang_parser_place(p);
  t->file = lang_parser_string(p);
  t->data = lang_use_data(p, t->file, t->file_place, &t->bytes);
  if (!lang_parser_accept_word(p, "column")) return;
  t->column_place = lang_parser_place(p);
  t->column = lang_parser_string(p);
}

static void read_rows(lang_parser* p, const lang_statement* s, lang_table* t)
{
  BASE_LIST(lang_node*) list = {0};
  do {
    lang_node* n = lang_expression_value(p);
    const bool fits = !lang_parser_failed(p) && n->kind == LANG_TUPLE && n->n == s->params + 1;
    if (!fits && !lang_parser_failed(p))
      lang_parser_fail(p, n->place,
                       s->params == 2 ? "a row of this table is (%s, %s, value)"
                                      : "a row of this table is (%s, value)",
                       s->param[0].name.text, s->params == 2 ? s->param[1].name.text : "");
    base_push(&list, n);
  } while (lang_parser_accept(p, TOKEN_COMMA));
  t->rows = list.n;
  t->row = lang_seal(p, &list);
}

enum { BEYOND = 3 };
static const char* const beyond[BEYOND] = {"hold", "extend", "refuse"};

// does one of these words follow? `outside` need not stand before it
static bool is_beyond(const lang_parser* p)
{
  bool is = false;
  for (int i = 0; i < BEYOND; i++) is = is || lang_parser_is_word(p, beyond[i]);
  return is;
}

void lang_data_table(lang_parser* p, lang_statement* s)
{
  static const char* const ways[] = {"linear", "cubic", "steps"};
  lang_table* t = s->table = base_arena_take(p->arena, sizeof *t);
  s->name = lang_name_read(p, "a name");
  read_arguments(p, s);
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  if (p->now.kind == TOKEN_STRING)
    read_file(p, t);
  else
    read_rows(p, s, t);
  t->unit = lang_parser_unit(p);
  if (p->now.kind == TOKEN_NAME && !lang_parser_is_word(p, "outside") && !is_beyond(p))
    t->way = lang_name_choice(p, "`linear`, `cubic`, `steps` or `outside`", ways, 3);
  const bool said = lang_parser_accept_word(p, "outside");
  if (said) lang_parser_accept(p, TOKEN_COLON);
  if (said || is_beyond(p))
    t->outside = lang_name_choice(p, "`hold`, `extend` or `refuse`", beyond, BEYOND);
}
