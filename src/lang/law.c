// Constraints, initial equations, events, stages, resistances, surfaces and contacts.
#include "lang/law.h"
#include "lang/block.h"
#include "lang/clause.h"

#include <string.h>

// NAME: before an equation
static void read_label(lang_parser* p, lang_statement* s)
{
  if (p->now.kind != TOKEN_NAME || lang_parser_after_name(p).kind != TOKEN_COLON) return;
  s->name = lang_name_read(p, "a name");
  lang_parser_accept(p, TOKEN_COLON);
}

// ---- constraints --------------------------------------------------------------------------------

// behind the number of a restitution may stand the law for several contacts at once
static void read_impact_law(lang_parser* p, lang_statement* s)
{
  static const char* const laws[] = {"newton", "poisson", "moreau", "sequential", "energetic"};
  if (p->now.kind != TOKEN_NAME || lang_parser_is_word(p, "with") || lang_parser_is_word(p, "by") ||
      lang_parser_is_word(p, "while"))
    return;
  s->impact_law =
      lang_name_choice(p, "`newton`, `poisson`, `moreau`, `sequential` or `energetic`", laws, 5);
}

// [viscous] [rolling | pivoting] friction MU, `word` being the first of these
static void read_rub(lang_parser* p, lang_statement* s, lang_word word);

void lang_law_with(lang_parser* p, lang_statement* s)
{
  static const char* const words[] = {"restitution", "friction", "rolling", "pivoting"};
  const bool turns = s->kind == LANG_CONTACT || s->kind == LANG_CONTACTS;
  lang_word word = lang_name_choice(p,
                                    turns ? "`restitution`, `friction`, `rolling` or `pivoting`"
                                          : "`restitution` or `friction`",
                                    words, turns ? 4 : 2);
  if (!word.text) return;
  if (word.text[1] == 'o' || word.text[0] == 'p') {
    read_rub(p, s, word);
    return;
  }
  lang_node** value = word.text[0] == 'r' ? &s->restitution : &s->friction;
  if (*value) lang_parser_fail(p, word.place, "`%s` is given twice", word.text);
  *value = lang_expression_value(p);
  if (value == &s->friction && lang_parser_accept_word(p, "along")) {
    s->slip[0] = lang_name_made(p, "the name of a coordinate or quasi-velocity");
    if (lang_parser_accept(p, TOKEN_COMMA))
      s->slip[1] = lang_name_made(p, "the name of a coordinate or quasi-velocity");
  }
  if (value == &s->restitution) read_impact_law(p, s);
}

static void read_relation(lang_parser* p, lang_statement* s)
{
  switch (p->now.kind) {
  case TOKEN_EQUAL:
    s->relation = LANG_EQUAL;
    break;
  case TOKEN_GE:
    s->relation = LANG_AT_LEAST;
    break;
  case TOKEN_LE:
    s->relation = LANG_AT_MOST;
    break;
  default:
    if (lang_parser_unexpected(p, "`=`, `>=` or `<=`")) lang_parser_usage(p);
  }
  lang_parser_advance(p);
}

void lang_law_constraint(lang_parser* p, lang_statement* s)
{
  read_label(p, s);
  s->left = lang_expression_value(p);
  read_relation(p, s);
  s->right = lang_expression_value(p);
  for (;;) {
    base_place word = lang_parser_place(p);
    if (lang_parser_accept_word(p, "with")) {
      lang_law_with(p, s);
    } else if (lang_parser_accept_word(p, "by")) {
      if (s->by.text) lang_parser_fail(p, word, "`by` is given twice");
      s->by = lang_name_made(p, "the name of a coordinate or quasi-velocity");
    } else if (lang_parser_accept_word(p, "while")) {
      if (s->during.text) lang_parser_fail(p, word, "`while` is given twice");
      s->during = lang_name_read(p, "the name of an inequality");
    } else {
      return;
    }
  }
}

// ---- initial equations --------------------------------------------------------------------------

// initial rest, initial steady: the words alone; coordinates may have these names
static bool reads_settled(lang_parser* p, lang_statement* s)
{
  const char* const word = lang_parser_is_word(p, "rest")     ? "rest"
                           : lang_parser_is_word(p, "steady") ? "steady"
                                                              : NULL;
  const lang_token_kind next = word ? lang_parser_after_name(p).kind : TOKEN_END;
  if (!word || (next != TOKEN_NEWLINE && next != TOKEN_END)) return false;
  s->shape = (lang_word){word, lang_parser_place(p)};
  lang_parser_advance(p);
  return true;
}

void lang_law_initial(lang_parser* p, lang_statement* s)
{
  if (reads_settled(p, s)) return;
  s->left = lang_expression_value(p);
  bool guess = p->now.kind == TOKEN_TILDE;
  s->relation = guess ? LANG_GUESS : LANG_EQUAL;
  const bool at_zero = p->now.kind == TOKEN_OPEN; // x'(0), as on paper
  if (!guess && p->now.kind != TOKEN_EQUAL && lang_parser_unexpected(p, "`=` or `~`")) {
    if (at_zero) base_help(p->notes, "a start is written without (0)");
    lang_parser_usage(p);
  }
  lang_parser_advance(p);
  if (lang_parser_failed(p)) return;
  // an attitude is a list of rotations, which is no expression
  if (s->left->kind == LANG_CALL && strcmp(s->left->text, "rotation") == 0) {
    lang_clause_rotations(p, s);
    if (s->rotations == 0) lang_parser_unexpected(p, "a rotation such as z(theta)");
  } else {
    s->right = lang_expression_value(p);
  }
}

// ---- events and stages --------------------------------------------------------------------------

// x >= 1 is met when x - 1 rises through zero
static void read_crossing(lang_parser* p, lang_statement* s)
{
  const char* direction = NULL;
  switch (p->now.kind) {
  case TOKEN_EQUAL:
    break;
  case TOKEN_GE:
  case TOKEN_GT:
    direction = "rising";
    break;
  case TOKEN_LE:
  case TOKEN_LT:
    direction = "falling";
    break;
  default:
    if (lang_parser_unexpected(p, "`=`, `>=` or `<=`")) lang_parser_usage(p);
  }
  s->direction = (lang_word){direction, lang_parser_place(p)};
  lang_parser_advance(p);
}

// more conditions behind the first
static void read_joined(lang_parser* p, lang_statement* s, lang_token_kind op)
{
  if (op == TOKEN_EQUAL) lang_parser_fail(p, s->left->place, "an equation cannot be joined");
  if (lang_parser_failed(p)) return;
  lang_node* first = base_arena_take(p->arena, sizeof *first);
  *first = (lang_node){.kind = LANG_BINARY,
                       .place = base_place_join(s->left->place, s->right->place),
                       .op = op == TOKEN_GE   ? LANG_GE
                             : op == TOKEN_GT ? LANG_GT
                             : op == TOKEN_LE ? LANG_LE
                                              : LANG_LT,
                       .n = 2,
                       .kid = base_arena_take(p->arena, 2 * sizeof *first->kid)};
  first->kid[0] = s->left;
  first->kid[1] = s->right;
  s->value = lang_condition_join(p, first);
  s->left = s->right = NULL;
  s->direction = (lang_word){"rising", first->place};
}

void lang_law_event(lang_parser* p, lang_statement* s)
{
  static const char* const actions[] = {"stop", "report"};
  s->name = lang_name_read(p, "a name");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  s->left = lang_expression_value(p);
  const lang_token_kind op = p->now.kind;
  read_crossing(p, s);
  s->right = lang_expression_value(p);
  if (lang_parser_is_word(p, "and") || lang_parser_is_word(p, "or")) read_joined(p, s, op);
  if (lang_parser_is_word(p, "rising") || lang_parser_is_word(p, "falling"))
    s->direction = lang_name_read(p, "a direction");
  if (p->now.kind == TOKEN_BRACE)
    lang_block_read(p, &s->block);
  else {
    const bool before = lang_parser_failed(p);
    s->action = lang_name_choice(p, "`stop`, `report` or `{`", actions, 2);
    if (!before && lang_parser_failed(p)) lang_parser_usage(p);
  }
}

void lang_law_stage(lang_parser* p, lang_statement* s)
{
  if (p->now.kind == TOKEN_NAME) s->name = lang_name_read(p, "a name");
  lang_block_read(p, &s->block);
}

// beyond paradox: WORD
void lang_law_beyond(lang_parser* p, lang_statement* s)
{
  static const char* const words[] = {"impact", "slip", "stop"};
  lang_parser_expect_word(p, "paradox");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  s->name = lang_name_choice(p, "`impact`, `slip` or `stop`", words, 3);
}

// ---- what is not ideal, surfaces, contacts ------------------------------------------------------

void lang_law_resist(lang_parser* p, lang_statement* s)
{
  s->name = lang_name_read(p, "the name of a constraint");
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  s->value = lang_expression_value(p);
  lang_parser_expect_word(p, "along");
  s->by = lang_name_made(p, "the name of a coordinate or quasi-velocity");
}

// S(u, v) = (x, y, z); of a curve C(u) there is one coordinate
static void read_coordinates(lang_parser* p, lang_statement* s, int coordinates)
{
  s->name = lang_name_read(p, "a name");
  lang_parser_expect(p, TOKEN_OPEN, "`(`");
  s->params = coordinates;
  s->param = base_arena_take(p->arena, 2 * sizeof *s->param);
  for (int i = 0; i < coordinates; i++) {
    if (i) lang_parser_expect(p, TOKEN_COMMA, "`,`");
    s->param[i].name = lang_name_read(p, coordinates == 1 ? "the name of a coordinate of the curve"
                                                          : "the name of a surface coordinate");
  }
  lang_parser_expect(p, TOKEN_CLOSE, "`)`");
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  s->value = lang_expression_value(p);
}

void lang_law_surface(lang_parser* p, lang_statement* s)
{
  read_coordinates(p, s, 2);
}

void lang_law_curve(lang_parser* p, lang_statement* s)
{
  read_coordinates(p, s, 1);
}

void lang_law_function(lang_parser* p, lang_statement* s)
{
  BASE_LIST(lang_param) list = {0};
  s->name = lang_name_read(p, "a name");
  lang_parser_expect(p, TOKEN_OPEN, "`(`");
  do {
    const lang_word name = lang_name_read(p, "the name of an argument");
    for (int i = 0; name.text && i < list.n; i++)
      if (strcmp(list.at[i].name.text, name.text) == 0)
        lang_parser_fail(p, name.place, "two arguments are called `%s`", name.text);
    if (name.text) base_push(&list, (lang_param){.name = name});
  } while (lang_parser_accept(p, TOKEN_COMMA));
  s->params = list.n;
  s->param = lang_seal(p, &list);
  lang_parser_expect(p, TOKEN_CLOSE, "`)`");
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  s->value = lang_expression_value(p);
}

// over radius A [hertz | uniform] [rational]
static void read_patch(lang_parser* p, lang_statement* s)
{
  if (!lang_parser_accept_word(p, "over")) return;
  lang_parser_expect_word(p, "radius");
  s->patch = lang_expression_value(p);
  if (lang_parser_is_word(p, "hertz") || lang_parser_is_word(p, "uniform"))
    s->pressure = lang_name_read(p, "a pressure");
  if (lang_parser_is_word(p, "rational")) s->rational = lang_name_read(p, "`rational`");
}

static void read_rub(lang_parser* p, lang_statement* s, lang_word word)
{
  static const char* const kinds[] = {"friction", "rolling", "pivoting"};
  const bool viscous = word.text[0] == 'v';
  if (viscous) word = lang_name_choice(p, "`friction`, `rolling` or `pivoting`", kinds, 3);
  if (!word.text) return;
  const lang_rub against = word.text[0] == 'r'   ? LANG_RUB_ROLLING
                           : word.text[0] == 'p' ? LANG_RUB_PIVOTING
                                                 : LANG_RUB_SLIP;
  if (against != LANG_RUB_SLIP) lang_parser_expect_word(p, "friction");
  lang_node** value = &s->rub[against][viscous];
  if (*value) lang_parser_fail(p, word.place, "this friction is given twice");
  *value = lang_expression_value(p);
  if (value == &s->rub[LANG_RUB_SLIP][0]) read_patch(p, s);
}

// friction, how it lands, and what becomes of it where the surfaces would have to pull each other
static void read_contact_with(lang_parser* p, lang_statement* s)
{
  static const char* const words[] = {"friction", "viscous", "rolling",    "pivoting",
                                      "release",  "hold",    "restitution"};
  const lang_word word = lang_name_choice(
      p, "`friction`, `viscous`, `rolling`, `pivoting`, `restitution`, `release` or `hold`", words,
      sizeof words / sizeof *words);
  if (!word.text) return;
  if (strcmp(word.text, "restitution") == 0) {
    if (s->restitution) lang_parser_fail(p, word.place, "`restitution` is given twice");
    s->restitution = lang_expression_value(p);
    read_impact_law(p, s);
    return;
  }
  if (strcmp(word.text, "release") != 0 && strcmp(word.text, "hold") != 0) {
    read_rub(p, s, word);
    return;
  }
  if (s->pull.text)
    lang_parser_fail(p, word.place, "`%s` is one word too many for this contact", word.text);
  s->pull = word;
}

void lang_law_contact(lang_parser* p, lang_statement* s)
{
  s->name = lang_name_read(p, "the name of a body");
  lang_parser_expect_word(p, "as");
  s->left = lang_expression_value(p);
  lang_parser_expect_word(p, "on");
  s->on = lang_name_read(p, "the name of a frame or body");
  lang_parser_expect_word(p, "as");
  s->right = lang_expression_value(p);
  if (lang_parser_is_word(p, "inside")) s->direction = lang_name_read(p, "`inside`");
  lang_parser_expect_word(p, "at");
  s->by = lang_name_read(p, "a name for the contact");
  for (;;) {
    static const char* const words[] = {"pivoting"};
    if (lang_parser_accept_word(p, "with"))
      read_contact_with(p, s);
    else if (lang_parser_accept_word(p, "without"))
      s->rubber = lang_name_choice(p, "`pivoting`", words, 1);
    else
      return;
  }
}
