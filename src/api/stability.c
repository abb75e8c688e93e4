// Stability of a steady or periodic motion, and over a param.
#include "api/api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stability_cookie = 0x7374, usual_points = 41, most_points = 10000 };

zw_stability_options zw_stability_defaults(void)
{
  return (zw_stability_options){.cookie = stability_cookie};
}

// ---- one motion ---------------------------------------------------------------------------------

static bool is_said(const model_initial* own, int given, const model_initial* state)
{
  for (int j = 0; j < given; j++)
    if (own->coord >= 0 && own->coord == state[j].coord && own->order == state[j].order)
      return true;
  return false;
}

// The state asked for with the model's initial equations beside it: as they are, or as guesses
// where both together contradict each other.
static sim_stability* find_at_state(zw_system* s, const zw_stability_options* o,
                                    const sim_stability* near, base_notes* notes)
{
  const model* m = s->model;
  model_initial* given = NULL;
  const int said = model_equations(s->model, "--state", o->state, notes, &given);
  if (said < 0) return NULL;
  model_initial* all = base_alloc(sizeof *all * (size_t)(said + m->initials + 1));
  sim_stability_options with = {.period = o->period, .state = all, .near = near};
  sim_stability* r = NULL;
  for (int loose = 0; loose < 2 && !r; loose++) {
    with.given = 0;
    for (int i = 0; i < said; i++) all[with.given++] = given[i];
    for (int i = 0; i < m->initials; i++) {
      if (is_said(&m->initial[i], said, given)) continue;
      all[with.given] = m->initial[i];
      all[with.given].guess = all[with.given].guess || loose;
      with.given++;
    }
    base_notes* quiet = base_notes_new();
    r = sim_stability_find(s->system, &with, loose ? notes : quiet);
    base_notes_free(quiet);
  }
  free(all);
  return r;
}

static sim_stability* find(zw_system* s, const zw_stability_options* o, const sim_stability* near,
                           base_notes* notes)
{
  if (o->state) return find_at_state(s, o, near, notes);
  const sim_stability_options plain = {.period = o->period, .near = near};
  return sim_stability_find(s->system, &plain, notes);
}

// ---- over a param -------------------------------------------------------------------------------

typedef struct variation
{
  const zw_model* source;
  const char* name;
  const zw_stability_options* o;
} variation;

// the model read anew with another value: params that depend on this one change with it
static sim_stability* vary(void* context, double value, const sim_stability* near)
{
  variation* v = context;
  zw_notes* quiet = zw_notes_new();
  char set[200];
  snprintf(set, sizeof set, "%s=%.17g", v->name, value);
  zw_model* m = api_model_again(v->source, set, quiet);
  zw_system* s = m ? zw_derive(m, quiet) : NULL;
  sim_stability* r = s ? find(s, v->o, near, quiet->notes) : NULL;
  // names in the result are those of the model at hand
  if (r) r->model = v->source->model;
  zw_system_free(s);
  zw_model_free(m);
  zw_notes_free(quiet);
  return r;
}

// the whole of a piece of text (to its end where none is given) as a number
static bool read_number(const char* text, const char* end, double* out)
{
  char copy[64] = {0}, *behind;
  const size_t length = end ? (size_t)(end - text) : strlen(text);
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  *out = strtod(copy, &behind);
  return !*behind && isfinite(*out);
}

// "NAME=a..b"
static bool read_range(const zw_model* m, const char* text, char* name, size_t room, double* from,
                       double* to, base_notes* notes)
{
  const char* equal = strchr(text, '=');
  const size_t length = equal ? (size_t)(equal - text) : 0;
  if (length > 0 && length < room) {
    memcpy(name, text, length);
    name[length] = 0;
    if (model_param_find(m->model, name) < 0) {
      base_error(notes, BASE_NOWHERE, "--over %s: the model has no param `%s`", text, name);
      return false;
    }
    const char* dots = strstr(equal, "..");
    if (dots && read_number(equal + 1, dots, from) && read_number(dots + 2, NULL, to) &&
        *from < *to)
      return true;
  }
  base_error(notes, BASE_NOWHERE, "--over %s: expected NAME=FROM..TO with numbers, FROM below TO",
             text);
  return false;
}

// ---- the answer ---------------------------------------------------------------------------------

static bool is_sound(const zw_stability_options* o, base_notes* notes)
{
  if (o->cookie != stability_cookie)
    base_error(notes, BASE_NOWHERE,
               "the stability options were not made by zw_stability_defaults()");
  else if (!(o->period >= 0) || !isfinite(o->period))
    base_error(notes, BASE_NOWHERE, "a period is a number above zero");
  else if (o->points < 0 || o->points == 1 || o->points > most_points)
    base_error(notes, BASE_NOWHERE, "from 2 to %d points can be looked at", most_points);
  else if (o->plot && !o->over)
    base_error(notes, BASE_NOWHERE,
               "a plot of eigenvalues needs a param to vary: --over NAME=FROM..TO");
  else
    return !o->plot || out_plot_check(o->plot, notes) == 0;
  return false;
}

char* zw_stability(zw_system* s, const zw_stability_options* o, const char* style, zw_notes* notes)
{
  base_notes* n = notes->notes;
  const bool json = !strcmp(style, "json");
  double from = 0, to = 0;
  char name[128];
  if (!json && strcmp(style, "text") != 0) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text and json");
    return NULL;
  }
  if (!is_sound(o, n)) return NULL;
  if (o->over && !read_range(s->source, o->over, name, sizeof name, &from, &to, n)) return NULL;
  sim_stability* r = find(s, o, NULL, n);
  if (!r) return NULL;
  sim_scan* scan = NULL;
  out_stability shown = {.at = r};
  if (o->over) {
    variation v = {.source = s->source, .name = name, .o = o};
    scan = sim_stability_scan(from, to, o->points ? o->points : usual_points, r, vary, &v);
    shown.over = name;
    shown.scan = scan;
  }
  base_text text = {0};
  const bool drawn = !o->plot || out_stability_plot(&shown, o->plot, n) == 0;
  if (drawn) out_stability_write(&shown, json, &text);
  sim_scan_free(scan);
  sim_stability_free(r);
  return drawn ? base_text_take(&text) : NULL;
}
