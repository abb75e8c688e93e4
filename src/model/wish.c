// Wishes: title, run, tolerance, method, outputs, plots.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// ---- said once ----------------------------------------------------------------------------------

static bool said_before(model_scope* s, const lang_statement* st, const char* word,
                        const lang_statement** first)
{
  if (!*first) {
    *first = st;
    return false;
  }
  base_error(s->notes, st->place, "`%s` is said twice", word);
  base_info(s->notes, (*first)->place, "first said here");
  return true;
}

// a time that is known before the run
static expr read_time(model_scope* s, const lang_node* n)
{
  expr e;
  model_dim d;
  int never = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_JERK | MODEL_USES_RATE;
  if (!model_eval_scalar(s, n, "a time", &e, &d)) return EXPR_NONE;
  if (!model_expect_dim(s, n, d, model_dim_of(0, 0, 1), "a time")) return EXPR_NONE;
  return model_expect_free(s, n, e, never, "a time of the run") ? e : EXPR_NONE;
}

static void read_run(model_scope* s, const lang_statement* st)
{
  model* m = s->m;
  m->has_run = true;
  m->run_from = read_time(s, st->from);
  m->run_to = read_time(s, st->to);
  if (m->run_from == EXPR_NONE || m->run_to == EXPR_NONE) return;
  const double from = expr_value(s->pool, model_scope_exact(s, m->run_from), 0, NULL, NULL),
               to = expr_value(s->pool, model_scope_exact(s, m->run_to), 0, NULL, NULL);
  model_scope_bound(s, expr_sub(s->pool, m->run_to, m->run_from));
  if (!isfinite(from) || !isfinite(to))
    base_error(s->notes, st->place, "the bounds of the run have no finite value");
  else if (!(from < to)) {
    base_error(s->notes, st->place, "the run ends (%g) before it begins (%g)", to, from);
    if (to < from) base_help(s->notes, "the earlier time comes first: run %g .. %g", to, from);
  }
}

static void read_tolerance(model_scope* s, const lang_statement* st)
{
  expr e;
  model_dim d;
  if (!model_eval_scalar(s, st->value, "a tolerance", &e, &d)) return;
  s->m->tolerance = model_scope_number(s, e);
  if (s->m->tolerance >= 1e-30 && s->m->tolerance <= 0.1) return;
  base_error(s->notes, st->value->place, "a tolerance is a number from 1e-30 to 0.1");
  s->m->tolerance = 0;
}

model_beyond model_beyond_of(const char* word)
{
  static const char* const words[] = {"", "impact", "slip", "stop"};
  int at = 0;
  while (at < MODEL_BEYONDS && strcmp(words[at], word) != 0) at++;
  return (model_beyond)at;
}

// ---- plots --------------------------------------------------------------------------------------

// "eta [m]": as written, with the unit when it is known
static const char* label(model_scope* s, const lang_node* n, expr e, model_dim d)
{
  const char* unit = model_unit_of(s, e, d);
  char* text = base_notes_quote(s->notes, n->place, s->arena);
  return *unit ? base_arena_printf(s->arena, "%s [%s]", text, unit) : text;
}

static bool is_length(model_dim d)
{
  model_dim metre = model_dim_of(1, 0, 0);
  return d.kind == MODEL_DIM_KNOWN && model_dim_same(&d, &metre);
}

static bool curve(model_scope* s, const lang_node* n, expr* e, const char** name, bool* length)
{
  model_dim d;
  s->outputs_too = true;
  bool fine = model_eval_scalar(s, n, "what is drawn", e, &d);
  s->outputs_too = false;
  if (!fine) return false;
  if (!model_expect_free(s, n, *e, MODEL_USES_JERK, "what is drawn")) return false;
  *name = label(s, n, *e, d);
  *length &= is_length(d);
  return true;
}

// the event of a section; -1 with an error noted
static int event_of(model_scope* s, lang_word word)
{
  const model* m = s->m;
  const char** names = base_arena_take(s->arena, sizeof *names * (size_t)(m->events + 1));
  for (int i = 0; i < m->events; i++) {
    if (strcmp(m->event[i].name, word.text) == 0) return i;
    names[i] = m->event[i].name;
  }
  base_error(s->notes, word.place, "there is no event `%s`", word.text);
  const char* near = base_nearest(word.text, names, m->events);
  if (near)
    base_help(s->notes, "did you mean `%s`?", near);
  else
    base_help(s->notes,
              "a section is drawn where an event happens: event %s: sin(t) = 0 rising "
              "report",
              word.text);
  return -1;
}

static void read_plot(model_scope* s, const lang_statement* st)
{
  model_plot* x = &s->m->plot[s->m->plots++];
  x->title = st->text ? base_arena_strdup(s->arena, st->text) : "";
  x->y = base_arena_take(s->arena, (size_t)(st->curves + 1) * sizeof *x->y);
  x->y_label = base_arena_take(s->arena, (size_t)(st->curves + 1) * sizeof *x->y_label);
  x->same_scale = true;
  x->section = st->on.text ? 1 + event_of(s, st->on) : 0;
  for (int i = 0; i < st->curves; i++)
    if (curve(s, st->curve[i], &x->y[x->curves], &x->y_label[x->curves], &x->same_scale))
      x->curves++;
  curve(s, st->against, &x->x, &x->x_label, &x->same_scale);
}

// ---- all ----------------------------------------------------------------------------------------

typedef struct said
{
  const lang_statement *model, *run, *tolerance, *method, *beyond;
} said;

static void wish(model_scope* s, const lang_statement* st, said* first)
{
  model* m = s->m;
  switch (st->kind) {
  case LANG_MODEL:
    if (!said_before(s, st, "model", &first->model) && st->text)
      m->title = base_arena_strdup(s->arena, st->text);
    break;
  case LANG_RUN:
    if (!said_before(s, st, "run", &first->run)) read_run(s, st);
    break;
  case LANG_TOLERANCE:
    if (!said_before(s, st, "tolerance", &first->tolerance)) read_tolerance(s, st);
    break;
  case LANG_METHOD:
    if (!said_before(s, st, "method", &first->method) && st->name.text) {
      m->method = base_arena_strdup(s->arena, st->name.text);
      m->method_place = st->name.place;
    }
    break;
  case LANG_BEYOND:
    if (!said_before(s, st, "beyond paradox", &first->beyond) && st->name.text)
      m->beyond = model_beyond_of(st->name.text);
    break;
  case LANG_PLOT:
    read_plot(s, st);
    break;
  default:
    break;
  }
}

void model_wish_build(model_scope* s)
{
  model* m = s->m;
  int outputs = 0, plots = 0;
  for (int i = 0; i < s->entries.n; i++) outputs += s->entries.at[i]->sort == MODEL_IS_OUTPUT;
  for (int i = 0; i < s->tree->count; i++) plots += s->tree->at[i]->kind == LANG_PLOT;
  m->output = base_arena_take(s->arena, (size_t)(3 * outputs + 1) * sizeof *m->output);
  m->plot = base_arena_take(s->arena, (size_t)(plots + 1) * sizeof *m->plot);
  for (int i = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->sort == MODEL_IS_OUTPUT) model_output_build(s, s->entries.at[i]);
  said first = {0};
  for (int i = 0; i < s->tree->count; i++) wish(s, s->tree->at[i], &first);
}
