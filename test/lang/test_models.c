// The models of the gallery: they parse, print and read back; their beginnings never break
// anything.
#include "check.h"
#include "read.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static glob_t models(void)
{
  const char* source = getenv("ZWANG_SOURCE");
  // signs of patterns in the name of a folder stand for themselves
  base_text pattern = {0};
  for (const char* c = source ? source : "."; *c; c++)
    base_text_printf(&pattern, strchr("*?[\\", *c) ? "\\%c" : "%c", *c);
  base_text_add(&pattern, "/models/*.zw");
  glob_t found = {0};
  glob(pattern.at, 0, NULL, &found);
  base_text_free(&pattern);
  return found;
}

TEST(every_model_parses_and_its_print_reads_back_the_same)
{
  glob_t files = models();
  CHECK(files.gl_pathc >= 3);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    base_arena* arena = base_arena_new();
    base_notes* notes = base_notes_new();
    lang_tree* tree = lang_parse_file(files.gl_pathv[i], NULL, arena, notes);
    CHECK_INT(base_notes_errors(notes), 0);
    base_text printed = {0};
    lang_print_tree(tree, &printed);
    CHECK_TEXT(read_text(printed.at), printed.at);
    base_text_free(&printed);
    base_notes_free(notes);
    base_arena_free(arena);
  }
  globfree(&files);
}

static void check_piece(const char* text, size_t n)
{
  // a copy of its own, so that a sanitizer sees any look beyond the end
  char* piece = malloc(n + 1);
  memcpy(piece, text, n);
  char* exact = realloc(piece, n ? n : 1);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_tree* tree = lang_parse("piece", exact, n, NULL, NULL, arena, notes);
  CHECK(tree != NULL);
  base_text printed = {0};
  if (tree) lang_print_tree(tree, &printed);
  base_text_free(&printed);
  base_notes_free(notes);
  base_arena_free(arena);
  free(exact);
}

TEST(every_beginning_of_every_model_is_read_without_harm)
{
  glob_t files = models();
  for (size_t i = 0; i < files.gl_pathc; i++) {
    size_t length;
    const char* why;
    char* text = base_file_read(files.gl_pathv[i], 1 << 20, &length, &why);
    CHECK(text != NULL);
    // large ones at a stride: the test stays quick
    for (size_t n = 0; text && n <= length; n += 1 + length / 2000) check_piece(text, n);
    free(text);
  }
  globfree(&files);
}

TEST(models_with_one_byte_changed_are_read_without_harm)
{
  static const char bytes[] = "\0\n\"'()[]{}=~.,;:#^-*\xC3\xFFxe9 ";
  glob_t files = models();
  unsigned draw = 1;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    size_t length;
    const char* why;
    char* text = base_file_read(files.gl_pathv[i], 1 << 20, &length, &why);
    for (int k = 0; text && length && k < 100; k++) {
      draw = draw * 1664525u + 1013904223u;
      size_t at = (draw >> 8) % length;
      char old = text[at];
      text[at] = bytes[(draw >> 4) % (sizeof bytes - 1)];
      check_piece(text, length);
      text[at] = old;
    }
    free(text);
  }
  globfree(&files);
}
