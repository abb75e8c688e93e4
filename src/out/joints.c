// Joints of a model: which place bodies, which close loops, and how freedoms are counted.
//
// Gruebler's count gives each body six freedoms and takes 6 - f for each joint that leaves f, and
// one for each other equation. With F the freedoms of the coordinates alone that is
//   F - sum over loops (6 - f) - other equations.
// What the motion has beyond it is due to equations that follow from others: those of loops that
// always hold, as out of a plane, and those that are redundant at the state.
#include "out/joints.h"

#include <string.h>

#include "out/freedom.h"
#include "out/text.h"

enum { SIX = 6 };

static int holds_always(const model_joint* j)
{
  return j->places ? 0 : SIX - j->freedoms - j->rows;
}

static bool is_of(const model_coord* c, const model_joint* j)
{
  const size_t n = strlen(j->name);
  return strncmp(c->name, j->name, n) == 0 && c->name[n] == '.';
}

static int gruebler(const mech_system* s)
{
  const model* m = s->model;
  int count = m->coords;
  for (int k = 0; k < m->constraints; k++)
    count -= m->constraint[k].order < 2 && model_constraint_binds(m, k) &&
             model_constraint_starts(m, k) && !m->constraint[k].sticks;
  for (int i = 0; i < m->joints; i++) count -= holds_always(&m->joint[i]);
  return count;
}

// ---- text ---------------------------------------------------------------------------------------

static void write_names(const model* m, const model_joint* j, base_text* out)
{
  int told = 0;
  for (int i = 0; i < m->coords && j->places; i++) {
    if (!is_of(&m->coord[i], j)) continue;
    base_text_add(out, told++ ? ", " : "");
    out_text_plain(out, m->coord[i].name);
  }
  for (int i = 0; i < j->rows && !j->places; i++) {
    base_text_add(out, told++ ? ", " : "");
    out_text_plain(out, m->constraint[j->first + i].name);
  }
  if (!told) base_text_add(out, "nothing moves");
}

static void write_joint(const model* m, const model_joint* j, base_text* out)
{
  base_text_add(out, "  ");
  out_text_plain(out, j->name);
  base_text_printf(out, ":  %s of ", j->kind);
  out_text_plain(out, j->body);
  base_text_add(out, " on ");
  out_text_plain(out, j->on);
  if (j->places)
    base_text_add(out, " places it: ");
  else
    base_text_printf(out, " closes a loop, %d equation%s: ", j->rows, j->rows == 1 ? "" : "s");
  write_names(m, j, out);
  if (holds_always(j) > 0) base_text_printf(out, "; %d more always hold", holds_always(j));
  base_text_add(out, "\n");
}

void out_joints_text(const mech_system* s, const study_point* p, base_text* out)
{
  const model* m = s->model;
  if (!m->joints) return;
  base_text_printf(out, "%-22s%d by Gruebler's count", "mobility", gruebler(s));
  if (p) base_text_printf(out, ", %d in fact", out_freedom_velocities(s, p));
  if (p && p->redundant > 0) {
    base_text_add(out, "; redundant: ");
    for (int i = 0; i < p->redundant; i++) {
      base_text_add(out, i ? ", " : "");
      out_text_plain(out, m->constraint[p->redundant_row[i]].name);
    }
  }
  base_text_printf(out, "\n%-22s%d\n\n", "joints", m->joints);
  for (int i = 0; i < m->joints; i++) write_joint(m, &m->joint[i], out);
  base_text_add(out, "\n");
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t* joint_json(const model* m, const model_joint* j)
{
  json_t *o = json_object(), *names = json_array();
  out_json_set(o, "name", out_json_string(j->name));
  out_json_set(o, "kind", out_json_string(j->kind));
  out_json_set(o, "body", out_json_string(j->body));
  out_json_set(o, "on", out_json_string(j->on));
  out_json_set(o, "places", json_boolean(j->places));
  for (int i = 0; i < m->coords && j->places; i++)
    if (is_of(&m->coord[i], j)) out_json_push(names, out_json_string(m->coord[i].name));
  for (int i = 0; i < j->rows && !j->places; i++)
    out_json_push(names, out_json_string(m->constraint[j->first + i].name));
  out_json_set(o, j->places ? "coordinates" : "constraints", names);
  if (!j->places) out_json_set(o, "always_hold", json_integer(holds_always(j)));
  return o;
}

void out_joints_json(const mech_system* s, const study_point* p, json_t* o)
{
  const model* m = s->model;
  if (!m->joints) return;
  json_t *list = json_array(), *mobility = json_object(), *redundant = json_array();
  for (int i = 0; i < m->joints; i++) out_json_push(list, joint_json(m, &m->joint[i]));
  for (int i = 0; p && i < p->redundant; i++)
    out_json_push(redundant, out_json_string(m->constraint[p->redundant_row[i]].name));
  out_json_set(mobility, "gruebler", json_integer(gruebler(s)));
  out_json_set(mobility, "true", p ? json_integer(out_freedom_velocities(s, p)) : json_null());
  out_json_set(mobility, "redundant", redundant);
  out_json_set(o, "joints", list);
  out_json_set(o, "mobility", mobility);
}
