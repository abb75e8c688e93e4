// The options of all commands in one table: what they are called, what they take, what they mean.
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct option
{
  const char* name;
  const char* value; // what it takes, null for a switch
  const char* text;
  bool (*take)(cli_options* o, const char* name, const char* value);
  // in the list of a command, where options of one name mean different things to different
  // commands: times of rows or a point, one range or several lists
  const char* key;
} option;

static bool number(const char* name, const char* value, double* out)
{
  char* end;
  errno = 0;
  *out = strtod(value, &end);
  if (end != value && !*end && isfinite(*out)) return true;
  cli_complain("--%s %s: expected a number", name, value);
  return false;
}

static bool positive(const char* name, const char* value, double* out)
{
  if (!number(name, value, out)) return false;
  if (*out > 0) return true;
  cli_complain("--%s %s: expected a number above zero", name, value);
  return false;
}

static bool take_set(cli_options* o, const char* name, const char* value)
{
  if (o->set_count == cli_most_sets) {
    cli_complain("--%s: at most %d of them", name, cli_most_sets);
    return false;
  }
  o->sets[o->set_count++] = value;
  return true;
}

static bool take_until(cli_options* o, const char* name, const char* value)
{
  return number(name, value, &o->until);
}

static bool take_tol(cli_options* o, const char* name, const char* value)
{
  if (!positive(name, value, &o->tolerance)) return false;
  if (o->tolerance > 0.1)
    cli_complain("--%s %s: a tolerance above 0.1 says nothing about the motion", name, value);
  else if (o->tolerance < 1e-30)
    cli_complain("--%s %s: a tolerance below 1e-30 is beyond the digits of the numbers", name,
                 value);
  else
    return true;
  return false;
}

static bool take_step(cli_options* o, const char* name, const char* value)
{
  return positive(name, value, &o->step);
}

static bool take_every(cli_options* o, const char* name, const char* value)
{
  return positive(name, value, &o->every);
}

static bool take_period(cli_options* o, const char* name, const char* value)
{
  return positive(name, value, &o->period);
}

static bool take_fps(cli_options* o, const char* name, const char* value)
{
  if (!positive(name, value, &o->fps)) return false;
  if (o->fps <= 120) return true;
  cli_complain("--%s %s: at most 120 pictures a second", name, value);
  return false;
}

static bool take_frame(cli_options* o, const char* name, const char* value)
{
  return number(name, value, &o->frame);
}

static bool take_size(cli_options* o, const char* name, const char* value)
{
  int end = 0;
  const int got = sscanf(value, "%4dx%4d%n", &o->width, &o->height, &end);
  // films have even sides
  if (got == 2 && !value[end] && o->width >= 64 && o->height >= 64 && o->width <= 4096 &&
      o->height <= 4096 && o->width % 2 == 0 && o->height % 2 == 0)
    return true;
  cli_complain("--%s %s: expected WIDTHxHEIGHT in even numbers from 64 to 4096, as in 960x540",
               name, value);
  return false;
}

static bool take_points(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!number(name, value, &x)) return false;
  if (x >= 2 && x <= 1e7 && x == floor(x)) {
    o->points = (int)x;
    return true;
  }
  cli_complain("--%s %s: expected a whole number from 2 to 10000000", name, value);
  return false;
}

static bool take_states(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!number(name, value, &x)) return false;
  if (x >= 1 && x <= 1e5 && x == floor(x)) {
    o->states = (int)x;
    return true;
  }
  cli_complain("--%s %s: expected a whole number from 1 to 100000", name, value);
  return false;
}

static bool take_at(cli_options* o, const char* name, const char* value)
{
  int room = 1;
  for (const char* c = value; *c; c++) room += *c == ',';
  free(o->at);
  o->at = calloc((size_t)room, sizeof *o->at);
  o->at_count = 0;
  if (!o->at) return false;
  const char* from = value;
  for (;;) {
    char* end;
    const double t = strtod(from, &end);
    if (end == from || !isfinite(t) || (*end && *end != ',')) {
      cli_complain("--%s %s: expected times separated by commas, as in 1,2.5,10", name, value);
      return false;
    }
    o->at[o->at_count++] = t;
    if (!*end) return true;
    from = end + 1;
  }
}

#define TAKE_TEXT(FIELD)                                                        \
  static bool take_##FIELD(cli_options* o, const char* name, const char* value) \
  {                                                                             \
    if (!*value) {                                                              \
      cli_complain("--%s: expected a value", name);                             \
      return false;                                                             \
    }                                                                           \
    o->FIELD = value;                                                           \
    return true;                                                                \
  }
TAKE_TEXT(method)
TAKE_TEXT(contact_solver)
TAKE_TEXT(out)
TAKE_TEXT(plot)
TAKE_TEXT(form)
TAKE_TEXT(as)
TAKE_TEXT(show)
TAKE_TEXT(state)
TAKE_TEXT(released)
TAKE_TEXT(format)
TAKE_TEXT(compare)
TAKE_TEXT(place)
TAKE_TEXT(region)
TAKE_TEXT(over)
TAKE_TEXT(film)
TAKE_TEXT(results)
TAKE_TEXT(device)

static bool add_text(const char* name, const char* value, const char** list, int* count)
{
  if (*count == cli_most_overs) {
    cli_complain("--%s: at most %d of them", name, cli_most_overs);
    return false;
  }
  list[(*count)++] = value;
  return true;
}

static bool take_axis(cli_options* o, const char* name, const char* value)
{
  return add_text(name, value, o->overs, &o->over_count);
}

static bool take_basin(cli_options* o, const char* name, const char* value)
{
  return add_text(name, value, o->basins, &o->basin_count);
}

static bool whole(const char* name, const char* value, double least, double most, double* x)
{
  if (!number(name, value, x)) return false;
  if (*x >= least && *x <= most && *x == floor(*x)) return true;
  cli_complain("--%s %s: expected a whole number from %.0f to %.0f", name, value, least, most);
  return false;
}

static bool take_sobol(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 1, 1e15, &x)) return false;
  o->sobol = (long long)x;
  return true;
}

static bool take_random(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 1, 1e15, &x)) return false;
  o->random = (long long)x;
  return true;
}

static bool take_seed(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 0, 9007199254740992.0, &x)) return false;
  o->seed = (unsigned long long)x;
  return true;
}

static bool take_threads(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 1, 1024, &x)) return false;
  o->threads = (int)x;
  return true;
}

static bool take_resume(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->resume = true;
}

// the page goes where the table of other commands goes
static bool take_page(cli_options* o, const char* name, const char* value)
{
  return take_out(o, name, value);
}

static bool take_explain(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->explain = true;
}

static bool take_all(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->all = true;
}

static bool take_embed(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->embed = true;
}

static bool take_quiet(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->quiet = true;
}

static bool take_help(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->help = true;
}

static bool take_version(cli_options* o, const char* name, const char* value)
{
  (void)name;
  (void)value;
  return o->version = true;
}

static const option options[] = {
    {"set", "NAME=VALUE", "override a param; may be repeated", take_set, NULL},
    {"until", "T", "end of the run in seconds", take_until, NULL},
    {"tol", "R", "relative tolerance of a step (default 1e-10)", take_tol, NULL},
    {"method", "M", "integration method; `list` shows them", take_method, NULL},
    {"step", "H", "fixed step of the method moreau in seconds", take_step, NULL},
    {"contact-solver", "NAME", "of contacts with friction: `own` (default) or `siconos`",
     take_contact_solver, NULL},
    {"at", "T1,T2,...", "rows at exactly these times", take_at, NULL},
    {"at", "\"x=1, y=2\"", "the point; what it leaves out is as at the start", take_place, "place"},
    {"region", "\"x=-1..1\"", "of the embedding; else where the run goes", take_region, NULL},
    {"embed", NULL, "look longer for the map: higher degrees, fewer dimensions", take_embed, NULL},
    {"period", "T", "multipliers of the motion of this period, in seconds", take_period, NULL},
    {"all", NULL, "further steady motions, from many starts", take_all, NULL},
    {"over", "NAME=FROM..TO", "eigenvalues over a param (two: a chart), critical values located",
     take_over, NULL},
    {"over", "NAME=...",
     "what differs: V1,V2,... or FROM..TO:N or FROM..TO (sampled); may be repeated", take_axis,
     "axis"},
    {"sobol", "N", "N samples of the ranges, evenly spread (Sobol's sequence)", take_sobol, NULL},
    {"random", "N", "N random samples of the ranges", take_random, NULL},
    {"seed", "S", "of random samples (default 0)", take_seed, NULL},
    {"results", "LIST", "what is kept: x, final(x), min(x), max(x), time(EVENT), count(EVENT)",
     take_results, NULL},
    {"basin", "\"NAME: x=1\"", "label runs by the nearest of these ends; may be repeated",
     take_basin, NULL},
    {"resume", NULL, "go on with a sweep that was broken off", take_resume, NULL},
    {"threads", "N", "threads of this process (default: all cores)", take_threads, NULL},
    {"device", "D", "where the runs are made: cpu (default) or gpu", take_device, NULL},
    {"every", "DT", "a row every DT seconds", take_every, NULL},
    {"points", "N", "N evenly spaced rows (default 501)", take_points, NULL},
    {"points", "N", "how many values of a param (default 41)", take_points, "values"},
    {"points", "N", "N evenly spaced frames (default 60 a second, from 600 to 12000)", take_points,
     "frames"},
    {"out", "FILE", "the table: .csv, .json, .h5, or - for CSV on stdout", take_out, NULL},
    {"out", "FILE", "the table: .csv or .h5 (default: CSV on stdout)", take_out, "rows"},
    {"out", "FILE", "the page, .html (default: the model's name with this ending)", take_page,
     "page"},
    {"film", "FILE", "a film of it, .mp4 or .gif, or .png for one picture", take_film, NULL},
    {"fps", "N", "pictures a second of the film (default 30)", take_fps, NULL},
    {"size", "WxH", "of its pictures (default 960x540)", take_size, NULL},
    {"frame", "T", "time of a single picture in seconds", take_frame, NULL},
    {"plot", "FILE", "the picture: .svg, .png, .pdf, or .gp for a gnuplot script", take_plot, NULL},
    {"compare", "NAME=V1,V2,...",
     "one run for each value of a param, together in table and picture", take_compare, NULL},
    {"form", "FORM", "form of the equations; `list` shows which suit the model", take_form, NULL},
    {"show", "LIST", "functions alone, of T, V, T', T'', S, R, g, gamma", take_show, NULL},
    {"as", "STYLE", "text, latex, c or json (default text)", take_as, NULL},
    {"as", "STYLE", "text, latex or json (default text)", take_as, "style"},
    {"state", "\"x=1, x'=2\"", "the state; what it leaves out is solved for", take_state, NULL},
    {"released", "NAME,...",
     "also the system without these constraints, and how far the motion deviates from it",
     take_released, NULL},
    {"states", "N", "random states to try (default 20)", take_states, NULL},
    {"explain", NULL, "show how constraints and forces share the acceleration", take_explain, NULL},
    {"format", "FORMAT", "text or json (default text)", take_format, NULL},
    {"quiet", NULL, "errors only", take_quiet, NULL},
    {"help", NULL, "this text", take_help, NULL},
    {"version", NULL, "the version of zwang", take_version, NULL},
    {0},
};

static bool accepts(const cli_command* c, const option* p)
{
  const char* name = p->key ? p->key : p->name;
  if (!strcmp(name, "help") || !strcmp(name, "version")) return true;
  const size_t length = strlen(name);
  for (const char* at = c->options; *at;) {
    const size_t word = strcspn(at, " ");
    if (word == length && !memcmp(at, name, length)) return true;
    at += word + strspn(at + word, " ");
  }
  return false;
}

static bool repeats(const option* p)
{
  return p->take == take_set || p->take == take_axis || p->take == take_basin;
}

static int unknown_option(const cli_command* c, const char* typed)
{
  const char* words[64] = {0};
  int n = 0;
  for (const option* p = options; p->name; p++)
    if (accepts(c, p)) words[n++] = p->name;
  const char* near = cli_nearest(typed, words);
  if (near)
    cli_complain("`zwang %s` has no option --%s; did you mean --%s?", c->name, typed, near);
  else
    cli_complain("`zwang %s` has no option --%s; `zwang %s --help` lists them", c->name, typed,
                 c->name);
  return CLI_BAD_INPUT;
}

// one option, as `--name value` or `--name=value`; *used counts the words it took
static int take_option(const cli_command* c, int argc, char** argv, cli_options* o, int* used)
{
  char name[32] = {0};
  const char* typed = argv[0] + 2;
  const size_t length = strcspn(typed, "=");
  if (length == 0 || length >= sizeof name) return unknown_option(c, typed);
  memcpy(name, typed, length);
  const option* p = options;
  while (p->name && (strcmp(p->name, name) != 0 || !accepts(c, p))) p++;
  if (!p->name) return unknown_option(c, name);
  const char* value = typed[length] ? typed + length + 1 : NULL;
  *used = 1;
  if (!p->value && value) {
    cli_complain("--%s takes no value", name);
    return CLI_BAD_INPUT;
  }
  if (p->value && !value) {
    if (argc < 2) {
      cli_complain("--%s needs a value: %s", name, p->value);
      return CLI_BAD_INPUT;
    }
    value = argv[1];
    *used = 2;
  }
  // the second would put the first aside without a word
  const unsigned long long bit = 1ull << (p - options);
  if (p->value && !repeats(p) && (o->given & bit)) {
    cli_complain("--%s is given twice", name);
    return CLI_BAD_INPUT;
  }
  o->given |= bit;
  return p->take(o, name, value) ? CLI_DONE : CLI_BAD_INPUT;
}

int cli_parse(const cli_command* c, int argc, char** argv, cli_options* o)
{
  *o = (cli_options){.until = NAN, .frame = NAN};
  bool only_names = false;
  for (int i = 0; i < argc;) {
    if (!only_names && !strcmp(argv[i], "--")) {
      only_names = true;
      i++;
    } else if (!only_names && !strcmp(argv[i], "-h")) {
      o->help = true;
      i++;
    } else if (!only_names && !strncmp(argv[i], "--", 2)) {
      int used = 0;
      const int status = take_option(c, argc - i, argv + i, o, &used);
      if (status) return status;
      i += used;
    } else if (!only_names && argv[i][0] == '-' && argv[i][1]) {
      cli_complain("`%s` is no option; options begin with two dashes", argv[i]);
      return CLI_BAD_INPUT;
    } else if (o->model) {
      cli_complain("one model at a time: `%s` and `%s`", o->model, argv[i]);
      return CLI_BAD_INPUT;
    } else {
      o->model = argv[i++];
    }
  }
  const bool lists = (o->method && !strcmp(o->method, "list"));
  if (!o->help && !o->version && !o->model && c->argument[0] != '[' && !lists) {
    cli_complain("which model? usage: zwang %s MODEL [options]", c->name);
    return CLI_BAD_INPUT;
  }
  if ((o->at_count != 0) + (o->every > 0) + (o->points != 0) > 1) {
    cli_complain("--at, --every and --points exclude each other");
    return CLI_BAD_INPUT;
  }
  if (o->as && o->format && strcmp(o->as, o->format) != 0) {
    cli_complain("--as %s and --format %s exclude each other", o->as, o->format);
    return CLI_BAD_INPUT;
  }
  return CLI_DONE;
}

void cli_options_free(cli_options* o)
{
  free(o->at);
}

void cli_help(const cli_command* c, FILE* out)
{
  if (!c) {
    fputs("zwang: equations and motion of constrained mechanical systems\n\nusage: zwang COMMAND "
          "MODEL "
          "[options]\n\n",
          out);
    for (const cli_command* p = cli_commands; p->name; p++)
      fprintf(out, "  %-10s %s\n", p->name, p->summary);
    fputs(
        "\n`zwang COMMAND --help` tells the options of a command. --version prints the version.\n"
        "Exit status: 0 done, 1 the run could not be finished or is not to be trusted, 2 the input "
        "is wrong,\n3 a limit of the machine.\n",
        out);
    return;
  }
  fprintf(out, "usage: zwang %s %s [options]\n\n%s\n\n", c->name, c->argument, c->summary);
  for (const option* p = options; p->name; p++) {
    if (!accepts(c, p)) continue;
    char left[48];
    snprintf(left, sizeof left, "--%s%s%s", p->name, p->value ? " " : "", p->value ? p->value : "");
    fprintf(out, "  %-24s %s\n", left, p->text);
  }
}
