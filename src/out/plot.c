// Plots into files: the ending chooses the terminal of gnuplot.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "out/file.h"
#include "out/gnuplot.h"
#include "out/out.h"
#include "out/page.h"
#include "out/process.h"

// longest time a picture may take
static const double seconds_most = 60;

static int terminal_of(const char* path)
{
  static const char* const endings[] = {".svg", ".png", ".pdf", ".gp"};
  static const out_terminal terminals[] = {OUT_SVG, OUT_PNG, OUT_PDF, OUT_GP};
  const char* name = strrchr(path, '/');
  const char* dot = strrchr(name ? name : path, '.');
  for (int i = 0; dot && i < 4; i++)
    if (strcasecmp(dot, endings[i]) == 0) return (int)terminals[i];
  return -1;
}

static int name_check(const char* path, base_notes* notes)
{
  if (terminal_of(path) >= 0) return 0;
  base_error(notes, BASE_NOWHERE, "cannot tell the kind of picture `%s` from its ending", path);
  base_help(notes, "use a name that ends in .svg, .png or .pdf, or .gp for a gnuplot script");
  return 1;
}

int out_plot_check(const char* path, base_notes* notes)
{
  if (name_check(path, notes)) return 1;
  if (!out_file_check(path, notes)) return 2;
  if (terminal_of(path) != OUT_GP && !out_process_has("gnuplot")) {
    base_error(notes, BASE_NOWHERE, "cannot draw `%s`: gnuplot is not installed", path);
    base_help(notes, "install the package gnuplot-nox, or use a name that ends in .gp to keep "
                     "script and data");
    return 2;
  }
  return 0;
}

// a picture cut short (gnuplot out of memory or disk) does not end as it should
static bool is_whole(const char* picture, size_t n, out_terminal terminal)
{
  const char* end = terminal == OUT_SVG ? "</svg>" : terminal == OUT_PNG ? "IEND" : "%%EOF";
  size_t tail = n < 64 ? n : 64;
  return memmem(picture + n - tail, tail, end, strlen(end)) != NULL;
}

// "dir/path.gp" -> "path.svg"
static char* picture_name(const char* path)
{
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  const char* dot = strrchr(name, '.');
  base_text t = {0};
  base_text_addn(&t, name, dot ? (size_t)(dot - name) : strlen(name));
  base_text_add(&t, ".svg");
  return base_text_take(&t);
}

static bool draw(const base_text* script, out_terminal terminal, const char* path,
                 base_notes* notes)
{
  size_t n = 0;
  char* picture = out_gnuplot(script->at, script->n, seconds_most, &n, notes);
  if (!picture) return false;
  bool whole = is_whole(picture, n, terminal);
  if (!whole)
    base_error(notes, BASE_NOWHERE, "cannot draw `%s`: gnuplot's picture is cut short", path);
  bool done = whole && out_file_write(path, picture, n, notes);
  free(picture);
  return done;
}

int out_plot_script(const char* path, out_script* make, const void* what, base_notes* notes)
{
  if (name_check(path, notes)) return 1;
  out_terminal terminal = (out_terminal)terminal_of(path);
  char* picture = picture_name(path);
  base_text script = {0};
  make(what, terminal, picture, &script);
  free(picture);
  bool done = terminal == OUT_GP ? out_file_write(path, script.at, script.n, notes)
                                 : draw(&script, terminal, path, notes);
  base_text_free(&script);
  return done ? 0 : 2;
}

static void page_script(const void* page, out_terminal terminal, const char* picture,
                        base_text* out)
{
  out_page_script(page, terminal, picture, out);
}

int out_plot_write(const out_runs* r, const char* path, base_notes* notes)
{
  if (name_check(path, notes)) return 1;
  out_page* page = out_page_new(r, notes);
  if (!page) return 2;
  if (page->left_out > 0)
    base_warning(notes, BASE_NOWHERE, "`%s` shows the first %d plots; %d more are left out", path,
                 page->panels, page->left_out);
  const int status = out_plot_script(path, page_script, page, notes);
  out_page_free(page);
  return status;
}
