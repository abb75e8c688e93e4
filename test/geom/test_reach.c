// Growth vectors at the points of a motion, and constraints that are integrable only together.
#include "geom/geom.h"
#include "mech/hand.h"

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
