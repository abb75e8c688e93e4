// `zwang format`: the text of a model with blanks and indents as is the custom.
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// beside the file, then in its place: a full disk leaves the model as it was
static int replace(const char* path, const char* text)
{
  const size_t room = strlen(path) + 8;
  char* beside = malloc(room);
  if (!beside) return CLI_NO_ROOM;
  snprintf(beside, room, "%s.new", path);
  FILE* file = fopen(beside, "wbx");
  bool fine = file && fputs(text, file) >= 0;
  if (file) fine = fclose(file) == 0 && fine;
  fine = fine && rename(beside, path) == 0;
  if (!fine) {
    cli_complain("cannot write `%s`: %s", path, strerror(errno));
    if (file) remove(beside);
  }
  free(beside);
  return fine ? CLI_DONE : CLI_NO_ROOM;
}

static int settle(const cli_options* o, const char* text, size_t length, const char* neat)
{
  const bool same = strlen(neat) == length && memcmp(neat, text, length) == 0;
  if (o->check) {
    if (!same && !o->quiet) cli_complain("`%s` is not laid out as is the custom", o->model);
    return same ? CLI_DONE : CLI_UNFINISHED;
  }
  if (o->write && strcmp(o->model, "-") != 0) return same ? CLI_DONE : replace(o->model, neat);
  return cli_put(neat);
}

int cli_format(const cli_options* o)
{
  size_t length;
  char* text = cli_read_text(o->model, &length);
  if (!text) return CLI_BAD_INPUT;
  zw_notes* notes = zw_notes_new();
  char* neat = zw_format(o->model, text, length, notes);
  int printed = 0;
  cli_print_notes(notes, &printed, o->quiet);
  const int status = neat ? settle(o, text, length, neat) : CLI_BAD_INPUT;
  zw_text_free(neat);
  zw_notes_free(notes);
  free(text);
  return status;
}
