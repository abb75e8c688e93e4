// The doors: a text, a file, an expression or a list of equations into a syntax tree.
#include "lang/parser.h"
#include "lang/reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

lang_limits lang_limits_default(void)
{
  return (lang_limits){.file_bytes = 8 << 20, .nesting = 200, .files = 64, .statements = 100000};
}

// files of word processors and the like: one error says it all
static const char* other_kind(const char* text, size_t n)
{
  if (n >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
    return "the text is UTF-16, not UTF-8";
  if (n >= 4 && memcmp(text, "PK\x03\x04", 4) == 0) return "this is an archive, not a text";
  if (n >= 4 && memcmp(text, "%PDF", 4) == 0) return "this is a PDF document, not a text";
  if (n >= 4 && memcmp(text,
                       "\x7F"
                       "ELF",
                       4) == 0)
    return "this is a program, not a text";
  return NULL;
}

void lang_reader_text(lang_reader* r, const char* name, const char* text, size_t length,
                      const char* folder)
{
  r->bytes += length;
  const char* kind = other_kind(text, length);
  if (kind) {
    base_error(r->notes, (base_place){base_notes_source(r->notes, name, "", 0), 0, 0}, "%s", kind);
    base_help(r->notes, "a model is a plain text file in UTF-8");
    return;
  }
  lang_parser p = {
      .limits = r->limits, .arena = r->arena, .notes = r->notes, .reader = r, .folder = folder};
  lang_parser_start(&p, name, text, length);
  lang_statement_all(&p);
}

static lang_tree* read_all(lang_reader* r, const char* name, const char* text, size_t length)
{
  assert(r->limits->nesting > 0 && r->limits->file_bytes < UINT32_MAX);
  if (length > r->limits->file_bytes) {
    base_error(r->notes, BASE_NOWHERE, "%s: the text is larger than the limit of %zu bytes", name,
               r->limits->file_bytes);
    return NULL;
  }
  lang_reader_text(r, name, text, length, r->root);
  lang_tree* tree = base_arena_take(r->arena, sizeof *tree);
  tree->count = r->statements.n;
  tree->at = base_arena_take(r->arena, (size_t)tree->count * sizeof *tree->at);
  if (tree->count) memcpy(tree->at, r->statements.at, (size_t)tree->count * sizeof *tree->at);
  return tree;
}

lang_tree* lang_parse(const char* name, const char* text, size_t length, const char* folder,
                      const lang_limits* limits, base_arena* arena, base_notes* notes)
{
  lang_limits defaults = lang_limits_default();
  char* root = folder ? realpath(folder, NULL) : NULL;
  lang_reader r = {.limits = limits ? limits : &defaults, .arena = arena, .notes = notes};
  if (root) r.root = base_arena_strdup(arena, root);
  free(root);
  // where the name is that of a file, it is known already: a cycle back to it is found
  char* self = realpath(name, NULL);
  if (self) base_push(&r.files, (lang_file){base_arena_strdup(arena, self), true});
  free(self);
  lang_tree* tree = read_all(&r, name, text, length);
  base_list_free(&r.statements);
  base_list_free(&r.files);
  return tree;
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
  *p = (lang_parser){.limits = limits, .arena = arena, .notes = notes};
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
