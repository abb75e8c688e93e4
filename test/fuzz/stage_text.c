// Stages that take texts: the parser, single values, models.
#include "fuzz.h"
#include "lang/lang.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

// A tree printed reads back the same; full brackets nest deeper than what was written, so only
// the depth may be refused.
static void check_print(const lang_tree* tree, base_arena* arena)
{
  base_text once = {0}, twice = {0};
  base_text_add(&once, "");
  base_text_add(&twice, "");
  lang_print_tree(tree, &once);
  base_notes* notes = base_notes_new();
  lang_tree* again = lang_parse("printed.zw", once.at, once.n, NULL, NULL, arena, notes);
  bool deep = false;
  for (int i = 0; i < base_notes_count(notes); i++)
    deep |= strstr(base_notes_reason(notes, i), "more than 200") != NULL;
  FUZZ_HOLDS(deep || base_notes_errors(notes) == 0);
  if (!deep) lang_print_tree(again, &twice);
  FUZZ_HOLDS(deep || !strcmp(once.at, twice.at));
  base_notes_free(notes);
  base_text_free(&once);
  base_text_free(&twice);
}

// what is told is text
static void check_notes(const base_notes* notes)
{
  for (int i = 0; i < base_notes_count(notes); i++) {
    const char* text = base_notes_text(notes, i);
    FUZZ_HOLDS(*text && base_utf8_fault(text, strlen(text)) < 0);
  }
}

void fuzz_feed_parse(fuzz_choices* c)
{
  base_text text = {0};
  fuzz_model(c, &text);
  fuzz_show(text.at);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_tree* tree = lang_parse("fuzz.zw", text.at, text.n, NULL, NULL, arena, notes);
  FUZZ_HOLDS(tree || base_notes_errors(notes));
  check_notes(notes);
  if (tree && base_notes_errors(notes) == 0) check_print(tree, arena);
  base_notes_free(notes);
  base_arena_free(arena);
  base_text_free(&text);
}

void fuzz_feed_expression(fuzz_choices* c)
{
  base_text text = {0};
  const bool several = fuzz_pick(c, 2);
  if (several)
    fuzz_equations(c, &text);
  else
    fuzz_value(c, &text);
  fuzz_show(text.at);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_equation* equation;
  if (several)
    FUZZ_HOLDS((lang_parse_equations("--state", text.at, arena, notes, &equation) >= 0) ==
               (base_notes_errors(notes) == 0));
  else
    FUZZ_HOLDS((lang_parse_expression("--set", text.at, arena, notes) != NULL) ==
               (base_notes_errors(notes) == 0));
  check_notes(notes);
  base_notes_free(notes);
  base_arena_free(arena);
  base_text_free(&text);
}

void fuzz_feed_model(fuzz_choices* c)
{
  base_text text = {0}, value = {0};
  fuzz_model(c, &text);
  fuzz_show(text.at);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const lang_tree* tree = lang_parse("fuzz.zw", text.at, text.n, NULL, NULL, arena, notes);
  const bool set = fuzz_rarely(c, 4);
  if (set) fuzz_value(c, &value);
  const model_override override = {.name = "p0", .value = value.at};
  if (set) fuzz_show(value.at);
  model* m = tree ? model_build(tree, set ? 1 : 0, set ? &override : NULL, notes) : NULL;
  // a model, or a reason why there is none
  FUZZ_HOLDS(m || base_notes_errors(notes));
  check_notes(notes);
  model_free(m);
  base_notes_free(notes);
  base_arena_free(arena);
  base_text_free(&text);
  base_text_free(&value);
}
