// Columns of a contact: what is not a coordinate or quasi-velocity of the model already.
#include "engine/engine.h"

static const char* const speeds[3] = {"sigma", "tau", "n"};

int engine_contact_columns(const model_contact* c, expr* out)
{
  int n = 0;
  for (int i = 0; i < MODEL_CONTACT_COORDS; i++)
    if (!c->given[i]) out[n++] = c->value[i];
  for (int i = 0; i < MODEL_CONTACT_COORDS; i++)
    if (!c->given[i]) out[n++] = c->rate[i];
  for (int i = 0; i < 3 && !c->quasi; i++) out[n++] = c->speed[i];
  for (int i = 0; i < 3; i++) out[n++] = c->force[i];
  for (int i = 0; i < 3 && c->has_moment; i++) out[n++] = c->moment[i];
  return n;
}

int engine_contact_names(const model_contact* c, base_arena* a, const char** name,
                         const char** unit)
{
  int n = 0;
  for (int i = 0; i < MODEL_CONTACT_COORDS; i++)
    if (!c->given[i]) name[n++] = c->coord[i];
  for (int i = 0; i < MODEL_CONTACT_COORDS; i++)
    if (!c->given[i]) name[n++] = base_arena_printf(a, "%s'", c->coord[i]);
  for (int i = 0; i < 3 && !c->quasi; i++) {
    unit[n] = "rad/s";
    name[n++] = base_arena_printf(a, "%s.%s", c->name, speeds[i]);
  }
  for (int i = 0; i < 3; i++) {
    unit[n] = "N";
    name[n++] = base_arena_printf(a, "reaction.%s.%c", c->name, "xyz"[i]);
  }
  for (int i = 0; i < 3 && c->has_moment; i++) {
    unit[n] = "N*m";
    name[n++] = base_arena_printf(a, "moment.%s.%c", c->name, "xyz"[i]);
  }
  return n;
}

int engine_contacts_shown(const model* m)
{
  int n = 0;
  for (int i = 0; i < m->contacts; i++) {
    expr shown[ENGINE_CONTACT_COLUMNS];
    n += engine_contact_columns(&m->contact[i], shown);
  }
  return n;
}
