// The model named on the command line: a file, or the standard input as `-`.
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { most_bytes = 8 << 20 };

// all of a file, one byte more than may be read at most; null without memory
static char* read_all(FILE* file, size_t* length)
{
  size_t room = 1 << 16;
  char* text = malloc(room + 1);
  *length = 0;
  while (text && *length <= most_bytes) {
    const size_t got = fread(text + *length, 1, room - *length, file);
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

static const char input_name[] = "standard input";

static bool is_input(const char* path)
{
  return !strcmp(path, "-") || !strcmp(path, "/dev/stdin");
}

// several runs of one command read it once
static const char* input(size_t* length)
{
  static char* text;
  static size_t read;
  if (!text) text = read_all(stdin, &read);
  *length = read;
  return text;
}

zw_model* cli_read_model(const char* path, const char* const* sets, int count, zw_notes* notes)
{
  if (!is_input(path)) return zw_model_read(path, sets, count, notes);
  size_t length;
  const char* text = input(&length);
  return text ? zw_model_read_text(input_name, text, length, sets, count, notes) : NULL;
}

zw_model* cli_read_mechanism(const cli_options* o, const char* const* sets, int count,
                             zw_notes* notes)
{
  if (!is_input(o->model))
    return zw_mechanism_read(o->model, sets, count, o->drives, o->drive_count, o->until, notes);
  size_t length;
  const char* text = input(&length);
  return text ? zw_mechanism_read_text(input_name, text, length, sets, count, o->drives,
                                       o->drive_count, o->until, notes)
              : NULL;
}

char* cli_read_text(const char* path, size_t* length)
{
  if (strcmp(path, "-") == 0) return read_all(stdin, length);
  FILE* file = fopen(path, "rb");
  char* text = file ? read_all(file, length) : NULL;
  const bool failed = !text || ferror(file);
  if (failed) cli_complain("cannot read `%s`: %s", path, strerror(errno));
  if (file) fclose(file);
  if (failed) free(text);
  return failed ? NULL : text;
}
