// The engine at one instant: what it measures by, how fast rows turn, and what it takes of a model.
#include "bench.h"

#include "check.h"
#include "contact/contact.h"
#include "engine/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static engine* engine_of(bench* b)
{
  engine* e = b->system ? contact_engine_new(b->system, b->notes) : NULL;
  CHECK(e != NULL);
  for (int i = 0; !e && i < base_notes_count(b->notes); i++)
    printf("# %s\n", base_notes_text(b->notes, i));
  return e;
}

static void let_go(engine* e, bench* b)
{
  engine_free(e);
  bench_free(b);
}

// whatever was evaluated before: the nearest point of a circle lies on its radius
TEST(a_place_beside_a_circle_is_brought_to_the_nearest_point_of_it)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = 25\n"
                       "initial x = 3\ninitial y ~ 4\n");
  engine* e = engine_of(&b);
  for (int k = 1; e && k < 20; k++) {
    const double angle = k, off = 1 + 1e-3 * (k - 10), on[2] = {5 * cos(angle), 5 * sin(angle)};
    bool moved;
    engine_state(e, 0, (const double[]){on[0] * off, on[1] * off}, (const double[]){0, 0});
    CHECK_INT(engine_project_positions(e, &moved), 0);
    for (int i = 0; i < 2; i++) CHECK_NEAR(e->q[i], on[i], 1e-12);
  }
  let_go(e, &b);
}

// the same for many at once, each circle in units of its own
TEST(units_of_many_constraints_do_not_matter_to_the_places_they_leave)
{
  bench b = bench_text("for i in 1..40 {\n  coord x[i], y[i]\n  kinetic (x[i]'^2 + y[i]'^2)/2\n"
                       "  constraint c[i]: 10^(i - 20)*(x[i]^2 + y[i]^2) = 10^(i - 20)*25\n"
                       "  initial x[i] = 3\n  initial y[i] ~ 4\n}\n");
  engine* e = b.system ? contact_engine_new_large(b.system, b.notes) : NULL;
  CHECK(e && e->sparse);
  if (e) {
    double q[80], v[80] = {0};
    bool moved;
    for (int i = 0; i < 80; i++) q[i] = (5 + 1e-3 * cos(i / 2)) * (i % 2 ? sin(i / 2) : cos(i / 2));
    engine_state(e, 0, q, v);
    CHECK_INT(engine_project_positions(e, &moved), 0);
    for (int i = 0; i < 80; i++) CHECK_NEAR(e->q[i], 5 * (i % 2 ? sin(i / 2) : cos(i / 2)), 1e-9);
  }
  let_go(e, &b);
}

// places and velocities that are zero, each in a group of its own
TEST(every_place_and_velocity_has_a_size)
{
  bench b = bench_text("coord a, b, c, d\nkinetic (a'^2 + b'^2 + c'^2 + d'^2)/2\n");
  engine* e = engine_of(&b);
  for (int k = 0; e && k < 256; k++) {
    double q[4], v[4], size[8];
    for (int i = 0; i < 4; i++) {
      q[i] = k >> i & 1;
      v[i] = k >> (4 + i) & 1;
    }
    engine_state(e, 0, q, v);
    engine_weigh(e);
    engine_state_sizes(e, size);
    for (int i = 0; i < 8; i++) CHECK(size[i] > 0 && isfinite(size[i]));
  }
  let_go(e, &b);
}

// A coordinate without a mass has that of what a constraint ties it to: y = 2 x moves with the
// energy of x if its mass is 1/4 of that of x. The order of the constraints does not matter.
TEST(coordinates_without_mass_are_measured_by_what_they_are_tied_to)
{
  static const char* const order[] = {"constraint one: y = 2*x\nconstraint two: z = 5*x\n",
                                      "constraint two: z = 5*x\nconstraint one: y = 2*x\n"};
  for (int k = 0; k < 2; k++) {
    char text[300];
    snprintf(text, sizeof text, "coord x, y, z\nkinetic 3*x'^2/2\n%s", order[k]);
    bench b = bench_text(text);
    engine* e = engine_of(&b);
    if (e) {
      const double none[3] = {0};
      double mass[3];
      engine_state(e, 0, none, none);
      code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
      engine_masses_here(e, mass);
      CHECK_NEAR(mass[0], 3, 0);
      CHECK_NEAR(mass[1], 3.0 / 4, 1e-15);
      CHECK_NEAR(mass[2], 3.0 / 25, 1e-15);
    }
    let_go(e, &b);
  }
}

// A row that turns by the angle a: beside (0, 1) the singular values are sqrt(1 -+ sin a), and
// their rates follow from a', be it fast or slow.
TEST(singular_values_change_as_fast_as_the_rows_turn)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                       "constraint one: cos(x)*x' + sin(x)*y' = 0\nconstraint two: y' = 0\n"
                       "initial x = 1\n");
  engine* e = engine_of(&b);
  engine_rank* k = e ? engine_rank_new(e) : NULL;
  for (int power = -9; k && power <= 9; power++) {
    const double a = 0.7, rate = pow(10, power);
    engine_state(e, 0, (const double[]){a, 0}, (const double[]){rate, 0});
    engine_rank_values(k);
    const int least = k->sigma[0] < k->sigma[1] ? 0 : 1;
    const double small = sqrt(1 - sin(a)), large = sqrt(1 + sin(a));
    CHECK_NEAR(k->sigma[least], small, 1e-12);
    CHECK_NEAR(k->slope[least] / rate, -cos(a) / (2 * small), 1e-6);
    CHECK_NEAR(k->slope[1 - least] / rate, cos(a) / (2 * large), 1e-6);
  }
  let_go(e, &b);
}

// no time of a motion is longer than the run
TEST(a_motion_slower_than_its_run_is_measured_by_the_run)
{
  bench b = bench_text("coord x\nkinetic x'^2/2\ninitial x = 1\ninitial x' = 1e-3\nrun 0 .. 2\n");
  engine* e = engine_of(&b);
  if (e) {
    engine_state(e, 0, (const double[]){1}, (const double[]){1e-3});
    e->scales->span = 2;
    e->scales->place[0] = 1;
    e->scales->speed[0] = 1e-3;
    CHECK_NEAR(engine_scale_quick(e), 2, 0);
    e->scales->speed[0] = 10;
    CHECK_NEAR(engine_scale_quick(e), 0.1, 1e-16);
  }
  let_go(e, &b);
}

// |v|^3 in the energy leaves a corner in the masses, 1 + |v|, and none in the forces
TEST(a_corner_of_the_masses_alone_is_found)
{
  bench b = bench_text("coord x\nkinetic x'^2/2 + abs(x')^3/6\npotential x^2/2\n");
  engine* e = engine_of(&b);
  if (e) {
    CHECK(e->program->modes.count > 0);
    engine_state(e, 0, (const double[]){1}, (const double[]){-3});
    engine_corner_rates(e);
    CHECK_NEAR(e->work.switching[0], -3, 0);
  }
  let_go(e, &b);
}

// A motion that stands where s = x - x'^2/2 jumps, with x' = 0: s is as x there to the first order
// of what accelerates it, and its second rate is x''.
TEST(what_stands_at_a_jump_that_bends_in_the_velocity_is_left_as_it_is_accelerated)
{
  bench b = bench_text("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -2*sign(x - x'^2/2)\n");
  engine* e = engine_of(&b);
  CHECK(e && e->program->modes.count == 1 && e->program->turning[0]);
  for (int k = -2; e && k <= 2; k++) {
    const double none[2] = {0}, there[2] = {1, 0};
    // s or -s, as it was brought to
    engine_state(e, 0, there, none);
    engine_corner_rates(e);
    const double sense = e->work.switching[0];
    CHECK_NEAR(fabs(sense), 1, 0);
    engine_state(e, 0, none, none);
    e->a[0] = k;
    e->mode.twice[0] = true;
    e->mode.twice_count = 1;
    engine_corner_rates(e);
    CHECK_NEAR(e->work.switching[0], 0, 0);
    CHECK_NEAR(e->work.switching[1], k * sense, 0);
  }
  let_go(e, &b);
}

// Velocities that a blow of 2 at a contact and one of 3 along a constraint leave tell both, in any
// number of coordinates.
TEST(impulses_are_read_from_the_velocities_they_made)
{
  for (int n = 2; n <= 9; n++) {
    char text[500], *at = text;
    at += sprintf(at, "coord a1");
    for (int i = 2; i <= n; i++) at += sprintf(at, ", a%d", i);
    at += sprintf(at, "\nkinetic a1'^2/2");
    for (int i = 2; i <= n; i++) at += sprintf(at, " + a%d'^2/2", i);
    at += sprintf(at, "\nconstraint tie: 0");
    for (int i = 1; i <= n; i++) at += sprintf(at, " + %d*a%d", i + 1, i);
    sprintf(at, " = 0\nconstraint wall: a1 - a%d >= 0\n", n);
    bench b = bench_text(text);
    engine* e = engine_of(&b);
    if (e && e->unilateral) {
      const double before[9] = {0};
      const int row[] = {0, 0};
      double v[9], P = 0;
      for (int i = 0; i < n; i++) v[i] = 3 * (i + 2) + (i == 0 ? 2 : i == n - 1 ? -2 : 0);
      engine_state(e, 0, before, v);
      code_run(e->program->eom, e->in, e->work.eom_out, e->work.scratch);
      code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
      contact_accumulation_impulses(e, 1, row, before, NULL, &P);
      CHECK_NEAR(P, 2, 1e-12);
    }
    let_go(e, &b);
  }
}

// ---- constraints nonlinear in the accelerations -------------------------------------------------

static double value_of(const least_polynomial* f, int l, const double* w)
{
  double sum = 0;
  for (int t = 0; t < f->terms; t++) {
    double product = f->term[t].c;
    for (int i = 0; i < l; i++) product *= pow(w[i], f->term[t].power[i]);
    sum += product;
  }
  return sum;
}

// as polynomials they have the values that they have
static void check_polynomials(const char* text, int unknowns, int constraints)
{
  bench b = bench_text(text);
  engine* e = engine_of(&b);
  if (e) {
    least_polynomial out[LEAST_STATIONARY_MOST];
    double w[LEAST_STATIONARY_MOST], phi[LEAST_STATIONARY_MOST];
    uint64_t seed = 7;
    engine_state(e, 0, e->q, e->v);
    engine_curved_set_up(e);
    CHECK_INT(e->least->l, unknowns);
    CHECK_INT(e->least->active, constraints);
    const least_polynomial* f = engine_curved_polynomials(e, out);
    CHECK(f != NULL);
    for (int trial = 0; f && trial < 20; trial++) {
      for (int i = 0; i < unknowns; i++) engine_shake(w + i, 1, &(double){0}, 1, NULL, &seed);
      CHECK_INT(engine_curved_evaluate(e, w, phi, NULL, NULL), 0);
      for (int j = 0; j < constraints; j++)
        CHECK_NEAR(value_of(&f[j], unknowns, w), phi[j], 1e-9 * (1 + fabs(phi[j])));
    }
  }
  let_go(e, &b);
}

TEST(constraints_on_accelerations_are_the_polynomials_they_are_taken_for)
{
  check_polynomials("coord x, y\nkinetic x'^2 + y'^2/2\nforce x = 1\nforce y = 2\n"
                    "constraint c: x''^3 + 2*x''*y''^2 - y'' = 1\n",
                    2, 1);
  // the second has fewer terms than the first
  check_polynomials("coord x, y, z\nkinetic x'^2 + y'^2/2 + z'^2\nforce x = 1\nforce y = 2\n"
                    "constraint c: (x'' + 2*y'' + 3*z'')^5 + x'' = 1\n"
                    "constraint d: x''^3 - y''^2 + x''*y''*z'' = 2\n",
                    3, 2);
}

TEST(as_many_accelerations_as_there_may_be_are_taken)
{
  char text[2000], *at = text;
  at += sprintf(at, "coord a1");
  for (int i = 2; i <= 12; i++) at += sprintf(at, ", a%d", i);
  at += sprintf(at, "\nkinetic (a1'^2");
  for (int i = 2; i <= 12; i++) at += sprintf(at, " + a%d'^2", i);
  at += sprintf(at, ")/2\nforce a1 = 1\nforce a2 = 2\nconstraint c: a1''^3 + a1''*a2''*a12''");
  for (int i = 2; i <= 12; i++) at += sprintf(at, " + a%d''^2", i);
  sprintf(at, " = 2\n");
  check_polynomials(text, 12, 1);
}

// H and r of U = w.H w/2 - r.w for a = Z w, which is all that a plane through the origin leaves:
// the masses and forces in that basis, for any number of coordinates.
TEST(what_is_made_least_is_gausss_function)
{
  for (int n = 3; n <= 8; n++) {
    char text[1000], *at = text;
    at += sprintf(at, "coord a1");
    for (int i = 2; i <= n; i++) at += sprintf(at, ", a%d", i);
    at += sprintf(at, "\nkinetic a1'^2/2");
    for (int i = 2; i <= n; i++) at += sprintf(at, " + %d*a%d'^2/2", i, i);
    for (int i = 1; i <= n; i++) at += sprintf(at, "\nforce a%d = %d", i, 4 - i);
    at += sprintf(at, "\nconstraint plane: a1");
    for (int i = 2; i <= n; i++) at += sprintf(at, " + a%d", i);
    sprintf(at, " = 0\nconstraint c: a1''^2 + a%d''^2 = 2\n", n);
    bench b = bench_text(text);
    engine* e = engine_of(&b);
    if (e) {
      engine_state(e, 0, e->q, e->v);
      engine_curved_set_up(e);
      const engine_curved* f = e->least;
      const int l = f->l;
      CHECK_INT(l, n - 1);
      for (int k = 0; k < l; k++) {
        double r = 0;
        for (int i = 0; i < n; i++) r += f->Z[i * l + k] * (3 - i);
        CHECK_NEAR(f->r[k], r, 1e-13);
        for (int h = 0; h < l; h++) {
          double H = 0;
          for (int i = 0; i < n; i++) H += f->Z[i * l + k] * (i + 1) * f->Z[i * l + h];
          CHECK_NEAR(f->H[h * l + k], H, 1e-13);
        }
      }
    }
    let_go(e, &b);
  }
}

// ---- forces that come with what holds -----------------------------------------------------------

// Two constraints that say the same share their reaction in any way, but the motion is one: x is
// held, and u is driven by 0.3 and whatever is asked for, against a friction of 10/10.
TEST(constraints_that_say_the_same_leave_one_answer_to_a_force)
{
  bench b = bench_text("coord x, u, p\nkinetic x'^2/2 + u'^2 + x'*u'/2 + p'^2/2\nforce x = 2\n"
                       "force p = -10\nforce u = 0.3 - 0.1*reaction(base)*sign(u')\n"
                       "constraint one: x = 0\nconstraint two: 3*x = 0\nconstraint base: p = 0\n");
  engine* e = engine_of(&b);
  CHECK(e && !e->parts && e->program->modes.count == 1);
  if (e) {
    const double none[3] = {0}, v[3] = {0, 1, 0}, force[3] = {5, 1, 0};
    double w[6] = {0}, lambda[6] = {0}, side[2] = {0};
    const engine_answers out = {w, lambda, side};
    engine_state(e, 0, none, v);
    e->side[0] = 1;
    engine_rows(e);
    engine_coupled_see(e);
    CHECK_INT(engine_coupled_answers(e, false, 1, force, &out), 0);
    CHECK_NEAR(w[0], 0, 1e-14);
    CHECK_NEAR(w[1], (0.3 - 1) / 2, 1e-14);
    CHECK_NEAR(w[3], 0, 1e-14);
    CHECK_NEAR(w[4], 0.5, 1e-14);
    // together they carry all of the force along x
    CHECK_NEAR(lambda[0] + 3 * lambda[1], w[1] / 2 - 2, 1e-13);
    CHECK_NEAR(lambda[3] + 3 * lambda[4], w[4] / 2 - 5, 1e-13);
    CHECK_NEAR(lambda[2], 10, 1e-13);
  }
  let_go(e, &b);
}

// Two frictions hold; a motion beside them that costs no energy here has any acceleration, and that
// is told.
TEST(frictions_that_hold_do_not_hide_a_motion_without_mass)
{
  bench b = bench_text("coord x, y, u, z, p\nkinetic x'^2/2 + z'^2/2 + p'^2/2 + (y' + u')^2/2\n"
                       "kinetic z^2*(y' - u')^2/2\n"
                       "force p = -10\nforce x = -0.1*reaction(base)*sign(x') "
                       "- 0.2*reaction(base)*sign(x' + z'/5)\nconstraint base: p = 0\n");
  engine* e = engine_of(&b);
  CHECK(e && e->program->modes.count == 2);
  for (int massless = 0; e && massless < 2; massless++) {
    const double q[5] = {0, 0, 0, massless ? 0 : 1, 0}, v[5] = {0};
    engine_state(e, 0, q, v);
    memset(e->a, 0, sizeof(double) * 5);
    e->lambda[0] = 10;
    for (int i = 0; i < 2; i++) {
      e->mode.held[i] = true;
      e->side[i] = 0;
    }
    e->mode.held_count = 2;
    engine_rows(e);
    CHECK_INT(engine_coupled_solve(e), massless);
    if (!massless) CHECK_NEAR(e->a[0], 0, 1e-13);
  }
  let_go(e, &b);
}
