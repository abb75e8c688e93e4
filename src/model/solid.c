// Shapes of bodies as they are written: sphere(r), box(a, b, c), polygon (x, y) (x, y) ...

#include "model/meeting.h"

#include <math.h>
#include <string.h>

static const char* const corner_of_a_polygon = "a corner";

static bool is(const lang_solid* x, const char* shape)
{
  return x->shape.text && strcmp(x->shape.text, shape) == 0;
}

bool model_solid_is_plane(const lang_solid* x)
{
  return is(x, "plane") || (is(x, "segment") && x->sizes == 0);
}

bool model_solid_is_round(const lang_solid* x)
{
  return is(x, "sphere") || is(x, "circle");
}

// the values in the one pair of brackets; null where there are not so many
static lang_node* const* sizes(const lang_solid* x, int count)
{
  if (x->sizes != 1 || !x->size[0]) return NULL;
  if (count == 1) return x->size[0]->kind == LANG_TUPLE ? NULL : x->size;
  return x->size[0]->kind == LANG_TUPLE && x->size[0]->n == count ? x->size[0]->kid : NULL;
}

bool model_solid_is_box(const lang_solid* x)
{
  return is(x, "box") && sizes(x, 3);
}

bool model_solid_has_core(const lang_solid* x)
{
  return is(x, "box") || is(x, "capsule") || is(x, "cylinder") || (is(x, "segment") && x->sizes);
}

int model_solid_points(const lang_solid* x, bool events)
{
  if (model_solid_is_round(x)) return 1;
  // a cylinder that comes to stand has no lowest points: steps of time go on
  if (is(x, "cylinder")) return events ? 2 : 0;
  if (is(x, "capsule") || is(x, "segment")) return 2;
  if (is(x, "box")) return 8;
  return is(x, "polygon") ? x->sizes : 0;
}

static bool wrong(model_scope* s, const lang_solid* x, const char* usage)
{
  base_error(s->notes, x->place, "a %s is written %s", x->shape.text, usage);
  return false;
}

// a length made of params alone
static bool length(model_scope* s, const lang_node* n, const char* what, expr* e)
{
  const int never =
      MODEL_USES_STATE | MODEL_USES_TIME | MODEL_USES_JERK | MODEL_USES_RATE | MODEL_USES_CHANGING;
  model_dim d;
  return model_eval_scalar(s, n, what, e, &d) &&
         model_expect_dim(s, n, d, model_dim_of(1, 0, 0), what) &&
         model_expect_free(s, n, *e, never, what);
}

static bool positive(model_scope* s, const lang_node* n, const char* what, expr* e)
{
  if (!length(s, n, what, e)) return false;
  const double value = model_scope_bound(s, *e);
  if (value > 0) return true;
  base_error(s->notes, n->place, "%s is positive, this is %g", what, value);
  return false;
}

static void take_points(model_scope* s, model_solid* out, int count)
{
  out->points = count;
  out->point = base_arena_take(s->arena, sizeof *out->point * (size_t)(count + 1));
  for (int i = 0; i < count; i++) model_vec_zero(s->pool, out->point[i]);
}

// ---- with a radius ------------------------------------------------------------------------------

static bool read_round(model_scope* s, const lang_solid* x, model_solid* out)
{
  lang_node* const* n = sizes(x, 1);
  out->flat = is(x, "circle");
  if (!n) return wrong(s, x, out->flat ? "circle(r)" : "sphere(r)");
  take_points(s, out, 1);
  out->cored = true;
  return positive(s, n[0], "a radius", &out->radius);
}

static bool read_long(model_scope* s, const lang_solid* x, model_solid* out)
{
  lang_node* const* n = sizes(x, 2);
  const bool capsule = is(x, "capsule");
  if (!n) return wrong(s, x, capsule ? "capsule(r, l)" : "cylinder(r, l)");
  if (!positive(s, n[0], "a radius", &out->radius) || !positive(s, n[1], "a length", &out->length))
    return false;
  // ends of what is rounded, or the middles of the rims
  const expr half = expr_mul(s->pool, expr_ratio(s->pool, 1, 2), out->length);
  take_points(s, out, 2);
  out->point[0][2] = expr_neg(s->pool, half);
  out->point[1][2] = out->half[2] = half;
  out->cored = capsule;
  if (!capsule) out->kind = MODEL_SOLID_CYLINDER;
  return true;
}

// ---- with corners -------------------------------------------------------------------------------

static bool read_box(model_scope* s, const lang_solid* x, model_solid* out)
{
  lang_node *const *n = sizes(x, 3), *const *two = sizes(x, 2);
  expr* half = out->half;
  if (!n && !two) return wrong(s, x, "box(a, b, c), or in the plane box(a, b)");
  const int count = n ? 3 : 2;
  for (int k = 0; k < count; k++) {
    if (!positive(s, n ? n[k] : two[k], "an edge", &half[k])) return false;
    half[k] = expr_mul(s->pool, expr_ratio(s->pool, 1, 2), half[k]);
  }
  out->flat = !n;
  out->cored = true;
  take_points(s, out, 1 << count);
  // in the plane one after the other around it
  for (int i = 0; i < out->points; i++)
    for (int k = 0; k < count; k++) {
      const bool up = k == 0 ? (i ^ i >> 1) & 1 : i >> k & 1;
      out->point[i][k] = up ? half[k] : expr_neg(s->pool, half[k]);
    }
  return true;
}

int model_solid_sides(const lang_solid* x)
{
  if (is(x, "box")) return sizes(x, 2) ? 4 : 0;
  return is(x, "polygon") ? x->sizes : is(x, "circle");
}

static bool read_corner(model_scope* s, const lang_node* n, expr* out, double* at)
{
  if (!n || n->kind != LANG_TUPLE || n->n != 2) {
    if (n) base_error(s->notes, n->place, "%s is written (x, y)", corner_of_a_polygon);
    return false;
  }
  for (int k = 0; k < 2; k++) {
    if (!length(s, n->kid[k], "a coordinate of a corner", &out[k])) return false;
    at[k] = model_scope_number(s, model_scope_asked(s, out[k]));
  }
  return true;
}

static double turn(const double a[2], const double b[2], const double c[2])
{
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

// every corner turns the same way, and once around in all
static bool is_convex(model_scope* s, const lang_solid* x, double (*at)[2], int n)
{
  double around = 0;
  int first = 0;
  for (int i = 0; i < n; i++) {
    const double *a = at[(i + n - 1) % n], *b = at[i], *c = at[(i + 1) % n];
    const double sine = turn(a, b, c);
    const double cosine = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    const int way = sine > 0 ? 1 : sine < 0 ? -1 : 0;
    if (!first) first = way;
    around += atan2(sine, cosine);
    if (way && way == first) continue;
    base_error(s->notes, x->size[i]->place,
               way ? "the polygon is not convex at this corner"
                   : "this corner lies between its neighbours: it is none");
    if (way) base_help(s->notes, "make it of convex ones, each with a contact of its own");
    return false;
  }
  if (fabs(around) < 4 * M_PI - 1) return true;
  base_error(s->notes, x->place, "the polygon goes around more than once");
  return false;
}

static bool read_polygon(model_scope* s, const lang_solid* x, model_solid* out)
{
  const int n = x->sizes;
  if (n < 3) return wrong(s, x, "polygon (x, y) (x, y) (x, y) ...");
  double(*at)[2] = base_arena_take(s->arena, sizeof *at * (size_t)n);
  out->flat = true;
  take_points(s, out, n);
  for (int i = 0; i < n; i++)
    if (!read_corner(s, x->size[i], out->point[i], at[i])) return false;
  if (!is_convex(s, x, at, n)) return false;
  // the order is against the clock
  if (turn(at[0], at[1], at[2]) > 0) return true;
  for (int i = 0, j = n - 1; i < j; i++, j--)
    for (int k = 0; k < 2; k++) {
      const expr kept = out->point[i][k];
      out->point[i][k] = out->point[j][k];
      out->point[j][k] = kept;
    }
  return true;
}

// a segment between two points as a core in axes of its own
static bool lay_askew(model_scope* s, model_solid* out)
{
  expr_pool* p = s->pool;
  const expr half = expr_ratio(p, 1, 2);
  expr d[2], squares[2];
  for (int k = 0; k < 2; k++) {
    d[k] = expr_sub(p, out->point[1][k], out->point[0][k]);
    squares[k] = expr_mul(p, d[k], d[k]);
    out->middle[k] = expr_mul(p, half, expr_add(p, out->point[0][k], out->point[1][k]));
  }
  const expr length = expr_fn1(p, EXPR_SQRT, expr_add(p, squares[0], squares[1]));
  for (int k = 0; k < 2; k++) out->along[k] = expr_div(p, d[k], length);
  out->half[0] = expr_mul(p, half, length);
  return out->cored = out->askew = true;
}

static bool read_segment(model_scope* s, const lang_solid* x, model_solid* out)
{
  lang_node* const* n = sizes(x, 1);
  double at[2][2];
  out->flat = true;
  take_points(s, out, 2);
  if (n) {
    if (!positive(s, n[0], "a length", &out->point[1][0])) return false;
    out->point[1][0] = expr_mul(s->pool, expr_ratio(s->pool, 1, 2), out->point[1][0]);
    out->point[0][0] = expr_neg(s->pool, out->point[1][0]);
    out->half[0] = out->point[1][0];
    return out->cored = true;
  }
  if (x->sizes != 2)
    return wrong(s, x, "segment (a whole line), segment(l) or segment (x, y) (x, y)");
  for (int i = 0; i < 2; i++)
    if (!read_corner(s, x->size[i], out->point[i], at[i])) return false;
  if (hypot(at[1][0] - at[0][0], at[1][1] - at[0][1]) > 0) return lay_askew(s, out);
  base_error(s->notes, x->place, "the ends of the segment are the same point");
  return false;
}

static bool read_plane(model_scope* s, const lang_solid* x, model_solid* out)
{
  out->kind = MODEL_SOLID_PLANE;
  out->flat = is(x, "segment");
  return x->sizes == 0 || wrong(s, x, "without anything: it is z = 0 of its frame");
}

bool model_solid_read(model_scope* s, const lang_solid* x, model_solid* out)
{
  static const struct
  {
    const char* word;
    bool (*read)(model_scope* s, const lang_solid* x, model_solid* out);
  } shapes[] = {{"sphere", read_round},  {"circle", read_round},    {"capsule", read_long},
                {"box", read_box},       {"polygon", read_polygon}, {"segment", read_segment},
                {"cylinder", read_long}, {"plane", read_plane}};
  *out = (model_solid){.kind = MODEL_SOLID_HULL,
                       .shape = base_arena_strdup(s->arena, x->shape.text),
                       .radius = expr_int(s->pool, 0),
                       .length = expr_int(s->pool, 0),
                       .place = x->place};
  model_vec_zero(s->pool, out->half);
  if (x->file && !is(x, "hull")) {
    base_error(s->notes, x->file_place, "a %s comes from no file", x->shape.text);
    return false;
  }
  if (model_solid_is_plane(x)) return read_plane(s, x, out);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (is(x, shapes[i].word)) return shapes[i].read(s, x, out);
  return model_solid_mesh(s, x, out);
}
