// One state: accelerations and reactions, and where they come from.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "out/contact.h"
#include "out/json_text.h"
#include "out/point.h"
#include "out/released.h"
#include "out/text.h"

// no form asked for: the one problem under all of them
static const char* form_name(const study_point* p)
{
  return p->form && p->form[0] ? p->form : "common";
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t* by_coordinate(const model* m, const double* x)
{
  json_t* o = json_object();
  for (int i = 0; i < m->coords; i++) out_json_set(o, m->coord[i].name, out_json_real(x[i]));
  return o;
}

json_t* out_point_state(const model* m, const study_point* p)
{
  json_t* o = json_object();
  out_json_set(o, "t", out_json_real(p->t));
  for (int i = 0; i < m->places; i++) out_json_set(o, m->coord[i].name, out_json_real(p->q[i]));
  for (int i = 0; i < m->coords; i++)
    out_json_set(o, expr_name(m->pool, m->coord[i].v), out_json_real(p->v[i]));
  return o;
}

static json_t* residuals_of(const model* m, const study_point* p)
{
  json_t* o = json_object();
  for (int k = 0; k < m->constraints; k++) {
    json_t* one = json_object();
    out_json_set(one, "position", out_json_real(p->position ? p->position[k] : NAN));
    out_json_set(one, "velocity", out_json_real(p->velocity ? p->velocity[k] : NAN));
    out_json_set(o, m->constraint[k].name, one);
  }
  return o;
}

static json_t* split_of(const model* m, const study_point* p)
{
  json_t* o = json_object();
  for (int i = 0; i < m->coords; i++) {
    json_t* one = json_object();
    out_json_set(one, "W", out_json_real(p->a[i] + p->Gamma[i]));
    out_json_set(one, "Gamma", out_json_real(p->Gamma[i]));
    out_json_set(one, "WK", out_json_real(p->WK[i]));
    out_json_set(one, "WL", out_json_real(p->WL[i]));
    out_json_set(o, m->coord[i].name, one);
  }
  return o;
}

static bool has_split(const study_point* p)
{
  return p->WK && p->WL && p->Gamma;
}

static void write_json(const mech_system* s, const study_point* p, bool explain, base_text* out)
{
  const model* m = s->model;
  json_t *o = json_object(), *reactions = json_object(), *redundant = json_array();
  json_t* controls = json_object();
  for (int k = 0; k < m->constraints; k++)
    if (!m->constraint[k].hidden && model_constraint_is_shown(m, k))
      out_json_set(m->constraint[k].by ? controls : reactions, m->constraint[k].name,
                   out_json_real(p->lambda[k]));
  for (int i = 0; i < m->contacts; i++) {
    double F[3];
    out_contact_force(s, p, i, F);
    for (int k = 0; k < 3; k++) {
      base_text name = {0};
      base_text_printf(&name, "%s.%c", m->contact[i].name, "xyz"[k]);
      out_json_set(reactions, name.at, out_json_real(F[k]));
      base_text_free(&name);
    }
  }
  for (int i = 0; i < p->redundant; i++)
    out_json_push(redundant, out_json_string(m->constraint[p->redundant_row[i]].name));
  out_json_set(o, "form", out_json_string(form_name(p)));
  out_json_set(o, "accelerations", by_coordinate(m, p->a));
  out_json_set(o, "reactions", reactions);
  if (json_object_size(controls))
    out_json_set(o, "controls", controls);
  else
    json_decref(controls);
  out_json_set(o, "state", out_point_state(m, p));
  out_json_set(o, "residuals", residuals_of(m, p));
  out_json_set(o, "rank", json_integer(p->rank));
  out_json_set(o, "redundant", redundant);
  if (explain && has_split(p)) out_json_set(o, "split", split_of(m, p));
  if (p->released) out_released_json(m, p->released, o);
  out_json_print(out, o, true);
}

// ---- text ---------------------------------------------------------------------------------------

enum { CELL = 20 };

static void cell(base_text* out, double x)
{
  base_text t = {0};
  out_text_number(&t, x, 12);
  base_text_printf(out, "  %*s", CELL, t.at);
  base_text_free(&t);
}

static int name_width(const model* m)
{
  int width = 10;
  for (int i = 0; i < m->coords; i++) {
    int columns = out_text_columns(m->coord[i].name);
    width = columns > width ? columns : width;
  }
  for (int i = 0; i < m->constraints; i++) {
    int columns = out_text_columns(m->constraint[i].name) + (m->constraint[i].by ? 9 : 0);
    width = columns > width ? columns : width;
  }
  return width;
}

static void head(base_text* out, int width, const char* first, const char* const* names, int n)
{
  base_text_add(out, "\n  ");
  out_text_pad(out, first, width);
  for (int i = 0; i < n; i++) base_text_printf(out, "  %*s", CELL, names[i]);
  base_text_add(out, "\n");
}

static void row(base_text* out, int width, const char* name, const double* x, int n)
{
  base_text_add(out, "  ");
  out_text_pad(out, name, width);
  for (int i = 0; i < n; i++) cell(out, x[i]);
  base_text_add(out, "\n");
}

static void write_split(const model* m, const study_point* p, int width, base_text* out)
{
  static const char* const names[] = {"q''", "Gamma", "W^K", "W_L"};
  head(out, width, "split", names, 4);
  for (int i = 0; i < m->coords; i++)
    row(out, width, m->coord[i].name, (double[]){p->a[i], p->Gamma[i], p->WK[i], p->WL[i]}, 4);
  base_text_add(
      out, "\n  q'' + Gamma = W = W^K + W_L: the part the constraints fix, and the part left to "
           "the forces\n");
}

static void write_constraints(const model* m, const study_point* p, bool explain, int width,
                              base_text* out)
{
  static const char* const levels[] = {"reaction", "position residual", "velocity residual"};
  if (m->constraints > 0) head(out, width, "constraint", levels, explain ? 3 : 1);
  for (int k = 0; k < m->constraints; k++) {
    double x[] = {p->lambda[k], p->position ? p->position[k] : NAN,
                  p->velocity ? p->velocity[k] : NAN};
    if (m->constraint[k].hidden && !explain) continue;
    base_text name = {0};
    base_text_printf(&name, m->constraint[k].by ? "%s, control" : "%s", m->constraint[k].name);
    if (m->constraint[k].hidden) x[0] = NAN;
    row(out, width, name.at, x, explain ? 3 : 1);
    base_text_free(&name);
  }
}

static void write_redundant(const model* m, const study_point* p, base_text* out)
{
  if (p->redundant == 0) return;
  base_text_add(out, "\n  redundant:");
  for (int i = 0; i < p->redundant; i++) {
    base_text_add(out, i ? ", " : " ");
    out_text_plain(out, m->constraint[p->redundant_row[i]].name);
  }
  base_text_add(out, "; the reactions shown are those of least norm\n");
}

static void write_text(const mech_system* s, const study_point* p, bool explain, base_text* out)
{
  const model* m = s->model;
  static const char* const state[] = {"position", "velocity", "acceleration"};
  int width = name_width(m);
  out_text_plain(out, m->title[0] ? m->title : "state");
  base_text_printf(out, "\n  form %s, t = ", form_name(p));
  base_text_double(out, p->t);
  base_text_add(out, "\n");
  head(out, width, "coordinate", state, 3);
  for (int i = 0; i < m->places; i++)
    row(out, width, m->coord[i].name, (double[]){p->q[i], p->v[i], p->a[i]}, 3);
  static const char* const first[] = {"value", "rate"};
  if (m->coords > m->places) head(out, width, "state", first, 2);
  for (int i = m->places; i < m->coords; i++)
    row(out, width, m->coord[i].name, (double[]){p->v[i], p->a[i]}, 2);
  write_constraints(m, p, explain, width, out);
  static const char* const axes[] = {"force x", "force y", "force z"};
  if (m->contacts > 0) head(out, width, "contact", axes, 3);
  for (int i = 0; i < m->contacts; i++) {
    double F[3];
    out_contact_force(s, p, i, F);
    row(out, width, m->contact[i].name, F, 3);
  }
  if (explain && has_split(p)) write_split(m, p, width, out);
  if (p->released) out_released_text(m, p, width, out);
  write_redundant(m, p, out);
}

void out_point(const mech_system* s, const study_point* p, bool json, bool explain, base_text* out)
{
  assert(p->n == s->model->coords && p->m == s->model->constraints);
  if (json)
    write_json(s, p, explain, out);
  else
    write_text(s, p, explain, out);
}
