// Equations given beside the model, as for --state "x=1, x'=2".

#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// `t = 2` says when the state is
static bool is_time(const lang_equation* q)
{
  return q->relation == LANG_EQUAL && q->left->kind == LANG_NAME && strcmp(q->left->text, "t") == 0;
}

static void add_time(model_scope* s, const lang_equation* q, base_place place, model_initials* list)
{
  expr e;
  model_dim d;
  const int never = MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_ACCELERATION | MODEL_USES_JERK |
                    MODEL_USES_REACTION;
  if (!model_eval_scalar(s, q->right, "a time", &e, &d)) return;
  if (!model_expect_dim(s, q->right, d, model_dim_of(0, 0, 1), "a time")) return;
  if (!model_expect_free(s, q->right, e, never, "the time of a state")) return;
  base_push(list, (model_initial){.f = expr_sub(s->pool, s->m->t, e),
                                  .coord = MODEL_TIME,
                                  .value = e,
                                  .place = place});
}

int model_equations(model* m, const char* origin, const char* text, base_notes* notes,
                    model_initial** out)
{
  model_scope* s = m->scope;
  base_arena* scratch = base_arena_new();
  lang_equation* equation = NULL;
  model_initials list = {0};
  int errors = base_notes_errors(notes);
  int n = lang_parse_equations(origin, text, scratch, notes, &equation);
  s->notes = notes;
  s->errors_before = 0;
  for (int i = 0; i < n; i++) {
    const lang_equation* q = &equation[i];
    if (!q->left || !q->right) continue;
    base_place place = base_place_join(q->left->place, q->right->place);
    if (q->relation == LANG_AT_LEAST || q->relation == LANG_AT_MOST)
      base_error(notes, place, "expected `=` or `~`");
    else if (is_time(q))
      add_time(s, q, place, &list);
    else
      model_initial_add(s, q->left, q->right, q->relation == LANG_GUESS, place, &list);
  }
  if (n >= 0) model_initial_contradictions(s, &list);
  if (expr_pool_full(m->pool)) base_error(notes, BASE_NOWHERE, "the model is too large");
  *out = base_arena_take(m->arena, (size_t)(list.n + 1) * sizeof **out);
  for (int i = 0; i < list.n; i++) (*out)[i] = list.at[i];
  n = n < 0 || base_notes_errors(notes) > errors ? -1 : list.n;
  s->notes = NULL;
  base_list_free(&list);
  base_arena_free(scratch);
  return n;
}
