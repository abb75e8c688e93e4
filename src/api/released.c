// The constraints a user wants released, by name.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

// a constraint by its name; a vector's and a contact's name stands for all their parts
static bool is_named(const model_constraint* c, const char* name, size_t length)
{
  return strncmp(c->name, name, length) == 0 && (!c->name[length] || c->name[length] == '.');
}

static bool mark(const model* m, const char* name, size_t length, bool* named, base_notes* notes)
{
  bool any = false;
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!is_named(c, name, length)) continue;
    if (c->by) {
      base_error(notes, BASE_NOWHERE,
                 "--released: `%s` is held by a control, which is an active force here", c->name);
      return false;
    }
    named[k] = any = true;
  }
  if (any) return true;
  base_error(notes, BASE_NOWHERE, "--released: there is no constraint `%.*s`", (int)length, name);
  for (int k = 0; k < m->constraints; k++)
    base_help(notes, "a constraint is `%s`", m->constraint[k].name);
  return false;
}

bool zw_point_release(zw_point* p, const char* names, zw_notes* notes)
{
  API_ENTER(notes, false, API_IS(POINT, p), API_HAS(names));
  const model* m = p->system->model;
  bool* named = base_alloc((size_t)m->constraints + 1);
  bool fine = true;
  for (const char* at = names + strspn(names, ", "); *at; at += strspn(at, ", ")) {
    const size_t length = strcspn(at, ", ");
    fine = mark(m, at, length, named, notes->notes) && fine;
    at += length;
  }
  fine = fine && study_point_release(p->system, p->point, named, notes->notes);
  free(named);
  return fine;
}
