// Initial equations: left - right = 0, exact or as a guess.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/parts.h"

// is the left side just a coordinate or a velocity, and the right side free of them?
static void recognise(model_scope* s, expr left, expr right, model_initial* x)
{
  x->coord = -1;
  x->value = EXPR_NONE;
  if (model_scope_uses(s, right) & MODEL_USES_STATE) return;
  int primes, i = model_coord_of(s, left, &primes);
  if (i < 0 || primes > 1) return;
  x->coord = i;
  x->order = primes;
  x->value = right;
}

bool model_initial_add(model_scope* s, const lang_node* left, const lang_node* right, bool guess,
                       base_place place, model_initials* list)
{
  expr a[3], b[3];
  model_dim d[3];
  int parts;
  if (!model_eval_sides(s, left, right, &parts, a, b, d)) return false;
  for (int i = 0; i < parts; i++) {
    int never = MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION;
    model_initial x = {.f = expr_sub(s->pool, a[i], b[i]), .guess = guess, .place = place};
    if (!model_expect_free(s, left, x.f, never, "an initial equation") ||
        !model_delay_free(s, left, x.f, "an initial equation"))
      return false;
    recognise(s, a[i], b[i], &x);
    if (model_scope_uses(s, x.f) & MODEL_USES_STATE) {
      base_push(list, x);
      if (parts == 1 && x.coord >= 0 && x.order == 0 &&
          model_degrees_is_angle(&s->m->coord[x.coord]))
        model_degrees_hint(s, right, x.value);
    } else if (parts == 1) {
      base_error(s->notes, place, "this initial equation holds no coordinate and no velocity");
      return false;
    } else if (expr_is_zero(s->pool, model_scope_asked(s, x.f)) != EXPR_YES) {
      // a part that is 0 = 0 is left out, any other cannot be met
      base_error(s->notes, place, "the part .%c of this initial equation cannot hold", "xyz"[i]);
      return false;
    }
  }
  return true;
}

// two exact values for one coordinate or velocity
void model_initial_contradictions(model_scope* s, const model_initials* list)
{
  size_t n = (size_t)(2 * s->m->coords + 1);
  int* seen = base_alloc(n * sizeof *seen);
  for (int i = 0; i < list->n; i++) {
    const model_initial* x = &list->at[i];
    if (x->coord < 0 || x->guess) continue;
    int* first = &seen[2 * x->coord + x->order];
    if (*first == 0) {
      *first = i + 1;
      continue;
    }
    const model_initial* y = &list->at[*first - 1];
    expr difference = model_scope_asked(s, expr_sub(s->pool, x->value, y->value));
    if (expr_is_zero(s->pool, difference) != EXPR_NO) continue;
    base_error(s->notes, x->place, "contradictory initial values of `%s`",
               expr_name(s->pool, x->order ? s->m->coord[x->coord].v : s->m->coord[x->coord].q));
    base_info(s->notes, y->place, "the other value is given here");
  }
  free(seen);
}

static void settle(model_scope* s, const lang_statement* st)
{
  model* m = s->m;
  if (m->settle) {
    base_error(s->notes, st->place, "`initial %s`: how it starts is said twice", st->shape.text);
    base_info(s->notes, m->settle_place, "first said here");
  }
  m->settle = strcmp(st->shape.text, "rest") == 0 ? MODEL_AT_REST : MODEL_STEADY;
  m->settle_place = st->place;
}

void model_initial_build(model_scope* s)
{
  model* m = s->m;
  model_initials list = {0};
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind != LANG_INITIAL) continue;
    if (st->shape.text) {
      settle(s, st);
      continue;
    }
    if (st->rotations) {
      model_initial_rotation(s, st, &list);
      continue;
    }
    model_initial_add(s, st->left, st->right, st->relation == LANG_GUESS, st->place, &list);
  }
  model_state_starts(s, &list);
  model_initial_contradictions(s, &list);
  m->initials = list.n;
  m->initial = base_arena_take(s->arena, (size_t)(list.n + 1) * sizeof *m->initial);
  for (int i = 0; i < list.n; i++) m->initial[i] = list.at[i];
  base_list_free(&list);
}
