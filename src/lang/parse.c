// The doors: a text, a file, an expression or a list of equations into a syntax tree.
#include "lang/parser.h"
#include "lang/reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

lang_limits lang_limits_default(void)
{
  return (lang_limits){.file_bytes = 8 << 20,
                       .nesting = 200,
                       .files = 64,
                       .statements = 100000,
                       .repetitions = 200000,
                       .repeated = 16 << 20};
}

// ---- models that repeat -------------------------------------------------------------------------

struct lang_again
{
  const char *name, *text, *folder;
  size_t length;
  lang_limits limits;
  int notes; // how many there were before
};

// the value an option gives, read in silence: it is read aloud when the model is built
static const lang_node* setting_of(const lang_setting* s, base_arena* arena)
{
  base_notes* mute = base_notes_new();
  const lang_node* value = lang_parse_expression("--set", s->value, arena, mute);
  base_notes_free(mute);
  return value;
}

// what options give takes the place of what is written
static void set_constants(lang_constants* c, int settings, const lang_setting* setting,
                          base_arena* arena)
{
  for (int i = 0; i < settings; i++) {
    lang_constant* x = lang_constants_find(c, setting[i].name);
    if (x && !setting[i].value) x->changes = true;
    if (x && setting[i].value) x->value = setting_of(&setting[i], arena);
  }
}

// ready to read all once more, with the values of params known from the first time
static void settle(lang_reader* r, int settings, const lang_setting* setting, int notes)
{
  r->constants = lang_constants_collect(r->statements.at, r->statements.n, r->arena);
  set_constants(&r->constants, settings, setting, r->arena);
  r->given.at = base_arena_take(r->arena, sizeof *r->given.at * (size_t)(settings + 1));
  for (int i = 0; i < settings; i++)
    if (setting[i].value)
      r->given.at[r->given.n++] =
          (lang_constant){.name = setting[i].name, .value = setting_of(&setting[i], r->arena)};
  lang_declared_list(r);
  r->statements.n = 0;
  r->files.n = 0;
  r->bytes = 0;
  r->full = false;
  r->settled = true;
  base_notes_cut(r->notes, notes);
}

static lang_tree* read_all(lang_reader* r, const char* name, const char* text, size_t length)
{
  assert(r->limits->nesting > 0 && r->limits->file_bytes < UINT32_MAX);
  if (length > r->limits->file_bytes) {
    base_error(r->notes, BASE_NOWHERE, "%s: the text is larger than the limit of %zu bytes", name,
               r->limits->file_bytes);
    return NULL;
  }
  // what explains mistakes looks ahead, up to a zero byte, which others' texts need not have
  char* own = base_arena_take(r->arena, length + 1);
  if (length) memcpy(own, text, length);
  lang_reader_text(r, name, own, length, r->root);
  lang_drive_add(r);
  lang_tree* tree = base_arena_take(r->arena, sizeof *tree);
  tree->mechanism = r->limits->mechanism != NULL;
  tree->driven = tree->mechanism && r->limits->mechanism->drives > 0;
  tree->count = r->statements.n;
  tree->at = base_arena_take(r->arena, (size_t)tree->count * sizeof *tree->at);
  if (tree->count) memcpy(tree->at, r->statements.at, (size_t)tree->count * sizeof *tree->at);
  return tree;
}

// where the name is that of a file, it is known already: a cycle back to it is found
static lang_tree* read_from(lang_reader* r, const char* name, const char* text, size_t length)
{
  char* self = base_file_real(name);
  if (self)
    base_push(&r->files, (lang_file){.path = base_arena_strdup(r->arena, self), .open = true});
  free(self);
  return read_all(r, name, text, length);
}

static const lang_again* remember(const lang_again* a, base_arena* arena)
{
  lang_again* copy = base_arena_take(arena, sizeof *copy);
  *copy = *a;
  copy->name = base_arena_strdup(arena, a->name);
  char* text = base_arena_take(arena, a->length + 1);
  if (a->length) memcpy(text, a->text, a->length);
  copy->text = text;
  if (a->folder) copy->folder = base_arena_strdup(arena, a->folder);
  return copy;
}

static void list_counting(const lang_reader* r, lang_tree* tree)
{
  const lang_constants* c = &r->constants;
  tree->counts = base_arena_take(r->arena, sizeof *tree->counts * (size_t)(c->n + 1));
  for (int i = 0; i < c->n; i++)
    if (c->at[i].counts) tree->counts[tree->counting++] = c->at[i].name;
}

static lang_tree* parse(const lang_again* a, int settings, const lang_setting* setting,
                        base_arena* arena, base_notes* notes)
{
  char* root = a->folder ? base_file_real(a->folder) : NULL;
  lang_reader r = {.limits = &a->limits, .arena = arena, .notes = notes};
  if (root) r.root = base_arena_strdup(arena, root);
  free(root);
  lang_tree* tree = read_from(&r, a->name, a->text, a->length);
  if (tree && r.repeats) {
    settle(&r, settings, setting, a->notes);
    tree = read_from(&r, a->name, a->text, a->length);
    if (tree) tree->again = remember(a, arena);
    if (tree) list_counting(&r, tree);
  }
  base_list_free(&r.statements);
  base_list_free(&r.files);
  base_list_free(&r.sources);
  base_list_free(&r.parts);
  base_list_free(&r.instances);
  return tree;
}

lang_tree* lang_parse(const char* name, const char* text, size_t length, const char* folder,
                      const lang_limits* limits, base_arena* arena, base_notes* notes)
{
  const lang_again a = {.name = name,
                        .text = text,
                        .folder = folder,
                        .length = length,
                        .limits = limits ? *limits : lang_limits_default(),
                        .notes = base_notes_count(notes)};
  return parse(&a, 0, NULL, arena, notes);
}

const lang_tree* lang_parse_again(const lang_tree* tree, int settings, const lang_setting* setting,
                                  base_arena* arena, base_notes* notes)
{
  if (!tree->again || !settings) return tree;
  base_notes_cut(notes, tree->again->notes);
  return parse(tree->again, settings, setting, arena, notes);
}

lang_tree* lang_parse_file(const char* path, const lang_limits* limits, base_arena* arena,
                           base_notes* notes)
{
  lang_limits defaults = lang_limits_default();
  if (!limits) limits = &defaults;
  size_t length;
  const char* why;
  char* text = base_file_read(path, limits->file_bytes, &length, &why);
  if (!text) {
    base_error(notes, BASE_NOWHERE, "cannot read `%s`: %s", path, why);
    return NULL;
  }
  // the folder of the file as named, so that a linked model uses what lies beside the link
  const char* slash = strrchr(path, '/');
  char* folder = !slash          ? base_strdup(".")
                 : slash == path ? base_strdup("/")
                                 : base_strndup(path, (size_t)(slash - path));
  lang_tree* tree = lang_parse(path, text, length, folder, limits, arena, notes);
  free(folder);
  free(text);
  return tree;
}

// ---- pieces from the command line ---------------------------------------------------------------

static bool start_piece(lang_parser* p, const lang_limits* limits, const char* name,
                        const char* text, base_arena* arena, base_notes* notes)
{
  *p = (lang_parser){
      .limits = limits, .arena = arena, .notes = notes, .begins = lang_statement_is_word};
  size_t length = strlen(text);
  if (length > limits->file_bytes) {
    base_error(notes, BASE_NOWHERE, "%s: the text is larger than the limit of %zu bytes", name,
               limits->file_bytes);
    return false;
  }
  lang_parser_start(p, name, text, length);
  return true;
}

lang_node* lang_parse_expression(const char* name, const char* text, base_arena* arena,
                                 base_notes* notes)
{
  lang_limits limits = lang_limits_default();
  lang_parser p;
  if (!start_piece(&p, &limits, name, text, arena, notes)) return NULL;
  lang_node* node = lang_expression_condition(&p);
  lang_parser_expect(&p, TOKEN_END, "the end of the expression");
  return p.spoilt ? NULL : node;
}

int lang_parse_equations(const char* name, const char* text, base_arena* arena, base_notes* notes,
                         lang_equation** out)
{
  lang_limits limits = lang_limits_default();
  lang_parser p;
  *out = NULL;
  if (!start_piece(&p, &limits, name, text, arena, notes)) return -1;
  BASE_LIST(lang_equation) list = {0};
  while (p.now.kind != TOKEN_END && !lang_parser_failed(&p)) {
    lang_equation e = {.left = lang_expression_value(&p)};
    if (lang_parser_accept(&p, TOKEN_TILDE))
      e.relation = LANG_GUESS;
    else
      lang_parser_expect(&p, TOKEN_EQUAL, "`=` or `~`");
    e.right = lang_expression_value(&p);
    base_push(&list, e);
    if (p.now.kind != TOKEN_END && !lang_parser_accept(&p, TOKEN_COMMA) &&
        !lang_parser_accept(&p, TOKEN_SEMICOLON))
      lang_parser_unexpected(&p, "`,`");
  }
  int n = list.n;
  *out = lang_seal(&p, &list);
  return p.spoilt ? -1 : n;
}
