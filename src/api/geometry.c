// The shape of a model: its metric in formulas, and in numbers at a point.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

enum { geometry_cookie = 0x6765 };

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
  sim_point* state = api_state_solve(s, NULL, "--at", at, quiet);
  bool found = state != NULL;
  if (state)
    p->count = sim_point_symbols(s->system, state, p->arena, &p->symbol, &p->value);
  else
    found = plain_point(s, at, p, quiet);
  sim_point_free(state);
  base_notes_free(quiet);
  // once more aloud
  if (!found || (at && state)) sim_point_free(api_state_solve(s, NULL, "--at", at, notes));
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

static char* answer(zw_system* s, const zw_geometry_options* o, const point* p, out_style style,
                    base_notes* notes)
{
  geom_report* report = geom_integrability(s->model, p->count, p->symbol, p->value);
  geom_space* space = geom_space_make(s->model, report, p->count, p->symbol, p->value, notes);
  base_text text = {0};
  if (space) {
    geom_space_curve(space);
    geom_place* at = geom_place_make(space, NULL);
    const geom_verdict flat = geom_flat(space);
    const out_geometry g = {.space = space, .at = at, .asked = o->at != NULL, .flat = &flat};
    out_geometry_write(s->system, &g, style, &text);
    geom_place_free(at);
  }
  const bool done = space != NULL;
  geom_space_free(space);
  geom_report_free(report);
  if (done) return base_text_take(&text);
  base_text_free(&text);
  return NULL;
}

char* zw_geometry(zw_system* s, const zw_geometry_options* o, const char* style, zw_notes* notes)
{
  if (o->cookie != geometry_cookie) {
    base_error(notes->notes, BASE_NOWHERE,
               "the geometry options were not made by zw_geometry_defaults()");
    return NULL;
  }
  const int how = find_style(style, notes->notes);
  if (how < 0) return NULL;
  point p = {0};
  char* text = NULL;
  if (find_point(s, o->at, &p, notes->notes)) text = answer(s, o, &p, (out_style)how, notes->notes);
  base_arena_free(p.arena);
  return text;
}
