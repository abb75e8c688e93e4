// Energies with corners and jumps: which are refused, and where; which go on, with which energy.
#include "bench.h"

#include "check.h"

#include <stdio.h>

typedef struct energy_case
{
  const char* text;    // of one coordinate x, up to t = 3
  const char* refused; // words of the reason; null: it goes on
  double when, x;      // when it ends; where it is at t = 3
} energy_case;

static const energy_case cases[] = {
    // with the place: no finite force
    {"kinetic x'^2/2\npotential step(x - 1)\ninitial x' = 2\n", "`potential step(x - 1)`", 0.5, 0},
    {"kinetic x'^2/2\npotential 3*sign(1 - x)\ninitial x' = 2\n", "potential energy", 0.5, 0},
    {"kinetic x'^2/2\npotential if(x < 1, x, x + 1)\ninitial x' = 2\n", "jumps there by 1",
     2 - 1.4142135623730951, 0},
    {"kinetic (1 + step(x - 1))*x'^2/2\ninitial x' = 2\n", "kinetic energy", 0.5, 0},
    // deep in a sum of other terms, and of a mass
    {"kinetic x'^2/2\npotential x^2/200 + cos(if(x < 1, 1, 2))\ninitial x' = 2\n",
     "potential energy", 0.50020843, 0},
    {"particle P mass if(x < 1, 1, 2) = (x, 0, 0) in world\ninitial x' = 2\n", "kinetic energy",
     0.5, 0},
    // an angle has a cut behind it, and none before it
    {"kinetic x'^2/2\npotential 0.3*atan2(x - 1, -1)\ninitial x' = 2\n",
     "`potential 0.3*atan2(x - 1, -1)`", 0.48768409775501967, 0},
    {"kinetic x'^2/2\npotential 0.3*atan2(x - 1, 1)\ninitial x' = 2\n", NULL, 0,
     5.2501366282627919},
    {"kinetic (4 + atan2(x - 1, -1))*x'^2/2\ninitial x' = 2\n", "kinetic energy",
     0.44236239610225475, 0},
    // with time: the velocity would have to jump
    {"kinetic if(t < 1, 1, 2)*x'^2/2\ninitial x' = 2\n", "`kinetic if(t < 1, 1, 2)", 1, 0},
    // both sides are one where they meet
    {"kinetic x'^2/2\npotential if(x < 1, 0, (x - 1)^2/2)\ninitial x' = 2\n", NULL, 0,
     1 + 2 * 0.59847214410395655},
    {"kinetic x'^2/2\npotential if(x < 1, x, 2 - x)\ninitial x' = 2\n", NULL, 0,
     1 + 1.4142135623730951 * 2.4142135623730950 + 2.4142135623730950 * 2.4142135623730950 / 2},
    {"kinetic x'^2/2\npotential abs(x - 1) + max(x, 1)\ninitial x' = 0.5\n", NULL, 0, 0.375},
    // at rest the momenta are nought on both sides
    {"kinetic (1 + sign(x')/2)*x'^2/2\ninitial x' = 2\nforce x = -1\n", NULL, 0, 3},
    // nowhere near it
    {"kinetic x'^2/2\npotential step(x - 9)\ninitial x' = 2\n", NULL, 0, 6},
    // by time a field is switched on: work from outside
    {"kinetic x'^2/2\npotential if(t < 1, 0, 3*x)\ninitial x' = 2\n", NULL, 0, 0},
    {"kinetic x'^2/2\npotential step(t - 1)\ninitial x' = 2\n", NULL, 0, 6},
    // params alone decide
    {"param k = 3\nkinetic if(k < 2, 1, 2)*x'^2/2\npotential if(k < 2, 1, 2)\ninitial x' = 2\n",
     NULL, 0, 6},
};

static void follow(const energy_case* c, const char* method)
{
  char text[500];
  snprintf(text, sizeof text, "coord x\n%srun 0 .. 3\n", c->text);
  bench b = bench_text(text);
  const double end = 3;
  walk_track* t = bench_run_by(&b, method, 1e-10, 1, &end);
  const char* name = method ? method : "the method chosen";
  if (!t) {
    check_fail(__FILE__, __LINE__, "%s by %s: %s", c->text, name, bench_first_error(&b));
  } else if (c->refused) {
    if (t->status != WALK_UNFINISHED || !strstr(t->reason, c->refused) ||
        !strstr(t->reason, "jumps there") || !(fabs(t->t_reached - c->when) < 1e-6))
      check_fail(__FILE__, __LINE__, "%s by %s: at %.10g: %s", c->text, name, t->t_reached,
                 t->reason);
  } else if (t->status != WALK_DONE || !(fabs(bench_value(t, 0, "x") - c->x) < 1e-7)) {
    check_fail(__FILE__, __LINE__, "%s by %s: x = %.10g, want %.10g; %s", c->text, name,
               bench_value(t, 0, "x"), c->x, t->reason);
  }
  // before what is refused, too
  CHECK(t && fabs(t->energy_balance) <= 1e-8 * fmax(1, t->energy_scale));
  walk_track_free(t);
  bench_free(&b);
}

TEST(energies_that_jump_are_refused_where_the_motion_meets_it)
{
  static const char* method[] = {NULL, "taylor", "dop853", "adams"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int m = 0; m < 4; m++) follow(&cases[i], method[m]);
}

// a param that an event sets is no jump of the energy by itself: the momentum stays
TEST(a_mass_that_an_event_sets_keeps_its_momentum)
{
  bench b = bench_text("param m = 1\ncoord x\nkinetic m*x'^2/2\ninitial x' = 2\n"
                       "event there: x = 1 rising { set m = 2; carry momentum }\nrun 0 .. 3\n");
  const double end = 3;
  walk_track* t = bench_run_by(&b, NULL, 1e-10, 1, &end);
  CHECK(t && t->status == WALK_DONE);
  CHECK_NEAR(bench_value(t, 0, "x'"), 1, 1e-12);
  CHECK_NEAR(bench_value(t, 0, "x"), 3.5, 1e-11);
  walk_track_free(t);
  bench_free(&b);
}
