// The viewer of live pages: a file that `make live` makes, found when it is asked for.
#include "api/api.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_bytes = 64 << 20 };

static char* read_at(const char* folder, const char* below, size_t* length)
{
  base_text path = {0};
  const char* why;
  base_text_printf(&path, "%s%s/live.html", folder, below);
  char* text = base_file_read(path.at, most_bytes, length, &why);
  base_text_free(&path);
  return text;
}

// where the surroundings say; in the folder of the build, where the build leaves it; where it was
// installed
char* api_live_page(size_t* length, base_notes* notes)
{
  const char* said = getenv("ZWANG_LIVE");
  char self[4096] = "";
  char* text = NULL;
  if (said)
    text = read_at(said, "", length);
  else {
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) text = read_at(dirname(self), "-live", length);
    if (!text) text = read_at(ZWANG_DATA, "", length);
  }
  if (text) return text;
  base_error(notes, BASE_NOWHERE,
             "there is no viewer for live pages: zwang was not built as WebAssembly");
  base_help(notes, "`make live` in the folder of its source makes it; without --live the page "
                   "shows the run as it is");
  return NULL;
}

zw_status zw_live_check(zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_HAS(notes));
  size_t length;
  char* text = api_live_page(&length, notes->notes);
  free(text);
  return text ? ZW_OK : ZW_BAD_INPUT;
}
