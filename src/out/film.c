// A film of the scene: a browser without a window draws the pictures, ffmpeg makes them a film.
//
// The page itself, asked by the words behind # in its address, draws a number of pictures and
// leaves them in its document as base64, a line each; --dump-dom prints that document.
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "out/drawing.h"
#include "out/file.h"
#include "out/out.h"
#include "out/process.h"
#include "out/view.h"

// pictures asked for in one call of the browser, and the longest it may take
enum { at_once = 120, longest_film = 20000 };
static const double browser_seconds = 300, ffmpeg_seconds = 600;

static bool ends_in(const char* path, const char* ending)
{
  const size_t n = strlen(path), k = strlen(ending);
  return n > k && strcasecmp(path + n - k, ending) == 0;
}

// a drawing by the program itself
static bool is_drawing(const char* path)
{
  return ends_in(path, ".svg");
}

static bool is_still(const char* path)
{
  return ends_in(path, ".png");
}

static const char* find_browser(void)
{
  static const char* const names[] = {"chromium",      "chromium-browser",
                                      "google-chrome", "google-chrome-stable",
                                      "chrome",        "microsoft-edge"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (out_process_has(names[i])) return names[i];
  return NULL;
}

int out_film_check(const char* path, base_notes* notes)
{
  if (!ends_in(path, ".mp4") && !ends_in(path, ".gif") && !is_still(path) && !is_drawing(path)) {
    base_error(notes, BASE_NOWHERE, "cannot tell the kind of film `%s` from its ending", path);
    base_help(notes, "use a name that ends in .mp4 or .gif, or .png or .svg for a single picture");
    return 1;
  }
  if (!out_file_check(path, notes)) return 2;
  if (is_drawing(path)) return 0;
  if (!find_browser()) {
    base_error(notes, BASE_NOWHERE, "cannot film: no Chromium was found to draw the pictures");
    base_help(notes, "install the package chromium, or open the page in any browser");
    return 2;
  }
  if (!is_still(path) && !out_process_has("ffmpeg")) {
    base_error(notes, BASE_NOWHERE, "cannot film: ffmpeg is not installed");
    base_help(notes, "install the package ffmpeg, or ask for a single picture, .png");
    return 2;
  }
  return 0;
}

// ---- pictures -----------------------------------------------------------------------------------

// "total N", then a picture a line; the total, or -1
static long take_pictures(const char* document, base_text* out, int* count)
{
  static const char open[] = "<pre id=\"film\">total ";
  const char* at = document ? strstr(document, open) : NULL;
  if (!at) return -1;
  char* end;
  const long total = strtol(at + strlen(open), &end, 10);
  for (at = end; *at == '\n'; (*count)++) at = out_pack_decode(at + 1, out);
  return total;
}

// an address may hold letters, digits and few other signs as they are
static void add_address(base_text* out, const char* path)
{
  base_text_add(out, "file://");
  for (; *path; path++) {
    if (strchr("/-_.~", *path) || (*path >= '0' && *path <= '9') ||
        (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z'))
      base_text_addn(out, path, 1);
    else
      base_text_printf(out, "%%%02X", (unsigned char)*path);
  }
}

static void add_words(base_text* out, const out_film* f, bool still, int first)
{
  base_text_printf(out, "#film=width=%d,height=%d,fps=%.9g,first=%d,count=%d,type=%s", f->width,
                   f->height, f->fps, first, still ? 1 : at_once, still ? "png" : "jpeg");
  if (still) base_text_printf(out, isnan(f->frame) ? ",words=no" : ",words=no,at=%.17g", f->frame);
}

// the document with the pictures from the first on
static out_process_end ask_browser(const char* page, const out_film* f, bool still, int first,
                                   const char* folder, out_process* p)
{
  base_text address = {0}, profile = {0};
  add_address(&address, page);
  add_words(&address, f, still, first);
  base_text_printf(&profile, "--user-data-dir=%s", folder);
  // without a graphics card it draws by itself; as root its own cage does not work
  const char* arguments[16] = {find_browser(),
                               "--headless=new",
                               "--use-gl=angle",
                               "--use-angle=swiftshader",
                               "--enable-unsafe-swiftshader",
                               "--no-first-run",
                               "--disable-extensions",
                               "--disable-background-networking",
                               "--force-device-scale-factor=1",
                               "--blink-settings=preferredColorScheme=1",
                               profile.at};
  int n = 11;
  if (geteuid() == 0) arguments[n++] = "--no-sandbox";
  arguments[n++] = "--dump-dom";
  arguments[n++] = address.at;
  const out_process_limit limit = {browser_seconds, f->go_on, f->context};
  const out_process_end end = out_process_run(arguments, "", 0, &limit, p);
  base_text_free(&address);
  base_text_free(&profile);
  return end;
}

static bool draw(const char* page, const out_film* f, bool still, const char* folder,
                 base_text* pictures, base_notes* notes)
{
  long total = 1;
  for (int count = 0; count < total;) {
    const int before = count;
    out_process p;
    const out_process_end end = ask_browser(page, f, still, count, folder, &p);
    total = take_pictures(p.output, pictures, &count);
    if (still && count) total = 1;
    const bool fine = total > 0 && total <= longest_film && count > before;
    if (!fine) {
      base_text reason = {0};
      base_text_add(&reason, "");
      if (end != OUT_PROCESS_DONE && end != OUT_PROCESS_STOPPED) out_process_complaint(&p, &reason);
      base_error(notes, BASE_NOWHERE,
                 end == OUT_PROCESS_TOO_LONG  ? "cannot film: the browser took too long%s"
                 : end == OUT_PROCESS_STOPPED ? "the film was broken off%s"
                 : total == 0           ? "cannot film: there is nothing to see in this model%s"
                 : total > longest_film ? "cannot film: it would be too long%s"
                                        : "cannot film: the browser drew no pictures%s",
                 reason.at);
      base_text_free(&reason);
    }
    out_process_free(&p);
    if (!fine) return false;
  }
  return true;
}

// ---- the film -----------------------------------------------------------------------------------

static bool make_film(const base_text* pictures, const out_film* f, const char* path,
                      const char* folder, base_notes* notes)
{
  const bool gif = ends_in(path, ".gif");
  base_text rate = {0}, result = {0};
  base_text_printf(&rate, "%.9g", f->fps);
  base_text_printf(&result, "%s/film.%s", folder, gif ? "gif" : "mp4");
  const char* arguments[32] = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
                               "-f",     "image2pipe",   "-c:v",      "mjpeg", "-framerate",
                               rate.at,  "-i",           "-"};
  int n = 13;
  static const char* const how[2][10] = {
      {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"},
      {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer"}};
  for (int i = 0; how[gif][i]; i++) arguments[n++] = how[gif][i];
  arguments[n++] = result.at;
  out_process p;
  const out_process_limit limit = {ffmpeg_seconds, f->go_on, f->context};
  const out_process_end end = out_process_run(arguments, pictures->at, pictures->n, &limit, &p);
  bool done = end == OUT_PROCESS_DONE;
  size_t length = 0;
  const char* why = "";
  char* bytes = done ? base_file_read(result.at, (size_t)1 << 32, &length, &why) : NULL;
  if (bytes) {
    done = out_file_write(path, bytes, length, notes);
  } else {
    base_text reason = {0};
    base_text_add(&reason, why);
    if (end != OUT_PROCESS_STOPPED) out_process_complaint(&p, &reason);
    base_error(notes, BASE_NOWHERE,
               end == OUT_PROCESS_STOPPED ? "the film was broken off%s"
                                          : "cannot film: ffmpeg made no film%s",
               reason.at);
    base_text_free(&reason);
    done = false;
  }
  free(bytes);
  out_process_free(&p);
  base_text_free(&rate);
  base_text_free(&result);
  return done;
}

static int remove_one(const char* path, const struct stat* s, int type, struct FTW* where)
{
  (void)s, (void)type, (void)where;
  remove(path);
  return 0;
}

static void remove_folder(void* path)
{
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int out_film_write(const char* page, const out_film* f, const char* path, base_notes* notes)
{
  if (is_drawing(path)) return out_drawing_write(page, f, path, notes);
  const char* temporary = getenv("TMPDIR");
  if (!temporary || !*temporary) temporary = P_tmpdir;
  base_text folder = {0}, pictures = {0};
  base_text_printf(&folder, "%s/zwang-film-XXXXXX", temporary);
  char* whole = base_file_real(page);
  bool done = false;
  if (!whole || !mkdtemp(folder.at)) {
    base_error(notes, BASE_NOWHERE, "cannot film: no room for temporary files");
  } else {
    base_hold hold = base_hold_begin(remove_folder, folder.at);
    const bool still = is_still(path);
    done = draw(whole, f, still, folder.at, &pictures, notes);
    if (done && still)
      done = out_file_write(path, pictures.at, pictures.n, notes);
    else if (done)
      done = make_film(&pictures, f, path, folder.at, notes);
    base_hold_end(hold);
    remove_folder(folder.at);
  }
  free(whole);
  base_text_free(&folder);
  base_text_free(&pictures);
  const bool stopped = !done && f->go_on && !f->go_on(f->context);
  return done ? 0 : stopped ? 3 : 2;
}
