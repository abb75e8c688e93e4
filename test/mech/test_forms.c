// Form against form: the accelerations and reactions of every model must be the same on every road.
#include "mech/compare.h"

static hand* skater(void)
{
  hand* h = hand_new("xi theta eta", "m=7 l=1 k1=0.6 L5=1");
  hand_energies(h,
                "m/2*((xi' + l*theta'*cos(theta))^2 + (eta' + l*theta'*sin(theta))^2)"
                "+ m/2*((xi' - l*theta'*cos(theta))^2 + (eta' - l*theta'*sin(theta))^2)",
                "0");
  hand_force(h, "xi", "-k1*xi'");
  hand_force(h, "eta", "-k1*eta'");
  hand_force(h, "theta", "L5");
  hand_constraint(h, "blade", "eta'*cos(theta) - xi'*sin(theta)");
  return h;
}

TEST(maggi_equals_lagrange_on_the_skater)
{
  hand* h = skater();
  compare_forms(h, true, 1e-11);
  hand_quasi(h, "v", "xi'*cos(theta) + eta'*sin(theta)");
  hand_quasi(h, "w", "theta'");
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

TEST(maggi_completes_a_declared_quasi_velocity)
{
  hand* h = skater();
  hand_quasi(h, "w", "theta' + xi'");
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

TEST(maggi_equals_lagrange_for_appells_nonlinear_constraint)
{
  hand* h = hand_new("x y z", "m=1 g=9.81 a=0.5");
  hand_energies(h, "m/2*(x'^2 + y'^2 + z'^2)", "-m*g*z");
  hand_constraint(h, "cone", "z'^2 - a^2*(x'^2 + y'^2)");
  compare_forms(h, true, 1e-11);
  hand_quasi(h, "u", "x'^2 + y'");
  compare_forms(h, true, 1e-10);
  hand_free(h);
}

TEST(maggi_equals_lagrange_on_the_pendulum_in_cartesian_coordinates)
{
  hand* h = hand_new("x y", "m=2 g=9.81 l=1.3");
  hand_energies(h, "m/2*(x'^2 + y'^2)", "m*g*y");
  hand_constraint(h, "rod", "x^2 + y^2 - l^2");
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

TEST(maggi_equals_lagrange_for_moving_and_driven_constraints)
{
  hand* h = hand_new("x y phi", "m=2 J=0.4 c=3 a=0.7*");
  hand_energies(h, "m/2*(x'^2 + y'^2) + J/2*(phi' + a')^2 + m*a*phi'*x'", "c/2*a*x^2*cos(t)");
  hand_force(h, "y", "-0.3*y' + sin(t)");
  hand_constraint(h, "belt", "x*cos(t) + y*sin(phi) - a^2");
  hand_constraint(h, "wheel", "x'*sin(phi) - y'*cos(phi) + a*phi' - t");
  compare_forms(h, true, 1e-10);
  hand_free(h);
}

TEST(maggi_equals_lagrange_on_the_rolling_disc)
{
  hand* h = hand_new("x y phi th psi", "m=1 R=0.3 g=9.81");
  hand_energies(h,
                "m/2*(x'^2 + y'^2) + m*R^2/8*(phi'^2*sin(psi)^2 + psi'^2)"
                "+ m*R^2/4*(th' + phi'*cos(psi))^2",
                "m*g*R*sin(psi)");
  hand_constraint(h, "rx", "x' - R*cos(phi)*th'");
  hand_constraint(h, "ry", "y' - R*sin(phi)*th'");
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

TEST(maggi_equals_lagrange_for_dense_rows)
{
  hand* h = hand_new("a b c d e f", "p=1.5 s=0.4");
  hand_energies(h,
                "(a'^2 + 2*b'^2 + 3*c'^2 + d'^2 + 1.5*e'^2 + 2*f'^2)/2 + 0.3*a'*b'*cos(c)"
                "+ 0.2*d'*f'*sin(a)",
                "p*a^2*b + s*cos(c*d)");
  hand_force(h, "e", "-s*e'*f");
  hand_constraint(h, "one", "a'*cos(b) + b'*sin(c) + p*c'*d + e'*f");
  hand_constraint(h, "two", "a'*c - b'*e + d'*cos(a) + s*f'*b");
  hand_constraint(h, "three", "a*b + c*d + e*f - sin(t)");
  compare_forms(h, true, 1e-9);
  hand_quasi(h, "u", "a'*b + c'");
  compare_forms(h, true, 1e-9);
  hand_free(h);
}

TEST(maggi_equals_lagrange_without_constraints)
{
  hand* h = hand_new("phi Theta", "J1=2 J3=0.5 r=0.1 rho0=0.3 c=50");
  hand_energies(h, "J1/2*phi'^2 + J3/2*(rho0*cos(phi)*Theta'/r)^2", "c/2*(rho0*cos(phi))^2");
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

TEST(maggi_equals_lagrange_for_constraints_affine_in_the_accelerations)
{
  hand* h = hand_new("x y", "m=1 k=2");
  hand_energies(h, "m/2*(x'^2 + y'^2)", "k/2*(x^2 + y^2)");
  hand_constraint(h, "jerk", "x''*cos(y) + y''*x' - x'*y'");
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

// a plane chain of links closed at both ends, more coordinates than a minor can be written out for
static hand* closed_chain(int links)
{
  base_text coords = {0}, T = {0}, V = {0}, X = {0}, Y = {0};
  base_text_add(&T, "0");
  base_text_add(&V, "0");
  for (int i = 1; i <= links; i++) {
    base_text_printf(&coords, "x%d y%d th%d ", i, i, i);
    base_text_printf(&T, " + (x%d'^2 + y%d'^2)/2 + th%d'^2/24", i, i, i);
    base_text_printf(&V, " + 9.81*y%d", i);
  }
  hand* h = hand_new(coords.at, "l=1");
  hand_energies(h, T.at, V.at);
  for (int i = 1; i <= links; i++) {
    char f[200], g[200];
    if (i == 1) {
      snprintf(f, sizeof f, "x1 - l/2*cos(th1)");
      snprintf(g, sizeof g, "y1 - l/2*sin(th1)");
    } else {
      snprintf(f, sizeof f, "x%d + l/2*cos(th%d) - x%d + l/2*cos(th%d)", i - 1, i - 1, i, i);
      snprintf(g, sizeof g, "y%d + l/2*sin(th%d) - y%d + l/2*sin(th%d)", i - 1, i - 1, i, i);
    }
    hand_constraint(h, base_arena_printf(h->m.arena, "px%d", i), f);
    hand_constraint(h, base_arena_printf(h->m.arena, "py%d", i), g);
  }
  char f[200];
  snprintf(f, sizeof f, "x%d + l/2*cos(th%d) - 2", links, links);
  hand_constraint(h, "endx", f);
  snprintf(f, sizeof f, "y%d + l/2*sin(th%d)", links, links);
  hand_constraint(h, "endy", f);
  base_text_free(&coords);
  base_text_free(&T);
  base_text_free(&V);
  base_text_free(&X);
  base_text_free(&Y);
  return h;
}

TEST(maggi_equals_lagrange_on_a_closed_chain_of_fifteen_coordinates)
{
  hand* h = closed_chain(5);
  compare_forms(h, true, 1e-10);
  hand_free(h);
}

// dense velocity rows without a number among them: the core is beyond Cramer's rule
TEST(maggi_equals_lagrange_where_no_minor_is_written_out)
{
  hand* h = hand_new("a b c d e f g h", "k=1");
  hand_energies(h, "(a'^2 + b'^2 + c'^2 + d'^2 + e'^2 + f'^2 + g'^2 + h'^2)/2", "k*a*b*cos(c)");
  for (int k = 0; k < 6; k++) {
    static const char* const rows[] = {
        "a'*cos(b) + b'*sin(c) + c'*d + d'*e + e'*f + f'*g + g'*h + h'*a",
        "a'*b + b'*cos(d) + c'*e + d'*f + e'*g + f'*h + g'*a + h'*sin(b)",
        "a'*c + b'*e + c'*cos(f) + d'*g + e'*h + f'*a + g'*sin(b) + h'*d",
        "a'*d + b'*f + c'*g + d'*cos(h) + e'*a + f'*b + g'*c + h'*sin(e)",
        "a'*e + b'*g + c'*h + d'*sin(a) + e'*cos(b) + f'*c + g'*d + h'*f",
        "a'*f + b'*h + c'*a + d'*b + e'*sin(c) + f'*cos(d) + g'*e + h'*g"};
    hand_constraint(h, base_arena_printf(h->m.arena, "r%d", k), rows[k]);
  }
  compare_forms(h, true, 1e-7);
  hand_free(h);
}

TEST(redundant_constraints_leave_the_accelerations_alone)
{
  hand* h = hand_new("x y z", "m=1 g=9.81");
  hand_energies(h, "m/2*(x'^2 + y'^2 + 2*z'^2)", "m*g*z");
  hand_constraint(h, "one", "x' - y*z'");
  hand_constraint(h, "two", "y' - x'");
  hand_constraint(h, "both", "x' + y' - 2*y*z'");
  compare_forms(h, false, 1e-11);
  // the one left out says so and has no reaction
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* e = mech_form_find("maggi")->derive(s, NULL, notes);
  int none = 0;
  for (int k = 0; k < e->reactions; k++) none += e->reaction[k].right == expr_int(h->m.pool, 0);
  CHECK_INT(e->reactions, 3);
  CHECK_INT(none, 1);
  CHECK_INT(base_notes_count(notes), 1);
  CHECK_INT(e->residuals, 3);
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(a_choice_of_rows_and_dependent_velocities_is_followed)
{
  hand* h = skater();
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* lagrange = mech_form_find("lagrange")->derive(s, NULL, notes);
  compare_system first = compare_make(h, lagrange);
  for (int dependent = 0; dependent <= 2; dependent += 2) {
    int row = 0;
    mech_choice choice = {.rank = 1, .rows = &row, .dependent = &dependent};
    mech_equations* e = mech_form_find("maggi")->derive(s, &choice, notes);
    compare_system other = compare_make(h, e);
    // at theta = 0 and pi/2 one of the two minors vanishes, the equations must not
    for (int turn = 0; turn < 4; turn++) {
      uint64_t seed = 3;
      hand_state a = hand_throw(h, &seed);
      hand_put(&a, h->m.coord[1].q, turn * acos(0));
      hand_state b = a;
      compare_solve(h, &first, &a);
      compare_solve(h, &other, &b);
      CHECK_NEAR(compare_apart(h, &b, &a, true), 0, 1e-12);
    }
    CHECK_INT(e->assumptions, 0);
    mech_equations_free(e);
  }
  mech_equations_free(lagrange);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(a_quasi_velocity_fixed_by_the_constraints_is_not_used)
{
  hand* h = skater();
  hand_quasi(h, "bad", "2*eta'*cos(theta) - 2*xi'*sin(theta)");
  hand_quasi(h, "v", "xi'*cos(theta) + eta'*sin(theta)");
  hand_quasi(h, "w", "theta'");
  hand_quasi(h, "more", "theta' + xi'");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* e = mech_form_find("lagrange:pseudo")->derive(s, NULL, notes);
  CHECK_INT(base_notes_count(notes), 2);
  CHECK_INT(base_notes_level(notes, 0), BASE_WARNING);
  CHECK_INT(base_notes_level(notes, 1), BASE_INFO);
  CHECK_TEXT(e->equation[0].label, "v");
  CHECK_TEXT(e->equation[1].label, "w");
  CHECK_TEXT(e->equation[2].label, "blade");
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

// what a form cannot take it refuses, also when nobody asked before
TEST(forms_for_linear_constraints_refuse_others_with_the_reason)
{
  hand* h = hand_new("x y z", "m=1 g=9.81 a=0.5");
  hand_energies(h, "m/2*(x'^2 + y'^2)", "-m*g*z");
  hand_constraint(h, "cone", "z'^2 - a^2*(x'^2 + y'^2)");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  static const char* const forms[] = {"hamel", "voronets", "chaplygin",
                                      "kane",  "hamilton", "udwadia"};
  for (int f = 0; f < 6; f++) {
    CHECK(mech_form_find(forms[f])->unsuited(s, s->arena) != NULL);
    CHECK(mech_form_find(forms[f])->derive(s, NULL, notes) == NULL);
    CHECK_INT(base_notes_errors(notes), f + 1);
  }
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(forms_are_found_by_name_and_alias)
{
  CHECK(mech_form_find("lagrange") == mech_form_find("lagrange:multipliers"));
  CHECK(mech_form_find("maggi") == mech_form_find("lagrange:pseudo"));
  CHECK(mech_form_find("maggi") != mech_form_find("lagrange"));
  static const char* const bases[] = {"lagrange", "appell", "nielsen", "tzenov"};
  static const char* const closures[] = {"multipliers", "independent", "pseudo"};
  for (int b = 0; b < 4; b++)
    for (int c = 0; c < 3; c++) {
      char name[64];
      snprintf(name, sizeof name, "%s:%s", bases[b], closures[c]);
      CHECK(mech_form_find(name) != NULL);
    }
  CHECK(mech_form_find("appell:substituted") != NULL);
  CHECK(mech_form_find("nielsen:substituted") == NULL);
  CHECK(mech_form_find("lagrange:") == NULL);
  CHECK(mech_form_find("") == NULL);
}

TEST(a_number_common_to_both_sides_of_a_constraint_is_divided_out)
{
  hand* h = hand_new("x y z", "m=1");
  hand_energies(h, "m/2*(x'^2 + y'^2 + z'^2)", "0");
  hand_constraint(h, "bar", "(x - y)^2 + z^2 - 1");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* e = mech_form_find("lagrange")->derive(s, NULL, notes);
  const mech_equation* bar = &e->equation[3];
  CHECK_TEXT(hand_print(h, bar->left), "z*z'' + (x'' - y'')*(x - y)");
  CHECK_TEXT(hand_print(h, bar->right), "-z'^2 - (x' - y')^2");
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}
