// part NAME(a = 1 [m], ...) { ... } and put NAME(a = 2) on F at (...) rotated ... as INSTANCE.
//
// A part is read from its text once for each place it is put: every name that it declares becomes
// INSTANCE.name, its params are params of the model, and INSTANCE.base is the frame it stands on.
// To know the names it declares it is read once before in silence. A model with parts is read
// twice, as one that repeats: in the first reading parts are found, wherever they stand.
#include "lang/part.h"
#include "lang/clause.h"
#include "lang/reader.h"
#include "lang/repeat.h"

#include <string.h>

enum { most_deep = 16 };

// ---- parts --------------------------------------------------------------------------------------

static lang_part_text* find_part(const lang_reader* r, const char* name)
{
  for (int i = 0; i < r->parts.n; i++)
    if (strcmp(r->parts.at[i].name, name) == 0) return &r->parts.at[i];
  return NULL;
}

// the name of a param as the part itself calls it, whatever part we are in
static lang_word read_bare(lang_parser* p)
{
  const lang_scope* scope = p->scope;
  p->scope = NULL;
  const lang_word name = lang_name_read(p, "a name");
  p->scope = scope;
  return name;
}

// (a = 1 [m], b = 2), from the bracket on; `bare`: the names belong to the part that is put
static int read_head(lang_parser* p, bool bare, lang_param** out)
{
  BASE_LIST(lang_param) list = {0};
  lang_parser_expect(p, TOKEN_OPEN, "`(`");
  p->round++;
  while (p->now.kind == TOKEN_NAME) {
    lang_param x = {.name = bare ? read_bare(p) : lang_name_read(p, "a name")};
    lang_parser_expect(p, TOKEN_EQUAL, "`=`");
    p->units = true;
    x.value = lang_expression_value(p);
    p->units = false;
    x.unit = lang_parser_unit(p);
    if (p->now.kind == TOKEN_STRING) x.note = lang_parser_string(p);
    for (int i = 0; x.name.text && i < list.n; i++)
      if (strcmp(list.at[i].name.text, x.name.text) == 0)
        lang_parser_fail(p, x.name.place, "two params are called `%s`", x.name.text);
    if (x.name.text) base_push(&list, x);
    if (!lang_parser_accept(p, TOKEN_COMMA)) break;
  }
  p->round--;
  lang_parser_expect(p, TOKEN_CLOSE, "`)`");
  const int n = list.n;
  *out = lang_seal(p, &list);
  return n;
}

// parts put inside have names, too: `put ... as NAME`
static void note_inner(lang_parser* p, lang_token open, lang_token close)
{
  bool put = false, as = false;
  for (lang_token t = open; t.from < close.from; t = lang_scan(&p->source, t.to)) {
    if (t.kind == TOKEN_NEWLINE) put = as = false;
    if (t.kind != TOKEN_NAME) continue;
    const char* word = base_arena_strndup(p->arena, p->source.text + t.from, t.to - t.from);
    if (as) lang_part_name_instance(p, word);
    as = put && strcmp(word, "as") == 0;
    put = put || strcmp(word, "put") == 0;
  }
}

static lang_token closing(const lang_parser* p, lang_token open)
{
  int braces = 0;
  for (lang_token t = open;; t = lang_scan(&p->source, t.to)) {
    if (t.kind == TOKEN_END) return t;
    braces += t.kind == TOKEN_BRACE;
    if (t.kind == TOKEN_UNBRACE && --braces == 0) return t;
  }
}

// the text of a file that is taken in does not last as long as its parts do
static lang_source kept_source(const lang_parser* p)
{
  lang_source s = p->source;
  char* text = base_arena_take(p->arena, (size_t)s.length + 1);
  memcpy(text, s.text, s.length);
  s.text = text;
  return s;
}

static void keep(lang_parser* p, lang_part_text x)
{
  lang_reader* r = p->reader;
  lang_part_text* known = find_part(r, x.name);
  const bool same = known && known->place.file == x.place.file && known->place.from == x.place.from;
  // what is said in the first reading is not heard
  if (known && !same && r->settled) {
    lang_parser_fail(p, x.place, "the part `%s` is declared twice", x.name);
    base_info(p->notes, known->place, "it was first declared here");
  }
  if (known) return;
  x.source = kept_source(p);
  base_push(&r->parts, x);
}

void lang_part_define(lang_parser* p)
{
  const base_place place = lang_parser_place(p);
  p->usage = "part Leg(l = 0.4 [m], m = 2 [kg]) { ... }";
  lang_parser_advance(p);
  lang_part_text x = {.folder = p->folder, .place = place};
  const lang_word name = lang_name_read(p, "a name for the part");
  lang_param* params;
  x.name = name.text;
  x.head = p->now;
  x.params = read_head(p, false, &params);
  x.param = params;
  x.open = p->now;
  if (p->now.kind != TOKEN_BRACE && lang_parser_unexpected(p, "`{`")) lang_parser_usage(p);
  if (lang_parser_failed(p)) return;
  x.close = closing(p, x.open);
  if (x.close.kind == TOKEN_END) {
    lang_parser_fail(p, place, "the braces of this part are not closed");
    return;
  }
  if (p->scope) lang_parser_fail(p, place, "a part is declared outside of parts");
  if (!p->scope && p->reader) {
    p->reader->repeats = true;
    note_inner(p, x.open, x.close);
    keep(p, x);
  }
  const bool spoilt = p->spoilt;
  p->now = x.close;
  p->round = 0;
  lang_parser_advance(p);
  p->spoilt = spoilt;
}

// ---- what a part declares -----------------------------------------------------------------------

typedef BASE_LIST(const char*) names;

static bool lists_names(lang_statement_kind k)
{
  return k == LANG_PARAM || k == LANG_COORD || k == LANG_ORIENTATION || k == LANG_STATE ||
         k == LANG_MEMORY || k == LANG_INPUT;
}

static bool only_uses(lang_statement_kind k)
{
  return k == LANG_FORCE || k == LANG_RESIST || k == LANG_TRACE || k == LANG_RATE ||
         k == LANG_METHOD || k == LANG_BEYOND || k == LANG_ROLL || k == LANG_SLIDE;
}

static void add_declared(const lang_statement* s, names* list)
{
  for (int i = 0; i < s->params && lists_names(s->kind); i++)
    if (s->param[i].name.text) base_push(list, s->param[i].name.text);
  if (s->name.text && !only_uses(s->kind)) base_push(list, s->name.text);
  if ((s->kind == LANG_ROLL || s->kind == LANG_SLIDE) && s->by.text) base_push(list, s->by.text);
}

static bool belongs_outside(lang_statement_kind k)
{
  return k == LANG_MODEL || k == LANG_RUN || k == LANG_TOLERANCE || k == LANG_METHOD;
}

static lang_parser inside(const lang_parser* p, const lang_part_text* part, lang_scope* scope)
{
  lang_parser q = *p;
  q.source = part->source;
  q.source.file = base_notes_source_again(p->notes, part->source.file,
                                          base_arena_printf(p->arena, "in `%s`", scope->prefix));
  q.folder = part->folder;
  q.scope = scope;
  q.index = NULL;
  q.round = 0;
  q.spoilt = q.units = q.joined = false;
  return q;
}

static void stand_behind(lang_parser* q, lang_token t)
{
  q->now = t;
  q->round = 0;
  lang_parser_advance(q);
}

static void read_body(lang_parser* p, const lang_part_text* part, lang_scope* scope)
{
  lang_parser q = inside(p, part, scope);
  q.braces++;
  stand_behind(&q, part->open);
  lang_statement_all(&q, part->close.from);
}

// in silence
static void find_names(lang_parser* p, const lang_part_text* part, lang_scope* scope, names* list)
{
  lang_reader* r = p->reader;
  const int before = r->statements.n, notes = base_notes_count(p->notes);
  scope->dry = true;
  read_body(p, part, scope);
  scope->dry = false;
  for (int i = before; i < r->statements.n; i++) add_declared(r->statements.at[i], list);
  r->statements.n = before;
  base_notes_cut(p->notes, notes);
}

// ---- put ----------------------------------------------------------------------------------------

typedef struct place
{
  lang_word part, instance;
  int given;
  lang_param* arg;
  lang_statement frame;
} place;

static bool read_put(lang_parser* p, place* x)
{
  x->part = lang_name_read(p, "the name of a part");
  x->given = read_head(p, true, &x->arg);
  lang_parser_expect_word(p, "on");
  x->frame.kind = LANG_FRAME;
  x->frame.in = lang_name_read(p, "the name of a frame or body");
  lang_clause_read(p, &x->frame, 0, CLAUSE_AT | CLAUSE_ROTATED);
  lang_parser_expect_word(p, "as");
  x->instance = lang_name_read(p, "a name for what is put");
  return !lang_parser_failed(p);
}

// the param of the part that an argument gives; null with an error noted
static bool is_param(lang_parser* p, const place* x, int n, const lang_param* param, int arg)
{
  const char* name = x->arg[arg].name.text;
  const char** words = base_arena_take(p->arena, sizeof *words * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    if (strcmp(param[i].name.text, name) == 0) return true;
    words[i] = param[i].name.text;
  }
  if (!lang_parser_fail(p, x->arg[arg].name.place, "the part `%s` has no param `%s`", x->part.text,
                        name))
    return false;
  const char* near = base_nearest(name, words, n);
  if (near) base_help(p->notes, "did you mean `%s`?", near);
  return false;
}

static void add_statement(lang_parser* p, lang_statement s, base_place at)
{
  lang_statement* kept = base_arena_take(p->arena, sizeof *kept);
  *kept = s;
  kept->place = at;
  base_push(&p->reader->statements, kept);
}

// its params as params of the model, as given or as the part says
static void add_params(lang_parser* p, const place* x, int n, const lang_param* param,
                       base_place at)
{
  for (int i = 0; i < n; i++) {
    lang_param* one = base_arena_take(p->arena, sizeof *one);
    *one = param[i];
    const char* bare = strrchr(one->name.text, '.') + 1;
    for (int k = 0; k < x->given; k++)
      if (strcmp(x->arg[k].name.text, bare) == 0) {
        one->value = x->arg[k].value;
        if (x->arg[k].unit.text) one->unit = x->arg[k].unit;
      }
    lang_constants_add(p->reader, one);
    add_statement(p, (lang_statement){.kind = LANG_PARAM, .params = 1, .param = one}, at);
  }
}

static void refuse_others(lang_parser* p, int from)
{
  const lang_reader* r = p->reader;
  for (int i = from; i < r->statements.n; i++)
    if (belongs_outside(r->statements.at[i]->kind))
      lang_parser_fail(p, r->statements.at[i]->place, "this belongs to a model, not to a part");
}

static void expand(lang_parser* p, place* x, const lang_part_text* part, base_place at)
{
  names list = {0};
  lang_scope scope = {.prefix = x->instance.text, .depth = p->scope ? p->scope->depth + 1 : 1};
  lang_parser q = inside(p, part, &scope);
  lang_param* param;
  q.now = part->head;
  const int n = read_head(&q, false, &param);
  bool fine = true;
  for (int i = 0; i < x->given; i++) fine = is_param(p, x, n, param, i) && fine;
  for (int i = 0; i < n; i++) base_push(&list, param[i].name.text);
  base_push(&list, "base");
  scope.name = list.at;
  scope.count = list.n;
  // once more, its own names in what they are by default
  q = inside(p, part, &scope);
  q.now = part->head;
  read_head(&q, false, &param);
  if (fine) {
    add_params(p, x, n, param, at);
    x->frame.name = (lang_word){lang_part_own(&q, "base"), x->instance.place};
    add_statement(p, x->frame, at);
    names declared = {0};
    find_names(p, part, &scope, &declared);
    for (int i = 0; i < declared.n; i++) base_push(&list, declared.at[i]);
    base_list_free(&declared);
    scope.name = list.at;
    scope.count = list.n;
    const int from = p->reader->statements.n, errors = base_notes_errors(p->notes);
    read_body(p, part, &scope);
    refuse_others(p, from);
    p->spoilt = p->spoilt || base_notes_errors(p->notes) > errors;
  }
  base_list_free(&list);
}

void lang_part_put(lang_parser* p)
{
  const base_place from = lang_parser_place(p);
  place x = {0};
  p->usage = "put Leg(l = 0.45) on pelvis at (0, 0.1, 0) as left";
  lang_parser_advance(p);
  if (!read_put(p, &x) || !p->reader) return;
  lang_reader* r = p->reader;
  r->repeats = true;
  lang_part_name_instance(p, x.instance.text);
  if (!r->settled) return;
  const base_place at = lang_parser_since(p, from);
  // its name is all that is asked for
  if (p->scope && p->scope->dry) {
    add_statement(p, (lang_statement){.kind = LANG_FRAME, .name = x.instance}, at);
    return;
  }
  const lang_part_text* part = find_part(r, x.part.text);
  if (!part) {
    const char** words = base_arena_take(p->arena, sizeof *words * (size_t)(r->parts.n + 1));
    for (int i = 0; i < r->parts.n; i++) words[i] = r->parts.at[i].name;
    lang_parser_fail(p, x.part.place, "there is no part `%s`", x.part.text);
    const char* near = base_nearest(x.part.text, words, r->parts.n);
    if (near) base_help(p->notes, "did you mean `%s`?", near);
    return;
  }
  if (p->scope && p->scope->depth >= most_deep) {
    lang_parser_fail(p, at, "parts are put into parts more than %d deep", most_deep);
    return;
  }
  const lang_token now = p->now;
  expand(p, &x, part, at);
  p->now = now;
}
