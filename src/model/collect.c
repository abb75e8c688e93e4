// First walk over the statements: every declaration gets its entry and its symbols, so that the
// order of statements does not matter. What is not supported yet is said here.

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

static model_entry* declare(model_scope* s, const lang_statement* st, model_sort sort,
                            lang_word name)
{
  if (!name.text) return NULL;
  model_entry* e = model_scope_new_entry(s, sort, name.text, name.place);
  e->statement = st;
  model_scope_declare(s, e);
  return e;
}

static void declare_list(model_scope* s, const lang_statement* st)
{
  for (int i = 0; i < st->params; i++) {
    const lang_param* x = &st->param[i];
    if (st->kind == LANG_ORIENTATION) {
      model_entry* Q = declare(s, st, MODEL_IS_ORIENTATION, x->name);
      if (Q) model_orientation_declare(s, Q);
      continue;
    }
    const model_sort sort = st->kind == LANG_STATE   ? MODEL_IS_STATE
                            : st->kind == LANG_COORD ? MODEL_IS_COORD
                                                     : MODEL_IS_PARAM;
    model_entry* e = declare(s, st, sort, x->name);
    if (!e) continue;
    e->part = i;
    e->node = x->value;
    // states are counted behind all coordinates
    if (sort == MODEL_IS_PARAM) e->index = s->m->params++;
    if (sort == MODEL_IS_COORD) e->index = s->m->coords++;
  }
}

// body, disc and ball without `in F` make a frame of their own, placed by a contact
static bool is_placed(const model_scope* s, const lang_statement* st)
{
  // what a joint names has a frame, whatever it is
  if (!st->in.text && st->name.text && model_names_find(&s->joined, st->name.text)) return false;
  return st->in.text || (st->kind != LANG_BODY && st->kind != LANG_DISC && st->kind != LANG_BALL &&
                         st->kind != LANG_SOLID_BODY);
}

static void declare_body(model_scope* s, const lang_statement* st)
{
  model_entry* e = declare(s, st, MODEL_IS_BODY, st->name);
  if (!e || is_placed(s, st)) return;
  if (!model_names_find(&s->placed, e->name)) {
    model_orientation_own(s, e);
    return;
  }
  e->own = model_names_find(&s->names, e->name) == e;
  if (e->own) return;
  // its name is another's, which was said: the joint does not place this one
  e->state = MODEL_DONE;
  e->poisoned = true;
}

// constraints and outputs have name spaces of their own
static void declare_apart(model_scope* s, model_names* names, model_entry* e, const char* what)
{
  model_entry* old = model_names_find(names, e->name);
  if (!old) {
    model_names_add(names, e);
    return;
  }
  base_error(s->notes, e->place, "the %s `%s` is declared twice", what, e->name);
  base_info(s->notes, old->place, "`%s` was first declared here", old->name);
}

static void declare_output(model_scope* s, const lang_statement* st)
{
  if (!st->name.text) return;
  model_entry* e = model_scope_new_entry(s, MODEL_IS_OUTPUT, st->name.text, st->name.place);
  e->statement = st;
  declare_apart(s, &s->output_names, e, st->kind == LANG_INTEGRAL ? "integral" : "output");
}

static void declare_constraint(model_scope* s, const lang_statement* st)
{
  base_place place = st->name.text ? st->name.place : st->place;
  model_entry* e =
      model_scope_new_entry(s, MODEL_IS_CONSTRAINT, st->name.text ? st->name.text : "", place);
  e->statement = st;
  base_push(&s->constraints, e);
  if (st->name.text) declare_apart(s, &s->constraint_names, e, "constraint");
}

// a contact is a point, and a constraint with a reaction
static void declare_contact(model_scope* s, const lang_statement* st)
{
  model_entry* e = declare(s, st, MODEL_IS_CONTACT, st->by);
  if (e) declare_apart(s, &s->constraint_names, e, "constraint");
}

static void declare_joint(model_scope* s, const lang_statement* st)
{
  if (!st->name.text || !st->end[0].body.text || !st->end[1].body.text) return;
  model_entry* e = model_scope_new_entry(s, MODEL_IS_JOINT, st->name.text, st->name.place);
  e->statement = st;
  declare_apart(s, &s->constraint_names, e, "joint or constraint");
  model_joint_declare(s, e);
}

static void declare_meeting(model_scope* s, const lang_statement* st)
{
  if (!st->name.text) return;
  model_entry* e = model_scope_new_entry(s, MODEL_IS_MEETING, st->name.text, st->name.place);
  e->statement = st;
  declare_apart(s, &s->constraint_names, e, "constraint");
}

// statements that declare the one name they stand with
static void declare_plain(model_scope* s, const lang_statement* st)
{
  static const struct
  {
    lang_statement_kind kind;
    model_sort is;
  } names[] = {{LANG_LET, MODEL_IS_LET},           {LANG_QUASI, MODEL_IS_QUASI},
               {LANG_FRAME, MODEL_IS_FRAME},       {LANG_POINT, MODEL_IS_POINT},
               {LANG_PARTICLE, MODEL_IS_POINT},    {LANG_SURFACE, MODEL_IS_SURFACE},
               {LANG_SPRING, MODEL_IS_SPRING},     {LANG_PULL, MODEL_IS_SPRING},
               {LANG_TORSION, MODEL_IS_SPRING},    {LANG_BUSHING, MODEL_IS_SPRING},
               {LANG_FUNCTION, MODEL_IS_FUNCTION}, {LANG_TABLE, MODEL_IS_TABLE}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    model_entry* e = names[i].kind == st->kind ? declare(s, st, names[i].is, st->name) : NULL;
    if (e && e->sort == MODEL_IS_SPRING) model_spring_declare(s, e);
    if (!e || model_names_find(&s->names, e->name) != e ||
        (e->sort != MODEL_IS_FUNCTION && e->sort != MODEL_IS_TABLE) ||
        !model_function_find(e->name))
      continue;
    base_error(s->notes, e->place, "`%s` is a function of the language", e->name);
    e->poisoned = true;
  }
}

static bool declares_list(lang_statement_kind kind)
{
  return kind == LANG_PARAM || kind == LANG_COORD || kind == LANG_STATE || kind == LANG_MEMORY ||
         kind == LANG_INPUT || kind == LANG_ORIENTATION;
}

static void collect_statement(model_scope* s, const lang_statement* st)
{
  if (declares_list(st->kind)) {
    declare_list(s, st);
    return;
  }
  switch (st->kind) {
  case LANG_BODY:
  case LANG_ROD:
  case LANG_PLATE:
  case LANG_DISC:
  case LANG_BALL:
  case LANG_SOLID_BODY:
    declare_body(s, st);
    break;
  case LANG_CONSTRAINT:
    declare_constraint(s, st);
    break;
  case LANG_OUTPUT:
  case LANG_INTEGRAL:
    declare_output(s, st);
    break;
  case LANG_ROLL:
  case LANG_SLIDE:
    declare_contact(s, st);
    break;
  case LANG_JOINT:
    declare_joint(s, st);
    break;
  case LANG_CONTACT:
  case LANG_CONTACTS:
    declare_meeting(s, st);
    break;
  case LANG_KINETIC:
    s->has_kinetic = true;
    break;
  default:
    declare_plain(s, st);
    break;
  }
}

// constraints without a name are c1, c2, ... where these are free
static void name_constraints(model_scope* s)
{
  int next = 1;
  for (int i = 0; i < s->constraints.n; i++) {
    model_entry* e = s->constraints.at[i];
    if (e->name[0]) continue;
    do e->name = base_arena_printf(s->arena, "c%d", next++);
    while (model_names_find(&s->constraint_names, e->name));
    model_names_add(&s->constraint_names, e);
  }
}

// Coordinates of contacts, once all surfaces are known; entries are added on the way.
static void collect_contacts(model_scope* s)
{
  int n = s->entries.n;
  for (int i = 0; i < n; i++)
    if (s->entries.at[i]->sort == MODEL_IS_CONTACT) model_roll_declare(s, s->entries.at[i]);
  for (int i = 0; i < n; i++) {
    model_entry* e = s->entries.at[i];
    if (e->own && !e->is_rolled && !model_names_find(&s->placed, e->name))
      model_orientation_own_speeds(s, e);
    if (e->sort == MODEL_IS_MEETING) model_meeting_declare(s, e);
  }
}

// ---- params that stages and events set ----------------------------------------------------------

static void mark_changing(model_scope* s, const lang_block* b)
{
  for (int i = 0; i < b->sets; i++) {
    const lang_node* target = b->set[i].target;
    if (!target || target->kind != LANG_NAME) continue;
    model_entry* e = model_names_find(&s->names, target->text);
    if (e && e->sort == MODEL_IS_PARAM) s->m->param[e->index].changes = true;
  }
}

// ---- --set --------------------------------------------------------------------------------------

static void override_param(model_scope* s, const model_override* o, base_arena* scratch)
{
  model_entry* e = model_names_find(&s->names, o->name);
  const bool is_param = e && e->sort == MODEL_IS_PARAM;
  if (!o->value && is_param) s->m->param[e->index].changes = true;
  if (!o->value) return;
  if (!is_param) {
    base_text text = {0};
    base_text_printf(&text, "%s=%s", o->name, o->value);
    int file = base_notes_source(s->notes, "--set", text.at, text.n);
    base_place place = {file, 0, (uint32_t)strlen(o->name)};
    base_text_free(&text);
    model_scope_unknown(s, "param", o->name, place, 1 << MODEL_IS_PARAM);
    return;
  }
  if (o->value[0] == '@') {
    if (e->statement->kind == LANG_INPUT)
      model_table_given(s, e, o->value + 1);
    else
      base_error(s->notes, e->place, "--input: `%s` is no input", e->name);
    return;
  }
  lang_node* value = lang_parse_expression("--set", o->value, scratch, s->notes);
  e->node = value;
  if (!value) e->poisoned = true;
}

void model_collect(model_scope* s, base_arena* scratch)
{
  model* m = s->m;
  model_joint_find(s);
  for (int i = 0; i < s->tree->count; i++) collect_statement(s, s->tree->at[i]);
  model_joint_attach(s);
  collect_contacts(s);
  name_constraints(s);
  if (s->released) model_joint_release(s);
  model_state_number(s);
  m->param = base_arena_take(s->arena, (size_t)(m->params + 1) * sizeof *m->param);
  m->coord = base_arena_take(s->arena, (size_t)(m->coords + 1) * sizeof *m->coord);
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind == LANG_STAGE || st->kind == LANG_EVENT || st->kind == LANG_SAMPLE)
      mark_changing(s, &st->block);
  }
  for (int i = 0; i < s->overrides; i++) override_param(s, &s->override[i], scratch);
  for (int i = 0; i < s->entries.n; i++) {
    model_entry* e = s->entries.at[i];
    if (e->sort == MODEL_IS_PARAM) model_param_begin(s, e);
    if (e->sort == MODEL_IS_COORD) model_coord_begin(s, e);
    if (e->sort == MODEL_IS_STATE) model_state_begin(s, e);
  }
  if (s->released) model_joint_release_name(s);
}
