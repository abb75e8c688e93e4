// The model named on the command line: a file, or the standard input as `-`.
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { most_bytes = 8 << 20 };

// all of the standard input, one byte more than may be read at most; null without memory
static char* read_input(size_t* length)
{
  size_t room = 1 << 16;
  char* text = malloc(room + 1);
  *length = 0;
  while (text && *length <= most_bytes) {
    const size_t got = fread(text + *length, 1, room - *length, stdin);
    *length += got;
    if (!got) break;
    if (*length < room) continue;
    room *= 2;
    char* larger = realloc(text, room + 1);
    if (!larger) free(text);
    text = larger;
  }
  return text;
}

zw_model* cli_read_model(const char* path, const char* const* sets, int count, zw_notes* notes)
{
  if (strcmp(path, "-") != 0 && strcmp(path, "/dev/stdin") != 0)
    return zw_model_read(path, sets, count, notes);
  // several runs of one command read it once
  static char* text;
  static size_t length;
  if (!text) text = read_input(&length);
  return text ? zw_model_read_text("standard input", text, length, sets, count, notes) : NULL;
}
