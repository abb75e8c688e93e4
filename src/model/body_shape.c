// Bodies from shapes: box, cylinder, cone, shell, a closed mesh; and the measures of all shapes for
// densities. `at` is the centre of mass; of a mesh it is the origin of its file.
//   box     J_x = m (b^2 + c^2)/12                    cylinder  J = m (3 r^2 + l^2)/12, m r^2/2
//   shell   J = 2/3 m R^2                             cone      J = 3 m (4 r^2 + l^2)/80, 3/10 m
//   r^2

#include "model/mesh.h"
#include "model/parts.h"

#include <string.h>

enum {
  MOVING = MODEL_USES_VELOCITY | MODEL_USES_ACCELERATION | MODEL_USES_JERK | MODEL_USES_REACTION |
           MODEL_USES_RATE
};

bool model_shape_length(model_scope* s, const lang_node* n, const char* what, expr* e)
{
  model_dim d;
  if (!model_eval_scalar(s, n, what, e, &d) ||
      !model_expect_dim(s, n, d, model_dim_of(1, 0, 0), what) ||
      !model_expect_free(s, n, *e, MOVING, what))
    return false;
  const double value = model_scope_bound(s, *e);
  if (!(value < 0)) return true;
  base_error(s->notes, n->place, "%s cannot be negative, this is %g", what, value);
  return false;
}

static bool is(const lang_statement* st, const char* shape)
{
  return st->shape.text && strcmp(st->shape.text, shape) == 0;
}

static expr square(expr_pool* p, expr x)
{
  return expr_mul(p, x, x);
}

static expr ratio_of(expr_pool* p, long above, long below, expr x)
{
  return expr_mul(p, expr_ratio(p, above, below), x);
}

// the three edges of a box
static bool read_size(model_scope* s, const lang_statement* st, expr size[3])
{
  const lang_node* n = st->vector;
  if (!n || n->kind != LANG_TUPLE || n->n != 3) {
    if (n) base_error(s->notes, n->place, "the size of a box is written (a, b, c)");
    return false;
  }
  bool fine = true;
  for (int k = 0; k < 3; k++) fine &= model_shape_length(s, n->kid[k], "an edge", &size[k]);
  return fine;
}

// ---- measures -----------------------------------------------------------------------------------

static bool read_places(model_scope* s, int n, lang_node* const* node, expr r[3][3])
{
  bool fine = true;
  model_dim length = model_dim_unknown();
  for (int i = 0; i < n; i++) fine &= model_place_vector(s, node[i], "a place", r[i], &length);
  return fine;
}

static bool flat_measure(model_scope* s, const lang_statement* st, expr* out, int* lengths)
{
  expr_pool* p = s->pool;
  expr r[3][3], across[3];
  const bool rod = st->kind == LANG_ROD;
  lang_node* const ends[2] = {st->from, st->to};
  *lengths = rod ? 1 : 2;
  if (!read_places(s, rod ? 2 : 3, rod ? ends : st->corner, r)) return false;
  for (int i = 1; i < (rod ? 2 : 3); i++) model_vec_sub(p, r[i], r[0], r[i]);
  if (!rod) model_vec_cross(p, r[1], r[2], across);
  *out = model_simpler(
      s, expr_fn1(p, EXPR_SQRT,
                  rod ? model_vec_dot(p, r[1], r[1]) : model_vec_dot(p, across, across)));
  return *out != EXPR_NONE;
}

static const model_mesh* mesh_of(model_scope* s, const lang_statement* st)
{
  model_mesh* x = base_arena_take(s->arena, sizeof *x);
  if (!st->mesh->data) return NULL;
  const char* why = model_mesh_read(st->mesh->data, st->mesh->bytes, s->arena, x);
  if (!why) why = model_mesh_integrate(x);
  if (why) base_error(s->notes, st->mesh->file_place, "no body comes from this file: %s", why);
  return why ? NULL : x;
}

static bool read_scale(model_scope* s, const lang_statement* st, expr* out)
{
  model_dim d;
  *out = expr_int(s->pool, 1);
  if (!st->scale) return true;
  if (!model_eval_scalar(s, st->scale, "a scale", out, &d) ||
      !model_expect_free(s, st->scale, *out, MODEL_USES_STATE | MODEL_USES_TIME | MOVING,
                         "a scale"))
    return false;
  if (model_scope_number(s, *out) > 0) return true;
  base_error(s->notes, st->scale->place, "a scale is positive");
  return false;
}

static bool mesh_measure(model_scope* s, const lang_statement* st, expr* out)
{
  const model_mesh* x = mesh_of(s, st);
  expr scale;
  if (!x || !read_scale(s, st, &scale)) return false;
  *out = expr_mul(s->pool, expr_double(s->pool, x->volume),
                  expr_pow(s->pool, scale, expr_int(s->pool, 3)));
  return true;
}

bool model_shape_measure(model_scope* s, const lang_statement* st, expr* out, int* lengths)
{
  expr_pool* p = s->pool;
  expr r = expr_int(p, 0), l = expr_int(p, 1), size[3];
  *lengths = 3;
  if (st->kind == LANG_ROD || st->kind == LANG_PLATE) return flat_measure(s, st, out, lengths);
  if (st->mesh) return mesh_measure(s, st, out);
  if (is(st, "box")) {
    if (!read_size(s, st, size)) return false;
    *out = expr_product(p, 3, size);
    return true;
  }
  if (!model_shape_length(s, st->radius, "a radius", &r)) return false;
  if (st->natural && !model_shape_length(s, st->natural, "a length", &l)) return false;
  const expr disc = expr_mul(p, expr_pi(p), square(p, r));
  if (st->kind == LANG_DISC || is(st, "shell")) *lengths = 2;
  if (st->kind == LANG_DISC)
    *out = disc;
  else if (is(st, "shell"))
    *out = expr_mul(p, expr_int(p, 4), disc);
  else if (st->kind == LANG_BALL)
    *out = ratio_of(p, 4, 3, expr_mul(p, disc, r));
  else
    *out = ratio_of(p, 1, is(st, "cone") ? 3 : 1, expr_mul(p, disc, l));
  return true;
}

// ---- inertia ------------------------------------------------------------------------------------

bool model_shape_revolve(model_scope* s, const lang_node* n, const expr N[3], expr across,
                         expr along, model_mass* b)
{
  expr_pool* p = s->pool;
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const expr inverse = expr_div(p, expr_int(p, 1), model_vec_dot(p, N, N));
  if (inverse == EXPR_NONE) {
    base_error(s->notes, n->place, "a normal cannot be zero");
    return false;
  }
  const expr more = expr_sub(p, along, across);
  for (int i = 0; i < 6; i++) {
    const expr factor[4] = {more, N[row[i]], N[column[i]], inverse};
    const expr part = expr_product(p, 4, factor);
    b->J[i] = i < 3 ? expr_add(p, across, part) : part;
  }
  b->has_J = true;
  return true;
}

static bool box_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr_pool* p = s->pool;
  model_mass* b = e->mass;
  expr size[3];
  if (!read_size(s, st, size)) return false;
  for (int k = 0; k < 3; k++) {
    const expr u = square(p, size[(k + 1) % 3]), v = square(p, size[(k + 2) % 3]);
    b->J[k] = ratio_of(p, 1, 12, expr_mul(p, b->m, expr_add(p, u, v)));
    e->size[k] = size[k];
  }
  b->has_J = true;
  return true;
}

// cylinder and cone about z, or the axis that is written
static bool turned_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr_pool* p = s->pool;
  model_mass* b = e->mass;
  expr r, l, N[3] = {expr_int(p, 0), expr_int(p, 0), expr_int(p, 1)};
  model_dim d[3];
  const bool cone = is(st, "cone");
  bool fine = model_shape_length(s, st->radius, "a radius", &r);
  fine &= model_shape_length(s, st->natural, "a length", &l);
  if (st->vector) fine &= model_eval_vector(s, st->vector, "an axis", N, d);
  // what turns in its frame has axes that are not known
  for (int i = 0; fine && i < 3; i++)
    fine = model_expect_free(s, st->vector, N[i], MODEL_USES_STATE | MODEL_USES_TIME | MOVING,
                             "an axis");
  if (!fine) return false;
  const expr r2 = expr_mul(p, b->m, square(p, r)), l2 = expr_mul(p, b->m, square(p, l));
  const expr across = cone ? expr_add(p, ratio_of(p, 3, 20, r2), ratio_of(p, 3, 80, l2))
                           : expr_add(p, ratio_of(p, 1, 4, r2), ratio_of(p, 1, 12, l2));
  return model_shape_revolve(s, st->vector, N, across,
                             cone ? ratio_of(p, 3, 10, r2) : ratio_of(p, 1, 2, r2), b);
}

static bool shell_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr_pool* p = s->pool;
  model_mass* b = e->mass;
  if (!model_shape_length(s, st->radius, "a radius", &e->radius)) return false;
  for (int k = 0; k < 3; k++) b->J[k] = ratio_of(p, 2, 3, expr_mul(p, b->m, square(p, e->radius)));
  b->has_J = true;
  return true;
}

// the integrals are those of density one: m/V of them
static bool mesh_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  expr_pool* p = s->pool;
  model_mass* b = e->mass;
  const model_mesh* x = mesh_of(s, st);
  expr scale;
  if (!x || !read_scale(s, st, &scale)) return false;
  for (int k = 0; k < 3; k++)
    b->r[0][k] = expr_add(p, b->r[0][k], expr_mul(p, scale, expr_double(p, x->centre[k])));
  const expr m = expr_mul(p, b->m, square(p, scale));
  for (int k = 0; k < 6; k++) b->J[k] = expr_mul(p, m, expr_double(p, x->J[k] / x->volume));
  b->has_J = true;
  return true;
}

bool model_shape_inertia(model_scope* s, const lang_statement* st, model_entry* e)
{
  if (st->mesh) return mesh_inertia(s, st, e);
  if (is(st, "box")) return box_inertia(s, st, e);
  return is(st, "shell") ? shell_inertia(s, st, e) : turned_inertia(s, st, e);
}
