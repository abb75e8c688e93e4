// part: pieces of model with params of their own, and the places they are put. Private to lang.
#pragma once

#include "lang/parser.h"

// the names a part declares while it is read for one of its places: they begin with its name
typedef struct lang_scope
{
  const char* prefix;
  int count;
  const char** name;
  bool dry; // read to find these names
  int depth;
} lang_scope;

// a part as written: its text from `(` on, and what stands in its braces
typedef struct lang_part_text
{
  const char* name;
  lang_source source;
  const char* folder;
  int params; // as written in its head
  const lang_param* param;
  lang_token head, open, close;
  base_place place;
} lang_part_text;

void lang_part_define(lang_parser* p); // from the word `part` on
void lang_part_put(lang_parser* p);    // from the word `put` on
// the name as it is called from outside the part being read
const char* lang_part_own(const lang_parser* p, const char* name);
void lang_part_name_instance(lang_parser* p, const char* name);
// is this, or the end of this path, the name of a part that was put somewhere?
bool lang_part_is_instance(const lang_parser* p, const char* path);
