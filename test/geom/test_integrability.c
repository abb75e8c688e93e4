// Frobenius, hidden potentials and growth vectors on constraints whose answers are known.
#include "geom/geom.h"
#include "geom/place.h"

// the report at a place near the origin
static geom_report* look(hand* h)
{
  double q[HAND_MOST];
  for (int i = 0; i < h->m.coords; i++) q[i] = 0.4 + 0.3 * i;
  const place p = place_of(h, q);
  return geom_integrability(&h->m, p.n, p.symbol, p.value);
}

static const char* growth(const geom_report* r, char* out)
{
  out[0] = 0;
  for (int i = 0; i < r->growth_length; i++)
    sprintf(out + strlen(out), i ? ", %d" : "%d", r->growth[i]);
  return out;
}

static void expect_growth(const geom_report* r, const char* want)
{
  char text[200];
  CHECK(r->growth_known);
  CHECK_TEXT(growth(r, text), want);
}

// one constraint in the given coordinates: integrable or not, growth, and its potential in words
static void expect(const char* coords, const char* params, const char* f, expr_truth integrable,
                   const char* want_growth, const char* potential)
{
  hand* h = hand_new(coords, params);
  hand_constraint(h, "c", f);
  geom_report* r = look(h);
  if (r->constraint[0].integrable != integrable)
    check_fail(__FILE__, __LINE__, "%s: integrable %d, want %d", f, r->constraint[0].integrable,
               integrable);
  expect_growth(r, want_growth);
  expr P = r->constraint[0].potential;
  if (potential) CHECK_TEXT(P == EXPR_NONE ? "none" : hand_print(h, P), potential);
  geom_report_free(r);
  hand_free(h);
}

TEST(the_knife_edge_is_nonholonomic)
{
  expect("xi theta eta", "", "eta' - xi'*tan(theta)", EXPR_NO, "2, 3", "none");
  expect("xi theta eta", "", "eta'*cos(theta) - xi'*sin(theta)", EXPR_NO, "2, 3", "none");
}

TEST(the_heisenberg_constraint_is_nonholonomic)
{
  expect("x y z", "", "z' - y*x'", EXPR_NO, "2, 3", "none");
}

TEST(a_hidden_position_constraint_is_found)
{
  expect("x y", "", "y'*x + x'*y", EXPR_YES, "1", "x*y");
  expect("x y", "", "x'/x + y'/y", EXPR_YES, "1", "x*y");
  expect("x y", "", "x*x' + y*y'", EXPR_YES, "1", "x^2 + y^2");
  expect("x y z", "", "x*x' + y*y' + z*z'", EXPR_YES, "2", "x^2 + y^2 + z^2");
  expect("x y", "", "x' - y*y'", EXPR_YES, "1", NULL);
}

// every potential is differentiated again and compared with the constraint
static void expect_potential(const char* coords, const char* params, const char* f)
{
  hand* h = hand_new(coords, params);
  hand_constraint(h, "c", f);
  geom_report* r = look(h);
  model* m = &h->m;
  CHECK_INT(r->constraint[0].integrable, EXPR_YES);
  CHECK(r->constraint[0].alone);
  expr P = r->constraint[0].potential;
  if (P == EXPR_NONE) {
    check_fail(__FILE__, __LINE__, "no potential of %s", f);
  } else {
    // P' = 0 on every velocity that satisfies the constraint: P' and f parallel in q' (and 1)
    expr total = expr_total(m->pool, P);
    uint64_t seed = 5;
    for (int trial = 0; trial < 5; trial++) {
      hand_state s = hand_throw(h, &seed);
      for (int i = 0; i < m->coords; i++) {
        for (int j = 0; j < m->coords; j++)
          hand_put(&s, m->coord[j].q, 0.3 + fabs(hand_get(h, &s, m->coord[j].q)));
        double a = hand_get(h, &s, expr_diff(m->pool, m->constraint[0].f, m->coord[i].v));
        double b = hand_get(h, &s, expr_diff(m->pool, total, m->coord[i].v));
        double f0 = hand_get(h, &s, m->constraint[0].f), P0 = hand_get(h, &s, total);
        CHECK_NEAR(a * P0 - b * f0, 0, 1e-11 * (1 + fabs(a * P0)));
      }
    }
  }
  geom_report_free(r);
  hand_free(h);
}

TEST(integrating_factors_are_found)
{
  expect_potential("x y", "", "y'*x - x'*y");
  expect_potential("x y", "", "y' - y*x'");
  expect_potential("x y", "", "y'*cos(x) - y*x'*sin(x)");
  expect_potential("x y", "", "x'*sin(y) + y'*cos(y)*x");
  expect_potential("x y", "", "x'*sin(y) + 2*y'*cos(y)*x");
  expect_potential("x y", "", "y' + y*x' - x*x'");
  expect_potential("x y z", "", "y*z*x' + x*z*y' + x*y*z'");
  expect_potential("x y z", "", "z*(x'*y + y'*x) - z'*x*y");
  expect_potential("x y z", "", "x' + y'*cos(z) - z'*y*sin(z)");
  expect_potential("r phi", "a=0.5", "r' - a*r*phi'");
  expect_potential("x th", "R=0.3", "x' - R*th'");
  expect_potential("x y", "", "exp(y)*x' + exp(x)*y'");
  expect_potential("x y", "", "y' - (x + y)*x'");
  expect_potential("x y", "", "(x^2 + y^2)*x' - 2*x*y*y'");
  expect_potential("x y z", "", "x'*cos(y)*z - y'*x*sin(y)*z + z'*x*cos(y)");
  expect_potential("x phi", "a=0.4", "x'*cos(phi)^2 - a*phi'");
}

TEST(affine_and_moving_constraints_are_taken_with_time)
{
  expect("x", "", "x' - 2*t", EXPR_YES, "1", "x - t^2");
  expect_potential("x y", "u=2", "x' + y' - u");
  expect("x y", "Omega=1", "y' - x'*t", EXPR_NO, "2, 3", "none");
  expect("x y z", "a=1", "z' - y*x' - a", EXPR_NO, "3, 4", "none");
}

TEST(the_rolling_disc_grows_two_three_four)
{
  hand* h = hand_new("x y phi th", "R=0.3");
  hand_constraint(h, "rx", "x' - R*cos(phi)*th'");
  hand_constraint(h, "ry", "y' - R*sin(phi)*th'");
  geom_report* r = look(h);
  CHECK_INT(r->constraint[0].integrable, EXPR_NO);
  CHECK_INT(r->constraint[1].integrable, EXPR_NO);
  expect_growth(r, "2, 3, 4");
  geom_report_free(r);
  hand_free(h);
}

TEST(a_car_with_trailers_grows_by_one_each_time)
{
  hand* h = hand_new("x y th0 th1 th2", "d1=1 d2=0.8");
  hand_constraint(h, "car", "y'*cos(th0) - x'*sin(th0)");
  hand_constraint(h, "first", "th1'*d1 - (x'*cos(th0) + y'*sin(th0))*sin(th0 - th1)");
  hand_constraint(h, "second",
                  "th2'*d2 - (x'*cos(th0) + y'*sin(th0))*cos(th0 - th1)*sin(th1 - th2)");
  geom_report* r = look(h);
  expect_growth(r, "2, 3, 4, 5");
  for (int k = 0; k < 3; k++) CHECK_INT(r->constraint[k].integrable, EXPR_NO);
  geom_report_free(r);
  hand_free(h);
}

// d omega of the first form vanishes on the kernel of both, yet neither is integrable
TEST(engels_constraints_are_both_nonholonomic)
{
  hand* h = hand_new("x y z w", "");
  hand_constraint(h, "one", "y' - z*x'");
  hand_constraint(h, "two", "z' - w*x'");
  geom_report* r = look(h);
  CHECK_INT(r->constraint[0].integrable, EXPR_NO);
  CHECK_INT(r->constraint[1].integrable, EXPR_NO);
  expect_growth(r, "2, 3, 4");
  geom_report_free(r);
  hand_free(h);
}

// neither is integrable alone, together they are: x' = y z', z' = 0
TEST(constraints_may_be_integrable_only_together)
{
  hand* h = hand_new("x y z w", "");
  hand_constraint(h, "one", "x' - y*z' + w'");
  hand_constraint(h, "two", "z' + y*w' - y*w'");
  geom_report* r = look(h);
  CHECK_INT(r->constraint[0].integrable, EXPR_YES);
  CHECK(!r->constraint[0].alone);
  CHECK_INT(r->constraint[1].integrable, EXPR_YES);
  CHECK(r->constraint[1].alone);
  expect_growth(r, "2");
  geom_report_free(r);
  hand_free(h);
}

TEST(the_values_of_the_params_decide)
{
  expect("x y z", "c=0", "z' - c*y*x'", EXPR_YES, "2", "z");
  expect("x y z", "c=0.2", "z' - c*y*x'", EXPR_NO, "2, 3", "none");
}

TEST(position_constraints_grow_to_their_manifold)
{
  hand* h = hand_new("x y", "l=1");
  hand_constraint(h, "rod", "x^2 + y^2 - l^2");
  geom_report* r = look(h);
  CHECK_INT(r->constraint[0].integrable, EXPR_YES);
  expect_growth(r, "1");
  geom_report_free(r);
  // a redundant copy changes nothing
  hand_constraint(h, "again", "2*x^2 + 2*y^2 - 2*l^2");
  r = look(h);
  expect_growth(r, "1");
  geom_report_free(r);
  hand_free(h);
}

TEST(position_and_velocity_constraints_grow_on_the_manifold)
{
  // a knife edge carried by a point that stays on a cylinder: redundant velocities included
  hand* h = hand_new("x y z a b", "R=1");
  hand_constraint(h, "cylinder", "x^2 + y^2 - R^2");
  hand_constraint(h, "same", "x*x' + y*y'");
  hand_constraint(h, "edge", "a'*cos(b) - z'*sin(b)");
  geom_report* r = look(h);
  CHECK_INT(r->constraint[0].integrable, EXPR_YES);
  CHECK_INT(r->constraint[1].integrable, EXPR_YES);
  CHECK_INT(r->constraint[2].integrable, EXPR_NO);
  expect_growth(r, "3, 4");
  geom_report_free(r);
  hand_free(h);
}

TEST(nothing_is_claimed_for_nonlinear_velocities_and_accelerations)
{
  hand* h = hand_new("x y z", "a=0.5");
  hand_constraint(h, "cone", "z'^2 - a^2*(x'^2 + y'^2)");
  hand_constraint(h, "jerk", "x'' - y");
  geom_report* r = look(h);
  CHECK_INT(r->constraint[0].integrable, EXPR_UNKNOWN);
  CHECK_INT(r->constraint[1].integrable, EXPR_UNKNOWN);
  CHECK(!r->growth_known);
  geom_report_free(r);
  hand_free(h);
}

TEST(without_constraints_all_of_space_is_reached)
{
  hand* h = hand_new("x y z", "");
  geom_report* r = look(h);
  expect_growth(r, "3");
  geom_report_free(r);
  hand_free(h);
}

// a plane chain of seven links closed at both ends, with a blade under its third link
TEST(a_blade_under_a_closed_chain_is_decided_at_once)
{
  base_text coords = {0};
  for (int i = 1; i <= 7; i++) base_text_printf(&coords, "x%d y%d th%d ", i, i, i);
  hand* h = hand_new(coords.at, "l=1");
  for (int i = 1; i <= 8; i++)
    for (int c = 0; c < 2; c++) {
      const char *f = c ? "sin" : "cos", *x = c ? "y" : "x";
      base_text t = {0};
      base_text_add(&t, i == 8 && !c ? "-2" : "0");
      if (i > 1) base_text_printf(&t, " + %s%d + l/2*%s(th%d)", x, i - 1, f, i - 1);
      if (i < 8) base_text_printf(&t, " - %s%d + l/2*%s(th%d)", x, i, f, i);
      hand_constraint(h, base_arena_printf(h->m.arena, "%s%d", x, i), t.at);
      base_text_free(&t);
    }
  geom_report* r = look(h);
  expect_growth(r, "5");
  geom_report_free(r);
  hand_constraint(h, "blade", "y3'*cos(th3) - x3'*sin(th3)");
  r = look(h);
  expect_growth(r, "4, 5");
  CHECK_INT(r->constraint[16].integrable, EXPR_NO);
  geom_report_free(r);
  base_text_free(&coords);
  hand_free(h);
}

// z' = y x' alone is nonholonomic; with z held it would not be, but z is free at the start
TEST(what_a_stage_imposes_later_has_no_part_in_the_growth)
{
  hand* h = hand_new("x y z", "");
  hand_constraint(h, "roll", "z' - y*x'");
  hand_constraint(h, "hold", "z - 1");
  h->m.constraint[1].starts_off = true;
  geom_report* r = look(h);
  expect_growth(r, "2, 3");
  CHECK_INT(r->position_rank, 0);
  CHECK_INT(r->constraint[0].integrable, EXPR_NO);
  CHECK_INT(r->constraint[1].integrable, EXPR_YES);
  geom_report_free(r);
  hand_free(h);
}

// imposed later: what it will be beside the others
TEST(what_a_stage_imposes_later_is_judged_too)
{
  hand* h = hand_new("x y z", "");
  hand_constraint(h, "roll", "z' - y*x'");
  hand_constraint(h, "turn", "x*y' + y*x'");
  h->m.constraint[1].starts_off = true;
  geom_report* r = look(h);
  expect_growth(r, "2, 3");
  CHECK_INT(r->constraint[1].integrable, EXPR_YES);
  CHECK_TEXT(hand_print(h, r->constraint[1].potential), "x*y");
  geom_report_free(r);
  hand_free(h);
}
