// Equations, forms and one state, as texts and numbers.
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const mech_form* api_form_find(const mech_system* s, const char* name, base_notes* notes)
{
  const mech_form* form = mech_form_find(name);
  if (!form) {
    base_text list = {0};
    for (int i = 0; i < mech_form_count(); i++)
      base_text_printf(&list, "%s%s", i ? ", " : "", mech_form_at(i)->name);
    base_error(notes, BASE_NOWHERE, "there is no form `%s`", name);
    base_help(notes, "the forms are %s; `--form list` explains them", list.at);
    base_text_free(&list);
    return NULL;
  }
  base_arena* arena = base_arena_new();
  const char* why = mech_form_unsuited(form, s, arena);
  if (why) base_error(notes, BASE_NOWHERE, "the form `%s` does not suit this model: %s", name, why);
  base_arena_free(arena);
  return why ? NULL : form;
}

// "text" or "json"; -1 with an error noted
static int find_page_style(const char* style, base_notes* notes)
{
  if (!strcmp(style, "text")) return 0;
  if (!strcmp(style, "json")) return 1;
  base_error(notes, BASE_NOWHERE, "there is no format `%s`", style);
  base_help(notes, "the formats are text and json");
  return -1;
}

// The constraints that do not depend on others along the motion. Formulas alone do not tell: some
// depend on one another only where the position constraints hold. Without a state nothing is left
// out.
mech_choice api_independent(zw_system* s, base_arena* arena)
{
  mech_choice choice = {0};
  base_notes* quiet = base_notes_new();
  study_point* p =
      s->model->constraints > 1 ? study_point_solve(s->system, NULL, 0, NULL, quiet) : NULL;
  if (p && p->redundant > 0) {
    int* rows = base_arena_take(arena, sizeof *rows * (size_t)(p->m + 1));
    for (int k = 0; k < p->m; k++) {
      bool left_out = false;
      for (int i = 0; i < p->redundant; i++) left_out = left_out || p->redundant_row[i] == k;
      if (!left_out) rows[choice.rank++] = k;
    }
    choice.rows = rows;
  }
  study_point_free(p);
  base_notes_free(quiet);
  return choice;
}

char* zw_equations(zw_system* s, const char* form, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(form), API_HAS(style));
  const int how = out_style_find(style);
  if (how < 0) {
    base_error(notes->notes, BASE_NOWHERE, "equations cannot be printed as `%s`", style);
    base_help(notes->notes, "choose text, latex, c or json");
    return NULL;
  }
  const mech_form* f = api_form_find(s->system, form, notes->notes);
  base_arena* arena = base_arena_new();
  const mech_choice choice = f ? api_independent(s, arena) : (mech_choice){0};
  mech_equations* e =
      f ? mech_equations_of(f, s->system, choice.rows ? &choice : NULL, notes->notes) : NULL;
  base_arena_free(arena);
  if (!e) return NULL;
  const char* why = how == OUT_C ? out_equations_c_unsuited(s->system) : NULL;
  if (why) {
    base_error(notes->notes, BASE_NOWHERE, "there is no C for these equations: %s", why);
    base_help(notes->notes, "choose text, latex or json");
    mech_equations_free(e);
    return NULL;
  }
  // C decides what holds by itself
  for (int k = 0; k < s->model->constraints && how != OUT_C; k++)
    if (s->model->constraint[k].sense && strcmp(f->name, "gauss") != 0)
      base_info(notes->notes, s->model->constraint[k].place,
                "the equations hold while `%s` is stressed; --form gauss has the inequality",
                s->model->constraint[k].name);
  for (int k = 0; k < s->model->constraints; k++)
    if (!model_constraint_starts(s->model, k))
      base_info(notes->notes, s->model->constraint[k].place,
                "the constraint `%s` is among the equations, but does not hold from the start",
                s->model->constraint[k].name);
  base_text text = {0};
  out_equations(s->system, e, (out_style)how, &text);
  mech_equations_free(e);
  return api_hand_out_text(base_text_take(&text));
}

char* zw_functions(zw_system* s, const char* names, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(names), API_HAS(style));
  const int how = out_style_find(style);
  if (how < 0 || how == OUT_C) {
    base_error(notes->notes, BASE_NOWHERE, "functions cannot be printed as `%s`", style);
    base_help(notes->notes, "choose text, latex or json");
    return NULL;
  }
  base_arena* arena = base_arena_new();
  const mech_choice choice = api_independent(s, arena);
  mech_equations* e = mech_show(s->system, names, choice.rows ? &choice : NULL, notes->notes);
  base_arena_free(arena);
  if (!e) return NULL;
  base_text text = {0};
  out_equations(s->system, e, (out_style)how, &text);
  mech_equations_free(e);
  return api_hand_out_text(base_text_take(&text));
}

bool zw_form_suits(const zw_system* s, const char* form, zw_notes* notes)
{
  API_ENTER(notes, false, API_IS(SYSTEM, s), API_HAS(form));
  return api_form_find(s->system, form, notes->notes) != NULL;
}

char* zw_forms(zw_system* s, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(style));
  const int json = find_page_style(style, notes->notes);
  if (json < 0) return NULL;
  base_text text = {0};
  out_forms(s->system, json == 1, &text);
  return api_hand_out_text(base_text_take(&text));
}

enum { check_steps = 3000 }; // of the run that is looked at

char* zw_check(zw_system* s, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(style));
  const model* m = s->model;
  if (m->method[0] && !walk_method_known(m->method, m->method_place, notes->notes)) return NULL;
  const int json = find_page_style(style, notes->notes);
  study_point* p = json < 0 ? NULL : study_point_solve(s->system, NULL, 0, NULL, notes->notes);
  if (!p) return NULL;
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  const int count = study_point_symbols(s->system, p, arena, &symbol, &value);
  const bool many = s->model->coords > MECH_MANY;
  geom_report* g = many ? NULL : geom_integrability(s->model, count, symbol, value);
  double time[api_reach_points];
  walk_track* t = g && g->growth_length > 1 ? api_own_run(s, api_reach_points, check_steps) : NULL;
  out_reach along = {.time = t ? time : NULL};
  along.reach = g && g->growth_length > 1 ? api_reach(s, g, count, symbol, value, t, time) : NULL;
  base_text text = {0};
  out_check(s->system, p, g, &along, json == 1, &text);
  geom_reach_free((geom_reach*)along.reach);
  walk_track_free(t);
  geom_report_free(g);
  study_point_free(p);
  base_arena_free(arena);
  return api_hand_out_text(base_text_take(&text));
}

// ---- one state ----------------------------------------------------------------------------------

// what the state does not say is taken from the model's own initial equations, as guesses
static int merge_state(const model* m, int given, const model_initial* state, model_initial* out)
{
  int count = 0;
  for (int i = 0; i < given; i++) out[count++] = state[i];
  for (int i = 0; i < m->initials; i++) {
    bool said = false;
    for (int j = 0; j < given; j++)
      said = said || (m->initial[i].coord >= 0 && m->initial[i].coord == state[j].coord &&
                      m->initial[i].order == state[j].order);
    if (said) continue;
    out[count] = m->initial[i];
    out[count++].guess = true;
  }
  return count;
}

// how far a solved state is from the one asked for, relative to its size
static double moved(const mech_system* s, const study_point* p, int count,
                    const model_initial* state)
{
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  const int symbols = study_point_symbols(s, p, arena, &symbol, &value);
  double most = 0;
  for (int i = 0; i < count; i++) {
    if (state[i].guess) continue;
    if (state[i].coord < 0) most = INFINITY;
    const double off = expr_value(s->pool, state[i].f, symbols, symbol, value);
    const double size =
        state[i].coord < 0 ? 1 : fabs(expr_value(s->pool, state[i].value, symbols, symbol, value));
    most = fmax(most, fabs(off) / (1 + size));
  }
  base_arena_free(arena);
  return most;
}

// A state typed with few digits misses the constraints by a little: then the nearest one that meets
// them is taken and the user is told; a state that is plainly off is an error.
static study_point* solve_state(zw_system* s, const mech_form* form, int count,
                                model_initial* state, int given, base_notes* notes)
{
  base_notes* quiet = base_notes_new();
  study_point* p = study_point_solve(s->system, form, count, state, quiet);
  if (!p) {
    model_initial* loose = base_alloc(sizeof *loose * (size_t)(count + 1));
    memcpy(loose, state, sizeof *loose * (size_t)count);
    for (int i = 0; i < given; i++) loose[i].guess = true;
    p = study_point_solve(s->system, form, count, loose, quiet);
    const double off = p ? moved(s->system, p, given, state) : INFINITY;
    if (p && off > 1e-3) {
      study_point_free(p);
      p = NULL;
    }
    if (p)
      base_warning(notes, BASE_NOWHERE,
                   "the state was moved by up to %.2g (relative) to meet the constraints", off);
    free(loose);
  }
  base_notes_free(quiet);
  return p ? p : study_point_solve(s->system, form, count, state, notes);
}

study_point* api_state_solve(zw_system* s, const mech_form* form, const char* origin,
                             const char* state, base_notes* notes)
{
  if (!state) return study_point_solve(s->system, form, 0, NULL, notes);
  model_initial* given = NULL;
  const int said = model_equations(s->model, origin, state, notes, &given);
  if (said < 0) return NULL;
  model_initial* merged = base_alloc(sizeof *merged * (size_t)(said + s->model->initials + 1));
  const int count = merge_state(s->model, said, given, merged);
  study_point* p = solve_state(s, form, count, merged, said, notes);
  free(merged);
  return p;
}

zw_point* zw_eval(zw_system* s, const char* form, const char* state, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s));
  const mech_form* f = NULL;
  if (form && !(f = api_form_find(s->system, form, notes->notes))) return NULL;
  study_point* p = api_state_solve(s, f, "--state", state, notes->notes);
  if (!p) return NULL;
  zw_point* out = api_object_new(API_POINT, sizeof *out, s, NULL);
  out->system = s->system;
  out->point = p;
  return api_hand_out(out);
}

void api_point_clear(void* point)
{
  study_point_free(((zw_point*)point)->point);
}

void zw_point_free(zw_point* p)
{
  if (api_take_back(API_POINT, p)) api_object_drop(p);
}

double zw_point_value(const zw_point* p, const char* name)
{
  API_ENTER_QUIET(NAN, POINT, p);
  if (!name) return NAN;
  static const char* const prefix[] = {"reaction.", "control."};
  const model* m = p->system->model;
  for (int i = 0; i < 2; i++) {
    if (strncmp(name, prefix[i], strlen(prefix[i])) != 0) continue;
    const int k = model_constraint_find(m, name + strlen(prefix[i]));
    return k < 0 || (m->constraint[k].by != NULL) != i ? NAN : p->point->lambda[k];
  }
  const size_t length = strcspn(name, "'");
  for (int i = 0; i < m->coords; i++) {
    if (strlen(m->coord[i].name) != length || memcmp(m->coord[i].name, name, length) != 0) continue;
    if (!name[length]) return p->point->q[i];
    if (!strcmp(name + length, "'")) return p->point->v[i];
    if (!strcmp(name + length, "''")) return p->point->a[i];
  }
  return NAN;
}

char* zw_point_text(const zw_point* p, const char* style, bool explain)
{
  API_ENTER_ALONE(NULL, API_IS(POINT, p), API_HAS(style));
  if (strcmp(style, "text") != 0 && strcmp(style, "json") != 0) return NULL;
  base_text text = {0};
  out_point(p->system, p->point, !strcmp(style, "json"), explain, &text);
  return api_hand_out_text(base_text_take(&text));
}

char* zw_verify(zw_system* s, int states, const char* style, bool* ok, zw_notes* notes)
{
  if (ok) *ok = false;
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_HAS(style), API_HAS(ok));
  const int json = find_page_style(style, notes->notes);
  study_verdict* v =
      json < 0 ? NULL : study_verify(s->system, states > 0 ? states : 20, notes->notes);
  if (!v) return NULL;
  base_text text = {0};
  out_verdict(s->system, v, json == 1, &text);
  *ok = v->agrees && v->least && v->conserves;
  study_verdict_free(v);
  return api_hand_out_text(base_text_take(&text));
}
