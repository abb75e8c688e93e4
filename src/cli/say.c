// What the program says: complaints, notes of the library, texts on standard output.
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void cli_complain(const char* format, ...)
{
  va_list args;
  fputs("zwang: ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

void cli_print_notes(const zw_notes* n, int* printed, bool quiet)
{
  for (; *printed < zw_notes_count(n); (*printed)++) {
    if (quiet && zw_notes_level(n, *printed) != ZW_ERROR) continue;
    const char* text = zw_notes_text(n, *printed);
    fputs(text, stderr);
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
