// Evaluation where something definite is wanted: a number, a vector, a comparison, a place, a
// dimension, freedom from velocities.

#include "model/scope.h"

#include <assert.h>
#include <string.h>

bool model_eval_scalar(model_scope* s, const lang_node* n, const char* what, expr* e, model_dim* d)
{
  model_value v = model_eval(s, n);
  if (v.kind == MODEL_POISON) return false;
  if (v.kind != MODEL_SCALAR) {
    base_error(s->notes, n->place, "%s is a number, this is %s", what, model_value_describe(&v));
    if (v.kind == MODEL_VECTOR) base_help(s->notes, "its parts are .x, .y and .z");
    return false;
  }
  *e = v.e[0];
  *d = v.d[0];
  return true;
}

bool model_eval_vector(model_scope* s, const lang_node* n, const char* what, expr e[3],
                       model_dim d[3])
{
  model_value v = model_eval(s, n);
  if (v.kind == MODEL_POISON) return false;
  if (v.kind != MODEL_VECTOR) {
    base_error(s->notes, n->place, "%s is a vector (x, y, z), this is %s", what,
               model_value_describe(&v));
    if (v.kind == MODEL_THING) base_help(s->notes, "its place is pos(%s)", v.thing->name);
    if (v.kind == MODEL_SCALAR)
      base_help(s->notes, "a vector is written (x, y, z); in the plane the third is zero");
    return false;
  }
  for (int i = 0; i < 3; i++) {
    e[i] = v.e[i];
    d[i] = v.d[i];
  }
  return true;
}

bool model_eval_comparison(model_scope* s, const lang_node* n, model_comparison* out)
{
  if (!n) return false;
  if (!model_is_comparison(n)) {
    base_error(s->notes, n->place, "expected a comparison such as x > 1");
    return false;
  }
  expr a, b;
  model_dim da, db, d;
  bool left = model_eval_scalar(s, n->kid[0], "a side of a comparison", &a, &da);
  bool right = model_eval_scalar(s, n->kid[1], "a side of a comparison", &b, &db);
  if (!left || !right || !model_dim_check(s, n->place, "compare", da, db, &d)) return false;
  bool swap = n->op == LANG_GT || n->op == LANG_GE;
  *out = (model_comparison){swap ? b : a, swap ? a : b, n->op == LANG_LT || n->op == LANG_GT};
  return true;
}

bool model_eval_place(model_scope* s, const lang_node* n, const model_place** out)
{
  model_value v = model_eval(s, n);
  if (v.kind == MODEL_THING) {
    *out = v.thing->origin;
    return true;
  }
  if (v.kind == MODEL_POISON) return false;
  if (v.kind == MODEL_SCALAR) {
    base_error(s->notes, n->place, "expected a point, frame or body, this is a number");
    base_help(s->notes, "a point has a name of its own: point P = (x, 0, 0) in world");
    return false;
  }
  for (int i = 0; i < 3; i++) {
    int moving = MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION | MODEL_USES_REACTION;
    if (!model_expect_dim(s, n, v.d[i], model_dim_of(1, 0, 0), "a place")) return false;
    if (!model_expect_free(s, n, v.e[i], moving | MODEL_USES_RATE, "a place")) return false;
  }
  *out = model_place_add(&s->kin, NULL, NULL, v.e);
  return true;
}

bool model_expect_dim(model_scope* s, const lang_node* n, model_dim d, model_dim wanted,
                      const char* what)
{
  if (!model_dim_misfits(&d, &wanted)) return true;
  base_error(s->notes, n->place, "%s is in [%s], this is in [%s]", what,
             model_dim_text(s->arena, &wanted), model_dim_text(s->arena, &d));
  const model_dim missing = model_dim_div(wanted, d);
  base_help(s->notes, "a factor in [%s] is missing", model_dim_text(s->arena, &missing));
  return false;
}

static const struct
{
  int uses;
  const char* text;
} held[] = {{MODEL_USES_TOLD, "what is known at the end of steps alone"},
            {MODEL_USES_DELAY, "delayed values"},
            {MODEL_USES_JERK, "third derivatives"},
            {MODEL_USES_REACTION, "reactions"},
            {MODEL_USES_ACCELERATION, "accelerations"},
            {MODEL_USES_VELOCITY, "velocities"},
            {MODEL_USES_RATE, "rates of params"},
            {MODEL_USES_COORD, "coordinates"},
            {MODEL_USES_TIME, "time"},
            {MODEL_USES_CHANGING, "params that change"}};

bool model_expect_free(model_scope* s, const lang_node* n, expr e, int forbidden, const char* what)
{
  // nothing is known of how a delayed value changes with the motion: as of velocities
  if (forbidden & MODEL_USES_VELOCITY) forbidden |= MODEL_USES_DELAY;
  // as little is known where third derivatives are not
  if (forbidden & MODEL_USES_JERK) forbidden |= MODEL_USES_TOLD;
  int found = model_scope_uses(s, e) & forbidden;
  if (!found) return true;
  for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
    if (!(held[i].uses & found)) continue;
    const bool first = held[i].uses & (MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION) &&
                       model_scope_uses(s, e) & MODEL_USES_FIRST;
    base_error(s->notes, n->place, "%s cannot depend on %s", what, held[i].text);
    if (held[i].uses == MODEL_USES_TOLD)
      base_help(s->notes,
                "an `output` may hold it; what a contact has lost, and contacts of shapes "
                "that are looked for, are told by steps");
    else if (first)
      base_help(s->notes, "a state counts as a velocity, its rate as an acceleration");
    else if (held[i].uses == MODEL_USES_ACCELERATION && strcmp(what, "an initial equation") == 0)
      base_help(s->notes, "accelerations follow from the forces: a start is places and velocities");
    else if (held[i].uses == MODEL_USES_ACCELERATION && strcmp(what, "a force") == 0)
      base_help(s->notes, "what grows with an acceleration is an inertia: it belongs to `kinetic`");
    return false;
  }
  assert(!"every use has its text");
  return false;
}

bool model_eval_sides(model_scope* s, const lang_node* left, const lang_node* right, int* count,
                      expr a[3], expr b[3], model_dim d[3])
{
  model_value x = model_eval(s, left), y = model_eval(s, right);
  if (x.kind == MODEL_POISON || y.kind == MODEL_POISON) return false;
  if (x.kind == MODEL_THING || y.kind == MODEL_THING) {
    const model_value* v = x.kind == MODEL_THING ? &x : &y;
    base_error(s->notes, x.kind == MODEL_THING ? left->place : right->place,
               "`%s` is %s; an equation is between numbers or vectors", v->thing->name,
               model_value_describe(v));
    base_help(s->notes, "its place is pos(%s)", v->thing->name);
    return false;
  }
  base_place both = base_place_join(left->place, right->place);
  if (x.kind != y.kind) {
    base_error(s->notes, both, "one side is %s, the other %s", model_value_describe(&x),
               model_value_describe(&y));
    return false;
  }
  *count = x.kind == MODEL_VECTOR ? 3 : 1;
  for (int i = 0; i < *count; i++) {
    a[i] = x.e[i];
    b[i] = y.e[i];
    if (!model_dim_check(s, both, "equate", x.d[i], y.d[i], &d[i])) return false;
  }
  return true;
}

// ---- conditions: comparisons, and what joins them
// ------------------------------------------------

static bool joins(const lang_node* n)
{
  return n && n->kind == LANG_BINARY && n->op >= LANG_AND;
}

// both hold where the least of them is positive, one of them where the largest is
bool model_expect_condition(model_scope* s, const lang_node* n, expr* g)
{
  if (joins(n)) {
    expr of[2];
    const bool first = model_expect_condition(s, n->kid[0], &of[0]);
    if (!model_expect_condition(s, n->kid[1], &of[1]) || !first) return false;
    *g = expr_call(s->pool, n->op == LANG_AND ? EXPR_MIN : EXPR_MAX, 2, of);
    return true;
  }
  model_comparison c;
  if (!model_eval_comparison(s, n, &c)) return false;
  *g = expr_sub(s->pool, c.high, c.low);
  return true;
}

bool model_expect_choice(model_scope* s, const lang_node* n, expr yes, expr no, expr* out)
{
  if (joins(n)) {
    expr second;
    const bool both = n->op == LANG_AND;
    return model_expect_choice(s, n->kid[1], yes, no, &second) &&
           model_expect_choice(s, n->kid[0], both ? second : yes, both ? no : second, out);
  }
  model_comparison c;
  if (!model_eval_comparison(s, n, &c)) return false;
  const expr holds =
      c.strict ? expr_less(s->pool, c.low, c.high) : expr_less_eq(s->pool, c.low, c.high);
  *out = expr_if(s->pool, holds, yes, no);
  return true;
}
