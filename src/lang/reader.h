// reader: a model being read, over all its files.
#pragma once

#include "lang/lang.h"
#include "lang/parser.h"
#include "lang/part.h"
#include "lang/repeat.h"

// a file taken in; open while its own statements are being read
typedef struct lang_file
{
  const char* path; // real
  bool open;
  int by;    // the source that named it first; -1: it cannot be read
  bool more; // than parts and functions is in it: `first` of that
  base_place first;
} lang_file;

struct lang_reader
{
  const lang_limits* limits;
  base_arena* arena;
  base_notes* notes;
  const char* root; // real path of the folder of the model; null: `use` is an error
  BASE_LIST(lang_statement*) statements;
  BASE_LIST(lang_file) files;
  BASE_LIST(int) sources; // their numbers in the notes, in the order of the first reading
  int source;             // in the second reading: the next of them
  size_t bytes;           // of all texts so far
  bool full;              // too many statements: said once
  bool repeats;           // something is repeated or has an index
  bool settled;           // the values of params are known: repetitions are read
  lang_repeated repeated; // by all repetitions so far
  lang_constants constants;
  const char** declared; // names of the first reading, sorted
  int declared_count;
  BASE_LIST(lang_part_text) parts;
  BASE_LIST(const char*) instances; // of parts: their names without indices
  lang_constants given;             // by options, as they come
};

// a param of a part may count repetitions, too
void lang_constants_add(lang_reader* r, const lang_param* x);
// is there a declaration of this name outside repetitions? (second reading)
bool lang_declared_has(const lang_reader* r, const char* name);
void lang_declared_list(lang_reader* r); // those of the statements so far

// read the statements of one text; folder is where its own `use` looks, null with no root
void lang_reader_text(lang_reader* r, const char* name, const char* text, size_t length,
                      const char* folder);
// the drives of a mechanism that options give, as constraints behind the statements of its text
void lang_drive_add(lang_reader* r);
// take in the file named after `use`, or parts that come with the program
void lang_use(lang_parser* p);
// what is in a file in the folder of the model, a zero byte behind it; null with an error noted
const char* lang_use_data(lang_parser* p, const char* path, base_place place, size_t* bytes);
