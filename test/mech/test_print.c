// The equations as a textbook would print them.
#include "mech/compare.h"

static void add(const hand* h, base_text* t, const char* kind, const mech_equation* e, int n)
{
  for (int i = 0; i < n; i++)
    base_text_printf(t, "%s %s: %s = %s\n", kind, e[i].label, hand_print(h, e[i].left),
                     hand_print(h, e[i].right));
}

// all that a form has to say
static void expect(hand* h, const char* form, const char* want)
{
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* e = mech_form_find(form)->derive(s, NULL, notes);
  base_text t = {0};
  add(h, &t, "where", e->definition, e->definitions);
  add(h, &t, "along", e->equation, e->count);
  add(h, &t, "reaction", e->reaction, e->reactions);
  for (int i = 0; i < e->assumptions; i++)
    base_text_printf(&t, "not zero: %s\n", hand_print(h, e->assumption[i]));
  CHECK_TEXT(t.at, want);
  base_text_free(&t);
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
}

static hand* skater(void)
{
  hand* h = hand_new("xi theta eta", "m=7 l=1 k1=0.6 L5=1");
  hand_energies(h, "m*(xi'^2 + eta'^2 + l^2*theta'^2)", "0");
  hand_force(h, "xi", "-k1*xi'");
  hand_force(h, "eta", "-k1*eta'");
  hand_force(h, "theta", "L5");
  hand_constraint(h, "blade", "eta'*cos(theta) - xi'*sin(theta)");
  return h;
}

TEST(lagranges_equations_of_the_skater_read_like_a_textbook)
{
  hand* h = skater();
  expect(h, "lagrange",
         "along xi: 2*m*xi'' = -k1*xi' - reaction(blade)*sin(theta)\n"
         "along theta: 2*l^2*m*theta'' = L5\n"
         "along eta: 2*m*eta'' = reaction(blade)*cos(theta) - k1*eta'\n"
         "along blade: eta''*cos(theta) - xi''*sin(theta) = "
         "theta'*(eta'*sin(theta) + xi'*cos(theta))\n");
  hand_free(h);
}

TEST(maggi_finds_the_speed_along_the_blade_by_itself)
{
  hand* h = skater();
  expect(h, "maggi",
         "where v: v = eta'*sin(theta) + xi'*cos(theta)\n"
         "where xi: xi' = v*cos(theta)\n"
         "where eta: eta' = v*sin(theta)\n"
         "along v: 2*m*(eta''*sin(theta) + xi''*cos(theta)) = "
         "-k1*(eta'*sin(theta) + xi'*cos(theta))\n"
         "along theta: 2*l^2*m*theta'' = L5\n"
         "along blade: eta''*cos(theta) - xi''*sin(theta) = "
         "theta'*(eta'*sin(theta) + xi'*cos(theta))\n"
         "reaction blade: reaction(blade) = "
         "(2*m*eta'' + k1*eta')*cos(theta) - (2*m*xi'' + k1*xi')*sin(theta)\n");
  hand_free(h);
}

TEST(appell_in_the_speed_along_the_blade_is_as_short_as_can_be)
{
  hand* h = skater();
  expect(h, "appell:pseudo",
         "where v: v = eta'*sin(theta) + xi'*cos(theta)\n"
         "where v: v' = (eta'' - theta'*xi')*sin(theta) + (xi'' + eta'*theta')*cos(theta)\n"
         "where xi: xi' = v*cos(theta)\n"
         "where eta: eta' = v*sin(theta)\n"
         "where xi: xi'' = v'*cos(theta) - v*theta'*sin(theta)\n"
         "where eta: eta'' = v*theta'*cos(theta) + v'*sin(theta)\n"
         "where S: S = m*(l^2*theta''^2 + v'^2)\n"
         "along v: 2*m*v' = -k1*v\n"
         "along theta: 2*l^2*m*theta'' = L5\n"
         "reaction blade: reaction(blade) = "
         "(2*m*eta'' + k1*eta')*cos(theta) - (2*m*xi'' + k1*xi')*sin(theta)\n");
  hand_free(h);
}

// the constraint is a quasi-velocity of its own, and its momentum meets the one symbol
TEST(hamel_shows_the_three_index_symbol_of_the_blade)
{
  hand* h = skater();
  expect(h, "hamel",
         "where v: v = eta'*sin(theta) + xi'*cos(theta)\n"
         "where blade: f_blade = eta'*cos(theta) - xi'*sin(theta)\n"
         "where xi: xi' = v*cos(theta) - f_blade*sin(theta)\n"
         "where eta: eta' = f_blade*cos(theta) + v*sin(theta)\n"
         "where T: T = m*(l^2*theta'^2 + f_blade^2 + v^2)\n"
         "where gamma: gamma_blade_v_theta = -1\n"
         "along v: 2*m*v' = -k1*v\n"
         "along theta: 2*l^2*m*theta'' = L5\n"
         "reaction blade: reaction(blade) = "
         "(2*m*eta'' + k1*eta')*cos(theta) - (2*m*xi'' + k1*xi')*sin(theta)\n");
  hand_free(h);
}

// Do Shan's own choice for the constant speed in the plane; where it fails is said
TEST(declared_pseudo_accelerations_are_used_and_their_singular_states_named)
{
  hand* h = hand_new("r phi", "m=1 k=1");
  hand_energies(h, "m/2*(r'^2 + r^2*phi'^2)", "-k*m/r");
  hand_constraint(h, "speed", "r'^2 + r^2*phi'^2 - 1");
  hand_quasi(h, "w1", "r''/r'");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  static const char* const forms[] = {"lagrange:pseudo", "appell:pseudo", "nielsen:pseudo",
                                      "tzenov:pseudo"};
  for (int f = 0; f < 4; f++) {
    mech_equations* e = mech_form_find(forms[f])->derive(s, NULL, notes);
    CHECK_TEXT(e->equation[0].label, "w1");
    bool radial = false, turning = false;
    for (int i = 0; i < e->assumptions; i++) {
      radial |= strcmp(hand_print(h, e->assumption[i]), "r'") == 0;
      turning |= strcmp(hand_print(h, e->assumption[i]), "phi'") == 0;
    }
    CHECK(radial);
    CHECK(turning);
    mech_equations_free(e);
  }
  mech_free(s);
  base_notes_free(notes);
  compare_forms(h, true, 1e-11);
  hand_free(h);
}

// the thesis' own choice, II(2.2): it works away from cos(theta) = 0, and says so
TEST(maggi_names_where_a_declared_choice_is_singular)
{
  hand* h = skater();
  hand_quasi(h, "v1", "xi'");
  hand_quasi(h, "v2", "theta'");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* e = mech_form_find("maggi")->derive(s, NULL, notes);
  CHECK_INT(e->assumptions, 1);
  CHECK_TEXT(hand_print(h, e->assumption[0]), "cos(theta)");
  mech_equations_free(e);
  // and the automatic choice is there for the states where it fails
  mech_choice choice = {.automatic = true};
  e = mech_form_find("maggi")->derive(s, &choice, notes);
  CHECK_INT(e->assumptions, 0);
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(a_name_already_taken_is_not_given_again)
{
  hand* h = hand_new("x y", "m=1 g=9.81 v=1 u=2");
  hand_energies(h, "m/2*(x'^2 + y'^2)", "m*g*y");
  hand_constraint(h, "rod", "x^2 + y^2 - v^2*u");
  base_notes* notes = base_notes_new();
  mech_system* s = mech_derive(&h->m, notes);
  mech_equations* e = mech_form_find("maggi")->derive(s, NULL, notes);
  CHECK_TEXT(e->equation[0].label, "w");
  mech_equations_free(e);
  mech_free(s);
  base_notes_free(notes);
  hand_free(h);
}

TEST(constraints_may_leave_no_freedom_or_be_more_than_the_coordinates)
{
  hand* h = hand_new("x y", "m=1");
  hand_energies(h, "m/2*(x'^2 + y'^2)", "0");
  hand_constraint(h, "one", "x*y - t");
  hand_constraint(h, "two", "x + y^2 - 1");
  compare_forms(h, true, 1e-10);
  hand_constraint(h, "three", "x' + 2*y*y'");
  compare_forms(h, false, 1e-10);
  hand_free(h);
}
