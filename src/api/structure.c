// What the motion of a system keeps: symmetries, integrals, a measure.
#include "api/api.h"

#include <string.h>

enum { structure_cookie = 0x7374 };

static const api_options structure_options = {"zw_structure_defaults", structure_cookie,
                                              offsetof(zw_structure_options, cookie), 0, NULL};

zw_structure_options zw_structure_defaults(void)
{
  return (zw_structure_options){.cookie = structure_cookie};
}

char* zw_structure(zw_system* s, const zw_structure_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, structure_options), API_HAS(style));
  base_notes* n = notes->notes;
  if (!out_structure_write(NULL, style, NULL)) {
    base_error(n, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(n, "the formats are text and json");
    return NULL;
  }
  study_point* p = api_state_solve(s, NULL, "--at", o->at, n);
  if (!p) return NULL;
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  const int count = study_point_symbols(s->system, p, arena, &symbol, &value);
  geom_structure* r = geom_structure_find(s->system, count, symbol, value);
  base_text text = {0};
  if (r->unsuited) {
    base_error(n, BASE_NOWHERE, "symmetries and integrals are not looked for: %s", r->unsuited);
    base_help(n,
              "they are found for systems that do not depend on time, with constraints linear in "
              "the velocities and forces linear in them");
  } else {
    out_structure_write(r, style, &text);
  }
  const bool done = !r->unsuited;
  geom_structure_free(r);
  study_point_free(p);
  base_arena_free(arena);
  return done ? api_hand_out_text(base_text_take(&text)) : NULL;
}

// ---- declared to runs ---------------------------------------------------------------------------

static bool is_taken(const model* m, const char* name)
{
  if (model_param_find(m, name) >= 0) return true;
  for (int i = 0; i < m->coords; i++)
    if (!strcmp(m->coord[i].name, name)) return true;
  for (int i = 0; i < m->outputs; i++)
    if (!strcmp(m->output[i].name, name)) return true;
  return false;
}

// F1, or F1_, F1__, ... where the model has that name
static const char* free_name(const model* m, char letter, int number)
{
  const char* name = base_arena_printf(m->arena, "%c%d", letter, number);
  while (is_taken(m, name)) name = base_arena_printf(m->arena, "%s_", name);
  return name;
}

static void declare(model* m, char letter, int count, const geom_closed* of, expr energy)
{
  for (int i = 0; i < count; i++) {
    // runs watch the energy anyway
    if (of[i].value == energy) continue;
    m->output[m->outputs] = (model_output){.name = free_name(m, letter, i + 1),
                                           .unit = "",
                                           .value = of[i].value,
                                           .integral = true,
                                           .place = BASE_NOWHERE};
    m->outputs++;
  }
}

// the model with more outputs; what it is made of is shared, in the arena of the model
static model* extend(const model* m, const geom_structure* r)
{
  model* out = base_arena_take(m->arena, sizeof *out);
  *out = *m;
  const int room = m->outputs + r->closed_linear + r->closed_quadratic + 1;
  out->output = base_arena_take(m->arena, sizeof *out->output * (size_t)room);
  if (m->outputs) memcpy(out->output, m->output, sizeof *m->output * (size_t)m->outputs);
  declare(out, 'F', r->closed_linear, r->linear_of, r->s->H);
  declare(out, 'G', r->closed_quadratic, r->quadratic_of, r->s->H);
  return out;
}

static model* find_integrals(zw_system* s, base_notes* n)
{
  study_point* p = api_state_solve(s, NULL, "initial", NULL, n);
  if (!p) return NULL;
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  const int count = study_point_symbols(s->system, p, arena, &symbol, &value);
  geom_structure* r = geom_structure_find(s->system, count, symbol, value);
  model* out = r->unsuited ? NULL : extend(s->model, r);
  if (!out) base_error(n, BASE_NOWHERE, "there are no integrals to watch: %s", r->unsuited);
  geom_structure_free(r);
  study_point_free(p);
  base_arena_free(arena);
  return out;
}

zw_system* zw_derive_watching(zw_model* m, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(MODEL, m));
  zw_system* s = api_system_new(m, notes->notes);
  model* more = s ? find_integrals(s, notes->notes) : NULL;
  api_object_drop(s);
  return more ? api_hand_out(api_system_of(m, more, notes->notes)) : NULL;
}
