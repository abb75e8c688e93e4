// Stability of a steady or periodic motion, and over a param.
#include "api/api.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stability_cookie = 0x7374, usual_points = 41, usual_rows = 21, most_points = 10000 };

static const api_member stability_members[] = {
    API_MEMBER(API_DOUBLE, zw_stability_options, period, 0, DBL_MAX),
    API_MEMBER(API_INT, zw_stability_options, points, 0, most_points)};
static const api_options stability_options = {
    "zw_stability_defaults", stability_cookie, offsetof(zw_stability_options, cookie),
    sizeof stability_members / sizeof *stability_members, stability_members};

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

int api_state_beside(zw_system* s, const char* state, bool loose, model_initial** all,
                     base_notes* notes)
{
  const model* m = s->model;
  model_initial* given = NULL;
  const int said = model_equations(s->model, "--state", state, notes, &given);
  if (said < 0) return -1;
  *all = base_alloc(sizeof **all * (size_t)(said + m->initials + 1));
  int count = 0;
  for (int i = 0; i < said; i++) (*all)[count++] = given[i];
  for (int i = 0; i < m->initials; i++) {
    if (is_said(&m->initial[i], said, given)) continue;
    (*all)[count] = m->initial[i];
    (*all)[count].guess = (*all)[count].guess || loose;
    count++;
  }
  return count;
}

// The state asked for with the model's initial equations beside it: as they are, or as guesses
// where both together contradict each other.
static study_stability* find_at_state(zw_system* s, const zw_stability_options* o,
                                      const study_stability* near, base_notes* notes)
{
  study_stability_options with = {
      .period = o->period, .orbit = o->orbit, .all = o->all, .swings = !near, .near = near};
  study_stability* r = NULL;
  for (int loose = 0; loose < 2 && !r; loose++) {
    model_initial* all = NULL;
    if ((with.given = api_state_beside(s, o->state, loose, &all, notes)) < 0) return NULL;
    with.state = all;
    const int before = base_notes_count(notes);
    r = study_stability_find(s->system, &with, notes);
    if (!r && !loose) base_notes_cut(notes, before);
    free(all);
  }
  return r;
}

static study_stability* find(zw_system* s, const zw_stability_options* o,
                             const study_stability* near, base_notes* notes)
{
  if (o->state) return find_at_state(s, o, near, notes);
  const study_stability_options plain = {
      .period = o->period, .orbit = o->orbit, .all = o->all, .swings = !near, .near = near};
  return study_stability_find(s->system, &plain, notes);
}

// ---- over a param -------------------------------------------------------------------------------

typedef struct variation
{
  const zw_model* source;
  const char* name;
  const zw_stability_options* o;
  const model* shown; // whose names the results use
} variation;

// the model read anew with another value: params that depend on this one change with it
static study_stability* vary(void* context, double value, const study_stability* near)
{
  variation* v = context;
  base_notes* quiet = base_notes_new();
  char set[200];
  snprintf(set, sizeof set, "%s=%.17g", v->name, value);
  zw_model* m = api_model_again(v->source, set, quiet);
  zw_system* s = m ? api_system_new(m, quiet) : NULL;
  study_stability* r = s ? find(s, v->o, near, quiet) : NULL;
  if (r) r->model = v->shown;
  for (int k = 0; r && k < r->others; k++) r->other[k]->model = v->shown;
  api_object_drop(s);
  api_object_drop(m);
  base_notes_free(quiet);
  return r;
}

// the whole of a piece of text as a number
static bool read_number(const char* text, const char* end, double* out)
{
  char copy[64] = {0}, *behind;
  const size_t length = (size_t)(end - text);
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  *out = strtod(copy, &behind);
  while (*behind == ' ') behind++;
  return !*behind && isfinite(*out);
}

bool api_range_name(const char* text, const char* end, api_range* r)
{
  const char* equal = memchr(text, '=', (size_t)(end - text));
  size_t length = equal ? (size_t)(equal - text) : 0;
  while (length && text[length - 1] == ' ') length--;
  if (length == 0 || length >= sizeof r->name) return false;
  memcpy(r->name, text, length);
  r->name[length] = 0;
  return true;
}

bool api_range_read(const zw_model* m, const char* text, const char* end, api_range* r,
                    base_notes* notes)
{
  const bool named = api_range_name(text, end, r);
  if (named && m && model_param_find(m->model, r->name) < 0) {
    base_error(notes, BASE_NOWHERE, "--over %s: the model has no param `%s`", text, r->name);
    return false;
  }
  const char *equal = named ? strchr(text, '=') : NULL, *dots = named ? strstr(equal, "..") : NULL;
  if (dots && dots < end && read_number(equal + 1, dots, &r->from) &&
      read_number(dots + 2, end, &r->to) && r->from < r->to)
    return true;
  base_error(notes, BASE_NOWHERE,
             "--over %s: expected NAME=FROM..TO with numbers, FROM below TO, or two of them with a "
             "comma between",
             text);
  return false;
}

// one range or two; how many, 0 with an error noted
static int read_ranges(const zw_model* m, const char* text, api_range* r, base_notes* notes)
{
  const char *end = text + strlen(text), *comma = strchr(text, ',');
  if (!api_range_read(m, text, comma ? comma : end, &r[0], notes)) return 0;
  if (!comma) return 1;
  comma += 1 + strspn(comma + 1, " ");
  if (!api_range_read(m, comma, end, &r[1], notes)) return 0;
  if (strcmp(r[0].name, r[1].name) != 0) return 2;
  base_error(notes, BASE_NOWHERE, "--over %s: two different params make a chart", text);
  return 0;
}

// ---- the answer ---------------------------------------------------------------------------------

static bool is_sound(const zw_stability_options* o, base_notes* notes)
{
  if (o->points == 1)
    base_error(notes, BASE_NOWHERE, "from 2 to %d points can be looked at", most_points);
  else if (o->plot && !o->over)
    base_error(notes, BASE_NOWHERE,
               "a plot of eigenvalues needs a param to vary: --over NAME=FROM..TO");
  else
    return !o->plot || out_plot_check(o->plot, notes) == 0;
  return false;
}

// Over one param: along the branch that the motion lies on, as far as its folds. Null where it
// cannot be followed: then each value is looked at by itself.
static study_scan* scan_branch(const variation* v, const api_range* r, int points)
{
  const zw_stability_options* o = v->o;
  base_notes* quiet = base_notes_new();
  zw_model* m = api_model_given(v->source, r->name, quiet);
  zw_system* given = m ? api_system_new(m, quiet) : NULL;
  study_scan* out = NULL;
  model_initial* all = NULL;
  double* value = base_alloc(sizeof(double) * (size_t)points);
  study_branches_options with = {
      .period = o->period, .orbit = o->orbit, .values = points, .value = value};
  if (given && o->state) with.given = api_state_beside(given, o->state, false, &all, quiet);
  with.state = all;
  if (given && with.given >= 0) {
    with.param = model_param_find(given->model, r->name);
    const double scale = given->model->param[with.param].scale;
    with.from = r->from * scale;
    with.to = r->to * scale;
    for (int i = 0; i < points; i++)
      value[i] = scale * (i + 1 == points ? r->to : r->from + (r->to - r->from) * i / (points - 1));
    study_branches* b = study_branches_find(given->system, &with, quiet);
    if (b) out = study_branches_scan(b, points, value, scale);
    for (int i = 0; out && i < points; i++)
      if (out->point[i]) out->point[i]->model = v->shown;
    study_branches_free(b);
  }
  free(all);
  free(value);
  api_object_drop(given);
  api_object_drop(m);
  base_notes_free(quiet);
  return out;
}

// Does no motion become unstable, or cease to be, but at a critical value? A branch that begins at
// such a value, to the last digit, does not see it.
static bool tells_all(const study_scan* s)
{
  for (int i = 1; i < s->points; i++) {
    const study_stability *a = s->point[i - 1], *b = s->point[i];
    if (!a || !b || (a->verdict == STUDY_UNSTABLE) == (b->verdict == STUDY_UNSTABLE)) continue;
    bool told = false;
    for (int k = 0; k < s->criticals; k++)
      told =
          told || (s->critical[k].value >= s->value[i - 1] && s->critical[k].value <= s->value[i]);
    if (!told) return false;
  }
  return true;
}

// along the branch; further motions are looked for at each value by itself
static study_scan* scan_over(variation* v, const api_range* r, int points,
                             const study_stability* first)
{
  study_scan* out = v->o->all ? NULL : scan_branch(v, r, points);
  if (out && !tells_all(out)) {
    study_scan_free(out);
    out = NULL;
  }
  return out ? out : study_stability_scan(r->from, r->to, points, first, vary, v);
}

// scans over the first param, one for each of some values of the second; the first motion is `r`
static int make_rows(variation* v, const api_range* r, int points, const study_stability* first,
                     study_scan** row, double* at)
{
  const zw_model* source = v->source;
  v->shown = source->model;
  for (int i = 0; i < points; i++) {
    char set[200];
    base_notes* quiet = base_notes_new();
    at[i] = i + 1 == points ? r[1].to : r[1].from + (r[1].to - r[1].from) * i / (points - 1);
    snprintf(set, sizeof set, "%s=%.17g", r[1].name, at[i]);
    zw_model* m = api_model_again(source, set, quiet);
    v->source = m;
    if (m) row[i] = scan_over(v, &r[0], points, first);
    api_object_drop(m);
    base_notes_free(quiet);
  }
  v->source = source;
  return points;
}

static void scan(zw_system* s, const zw_stability_options* o, const api_range* r, int ranges,
                 out_stability* shown)
{
  variation v = {.source = s->source, .name = r[0].name, .o = o, .shown = s->source->model};
  const int usual = ranges == 2 ? usual_rows : usual_points, points = o->points ? o->points : usual;
  shown->over = r[0].name;
  shown->scan = scan_over(&v, &r[0], points, shown->at);
  if (ranges < 2) return;
  shown->second = r[1].name;
  shown->row = base_alloc(sizeof *shown->row * (size_t)points);
  shown->row_at = base_alloc(sizeof *shown->row_at * (size_t)points);
  shown->rows = make_rows(&v, r, points, shown->at, shown->row, shown->row_at);
}

static void drop(out_stability* shown)
{
  for (int i = 0; i < shown->rows; i++) study_scan_free(shown->row[i]);
  free(shown->row);
  free(shown->row_at);
  study_scan_free(shown->scan);
}

char* zw_stability(zw_system* s, const zw_stability_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, stability_options), API_HAS(style));
  base_notes* n = notes->notes;
  const bool json = !strcmp(style, "json");
  api_range r[2];
  int ranges = 0;
  if (!json && strcmp(style, "text") != 0) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text and json");
    return NULL;
  }
  if (!is_sound(o, n)) return NULL;
  if (o->over && !(ranges = read_ranges(s->source, o->over, r, n))) return NULL;
  study_stability* at = find(s, o, NULL, n);
  if (!at) return NULL;
  out_stability shown = {.at = at};
  if (ranges) scan(s, o, r, ranges, &shown);
  base_text text = {0};
  const bool drawn = !o->plot || out_stability_plot(&shown, o->plot, n) == 0;
  if (drawn) out_stability_write(&shown, json, &text);
  drop(&shown);
  study_stability_free(at);
  return drawn ? api_hand_out_text(base_text_take(&text)) : NULL;
}
