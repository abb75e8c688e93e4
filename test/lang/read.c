// Helpers of the tests of lang: texts in, printed trees or notes out.
#include "read.h"

#include <string.h>

static base_text shown;

static void show_notes(const base_notes* notes)
{
  for (int i = 0; i < base_notes_count(notes); i++)
    base_text_add(&shown, base_notes_text(notes, i));
}

static const char* show(const lang_tree* tree, base_notes* notes, base_arena* arena)
{
  base_text_free(&shown);
  base_text_add(&shown, "");
  if (tree && base_notes_errors(notes) == 0) lang_print_tree(tree, &shown);
  show_notes(notes);
  base_notes_free(notes);
  base_arena_free(arena);
  return shown.at;
}

const char* read_bytes(const char* text, size_t n, const lang_limits* limits)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  return show(lang_parse("a.zw", text, n, NULL, limits, arena, notes), notes, arena);
}

const char* read_text(const char* text)
{
  return read_bytes(text, strlen(text), NULL);
}

const char* read_file(const char* path, const lang_limits* limits)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  return show(lang_parse_file(path, limits, arena, notes), notes, arena);
}

const char* read_expression(const char* text)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_node* node = lang_parse_expression("e", text, arena, notes);
  base_text_free(&shown);
  base_text_add(&shown, "");
  if (node) lang_print_node(node, &shown);
  show_notes(notes);
  base_notes_free(notes);
  base_arena_free(arena);
  return shown.at;
}

int read_errors(const char* text)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_parse("a.zw", text, strlen(text), NULL, NULL, arena, notes);
  int errors = base_notes_errors(notes);
  base_notes_free(notes);
  base_arena_free(arena);
  return errors;
}
