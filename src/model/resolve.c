// The order of work: what an entry needs is worked out before it, without recursion. A ring of
// entries that need each other is an error that names them all.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/meeting.h"
#include "model/parts.h"

// ---- what an entry needs ------------------------------------------------------------------------

typedef struct needs
{
  model_scope* s;
  model_entries list;
  BASE_LIST(const lang_node*) open;
  bool skip_reactions;       // a constraint does not wait for its own reaction
  bool outputs_too;          // an output may use others
  const lang_statement* own; // a function: its arguments are no names of the model
} needs;

static void need_entry(needs* w, model_entry* e)
{
  if (e && e->state != MODEL_DONE) base_push(&w->list, e);
}

static void need_name(needs* w, const char* name)
{
  if (!name) return;
  for (int i = 0; w->own && i < w->own->params; i++)
    if (strcmp(w->own->param[i].name.text, name) == 0) return;
  model_entry* e = model_names_find(&w->s->names, name);
  if (!e && w->outputs_too) e = model_names_find(&w->s->output_names, name);
  need_entry(w, e);
}

// NAME.part, of a spring
static void need_part(needs* w, const lang_node* n)
{
  base_text name = {0};
  base_text_printf(&name, "%s.%s", n->kid[0]->text, n->text);
  need_name(w, name.at);
  base_text_free(&name);
}

static void need_call(needs* w, const lang_node* n)
{
  bool momentum = strcmp(n->text, "momentum") == 0 || strcmp(n->text, "angmomentum") == 0;
  bool energy = strcmp(n->text, "energy") == 0;
  if (momentum || energy || strcmp(n->text, "kinetic") == 0) need_entry(w, w->s->kinetic);
  if (energy || strcmp(n->text, "potential") == 0) need_entry(w, w->s->potential);
  static const char* const of_constraints[] = {"reaction", "control", "moment", "power", "gap",
                                               "friction", "slip",    "state",  "loss"};
  bool found = false;
  for (size_t i = 0; i < sizeof of_constraints / sizeof *of_constraints; i++)
    found = found || strcmp(n->text, of_constraints[i]) == 0;
  if (!found) return;
  // friction of a point that is not named asks for the kinetic energy
  if (strcmp(n->text, "friction") == 0 || strcmp(n->text, "slip") == 0 ||
      strcmp(n->text, "state") == 0)
    need_entry(w, w->s->kinetic);
  const lang_node* name = n->n ? n->kid[0] : NULL;
  if (name && name->kind == LANG_FIELD) name = name->kid[0];
  if (name && name->kind == LANG_NAME && !w->skip_reactions)
    need_entry(w, model_names_find(&w->s->constraint_names, name->text));
}

static void need_function(needs* w, const char* name)
{
  model_entry* e = model_names_find(&w->s->names, name);
  if (e && (e->sort == MODEL_IS_FUNCTION || e->sort == MODEL_IS_TABLE)) need_entry(w, e);
}

static void need_node(needs* w, const lang_node* n)
{
  if (n) base_push(&w->open, n);
  while (w->open.n) {
    n = w->open.at[--w->open.n];
    if (n->kind == LANG_CALL) need_call(w, n);
    if (n->kind == LANG_CALL) need_function(w, n->text);
    if (n->kind == LANG_NAME) need_name(w, n->text);
    if (n->kind == LANG_FIELD && n->kid[0]->kind == LANG_NAME) need_part(w, n);
    for (int i = 0; i < n->n; i++)
      if (n->kid[i]) base_push(&w->open, n->kid[i]);
  }
}

static void need_statement(needs* w, const lang_statement* st)
{
  const lang_node* nodes[] = {st->value,   st->mass,  st->radius,    st->vector,
                              st->from,    st->to,    st->corner[0], st->corner[1],
                              st->density, st->scale, st->at,        st->corner[2],
                              st->left,    st->right, st->about,     st->natural};
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) need_node(w, nodes[i]);
  for (int i = 0; i < st->rotations; i++) need_node(w, st->rotation[i].angle);
  for (int i = 0; i < st->rotations; i++) need_node(w, st->rotation[i].about);
  need_name(w, st->in.text);
  for (int i = 0; st->table && i < st->table->rows; i++) need_node(w, st->table->row[i]);
  for (int i = 0; i < st->solids; i++)
    for (int k = 0; k < st->solid[i].sizes; k++) need_node(w, st->solid[i].size[k]);
  if (st->kind != LANG_ROLL && st->kind != LANG_SLIDE) return;
  need_name(w, st->name.text);
  need_name(w, st->on.text);
  need_node(w, st->patch);
  for (int i = 0; i < LANG_RUBS; i++)
    for (int k = 0; k < 2; k++) need_node(w, st->rub[i][k]);
}

// the names in a function, but for its arguments
static void need_body(needs* w, const lang_statement* st)
{
  w->own = st;
  need_node(w, st->value);
  w->own = NULL;
}

static void need_end(needs* w, const lang_end* x)
{
  need_name(w, x->body.text);
  need_node(w, x->at);
  // letters are directions
  if (x->axis && x->axis->kind == LANG_TUPLE) need_node(w, x->axis);
  if (x->normal && x->normal->kind == LANG_TUPLE) need_node(w, x->normal);
}

static void need_spring(needs* w, const model_entry* e)
{
  const lang_node* node[6];
  model_entry* part[2];
  const int nodes = model_spring_needs(w->s, e, node, part);
  for (int i = 0; i < nodes; i++) need_node(w, node[i]);
  for (int i = 0; i < 2; i++) need_entry(w, part[i]);
  for (int i = 0; i < 2 && e->statement->end; i++) need_end(w, &e->statement->end[i]);
}

// a joint that places a body needs what the body is placed on
static void need_joint(needs* w, const model_entry* joint)
{
  const lang_statement* st = joint->statement;
  for (int i = 0; i < 2; i++)
    if (i == 1 || !model_joint_places(joint)) need_end(w, &st->end[i]);
  need_node(w, st->pitch);
  need_node(w, st->natural);
  const lang_end* own = &st->end[0];
  if (!model_joint_places(joint)) return;
  need_node(w, own->at);
  if (own->axis && own->axis->kind == LANG_TUPLE) need_node(w, own->axis);
  if (own->normal && own->normal->kind == LANG_TUPLE) need_node(w, own->normal);
}

// the energies need every statement that adds to them
static void need_energy(needs* w, const model_entry* e)
{
  model_scope* s = w->s;
  bool kinetic = e->sort == MODEL_IS_KINETIC;
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    bool adds = st->kind == (kinetic ? LANG_KINETIC : LANG_POTENTIAL) ||
                (!kinetic && st->kind == LANG_GRAVITY);
    if (adds) need_statement(w, st);
    if (!kinetic &&
        (st->kind == LANG_SPRING || st->kind == LANG_TORSION || st->kind == LANG_BUSHING))
      need_entry(w, model_spring_energy(s, st));
  }
  for (int i = 0; i < s->entries.n; i++) {
    model_entry* x = s->entries.at[i];
    if (x->statement && (x->statement->mass || x->statement->density)) need_entry(w, x);
  }
}

static void need_meeting(needs* w, const struct model_meeting_entry* x)
{
  for (int i = 0; i < x->bodies; i++) need_entry(w, x->body[i].thing);
}

static void find_needs(needs* w, const model_entry* e)
{
  w->list.n = 0;
  w->skip_reactions = e->sort == MODEL_IS_CONSTRAINT;
  w->outputs_too = e->sort == MODEL_IS_OUTPUT;
  if (e->sort == MODEL_IS_PARAM)
    need_node(w, e->node);
  else if (e->sort == MODEL_IS_KINETIC || e->sort == MODEL_IS_POTENTIAL)
    need_energy(w, e);
  else if (e->sort == MODEL_IS_FUNCTION)
    need_body(w, e->statement);
  else if (e->sort == MODEL_IS_LET && e->made)
    need_spring(w, e);
  else if (e->sort != MODEL_IS_COORD && e->sort != MODEL_IS_ORIENTATION &&
           e->sort != MODEL_IS_SPRING && e->sort != MODEL_IS_STATE &&
           e->sort != MODEL_IS_UNSUPPORTED && e->statement)
    need_statement(w, e->statement);
  if (e->sort == MODEL_IS_JOINT) need_joint(w, e);
  if (e->joint) need_entry(w, e->joint);
  if (e->meeting) need_meeting(w, e->meeting);
}

// ---- working out --------------------------------------------------------------------------------

static void work_out(model_scope* s, model_entry* e)
{
  // the others are there when they are declared
  static void (*const by_sort[])(model_scope * s, model_entry * e) = {
      [MODEL_IS_PARAM] = model_param_resolve,           [MODEL_IS_LET] = model_let_resolve,
      [MODEL_IS_QUASI] = model_quasi_resolve,           [MODEL_IS_FRAME] = model_frame_resolve,
      [MODEL_IS_POINT] = model_point_resolve,           [MODEL_IS_BODY] = model_body_resolve,
      [MODEL_IS_SURFACE] = model_surface_resolve,       [MODEL_IS_CONTACT] = model_roll_resolve,
      [MODEL_IS_CONSTRAINT] = model_constraint_resolve, [MODEL_IS_MEETING] = model_meeting_resolve,
      [MODEL_IS_JOINT] = model_joint_resolve,           [MODEL_IS_OUTPUT] = model_output_resolve,
      [MODEL_IS_TABLE] = model_table_resolve,           [MODEL_IS_KINETIC] = model_kinetic_resolve,
      [MODEL_IS_POTENTIAL] = model_potential_resolve};
  if (by_sort[e->sort]) by_sort[e->sort](s, e);
}

typedef struct visit
{
  model_entry* e;
  int from, to, next; // its needs in the common list
} visit;

typedef struct walk
{
  BASE_LIST(visit) stack;
  model_entries needed;
} walk;

enum { NAMES_SHOWN = 12 };

// Everything on the stack from e on needs e again; told from the first that has a place.
static void report_ring(model_scope* s, walk* k, model_entry* e)
{
  int first = k->stack.n - 1;
  while (k->stack.at[first].e != e) first--;
  int n = k->stack.n - first, start = 0;
  bool fresh = false;
  for (int i = n - 1; i >= 0; i--) {
    model_entry* x = k->stack.at[first + i].e;
    fresh |= !x->poisoned;
    x->poisoned = true;
    if (x->place.file >= 0) start = i;
  }
  if (!fresh) return;
  base_text text = {0};
  for (int i = 0; i < n && i < NAMES_SHOWN; i++)
    base_text_printf(&text, "`%s` needs ", k->stack.at[first + (start + i) % n].e->name);
  if (n > NAMES_SHOWN) base_text_add(&text, "... needs ");
  e = k->stack.at[first + start].e;
  base_error(s->notes, e->place, "a definition in a circle: %s`%s`", text.at, e->name);
  base_text_free(&text);
}

static void push(walk* k, needs* w, model_entry* e)
{
  e->state = MODEL_WAITING;
  find_needs(w, e);
  visit v = {.e = e, .from = k->needed.n, .next = k->needed.n};
  for (int i = 0; i < w->list.n; i++) base_push(&k->needed, w->list.at[i]);
  v.to = k->needed.n;
  base_push(&k->stack, v);
}

static void resolve_from(model_scope* s, model_entry* root)
{
  needs w = {.s = s};
  walk k = {0};
  push(&k, &w, root);
  while (k.stack.n) {
    visit* top = &k.stack.at[k.stack.n - 1];
    if (top->next < top->to) {
      model_entry* e = k.needed.at[top->next++];
      if (e->state == MODEL_UNTOUCHED)
        push(&k, &w, e);
      else if (e->state == MODEL_WAITING)
        report_ring(s, &k, e);
      continue;
    }
    if (!top->e->poisoned) work_out(s, top->e);
    top->e->state = MODEL_DONE;
    k.needed.n = top->from;
    k.stack.n--;
  }
  base_list_free(&k.stack);
  base_list_free(&k.needed);
  base_list_free(&w.list);
  base_list_free(&w.open);
}

static void resolve(model_scope* s, bool outputs)
{
  for (int i = 0; i < s->entries.n; i++) {
    model_entry* e = s->entries.at[i];
    if (e->state == MODEL_UNTOUCHED && (e->sort == MODEL_IS_OUTPUT) == outputs) resolve_from(s, e);
  }
}

void model_resolve_all(model_scope* s)
{
  resolve(s, false);
}

void model_resolve_outputs(model_scope* s)
{
  resolve(s, true);
}
