// Geodesics of a model's metric, or of the Jacobi metric of an energy, whose geodesics are motions.
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { geodesic_rows = 201 };
static const double geodesic_tolerance = 1e-13;
static const double same_energy = 1e-9; // relative: a run of this energy is compared

// ---- the Jacobi metric --------------------------------------------------------------------------

// why motions of one energy are no geodesics; null: they are
static const char* unsuited(const mech_system* s)
{
  const model* m = s->model;
  if (expr_has(s->pool, m->T, m->t) || expr_has(s->pool, m->V, m->t)) return "it depends on time";
  for (int i = 0; i < m->coords; i++)
    if (expr_is_zero(s->pool, m->Q[i]) != EXPR_YES)
      return "a force acts that does not come from the potential energy";
  for (int k = 0; k < m->constraints; k++)
    if (model_constraint_starts(m, k) && m->constraint[k].order > 0)
      return "constraints of velocities hold";
  for (int k = 0; k < m->constraints; k++)
    if (expr_has(s->pool, m->constraint[k].f, m->t)) return "its constraints move";
  return NULL;
}

// the energy as it is written, or of the state
static bool read_energy(const mech_system* s, const char* energy, int count, const expr* symbol,
                        const double* value, double* E, base_notes* notes)
{
  char* end;
  if (!strcmp(energy, "start")) {
    const expr H = expr_add(s->pool, s->model->T, s->model->V);
    *E = expr_value(s->pool, H, count, symbol, value);
    return true;
  }
  *E = strtod(energy, &end);
  if (end != energy && !*end && isfinite(*E)) return true;
  base_error(notes, BASE_NOWHERE, "`%s` is no energy", energy);
  base_help(notes, "give a number, or `start` for the energy of the initial state");
  return false;
}

// E, or E_, E__, ... where the model has that name
static expr energy_symbol(expr_pool* p, int count, const expr* symbol)
{
  char name[16] = "E";
  for (size_t length = 1; length < sizeof name - 1; length++) {
    const expr e = expr_symbol(p, name);
    bool free_name = true;
    for (int i = 0; i < count; i++) free_name = free_name && symbol[i] != e;
    if (free_name) return e;
    name[length] = '_';
  }
  return expr_symbol(p, name);
}

bool api_jacobi(zw_system* s, const char* energy, base_arena* arena, int* count, expr** symbol,
                double** value, expr* factor, double* E, base_notes* notes)
{
  const mech_system* y = s->system;
  const char* why = unsuited(y);
  if (why) {
    base_error(notes, BASE_NOWHERE, "this model has no Jacobi metric: %s", why);
    return false;
  }
  if (!read_energy(y, energy, *count, *symbol, *value, E, notes)) return false;
  const double V = expr_value(y->pool, y->model->V, *count, *symbol, *value);
  if (!(*E > V)) {
    base_error(notes, BASE_NOWHERE,
               "with the energy %.12g nothing moves here: the potential energy is %.12g", *E, V);
    base_help(notes, "give a higher energy, or another point by --at");
    return false;
  }
  const expr e = energy_symbol(y->pool, *count, *symbol);
  expr* symbols = base_arena_take(arena, sizeof(expr) * (size_t)(*count + 1));
  double* values = base_arena_take(arena, sizeof(double) * (size_t)(*count + 1));
  memcpy(symbols, *symbol, sizeof(expr) * (size_t)*count);
  memcpy(values, *value, sizeof(double) * (size_t)*count);
  symbols[*count] = e;
  values[(*count)++] = *E;
  *symbol = symbols;
  *value = values;
  *factor = expr_mul(y->pool, expr_int(y->pool, 2), expr_sub(y->pool, e, y->model->V));
  return true;
}

// ---- the geodesic -------------------------------------------------------------------------------

static double value_of(const geom_space* s, expr symbol)
{
  for (int i = 0; i < s->symbols; i++)
    if (s->symbol[i] == symbol) return s->value[i];
  return 0;
}

// is the run the motion that the geodesic is the path of?
static bool is_its_run(const geom_space* s, const out_geometry* g, const walk_track* run)
{
  if (!run || g->asked || s->factor == EXPR_NONE || run->table.rows < 2) return false;
  expr_pool* p = s->pool;
  const double T = expr_value(p, s->m->T, s->symbols, s->symbol, s->value),
               V = expr_value(p, s->m->V, s->symbols, s->symbol, s->value);
  return fabs(T + V - g->energy) <= same_energy * (fabs(T) + fabs(V));
}

static void compare(const geom_geodesic* x, const walk_track* run, out_geometry* g)
{
  const int width = run->table.width;
  g->apart = 0;
  for (int i = 0; i < x->instants; i++) {
    g->until = run->table.value[i * width];
    for (int k = 0; k < x->n; k++) {
      const double q = run->table.value[i * width + 1 + k];
      g->apart = fmax(g->apart, fabs(x->then[i * x->n + k] - q) / (1 + fabs(q)));
    }
  }
}

bool api_geodesic(zw_system* s, const zw_geometry_options* o, const geom_report* report,
                  const geom_space* space, const walk_track* run, out_geometry* g,
                  base_notes* notes)
{
  const geom_metric which = {.factor = space->factor, .whole = true};
  geom_space* whole =
      geom_space_make(s->model, report, &which, space->symbols, space->symbol, space->value, notes);
  if (!whole) return false;
  const bool its = is_its_run(whole, g, run);
  const int rows = its ? run->table.rows : 0;
  double *v = base_alloc(sizeof(double) * (size_t)(whole->n + rows + 1)), *t = v + whole->n;
  for (int i = 0; i < whole->n; i++) v[i] = value_of(whole, s->model->coord[whole->coord[i]].v);
  for (int i = 0; i < rows; i++)
    t[i] = run->table.value[i * run->table.width] - run->table.value[0];
  const geom_geodesic_ask ask = {.v = v,
                                 .length = o->geodesic,
                                 .rows = geodesic_rows,
                                 .tolerance = geodesic_tolerance,
                                 .instants = rows,
                                 .t = t};
  geom_geodesic* x = geom_geodesic_make(whole, &ask);
  free(v);
  if (x->rows == 0) {
    base_error(notes, BASE_NOWHERE, "there is no geodesic: %s", x->why);
    base_help(notes, "its direction is the velocity at the start, or that of --at \"x' = 1\"");
    geom_geodesic_free(x);
    geom_space_free(whole);
    return false;
  }
  if (its && x->instants > 0) compare(x, run, g);
  // what is printed of it needs its coordinates alone, and they are the model's
  x->s = NULL;
  geom_space_free(whole);
  g->geodesic = x;
  return true;
}
