// Branches of motions over a param.
#include "api/api.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { continue_cookie = 0x636f, most_points = 10000 };

static const api_member continue_members[] = {
    API_MEMBER(API_DOUBLE, zw_continue_options, period, 0, DBL_MAX),
    API_MEMBER(API_INT, zw_continue_options, points, 0, most_points)};
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

static study_branches* find(zw_system* s, const zw_continue_options* o, const api_range* r,
                            const api_range* other, base_notes* notes)
{
  const model* m = s->model;
  const int k = model_param_find(m, r->name);
  const double scale = m->param[k].scale;
  study_branches_options with = {.param = k,
                                 .from = r->from * scale,
                                 .to = r->to * scale,
                                 .period = o->period,
                                 .all = o->all,
                                 .points = o->points};
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

char* zw_continue(zw_system* s, const zw_continue_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, continue_options), API_HAS(style));
  base_notes* n = notes->notes;
  api_range r, other;
  if (!out_branches_write(NULL, style, NULL)) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text, json and csv");
    return NULL;
  }
  if (!o->over) {
    base_error(n, BASE_NOWHERE, "a branch needs a param to follow it over: --over NAME=FROM..TO");
    return NULL;
  }
  if (!api_range_read(s->source, o->over, o->over + strlen(o->over), &r, n)) return NULL;
  if (!read_other(s, o->second, &r, &other, n)) return NULL;
  if (o->plot && out_plot_check(o->plot, n) != 0) return NULL;
  zw_model* m = api_model_given(s->source, r.name, n);
  if (m && o->second) {
    zw_model* both = api_model_given(m, other.name, n);
    api_object_drop(m);
    m = both;
  }
  zw_system* given = m ? api_system_new(m, n) : NULL;
  study_branches* b = given ? find(given, o, &r, o->second ? &other : NULL, n) : NULL;
  out_branches shown = {.name = r.name, .from = r.from, .to = r.to, .branches = b};
  if (b) {
    shown.model = given->model;
    shown.scale = given->model->param[model_param_find(given->model, r.name)].scale;
  }
  if (b && o->second) {
    shown.other = other.name;
    shown.other_from = other.from;
    shown.other_to = other.to;
    shown.other_scale = given->model->param[model_param_find(given->model, other.name)].scale;
  }
  base_text text = {0};
  bool fine = b && (!o->plot || out_branches_plot(&shown, o->plot, n) == 0);
  if (fine) out_branches_write(&shown, style, &text);
  study_branches_free(b);
  api_object_drop(given);
  api_object_drop(m);
  return fine ? api_hand_out_text(base_text_take(&text)) : NULL;
}
