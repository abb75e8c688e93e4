// Momentum and angular momentum about the contact, for the equations of one body that rolls with
// all it carries on a base that moves by a given law (Bychkov 2004).

#include "model/roll.h"

static bool carries(const model_entry* body, const model_mass* b)
{
  for (const model_place* p = b->origin; p; p = p->prev)
    if (p == body->origin) return true;
  return false;
}

static const char* obstacle(model_scope* s, const model_entry* e)
{
  const model_entry* body = model_scope_frame(s, e->statement->name);
  if (s->m->contacts != 1) return "there are several contacts";
  if (e->statement->kind != LANG_ROLL) return "the contact slides";
  for (int i = 0; i < MODEL_GRIPS; i++)
    if (s->m->contact[e->contact].grip[i].rows) return "the contact has dry friction";
  if (e->statement->rubber.text) return "the contact does not pivot";
  if (!body || !body->own) return "the body that rolls is placed by coordinates of the model";
  if (!model_names_find(&s->names, base_arena_printf(s->arena, "%s.qw", e->statement->name.text)))
    return "the body that rolls is placed by a joint";
  if (s->has_kinetic) return "the momenta of `kinetic` statements are not known";
  for (int i = 0; i < s->entries.n; i++)
    if (s->entries.at[i]->mass && !carries(body, s->entries.at[i]->mass))
      return "there are masses that the rolling body does not carry";
  return NULL;
}

// forces beside gravity and those along carried coordinates
static bool has_other_forces(const model_scope* s, const model_contact* c)
{
  if (c->slip.acts || c->turn.acts) return true;
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind == LANG_POTENTIAL || st->kind == LANG_TORQUE || st->kind == LANG_RESIST)
      return true;
    if (st->kind != LANG_FORCE) continue;
    const model_entry* e = st->name.text ? model_names_find(&s->names, st->name.text) : NULL;
    if (!e || e->sort != MODEL_IS_COORD || e->made) return true;
  }
  return false;
}

static void fill(model_scope* s, const model_entry* e, model_contact* c)
{
  static const char* const part[7] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  for (int i = 0; i < 7; i++) {
    const char* name = base_arena_printf(s->arena, "%s.%s", e->statement->name.text, part[i]);
    c->carrier[i] = model_names_find(&s->names, name)->index;
  }
  model_angmomentum(s, e->origin, c->K);
  model_momentum(s, c->P);
  model_place_velocity(&s->kin, e->origin, NULL, c->v);
  c->other_forces = has_other_forces(s, c);
}

void model_roll_momenta(model_scope* s)
{
  if (s->kinetic->poisoned) return;
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (e->sort != MODEL_IS_CONTACT || e->poisoned) continue;
    model_contact* c = &s->m->contact[e->contact];
    c->why_not = obstacle(s, e);
    if (!c->why_not) fill(s, e, c);
  }
}
