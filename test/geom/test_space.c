// The metric of a model, its curvature in formulas and numbers, and constraints solved or not.
#include <string.h>
#include <time.h>

#include "geom/geom.h"
#include "geom/place.h"

typedef struct shape
{
  base_notes* notes;
  geom_report* report;
  geom_space* space;
} shape;

// numbers: coordinate i at the value given
static shape make(hand* h, const double* q)
{
  shape w = {.notes = base_notes_new()};
  const place p = place_of(h, q);
  w.report = geom_integrability(&h->m, p.n, p.symbol, p.value);
  w.space = geom_space_make(&h->m, w.report, &(geom_metric){0}, p.n, p.symbol, p.value, w.notes);
  if (w.space) geom_space_curve(w.space);
  return w;
}

static void drop(shape* w)
{
  geom_space_free(w->space);
  geom_report_free(w->report);
  base_notes_free(w->notes);
}

// formulas evaluated at the point against the numbers of the jets
static void expect_same(const geom_space* s)
{
  geom_place* p = geom_place_make(s, NULL);
  CHECK(p && p->at->regular && s->riemann);
  if (!p || !s->riemann) return;
  const int n = s->n, P = n * (n - 1) / 2;
  for (int i = 0; i < P * P; i++)
    CHECK_NEAR(expr_value(s->pool, s->riemann[i], s->symbols, s->symbol, s->value),
               p->at->riemann[i], 1e-11 * (1 + p->at->size[i]));
  for (int i = 0; i < n * n * n; i++)
    CHECK_NEAR(expr_value(s->pool, s->second[i], s->symbols, s->symbol, s->value), p->at->second[i],
               1e-11);
  CHECK_NEAR(expr_value(s->pool, s->scalar, s->symbols, s->symbol, s->value), p->at->scalar, 1e-9);
  geom_place_free(p);
}

TEST(the_sphere_has_its_curvature)
{
  hand* h = hand_new("theta phi", "m=2 R=3");
  hand_energies(h, "m*R^2/2*(theta'^2 + sin(theta)^2*phi'^2)", "0");
  shape w = make(h, (double[]){0.7, 0.2});
  CHECK_TEXT(hand_print(h, w.space->sectional[0]), "1/(R^2*m)");
  CHECK_TEXT(hand_print(h, w.space->riemann[0]), "R^2*m*sin(theta)^2");
  CHECK_INT(geom_flat(w.space).flat, EXPR_NO);
  expect_same(w.space);
  drop(&w);
  hand_free(h);
}

TEST(polar_coordinates_are_flat)
{
  hand* h = hand_new("r theta phi", "m=2");
  hand_energies(h, "m/2*(r'^2 + r^2*theta'^2 + r^2*sin(theta)^2*phi'^2)", "0");
  shape w = make(h, (double[]){0.7, 0.2, 0.4});
  const geom_verdict v = geom_flat(w.space);
  CHECK_INT(v.flat, EXPR_YES);
  expect_same(w.space);
  drop(&w);
  hand_free(h);
}

TEST(a_metric_flat_at_its_params_only_is_flat)
{
  hand* h = hand_new("r phi", "J=0");
  hand_energies(h, "r'^2/2 + (J + r^2)/2*phi'^2", "0");
  shape w = make(h, (double[]){0.7, 0.2});
  CHECK_INT(geom_flat(w.space).flat, EXPR_YES);
  drop(&w);
  hand_free(h);
}

TEST(formulas_and_numbers_agree_in_three_dimensions)
{
  hand* h = hand_new("a b c", "");
  hand_energies(h,
                "(2 + cos(b))*a'^2 + cos(a - b)*a'*b' + (3 + a*c)*b'^2 + c'^2*(2 + sin(a)) + "
                "c*b'*c'",
                "0");
  shape w = make(h, (double[]){0.7, 0.2, 0.4});
  expect_same(w.space);
  drop(&w);
  hand_free(h);
}

// the torus: the same surface in three ways
TEST(a_constraint_solved_in_a_formula_and_one_left_give_the_same_curvature)
{
  const double x = 2.3, y = 0.4, rho = sqrt(x * x + y * y);
  const double z = sqrt(1 - (rho - 2) * (rho - 2));
  hand* h = hand_new("x y z", "m=1.5");
  hand_energies(h, "m/2*(x'^2 + y'^2 + z'^2)", "0");
  hand_constraint(h, "torus", "(sqrt(x^2 + y^2) - 2)^2 + z^2 - 1");
  shape w = make(h, (double[]){x, y, z});
  CHECK_INT(w.space->gone, 1);
  CHECK_INT(w.space->rest, 0);
  geom_place* solved = geom_place_make(w.space, NULL);
  // cos(u)/(2 + cos(u)) with cos(u) = rho - 2
  const double K = (rho - 2) / rho / 1.5;
  CHECK_NEAR(solved->at->sectional[0], K, 1e-12);
  geom_place_free(solved);
  drop(&w);
  hand_free(h);
  // tanh keeps the same surface, but no formula solves it for a coordinate
  h = hand_new("x y z", "m=1.5");
  hand_energies(h, "m/2*(x'^2 + y'^2 + z'^2)", "0");
  hand_constraint(h, "torus",
                  "(sqrt(x^2 + y^2 + tanh(z) - tanh(z)) - 2)^2 + z^2 + "
                  "exp((sqrt(x^2 + y^2) - 2)^2 + z^2) - 1 - exp(1)");
  w = make(h, (double[]){x, y, z});
  CHECK_INT(w.space->rest, 1);
  geom_place* left = geom_place_make(w.space, NULL);
  CHECK(left != NULL);
  if (left) {
    CHECK_INT(left->n, 2);
    CHECK_NEAR(left->at->scalar, 2 * K, 1e-11);
  }
  CHECK_INT(geom_flat(w.space).flat, EXPR_NO);
  geom_place_free(left);
  drop(&w);
  hand_free(h);
}

TEST(a_hidden_position_constraint_makes_the_surface_too)
{
  hand* h = hand_new("x y z", "");
  hand_energies(h, "(x'^2 + y'^2 + z'^2)/2", "0");
  hand_constraint(h, "ball", "x*x' + y*y' + z*z'");
  shape w = make(h, (double[]){0.2, 0.3, 2});
  geom_place* p = geom_place_make(w.space, NULL);
  CHECK_INT(p->n, 2);
  CHECK_NEAR(p->at->scalar, 2 / (0.04 + 0.09 + 4), 1e-12);
  geom_place_free(p);
  drop(&w);
  hand_free(h);
}

TEST(a_kinetic_energy_of_another_degree_has_no_metric)
{
  hand* h = hand_new("x", "");
  hand_energies(h, "x'^4", "0");
  shape w = make(h, (double[]){0.2});
  CHECK(w.space == NULL);
  CHECK_INT(base_notes_errors(w.notes), 1);
  drop(&w);
  hand_free(h);
}

TEST(a_kinetic_energy_that_can_be_negative_is_refused)
{
  hand* h = hand_new("x y", "");
  hand_energies(h, "(x'^2 - y'^2)/2", "0");
  shape w = make(h, (double[]){0.2, 0.3});
  CHECK(w.space == NULL);
  CHECK(strstr(base_notes_reason(w.notes, 0), "not positive") != NULL);
  drop(&w);
  hand_free(h);
}

TEST(a_degenerate_metric_is_not_called_flat)
{
  hand* h = hand_new("x y", "");
  hand_energies(h, "x'^2/2", "0");
  shape w = make(h, (double[]){0.2, 0.3});
  CHECK_INT(geom_flat(w.space).flat, EXPR_UNKNOWN);
  CHECK(w.space->riemann == NULL && w.space->why != NULL);
  drop(&w);
  hand_free(h);
}

TEST(parts_of_lower_degree_are_told_apart)
{
  hand* h = hand_new("x y", "w=2");
  hand_energies(h, "((x' - w*y)^2 + (y' + w*x)^2)/2", "0");
  shape w = make(h, (double[]){0.2, 0.3});
  CHECK(w.space->moving);
  CHECK_INT(geom_flat(w.space).flat, EXPR_YES);
  drop(&w);
  hand_free(h);
}

TEST(the_riemann_tensor_of_six_coordinates_takes_less_than_a_second)
{
  hand* h = hand_new("a b c d e f", "");
  base_text T = {0};
  const char* names = "abcdef";
  for (int i = 0; i < 6; i++)
    for (int j = i; j < 6; j++)
      base_text_printf(&T, "%s%d*cos(%c - %c)*%c'*%c'", i + j ? " + " : "", i == j ? 9 - i : 1,
                       names[i], names[j], names[i], names[j]);
  hand_energies(h, T.at, "0");
  base_text_free(&T);
  const clock_t from = clock();
  shape w = make(h, (double[]){0.1, 0.2, 0.4, 0.7, 1.1, 1.6});
  const double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
  CHECK(w.space->riemann != NULL);
  if (!(seconds < 1)) check_fail(__FILE__, __LINE__, "took %g s", seconds);
  expect_same(w.space);
  drop(&w);
  hand_free(h);
}

// a body that is free in space: its mass off the origin mixes the coordinates, and entries that
// cancel leave rounding; the curvature is that of its rotation
TEST(a_free_body_is_curved_and_its_tensor_takes_less_than_a_second)
{
  hand* h = hand_new("x y z p a f", "");
  hand_energies(h,
                "(x' + 0.1*p'*cos(p) - 0.2*a'*sin(p))^2 + (y' + 0.1*p'*sin(p) + 0.2*a'*cos(p))^2 + "
                "(z' + 0.3*a'*sin(a))^2 + (p'*sin(a)*sin(f) + a'*cos(f))^2/2 + "
                "0.75*(p'*sin(a)*cos(f) - a'*sin(f))^2 + (f' + p'*cos(a))^2",
                "0");
  const clock_t from = clock();
  shape w = make(h, (double[]){0, 0, 0, 0, 1, 0.4});
  const double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
  if (!(seconds < 1)) check_fail(__FILE__, __LINE__, "took %g s", seconds);
  const geom_verdict v = geom_flat(w.space);
  CHECK_INT(v.flat, EXPR_NO);
  CHECK(fabs(v.value) > 1e-3);
  expect_same(w.space);
  drop(&w);
  hand_free(h);
}
