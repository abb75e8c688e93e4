// What the program says: complaints, notes of the library, texts on standard output.
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_complain(const char* format, ...)
{
  va_list args;
  fputs("zwang: ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

// ---- colours ------------------------------------------------------------------------------------

// on a terminal that knows them, unless somebody wants none (no-color.org)
static bool wants_colours(void)
{
  const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !(none && *none) && term && strcmp(term, "dumb") != 0;
}

static const struct
{
  const char *word, *colour;
} levels[] = {{"error:", "\033[1;31m"},
              {"warning:", "\033[1;35m"},
              {"note:", "\033[1;36m"},
              {"help:", "\033[1;32m"}};
static const char plain[] = "\033[0m";

// one line of a note: its first word of the above, or the mark below a place
static void put_line(const char* line, size_t n)
{
  const char *at = NULL, *colour = NULL;
  size_t length = 0;
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    const char* found = memmem(line, n, levels[i].word, strlen(levels[i].word));
    if (!found || (at && found > at)) continue;
    at = found;
    colour = levels[i].colour;
    length = strlen(levels[i].word);
  }
  const size_t blank = strspn(line, " 0123456789|");
  if (!at && blank < n && (line[blank] == '^' || line[blank] == '~')) {
    at = line + blank;
    colour = levels[0].colour;
    length = strspn(at, "^~");
  }
  if (!at) {
    fwrite(line, 1, n, stderr);
    return;
  }
  fwrite(line, 1, (size_t)(at - line), stderr);
  fprintf(stderr, "%s%.*s%s", colour, (int)length, at, plain);
  fwrite(at + length, 1, n - (size_t)(at - line) - length, stderr);
}

static void put_note(const char* text, bool colours)
{
  if (!colours) {
    fputs(text, stderr);
    return;
  }
  while (*text) {
    const size_t n = strcspn(text, "\n");
    put_line(text, n);
    text += n;
    if (*text) fputc(*text++, stderr);
  }
}

void cli_print_notes(const zw_notes* n, int* printed, bool quiet)
{
  const bool colours = wants_colours();
  for (; *printed < zw_notes_count(n); (*printed)++) {
    if (quiet && zw_notes_level(n, *printed) != ZW_ERROR) continue;
    const char* text = zw_notes_text(n, *printed);
    put_note(text, colours);
    if (*text && text[strlen(text) - 1] != '\n') fputc('\n', stderr);
  }
}

int cli_put(const char* text)
{
  if (fputs(text, stdout) >= 0 && fflush(stdout) == 0) return CLI_DONE;
  // who reads it has seen enough
  if (errno == EPIPE) return CLI_DONE;
  cli_complain("standard output could not be written");
  return CLI_NO_ROOM;
}
