// zwang derive, eval, check, examples, parts: read the model, print one text.
#include "cli/cli.h"

#include <math.h>
#include <string.h>

// a model and its system, or nothing
typedef struct opened
{
  zw_notes* notes;
  int printed;
  zw_model* model;
  zw_system* system;
} opened;

// the param of "NAME=FROM..TO" is given with each evaluation, where it can be
static void give(zw_model* m, const char* range, zw_notes* notes)
{
  char name[200];
  const size_t length = range ? strcspn(range, " =") : 0;
  if (!length || length >= sizeof name) return;
  memcpy(name, range, length);
  name[length] = 0;
  // one that is none is told with the range
  if (!isnan(zw_model_param(m, name))) zw_model_give(m, name, notes);
}

// the model, to be followed over these params (null: over none)
static bool open_over(opened* w, const cli_options* o, const char* over, const char* second)
{
  *w = (opened){.notes = zw_notes_new()};
  w->model = o->mechanism ? cli_read_mechanism(o, o->sets, o->set_count, w->notes)
                          : cli_read_model(o->model, o->sets, o->set_count, w->notes);
  if (!w->model) return false;
  give(w->model, over, w->notes);
  give(w->model, second, w->notes);
  w->system = zw_derive(w->model, w->notes);
  return w->system != NULL;
}

static bool open_model(opened* w, const cli_options* o)
{
  return open_over(w, o, NULL, NULL);
}

// prints the text (or the reasons why there is none) and closes everything
static int finish(opened* w, char* text, const cli_options* o)
{
  cli_print_notes(w->notes, &w->printed, o->quiet);
  const int status = text ? cli_put(text) : CLI_BAD_INPUT;
  zw_text_free(text);
  zw_system_free(w->system);
  zw_model_free(w->model);
  zw_notes_free(w->notes);
  return status;
}

static const char* style_of(const cli_options* o)
{
  return o->as ? o->as : o->format ? o->format : "text";
}

int cli_derive(const cli_options* o)
{
  opened w;
  char* text = NULL;
  if (open_model(&w, o)) {
    if (o->form && !strcmp(o->form, "list"))
      text = zw_forms(w.system, style_of(o), w.notes);
    else if (o->show)
      text = zw_functions(w.system, o->show, style_of(o), w.notes);
    else
      text = zw_equations(w.system, o->form ? o->form : "lagrange", style_of(o), w.notes);
  }
  return finish(&w, text, o);
}

int cli_eval(const cli_options* o)
{
  opened w;
  char* text = NULL;
  if (o->format && strcmp(o->format, "text") != 0 && strcmp(o->format, "json") != 0) {
    cli_complain("--format %s: expected text or json", o->format);
    return CLI_BAD_INPUT;
  }
  if (open_model(&w, o) && o->form && !strcmp(o->form, "list")) {
    text = zw_forms(w.system, style_of(o), w.notes);
  } else if (w.system) {
    zw_point* p = zw_eval(w.system, o->form, o->state, w.notes);
    if (p && (!o->released || zw_point_release(p, o->released, w.notes)))
      text = zw_point_text(p, style_of(o), o->explain);
    zw_point_free(p);
  }
  return finish(&w, text, o);
}

int cli_check(const cli_options* o)
{
  opened w;
  char* text = NULL;
  if (open_model(&w, o)) text = zw_check(w.system, style_of(o), w.notes);
  return finish(&w, text, o);
}

int cli_verify(const cli_options* o)
{
  opened w;
  char* text = NULL;
  bool ok = false;
  if (open_model(&w, o)) text = zw_verify(w.system, o->states, style_of(o), &ok, w.notes);
  const bool disagree = text && !ok;
  const int status = finish(&w, text, o);
  return status == CLI_DONE && disagree ? CLI_UNFINISHED : status;
}

int cli_geometry(const cli_options* o)
{
  opened w;
  char* text = NULL;
  zw_geometry_options g = zw_geometry_defaults();
  g.at = o->place;
  g.region = o->region;
  g.embed = o->embed;
  g.plot = o->plot;
  g.curvature = o->curvature;
  g.map = o->map;
  g.energy = o->energy;
  g.geodesic = o->geodesic;
  if (open_model(&w, o)) text = zw_geometry(w.system, &g, style_of(o), w.notes);
  return finish(&w, text, o);
}

int cli_stability(const cli_options* o)
{
  opened w;
  char* text = NULL;
  zw_stability_options g = zw_stability_defaults();
  g.state = o->state;
  g.period = o->period;
  g.orbit = o->orbit;
  g.all = o->all;
  g.over = o->over;
  g.points = o->points;
  g.plot = o->plot;
  if (open_model(&w, o)) text = zw_stability(w.system, &g, style_of(o), w.notes);
  return finish(&w, text, o);
}

int cli_continue(const cli_options* o)
{
  opened w;
  char* text = NULL;
  zw_continue_options g = zw_continue_defaults();
  g.over = o->over;
  g.second = o->second;
  g.state = o->state;
  g.period = o->period;
  g.orbit = o->orbit;
  g.points = o->points;
  g.tolerance = o->tolerance;
  g.all = o->all;
  g.plot = o->plot;
  if (open_over(&w, o, o->over, o->second)) text = zw_continue(w.system, &g, style_of(o), w.notes);
  return finish(&w, text, o);
}

// positions of a mechanism are not a run
int cli_assemblies(const cli_options* o)
{
  opened w;
  char* text = NULL;
  if (open_model(&w, o)) text = zw_assemblies(w.system, o->format ? "json" : "text", w.notes);
  return finish(&w, text, o);
}

int cli_inverse(const cli_options* o)
{
  opened w;
  char* text = NULL;
  if (!o->motion) {
    cli_complain("which motion? usage: zwang inverse MODEL --motion FILE.csv");
    return CLI_BAD_INPUT;
  }
  if (open_model(&w, o))
    text = zw_inverse(w.system, o->motion, o->along, o->format ? o->format : "csv", w.notes);
  return finish(&w, text, o);
}

int cli_linearise(const cli_options* o)
{
  opened w;
  char* text = NULL;
  zw_linearise_options g = zw_linearise_defaults();
  g.state = o->place;
  g.inputs = o->inputs;
  g.outputs = o->outputs;
  g.where = o->steady ? 2 : o->rest;
  g.symbolic = o->symbolic;
  if (o->out && o->format) {
    cli_complain("the ending of `%s` tells the format; leave `--format` out", o->out);
    return CLI_BAD_INPUT;
  }
  if (open_model(&w, o) && o->out) {
    const bool saved = zw_linearise_save(w.system, &g, o->out, w.notes);
    finish(&w, NULL, o);
    return saved ? CLI_DONE : CLI_BAD_INPUT;
  }
  if (w.system) text = zw_linearise(w.system, &g, style_of(o), w.notes);
  return finish(&w, text, o);
}

int cli_structure(const cli_options* o)
{
  opened w;
  char* text = NULL;
  zw_structure_options g = zw_structure_defaults();
  g.at = o->place;
  if (open_model(&w, o)) text = zw_structure(w.system, &g, style_of(o), w.notes);
  return finish(&w, text, o);
}

int cli_chaos(const cli_options* o)
{
  opened w;
  char* text = NULL;
  zw_chaos_options g = zw_chaos_defaults();
  g.state = o->state;
  g.until = o->until;
  g.tolerance = o->tolerance;
  g.section = o->section;
  g.manifolds = o->manifolds;
  g.period = o->period;
  g.out = o->out;
  g.plot = o->plot;
  if (open_model(&w, o)) text = zw_chaos(w.system, &g, style_of(o), w.notes);
  return finish(&w, text, o);
}

int cli_examples(const cli_options* o)
{
  if (o->model) {
    const char* text = zw_example_text(o->model);
    if (text) return cli_put(text);
    const char* words[256] = {0};
    for (int i = 0; i < 255 && zw_example_name(i); i++) words[i] = zw_example_name(i);
    const char* near = cli_nearest(o->model, words);
    if (near)
      cli_complain("there is no example `%s`; did you mean `%s`?", o->model, near);
    else
      cli_complain("there is no example `%s`; `zwang examples` lists them", o->model);
    return CLI_BAD_INPUT;
  }
  for (int i = 0; zw_example_name(i); i++)
    printf("%-28s %s\n", zw_example_name(i), zw_example_title(i));
  return cli_put("");
}

int cli_parts(const cli_options* o)
{
  opened w = {.notes = zw_notes_new()};
  return finish(&w, zw_parts(o->model, style_of(o), w.notes), o);
}
