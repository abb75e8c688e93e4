// What a model is, before anything runs.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/contact.h"
#include "out/freedom.h"
#include "out/geometry.h"
#include "out/joints.h"
#include "out/json_text.h"
#include "out/names.h"
#include "out/point.h"
#include "out/text.h"

enum { WIDTH = 100, KEY_WIDTH = 22, LONGEST = 1000 };

static bool is_redundant(const study_point* p, int k)
{
  for (int i = 0; p && i < p->redundant; i++)
    if (p->redundant_row[i] == k) return true;
  return false;
}

// the formula in short, unless shortening it would take long
static char* formula(const model* m, expr e)
{
  base_text t = {0};
  expr short_e = expr_length(m->pool, e) <= LONGEST ? expr_simplify(m->pool, e) : e;
  expr_print(m->pool, &t, expr_pool_full(m->pool) ? e : short_e);
  return base_text_take(&t);
}

static const char* relation(const model_constraint* c)
{
  return c->sense > 0 ? ">=" : c->sense < 0 ? "<=" : "=";
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t* constraint_of(const mech_system* s, const study_point* p, const geom_report* g,
                             int k)
{
  const model* m = s->model;
  const model_constraint* c = &m->constraint[k];
  json_t* o = json_object();
  char* f = formula(m, c->f);
  base_text equation = {0};
  base_text_printf(&equation, "%s %s 0", f, relation(c));
  out_json_set(o, "name", out_json_string(c->name));
  out_json_set(o, "equation", out_json_string(equation.at));
  out_json_set(o, "order", json_integer(c->order));
  out_json_set(o, "linear", json_boolean(c->linear));
  if (c->by) out_json_set(o, "by", out_json_string(c->by));
  if (c->sense) out_json_set(o, "unilateral", json_true());
  if (s->role[k].index) out_json_set(o, "index", json_integer(s->role[k].index));
  if (c->hidden) out_json_set(o, "hidden", json_true());
  if (g && k < g->constraints) {
    const geom_constraint* gc = &g->constraint[k];
    out_json_set(o, "integrable", out_json_string(out_truth_word(gc->integrable)));
    out_json_set(o, "integrable_alone", json_boolean(gc->alone));
    out_json_set(o, "why", out_json_string(gc->why ? gc->why : ""));
    if (gc->potential != EXPR_NONE && c->order > 0) {
      char* potential = formula(m, gc->potential);
      out_json_set(o, "potential", out_json_string(potential));
      free(potential);
    }
  } else {
    out_json_set(o, "integrable", out_json_string(c->order == 0 ? "yes" : "unknown"));
  }
  out_json_set(o, "redundant", p ? json_boolean(is_redundant(p, k)) : json_null());
  if (!model_constraint_starts(m, k)) out_json_set(o, "starts_off", json_true());
  free(f);
  base_text_free(&equation);
  return o;
}

// Many coordinates: commutators of vector fields are not looked for. Where all constraints are on
// positions there is nothing to look for: the admissible directions stay where they are.
static const char* const not_looked_for =
    "not looked for: more than 60 coordinates, and constraints on velocities";

static bool on_positions_alone(const model* m)
{
  for (int k = 0; k < m->constraints; k++)
    if (m->constraint[k].order > 0) return false;
  return true;
}

static json_t* growth_of(const mech_system* s, const study_point* p, const geom_report* g)
{
  json_t* list = json_array();
  if (!g && p && on_positions_alone(s->model)) {
    out_json_push(list, json_integer(out_freedom_velocities(s, p)));
    return list;
  }
  if (!g || !g->growth_known) {
    json_decref(list);
    return json_null();
  }
  for (int i = 0; i < g->growth_length; i++) out_json_push(list, json_integer(g->growth[i]));
  return list;
}

static json_t* subsystems_of(const model* m, const geom_report* g)
{
  json_t* list = json_array();
  for (int i = 0; i < g->subsystems; i++) {
    json_t* names = json_array();
    for (int k = 0; k < g->members[i]; k++)
      out_json_push(names, out_json_string(m->constraint[g->member[i][k]].name));
    out_json_push(list, names);
  }
  return list;
}

static json_t* names_of(const model* m, int from, int to)
{
  json_t* list = json_array();
  for (int i = from; i < to; i++) out_json_push(list, out_json_string(m->coord[i].name));
  return list;
}

static json_t* params_of(const model* m)
{
  json_t* params = json_object();
  for (int i = 0; i < m->params; i++)
    if (!m->param[i].made)
      out_json_set(params, m->param[i].name, out_json_real(m->param[i].number));
  return params;
}

static void write_json(const mech_system* s, const study_point* p, const geom_report* g,
                       const out_reach* along, base_text* out)
{
  const model* m = s->model;
  json_t *o = json_object(), *coordinates = names_of(m, 0, m->places), *units = json_object();
  json_t* constraints = json_array();
  for (int i = 0; i < m->coords; i++)
    if (m->coord[i].unit[0])
      out_json_set(units, m->coord[i].name, out_json_string(m->coord[i].unit));
  for (int k = 0; k < m->constraints; k++)
    if (model_constraint_is_shown(m, k)) out_json_push(constraints, constraint_of(s, p, g, k));
  out_contact_check_json(m, p, g, constraints, coordinates);
  out_json_set(o, "title", out_json_string(m->title));
  out_json_set(o, "coordinates", coordinates);
  out_json_set(o, "states", names_of(m, m->places, m->coords));
  out_json_set(o, "units", units);
  out_json_set(o, "params", params_of(m));
  out_json_set(o, "dof_positions", p ? json_integer(out_freedom_positions(s, p, g)) : json_null());
  out_json_set(o, "dof_velocities", p ? json_integer(out_freedom_velocities(s, p)) : json_null());
  out_json_set(o, "growth", growth_of(s, p, g));
  if (!g && !on_positions_alone(m)) out_json_set(o, "growth_note", out_json_string(not_looked_for));
  if (g && g->growth_note) out_json_set(o, "growth_note", out_json_string(g->growth_note));
  if (g && g->growth_known && g->growth_whole)
    out_json_set(o, "degree", json_integer(g->growth_length));
  if (along && along->reach)
    out_json_set(o, "along", out_reach_along_json(along->reach, along->time));
  if (g) out_json_set(o, "subsystems", subsystems_of(m, g));
  out_joints_json(s, p, o);
  out_json_set(o, "constraints", constraints);
  out_json_set(o, "operations", p ? json_integer(p->operations) : json_null());
  out_json_set(o, "initial", p ? out_point_state(m, p) : json_null());
  out_json_print(out, o, true);
}

// ---- text ---------------------------------------------------------------------------------------

static void key(base_text* out, const char* word)
{
  base_text_printf(out, "%-*s", KEY_WIDTH, word);
}

static void write_coordinates(const model* m, int from, int to, base_text* out)
{
  int at = KEY_WIDTH;
  for (int i = from; i < to; i++) {
    const model_coord* c = &m->coord[i];
    int columns = out_text_columns(c->name) + (c->unit[0] ? out_text_columns(c->unit) + 3 : 0) + 2;
    if (i > from) base_text_add(out, ",");
    if (i > from && at + columns > WIDTH) {
      base_text_printf(out, "\n%*s", KEY_WIDTH, "");
      at = KEY_WIDTH;
    } else if (i > from) {
      base_text_add(out, " ");
    }
    out_text_plain(out, c->name);
    if (c->unit[0]) {
      base_text_add(out, " [");
      out_text_plain(out, c->unit);
      base_text_add(out, "]");
    }
    at += columns;
  }
  base_text_add(out, "\n");
}

// the degree at generic points, then along the run
static void write_reach(const geom_report* g, const out_reach* along, base_text* out)
{
  if (!g->growth_known || !g->growth_whole || g->growth_length < 2) return;
  key(out, "degree");
  base_text_printf(out, "%d of nonholonomy, at generic points\n", g->growth_length);
  if (!along || !along->reach) return;
  base_text line = {0};
  out_reach_along_text(along->reach, along->time, "at the initial state", &line);
  char* next = NULL;
  for (char* at = strtok_r(line.at, "\n", &next); at; at = strtok_r(NULL, "\n", &next))
    base_text_printf(out, "%*s%s\n", KEY_WIDTH - 2, "", at);
  base_text_free(&line);
}

static void write_freedom(const mech_system* s, const study_point* p, const geom_report* g,
                          base_text* out)
{
  key(out, "degrees of freedom");
  if (p)
    base_text_printf(out, "%d in positions, %d in velocities\n", out_freedom_positions(s, p, g),
                     out_freedom_velocities(s, p));
  else
    base_text_add(out, "unknown: there is no consistent state\n");
  key(out, "growth vector");
  if (!g) {
    if (p && on_positions_alone(s->model))
      base_text_printf(out, "(%d)\n", out_freedom_velocities(s, p));
    else
      base_text_printf(out, "%s\n", not_looked_for);
    return;
  }
  if (g->growth_known) {
    base_text_add(out, "(");
    for (int i = 0; i < g->growth_length; i++)
      base_text_printf(out, "%s%d", i ? ", " : "", g->growth[i]);
    base_text_add(out, ")");
  }
  if (g->growth_note && g->growth_note[0]) {
    if (g->growth_known) base_text_add(out, "; ");
    out_text_plain(out, g->growth_note);
  }
  base_text_add(out, "\n");
}

static void write_subsystems(const model* m, const geom_report* g, base_text* out)
{
  for (int i = 0; i < g->subsystems; i++) {
    key(out, "integrable together");
    for (int k = 0; k < g->members[i]; k++) {
      base_text_add(out, k ? ", " : "");
      out_text_plain(out, m->constraint[g->member[i][k]].name);
    }
    base_text_add(out, "\n");
  }
}

static void write_constraint(const mech_system* s, const study_point* p, const geom_report* g,
                             int k, base_text* out)
{
  const model* m = s->model;
  static const char* const levels[] = {"positions", "velocities", "accelerations"};
  const model_constraint* c = &m->constraint[k];
  assert(c->order >= 0 && c->order <= 2);
  char* f = formula(m, c->f);
  base_text equation = {0};
  base_text_printf(&equation, "%s %s 0", f, relation(c));
  base_text_add(out, "\n  ");
  out_text_plain(out, c->name);
  base_text_add(out, ":  ");
  out_text_wrap(out, equation.at, 5 + out_text_columns(c->name), 8, WIDTH);
  base_text_printf(out, "\n    order %d: on %s", c->order, levels[c->order]);
  if (c->order > 0) base_text_add(out, c->linear ? ", linear in them" : ", nonlinear in them");
  if (!model_constraint_starts(m, k)) base_text_add(out, "; off until a stage imposes it");
  base_text_add(out, "\n");
  if (c->sense) base_text_add(out, "    unilateral: it can let go\n");
  if (c->by) {
    base_text_add(out, "    held by a control along ");
    out_text_plain(out, c->by);
    base_text_printf(out, s->role[k].index ? ", index %d\n" : ", index not found\n",
                     s->role[k].index);
  }
  if (c->hidden) {
    base_text_add(out, "    hidden: it follows from ");
    out_text_plain(out, m->constraint[s->role[k].servo].name);
    base_text_add(out, " and the equations of motion\n");
  }
  if (g && c->order > 0 && k < g->constraints) {
    const geom_constraint* gc = &g->constraint[k];
    base_text_printf(out, "    integrable: %s", out_truth_word(gc->integrable));
    if (gc->why && gc->why[0]) {
      base_text_add(out, " (");
      out_text_plain(out, gc->why);
      base_text_add(out, ")");
    }
    base_text_add(out, "\n");
    if (gc->potential != EXPR_NONE) {
      char* potential = formula(m, gc->potential);
      base_text_printf(out, "    a hidden position constraint: %s = const\n", potential);
      free(potential);
    }
  }
  if (is_redundant(p, k))
    base_text_add(out, "    redundant: it depends on the other constraints\n");
  free(f);
  base_text_free(&equation);
}

static void write_initial(const model* m, const study_point* p, base_text* out)
{
  int width = 0;
  for (int i = 0; i < m->coords; i++) {
    int columns = out_text_columns(m->coord[i].name);
    width = columns > width ? columns : width;
  }
  base_text_printf(out, "\ninitial state at t = %.10g\n", p->t);
  for (int i = 0; i < m->coords; i++) {
    base_text value = {0};
    const bool state = i >= m->places;
    out_text_number(&value, state ? p->v[i] : p->q[i], 12);
    base_text_add(out, "  ");
    out_text_pad(out, m->coord[i].name, width + 1);
    base_text_printf(out, state ? "= %s\n" : "= %-20s ", value.at);
    base_text_free(&value);
    if (state) continue;
    out_text_plain(out, m->coord[i].name);
    base_text_printf(out, "'%*s = ", width - out_text_columns(m->coord[i].name), "");
    out_text_number(out, p->v[i], 12);
    base_text_add(out, "\n");
  }
}

static void write_text(const mech_system* s, const study_point* p, const geom_report* g,
                       const out_reach* along, base_text* out)
{
  const model* m = s->model;
  out_text_plain(out, m->title[0] ? m->title : "model without a title");
  base_text_add(out, "\n\n");
  key(out, "coordinates");
  write_coordinates(m, 0, m->places, out);
  if (m->coords > m->places) key(out, "states");
  if (m->coords > m->places) write_coordinates(m, m->places, m->coords, out);
  write_freedom(s, p, g, out);
  if (g) write_reach(g, along, out);
  if (p) {
    key(out, "operations");
    base_text_printf(out, "%d to evaluate M, F, A and c once\n", p->operations);
  }
  out_joints_text(s, p, out);
  key(out, "constraints");
  base_text_printf(out, "%d",
                   model_constraints_shown(m) - (m->constraints - s->written) + m->contacts);
  if (m->constraints > s->written)
    base_text_printf(out, ", and %d hidden behind servo constraints", m->constraints - s->written);
  if (p && p->redundant > 0) base_text_printf(out, ", %d of them redundant", p->redundant);
  base_text_add(out, "\n");
  if (g) write_subsystems(m, g, out);
  for (int k = 0; k < m->constraints; k++)
    if (model_constraint_is_shown(m, k)) write_constraint(s, p, g, k, out);
  out_contact_check_text(m, p, g, out);
  if (p) write_initial(m, p, out);
}

void out_check(const mech_system* s, const study_point* p, const geom_report* g,
               const out_reach* along, bool json, base_text* out)
{
  const model* m = s->model;
  assert(!p || (p->n == m->coords && p->m == m->constraints));
  assert(!g || g->constraints == s->written);
  (json ? write_json : write_text)(s, p, g, along, out);
}
