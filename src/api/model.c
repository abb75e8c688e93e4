// From text to a model and its system.
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// "NAME=VALUE" apart; false with an error noted
static bool split_sets(const char* const* sets, int count, base_arena* arena, model_override* out,
                       base_notes* notes)
{
  bool fine = true;
  for (int i = 0; i < count; i++) {
    const char* equal = strchr(sets[i], '=');
    if (!equal || equal == sets[i] || !equal[1]) {
      base_error(notes, BASE_NOWHERE, "--set %s: expected NAME=VALUE", sets[i]);
      fine = false;
      continue;
    }
    out[i] = (model_override){.name = base_arena_strndup(arena, sets[i], (size_t)(equal - sets[i])),
                              .value = equal + 1};
  }
  return fine;
}

// What is set is given with the run, so that runs for other values are made of the same program: of
// a sweep, too, whose numbers are those of a run with `--set`, to the last bit.
static void give(model* m, int count, const model_override* override)
{
  for (int i = 0; i < count; i++) {
    const int k = model_param_find(m, override[i].name);
    if (k < 0 || !model_give(m, k)) continue;
    char* end;
    const double number = strtod(override[i].value, &end);
    if (!*end) m->param[k].number = number * m->param[k].scale;
  }
}

// params `kept` stay symbols
static zw_model* build_kept(const lang_tree* tree, const char* const* sets, int count,
                            const char* const* kept, int kept_count, base_arena* arena,
                            base_notes* notes)
{
  const int all = count + kept_count;
  model_override* override = base_arena_take(arena, sizeof *override * (size_t)(all + 1));
  const bool fine = split_sets(sets, count, arena, override, notes);
  for (int i = 0; i < kept_count; i++) override[count + i] = (model_override){.name = kept[i]};
  model* m = tree && fine ? model_build(tree, all, override, notes) : NULL;
  if (m && base_notes_errors(notes)) {
    model_free(m);
    m = NULL;
  }
  if (m) give(m, count, override);
  base_arena_free(arena);
  if (!m) return NULL;
  zw_model* out = api_object_new(API_MODEL, sizeof *out, NULL, NULL);
  out->model = m;
  return out;
}

static zw_model* build(const lang_tree* tree, const char* const* sets, int count, base_arena* arena,
                       base_notes* notes)
{
  return build_kept(tree, sets, count, NULL, 0, arena, notes);
}

static char* copy(const char* text, size_t length)
{
  char* out = base_alloc(length + 1);
  memcpy(out, text, length);
  return out;
}

static zw_model* remember(zw_model* m, const char* path, const char* text, size_t length,
                          const char* const* sets, int count)
{
  if (!m) return NULL;
  m->path = copy(path, strlen(path));
  m->text = text ? copy(text, length) : NULL;
  m->length = length;
  m->sets = base_alloc(sizeof *m->sets * (size_t)(count + 1));
  for (m->set_count = 0; m->set_count < count; m->set_count++)
    m->sets[m->set_count] = copy(sets[m->set_count], strlen(sets[m->set_count]));
  return m;
}

static zw_model* from_sources(zw_model* m, const base_notes* notes, int first, int count)
{
  if (!m) return NULL;
  m->notes = notes;
  m->first_source = first;
  m->sources = count;
  return m;
}

static zw_model* read_file(const char* path, const char* const* sets, int set_count,
                           const lang_mechanism* mechanism, base_notes* notes)
{
  lang_limits limits = lang_limits_default();
  limits.mechanism = mechanism;
  base_arena* arena = base_arena_new();
  const int first = base_notes_sources(notes);
  const lang_tree* tree = lang_parse_file(path, &limits, arena, notes);
  const int sources = base_notes_sources(notes) - first;
  zw_model* m = build(tree, sets, set_count, arena, notes);
  return from_sources(remember(m, path, NULL, 0, sets, set_count), notes, first, sources);
}

static zw_model* read_text(const char* name, const char* text, size_t length,
                           const char* const* sets, int set_count, const lang_mechanism* mechanism,
                           base_notes* notes)
{
  lang_limits limits = lang_limits_default();
  limits.mechanism = mechanism;
  base_arena* arena = base_arena_new();
  const int first = base_notes_sources(notes);
  const lang_tree* tree = lang_parse(name, text, length, NULL, &limits, arena, notes);
  const int sources = base_notes_sources(notes) - first;
  zw_model* m = build(tree, sets, set_count, arena, notes);
  return from_sources(remember(m, name, text, length, sets, set_count), notes, first, sources);
}

zw_model* api_model_read(const char* path, const char* const* sets, int set_count,
                         base_notes* notes)
{
  return read_file(path, sets, set_count, NULL, notes);
}

zw_model* api_model_read_text(const char* name, const char* text, size_t length,
                              const char* const* sets, int set_count, base_notes* notes)
{
  return read_text(name, text, length, sets, set_count, NULL, notes);
}

zw_model* zw_mechanism_read(const char* path, const char* const* sets, int set_count,
                            const char* const* drives, int drive_count, double until,
                            zw_notes* notes)
{
  API_ENTER(notes, NULL, API_HAS(path), API_HAS_ALL(sets, set_count),
            API_HAS_ALL(drives, drive_count));
  const lang_mechanism driven = {drive_count, drives, until};
  zw_model* m = read_file(path, sets, set_count, &driven, notes->notes);
  api_object_keep(m, notes);
  return api_hand_out(m);
}

zw_model* zw_mechanism_read_text(const char* name, const char* text, size_t length,
                                 const char* const* sets, int set_count, const char* const* drives,
                                 int drive_count, double until, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_HAS(name), API_HAS(text), API_HAS_ALL(sets, set_count),
            API_HAS_ALL(drives, drive_count));
  const lang_mechanism driven = {drive_count, drives, until};
  zw_model* m = read_text(name, text, length, sets, set_count, &driven, notes->notes);
  api_object_keep(m, notes);
  return api_hand_out(m);
}

zw_model* zw_model_read(const char* path, const char* const* sets, int set_count, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_HAS(path), API_HAS_ALL(sets, set_count));
  zw_model* m = api_model_read(path, sets, set_count, notes->notes);
  api_object_keep(m, notes);
  return api_hand_out(m);
}

zw_model* zw_model_read_text(const char* name, const char* text, size_t length,
                             const char* const* sets, int set_count, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_HAS(name), API_HAS(text), API_HAS_ALL(sets, set_count));
  zw_model* m = api_model_read_text(name, text, length, sets, set_count, notes->notes);
  api_object_keep(m, notes);
  return api_hand_out(m);
}

// does the set name the same param as the other?
static bool same_param(const char* a, const char* b)
{
  const size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && !memcmp(a, b, length);
}

zw_model* api_model_again(const zw_model* m, const char* set, base_notes* notes)
{
  const char** sets = base_alloc(sizeof *sets * (size_t)(m->set_count + 1));
  int count = 0;
  for (int i = 0; i < m->set_count; i++)
    if (!same_param(m->sets[i], set)) sets[count++] = m->sets[i];
  sets[count++] = set;
  zw_model* out = m->text ? api_model_read_text(m->path, m->text, m->length, sets, count, notes)
                          : api_model_read(m->path, sets, count, notes);
  free(sets);
  return out;
}

zw_model* api_model_kept(const zw_model* m, const char* const* kept, int count, base_notes* notes)
{
  const lang_limits limits = lang_limits_default();
  base_arena* arena = base_arena_new();
  const lang_tree* tree = m->text
                              ? lang_parse(m->path, m->text, m->length, NULL, &limits, arena, notes)
                              : lang_parse_file(m->path, &limits, arena, notes);
  return build_kept(tree, (const char* const*)m->sets, m->set_count, kept, count, arena, notes);
}

void api_model_clear(void* object)
{
  zw_model* m = object;
  model_free(m->model);
  for (int i = 0; i < m->set_count; i++) free(m->sets[i]);
  free(m->sets);
  free(m->path);
  free(m->text);
}

void zw_model_free(zw_model* m)
{
  if (api_take_back(API_MODEL, m)) api_object_drop(m);
}

const char* zw_model_title(const zw_model* m)
{
  API_ENTER_QUIET(NULL, MODEL, m);
  return m->model->title;
}

int zw_model_coords(const zw_model* m)
{
  API_ENTER_QUIET(0, MODEL, m);
  return m->model->coords;
}

const char* zw_model_coord(const zw_model* m, int i)
{
  API_ENTER_QUIET(NULL, MODEL, m);
  return i >= 0 && i < m->model->coords ? m->model->coord[i].name : NULL;
}

int zw_model_constraints(const zw_model* m)
{
  API_ENTER_QUIET(0, MODEL, m);
  return m->model->constraints;
}

const char* zw_model_constraint(const zw_model* m, int k)
{
  API_ENTER_QUIET(NULL, MODEL, m);
  return k >= 0 && k < m->model->constraints ? m->model->constraint[k].name : NULL;
}

// the params that somebody wrote stand in one row; -1: there are no more
static int written_param(const model* m, int i)
{
  for (int k = 0; k < m->params; k++)
    if (!m->param[k].made && i-- == 0) return k;
  return -1;
}

int zw_model_params(const zw_model* m)
{
  API_ENTER_QUIET(0, MODEL, m);
  int count = 0;
  for (int k = 0; k < m->model->params; k++) count += !m->model->param[k].made;
  return count;
}

const char* zw_model_param_name(const zw_model* m, int i)
{
  API_ENTER_QUIET(NULL, MODEL, m);
  const int k = i < 0 ? -1 : written_param(m->model, i);
  return k < 0 ? NULL : m->model->param[k].name;
}

zw_status zw_model_start(zw_model* m, const char* name, double value, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_IS(MODEL, m), API_HAS(name));
  if (!isfinite(value)) {
    base_error(notes->notes, BASE_NOWHERE, "start: `%s` is given no number", name);
    return ZW_BAD_INPUT;
  }
  model_varied v;
  if (!model_varied_find(m->model, "start", name, notes->notes, &v)) return ZW_BAD_INPUT;
  if (v.param >= 0) {
    base_error(notes->notes, BASE_NOWHERE, "start: `%s` is a param, no coordinate", name);
    return ZW_BAD_INPUT;
  }
  const int k = model_start_given(m->model, &v);
  m->model->param[k].number = value;
  return ZW_OK;
}

bool zw_model_give(zw_model* m, const char* name, zw_notes* notes)
{
  API_ENTER(notes, false, API_IS(MODEL, m), API_HAS(name));
  const int k = model_param_find(m->model, name);
  if (k < 0) base_error(notes->notes, BASE_NOWHERE, "the model has no param `%s`", name);
  return k >= 0 && model_give(m->model, k);
}

double zw_model_param(const zw_model* m, const char* name)
{
  API_ENTER_QUIET(NAN, MODEL, m);
  const int i = name ? model_param_find(m->model, name) : -1;
  return i < 0 ? NAN : m->model->param[i].number;
}

zw_system* api_system_new(zw_model* m, base_notes* notes)
{
  return api_system_of(m, m->model, notes);
}

zw_system* api_system_of(zw_model* m, model* of, base_notes* notes)
{
  mech_system* s = mech_derive(of, notes);
  if (s && !api_settle(of, s, notes)) {
    mech_free(s);
    s = NULL;
  }
  if (!s) return NULL;
  zw_system* out = api_object_new(API_SYSTEM, sizeof *out, m, NULL);
  out->model = of;
  out->source = m;
  out->system = s;
  return out;
}

void api_system_clear(void* system)
{
  mech_free(((zw_system*)system)->system);
}

zw_system* zw_derive(zw_model* m, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(MODEL, m));
  return api_hand_out(api_system_new(m, notes->notes));
}

void zw_system_free(zw_system* s)
{
  if (api_take_back(API_SYSTEM, s)) api_object_drop(s);
}
