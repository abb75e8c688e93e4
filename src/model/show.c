// What the animation shows beside the bodies: balls, boxes, rods, traces, in world axes.

#include <string.h>

#include "model/parts.h"

// the place of a point, frame or body, or of a vector in the axes after `in`
static bool place_of(model_scope* s, const lang_node* n, const model_entry* frame, expr out[3])
{
  model_value v = model_eval(s, n);
  const model_place* p = NULL;
  if (v.kind == MODEL_POISON) return false;
  if (v.kind == MODEL_VECTOR) {
    model_dim length = model_dim_unknown();
    expr r[3];
    if (!model_place_vector(s, n, "a place", r, &length)) return false;
    p = model_place_add(&s->kin, frame->origin, frame->axes, r);
  } else if (!model_eval_place(s, n, &p)) {
    return false;
  }
  model_place_between(&s->kin, NULL, p, NULL, out);
  return true;
}

static bool size_of(model_scope* s, const lang_node* n, const char* what, expr* e)
{
  model_dim d;
  return model_eval_scalar(s, n, what, e, &d) &&
         model_expect_dim(s, n, d, model_dim_of(1, 0, 0), what) &&
         model_expect_free(s, n, *e, MODEL_USES_JERK | MODEL_USES_REACTION, what);
}

static bool box_sizes(model_scope* s, const lang_node* n, expr size[3])
{
  model_dim d[3];
  if (!model_eval_vector(s, n, "the size of a box", size, d)) return false;
  for (int i = 0; i < 3; i++)
    if (!model_expect_dim(s, n, d[i], model_dim_of(1, 0, 0), "an edge of a box") ||
        !model_expect_free(s, n, size[i], MODEL_USES_JERK | MODEL_USES_REACTION, "a box"))
      return false;
  return true;
}

static bool read_show(model_scope* s, const lang_statement* st, model_show* x)
{
  const char* shape = st->shape.text ? st->shape.text : "";
  const model_entry* frame = model_scope_frame(s, st->in);
  if (!frame) return false;
  x->name = base_arena_strdup(s->arena, shape);
  if (strcmp(shape, "ball") == 0) {
    x->shape = MODEL_SHOW_BALL;
    bool fine = size_of(s, st->radius, "a radius", &x->size[0]);
    return place_of(s, st->at, frame, x->at) && fine;
  }
  if (strcmp(shape, "rod") == 0) {
    x->shape = MODEL_SHOW_ROD;
    bool fine = place_of(s, st->from, frame, x->at);
    return place_of(s, st->to, frame, x->to) && fine;
  }
  x->shape = MODEL_SHOW_BOX;
  model_place_between(&s->kin, NULL, frame->origin, NULL, x->at);
  model_axes_rotation(&s->kin, frame->axes, x->rotation);
  return box_sizes(s, st->vector, x->size);
}

static bool read_trace(model_scope* s, const lang_statement* st, model_show* x)
{
  lang_node name = {.kind = LANG_NAME, .place = st->name.place, .text = st->name.text};
  x->shape = MODEL_SHOW_TRACE;
  x->name = base_arena_strdup(s->arena, st->name.text);
  return place_of(s, &name, s->world, x->at);
}

void model_show_build(model_scope* s)
{
  model* m = s->m;
  int shows = 0;
  for (int i = 0; i < s->tree->count; i++)
    shows += s->tree->at[i]->kind == LANG_SHOW || s->tree->at[i]->kind == LANG_TRACE;
  m->show = base_arena_take(s->arena, (size_t)(shows + 1) * sizeof *m->show);
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    model_show x = {0};
    bool fine = false;
    if (st->kind == LANG_SHOW) fine = read_show(s, st, &x);
    if (st->kind == LANG_TRACE && st->name.text) fine = read_trace(s, st, &x);
    if (fine) m->show[m->shows++] = x;
  }
}
