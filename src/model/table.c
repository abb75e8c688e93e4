// Tables: from rows to a grid, and calls of it. Where a table is not to be asked outside its range,
// that it is left is an event that ends the motion.

#include "model/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// each knot is a corner that is looked for; terms are those of one expression
enum { most_knots = 2000, most_terms = 40000 };

static bool refuse(model_scope* s, const model_entry* e, const char* why)
{
  base_error(s->notes, e->place, "the table `%s` %s", e->name, why);
  return false;
}

// ---- rows ---------------------------------------------------------------------------------------

static bool read_number(model_scope* s, const lang_node* n, model_dim wanted, expr scale,
                        double* out)
{
  expr x;
  model_dim d;
  const int moving = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_JERK | MODEL_USES_RATE |
                     MODEL_USES_CHANGING | MODEL_USES_FIRST;
  if (!model_eval_scalar(s, n, "a value of a table", &x, &d) ||
      !model_expect_free(s, n, x, moving, "a value of a table") ||
      (wanted.kind == MODEL_DIM_KNOWN && !model_dim_is_bare(d) &&
       !model_expect_dim(s, n, d, wanted, "this value")))
    return false;
  *out = model_scope_number(s, model_dim_is_bare(d) ? expr_mul(s->pool, x, scale) : x);
  if (isfinite(*out)) return true;
  base_error(s->notes, n->place, "a value of a table is a number");
  return false;
}

static bool rows_of(model_scope* s, const lang_statement* st, const model_table* t,
                    const expr* scale, model_table_rows* out)
{
  if (st->table->file) {
    if (!model_table_read(s, st, out)) return false;
    for (int i = 0; i < out->rows; i++)
      for (int k = 0; k <= t->arguments; k++)
        out->at[i][k] *= expr_value(s->pool, scale[k], 0, NULL, NULL);
    return true;
  }
  out->rows = st->table->rows;
  out->at = base_arena_take(s->arena, sizeof *out->at * (size_t)(out->rows + 1));
  bool fine = true;
  for (int i = 0; i < out->rows; i++)
    for (int k = 0; k <= t->arguments; k++)
      fine &= read_number(s, st->table->row[i]->kid[k], t->dim[k], scale[k], &out->at[i][k]);
  return fine;
}

// ---- the grid -----------------------------------------------------------------------------------

static int ascending(const void* a, const void* b)
{
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// the different values of an argument, in order
static void find_knots(model_scope* s, const model_table_rows* r, int along, model_table* t)
{
  double* x = base_arena_take(s->arena, sizeof(double) * (size_t)(r->rows + 1));
  for (int i = 0; i < r->rows; i++) x[i] = r->at[i][along];
  qsort(x, (size_t)r->rows, sizeof *x, ascending);
  int n = 0;
  for (int i = 0; i < r->rows; i++)
    if (!n || x[i] > x[n - 1]) x[n++] = x[i];
  t->knot[along] = x;
  t->count[along] = n;
}

static int knot_of(const model_table* t, int along, double x)
{
  const double* found =
      bsearch(&x, t->knot[along], (size_t)t->count[along], sizeof(double), ascending);
  return (int)(found - t->knot[along]);
}

static bool fill(model_scope* s, const model_entry* e, const model_table_rows* r, model_table* t)
{
  const size_t cells = (size_t)t->count[0] * (size_t)t->count[1];
  t->value = base_arena_take(s->arena, sizeof(double) * (cells + 1));
  for (size_t i = 0; i < cells; i++) t->value[i] = NAN;
  for (int i = 0; i < r->rows; i++) {
    const double* at = r->at[i];
    const int column = t->arguments == 2 ? knot_of(t, 1, at[1]) : 0;
    double* cell = &t->value[knot_of(t, 0, at[0]) * t->count[1] + column];
    if (!isnan(*cell) && t->arguments == 2)
      base_error(s->notes, e->place, "the table `%s` has two values at (%g, %g)", e->name, at[0],
                 at[1]);
    else if (!isnan(*cell))
      base_error(s->notes, e->place, "the table `%s` has two values at %g", e->name, at[0]);
    if (!isnan(*cell)) return false;
    *cell = at[t->arguments];
  }
  for (size_t i = 0; i < cells; i++) {
    if (!isnan(t->value[i])) continue;
    base_error(s->notes, e->place, "the grid of the table `%s` has no value at (%g, %g)", e->name,
               t->knot[0][i / (size_t)t->count[1]], t->knot[1][i % (size_t)t->count[1]]);
    base_help(s->notes, "a grid has one for each pair of its arguments");
    return false;
  }
  return true;
}

static bool has_size(model_scope* s, const model_entry* e, const model_table* t)
{
  long terms = 1;
  for (int k = 0; k < t->arguments; k++) {
    if (t->count[k] < 2) return refuse(s, e, "needs two different places or more");
    if (t->count[k] > most_knots) return refuse(s, e, "has more than 2000 different places");
    terms *= t->way == MODEL_TABLE_CUBIC ? 3 * t->count[k] : t->count[k];
  }
  return t->arguments == 1 || terms <= most_terms ||
         refuse(s, e, "is too large: a grid of two arguments makes at most 40000 terms");
}

void model_table_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const lang_table* from = st->table;
  model_table* t = base_arena_take(s->arena, sizeof *t);
  expr scale[3];
  t->arguments = st->params;
  t->count[1] = 1;
  for (int k = 0; k < t->arguments; k++) {
    model_scope_unit(s, st->param[k].unit, &t->dim[k], &scale[k]);
    t->argument[k] = base_arena_strdup(s->arena, st->param[k].name.text);
  }
  model_scope_unit(s, from->unit, &t->dim[t->arguments], &scale[t->arguments]);
  const char *way = from->way.text ? from->way.text : "linear",
             *outside = from->outside.text ? from->outside.text : "refuse";
  t->way = way[0] == 'c'   ? MODEL_TABLE_CUBIC
           : way[0] == 's' ? MODEL_TABLE_STEPS
                           : MODEL_TABLE_LINEAR;
  t->outside = outside[0] == 'h'   ? MODEL_TABLE_HOLD
               : outside[0] == 'e' ? MODEL_TABLE_EXTEND
                                   : MODEL_TABLE_REFUSE;
  model_table_rows rows = {0};
  e->poisoned = true;
  if (!rows_of(s, st, t, scale, &rows)) return;
  for (int k = 0; k < t->arguments; k++) find_knots(s, &rows, k, t);
  if (!has_size(s, e, t) || !fill(s, e, &rows, t)) return;
  e->table = t;
  e->poisoned = false;
}

// what is given over time holds before its first row and behind its last
void model_table_given(model_scope* s, model_entry* e, const char* path)
{
  enum { most_bytes = 8 << 20 };
  size_t bytes;
  const char* why;
  char* data = base_file_read(path, most_bytes, &bytes, &why);
  e->poisoned = true;
  if (!data) {
    base_error(s->notes, BASE_NOWHERE, "--input %s: cannot read `%s`: %s", e->name, path, why);
    return;
  }
  const lang_param* given = &e->statement->param[e->part];
  lang_table from = {.file = path, .data = data, .bytes = bytes, .file_place = BASE_NOWHERE};
  const lang_statement st = {.params = 1, .table = &from};
  model_table* t = base_arena_take(s->arena, sizeof *t);
  model_table_rows rows = {0};
  *t = (model_table){.arguments = 1, .count = {0, 1}, .outside = MODEL_TABLE_HOLD};
  expr scale;
  model_scope_unit(s, given->unit, &t->dim[1], &scale);
  if (model_table_read(s, &st, &rows)) {
    for (int i = 0; i < rows.rows; i++) rows.at[i][1] *= expr_value(s->pool, scale, 0, NULL, NULL);
    find_knots(s, &rows, 0, t);
    e->poisoned = !has_size(s, e, t) || !fill(s, e, &rows, t);
    e->table = t;
  }
  free(data);
}

// ---- where they are left
// -------------------------------------------------------------------------

void model_table_watch(model_scope* s)
{
  model* m = s->m;
  model_event* all = base_arena_take(
      s->arena, sizeof *all * (size_t)(m->events + 2 * s->ranges.n + s->ends.n + 1));
  if (m->events) memcpy(all, m->event, sizeof *all * (size_t)m->events);
  m->event = all;
  m->silent += 2 * s->ranges.n + s->ends.n;
  for (int i = 0; i < 2 * s->ranges.n; i++) {
    const model_range* r = &s->ranges.at[i / 2];
    const model_table* t = r->table->table;
    const double* x = t->knot[r->argument];
    const double low = x[0], high = x[t->count[r->argument] - 1], end = i % 2 ? high : low;
    const expr bound = expr_double(s->pool, end);
    m->event[m->events++] =
        (model_event){.name = base_arena_printf(
                          s->arena, "table `%s`: %s goes %s %.10g, the end of its range",
                          r->table->name, t->argument[r->argument], i % 2 ? "above" : "below", end),
                      .g = i % 2 ? expr_sub(s->pool, bound, r->x) : expr_sub(s->pool, r->x, bound),
                      .direction = -1,
                      .action = MODEL_LEAVE,
                      .place = r->place};
  }
  for (int i = 0; i < s->ends.n; i++) m->event[m->events++] = s->ends.at[i];
  base_list_free(&s->ranges);
  base_list_free(&s->ends);
}
