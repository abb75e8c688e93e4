// Two coordinates, one of them ignorable: the surface of revolution with that metric.
#include <math.h>
#include <stdlib.h>

#include "geom/embedding.h"
#include "geom/formula.h"

// With q_j = w, q_i = u + c w the metric is a(u) du^2 + 2 b(u) du dw + U(u)^2 dw^2. Then
//   psi = w + int b/U^2 du,  s' = sqrt(det)/U,  r = m U,  z' = sqrt(s'^2 - m^2 U'^2),
//   x = (r cos(psi/m), r sin(psi/m), z)                     Bour's surfaces with h = 0; exists
//   where
// m |dU/ds| <= 1. Constant curvature K > 0: m = 1/sqrt(K U^2 + U_s^2) makes it a sphere.

typedef struct profile
{
  geom_embedding* e;
  const geom_space* s;
  expr_pool* p;
  int i, j;
  double c[2];
  expr exact[2];
  expr U2, cross, det; // of the metric in u, w
  expr dU2;            // by u
  expr m;
} profile;

static expr tidy(expr_pool* p, expr e)
{
  return expr_size(p, 1, &e) <= 400 ? expr_simplify(p, e) : e;
}

static void make_metric(profile* f)
{
  const expr* g = f->s->g;
  expr_pool* p = f->p;
  const expr c = f->exact[f->i], gii = g[f->i * 2 + f->i], gij = g[1], gjj = g[f->j * 2 + f->j];
  f->cross = tidy(p, expr_add(p, expr_mul(p, c, gii), gij));
  f->U2 = tidy(p, expr_sum(p, 3,
                           (expr[]){expr_product(p, 3, (expr[]){c, c, gii}),
                                    expr_product(p, 3, (expr[]){expr_int(p, 2), c, gij}), gjj}));
  f->det = tidy(p, expr_sub(p, expr_mul(p, gii, f->U2), expr_mul(p, f->cross, f->cross)));
  f->dU2 = expr_diff(p, f->U2, f->s->q[f->i]);
}

// K where it is a constant above zero
static expr constant_curvature(const profile* f)
{
  const geom_space* s = f->s;
  if (!s->sectional || expr_has_any(s->pool, s->sectional[0], 2, s->q)) return EXPR_NONE;
  const double K = expr_value(s->pool, s->sectional[0], s->symbols, s->symbol, s->value);
  return K > 0 ? s->sectional[0] : EXPR_NONE;
}

// ---- in formulas --------------------------------------------------------------------------------

// s'^2 = det/U^2, U_s^2 = U2'^2/(4 U2 s'^2) = U2'^2/(4 det)
static expr slope_squared(const profile* f)
{
  expr_pool* p = f->p;
  return tidy(p, expr_div(p, expr_mul(p, f->dU2, f->dU2), expr_mul(p, expr_int(p, 4), f->det)));
}

static void choose_scale(profile* f)
{
  expr_pool* p = f->p;
  const expr K = constant_curvature(f);
  f->m = expr_int(p, 1);
  if (K == EXPR_NONE) return;
  const expr below = tidy(p, expr_add(p, expr_mul(p, K, f->U2), slope_squared(f)));
  if (!expr_has_any(p, below, 2, f->s->q))
    f->m = tidy(p, expr_div(p, expr_int(p, 1), geom_root(p, below)));
}

static bool in_formulas(const profile* f)
{
  expr_pool* p = f->p;
  const geom_space* s = f->s;
  const expr u = s->q[f->i], one = expr_int(p, 1);
  // everything depends on u = q_i - c q_j alone: as a function of q_i at q_j = 0
  const expr zero = expr_int(p, 0), w = s->q[f->j];
  const expr back = expr_sub(p, u, expr_mul(p, f->exact[f->i], w));
  const expr U2 = tidy(p, expr_substitute(p, f->U2, 1, &w, &zero));
  const expr shift = tidy(p, expr_substitute(p, expr_div(p, f->cross, f->U2), 1, &w, &zero));
  const expr part = expr_sub(p, one, expr_product(p, 3, (expr[]){f->m, f->m, slope_squared(f)}));
  const expr rise = tidy(p, expr_mul(p, part, expr_div(p, f->det, f->U2)));
  const expr dz = geom_root(p, tidy(p, expr_substitute(p, rise, 1, &w, &zero)));
  expr z = expr_integrate(p, dz, u), P = expr_integrate(p, shift, u);
  if (z == EXPR_NONE || P == EXPR_NONE) return false;
  z = expr_substitute(p, z, 1, &u, &back);
  P = expr_substitute(p, P, 1, &u, &back);
  const expr r = expr_mul(p, f->m, expr_substitute(p, geom_root(p, U2), 1, &u, &back));
  const expr angle = tidy(p, expr_div(p, expr_add(p, w, P), f->m));
  const expr x[3] = {tidy(p, expr_mul(p, r, expr_fn1(p, EXPR_COS, angle))),
                     tidy(p, expr_mul(p, r, expr_fn1(p, EXPR_SIN, angle))), tidy(p, z)};
  if (expr_pool_full(p) || !geom_has_metric(p, 2, s->q, s->g, 3, x)) return false;
  return geom_embedding_formula(f->e, 3, x, "a surface of revolution");
}

// ---- in numbers ---------------------------------------------------------------------------------

// U2, cross, det, dU2 at u
static bool numbers(const profile* f, double u, double out[4])
{
  double q[2];
  for (int k = 0; k < f->s->symbols; k++)
    if (f->s->symbol[k] == f->s->q[f->j]) q[f->j] = f->s->value[k];
  q[f->i] = u + f->c[f->i] * q[f->j];
  base_arena* arena = base_arena_new();
  double* v = geom_space_values(f->s, q, arena);
  const expr e[4] = {f->U2, f->cross, f->det, f->dU2};
  expr_values(f->p, 4, e, f->s->symbols, f->s->symbol, v, out);
  base_arena_free(arena);
  return out[0] > 0 && out[2] > 0 && isfinite(out[1]) && isfinite(out[3]);
}

// |dU/ds| at u; nan where the metric has no value
static double steepness(const profile* f, double u)
{
  double v[4];
  return numbers(f, u, v) ? fabs(v[3]) / (2 * sqrt(v[2])) : NAN;
}

// the largest on the interval; nan where the metric has no value somewhere
static double steepest(const profile* f, double low, double high)
{
  double most = 0;
  for (int k = 0; k <= 400; k++) {
    const double here = steepness(f, low + (high - low) * k / 400);
    if (!(here <= most)) most = here;
  }
  return most;
}

// series of U, dP/du, dz/du; the size of their last coefficients against the first is returned
static double interpolate(const profile* f, geom_patch* p, double m)
{
  const int count = p->degree + 1;
  double *value = base_alloc(sizeof(double) * (size_t)(3 * count)), tail = 0;
  for (int at = 0; at < count; at++) {
    double v[4];
    if (!numbers(f, geom_patch_node(p, at), v)) tail = NAN;
    const double slope = v[3] / (2 * sqrt(v[0]));
    value[at] = sqrt(v[0]);
    value[count + at] = v[1] / v[0];
    value[2 * count + at] = sqrt(fmax(0, v[2] / v[0] - m * m * slope * slope));
  }
  for (int k = 0; k < 3 && !isnan(tail); k++) {
    geom_patch_series(p, k, value + k * count);
    // a component that is nearly nothing need not be known to its own last digits
    double size = 0;
    for (int at = 0; at < count; at++) size = fmax(size, fabs(value[k * count + at]));
    if (size > 1e-14) tail = fmax(tail, geom_patch_tail(p, k));
  }
  free(value);
  return tail;
}

static bool in_numbers(const profile* f, double low, double high, bool plane)
{
  geom_embedding* e = f->e;
  double* edge = geom_take(e->arena, 2, sizeof(double));
  const double wide = 1e-6 + 0.02 * (high - low);
  edge[0] = low - wide;
  edge[1] = high + wide;
  const double steep = steepest(f, edge[0], edge[1]);
  if (isnan(steep)) return false;
  // away from the edge of existence, where z' = 0
  const double m = steep < 1 - 1e-3 ? 1 : 0.9 / steep;
  for (int degree = 31; degree <= 511; degree = 2 * degree + 1) {
    geom_patch p = geom_patch_take(e->arena, 1, 3, degree, edge, edge + 1);
    const double tail = interpolate(f, &p, m);
    if (!(tail < 1e-14) && degree < 511) continue;
    if (!(tail < 1e-9)) return false;
    geom_patch_integrate(&p, 1);
    geom_patch_integrate(&p, 2);
    e->map->kind = GEOM_REVOLUTION;
    e->map->revolution = (geom_revolution){
        .plane = plane, .i = f->i, .j = f->j, .c = f->c[f->i], .m = m, .profile = p};
    e->N = plane ? 2 : 3;
    e->how = plane ? "canonical coordinates" : "a surface of revolution";
    return true;
  }
  return false;
}

// ---- domain of existence ------------------------------------------------------------------------

// between a and b the radius may come down to nothing: where, or nan
static double axis(const profile* f, double a, double b)
{
  double v[4], w[4];
  if (!numbers(f, a, v) || !numbers(f, b, w) ||
      !((b > a ? v[3] : -v[3]) < 0 && (b > a ? w[3] : -w[3]) > 0))
    return NAN;
  const double size = fmax(v[0], w[0]);
  for (int i = 0; i < 60; i++) {
    const double middle = (a + b) / 2;
    // no value at all: this is the place
    if (!numbers(f, middle, w)) return middle;
    if ((w[3] < 0) == (v[3] < 0))
      a = middle;
    else
      b = middle;
  }
  return w[0] < 1e-12 * size ? a : NAN;
}

// from `from` outward as far as m |U_s| < 1 and the metric is regular, at most `far`; nan: beyond
static double reach(const profile* f, double m, double from, double far)
{
  const double step = (far - from) / 1000;
  int k = 0;
  for (; k < 1000 && m * steepness(f, from + (k + 1) * step) < 1; k++) {
    const double at = axis(f, from + k * step, from + (k + 1) * step);
    if (!isnan(at)) return at;
  }
  if (k == 1000) return NAN;
  double inside = from + k * step, outside = inside + step;
  for (int i = 0; i < 60; i++) {
    const double middle = (inside + outside) / 2;
    if (m * steepness(f, middle) < 1)
      inside = middle;
    else
      outside = middle;
  }
  return inside;
}

static void tell_domain(const profile* f, double low, double high)
{
  geom_embedding* e = f->e;
  const model* of = f->s->m;
  const double m = e->map->kind == GEOM_REVOLUTION
                       ? e->map->revolution.m
                       : expr_value(f->p, f->m, f->s->symbols, f->s->symbol, f->s->value);
  const char* name = of->coord[f->s->coord[f->i]].name;
  const char* other = of->coord[f->s->coord[f->j]].name;
  const double c = f->c[f->i];
  const char* sign = c > 0 ? "-" : "+";
  const char* u = name;
  if (fabs(c) == 1)
    u = base_arena_printf(e->arena, "%s %s %s", name, sign, other);
  else if (c != 0)
    u = base_arena_printf(e->arena, "%s %s %.6g*%s", name, sign, fabs(c), other);
  const double below = reach(f, m, low, low - 10), above = reach(f, m, high, high + 10);
  geom_embedding_note(e, "the metric depends on %s alone; radius m*U with m = %.10g", u, m);
  const expr K = constant_curvature(f);
  if (K != EXPR_NONE)
    geom_embedding_note(e, "constant curvature: a part of the sphere of radius %.12g",
                        1 / sqrt(expr_value(f->p, K, f->s->symbols, f->s->symbol, f->s->value)));
  for (int k = 0; k < 400; k++) {
    const double at = axis(f, low + (high - low) * k / 400, low + (high - low) * (k + 1) / 400);
    if (!isnan(at))
      geom_embedding_note(e, "inside the region the metric degenerates at %s = %.10g", u, at);
  }
  if (isnan(below) && isnan(above))
    geom_embedding_note(e, "the surface exists at least 10 beyond the region on both sides");
  if (!isnan(below)) geom_embedding_note(e, "the surface exists for %s > %.10g", u, below);
  if (!isnan(above)) geom_embedding_note(e, "the surface exists for %s < %.10g", u, above);
}

// the unchanging direction and what depends on u, with the range of u on the box
static bool find_profile(profile* f, double* low, double* high)
{
  const geom_embedding* e = f->e;
  if (!geom_symmetry_find(e->s, f->c, f->exact, &f->j)) return false;
  f->i = 1 - f->j;
  make_metric(f);
  *low = INFINITY;
  *high = -INFINITY;
  for (int k = 0; k < 4; k++) {
    const double u =
        (k & 1 ? e->high : e->low)[f->i] - f->c[f->i] * (k & 2 ? e->high : e->low)[f->j];
    *low = fmin(*low, u);
    *high = fmax(*high, u);
  }
  return true;
}

bool geom_revolution_find(geom_embedding* e)
{
  profile f = {.e = e, .s = e->s, .p = e->s->pool};
  double low, high;
  if (!find_profile(&f, &low, &high)) return false;
  choose_scale(&f);
  const double m = expr_value(f.p, f.m, f.s->symbols, f.s->symbol, f.s->value);
  const bool fine = m * steepest(&f, low, high) < 1;
  if (!(fine && in_formulas(&f)) && !in_numbers(&f, low, high, false)) return false;
  tell_domain(&f, low, high);
  return true;
}

bool geom_plane_find(geom_embedding* e)
{
  profile f = {.e = e, .s = e->s, .p = e->s->pool};
  double low, high;
  return find_profile(&f, &low, &high) && expr_is_zero(f.p, f.dU2) == EXPR_YES &&
         in_numbers(&f, low, high, true);
}
