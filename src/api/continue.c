// Branches of motions over a param.
#include "api/api.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { continue_cookie = 0x636f, most_points = 10000 };
#define LOOSEST 1e-8 // meshes for more do not tell motions apart

static const api_member continue_members[] = {
    API_MEMBER(API_DOUBLE, zw_continue_options, period, 0, DBL_MAX),
    API_MEMBER(API_INT, zw_continue_options, points, 0, most_points),
    API_MEMBER(API_DOUBLE, zw_continue_options, tolerance, 0, LOOSEST)};
static const api_options continue_options = {
    "zw_continue_defaults", continue_cookie, offsetof(zw_continue_options, cookie),
    sizeof continue_members / sizeof *continue_members, continue_members};

zw_continue_options zw_continue_defaults(void)
{
  return (zw_continue_options){.cookie = continue_cookie};
}

// The model once more, the param being given with each evaluation; null with errors noted.
zw_model* api_model_given(const zw_model* source, const char* name, base_notes* notes)
{
  char set[200];
  const model_param* p = &source->model->param[model_param_find(source->model, name)];
  snprintf(set, sizeof set, "%s=%.17g", name, p->number / p->scale);
  zw_model* m = api_model_again(source, set, notes);
  if (!m || m->model->param[model_param_find(m->model, name)].given) return m;
  base_error(notes, BASE_NOWHERE,
             "--over %s: for other values of it the model is another one, or an event or a stage "
             "sets it",
             name);
  api_object_drop(m);
  return NULL;
}

// "energy=0.1..2" or "period=5..7", where the model has no such param: what a family is told apart
// by
static study_over family_of(const zw_model* m, const char* name)
{
  static const char* const names[] = {
      [STUDY_OVER_ENERGY] = "energy", [STUDY_OVER_PERIOD] = "period"};
  for (int k = STUDY_OVER_ENERGY; k <= STUDY_OVER_PERIOD; k++)
    if (!strcmp(name, names[k]) && model_param_find(m->model, name) < 0) return (study_over)k;
  return STUDY_OVER_PARAM;
}

static study_branches* find(zw_system* s, const zw_continue_options* o, const api_range* r,
                            study_over over, const api_range* other, base_notes* notes)
{
  const model* m = s->model;
  const int k = over == STUDY_OVER_PARAM ? model_param_find(m, r->name) : -1;
  const double scale = k < 0 ? 1 : m->param[k].scale;
  study_branches_options with = {.over = over,
                                 .param = k,
                                 .from = r->from * scale,
                                 .to = r->to * scale,
                                 .period = o->period,
                                 .orbit = o->orbit,
                                 .all = o->all,
                                 .points = o->points,
                                 .tolerance = o->tolerance};
  if (other) {
    with.both = true;
    with.second = model_param_find(m, other->name);
    with.second_from = other->from * m->param[with.second].scale;
    with.second_to = other->to * m->param[with.second].scale;
  }
  study_branches* b = NULL;
  for (int loose = 0; loose < 2 && !b; loose++) {
    model_initial* all = NULL;
    if (o->state && (with.given = api_state_beside(s, o->state, loose, &all, notes)) < 0)
      return NULL;
    with.state = all;
    const bool last = loose || !o->state;
    const int before = base_notes_count(notes);
    b = study_branches_find(s->system, &with, notes);
    if (!b && !last) base_notes_cut(notes, before);
    free(all);
    if (last) break;
  }
  return b;
}

// the second param of the options, where there is one; false with an error noted
static bool read_other(const zw_system* s, const char* text, const api_range* r, api_range* other,
                       base_notes* notes)
{
  if (!text) return true;
  if (!api_range_read(s->source, text, text + strlen(text), other, notes)) return false;
  const model* m = s->model;
  const model_param* p = &m->param[model_param_find(m, other->name)];
  const double value = p->number / p->scale;
  if (!strcmp(r->name, other->name)) {
    base_error(notes, BASE_NOWHERE, "--and %s: this is the param of --over", text);
    return false;
  }
  if (value >= other->from && value <= other->to) return true;
  base_error(notes, BASE_NOWHERE, "--and %s: its value %.10g, at which the branch lies, is outside",
             text, value);
  base_help(notes, "another value is given by `--set %s=...`", other->name);
  return false;
}

// is its value given with each evaluation, and does it not follow from others that are?
static bool is_given(const zw_system* s, const char* name)
{
  const model_param* p = &s->model->param[model_param_find(s->model, name)];
  return p->given && p->definition == EXPR_NONE;
}

// The system with the params given with each evaluation; null with errors noted. The model in *m is
// to be dropped with it.
static zw_system* give(zw_system* s, const api_range* r, const api_range* other, zw_model** m,
                       base_notes* notes)
{
  if (is_given(s, r->name) && (!other || is_given(s, other->name))) return s;
  *m = api_model_given(s->source, r->name, notes);
  if (*m && other) {
    zw_model* both = api_model_given(*m, other->name, notes);
    api_object_drop(*m);
    *m = both;
  }
  return *m ? api_system_new(*m, notes) : NULL;
}

static double scale_of(const model* m, const char* name)
{
  const int k = model_param_find(m, name);
  return k < 0 ? 1 : m->param[k].scale;
}

// what is followed over, and the second param; false with an error noted
static bool read_ranges(zw_system* s, const zw_continue_options* o, api_range* r, study_over* over,
                        api_range* other, base_notes* notes)
{
  *over = STUDY_OVER_PARAM;
  if (!o->over) {
    base_error(notes, BASE_NOWHERE,
               "a branch needs a param to follow it over: --over NAME=FROM..TO");
    return false;
  }
  const char* end = o->over + strlen(o->over);
  if (api_range_name(o->over, end, r)) *over = family_of(s->source, r->name);
  if (!api_range_read(*over == STUDY_OVER_PARAM ? s->source : NULL, o->over, end, r, notes))
    return false;
  if (*over != STUDY_OVER_PARAM && o->second) {
    base_error(notes, BASE_NOWHERE, "--and is for branches over a param");
    return false;
  }
  return read_other(s, o->second, r, other, notes);
}

char* zw_continue(zw_system* s, const zw_continue_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, continue_options), API_HAS(style));
  base_notes* n = notes->notes;
  api_range r, other;
  study_over over;
  if (!out_branches_write(NULL, style, NULL)) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text, json and csv");
    return NULL;
  }
  if (!read_ranges(s, o, &r, &over, &other, n)) return NULL;
  if (o->plot && out_plot_check(o->plot, n) != 0) return NULL;
  const api_range* second = o->second ? &other : NULL;
  zw_model* m = NULL;
  zw_system* given = over == STUDY_OVER_PARAM ? give(s, &r, second, &m, n) : s;
  study_branches* b = given ? find(given, o, &r, over, second, n) : NULL;
  out_branches shown = {.name = r.name, .from = r.from, .to = r.to, .branches = b};
  if (b) {
    shown.model = given->model;
    shown.scale = scale_of(given->model, r.name);
  }
  if (b && second) {
    shown.other = other.name;
    shown.other_from = other.from;
    shown.other_to = other.to;
    shown.other_scale = scale_of(given->model, other.name);
  }
  base_text text = {0};
  bool fine = b && (!o->plot || out_branches_plot(&shown, o->plot, n) == 0);
  if (fine) out_branches_write(&shown, style, &text);
  study_branches_free(b);
  if (given != s) api_object_drop(given);
  api_object_drop(m);
  return fine ? api_hand_out_text(base_text_take(&text)) : NULL;
}
