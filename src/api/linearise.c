// A linear model about a state.
#include "api/api.h"

#include <string.h>

enum { linearise_cookie = 0x6c69, most_names = 1000 };

static const api_member linearise_members[] = {
    API_MEMBER(API_INT, zw_linearise_options, where, 0, 2),
    API_MEMBER(API_INT, zw_linearise_options, symbolic, 0, 1)};
static const api_options linearise_options = {
    "zw_linearise_defaults", linearise_cookie, offsetof(zw_linearise_options, cookie),
    sizeof linearise_members / sizeof *linearise_members, linearise_members};

zw_linearise_options zw_linearise_defaults(void)
{
  return (zw_linearise_options){.cookie = linearise_cookie};
}

// names with commas between; those of vectors hold none
static int split(const char* text, base_arena* arena, const char*** out)
{
  int count = 0;
  *out = base_arena_take(arena, sizeof **out * most_names);
  for (const char* at = text ? text : ""; *at && count < most_names;) {
    at += strspn(at, ", ");
    const size_t n = strcspn(at, ", ");
    if (n) (*out)[count++] = base_arena_strndup(arena, at, n);
    at += n;
  }
  return count;
}

// the inputs and outputs of the model, where none are named
static int declared_inputs(const model* m, base_arena* arena, const char*** out)
{
  int count = 0;
  *out = base_arena_take(arena, sizeof **out * (size_t)(m->params + 1));
  for (int i = 0; i < m->params; i++)
    if (m->param[i].input) (*out)[count++] = m->param[i].name;
  return count;
}

static int declared_outputs(const model* m, base_arena* arena, const char*** out)
{
  int count = 0;
  *out = base_arena_take(arena, sizeof **out * (size_t)(m->outputs + 1));
  for (int i = 0; i < m->outputs; i++) (*out)[count++] = m->output[i].name;
  return count;
}

// the linear model that is asked for, with its names in the arena; null with the reasons noted
static study_linearised* linearised(zw_system* s, const zw_linearise_options* o, base_arena* arena,
                                    base_notes* n)
{
  const char **input, **output;
  model_initial* given = NULL;
  study_linearise_options with = {.where = (study_where)o->where, .symbolic = o->symbolic};
  with.inputs =
      o->inputs ? split(o->inputs, arena, &input) : declared_inputs(s->model, arena, &input);
  with.outputs =
      o->outputs ? split(o->outputs, arena, &output) : declared_outputs(s->model, arena, &output);
  with.input = input;
  with.output = output;
  if (o->state) with.given = model_equations(s->model, "--at", o->state, n, &given);
  with.state = o->state ? given : NULL;
  return with.given < 0 ? NULL : study_linearise(s->system, &with, n);
}

char* zw_linearise(zw_system* s, const zw_linearise_options* o, const char* style, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(SYSTEM, s), API_FIT(o, linearise_options), API_HAS(style));
  if (!out_linearised_write(NULL, style, NULL)) {
    base_error(notes->notes, BASE_NOWHERE, "there is no format `%s`", style);
    base_help(notes->notes, "the formats are text, json, csv and latex");
    return NULL;
  }
  base_arena* arena = base_arena_new();
  study_linearised* r = linearised(s, o, arena, notes->notes);
  base_text text = {0};
  if (r) out_linearised_write(r, style, &text);
  study_linearised_free(r);
  base_arena_free(arena);
  return r ? api_hand_out_text(base_text_take(&text)) : NULL;
}

bool zw_linearise_save(zw_system* s, const zw_linearise_options* o, const char* path,
                       zw_notes* notes)
{
  API_ENTER(notes, false, API_IS(SYSTEM, s), API_FIT(o, linearise_options), API_HAS(path));
  if (!out_linearised_check(path, notes->notes)) return false;
  base_arena* arena = base_arena_new();
  study_linearised* r = linearised(s, o, arena, notes->notes);
  const bool done = r && out_linearised_save(r, path, notes->notes);
  study_linearised_free(r);
  base_arena_free(arena);
  return done;
}
