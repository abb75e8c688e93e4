// Runs: one, or one for each value of a param to compare; tables and plots of them, or a page.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// all that a set of runs leaves behind
enum { longest_value = 400, label_room = 480 };

typedef struct job
{
  const cli_options* o;
  zw_notes* notes;
  int printed;
  int count;
  zw_model* model[cli_most_values];
  zw_system* system[cli_most_values];
  zw_track* track[cli_most_values];
  char varied[64];
  const char* text[cli_most_values]; // the values as typed
  double value[cli_most_values];
  char* list;       // the text they point into
  const char* page; // where a page is to go; null: none
  bool json;        // the table goes to stdout as JSON
} job;

// s: a run that took so long is not made twice unasked
static const double long_run = 5;

static int list_methods(void)
{
  for (int i = 0; zw_method_name(i); i++)
    printf("%-10s %s\n", zw_method_name(i), zw_method_summary(i));
  return CLI_DONE;
}

// NAME=V1,V2,...
static int read_compare(job* j)
{
  j->count = 1;
  const char* all = j->o->compare;
  if (!all) return CLI_DONE;
  if (j->o->resume) {
    cli_complain("--resume goes on with one run, --compare makes several");
    return CLI_BAD_INPUT;
  }
  const char* equal = strchr(all, '=');
  const size_t length = equal ? (size_t)(equal - all) : 0;
  if (!length || length >= sizeof j->varied || !equal[1]) {
    cli_complain("--compare %s: expected NAME=V1,V2,...", all);
    return CLI_BAD_INPUT;
  }
  memcpy(j->varied, all, length);
  j->list = strdup(equal + 1);
  j->count = 0;
  for (char* at = j->list; at; j->count++) {
    if (j->count == cli_most_values) {
      cli_complain("--compare takes at most %d values", cli_most_values);
      return CLI_BAD_INPUT;
    }
    j->text[j->count] = at;
    at = strchr(at, ',');
    if (at) *at++ = 0;
    const size_t n = strlen(j->text[j->count]);
    if (n == 0 || n > longest_value) {
      cli_complain("--compare %s: a value is %s", all, n ? "too long" : "missing");
      return CLI_BAD_INPUT;
    }
  }
  return CLI_DONE;
}

// a table of numbers alone
static bool is_plain(const char* path)
{
  const char* dot = strrchr(path, '.');
  return !dot || !strcmp(dot, ".csv");
}

static int one_run(job* j, int i)
{
  const cli_options* o = j->o;
  const char* sets[cli_most_sets + 1];
  char last[sizeof j->varied + 1 + longest_value + 1];
  int count = o->set_count;
  memcpy(sets, o->sets, sizeof o->sets);
  if (o->compare) {
    snprintf(last, sizeof last, "%s=%s", j->varied, j->text[i]);
    sets[count++] = last;
  }
  j->model[i] = o->mechanism ? cli_read_mechanism(o, sets, count, j->notes)
                             : cli_read_model(o->model, sets, count, j->notes);
  if (!j->model[i]) return CLI_BAD_INPUT;
  if (o->compare) j->value[i] = zw_model_param(j->model[i], j->varied);
  j->system[i] =
      o->conserved ? zw_derive_watching(j->model[i], j->notes) : zw_derive(j->model[i], j->notes);
  if (!j->system[i]) return CLI_BAD_INPUT;
  if (o->form && !zw_form_suits(j->system[i], o->form, j->notes)) return CLI_BAD_INPUT;
  if (o->columns && zw_columns_check(j->system[i], o->columns, j->notes) != ZW_OK)
    return CLI_BAD_INPUT;
  zw_run_options r = zw_run_defaults();
  r.until = o->until;
  r.tolerance = o->tolerance;
  r.digits = o->digits;
  // where somebody may see it
  r.estimate = o->estimate || !o->quiet || (o->out && !is_plain(o->out));
  r.estimate_within = o->estimate ? 0 : long_run;
  r.method = o->method;
  r.step = o->step;
  r.contact_solver = o->contact_solver;
  r.contacts = o->contacts;
  r.beyond = o->beyond;
  r.at = o->at;
  r.at_count = o->at_count;
  r.every = o->every;
  r.points = o->points;
  r.curves = o->plot != NULL;
  r.scene = j->page != NULL;
  // several runs in one table are not kept one by one
  r.keep = o->compare || j->page ? NULL : o->out;
  r.resume = o->resume;
  cli_progress bar;
  cli_progress_start(&bar, o->quiet);
  r.progress = cli_progress_step;
  r.progress_context = &bar;
  j->track[i] = zw_run(j->system[i], &r, j->notes);
  cli_progress_end(&bar);
  if (!j->track[i]) return CLI_BAD_INPUT;
  return CLI_DONE;
}

static void summarise(job* j, int i)
{
  // a status that is not 0 has a reason, however quiet the rest is to be: that of numbers not to be
  // trusted is a warning
  const bool doubtful = zw_track_status(j->track[i]) == ZW_DOUBTFUL;
  cli_print_notes(j->notes, &j->printed, j->o->quiet && !doubtful);
  if (j->o->quiet || j->o->compare) return;
  char* text = zw_track_summary(j->track[i]);
  fputs(text, stderr);
  zw_text_free(text);
  const bool asked = j->o->out || j->o->columns || j->o->plot || j->json || j->page;
  if (!asked) cli_motion_print(j->track[i]);
}

static void summarise_all(const job* j, int done)
{
  char** summary = calloc((size_t)done, sizeof *summary);
  char(*name)[label_room] = calloc((size_t)done, sizeof *name);
  const char** label = calloc((size_t)done, sizeof *label);
  for (int i = 0; i < done; i++) {
    summary[i] = zw_track_summary(j->track[i]);
    snprintf(name[i], sizeof name[i], "%s = %s", j->varied, j->text[i]);
    label[i] = name[i];
  }
  cli_compare_print(done, summary, label);
  for (int i = 0; i < done; i++) zw_text_free(summary[i]);
  free(summary);
  free(name);
  free(label);
}

// what is proved of the end is wanted, however quiet the rest is to be
static int certify(job* j, int i)
{
  cli_progress bar;
  cli_progress_start(&bar, j->o->quiet);
  zw_certificate* c = zw_certify_watched(j->track[i], 0, cli_progress_step, &bar, j->notes);
  cli_progress_end(&bar);
  if (!c) return CLI_UNFINISHED;
  char* text = zw_certificate_text(c);
  if (j->o->compare) fprintf(stderr, "%s = %s\n", j->varied, j->text[i]);
  fputs(text, stderr);
  zw_text_free(text);
  zw_certificate_free(c);
  return CLI_DONE;
}

static int worse(int a, int b)
{
  return a > b ? a : b;
}

int cli_exit(zw_status s)
{
  switch (s) {
  case ZW_OK:
  case ZW_STOPPED:
    return CLI_DONE;
  case ZW_BAD_INPUT:
    return CLI_BAD_INPUT;
  case ZW_NO_ROOM:
    return CLI_NO_ROOM;
  case ZW_INTERRUPTED:
  case ZW_UNFINISHED:
  case ZW_DOUBTFUL:
    return CLI_UNFINISHED;
  }
  return CLI_UNFINISHED;
}

static int check_files(job* j)
{
  const cli_options* o = j->o;
  zw_status status = ZW_OK;
  if (j->page && o->live) status = zw_live_check(j->notes);
  if (j->page) return cli_exit(status == ZW_OK ? zw_view_check(j->page, j->notes) : status);
  if (o->out) status = zw_table_check(o->out, j->notes);
  if (o->plot && zw_plot_check(o->plot, j->notes) != ZW_OK) status = ZW_BAD_INPUT;
  return cli_exit(status);
}

static int put_table(const zw_runs* runs, bool json, zw_notes* notes)
{
  char* text = json ? zw_table_json(runs, notes) : zw_table_text(runs, notes);
  const int status = text ? cli_put(text) : CLI_BAD_INPUT;
  zw_text_free(text);
  return status;
}

// where what was asked for went, in the layout of the summary
static void tell_file(const cli_options* o, const char* what, const char* path, int status)
{
  const bool written = path && strcmp(path, "-") != 0 && status == CLI_DONE;
  if (written && !o->quiet) fprintf(stderr, "  %-13s%s\n", what, path);
}

static int write_files(job* j, int done)
{
  const cli_options* o = j->o;
  const zw_runs runs = {(const zw_track* const*)j->track,
                        done,
                        o->compare ? j->varied : NULL,
                        j->value,
                        o->columns,
                        o->units};
  int status = CLI_DONE;
  if (j->page) {
    zw_view_options v = zw_view_defaults();
    v.form = o->form;
    v.live = o->live;
    return cli_exit(zw_view_write(&runs, &v, j->page, j->notes));
  }
  // whoever asks it to end now has the table in a moment
  cli_interrupts_catch();
  if (o->out)
    status = cli_exit(zw_table_write(&runs, o->out, j->notes));
  else if (j->json || o->columns)
    status = put_table(&runs, j->json, j->notes);
  cli_interrupts_leave();
  tell_file(o, "table", o->out, status);
  if (o->plot) {
    const int drawn = cli_exit(zw_plot_write(&runs, o->plot, j->notes));
    tell_file(o, "picture", o->plot, drawn);
    status = worse(status, drawn);
  }
  return status;
}

static void clean_up(job* j)
{
  for (int i = 0; i < j->count; i++) {
    zw_track_free(j->track[i]);
    zw_system_free(j->system[i]);
    zw_model_free(j->model[i]);
  }
  free(j->list);
  zw_notes_free(j->notes);
}

static int do_job(job* j)
{
  int status = read_compare(j), done = 0;
  if (status == CLI_DONE) status = check_files(j);
  bool stopped = false;
  for (int i = 0; i < j->count && status != CLI_BAD_INPUT && !stopped; i++) {
    const int code = one_run(j, i);
    status = worse(status, code);
    if (code != CLI_DONE) break;
    done++;
    summarise(j, i);
    const zw_status ended = zw_track_status(j->track[i]);
    status = worse(status, cli_exit(ended));
    stopped = ended == ZW_INTERRUPTED;
    if (stopped || ended == ZW_UNFINISHED) cli_complain("%s", zw_track_reason(j->track[i]));
  }
  if (j->o->compare && !j->o->quiet && done) summarise_all(j, done);
  // wrong input writes nothing; an unfinished run keeps what was computed
  if (status != CLI_BAD_INPUT && done) status = worse(status, write_files(j, done));
  // last, as it may take long: whoever interrupts it loses nothing
  for (int i = 0; i < done && j->o->certify && !stopped && !cli_interrupted(); i++)
    if (zw_track_status(j->track[i]) == ZW_OK) status = worse(status, certify(j, i));
  cli_print_notes(j->notes, &j->printed, j->o->quiet);
  return status;
}

int cli_runs(const cli_options* o, const char* page)
{
  if (o->method && !strcmp(o->method, "list")) return list_methods();
  job j = {.o = o, .page = page, .json = !o->out && o->format, .notes = zw_notes_new()};
  const int status = do_job(&j);
  clean_up(&j);
  return status;
}

// the table of a mechanism goes to stdout where nothing else is said
int cli_move(const cli_options* o)
{
  cli_options kinematic = *o;
  kinematic.mechanism = true;
  if (o->format && strcmp(o->format, "json") != 0 && strcmp(o->format, "csv") != 0) {
    cli_complain("--format %s: a mechanism is told as csv or json", o->format);
    return CLI_BAD_INPUT;
  }
  if (o->format && !strcmp(o->format, "csv")) kinematic.format = NULL;
  if (o->all) return cli_assemblies(&kinematic);
  if (!o->out && !kinematic.format && !o->columns) kinematic.out = "-";
  return cli_runs(&kinematic, NULL);
}

int cli_run(const cli_options* o)
{
  return cli_runs(o, NULL);
}
