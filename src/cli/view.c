// zwang view: a page of the runs, and a film of the page.
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int cli_view(const cli_options* o)
{
  const bool film_only = o->film && !o->out;
  if (o->form && !strcmp(o->form, "list")) return cli_derive(o);
  if (o->method && !strcmp(o->method, "list")) return cli_runs(o, NULL);
  int status = check_film(o);
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
  else if (written && !o->quiet)
    fprintf(stderr, "page: %s\n", page);
  free(page);
  return status;
}
