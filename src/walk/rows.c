// Rows: names of the columns, values at a state, growing tables.
#include "walk/rows.h"

#include "contact/contact.h"
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_curve_rows = 40000 };

static int quasi_velocities(const model* m)
{
  int count = 0;
  for (int i = 0; i < m->quasis; i++) count += m->quasi[i].order == 1;
  return count;
}

// reactions of ideal constraints first, then controls of servo ones
static int list_forces(const model* m, int* out)
{
  int count = 0;
  // those of a mechanism would be the forces of inertias that it does not have
  if (m->mechanism) return 0;
  for (int servo = 0; servo < 2; servo++)
    for (int k = 0; k < m->constraints; k++)
      if (!m->constraint[k].hidden && model_constraint_is_shown(m, k) &&
          (m->constraint[k].by != NULL) == servo)
        out[count++] = k;
  return count;
}

// one behind the other; formats would be a good part of a short run
static const char* join(base_arena* a, const char* first, const char* second, const char* third)
{
  const size_t n1 = strlen(first), n2 = strlen(second), n3 = strlen(third);
  char* text = base_arena_take(a, n1 + n2 + n3 + 1);
  memcpy(text, first, n1);
  memcpy(text + n1, second, n2);
  memcpy(text + n1 + n2, third, n3);
  return text;
}

// [m] -> [m/s], written as a person would; nothing from nothing
static const char* rate_unit(base_arena* a, const char* unit)
{
  if (!*unit) return "";
  if (!strcmp(unit, "1")) return "1/s";
  const bool compound = strpbrk(unit, "/") != NULL;
  return compound ? join(a, "(", unit, ")/s") : join(a, unit, "/s", "");
}

void walk_rows_columns(walk_track* track)
{
  const model* m = track->model;
  base_arena* a = track->arena;
  track->force = base_arena_take(a, sizeof(int) * (size_t)(m->constraints + 1));
  track->forces = list_forces(m, track->force);
  track->columns = 1 + m->places + m->coords + quasi_velocities(m) + track->forces + m->outputs +
                   engine_contacts_shown(m);
  track->column = base_arena_take(a, sizeof(char*) * (size_t)track->columns);
  track->unit = base_arena_take(a, sizeof(char*) * (size_t)track->columns);
  for (int i = 0; i < track->columns; i++) track->unit[i] = "";
  int at = 0;
  track->unit[at] = "s";
  track->column[at++] = "t";
  for (int i = 0; i < m->places; i++) {
    track->unit[at] = m->coord[i].unit;
    track->column[at++] = m->coord[i].name;
  }
  for (int i = 0; i < m->coords; i++) {
    const bool state = i >= m->places;
    track->unit[at] = state ? m->coord[i].unit : rate_unit(a, m->coord[i].unit);
    track->column[at++] = state ? m->coord[i].name : join(a, m->coord[i].name, "'", "");
  }
  for (int i = 0; i < m->quasis; i++) {
    if (m->quasi[i].order != 1) continue;
    track->unit[at] = m->quasi[i].unit;
    track->column[at++] = m->quasi[i].name;
  }
  for (int i = 0; i < track->forces; i++) {
    const model_constraint* c = &m->constraint[track->force[i]];
    // else forces may be in any unit
    if (c->unit && m->weighed) track->unit[at] = c->unit;
    track->column[at++] = join(a, c->by ? "control." : "reaction.", c->name, "");
  }
  for (int i = 0; i < m->contacts; i++)
    at += engine_contact_names(&m->contact[i], a, track->column + at, track->unit + at);
  for (int i = 0; i < m->outputs; i++) {
    track->unit[at] = m->output[i].unit;
    track->column[at++] = m->output[i].name;
  }
  track->curve_columns = 1;
  for (int i = 0; i < m->plots; i++) track->curve_columns += 1 + m->plot[i].curves;
  track->table.width = track->columns;
  track->curves.width = track->curve_columns;
}

int walk_columns(const model* m, base_arena* arena, const char*** name)
{
  walk_track track = {.model = m, .arena = arena};
  walk_rows_columns(&track);
  *name = track.column;
  return track.columns;
}

walk_rows* walk_rows_new(walk_track* track, rate_flow* flow)
{
  walk_rows* r = base_arena_take(track->arena, sizeof *r);
  r->track = track;
  r->flow = flow;
  r->aside = walk_aside_new(track, flow);
  r->curve_rows = most_curve_rows;
  r->values = base_arena_take(
      track->arena, sizeof(double) * (size_t)(code_outputs(flow->e->program->columns) + 1));
  r->row = base_arena_take(track->arena,
                           sizeof(double) * (size_t)(2 * track->columns + track->curve_columns));
  r->watched = base_arena_take(track->arena, sizeof(double) * (size_t)(track->watched.width + 1));
  return r;
}

// low: the low parts of the row, null where there are none
static void append(walk_table* t, const double* row, const double* low, int stage, int event)
{
  const size_t width = (size_t)t->width;
  if (t->rows == t->room) {
    t->room = t->room ? 2 * t->room : 16;
    t->value = base_realloc(t->value, sizeof(double) * (size_t)t->room * width);
    if (low) t->low = base_realloc(t->low, sizeof(double) * (size_t)t->room * width);
    t->stage = base_realloc(t->stage, sizeof(int) * (size_t)t->room);
    t->event = base_realloc(t->event, sizeof(int) * (size_t)t->room);
  }
  memcpy(t->value + (size_t)t->rows * width, row, sizeof(double) * width);
  if (low) memcpy(t->low + (size_t)t->rows * width, low, sizeof(double) * width);
  t->stage[t->rows] = stage;
  t->event[t->rows++] = event;
}

// the state is put on the constraints, then everything a row can show is computed there
static int evaluate(walk_rows* r, double t, const double* y)
{
  engine* e = r->flow->e;
  bool moved;
  if (rate_flow_load(r->flow, t, y)) return 1;
  // steps that are straight lines are on them at their ends
  if (!r->flow->leaps && engine_project(e, &moved)) return 1;
  return rate_flow_forces(r->flow);
}

// what is seen of it, from the input block as it is
static void put_watched(walk_rows* r, int stage, int event)
{
  const engine* e = r->flow->e;
  if (!e->watched) return;
  code_run(e->watched, e->in, r->watched, e->work.watched_scratch);
  append(&r->track->watched, r->watched, NULL, stage, event);
}

// the same with twice the digits
static int put_wide(walk_rows* r, double t, int stage, int event)
{
  double* low = r->row + r->track->columns + r->track->curve_columns;
  if (walk_wide_row(r->flow->wide, r, t, r->row, low)) return 1;
  append(&r->track->table, r->row, low, stage, event);
  put_watched(r, stage, event);
  return 0;
}

int walk_rows_row(walk_rows* r, double t, const double* y, int stage, int event)
{
  walk_aside_begin(r->aside, r->flow);
  int failed = evaluate(r, t, y);
  if (!failed && r->flow->wide)
    failed = put_wide(r, t, stage, event);
  else if (!failed)
    walk_rows_put(r, t, stage, event);
  walk_aside_end(r->aside, r->flow);
  return failed;
}

int walk_rows_here(walk_rows* r, double t, int stage, int event)
{
  walk_aside_begin(r->aside, r->flow);
  const int failed = rate_flow_forces(r->flow);
  if (!failed) walk_rows_put(r, t, stage, event);
  walk_aside_end(r->aside, r->flow);
  return failed;
}

static void fill(walk_rows* r, double t)
{
  engine* e = r->flow->e;
  const model* m = e->model;
  contact_footing_tell(e);
  code_run(e->program->columns, e->in, r->values, e->work.scratch);
  const int quasi = quasi_velocities(m);
  double* out = r->row;
  *out++ = t;
  memcpy(out, e->q, sizeof(double) * (size_t)m->places);
  memcpy(out + m->places, e->v, sizeof(double) * (size_t)e->n);
  out += m->places + e->n;
  if (quasi) memcpy(out, r->values, sizeof(double) * (size_t)quasi);
  out += quasi;
  for (int i = 0; i < r->track->forces; i++) *out++ = e->lambda[r->track->force[i]];
  const int rest = engine_contacts_shown(m) + m->outputs;
  if (rest) memcpy(out, r->values + quasi, sizeof(double) * (size_t)rest);
}

int walk_rows_read(walk_rows* r, double t, const double* y, double* out)
{
  walk_aside_begin(r->aside, r->flow);
  const int failed = evaluate(r, t, y);
  if (!failed) {
    fill(r, t);
    memcpy(out, r->row, sizeof(double) * (size_t)r->track->columns);
  }
  walk_aside_end(r->aside, r->flow);
  return failed;
}

void walk_rows_put(walk_rows* r, double t, int stage, int event)
{
  fill(r, t);
  append(&r->track->table, r->row, NULL, stage, event);
  put_watched(r, stage, event);
}

// Every other row goes when there are too many: the picture keeps its shape. Points of sections
// stay.
static void thin(walk_table* t)
{
  int kept = 0;
  bool keep = false;
  for (int i = 0; i < t->rows; i++) {
    if (t->event[i] < 0) keep = !keep;
    if (t->event[i] < 0 && !keep) continue;
    memmove(t->value + (size_t)kept * (size_t)t->width, t->value + (size_t)i * (size_t)t->width,
            sizeof(double) * (size_t)t->width);
    t->stage[kept] = t->stage[i];
    t->event[kept++] = t->event[i];
  }
  t->rows = kept;
}

int walk_rows_curve(walk_rows* r, double t, const double* y, int stage)
{
  walk_aside_begin(r->aside, r->flow);
  const int failed = evaluate(r, t, y);
  if (!failed) walk_rows_put_curve(r, t, stage, -1);
  walk_aside_end(r->aside, r->flow);
  return failed;
}

void walk_rows_put_curve(walk_rows* r, double t, int stage, int event)
{
  engine* e = r->flow->e;
  contact_footing_tell(e);
  code_run(e->program->columns, e->in, r->values, e->work.scratch);
  const int skip = quasi_velocities(e->model) + engine_contacts_shown(e->model) + e->model->outputs;
  r->row[0] = t;
  memcpy(r->row + 1, r->values + skip, sizeof(double) * (size_t)(r->track->curve_columns - 1));
  if (r->track->curves.rows >= r->curve_rows) {
    thin(&r->track->curves);
    r->track->thinned++;
    r->curve_rows =
        2 * r->track->curves.rows > most_curve_rows ? 2 * r->track->curves.rows : most_curve_rows;
  }
  append(&r->track->curves, r->row, NULL, stage, event);
}
