// What has nothing to do with each other: statements whose names no kinematics, masses or
// constraints connect. Params, surfaces and the world are common to all and connect nothing, nor do
// forces, unless they hold reactions.
#include "model/scope.h"

#include <string.h>

// `look` at every entry that a statement names; true as soon as it says so
typedef bool looker(model_entry* e);

static bool look_at_name(const model_scope* s, const char* text, looker* look)
{
  if (!text) return false;
  model_entry* e = model_names_find(&s->names, text);
  if (!e) e = model_names_find(&s->constraint_names, text);
  if (!e || e == s->world || e->sort == MODEL_IS_PARAM || e->sort == MODEL_IS_SURFACE) return false;
  return look(e);
}

static bool look_at_node(const model_scope* s, const lang_node* n, looker* look)
{
  if (!n) return false;
  bool found = n->kind == LANG_NAME && look_at_name(s, n->text, look);
  for (int i = 0; i < n->n && !found; i++) found = look_at_node(s, n->kid[i], look);
  return found;
}

static bool look_at_statement(const model_scope* s, const lang_statement* st, looker* look)
{
  const char* word[] = {st->name.text,   st->in.text,      st->on.text,     st->by.text,
                        st->during.text, st->slip[0].text, st->slip[1].text};
  const lang_node* node[] = {st->value, st->mass,      st->radius,      st->vector,    st->from,
                             st->to,    st->corner[0], st->corner[1],   st->corner[2], st->at,
                             st->left,  st->right,     st->restitution, st->friction,  st->patch};
  bool found = false;
  for (size_t i = 0; i < sizeof word / sizeof *word && !found; i++)
    found = look_at_name(s, word[i], look);
  for (size_t i = 0; i < sizeof node / sizeof *node && !found; i++)
    found = look_at_node(s, node[i], look);
  for (int i = 0; i < st->rotations && !found; i++)
    found = look_at_node(s, st->rotation[i].angle, look) ||
            look_at_name(s, st->rotation[i].by.text, look);
  for (int i = 0; i < 2 && st->end && !found; i++)
    found = look_at_name(s, st->end[i].body.text, look);
  for (int i = 0; i < LANG_RUBS && !found; i++)
    found = look_at_node(s, st->rub[i][0], look) || look_at_node(s, st->rub[i][1], look);
  return found;
}

static bool holds_reaction(const lang_node* n)
{
  if (!n) return false;
  bool found =
      n->kind == LANG_CALL && (strcmp(n->text, "reaction") == 0 || strcmp(n->text, "control") == 0);
  for (int i = 0; i < n->n && !found; i++) found = holds_reaction(n->kid[i]);
  return found;
}

static bool connects(const lang_statement* st)
{
  // definitions, places and masses
  if (st->kind >= LANG_LET && st->kind <= LANG_KINETIC) return true;
  switch (st->kind) {
  case LANG_JOINT:
  case LANG_CONSTRAINT:
  case LANG_RESIST:
  case LANG_QUASI:
  case LANG_ROLL:
  case LANG_SLIDE:
    return true;
  case LANG_FORCE:
  case LANG_TORQUE:
    return holds_reaction(st->value) || holds_reaction(st->vector);
  default:
    return false;
  }
}

static bool is_met(model_entry* e)
{
  return e->met;
}

static bool is_new(model_entry* e)
{
  return !e->met;
}

static bool meet(model_entry* e)
{
  e->met = true;
  return false;
}

bool model_is_beside(const model_scope* s, const lang_statement* a, const lang_statement* b)
{
  for (int i = 0; i < s->entries.n; i++) s->entries.at[i]->met = false;
  look_at_statement(s, a, meet);
  for (bool grows = true; grows;) {
    grows = false;
    for (int i = 0; i < s->tree->count; i++) {
      const lang_statement* st = s->tree->at[i];
      if (!connects(st) || !look_at_statement(s, st, is_met) || !look_at_statement(s, st, is_new))
        continue;
      look_at_statement(s, st, meet);
      grows = true;
    }
  }
  return !look_at_statement(s, b, is_met);
}
