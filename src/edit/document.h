// A text that is open in an editor, and what is known of it. Private to edit.
#pragma once

#include "lang/lang.h"
#include "model/model.h"

#include <jansson.h>

// a name that a statement declares
typedef struct edit_symbol
{
  const char* name;
  base_place place, whole; // of the name, of its statement
  lang_statement_kind kind;
} edit_symbol;

typedef struct edit_document
{
  char *uri, *folder; // folder: where `use` may look; null for what is no file
  char* text;
  size_t length;
  base_arena* arena;
  base_notes* notes;
  lang_tree* tree;
  model* model; // null: it has errors
  BASE_LIST(edit_symbol) symbols;
  lang_mentions mentions;
} edit_document;

edit_document* edit_document_new(const char* uri);
void edit_document_free(edit_document* d);
// another text (copied), read and understood
void edit_document_set(edit_document* d, const char* text, size_t length);
// the declaration of a name, or of the first of its family, x[1] for x; null if there is none
const edit_symbol* edit_document_find(const edit_document* d, const char* name, size_t length);
// the name at a byte of the text; null if there is none
const lang_mention* edit_document_at(const edit_document* d, size_t at);

// ---- places: lines and UTF-16 units from zero, as the protocol counts them ----------------------

size_t edit_position_read(const edit_document* d, const json_t* position);
json_t* edit_position_range(const edit_document* d, size_t from, size_t to);

// ---- answers ------------------------------------------------------------------------------------

json_t* edit_answer_diagnostics(const edit_document* d);
json_t* edit_answer_completion(const edit_document* d, size_t at);
json_t* edit_answer_hover(const edit_document* d, size_t at);
json_t* edit_answer_definition(const edit_document* d, size_t at);
json_t* edit_answer_references(const edit_document* d, size_t at);
json_t* edit_answer_symbols(const edit_document* d);
json_t* edit_answer_layout(const edit_document* d);
// the range of the name that can be given another; null: it cannot
json_t* edit_change_prepare(const edit_document* d, size_t at);
// the edits that do so; null with the reason where the model would no longer be the same
json_t* edit_change_name(const edit_document* d, size_t at, const char* name, const char** reason);
