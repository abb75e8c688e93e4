// The shape of a model: its metric, a surface with that metric, and the motion on it.
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { geometry_cookie = 0x6765 };

static const api_options geometry_options = {"zw_geometry_defaults", geometry_cookie,
                                             offsetof(zw_geometry_options, cookie), 0, NULL};

zw_geometry_options zw_geometry_defaults(void)
{
  return (zw_geometry_options){.cookie = geometry_cookie};
}

// ---- the point ----------------------------------------------------------------------------------

// all symbols of the model with a number
typedef struct point
{
  base_arena* arena;
  int count;
  expr* symbol;
  double* value;
} point;

static void set_value(point* p, expr symbol, double value)
{
  for (int i = 0; i < p->count; i++) {
    if (p->symbol[i] != symbol) continue;
    p->value[i] = value;
    return;
  }
  p->symbol[p->count] = symbol;
  p->value[p->count++] = value;
}

// positions that are given as numbers, without asking for a motion
static void set_positions(const model* m, point* p, int count, const model_initial* given)
{
  for (int i = 0; i < count; i++) {
    if (given[i].coord == MODEL_TIME)
      set_value(p, m->t, expr_value(m->pool, given[i].value, p->count, p->symbol, p->value));
    if (given[i].coord >= 0 && given[i].order == 0)
      set_value(p, m->coord[given[i].coord].q,
                expr_value(m->pool, given[i].value, p->count, p->symbol, p->value));
  }
}

// Where no motion starts (the mass matrix may be singular) the metric can still be asked for: the
// positions as they are written, without constraints.
static bool plain_point(zw_system* s, const char* at, point* p, base_notes* notes)
{
  model* m = s->model;
  model_initial* given = NULL;
  const int said = at ? model_equations(m, "--at", at, notes, &given) : 0;
  if (said < 0 || m->constraints > 0) return false;
  for (int i = 0; i < said; i++)
    if (given[i].coord == -1) return false;
  const int room = m->params + 3 * m->coords + 8;
  p->symbol = base_arena_take(p->arena, sizeof(expr) * (size_t)room);
  p->value = base_arena_take(p->arena, sizeof(double) * (size_t)room);
  for (int i = 0; i < m->params; i++) set_value(p, m->param[i].symbol, m->param[i].number);
  set_value(p, m->t, 0);
  for (int i = 0; i < m->coords; i++) set_value(p, m->coord[i].q, 0);
  set_positions(m, p, m->initials, m->initial);
  set_positions(m, p, said, given);
  return true;
}

static bool find_point(zw_system* s, const char* at, point* p, base_notes* notes)
{
  p->arena = base_arena_new();
  base_notes* quiet = base_notes_new();
  study_point* state = api_state_solve(s, NULL, "--at", at, quiet);
  bool found = state != NULL;
  if (state)
    p->count = study_point_symbols(s->system, state, p->arena, &p->symbol, &p->value);
  else
    found = plain_point(s, at, p, quiet);
  study_point_free(state);
  base_notes_free(quiet);
  // once more aloud
  if (!found || (at && state)) study_point_free(api_state_solve(s, NULL, "--at", at, notes));
  return found;
}

// ---- the answer ---------------------------------------------------------------------------------

static int find_style(const char* style, base_notes* notes)
{
  const int how = out_style_find(style);
  if (how >= 0 && how != OUT_C) return how;
  base_error(notes, BASE_NOWHERE, "geometry cannot be printed as `%s`", style);
  base_help(notes, "choose text, latex or json");
  return -1;
}

// ---- the motion ---------------------------------------------------------------------------------

// the region and the comparison need no more rows than these, and no endless runs
enum { track_rows = 201, most_steps = 50000 };

// the run in the coordinates of the embedding from the same start, and how far it is from the track
static geom_motion* compare(const geom_embedding* e, const walk_track* t, double* difference)
{
  const geom_space* s = e->s;
  const int n = s->n, width = t->table.width, rows = t->table.rows, coords = s->m->coords;
  double* start = base_alloc(sizeof(double) * (size_t)(2 * n + rows));
  double *v = start + n, *time = v + n;
  for (int i = 0; i < n; i++) {
    start[i] = t->table.value[1 + s->coord[i]];
    v[i] = t->table.value[1 + coords + s->coord[i]];
  }
  for (int i = 0; i < rows; i++) time[i] = t->table.value[i * width];
  geom_motion* m = geom_motion_run(e, start, v, rows, time, 1e-11);
  *difference = 0;
  for (int row = 0; row < m->rows; row++)
    for (int i = 0; i < n; i++) {
      const double q = t->table.value[row * width + 1 + s->coord[i]];
      *difference = fmax(*difference, fabs(m->q[row * n + i] - q) / (1 + fabs(q)));
    }
  free(start);
  return m;
}

// ---- the answer ---------------------------------------------------------------------------------

// the box: as told, around the run, or around the point
static bool find_region(const zw_geometry_options* o, const geom_space* space, const geom_place* at,
                        const walk_track* t, double* low, double* high, out_geometry* g,
                        base_notes* notes)
{
  api_region_around(at, space, low, high);
  g->region = "around the point";
  if (t) {
    api_region_of_track(space, t, low, high);
    g->region = "where the run goes";
  }
  if (!o->region) return true;
  g->region = "as told";
  return api_region_read(space, o->region, low, high, notes);
}

static bool describe(zw_system* s, const zw_geometry_options* o, geom_space* space,
                     const geom_report* report, double energy, api_geometry_use* use, void* context,
                     base_notes* notes)
{
  geom_space_curve(space);
  geom_place* at = geom_place_make(space, NULL);
  const geom_verdict flat = geom_flat(space);
  out_geometry g = {.space = space, .at = at, .asked = o->at != NULL, .flat = &flat};
  // the embedding is of T, and not looked for beside what else is asked for
  const bool alone = o->curvature || o->energy || o->geodesic > 0;
  g.energy = energy;
  geom_shape* shape = geom_shape_find(space);
  g.shape = shape;
  g.apart = NAN;
  walk_track* t = o->curvature ? NULL : api_own_run(s, track_rows, most_steps);
  double* box = base_alloc(sizeof(double) * (size_t)(2 * space->n));
  bool done = find_region(o, space, at, t, box, box + space->n, &g, notes);
  geom_embedding* e =
      done && !alone ? geom_embed(space, &flat, box, box + space->n, o->embed) : NULL;
  if (done && o->geodesic > 0) done = api_geodesic(s, o, report, space, t, &g, notes);
  geom_motion* m = e && t && e->N > 0 ? compare(e, t, &g.difference) : NULL;
  double time[api_reach_points];
  geom_reach* reach =
      done && !alone ? api_reach(s, report, space->symbols, space->symbol, space->value, t, time)
                     : NULL;
  g.report = alone ? NULL : report;
  g.reach = reach;
  g.time = t ? time : NULL;
  g.embedding = e;
  g.motion = m;
  if (done) done = use(context, &g, notes);
  geom_reach_free(reach);
  geom_motion_free(m);
  geom_embedding_free(e);
  geom_shape_free(shape);
  geom_geodesic_free((geom_geodesic*)g.geodesic);
  free(box);
  walk_track_free(t);
  geom_place_free(at);
  return done;
}

bool api_geometry(zw_system* s, const zw_geometry_options* o, api_geometry_use* use, void* context,
                  base_notes* notes)
{
  point p = {0};
  bool done = false;
  if (find_point(s, o->at, &p, notes)) {
    geom_report* report = geom_integrability(s->model, p.count, p.symbol, p.value);
    geom_metric which = {.factor = EXPR_NONE};
    double energy = NAN;
    geom_space* space = NULL;
    expr* symbol = p.symbol;
    double* value = p.value;
    int count = p.count;
    if (!o->energy ||
        api_jacobi(s, o->energy, p.arena, &count, &symbol, &value, &which.factor, &energy, notes))
      space = geom_space_make(s->model, report, &which, count, symbol, value, notes);
    done = space && describe(s, o, space, report, energy, use, context, notes);
    geom_space_free(space);
    geom_report_free(report);
  }
  base_arena_free(p.arena);
  return done;
}

// where the answer goes
typedef struct answer
{
  zw_system* s;
  const zw_geometry_options* o;
  out_style style;
  base_text text;
} answer;

static bool write_answer(void* context, const out_geometry* g, base_notes* notes)
{
  answer* a = context;
  if (a->o->plot && out_geometry_plot(g, a->o->plot, notes) != 0) return false;
  if (a->o->map && out_map_write(g, a->o->map, notes) != 0) return false;
  out_geometry_write(a->s->system, g, a->style, &a->text);
  return true;
}

char* zw_geometry(zw_system* s, const zw_geometry_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, geometry_options), API_HAS(style));
  const int how = find_style(style, notes->notes);
  if (how < 0) return NULL;
  if (s->model->coords > MECH_MANY) {
    base_error(notes->notes, BASE_NOWHERE,
               "geometry is found for at most %d coordinates; the model has %d", MECH_MANY,
               s->model->coords);
    return NULL;
  }
  if (!(o->geodesic >= 0) || !isfinite(o->geodesic)) {
    base_error(notes->notes, BASE_NOWHERE, "a geodesic has a length above zero, not %g",
               o->geodesic);
    return NULL;
  }
  if (o->plot && out_plot_check(o->plot, notes->notes) != 0) return NULL;
  if (o->map && out_map_check(o->map, notes->notes) != 0) return NULL;
  answer a = {.s = s, .o = o, .style = (out_style)how};
  if (api_geometry(s, o, write_answer, &a, notes->notes))
    return api_hand_out_text(base_text_take(&a.text));
  base_text_free(&a.text);
  return NULL;
}
