// A command line read by the table of options, and the help that table gives.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool accepts(const cli_command* c, const cli_option* p)
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

static int unknown_option(const cli_command* c, const char* typed)
{
  const char* words[64] = {0};
  int n = 0;
  for (const cli_option* p = cli_option_list; p->name; p++)
    if (accepts(c, p)) words[n++] = p->name;
  const char* near = cli_nearest(typed, words);
  if (near)
    cli_complain("`zwang %s` has no option --%s; did you mean --%s?", c->name, typed, near);
  else
    cli_complain("`zwang %s` has no option --%s; `zwang %s --help` lists them", c->name, typed,
                 c->name);
  return CLI_BAD_INPUT;
}

static int take_model(cli_options* o, const char* name)
{
  if (o->model) {
    cli_complain("one model at a time: `%s` and `%s`", o->model, name);
    return CLI_BAD_INPUT;
  }
  o->model = name;
  return CLI_DONE;
}

// one option, as `--name value` or `--name=value`; *used counts the words it took
static int take_option(const cli_command* c, int argc, char** argv, cli_options* o, int* used)
{
  char name[32] = {0};
  const char* typed = argv[0] + 2;
  const size_t length = strcspn(typed, "=");
  if (length == 0 || length >= sizeof name) return unknown_option(c, typed);
  memcpy(name, typed, length);
  const cli_option* p = cli_option_list;
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
  bool* given = &o->given[p - cli_option_list];
  if (p->value && !p->repeats && *given) {
    cli_complain("--%s is given twice", name);
    return CLI_BAD_INPUT;
  }
  *given = true;
  return p->take(o, name, value) ? CLI_DONE : CLI_BAD_INPUT;
}

// one word behind the command; *used counts the words it took
static int take_word(const cli_command* c, int argc, char** argv, cli_options* o, int* used)
{
  *used = 1;
  if (!strcmp(argv[0], "-h")) {
    o->help = true;
    return CLI_DONE;
  }
  if (!strncmp(argv[0], "--", 2)) return take_option(c, argc, argv, o, used);
  if (argv[0][0] == '-' && argv[0][1]) {
    cli_complain("`%s` is no option; options begin with two dashes", argv[0]);
    return CLI_BAD_INPUT;
  }
  return take_model(o, argv[0]);
}

// options that do not go together, or a model that is missing
static int check_together(const cli_command* c, const cli_options* o)
{
  const bool lists = o->method && !strcmp(o->method, "list");
  if (!o->help && !o->version && !o->model && c->argument[0] && c->argument[0] != '[' && !lists) {
    cli_complain("which model? usage: zwang %s MODEL [options]", c->name);
    return CLI_BAD_INPUT;
  }
  if ((o->at_count != 0) + (o->every > 0) + (o->points != 0) > 1) {
    cli_complain("--at, --every and --points exclude each other");
    return CLI_BAD_INPUT;
  }
  if (o->model && !c->argument[0]) {
    cli_complain("`zwang %s` takes no model: `%s`", c->name, o->model);
    return CLI_BAD_INPUT;
  }
  if (o->write && o->check) {
    cli_complain("--write and --check exclude each other");
    return CLI_BAD_INPUT;
  }
  if (o->as && o->format && strcmp(o->as, o->format) != 0) {
    cli_complain("--as %s and --format %s exclude each other", o->as, o->format);
    return CLI_BAD_INPUT;
  }
  return CLI_DONE;
}

int cli_parse(const cli_command* c, int argc, char** argv, cli_options* o)
{
  *o = (cli_options){.until = NAN, .frame = NAN};
  bool only_names = false;
  for (int i = 0, used = 1; i < argc; i += used) {
    used = 1;
    if (!only_names && !strcmp(argv[i], "--")) {
      only_names = true;
      continue;
    }
    const int status =
        only_names ? take_model(o, argv[i]) : take_word(c, argc - i, argv + i, o, &used);
    if (status) return status;
  }
  return check_together(c, o);
}

void cli_options_free(cli_options* o)
{
  free(o->at);
  for (int i = 0; i < o->made_count; i++) free(o->made[i]);
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
        "\n`zwang COMMAND --help` lists the options of a command. --version prints the version.\n"
        "Exit status: 0 done, 1 the run could not be finished or is not to be trusted, 2 the input "
        "is wrong,\n3 a limit of the machine.\n",
        out);
    return;
  }
  fprintf(out, "usage: zwang %s%s%s [options]\n\n%s\n\n", c->name, c->argument[0] ? " " : "",
          c->argument, c->summary);
  for (const cli_option* p = cli_option_list; p->name; p++) {
    if (!accepts(c, p)) continue;
    char left[48];
    snprintf(left, sizeof left, "--%s%s%s", p->name, p->value ? " " : "", p->value ? p->value : "");
    fprintf(out, "  %-24s  %s\n", left, p->text);
  }
}
