// Surfaces: the built-in ones and those of the model, as r(u, v).

#include "model/surface.h"

#include <string.h>

#include "model/parts.h"

typedef struct builtin
{
  const char* name;
  model_surface_kind kind;
  int sizes;
  bool open;
  const char* usage;
} builtin;

static const builtin builtins[] = {
    {"plane", MODEL_PLANE, 0, true, "plane"},
    {"sphere", MODEL_SPHERE, 1, false, "sphere(R)"},
    {"cylinder", MODEL_CYLINDER, 1, false, "cylinder(R)"},
    {"cone", MODEL_CONE, 1, false, "cone(angle)"},
    {"ellipsoid", MODEL_ELLIPSOID, 3, false, "ellipsoid(a, b, c)"},
    {"torus", MODEL_TORUS, 2, false, "torus(R, r)"},
    {"circle", MODEL_CIRCLE, 1, false, "circle(R)"},
    {"paraboloid", MODEL_PARABOLOID, 2, true, "paraboloid(a, b)"},
};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

static const builtin* builtin_of(const lang_node* n)
{
  bool named = n && (n->kind == LANG_NAME || n->kind == LANG_CALL);
  for (int i = 0; named && i < BUILTINS; i++)
    if (strcmp(builtins[i].name, n->text) == 0) return &builtins[i];
  return NULL;
}

static model_entry* declared(const model_scope* s, const lang_node* n)
{
  model_entry* e = n && n->kind == LANG_NAME ? model_names_find(&s->names, n->text) : NULL;
  return e && e->sort == MODEL_IS_SURFACE ? e : NULL;
}

bool model_surface_kind_of(const model_scope* s, const lang_node* n, model_surface_kind* kind)
{
  const builtin* b = builtin_of(n);
  if (declared(s, n))
    *kind = MODEL_PATCH;
  else if (b)
    *kind = b->kind;
  return b || declared(s, n);
}

// ---- parametrisations ---------------------------------------------------------------------------

static void derive(expr_pool* p, model_surface* x)
{
  for (int i = 0; i < 3; i++) {
    x->ru[i] = expr_diff(p, x->r[i], x->u);
    x->rv[i] = expr_diff(p, x->r[i], x->v);
  }
}

// a (cos w cos z.., ..): the round ones have their poles on the x axis, so that a body lying on a
// plane in its first attitude touches it on the equator
static void round_patch(expr_pool* p, model_surface* x)
{
  expr cu = expr_fn1(p, EXPR_COS, x->u), su = expr_fn1(p, EXPR_SIN, x->u);
  expr cv = expr_fn1(p, EXPR_COS, x->v), sv = expr_fn1(p, EXPR_SIN, x->v);
  expr f[3] = {sv, expr_mul(p, cv, cu), expr_mul(p, cv, su)};
  for (int i = 0; i < 3; i++) x->r[i] = expr_mul(p, x->size[i], f[i]);
}

// (a cos u, a sin u, z) about the z axis
static void turned_patch(expr_pool* p, model_surface* x, expr a, expr z)
{
  x->r[0] = expr_mul(p, a, expr_fn1(p, EXPR_COS, x->u));
  x->r[1] = expr_mul(p, a, expr_fn1(p, EXPR_SIN, x->u));
  x->r[2] = z;
}

// z = u^2/(2a) + v^2/(2b)
static expr bowl(expr_pool* p, const model_surface* x)
{
  expr half = expr_ratio(p, 1, 2);
  expr a = expr_div(p, expr_mul(p, x->u, x->u), x->size[0]);
  expr b = expr_div(p, expr_mul(p, x->v, x->v), x->size[1]);
  return expr_mul(p, half, expr_add(p, a, b));
}

static void patch(expr_pool* p, model_surface* x)
{
  expr cv = expr_fn1(p, EXPR_COS, x->v), sv = expr_fn1(p, EXPR_SIN, x->v);
  expr R = x->size[0], r = x->size[1];
  switch (x->kind) {
  case MODEL_PLANE:
    x->r[0] = x->u, x->r[1] = x->v, x->r[2] = expr_int(p, 0);
    break;
  case MODEL_PARABOLOID:
    x->r[0] = x->u, x->r[1] = x->v, x->r[2] = bowl(p, x);
    break;
  case MODEL_SPHERE:
  case MODEL_ELLIPSOID:
    round_patch(p, x);
    break;
  case MODEL_CYLINDER:
    turned_patch(p, x, R, x->v);
    break;
  case MODEL_CONE: // v along the generator, from the apex
    turned_patch(p, x, expr_mul(p, x->v, expr_fn1(p, EXPR_SIN, R)),
                 expr_mul(p, x->v, expr_fn1(p, EXPR_COS, R)));
    break;
  case MODEL_TORUS:
  case MODEL_CIRCLE:
    turned_patch(p, x, expr_add(p, R, expr_mul(p, r, cv)), expr_mul(p, r, sv));
    break;
  case MODEL_PATCH:
    break;
  }
}

// ---- reading ------------------------------------------------------------------------------------

enum {
  MOVING =
      MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_TIME | MODEL_USES_CHANGING
};

static bool read_size(model_scope* s, const lang_node* n, bool angle, expr* out)
{
  model_dim d, wanted = angle ? model_dim_weak() : model_dim_of(1, 0, 0);
  const char* what = angle ? "the angle of a cone" : "a size of a surface";
  if (!model_eval_scalar(s, n, what, out, &d)) return false;
  if (!angle && !model_expect_dim(s, n, d, wanted, what)) return false;
  return model_expect_free(s, n, *out, MOVING, what);
}

// radii are positive; the bowls of a paraboloid may open either way, but are not flat
static bool fair_size(model_scope* s, const lang_node* n, const model_surface* x, int i)
{
  const bool edge = x->kind == MODEL_TORUS && i == 1;
  // a radius decides nothing but that it is one
  const bool decides = edge || x->kind == MODEL_PARABOLOID || x->kind == MODEL_CONE;
  const double value =
      decides ? model_scope_number(s, x->size[i]) : model_scope_bound(s, x->size[i]);
  if (x->kind == MODEL_PARABOLOID ? value != 0 : edge ? value >= 0 : value > 0) {
    if (x->kind != MODEL_CONE || value < 1.5707963267948966) return true;
    base_error(s->notes, n->place, "the angle of a cone, from its axis, lies between 0 and pi/2");
    return false;
  }
  base_error(s->notes, n->place, "a size of a surface is %s, this is %g",
             x->kind == MODEL_PARABOLOID ? "not zero" : "positive", value);
  return false;
}

static bool read_builtin(model_scope* s, const lang_node* n, const builtin* b, model_surface* x)
{
  int given = n->kind == LANG_CALL ? n->n : 0;
  if (given != b->sizes) {
    base_error(s->notes, n->place, "`%s` takes %d size%s", b->name, b->sizes,
               b->sizes == 1 ? "" : "s");
    base_help(s->notes, "it is written %s", b->usage);
    return false;
  }
  for (int i = 0; i < 3; i++) x->size[i] = expr_int(s->pool, 0);
  for (int i = 0; i < given; i++) {
    if (!read_size(s, n->kid[i], b->kind == MODEL_CONE, &x->size[i])) return false;
    if (!fair_size(s, n->kid[i], x, i)) return false;
  }
  if (x->kind == MODEL_SPHERE) x->size[1] = x->size[2] = x->size[0];
  if (x->kind == MODEL_TORUS && model_scope_number(s, x->size[1]) == 0) x->kind = MODEL_CIRCLE;
  x->u = expr_symbol(s->pool, "surface.u");
  x->v = expr_symbol(s->pool, "surface.v");
  patch(s->pool, x);
  return true;
}

bool model_surface_is_curve(const model_scope* s, const lang_node* n)
{
  // asked before names are known, too
  for (int i = 0; n && n->kind == LANG_NAME && s->tree && i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind == LANG_SURFACE && st->name.text && strcmp(st->name.text, n->text) == 0)
      return st->params == 1;
  }
  return false;
}

bool model_surface_read(model_scope* s, const lang_node* n, model_surface* out)
{
  if (!model_surface_read_guide(s, n, out)) return false;
  if (!out->curve) return true;
  base_error(s->notes, n->place, "`%s` is a curve, a surface has two coordinates", n->text);
  return false;
}

bool model_surface_read_guide(model_scope* s, const lang_node* n, model_surface* out)
{
  const builtin* b = builtin_of(n);
  const model_entry* e = declared(s, n);
  if (e) {
    if (e->poisoned) return false;
    *out = *e->surface;
    return true;
  }
  if (!b) {
    base_error(s->notes, n->place, "expected a surface");
    base_help(s->notes, "the built-in ones are plane, sphere(R), cylinder(R), cone(angle), "
                        "ellipsoid(a, b, c), torus(R, r), circle(R) and paraboloid(a, b); others "
                        "are declared: surface S(u, v) = (x, y, z)");
    return false;
  }
  *out = (model_surface){.kind = b->kind, .open = b->open, .place = n->place};
  if (!read_builtin(s, n, b, out)) return false;
  derive(s->pool, out);
  return true;
}

// surface S(u, v) = (x, y, z): u and v are names of this statement alone
void model_surface_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  model_surface* x = base_arena_take(s->arena, sizeof *x);
  model_dim d[3];
  *x = (model_surface){.kind = MODEL_PATCH, .curve = st->params == 1, .place = e->place};
  e->poisoned = true;
  for (int i = 0; i < st->params; i++)
    if (!st->param[i].name.text) return;
  x->v = expr_symbol(s->pool, "surface.v");
  expr* symbol[2] = {&x->u, &x->v};
  model_local local[2];
  const char* what = x->curve ? "a curve" : "a surface";
  for (int i = 0; i < st->params; i++) {
    *symbol[i] =
        expr_symbol(s->pool, base_arena_printf(s->arena, "%s.%s", e->name, st->param[i].name.text));
    model_scope_mark(s, *symbol[i], 0);
    local[i] =
        (model_local){st->param[i].name.text, model_value_scalar(*symbol[i], model_dim_unknown())};
  }
  s->locals = st->params;
  s->local = local;
  bool fine = model_eval_vector(s, st->value, what, x->r, d);
  s->locals = 0;
  for (int i = 0; fine && i < 3; i++) {
    fine = model_expect_dim(s, st->value, d[i], model_dim_of(1, 0, 0), "a place there") &&
           model_expect_free(s, st->value, x->r[i], MOVING, what);
  }
  if (!fine) return;
  derive(s->pool, x);
  expr normal[3];
  model_vec_cross(s->pool, x->ru, x->rv, normal);
  if (model_vec_is_zero(s->pool, x->curve ? x->ru : normal)) {
    base_error(s->notes, st->value->place, "`%s` is not %s", e->name,
               x->curve ? "a curve: it is a point"
                        : "a surface: its tangents are parallel everywhere");
    return;
  }
  e->surface = x;
  e->poisoned = false;
}

void model_surface_at(const model_scope* s, const model_surface* x, expr u, expr v, expr r[3],
                      expr ru[3], expr rv[3])
{
  const expr from[2] = {x->u, x->v}, to[2] = {u, v};
  expr_substitute_all(s->pool, 3, x->r, 2, from, to, r);
  expr_substitute_all(s->pool, 3, x->ru, 2, from, to, ru);
  expr_substitute_all(s->pool, 3, x->rv, 2, from, to, rv);
}

void model_vec_unit(expr_pool* p, const expr a[3], expr out[3])
{
  expr size = expr_fn1(p, EXPR_SQRT, model_vec_dot(p, a, a));
  model_vec_scale(p, expr_div(p, expr_int(p, 1), size), a, out);
}
