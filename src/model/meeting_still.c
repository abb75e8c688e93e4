// What stands still, told before anything is worked out: shapes of which no two that stand still
// ever meet.

#include "model/meeting.h"

#include <string.h>

// does a stage, an event, a sample or a sweep give it another value?
static bool is_set(const model_scope* s, const char* name)
{
  for (int i = 0; i < s->overrides; i++)
    if (!s->override[i].value && strcmp(s->override[i].name, name) == 0) return true;
  for (int i = 0; i < s->tree->count; i++) {
    const lang_block* b = &s->tree->at[i]->block;
    for (int k = 0; k < b->sets; k++) {
      const lang_node* target = b->set[k].target;
      if (target && target->kind == LANG_NAME && strcmp(target->text, name) == 0) return true;
    }
  }
  return false;
}

static bool is_param(const model_scope* s, const char* name)
{
  if (strcmp(name, "pi") == 0) return true;
  const model_entry* e = model_names_find(&s->names, name);
  return e && e->sort == MODEL_IS_PARAM && e->statement->kind == LANG_PARAM && !is_set(s, name);
}

// made of numbers and params alone
static bool is_number(const model_scope* s, const lang_node* n)
{
  if (!n) return true;
  if (n->kind == LANG_NAME && !is_param(s, n->text)) return false;
  for (int i = 0; i < n->n; i++)
    if (!is_number(s, n->kid[i])) return false;
  return true;
}

bool model_meeting_still(const model_scope* s, const model_entry* e)
{
  // each is carried by the one before
  for (int depth = 0; e && e != s->world && depth <= s->entries.n; depth++) {
    const lang_statement* st = e->statement;
    if (e->sort != MODEL_IS_FRAME || !st || st->kind != LANG_FRAME || !is_number(s, st->at))
      return false;
    for (int i = 0; i < st->rotations; i++)
      if (st->rotation[i].axis == 'q' || !is_number(s, st->rotation[i].angle) ||
          !is_number(s, st->rotation[i].about))
        return false;
    const bool world = !st->in.text || strcmp(st->in.text, "world") == 0;
    e = world ? s->world : model_names_find(&s->names, st->in.text);
  }
  return e && e == s->world;
}
