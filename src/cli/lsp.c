// `zwang lsp`: messages of the language server protocol, each behind a header with its length.
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { most_bytes = 64 << 20, line_room = 1000 };

// the length that the lines of a header tell; 0 at the end of the input or without one
static size_t read_header(FILE* in)
{
  char line[line_room];
  size_t length = 0;
  while (fgets(line, sizeof line, in)) {
    if (!strcmp(line, "\r\n") || !strcmp(line, "\n")) return length;
    if (!strncasecmp(line, "Content-Length:", 15)) length = strtoul(line + 15, NULL, 10);
  }
  return 0;
}

// null at the end of the input
static char* read_message(FILE* in, size_t* length)
{
  *length = read_header(in);
  if (!*length || *length > most_bytes) return NULL;
  char* text = malloc(*length + 1);
  if (text && fread(text, 1, *length, in) == *length) return text;
  free(text);
  return NULL;
}

static void send_all(const char* lines)
{
  for (const char* end; (end = strchr(lines, '\n')); lines = end + 1)
    printf("Content-Length: %zu\r\n\r\n%.*s", (size_t)(end - lines), (int)(end - lines), lines);
  fflush(stdout);
}

int cli_lsp(const cli_options* o)
{
  zw_editor* e = zw_editor_new();
  zw_notes* notes = zw_notes_new();
  int status = 1, printed = 0;
  size_t length;
  char* message;
  while (!zw_editor_ended(e, &status) && (message = read_message(stdin, &length))) {
    char* answers = zw_editor_take(e, message, length, notes);
    cli_print_notes(notes, &printed, o->quiet);
    if (answers) send_all(answers);
    zw_text_free(answers);
    free(message);
  }
  zw_notes_free(notes);
  zw_editor_free(e);
  return status ? CLI_UNFINISHED : CLI_DONE;
}
