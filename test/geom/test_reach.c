// Growth vectors at the points of a motion, and constraints that are integrable only together.
#include "geom/geom.h"
#include "mech/hand.h"

#include <math.h>
#include <stdio.h>

static geom_report* look(hand* h, int* n, expr* symbol, double* value)
{
  *n = 0;
  symbol[*n] = h->m.t;
  value[(*n)++] = 0;
  for (int i = 0; i < h->m.coords; i++) {
    symbol[*n] = h->m.coord[i].q;
    value[(*n)++] = 0.4 + 0.3 * i;
  }
  return geom_integrability(&h->m, *n, symbol, value);
}

// z' = x^2 y': where x = 0 the first bracket vanishes, and the second does its work
TEST(a_special_point_takes_one_bracket_more)
{
  hand* h = hand_new("x y z", "");
  hand_constraint(h, "martinet", "z' - x^2*y'");
  expr symbol[HAND_MOST];
  double value[HAND_MOST], points[3 * 4] = {0, -1, 0.2, 0.3, 0, 0, 0.2, 0.3, 0, 0.5, 0, 0};
  int n;
  geom_report* report = look(h, &n, symbol, value);
  geom_reach* r = geom_reach_make(&h->m, report, n, symbol, 3, points);
  CHECK_INT(r->most, 3);
  CHECK_INT(geom_reach_degree(r, 0), 2);
  CHECK_INT(geom_reach_degree(r, 1), 3);
  CHECK_INT(geom_reach_degree(r, 2), 2);
  CHECK_INT(r->dimension[r->stride + 1], 2);
  CHECK_INT(r->dimension[r->stride + 2], 3);
  geom_reach_free(r);
  geom_report_free(report);
  hand_free(h);
}

TEST(constraints_integrable_only_together_are_named_together)
{
  hand* h = hand_new("x y th z", "");
  hand_constraint(h, "a", "x'*cos(th) + y'*sin(th)");
  hand_constraint(h, "b", "y'*cos(th) - x'*sin(th)");
  hand_constraint(h, "c", "z' - y*th'");
  expr symbol[HAND_MOST];
  double value[HAND_MOST];
  int n;
  geom_report* r = look(h, &n, symbol, value);
  CHECK_INT(r->subsystems, 2);
  CHECK_INT(r->members[0], 2);
  CHECK_INT(r->member[0][0], 0);
  CHECK_INT(r->member[0][1], 1);
  CHECK_INT(r->members[1], 3);
  geom_report_free(r);
  hand_free(h);
}

TEST(constraints_integrable_one_by_one_make_no_set)
{
  hand* h = hand_new("x y z", "");
  hand_constraint(h, "a", "x*x' + y*y'");
  hand_constraint(h, "b", "z' - 2*y'");
  expr symbol[HAND_MOST];
  double value[HAND_MOST];
  int n;
  geom_report* r = look(h, &n, symbol, value);
  CHECK_INT(r->subsystems, 0);
  geom_report_free(r);
  hand_free(h);
}

// ---- a car with trailers ------------------------------------------------------------------------

// Angles th0 of the car, th1 ... of its trailers, each hooked to the axle before it: the wheels of
// all roll. Quarter turns between neighbours are its singular places (Jean 1996).
static void trailers(int n, const double* angle, int length, const int* growth)
{
  hand* h = hand_new(n == 2 ? "x y th0 th1 th2" : "x y th0 th1 th2 th3", "");
  static const char* const car[4] = {
      "x'*sin(th0) - y'*cos(th0) - th1'*cos(th0 - th1) - th2'*cos(th0 - th2)%s",
      "x'*sin(th1) - y'*cos(th1) - th2'*cos(th1 - th2)%s", "x'*sin(th2) - y'*cos(th2)%s",
      "x'*sin(th3) - y'*cos(th3)%s"};
  static const char* const last[4] = {" - th3'*cos(th0 - th3)", " - th3'*cos(th1 - th3)",
                                      " - th3'*cos(th2 - th3)", ""};
  static const char* const name[4] = {"a", "b", "c", "d"};
  for (int k = 0; k <= n; k++) {
    char text[200];
    snprintf(text, sizeof text, car[k], n == 3 ? last[k] : "");
    hand_constraint(h, name[k], text);
  }
  expr symbol[HAND_MOST];
  double value[HAND_MOST], point[HAND_MOST] = {0, 0.1, -0.2};
  int count;
  geom_report* report = look(h, &count, symbol, value);
  CHECK_INT(report->growth_length, n + 2);
  for (int k = 0; k < n + 2; k++) CHECK_INT(report->growth[k], k + 2);
  for (int k = 0; k <= n; k++) point[3 + k] = angle[k];
  // at rest: the same point again and again
  enum { SAME = 60 };
  static double all[SAME * HAND_MOST];
  for (int i = 0; i < SAME * count; i++) all[i] = point[i % count];
  geom_reach* r = geom_reach_make(&h->m, report, count, symbol, SAME, all);
  for (int p = 0; p < SAME; p += SAME - 1) {
    CHECK_INT(geom_reach_degree(r, p), length);
    for (int k = 0; k < length; k++) CHECK_INT(r->dimension[p * r->stride + k], growth[k]);
  }
  geom_reach_free(r);
  geom_report_free(report);
  hand_free(h);
}

TEST(a_car_with_trailers_at_its_singular_places)
{
  const double q = acos(0);
  trailers(2, (double[]){0.3, 0.4, 0.9}, 4, (int[]){2, 3, 4, 5});
  trailers(2, (double[]){0.3, 0.3 + q, 0.3 + q}, 5, (int[]){2, 3, 4, 4, 5});
  trailers(3, (double[]){0, 0, q, q}, 6, (int[]){2, 3, 4, 5, 5, 6});
  trailers(3, (double[]){0, q, q + 0.3, q}, 7, (int[]){2, 3, 4, 4, 5, 5, 6});
  // all at right angles: the eighth bracket, a number of Fibonacci
  trailers(3, (double[]){0.3, 0.3 + q, 0.3 + 2 * q, 0.3 + 2 * q}, 8,
           (int[]){2, 3, 4, 4, 5, 5, 5, 6});
}
