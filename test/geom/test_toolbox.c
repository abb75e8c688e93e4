// Geodesics, conjugate points, Jacobi metrics and kinds of spaces against closed forms.
#include "geom/geom.h"
#include "lang/lang.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject
{
  base_notes* notes;
  base_arena* arena;
  model* model;
  geom_space* space;
} subject;

// coordinates and velocities at the start as given; energy: of the Jacobi metric, nan: that of T
static subject make(const char* text, bool whole, const double* q, const double* v, double energy)
{
  subject s = {.notes = base_notes_new(), .arena = base_arena_new()};
  const lang_limits limits = lang_limits_default();
  const lang_tree* tree =
      lang_parse("test.zw", text, strlen(text), NULL, &limits, s.arena, s.notes);
  s.model = tree ? model_build(tree, 0, NULL, s.notes) : NULL;
  if (!s.model) {
    check_fail(__FILE__, __LINE__, "%s", base_notes_reason(s.notes, 0));
    return s;
  }
  expr_pool* p = s.model->pool;
  expr symbol[32];
  double value[32];
  int n = 0;
  symbol[n] = s.model->t;
  value[n++] = 0;
  for (int i = 0; i < s.model->coords; i++) {
    symbol[n] = s.model->coord[i].q;
    value[n++] = q[i];
    symbol[n] = s.model->coord[i].v;
    value[n++] = v ? v[i] : 0;
  }
  geom_metric which = {.whole = whole};
  if (isfinite(energy))
    which.factor = expr_mul(p, expr_int(p, 2), expr_sub(p, expr_double(p, energy), s.model->V));
  s.space = geom_space_make(s.model, NULL, &which, n, symbol, value, s.notes);
  CHECK(s.space);
  return s;
}

static void drop(subject* s)
{
  geom_space_free(s->space);
  model_free(s->model);
  base_arena_free(s->arena);
  base_notes_free(s->notes);
}

#define SPACE "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
#define PLANE "coord x, y\nkinetic (x'^2 + y'^2)/2\n"

// ---- geodesics ----------------------------------------------------------------------------------

typedef struct way
{
  const char *name, *text;
  double q[4], v[4], energy, length;
  int conjugates, multiple;
  double first; // conjugate point; the others are its multiples where it is so on all of the way
} way;

#define NONE NAN

static const way ways[] = {
    {"sphere",
     "coord a, b\nkinetic 2.89*(a'^2 + sin(a)^2*b'^2)/2\n",
     {1, 0},
     {0.3, 1},
     NONE,
     12,
     2,
     1,
     1.7 * M_PI},
    {"sphere in space, over the poles and all around",
     SPACE "constraint s: x^2 + y^2 + z^2 = 2.89\n",
     {1.7, 0, 0},
     {0, 0, 1},
     NONE,
     22,
     4,
     1,
     1.7 * M_PI},
    {"three-sphere",
     "coord a, b, c\nkinetic (a'^2 + sin(a)^2*(b'^2 + sin(b)^2*c'^2))/2\n",
     {1, 1.2, 0},
     {0.3, 0, 1},
     NONE,
     10,
     3,
     2,
     M_PI},
    // along the fibre all planes have the curvature e^2 = 0.36
    {"Berger's sphere",
     "coord a, b, c\nkinetic (a'^2 + sin(a)^2*b'^2)/8 + 0.36*(c' + cos(a)*b')^2/8\n",
     {1, 0, 0},
     {0, 0, 1},
     NONE,
     11,
     2,
     2,
     M_PI / 0.6},
    // on the equator K = 1/c^2
    {"spheroid",
     SPACE "constraint s: x^2 + y^2 + z^2/0.49 = 1\n",
     {1, 0, 0},
     {0, 1, 0},
     NONE,
     7,
     3,
     1,
     0.7 * M_PI},
    // outside K = 1/(r (R + r)), inside -1/(r (R - r))
    {"torus, outside",
     "coord u, v\nkinetic ((2 + 0.7*cos(u))^2*v'^2 + 0.49*u'^2)/2\n",
     {0, 0},
     {0, 1},
     NONE,
     9,
     2,
     1,
     1.3747727084867520 * M_PI},
    {"torus, inside",
     "coord u, v\nkinetic ((2 + 0.7*cos(u))^2*v'^2 + 0.49*u'^2)/2\n",
     {M_PI, 0},
     {0, 1},
     NONE,
     9,
     0,
     0,
     0},
    {"hyperbolic plane",
     "coord x, y\nkinetic (x'^2 + y'^2)/(2*y^2)\n",
     {0, 1},
     {1, 0},
     NONE,
     8,
     0,
     0,
     0},
    {"flat torus",
     "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint a: x^2 + "
     "y^2 = 1\nconstraint b: z^2 + w^2 = 0.25\n",
     {1, 0, 0.5, 0},
     {0, 1, 0, 0.3},
     NONE,
     9,
     0,
     0,
     0},
    // two spheres side by side, along one: the other adds a field that does not vanish again
    {"S2 x S2",
     "coord a, b, c, d\nkinetic (a'^2 + sin(a)^2*b'^2)/2 + (c'^2 + sin(c)^2*d'^2)/2\n",
     {M_PI / 2, 0, 1, 0},
     {0, 1, 0, 0},
     NONE,
     7,
     2,
     1,
     M_PI},
    // Kepler from the perihelion: conjugate at the aphelion, after half the action 2 pi sqrt(a)
    {"Kepler",
     PLANE "potential -1/sqrt(x^2 + y^2)\n",
     {1, 0},
     {0, 1.1},
     -0.395,
     6,
     1,
     1,
     M_PI * 1.1250879009260239},
    // the isotropic oscillator across its long axis: the envelope is touched after a quarter of the
    // period, all meet after half of it; the action of a period is 2 pi E
    {"oscillator",
     PLANE "potential (x^2 + y^2)/2\n",
     {1, 0},
     {0, 0.5},
     0.625,
     4,
     4,
     1,
     M_PI * 0.3125}};

TEST(conjugate_points_are_where_closed_forms_have_them)
{
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    const way* x = &ways[i];
    subject s = make(x->text, true, x->q, x->v, x->energy);
    const geom_geodesic_ask ask = {.v = x->v, .length = x->length, .rows = 5, .tolerance = 1e-13};
    geom_geodesic* g = geom_geodesic_make(s.space, &ask);
    if (g->why || g->rows != 5) check_fail(__FILE__, __LINE__, "%s: %s", x->name, g->why);
    if (g->conjugates != x->conjugates)
      check_fail(__FILE__, __LINE__, "%s: %d conjugate points, want %d", x->name, g->conjugates,
                 x->conjugates);
    for (int k = 0; k < g->conjugates && k < x->conjugates; k++) {
      if (fabs(g->conjugate[k].at - (k + 1) * x->first) > 1e-10)
        check_fail(__FILE__, __LINE__, "%s: conjugate at %.14g, want %.14g", x->name,
                   g->conjugate[k].at, (k + 1) * x->first);
      CHECK_INT(g->conjugate[k].multiple, x->multiple);
    }
    CHECK(g->unit < 1e-11 && g->off < 1e-11);
    geom_geodesic_free(g);
    drop(&s);
  }
}

TEST(a_geodesic_of_the_sphere_is_a_great_circle)
{
  const double q[3] = {1.7, 0, 0}, v[3] = {0, 3, 4};
  subject s = make(SPACE "constraint s: x^2 + y^2 + z^2 = 2.89\n", true, q, v, NONE);
  const geom_geodesic_ask ask = {.v = v, .length = 20, .rows = 41, .tolerance = 1e-13};
  geom_geodesic* g = geom_geodesic_make(s.space, &ask);
  for (int i = 0; i < g->rows; i++) {
    const double a = g->at[i] / 1.7;
    CHECK_NEAR(g->q[3 * i], 1.7 * cos(a), 1e-10);
    CHECK_NEAR(g->q[3 * i + 1], 1.7 * 0.6 * sin(a), 1e-10);
    CHECK_NEAR(g->q[3 * i + 2], 1.7 * 0.8 * sin(a), 1e-10);
  }
  geom_geodesic_free(g);
  drop(&s);
}

// x = cos t, y = sin(t)/2 with the energy (1 + 1/4)/2; length is the action, the integral of v^2
TEST(a_geodesic_of_the_jacobi_metric_is_the_motion_of_its_energy)
{
  const double q[2] = {1, 0}, v[2] = {0, 0.5}, t[3] = {0, 0.7, 2};
  subject s = make(PLANE "potential (x^2 + y^2)/2\n", true, q, v, 0.625);
  const geom_geodesic_ask ask = {
      .v = v, .length = 3, .rows = 3, .tolerance = 1e-13, .instants = 3, .t = t};
  geom_geodesic* g = geom_geodesic_make(s.space, &ask);
  CHECK_INT(g->instants, 3);
  for (int i = 0; i < g->instants; i++) {
    CHECK_NEAR(g->then[2 * i], cos(t[i]), 1e-10);
    CHECK_NEAR(g->then[2 * i + 1], sin(t[i]) / 2, 1e-10);
  }
  for (int i = 0; i < g->rows; i++) {
    const double now = g->time[i];
    CHECK_NEAR(g->at[i], 0.625 * now - 0.375 * sin(2 * now) / 2, 1e-10);
  }
  geom_geodesic_free(g);
  drop(&s);
}

TEST(a_geodesic_without_a_direction_is_refused)
{
  const double q[2] = {1, 0}, v[2] = {0, 0};
  subject s = make(PLANE, true, q, v, NONE);
  const geom_geodesic_ask ask = {.v = v, .length = 3, .rows = 3, .tolerance = 1e-13};
  geom_geodesic* g = geom_geodesic_make(s.space, &ask);
  CHECK(g->why && strstr(g->why, "rest") && g->rows == 0);
  geom_geodesic_free(g);
  drop(&s);
}

// ---- kinds of spaces ----------------------------------------------------------------------------

typedef struct kind
{
  const char *name, *text;
  double q[6], energy;
  expr_truth constant, conformal, splits;
  double curvature;
  int tensors, factors, dimension[3]; // the flat one first
  double of[3];                       // constant curvatures; nan: not constant
} kind;

#define S2(A, B) "(" A "'^2 + sin(" A ")^2*" B "'^2)"
#define BODY                                                            \
  "let w1 = ps'*sin(th)*sin(ph) + th'*cos(ph)\nlet w3 = ps'*cos(th) + " \
  "ph'\nlet w2 = ps'*sin(th)*cos(ph) - th'*sin(ph)\n"

static const kind kinds[] = {
    {"sphere",
     "coord a, b\nkinetic 2.89*" S2("a", "b") "/2\n",
     {1, 0},
     NONE,
     EXPR_YES,
     EXPR_YES,
     EXPR_NO,
     1 / 2.89,
     1,
     1,
     {2},
     {1 / 2.89}},
    {"hyperbolic plane",
     "coord x, y\nkinetic (x'^2 + y'^2)/(2*y^2)\n",
     {0, 1},
     NONE,
     EXPR_YES,
     EXPR_YES,
     EXPR_NO,
     -1,
     1,
     1,
     {2},
     {-1}},
    {"torus",
     "coord u, v\nkinetic ((2 + 0.7*cos(u))^2*v'^2 + 0.49*u'^2)/2\n",
     {0.4, 0},
     NONE,
     EXPR_NO,
     EXPR_YES,
     EXPR_NO,
     0,
     1,
     1,
     {2},
     {NAN}},
    {"double pendulum",
     "coord a, b\nkinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\n",
     {1, 0.3},
     NONE,
     EXPR_NO,
     EXPR_YES,
     EXPR_NO,
     0,
     1,
     1,
     {2},
     {NAN}},
    {"flat torus in four dimensions",
     "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\nconstraint a: x^2 + y^2 = "
     "1\nconstraint b: z^2 + w^2 = 0.25\n",
     {1, 0, 0.5, 0},
     NONE,
     EXPR_YES,
     EXPR_YES,
     EXPR_YES,
     0,
     3,
     1,
     {2},
     {0}},
    {"three-sphere",
     "coord a, b, c\nkinetic (a'^2 + sin(a)^2*(b'^2 + sin(b)^2*c'^2))/2\n",
     {1, 1.2, 0},
     NONE,
     EXPR_YES,
     EXPR_YES,
     EXPR_NO,
     1,
     1,
     1,
     {3},
     {1}},
    {"Berger's sphere",
     "coord a, b, c\nkinetic (a'^2 + sin(a)^2*b'^2)/8 + 0.36*(c' + cos(a)*b')^2/8\n",
     {1, 0, 0},
     NONE,
     EXPR_NO,
     EXPR_NO,
     EXPR_NO,
     0,
     1,
     1,
     {3},
     {NAN}},
    {"S2 x R",
     "coord a, b, z\nkinetic " S2("a", "b") "/2 + z'^2/2\n",
     {1, 0, 0},
     NONE,
     EXPR_NO,
     EXPR_YES,
     EXPR_YES,
     0,
     2,
     2,
     {1, 2},
     {0, 1}},
    {"S2 x S2",
     "coord a, b, c, d\nkinetic 1.44*" S2("a", "b") "/2 + 0.81*" S2("c", "d") "/2\n",
     {1, 0, 1.1, 0},
     NONE,
     EXPR_NO,
     EXPR_NO,
     EXPR_YES,
     0,
     2,
     2,
     {2, 2},
     {1 / 1.44, 1 / 0.81}},
    {"S2 x S2 in coordinates that mix them",
     "coord a, b, c, d\nlet A = a + 0.3*c\nkinetic ((a' + 0.3*c')^2 + sin(A)^2*(b' + "
     "0.2*d')^2)/2 + " S2("c", "d") "/2\n",
     {1, 0, 1.1, 0},
     NONE,
     EXPR_NO,
     EXPR_NO,
     EXPR_YES,
     0,
     2,
     2,
     {2, 2},
     {1, 1}},
    {"H2 x S2",
     "coord x, y, a, b\nkinetic (x'^2 + y'^2)/(2*y^2) + 1.44*" S2("a", "b") "/2\n",
     {0, 1, 1, 0},
     NONE,
     EXPR_NO,
     EXPR_NO,
     EXPR_YES,
     0,
     2,
     2,
     {2, 2},
     {-1, 1 / 1.44}},
    // of opposite curvatures: the only products of surfaces that are conformally flat
    {"H2 x S2 of opposite curvature",
     "coord x, y, a, b\nkinetic (x'^2 + y'^2)/(2*y^2) + " S2("a", "b") "/2\n",
     {0, 1, 1, 0},
     NONE,
     EXPR_NO,
     EXPR_YES,
     EXPR_YES,
     0,
     2,
     2,
     {2, 2},
     {-1, 1}},
    {"free body",
     "coord x, y, z, th, ps, ph\n" BODY
     "kinetic (x'^2 + y'^2 + z'^2)/2 + (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2\n",
     {0, 0, 0, 1, 0, 0.4},
     NONE,
     EXPR_NO,
     EXPR_NO,
     EXPR_YES,
     0,
     7,
     2,
     {3, 3},
     {0, NAN}},
    // Jacobi's metric of Kepler's parabolas is a cone: flat
    {"Kepler without energy",
     PLANE "potential -1/sqrt(x^2 + y^2)\n",
     {1, 0.2},
     0,
     EXPR_YES,
     EXPR_YES,
     EXPR_YES,
     0,
     3,
     1,
     {2},
     {0}},
    // that of Kepler in space is conformal to flat space
    {"Kepler in space",
     SPACE "potential -1/sqrt(x^2 + y^2 + z^2)\n",
     {1, 0.2, 0.3},
     -0.3,
     EXPR_NO,
     EXPR_YES,
     EXPR_NO,
     0,
     1,
     1,
     {3},
     {NAN}},
};

TEST(spaces_are_of_the_kind_that_theory_says)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const kind* x = &kinds[i];
    subject s = make(x->text, false, x->q, NULL, x->energy);
    geom_shape* r = geom_shape_find(s.space);
    if (r->unsuited) check_fail(__FILE__, __LINE__, "%s: %s", x->name, r->unsuited);
    if (r->constant != x->constant || r->conformal != x->conformal || r->splits != x->splits)
      check_fail(__FILE__, __LINE__, "%s: constant %d, conformal %d, splits %d", x->name,
                 r->constant, r->conformal, r->splits);
    if (x->constant == EXPR_YES) CHECK_NEAR(r->curvature, x->curvature, 1e-10);
    CHECK_INT(r->parallel.dimension, x->tensors);
    CHECK_INT(r->factors, x->factors);
    for (int k = 0; k < r->factors && k < x->factors; k++) {
      if (r->factor[k].dimension != x->dimension[k])
        check_fail(__FILE__, __LINE__, "%s: factor %d has %d dimensions", x->name, k,
                   r->factor[k].dimension);
      CHECK_INT(r->factor[k].constant, isfinite(x->of[k]) ? EXPR_YES : EXPR_NO);
      if (isfinite(x->of[k])) CHECK_NEAR(r->factor[k].curvature, x->of[k], 1e-10);
    }
    geom_shape_free(r);
    drop(&s);
  }
}

TEST(an_indefinite_kinetic_energy_is_called_so)
{
  static const char* const texts[] = {
      "coord x, y\nkinetic (x'^2 - y'^2)/2\n", "coord x, y\nkinetic x'*y'\n",
      "coord x, y, z\nkinetic (x'^2 + y'^2 - z'^2)/2\nconstraint x + sin(x) = z/2 + sin(z)\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const double q[3] = {1, 0.5, 0.2};
    base_notes* notes = base_notes_new();
    base_arena* arena = base_arena_new();
    const lang_limits limits = lang_limits_default();
    const lang_tree* tree =
        lang_parse("test.zw", texts[i], strlen(texts[i]), NULL, &limits, arena, notes);
    model* m = tree ? model_build(tree, 0, NULL, notes) : NULL;
    expr symbol[4];
    double value[4] = {0};
    symbol[0] = m->t;
    for (int k = 0; k < m->coords; k++) {
      symbol[1 + k] = m->coord[k].q;
      value[1 + k] = q[k];
    }
    geom_space* s =
        geom_space_make(m, NULL, &(geom_metric){0}, 1 + m->coords, symbol, value, notes);
    CHECK(!s && strstr(base_notes_reason(notes, 0), "not positive"));
    geom_space_free(s);
    model_free(m);
    base_arena_free(arena);
    base_notes_free(notes);
  }
}
