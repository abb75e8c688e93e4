// zwang view: a page of the runs, and a film of the page.
#include "cli/cli.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

// "dir/skater.zw" -> "skater.html", here
static char* page_name(const char* model)
{
  const char* slash = strrchr(model, '/');
  const char* name = strcmp(model, "-") ? slash ? slash + 1 : model : "model";
  const char* dot = strrchr(name, '.');
  const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  char* page = NULL;
  return asprintf(&page, "%.*s.html", length, name) < 0 ? NULL : page;
}

// a page that is only needed for the film
static char* page_for_film(void)
{
  const char* folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = P_tmpdir;
  char* page = NULL;
  if (asprintf(&page, "%s/zwang-page-XXXXXX.html", folder) < 0) return NULL;
  const int fd = mkstemps(page, 5);
  if (fd >= 0) {
    close(fd);
    return page;
  }
  free(page);
  return NULL;
}

static bool go_on(void* context)
{
  (void)context;
  return !cli_interrupted();
}

static int write_film(const cli_options* o, const char* page)
{
  zw_notes* notes = zw_notes_new();
  zw_film_options f = zw_film_defaults();
  int printed = 0;
  if (o->fps > 0) f.fps = o->fps;
  if (o->width > 0) f.width = o->width, f.height = o->height;
  f.frame = o->frame;
  f.go_on = go_on;
  cli_interrupts_catch();
  const int status = cli_exit(zw_film_write(page, &f, o->film, notes));
  cli_interrupts_leave();
  cli_print_notes(notes, &printed, o->quiet);
  zw_notes_free(notes);
  return status;
}

// before anything runs: could it be filmed?
static int check_film(const cli_options* o)
{
  if (!o->film) return CLI_DONE;
  zw_notes* notes = zw_notes_new();
  int printed = 0;
  const int status = cli_exit(zw_film_check(o->film, notes));
  cli_print_notes(notes, &printed, o->quiet);
  zw_notes_free(notes);
  return status;
}

// ---- in the browser -----------------------------------------------------------------------------

// starts a program with one argument, silent; false where there is none of that name
static bool starts(const char* program, char* address)
{
  char* const arguments[] = {(char*)(uintptr_t)program, address, NULL};
  posix_spawn_file_actions_t silent;
  pid_t child;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const bool started = posix_spawnp(&child, program, &silent, NULL, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&silent);
  return started;
}

// the address of a file; a page that is watched knows it by the word behind #
static char* address_of(const char* page, bool watched)
{
  char *path = realpath(page, NULL), *address = NULL, *to;
  if (!path) return NULL;
  address = malloc(3 * strlen(path) + sizeof "file://#watch");
  if (address) {
    to = address + sprintf(address, "file://");
    for (const char* c = path; *c; c++) {
      const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                         (*c >= '0' && *c <= '9') || strchr("/-_.~", *c);
      if (plain)
        *to++ = *c;
      else
        to += sprintf(to, "%%%02X", (unsigned char)*c);
    }
    strcpy(to, watched ? "#watch" : "");
  }
  free(path);
  return address;
}

static int show_page(const char* page, bool watched)
{
  const char* const programs[] = {getenv("BROWSER"), "xdg-open", "open"};
  char* address = address_of(page, watched);
  bool shown = false;
  for (size_t i = 0; i < sizeof programs / sizeof *programs && address && !shown; i++)
    shown = programs[i] && *programs[i] && starts(programs[i], address);
  free(address);
  if (shown) return CLI_DONE;
  cli_complain("--open: found neither $BROWSER nor xdg-open to show `%s`", page);
  return CLI_NO_ROOM;
}

// ---- again and again ----------------------------------------------------------------------------

// when a file was changed, in nanoseconds; -1 while it is not there
static long long changed(const char* path)
{
  struct stat s;
  return stat(path, &s) ? -1 : (long long)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec;
}

// until Ctrl-C: the file as it is saved, its page as that is written
static void watch(const cli_options* o, const char* page)
{
  const struct timespec little = {.tv_nsec = 100000000};
  long long seen = changed(o->model);
  if (!o->quiet) fprintf(stderr, "watching %s; Ctrl-C ends\n", o->model);
  cli_interrupts_catch();
  while (!cli_interrupted()) {
    nanosleep(&little, NULL);
    waitpid(-1, NULL, WNOHANG); // the program that opened the page
    const long long now = changed(o->model);
    if (now < 0 || now == seen) continue;
    seen = now;
    cli_interrupts_leave();
    const int status = cli_runs(o, page);
    cli_interrupts_catch();
    if (!o->quiet && (status == CLI_DONE || status == CLI_UNFINISHED))
      fprintf(stderr, "page: %s\n", page);
  }
  cli_interrupts_leave();
}

static int check_watch(const cli_options* o)
{
  if (o->watch && !strcmp(o->model, "-")) {
    cli_complain("--watch: what comes from stdin cannot be watched; name a file");
    return CLI_BAD_INPUT;
  }
  if ((o->watch || o->open) && o->film && !o->out) {
    cli_complain("--%s is about the page; with --film, name one by --out",
                 o->watch ? "watch" : "open");
    return CLI_BAD_INPUT;
  }
  return CLI_DONE;
}

// what is to be done with a page that stays: said, shown, watched
static int go_on_with(const cli_options* o, const char* page, bool written, int status)
{
  if (written && !o->quiet) fprintf(stderr, "page: %s\n", page);
  if (written && o->open) {
    const int shown = show_page(page, o->watch);
    status = shown > status ? shown : status;
  }
  if (o->watch) watch(o, page);
  return status;
}

int cli_view(const cli_options* o)
{
  const bool film_only = o->film && !o->out;
  if (o->form && !strcmp(o->form, "list")) return cli_derive(o);
  if (o->method && !strcmp(o->method, "list")) return cli_runs(o, NULL);
  int status = check_watch(o);
  if (status == CLI_DONE) status = check_film(o);
  if (status != CLI_DONE) return status;
  char* page = o->out ? strdup(o->out) : film_only ? page_for_film() : page_name(o->model);
  if (!page) {
    cli_complain("there is no room for the page");
    return CLI_NO_ROOM;
  }
  status = cli_runs(o, page);
  const bool written = status == CLI_DONE || status == CLI_UNFINISHED;
  if (written && o->film) {
    const int filmed = write_film(o, page);
    status = filmed > status ? filmed : status;
  }
  if (film_only)
    remove(page);
  else
    status = go_on_with(o, page, written, status);
  free(page);
  return status;
}
