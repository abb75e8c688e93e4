// library: the parts that come with the program. Private to lang.
#pragma once

#include "lang/lang.h"

typedef struct lang_library_file
{
  const char *name, *title, *text;
} lang_library_file;

extern const lang_library_file lang_library[]; // the last has no name
