// One run for the page: time, columns, plots, parts, stages, events, residuals, energy.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>

#include "out/json_text.h"
#include "out/names.h"

static json_t* params_of(const model* m)
{
  json_t* list = json_array();
  for (int i = 0; i < m->params; i++) {
    if (m->param[i].made) continue;
    json_t* p = json_object();
    out_json_set(p, "name", out_json_string(m->param[i].name));
    // in the unit that stands beside it
    const double scale = m->param[i].scale != 0 ? m->param[i].scale : 1;
    out_json_set(p, "value", out_json_real(m->param[i].number / scale));
    out_json_set(p, "unit", out_json_string(m->param[i].unit));
    out_json_set(p, "note", out_json_string(m->param[i].note));
    out_json_set(p, "changes", json_boolean(m->param[i].changes));
    out_json_push(list, p);
  }
  return list;
}

static json_t* columns_of(const walk_track* t, out_pack* p)
{
  json_t* list = json_array();
  for (int i = 1; i < t->columns; i++) {
    json_t* c = json_object();
    out_json_set(c, "name", out_json_string(t->column[i]));
    out_json_set(c, "unit", out_json_string(t->unit[i]));
    out_json_set(c, "data", out_pack_column(p, &t->table, i));
    out_json_push(list, c);
  }
  return list;
}

// the rows at which an event happens
static json_t* rows_of(const walk_track* t, int event)
{
  json_t* list = json_array();
  for (int i = 0; i < t->table.rows; i++)
    if (t->table.event[i] == event) out_json_push(list, json_integer(i));
  return list;
}

static json_t* plots_of(const model* m, const model_scene* s, const walk_track* t, out_pack* p)
{
  json_t* list = json_array();
  for (int i = 0; i < m->plots; i++) {
    const model_plot* plot = &m->plot[i];
    const int first = out_seen_plot(m, s, i);
    json_t *j = json_object(), *y = json_array();
    out_json_set(j, "title", out_json_string(plot->title));
    out_json_set(j, "same_scale", json_boolean(plot->same_scale));
    out_json_set(j, "x_label", out_json_string(plot->x_label));
    const bool over_time = plot->x == m->t && !plot->section;
    out_json_set(j, "x", over_time ? json_null() : out_pack_column(p, &t->watched, first));
    if (plot->section) out_json_set(j, "rows", rows_of(t, plot->section - 1));
    for (int k = 0; k < plot->curves; k++) {
      json_t* c = json_object();
      out_json_set(c, "name", out_json_string(plot->y_label[k]));
      out_json_set(c, "data", out_pack_column(p, &t->watched, first + 1 + k));
      out_json_push(y, c);
    }
    out_json_set(j, "y", y);
    out_json_push(list, j);
  }
  return list;
}

// where each stage begins, from the rows
static json_t* stages_of(const walk_track* t)
{
  json_t* list = json_array();
  for (int i = 0, last = -1; i < t->table.rows && t->model->stages; i++) {
    if (t->table.stage[i] == last || t->table.stage[i] < 0) continue;
    last = t->table.stage[i];
    json_t* s = json_object();
    out_json_set(s, "name", out_json_string(t->model->stage[last].name));
    out_json_set(s, "t", out_json_real(t->table.value[(size_t)i * (size_t)t->table.width]));
    out_json_push(list, s);
  }
  return list;
}

static json_t* events_of(const walk_track* t)
{
  json_t* list = json_array();
  for (int i = 0; i < t->happenings; i++) {
    json_t* e = json_object();
    out_json_set(e, "name", out_json_string(walk_happening_name(t, &t->happening[i])));
    out_json_set(e, "t", out_json_real(t->happening[i].t));
    out_json_push(list, e);
  }
  return list;
}

static json_t* residuals_of(const walk_track* t)
{
  json_t* list = json_array();
  for (int k = 0; k < t->model->constraints; k++) {
    if (t->model->constraint[k].internal) continue;
    json_t* r = json_object();
    out_json_set(r, "name", out_json_string(t->model->constraint[k].name));
    out_json_set(r, "position", out_json_real(t->residual[k].position));
    out_json_set(r, "velocity", out_json_real(t->residual[k].velocity));
    out_json_set(r, "acceleration", out_json_real(t->residual[k].acceleration));
    out_json_push(list, r);
  }
  return list;
}

static json_t* energy_of(const walk_track* t, out_pack* p)
{
  json_t* j = json_object();
  out_json_set(j, "kinetic", out_pack_column(p, &t->watched, OUT_SEEN_ENERGY));
  out_json_set(j, "potential", out_pack_column(p, &t->watched, OUT_SEEN_ENERGY + 1));
  out_json_set(j, "start", out_json_real(t->energy_start));
  out_json_set(j, "end", out_json_real(t->energy_end));
  out_json_set(j, "work", out_json_real(t->energy_work));
  out_json_set(j, "balance", out_json_real(out_energy_relative(t)));
  return j;
}

// the representing point at each row: the embedding at the row's coordinates
static json_t* path_of(const geom_embedding* e, const walk_track* t, out_pack* p)
{
  walk_table path = {.width = 3, .rows = t->table.rows};
  path.value = base_alloc(sizeof(double) * 3 * (size_t)(path.rows + 1));
  for (int i = 0; i < path.rows; i++) {
    const double* row = t->table.value + (size_t)i * (size_t)t->table.width;
    double q[2];
    for (int k = 0; k < 2; k++) q[k] = row[1 + e->s->coord[k]];
    geom_embedding_at(e, q, path.value + 3 * (size_t)i, NULL, NULL);
  }
  json_t* j = out_pack_columns(p, &path, 0, 3);
  free(path.value);
  return j;
}

static json_t* up_of(const model_scene* s, const walk_track* t)
{
  json_t* list = json_array();
  for (int i = 0; i < 3; i++)
    out_json_push(
        list,
        out_json_real(s->heavy && t->watched.rows ? -t->watched.value[OUT_SEEN_GRAVITY + i] : 0));
  return list;
}

json_t* out_view_run(const out_view* v, int run)
{
  const walk_track* t = v->runs->track[run];
  const model_scene* s = v->scene[run];
  const model* m = t->model;
  out_pack p = {.rows = t->table.rows};
  json_t* j = json_object();
  if (v->runs->varied) out_json_set(j, "value", out_json_real(v->runs->value[run]));
  out_json_set(j, "status", out_json_string(out_status_word(t->status)));
  out_json_set(j, "reason", out_json_string(t->reason));
  out_json_set(j, "doubt", out_json_string(t->doubt));
  out_json_set(j, "method", out_json_string(t->method ? t->method : ""));
  out_json_set(j, "tolerance", out_json_real(t->tolerance));
  out_json_set(j, "steps", json_integer(t->counts.steps));
  out_json_set(j, "rows", json_integer(t->table.rows));
  out_json_set(j, "time", out_pack_doubles(t->table.value, t->table.rows, t->table.width));
  out_json_set(j, "params", params_of(m));
  out_json_set(j, "columns", columns_of(t, &p));
  out_json_set(j, "plots", plots_of(m, s, t, &p));
  out_json_set(j, "parts", out_view_parts(m, s, t, &p));
  out_json_set(j, "up", up_of(s, t));
  out_json_set(j, "stages", stages_of(t));
  out_json_set(j, "events", events_of(t));
  out_json_set(j, "residuals", residuals_of(t));
  out_json_set(j, "energy", energy_of(t, &p));
  if (v->embedding) out_json_set(j, "point", path_of(v->embedding, t, &p));
  out_json_set(j, "floats", out_pack_bytes(&p.floats));
  out_json_set(j, "shorts", out_pack_bytes(&p.shorts));
  out_pack_free(&p);
  return j;
}
