// Stages and events: what is set, which constraints are switched, when it happens.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// ---- set ----------------------------------------------------------------------------------------

static bool find_target(model_scope* s, const lang_node* n, model_set* x, model_entry** entry)
{
  int primes = 0;
  const lang_node* name = n;
  if (name->kind == LANG_PRIMES) {
    primes = name->primes;
    name = name->kid[0];
  }
  if (name->kind != LANG_NAME) {
    base_error(s->notes, n->place, "only a param, a coordinate or its velocity can be set");
    return false;
  }
  model_entry* e = model_names_find(&s->names, name->text);
  if (!e) {
    model_scope_unknown(s, "param", name->text, name->place,
                        1 << MODEL_IS_PARAM | 1 << MODEL_IS_COORD | 1 << MODEL_IS_STATE);
    return false;
  }
  *entry = e;
  x->index = e->index;
  // a state is a velocity already
  if (e->sort == MODEL_IS_STATE) primes++;
  bool coord = e->sort == MODEL_IS_COORD || e->sort == MODEL_IS_STATE;
  x->target = !coord ? MODEL_SET_PARAM : primes ? MODEL_SET_VELOCITY : MODEL_SET_COORD;
  if ((e->sort == MODEL_IS_PARAM && !primes) || (coord && primes <= 1)) return true;
  if (e->sort == MODEL_IS_UNSUPPORTED) return false;
  if (coord || e->sort == MODEL_IS_PARAM)
    base_error(s->notes, n->place, "this derivative cannot be set");
  else
    base_error(s->notes, n->place,
               "only a param, a coordinate or its velocity can be set, `%s` "
               "is %s",
               e->name, model_sort_text(e));
  return false;
}

static bool read_over(model_scope* s, const lang_node* n, model_set* x)
{
  model_dim d;
  if (x->target != MODEL_SET_PARAM) {
    base_error(s->notes, n->place, "only a param can change smoothly with `over`");
    return false;
  }
  if (!model_eval_scalar(s, n, "a duration", &x->over, &d)) return false;
  if (!model_expect_dim(s, n, d, model_dim_of(0, 0, 1), "a duration")) return false;
  int never = MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_TIME;
  if (!model_expect_free(s, n, x->over, never, "a duration")) return false;
  if (model_scope_number(s, x->over) > 0) return true;
  base_error(s->notes, n->place, "a duration is positive");
  return false;
}

static bool read_set(model_scope* s, const lang_set* from, model_set* x)
{
  model_entry* e = NULL;
  model_dim d, wanted;
  if (!from->target || !from->value) return false;
  bool fine = find_target(s, from->target, x, &e);
  x->place = base_place_join(from->target->place, from->value->place);
  x->over = EXPR_NONE;
  if (!model_eval_scalar(s, from->value, "a value to set", &x->value, &d)) return false;
  int never = MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION;
  if (!model_expect_free(s, from->value, x->value, never, "a value to set") || !fine) return false;
  wanted =
      model_dim_rate(e->value.d[0], x->target == MODEL_SET_VELOCITY && e->sort != MODEL_IS_STATE);
  if (!model_expect_dim(s, from->value, d, wanted, "this value")) return false;
  // expressions are in SI; a number that may be meant otherwise is pointed out
  bool zero = x->value == expr_int(s->pool, 0);
  if (x->target == MODEL_SET_PARAM && e->scale != expr_int(s->pool, 1) && !zero &&
      model_dim_is_bare(d))
    base_warning(s->notes, from->value->place,
                 "`%s` is declared in [%s], but what it is set to is "
                 "taken in SI units",
                 e->name, s->m->param[e->index].unit);
  if (from->shares && x->target != MODEL_SET_PARAM) return true;
  return !from->over || read_over(s, from->over, x);
}

// a number for each thing that can be set
static int slot(const model_scope* s, const model_set* x)
{
  int coords = s->m->coords;
  return x->target == MODEL_SET_PARAM   ? 2 * coords + x->index
         : x->target == MODEL_SET_COORD ? x->index
                                        : coords + x->index;
}

// in a sample one follows the other: what was set before has its new value
static expr behind_others(model_scope* s, const model_change* c, expr value)
{
  expr* from = base_alloc(sizeof *from * (size_t)(2 * c->sets + 1));
  expr* to = from + c->sets;
  for (int i = 0; i < c->sets; i++) {
    const model_set* x = &c->set[i];
    from[i] = x->target == MODEL_SET_PARAM   ? s->m->param[x->index].symbol
              : x->target == MODEL_SET_COORD ? s->m->coord[x->index].q
                                             : s->m->coord[x->index].v;
    to[i] = x->value;
  }
  const expr out = expr_substitute(s->pool, value, c->sets, from, to);
  free(from);
  return out;
}

static void read_sets(model_scope* s, const lang_block* b, model_change* c)
{
  c->set = base_arena_take(s->arena, (size_t)(b->sets + 1) * sizeof *c->set);
  s->stamp++;
  for (int i = 0; i < b->sets; i++) {
    model_set x = {0};
    if (!read_set(s, &b->set[i], &x)) continue;
    int* seen = &s->stamps[slot(s, &x)];
    if (*seen == s->stamp) base_error(s->notes, x.place, "this is set twice");
    *seen = s->stamp;
    if (b->plain) x.value = behind_others(s, c, x.value);
    c->set[c->sets++] = x;
  }
}

// ---- constraints switched -----------------------------------------------------------------------

// Numbers of the constraints, each once; those of a vector, or of a contact, one for each part.
// `other` is the stamp of those switched the other way.
static void read_switches(model_scope* s, int n, const lang_word* words, int other, int* count,
                          int** list)
{
  size_t most = 1;
  for (int i = 0; i < n; i++) {
    const model_entry* e =
        words[i].text ? model_names_find(&s->constraint_names, words[i].text) : NULL;
    most += e ? (size_t)e->parts : 0;
  }
  *list = base_arena_take(s->arena, most * sizeof **list);
  int* stamps = s->stamps + 2 * s->m->coords + s->m->params;
  s->stamp++;
  for (int i = 0; i < n; i++) {
    if (!words[i].text) continue;
    const model_entry* e = model_names_find(&s->constraint_names, words[i].text);
    if (!e) {
      model_scope_unknown_constraint(s, words[i].text, words[i].place);
      continue;
    }
    for (int k = 0; !e->poisoned && k < e->parts; k++) {
      int c = e->part_index[k];
      if (c < 0 || stamps[c] == s->stamp) continue;
      if (stamps[c] == other)
        base_error(s->notes, words[i].place, "`%s` is both released and imposed", e->name);
      stamps[c] = s->stamp;
      (*list)[(*count)++] = c;
    }
  }
}

static void read_block(model_scope* s, const lang_statement* st, model_change* c)
{
  const lang_block* b = &st->block;
  c->place = st->place;
  read_sets(s, b, c);
  read_switches(s, b->releases, b->release, -1, &c->releases, &c->release);
  read_switches(s, b->imposes, b->impose, s->stamp, &c->imposes, &c->impose);
  c->carry = MODEL_CARRY_LIMIT;
  if (!b->carry.text || strcmp(b->carry.text, "limit") == 0) return;
  if (strcmp(b->carry.text, "velocity") == 0)
    c->carry = MODEL_CARRY_VELOCITY;
  else if (strcmp(b->carry.text, "momentum") == 0)
    c->carry = MODEL_CARRY_MOMENTUM;
  else
    base_error(s->notes, b->carry.place, "expected `limit`, `velocity` or `momentum`");
}

// ---- stages -------------------------------------------------------------------------------------

// t >= e with e fixed for the whole run
static void read_until(model_scope* s, const lang_node* n, model_stage* x)
{
  model_comparison c;
  x->until = x->until_time = EXPR_NONE;
  s->outputs_too = true;
  bool fine = n && model_expect_condition(s, n, &x->until);
  const bool alone = fine && n->op < LANG_AND && model_eval_comparison(s, n, &c);
  s->outputs_too = false;
  if (!fine) return;
  if (!model_expect_free(s, n, x->until, MODEL_USES_JERK, "a condition")) return;
  int varies = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_CHANGING;
  if (alone && c.high == s->m->t && !(model_scope_uses(s, c.low) & varies)) x->until_time = c.low;
}

static void stage_build(model_scope* s, const lang_statement* st, bool last)
{
  model_stage* x = &s->m->stage[s->m->stages++];
  x->name = st->name.text ? base_arena_strdup(s->arena, st->name.text)
                          : base_arena_printf(s->arena, "%d", s->m->stages);
  x->place = st->place;
  read_block(s, st, &x->change);
  read_until(s, st->block.until, x);
  if (st->block.until || last) return;
  base_error(s->notes, st->name.text ? st->name.place : st->place,
             "the stage `%s` never ends, and others follow it", x->name);
  base_help(s->notes, "say when: until t >= 4");
}

// ---- events -------------------------------------------------------------------------------------

static bool read_crossing(model_scope* s, const lang_statement* st, model_event* x)
{
  expr a[3], b[3];
  model_dim d[3];
  int parts;
  s->outputs_too = true;
  bool fine = st->value ? model_expect_condition(s, st->value, &x->g)
                        : model_eval_sides(s, st->left, st->right, &parts, a, b, d);
  s->outputs_too = false;
  if (!fine) return false;
  if (st->value) return model_expect_free(s, st->value, x->g, MODEL_USES_JERK, "an event");
  if (parts != 1) {
    base_error(s->notes, st->left->place, "an event is an equation between numbers");
    return false;
  }
  x->g = expr_sub(s->pool, a[0], b[0]);
  return model_expect_free(s, st->left, x->g, MODEL_USES_JERK, "an event");
}

static void event_build(model_scope* s, const lang_statement* st)
{
  model_event* x = &s->m->event[s->m->events++];
  const char* way = st->direction.text ? st->direction.text : "";
  const char* action = st->action.text ? st->action.text : "";
  x->name = base_arena_strdup(s->arena, st->name.text ? st->name.text : "");
  x->place = st->name.text ? st->name.place : st->place;
  x->direction = strcmp(way, "rising") == 0 ? 1 : strcmp(way, "falling") == 0 ? -1 : 0;
  x->action = strcmp(action, "stop") == 0     ? MODEL_STOP
              : strcmp(action, "report") == 0 ? MODEL_REPORT
                                              : MODEL_CHANGE;
  if (!read_crossing(s, st, x)) x->g = expr_int(s->pool, 0);
  if (x->action != MODEL_CHANGE) return;
  if (st->block.until)
    base_error(s->notes, st->block.until->place, "`until` belongs to a stage, not to an event");
  read_block(s, st, &x->change);
}

// ---- samples ------------------------------------------------------------------------------------

static bool read_time(model_scope* s, const lang_node* n, const char* what, expr* out)
{
  model_dim d;
  const int never =
      MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_TIME | MODEL_USES_CHANGING;
  return model_eval_scalar(s, n, what, out, &d) &&
         model_expect_dim(s, n, d, model_dim_of(0, 0, 1), what) &&
         model_expect_free(s, n, *out, never, what);
}

static void sample_build(model_scope* s, const lang_statement* st)
{
  model_event* x = &s->m->event[s->m->events++];
  s->m->silent++;
  x->name = base_arena_strdup(s->arena, st->name.text);
  x->place = st->name.place;
  x->action = MODEL_CHANGE;
  x->direction = 1;
  x->g = expr_int(s->pool, -1);
  x->from = x->every = expr_int(s->pool, 0);
  if (st->from) read_time(s, st->from, "the time of the first sample", &x->from);
  if (read_time(s, st->to, "the time between samples", &x->every) &&
      !(model_scope_number(s, x->every) > 0))
    base_error(s->notes, st->to->place, "the time between samples is positive");
  read_block(s, st, &x->change);
  if (!st->block.sets) {
    base_error(s->notes, st->place, "the sample `%s` sets nothing", x->name);
    base_help(s->notes, "say what changes: sample %s every T { k = k + 1 }", x->name);
  }
  // what forces depend on may jump, velocities do not
  x->change.carry = MODEL_CARRY_VELOCITY;
}

// ---- which constraints hold at the start --------------------------------------------------------

// A constraint is off at the start when the first stage that mentions it imposes it, or when no
// stage mentions it and events only impose it.
static void find_starts_off(model_scope* s)
{
  enum { RELEASED = 1, IMPOSED = 2, DECIDED = 4 };
  model* m = s->m;
  unsigned char* seen = base_alloc((size_t)m->constraints + 1);
  for (int i = 0; i < m->stages; i++) {
    const model_change* c = &m->stage[i].change;
    for (int k = 0; k < c->releases; k++) seen[c->release[k]] |= DECIDED;
    for (int k = 0; k < c->imposes; k++)
      if (!(seen[c->impose[k]] & DECIDED)) seen[c->impose[k]] = IMPOSED | DECIDED;
  }
  for (int i = 0; i < m->events; i++) {
    const model_change* c = &m->event[i].change;
    for (int k = 0; k < c->releases; k++)
      if (!(seen[c->release[k]] & DECIDED)) seen[c->release[k]] |= RELEASED;
    for (int k = 0; k < c->imposes; k++)
      if (!(seen[c->impose[k]] & DECIDED)) seen[c->impose[k]] |= IMPOSED;
  }
  for (int k = 0; k < m->constraints; k++)
    m->constraint[k].starts_off |= (seen[k] & IMPOSED) && !(seen[k] & RELEASED);
  free(seen);
}

// stages and events have name spaces of their own; their names stand in the table of a run
static void name_once(model_scope* s, model_names* names, const lang_statement* st,
                      const char* what)
{
  if (!st->name.text) return;
  model_entry* old = model_names_find(names, st->name.text);
  if (old) {
    base_error(s->notes, st->name.place, "the %s `%s` is declared twice", what, st->name.text);
    base_info(s->notes, old->place, "`%s` was first declared here", old->name);
    return;
  }
  // an entry for this table alone: there is nothing to resolve
  model_entry* e = base_arena_take(s->arena, sizeof *e);
  e->name = st->name.text;
  e->place = st->name.place;
  model_names_add(names, e);
}

void model_stage_build(model_scope* s)
{
  model* m = s->m;
  int stages = 0, events = 0;
  model_names stage_names = {0}, event_names = {0};
  for (int i = 0; i < s->tree->count; i++) {
    stages += s->tree->at[i]->kind == LANG_STAGE;
    events += s->tree->at[i]->kind == LANG_EVENT || s->tree->at[i]->kind == LANG_SAMPLE;
  }
  s->stamps = base_alloc((size_t)(2 * m->coords + m->params + m->constraints + 1) * sizeof(int));
  m->stage = base_arena_take(s->arena, (size_t)(stages + 1) * sizeof *m->stage);
  m->event = base_arena_take(s->arena, (size_t)(events + 1) * sizeof *m->event);
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind == LANG_STAGE) {
      name_once(s, &stage_names, st, "stage");
      stage_build(s, st, m->stages + 1 == stages);
    }
    if (st->kind == LANG_EVENT || st->kind == LANG_SAMPLE)
      name_once(s, &event_names, st, st->kind == LANG_EVENT ? "event" : "sample");
    if (st->kind == LANG_EVENT) event_build(s, st);
    if (st->kind == LANG_SAMPLE) sample_build(s, st);
  }
  model_names_free(&stage_names);
  model_names_free(&event_names);
  find_starts_off(s);
  free(s->stamps);
  s->stamps = NULL;
}
