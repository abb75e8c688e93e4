// parser: where we are in a text, and what all parts of the grammar use.
// After an error the rest of the statement reads as TOKEN_FAILED, which matches nothing, so every
// function runs to its end without checks of its own; the statement is then left out of the tree.
#pragma once

#include "lang/lang.h"
#include "lang/scan.h"

typedef struct lang_reader lang_reader;

// an index of a repetition under way, and those around it
typedef struct lang_index
{
  const char* name;
  long value;
  const struct lang_index* outer;
} lang_index;

typedef bool lang_begins(const char* word, size_t n);

// what repetitions have taken so far
typedef struct lang_repeated
{
  int turns;
  size_t bytes; // of text
} lang_repeated;

typedef struct lang_parser
{
  lang_source source;
  const lang_limits* limits;
  base_arena* arena;
  base_notes* notes;
  lang_token now;
  lang_token stuck;        // the token an error stopped at
  uint32_t last;           // end of the token before
  int round;               // open brackets: newlines mean nothing inside
  bool joined;             // this token goes on from an earlier line
  bool spoilt;             // an error was reported in this statement
  lang_begins* begins;     // does a statement begin with this word?
  const char* usage;       // how this statement is written
  lang_reader* reader;     // of the whole model: takes in `use` files; null for an expression alone
  const char* folder;      // real path of this file's folder, null when `use` is an error
  lang_repeated repeated;  // where there is no reader
  const lang_index* index; // the innermost repetition we are in, or null
  int braces;              // repetitions whose statements are being read
  bool relative;           // the call that was read ends with `relative to F`
  const struct lang_scope* scope; // the part being read for one of its places, or null
  bool units;                     // a unit may follow a name: x[m] is one unless m is an index
} lang_parser;

// start at the first token of a text registered with the notes
void lang_parser_start(lang_parser* p, const char* name, const char* text, size_t length);

// ---- tokens -------------------------------------------------------------------------------------

void lang_parser_advance(lang_parser* p);
lang_token lang_parser_ahead(const lang_parser* p); // the token after this one
base_place lang_parser_place(const lang_parser* p); // of this token
base_place lang_parser_since(const lang_parser* p, base_place from);

bool lang_parser_accept(lang_parser* p, lang_token_kind kind);
bool lang_parser_expect(lang_parser* p, lang_token_kind kind, const char* what);
// words mean something only where the grammar looks for them
bool lang_parser_is_word(const lang_parser* p, const char* word);
bool lang_parser_accept_word(lang_parser* p, const char* word);
bool lang_parser_expect_word(lang_parser* p, const char* word);
// the token after this name and the brackets that belong to it
lang_token lang_parser_after_name(const lang_parser* p);
const char* lang_parser_string(lang_parser* p);
lang_unit lang_parser_unit(lang_parser* p); // text null when there is none

// ---- errors -------------------------------------------------------------------------------------

// report and give up the statement; false when an error was already reported (no help then)
bool lang_parser_fail(lang_parser* p, base_place place, const char* format, ...) BASE_PRINTF(3, 4);
bool lang_parser_unexpected(lang_parser* p, const char* wanted);
// add to the error how this statement is written
void lang_parser_usage(lang_parser* p);
bool lang_parser_failed(const lang_parser* p);

// a statement word stands first on its line: the statement before it must be over
bool lang_parser_at_statement(const lang_parser* p);
// the same where the line before asks for more
bool lang_parser_dangles(const lang_parser* p);
// go on at the next statement, or inside braces at the next item
void lang_parser_resume(lang_parser* p);
void lang_parser_resume_item(lang_parser* p);

// ---- the grammar --------------------------------------------------------------------------------

lang_word lang_name_read(lang_parser* p, const char* what);
// the same with what another statement makes of it, as the coordinate of a joint: rail.s
lang_word lang_name_made(lang_parser* p, const char* what);
// the same where an index of a repetition may stand, too
lang_word lang_name_word(lang_parser* p, const char* what);
// one of the words of a list
// a name that holds [*], as leg[*].foot; false, and nothing read, where none stands here
bool lang_name_pattern(lang_parser* p, lang_word* word);
lang_word lang_name_choice(lang_parser* p, const char* what, const char* const* words, int count);

// a value: no comparison outside brackets; a condition: comparison allowed
lang_node* lang_expression_value(lang_parser* p);
lang_node* lang_expression_condition(lang_parser* p);
// `and`, `or` and what they join behind a comparison that was read already
lang_node* lang_condition_join(lang_parser* p, lang_node* first);
// a value in round brackets, as the angle of a rotation
lang_node* lang_expression_bracket(lang_parser* p);

// every statement up to this byte of the text, into the reader
void lang_statement_all(lang_parser* p, uint32_t end);
bool lang_statement_is_word(const char* word, size_t n);
// stray.c: what to say where none of these words begins a line
// habits.c: the way out where something else was `wanted` than what the parser is stuck at
void lang_habits_help(lang_parser* p, const char* wanted);
void lang_stray_report(lang_parser* p, const char* const* words, int count);

// add to a list of n things in the arena, which doubles as it grows
void* lang_parser_append(lang_parser* p, void* list, int n, size_t size, const void* item);
// copy a heap list into the arena and free it
void* lang_parser_seal(lang_parser* p, void* list, int n, size_t size);
#define lang_seal(P, LIST) lang_parser_seal(P, (LIST)->at, (LIST)->n, sizeof *(LIST)->at)
