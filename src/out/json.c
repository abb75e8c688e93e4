// Tracks as JSON: columns as arrays, with title, params, events, statistics and warnings.
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "out/columns.h"
#include "out/json_text.h"
#include "out/names.h"
#include "out/out.h"

static json_t* params_of(const model* m)
{
  json_t* params = json_object();
  for (int i = 0; i < m->params; i++)
    if (!m->param[i].made)
      out_json_set(params, m->param[i].name, out_json_real(m->param[i].number));
  return params;
}

static json_t* units_of(const walk_track* t)
{
  json_t* units = json_object();
  for (int i = 0; i < t->columns; i++)
    if (t->unit && t->unit[i] && t->unit[i][0])
      out_json_set(units, t->column[i], out_json_string(t->unit[i]));
  return units;
}

// the impulses of what sticks at constraint k: in the plane along the slip, in space their size
static double friction_of(const model* m, int k, const double* impulse)
{
  const model_constraint* c = &m->constraint[k];
  if (!model_constraint_sticks(c)) return 0;
  const double first = impulse[c->stick[0]];
  return c->slips == 2 ? hypot(first, impulse[c->stick[1]]) : first;
}

// the size of those of the links of a contact that rolls
static double grip_of(const model* m, int k, const double* impulse)
{
  double size = 0;
  for (int i = 0; i < m->constraints; i++)
    if (m->constraint[i].during == k + 1) size = hypot(size, impulse[i]);
  return size;
}

static void set_part(json_t* all, const char* own, const char* part, double impulse)
{
  char name[200];
  snprintf(name, sizeof name, "%s.%s", own, part);
  if (impulse != 0) out_json_set(all, name, out_json_real(impulse));
}

// Impulses of an impact: along the gradient of each constraint, and along the surface of each
// contact. Those of a contact of surfaces have its name, and those of what rolls are told together,
// with the moment that rubs against its rolling.
static json_t* impulses_of(const model* m, const double* impulse)
{
  json_t* all = json_object();
  for (int k = 0; k < m->constraints; k++) {
    const model_constraint* c = &m->constraint[k];
    if (c->sticks || (c->internal && !c->sense) || (c->during && c->contact)) continue;
    const bool surfaces = c->sense && c->contact;
    const model_contact* touch = surfaces ? &m->contact[c->contact - 1] : NULL;
    const char* own = touch ? touch->name : c->name;
    if (impulse[k] != 0) out_json_set(all, own, out_json_real(impulse[k]));
    if (!c->sense && !c->guides) continue;
    const bool rolls = touch && touch->rolls;
    if (rolls) set_part(all, own, "friction", grip_of(m, k, impulse));
    set_part(all, own, rolls ? "moment" : "friction", friction_of(m, k, impulse));
  }
  return all;
}

static json_t* happenings_of(const walk_track* t)
{
  json_t* list = json_array();
  for (int i = 0; i < t->happenings; i++) {
    const walk_happening* h = &t->happening[i];
    json_t *one = json_object(), *values = json_object();
    out_json_set(one, "name", out_json_string(walk_happening_name(t, h)));
    out_json_set(one, "t", out_json_real(h->t));
    out_json_set(one, "direction", json_integer(h->direction));
    for (int c = 0; h->row && c < t->columns; c++)
      out_json_set(values, t->column[c], out_json_real(h->row[c]));
    out_json_set(one, "values", values);
    if (h->impulse) out_json_set(one, "impulses", impulses_of(t->model, h->impulse));
    out_json_push(list, one);
  }
  return list;
}

static json_t* residuals_of(const walk_track* t)
{
  json_t* residuals = json_object();
  for (int i = 0; t->residual && i < t->model->constraints; i++) {
    if (t->model->constraint[i].sticks) continue;
    json_t* one = json_object();
    out_json_set(one, "position", out_json_real(t->residual[i].position));
    out_json_set(one, "velocity", out_json_real(t->residual[i].velocity));
    out_json_set(one, "acceleration", out_json_real(t->residual[i].acceleration));
    out_json_set(residuals, t->model->constraint[i].name, one);
  }
  return residuals;
}

static json_t* energy_of(const walk_track* t)
{
  json_t* e = json_object();
  out_json_set(e, "start", out_json_real(t->energy_start));
  out_json_set(e, "end", out_json_real(t->energy_end));
  out_json_set(e, "work", out_json_real(t->energy_work));
  out_json_set(e, "balance", out_json_real(t->energy_balance));
  out_json_set(e, "scale", out_json_real(t->energy_scale));
  out_json_set(e, "relative", out_json_real(out_energy_relative(t)));
  return e;
}

static json_t* laws_of(const walk_track* t)
{
  json_t* l = json_object();
  out_json_set(l, "rows", json_integer(t->laws.rows));
  out_json_set(l, "fault", out_json_real(t->laws.fault));
  out_json_set(l, "unsolved", json_integer(t->laws.unsolved));
  out_json_set(l, "halved", json_integer(t->laws.halved));
  out_json_set(l, "overlap", out_json_real(t->laws.overlap));
  out_json_set(l, "gained", out_json_real(t->laws.gained));
  out_json_set(l, "rest", out_json_real(t->laws.rest));
  return l;
}

static json_t* integrals_of(const walk_track* t)
{
  json_t* integrals = json_object();
  for (int i = 0; i < t->integrals; i++) {
    json_t* one = json_object();
    out_json_set(one, "start", out_json_real(t->integral[i].start));
    out_json_set(one, "drift", out_json_real(t->integral[i].drift));
    out_json_set(integrals, t->integral[i].name, one);
  }
  return integrals;
}

// null where they are not known
static json_t* digits_of(const walk_track* t)
{
  const walk_digits* d = &t->digits;
  json_t* digits = json_object();
  out_json_set(digits, "good", out_json_real(d->good));
  if (isnan(d->good)) {
    out_json_set(digits, "why", out_json_string(d->why));
    return digits;
  }
  out_json_set(digits, "least", out_json_string(d->column >= 0 ? t->column[d->column] : ""));
  json_t* sizes = json_object();
  for (int i = 0; i < t->model->places + t->model->coords; i++)
    out_json_set(sizes, t->column[1 + i], out_json_real(walk_digits_size(t, i)));
  out_json_set(digits, "sizes", sizes);
  return digits;
}

static json_t* statistics_of(const walk_track* t)
{
  json_t* s = json_object();
  out_json_set(s, "method", out_json_string(t->method ? t->method : ""));
  out_json_set(s, "method_why", out_json_string(t->method_why ? t->method_why : ""));
  if (t->counts.order) out_json_set(s, "order", json_integer(t->counts.order));
  out_json_set(s, "tolerance", out_json_real(t->tolerance));
  out_json_set(s, "t_from", out_json_real(t->t_from));
  out_json_set(s, "t_to", out_json_real(t->t_to));
  out_json_set(s, "t_reached", out_json_real(t->t_reached));
  out_json_set(s, "rows", json_integer(t->table.rows));
  out_json_set(s, "steps", json_integer(t->counts.steps));
  out_json_set(s, "rejected", json_integer(t->counts.rejected));
  out_json_set(s, "evaluations", json_integer(t->counts.evaluations));
  out_json_set(s, "smallest_step", out_json_real(t->counts.smallest_step));
  out_json_set(s, "largest_step", out_json_real(t->counts.largest_step));
  out_json_set(s, "restarts", json_integer(t->restarts));
  out_json_set(s, "impacts", json_integer(t->impacts));
  out_json_set(s, "basis_changes", json_integer(t->basis_changes));
  if (t->digits.asked) out_json_set(s, "digits", digits_of(t));
  out_json_set(s, "residuals", residuals_of(t));
  out_json_set(s, "energy", energy_of(t));
  if (t->laws.problems) out_json_set(s, "contacts", laws_of(t));
  out_json_set(s, "integrals", integrals_of(t));
  json_t* redundant = json_array();
  for (int i = 0; i < t->redundant; i++)
    out_json_push(redundant, out_json_string(t->model->constraint[t->redundant_row[i]].name));
  out_json_set(s, "redundant", redundant);
  json_t* guesses = json_array();
  for (int i = 0; i < t->guesses.count; i++) {
    json_t* one = json_object();
    out_json_set(one, "guess", out_json_string(t->guesses.at[i].text));
    out_json_set(one, "by", out_json_real(t->guesses.at[i].moved));
    out_json_push(guesses, one);
  }
  out_json_set(s, "guesses_moved", guesses);
  out_json_set(s, "seconds", out_json_real(t->seconds));
  return s;
}

static json_t* warnings_of(const base_notes* notes)
{
  json_t* list = json_array();
  for (int i = 0; notes && i < base_notes_count(notes); i++)
    if (base_notes_level(notes, i) == BASE_WARNING)
      out_json_push(list, out_json_string(base_notes_reason(notes, i)));
  return list;
}

static void write_columns(out_json_object* o, const out_runs* r, const walk_track* t)
{
  out_json_key(o, "columns");
  out_json_object columns = out_json_open(o->out, o->indent);
  out_columns chosen = out_columns_of(r);
  for (int i = 0; i < chosen.count; i++) {
    const int at = chosen.at[i];
    if (at >= 0) {
      out_json_key(&columns, t->column[at]);
      out_json_numbers(o->out, t->table.value + at, t->table.rows, t->table.width);
      continue;
    }
    json_t* words = json_array();
    for (int row = 0; row < t->table.rows; row++)
      out_json_push(words, out_json_string(out_columns_word(t, at, row)));
    out_json_member(&columns, out_columns_name(t, at), words);
  }
  out_columns_free(&chosen);
  out_json_close(&columns);
}

static void write_track(const out_runs* r, int run, int indent, base_text* out)
{
  const walk_track* t = r->track[run];
  out_json_object o = out_json_open(out, indent);
  out_json_member(&o, "title", out_json_string(t->model->title));
  if (r->varied) out_json_member(&o, "value", out_json_real(r->value[run]));
  out_json_member(&o, "params", params_of(t->model));
  out_json_member(&o, "units", units_of(t));
  write_columns(&o, r, t);
  out_json_member(&o, "events", happenings_of(t));
  out_json_member(&o, "statistics", statistics_of(t));
  out_json_member(&o, "warnings", warnings_of(r->notes));
  out_json_member(&o, "status", out_json_string(out_status_word(t->status)));
  out_json_member(&o, "reason", out_json_string(t->reason ? t->reason : ""));
  out_json_member(&o, "doubt", out_json_string(t->doubt ? t->doubt : ""));
  out_json_close(&o);
}

void out_json(const out_runs* r, base_text* out)
{
  assert(r->count > 0);
  if (r->count == 1 && !r->varied) {
    write_track(r, 0, 0, out);
    base_text_add(out, "\n");
    return;
  }
  out_json_object o = out_json_open(out, 0);
  out_json_member(&o, "title", out_json_string(r->track[0]->model->title));
  out_json_member(&o, "varied", r->varied ? out_json_string(r->varied) : json_null());
  out_json_key(&o, "runs");
  base_text_add(out, "[");
  for (int i = 0; i < r->count; i++) {
    base_text_add(out, i > 0 ? ",\n    " : "\n    ");
    write_track(r, i, 4, out);
  }
  base_text_add(out, "\n  ]");
  out_json_close(&o);
  base_text_add(out, "\n");
}
