// Programs: a system compiled once, what differs from run to run given with each.
#include "api/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// below it numbers have twice the digits of the doubles that are given
static const double least_tolerance = 1e-15;

// ---- the model anew -----------------------------------------------------------------------------

// a sum over the texts that a model was read from
static uint64_t sum_of(const base_notes* notes, int first, int count)
{
  uint64_t sum = api_sum_start;
  for (int i = first; i < first + count; i++) {
    size_t n;
    const char* text = base_notes_source_text(notes, i, &n);
    if (text) sum = api_sum(api_sum(sum, &n, sizeof n), text, n);
  }
  return sum;
}

static const char* first_error(const base_notes* notes)
{
  for (int i = 0; i < base_notes_count(notes); i++)
    if (base_notes_level(notes, i) == BASE_ERROR) return base_notes_reason(notes, i);
  return "it cannot be read";
}

// the program's own model, as that of the system was read; false with an error noted
static bool read_again(zw_program* p, const zw_model* m, base_notes* notes)
{
  const char* const* sets = (const char* const*)m->sets;
  // its texts have the same numbers there: what is said of a run is shown in those of the system
  while (base_notes_sources(p->notes) < m->first_source) base_notes_source(p->notes, "", "", 0);
  p->model = m->text
                 ? api_model_read_text(m->path, m->text, m->length, sets, m->set_count, p->notes)
                 : api_model_read(m->path, sets, m->set_count, p->notes);
  if (!p->model) {
    base_error(notes, BASE_NOWHERE, "%s: %s", m->path, first_error(p->notes));
    return false;
  }
  p->print = sum_of(p->notes, p->model->first_source, p->model->sources);
  if (p->print == sum_of(m->notes, m->first_source, m->sources)) return true;
  base_error(notes, BASE_NOWHERE, "%s has changed since the model was read", m->path);
  return false;
}

// ---- inputs -------------------------------------------------------------------------------------

// The start that the model says, where it is a number whatever is given; false with an error noted,
// unless there are no notes: then it is no more than an attempt.
static bool find_start(const model* m, const model_varied* v, double* number, base_notes* notes)
{
  const model_coord* c = &m->coord[v->coord];
  *number = v->order ? 0 : c->start;
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->coord != v->coord || x->order != v->order) continue;
    expr* symbol = base_alloc(sizeof *symbol * (size_t)(m->params + 1));
    double* value = base_alloc(sizeof *value * (size_t)(m->params + 1));
    const char* by = NULL;
    for (int k = 0; k < m->params; k++) {
      symbol[k] = m->param[k].symbol;
      value[k] = m->param[k].number;
      if (m->param[k].given && expr_has(m->pool, x->value, symbol[k])) by = m->param[k].name;
    }
    *number = expr_value(m->pool, x->value, m->params, symbol, value);
    free(symbol);
    free(value);
    if (!by) continue;
    if (!notes) return false;
    base_error(notes, x->place, "the start of `%s` follows from `%s`, which is an input, too",
               c->name, by);
    base_help(notes, "give one of them");
    return false;
  }
  return true;
}

static bool give_param(zw_program* p, int k, base_notes* notes)
{
  model* m = p->model->model;
  if (model_give(m, k)) return true;
  if (!notes) return false;
  base_error(notes, m->param[k].place, "`%s` cannot be an input: what the model is depends on it",
             m->param[k].name);
  base_help(notes, m->param[k].changes ? "stages or events of the model set it"
                                       : "read the model anew with another value");
  return false;
}

static int find(int count, const char* const* name, const char* wanted)
{
  for (int i = 0; wanted && i < count; i++)
    if (!strcmp(name[i], wanted)) return i;
  return -1;
}

// false where it cannot be one, with an error noted where there are notes
static bool take_input(zw_program* p, const char* name, model_varied v, base_notes* notes)
{
  model* m = p->model->model;
  double number;
  if (v.param >= 0 && !give_param(p, v.param, notes)) return false;
  if (v.param < 0) {
    if (!find_start(m, &v, &number, notes)) return false;
    v.param = model_start_given(m, &v);
    m->param[v.param].number = number;
  }
  p->input[p->inputs] = name;
  p->param[p->inputs] = v.param;
  p->scale[p->inputs++] = m->param[v.param].scale;
  return true;
}

static bool add_input(zw_program* p, const char* name, base_notes* notes)
{
  model_varied v;
  if (find(p->inputs, p->input, name) >= 0) {
    base_error(notes, BASE_NOWHERE, "`%s` is named twice among the inputs", name);
    return false;
  }
  return model_varied_find(p->model->model, "inputs", name, notes, &v) &&
         take_input(p, name, v, notes);
}

static void make_room(zw_program* p, int count)
{
  p->input = base_arena_take(p->arena, sizeof *p->input * (size_t)count);
  p->param = base_arena_take(p->arena, sizeof *p->param * (size_t)count);
  p->scale = base_arena_take(p->arena, sizeof *p->scale * (size_t)count);
}

static bool has_velocity(const model* m, expr f)
{
  for (int i = 0; i < m->coords; i++)
    if (expr_has(m->pool, f, m->coord[i].v)) return true;
  return false;
}

// Is it found from an equation between several starts, as the velocities are from `initial omega(F)
// = w`? Such an equation is solved for velocities where it has any.
static bool is_found(const model* m, const model_varied* v)
{
  for (int i = 0; i < m->initials; i++) {
    const model_initial* x = &m->initial[i];
    if (x->coord >= 0 || x->guess) continue;
    const bool moves = has_velocity(m, x->f);
    const expr own = v->order ? m->coord[v->coord].v : m->coord[v->coord].q;
    if ((moves == (v->order == 1)) && expr_has(m->pool, x->f, own)) return true;
  }
  return false;
}

// Is the start said, or free to be anything? One that is found from others, by constraints or
// equations of the start, would be said twice.
static bool is_said(const model* m, const model_varied* v)
{
  for (int i = 0; i < m->initials; i++)
    if (m->initial[i].coord == v->coord && m->initial[i].order == v->order) return true;
  return m->constraints == 0 && m->contacts == 0 && !is_found(m, v);
}

// Everything that can be one: params, then the starts that do not follow from them. What is said by
// other params goes on following from them.
static void take_all(zw_program* p)
{
  model* m = p->model->model;
  const int params = m->params;
  make_room(p, params + 2 * m->coords + 1);
  for (int i = 0; i < params; i++)
    if (!m->param[i].made && m->param[i].definition == EXPR_NONE)
      take_input(p, m->param[i].name, (model_varied){.param = i, .coord = -1}, NULL);
  for (int i = 0; i < m->coords; i++)
    for (int order = 0; order < 2; order++) {
      model_varied v;
      const char* name = base_arena_printf(p->arena, "%s%s", m->coord[i].name, order ? "'" : "");
      if (model_varied_find(m, "inputs", name, NULL, &v) && v.param < 0 && is_said(m, &v))
        take_input(p, name, v, NULL);
    }
}

// params first: what a start follows from is then known
static bool read_inputs(zw_program* p, const char* words, base_notes* notes)
{
  if (!strcmp(words, "*")) {
    take_all(p);
    return true;
  }
  char* text = base_arena_strdup(p->arena, words);
  int count = 1;
  for (const char* c = text; *c; c++) count += *c == ',';
  make_room(p, count);
  const char** name = base_arena_take(p->arena, sizeof *name * (size_t)count);
  int names = 0;
  char* rest;
  for (char* word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    word += strspn(word, " \t\n");
    for (size_t n = strlen(word); n && strchr(" \t\n", word[n - 1]);) word[--n] = 0;
    if (*word) name[names++] = word;
  }
  bool fine = true;
  for (int start = 0; start < 2; start++)
    for (int i = 0; i < names && fine; i++)
      if ((model_param_find(p->model->model, name[i]) < 0) == start)
        fine = add_input(p, name[i], notes);
  return fine;
}

static bool may_have_inputs(const zw_program* p, base_notes* notes)
{
  const model* m = p->model->model;
  const double tolerance = p->wish.tolerance > 0 ? p->wish.tolerance : m->tolerance;
  if (m->settle)
    base_error(notes, BASE_NOWHERE,
               "a model that starts at rest or steadily has another start for other inputs: it has "
               "none");
  else if (tolerance > 0 && tolerance < least_tolerance)
    base_error(notes, BASE_NOWHERE,
               "a tolerance of %g has more digits than inputs have; from 1e-15 on they are taken",
               tolerance);
  else
    return true;
  return false;
}

// ---- options ------------------------------------------------------------------------------------

static const char* copy(base_arena* a, const char* text)
{
  return text ? base_arena_strdup(a, text) : NULL;
}

static bool take_options(zw_program* p, const zw_run_options* o, base_notes* notes)
{
  const char* other = o->keep         ? "keep"
                      : o->resume     ? "resume"
                      : o->estimate   ? "estimate"
                      : o->digits > 0 ? "digits"
                                      : NULL;
  if (other) {
    base_error(notes, BASE_NOWHERE, "zw_program_new: the option `%s` is for zw_run alone", other);
    return false;
  }
  if (o->scene && !(o->every > 0) && !o->points && !o->at_count) {
    base_error(notes, BASE_NOWHERE, "zw_program_new: `scene` needs `every`, `points` or `at`");
    return false;
  }
  p->wish = *o;
  p->wish.method = copy(p->arena, o->method);
  p->wish.contact_solver = copy(p->arena, o->contact_solver);
  p->wish.contacts = copy(p->arena, o->contacts);
  p->wish.beyond = copy(p->arena, o->beyond);
  double* at = base_arena_take(p->arena, sizeof *at * (size_t)(o->at_count + 1));
  if (o->at_count) memcpy(at, o->at, sizeof *at * (size_t)o->at_count);
  p->wish.at = at;
  return api_run_read(&p->wish, &p->options, notes);
}

// what a moving picture needs of every row is computed with it
static void add_scene(zw_program* p)
{
  expr* watch;
  p->scene = model_scene_make(p->system->model);
  p->options.watched = out_view_watch(p->system->model, p->scene, p->arena, &watch);
  p->options.watch = watch;
}

static void note_columns(zw_program* p)
{
  walk_track t = {.model = p->system->system->model, .arena = p->arena};
  walk_rows_columns(&t);
  p->columns = t.columns;
  p->column = t.column;
  p->unit = t.unit;
}

static void note_numbers(zw_program* p)
{
  const model* m = p->model->model;
  p->usual = base_arena_take(p->arena, sizeof *p->usual * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++) p->usual[i] = m->param[i].number;
  for (int i = 0; i < p->inputs; i++)
    p->print = api_sum(p->print, p->input[i], strlen(p->input[i]) + 1);
  for (int i = 0; i < p->model->set_count; i++)
    p->print = api_sum(p->print, p->model->sets[i], strlen(p->model->sets[i]) + 1);
  p->print = api_sum(p->print, ZWANG_VERSION, sizeof ZWANG_VERSION);
}

static bool make(zw_program* p, const zw_model* m, const char* inputs, const zw_run_options* o,
                 base_notes* notes)
{
  if (!take_options(p, o, notes) || !read_again(p, m, notes)) return false;
  if (inputs && *inputs && (!may_have_inputs(p, notes) || !read_inputs(p, inputs, notes)))
    return false;
  p->system = api_system_new(p->model, p->notes);
  if (!p->system) {
    base_error(notes, BASE_NOWHERE, "%s: %s", m->path, first_error(p->notes));
    return false;
  }
  if (o->scene) add_scene(p);
  note_columns(p);
  note_numbers(p);
  // and all that a run needs is made
  return walk_run_try(p->system->system, &p->options, notes);
}

zw_program* zw_program_new(const zw_system* s, const char* inputs, const zw_run_options* o,
                           zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, api_run_options));
  zw_program* p = api_object_new(API_PROGRAM, sizeof *p, NULL, NULL);
  p->notes = base_notes_new();
  p->arena = base_arena_new();
  if (make(p, s->source, inputs, o, notes->notes)) return api_hand_out(p);
  api_object_drop(p);
  return NULL;
}

void api_program_clear(void* program)
{
  zw_program* p = program;
  api_object_drop(p->system);
  api_object_drop(p->model);
  base_notes_free(p->notes);
  base_arena_free(p->arena);
}

void zw_program_free(zw_program* p)
{
  if (api_take_back(API_PROGRAM, p)) api_object_drop(p);
}

// ---- what it has --------------------------------------------------------------------------------

int zw_program_input(const zw_program* p, const char* name)
{
  API_ENTER_QUIET(-1, PROGRAM, p);
  return find(p->inputs, p->input, name);
}

int zw_program_column(const zw_program* p, const char* name)
{
  API_ENTER_QUIET(-1, PROGRAM, p);
  return find(p->columns, p->column, name);
}

int zw_program_inputs(const zw_program* p)
{
  API_ENTER_QUIET(0, PROGRAM, p);
  return p->inputs;
}

const char* zw_program_input_name(const zw_program* p, int input)
{
  API_ENTER_QUIET(NULL, PROGRAM, p);
  return input >= 0 && input < p->inputs ? p->input[input] : NULL;
}

int zw_program_columns(const zw_program* p)
{
  API_ENTER_QUIET(0, PROGRAM, p);
  return p->columns;
}

const char* zw_program_column_name(const zw_program* p, int column)
{
  API_ENTER_QUIET(NULL, PROGRAM, p);
  return column >= 0 && column < p->columns ? p->column[column] : NULL;
}

const char* zw_program_column_unit(const zw_program* p, int column)
{
  API_ENTER_QUIET(NULL, PROGRAM, p);
  return column >= 0 && column < p->columns ? p->unit[column] : NULL;
}

int zw_program_coords(const zw_program* p)
{
  API_ENTER_QUIET(0, PROGRAM, p);
  return p->system->system->n;
}
