// Symmetries, integrals and measures against what theory says of classical systems.
#include "geom/geom.h"
#include "lang/lang.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

typedef struct row
{
  const char *name, *text;
  int k, m, l; // linear integrals, quadratic ones, those among them that are no products
  expr_truth measure;
} row;

#define PLANE  "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
#define SPHERE "coord a, b\nkinetic (a'^2 + sin(a)^2*b'^2)/2\n"
#define SPACE  "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
#define BODY                                                                              \
  "coord th, ps, ph\nlet w1 = ps'*sin(th)*sin(ph) + th'*cos(ph)\nlet w3 = ps'*cos(th) + " \
  "ph'\nlet w2 = ps'*sin(th)*cos(ph) - th'*sin(ph)\n"
#define BLADE "constraint b: x'*sin(f) - y'*cos(f) = 0\n"

static const row rows[] = {
    {"free in the plane", PLANE, 3, 6, 0, EXPR_YES},
    {"Kepler", PLANE "potential -1/sqrt(x^2 + y^2)\n", 1, 4, 3, EXPR_YES},
    {"isotropic oscillator", PLANE "potential (x^2 + y^2)/2\n", 1, 4, 3, EXPR_YES},
    {"oscillator 2:1", PLANE "potential (4*x^2 + y^2)/2\n", 0, 3, 3, EXPR_YES},
    {"oscillator", PLANE "potential (2*x^2 + y^2)/2\n", 0, 2, 2, EXPR_YES},
    {"Henon-Heiles", PLANE "potential (x^2 + y^2)/2 + x^2*y - y^3/3\n", 0, 1, 1, EXPR_YES},
    {"the same that separates", PLANE "potential (x^2 + y^2)/2 + x^2*y + y^3/3\n", 0, 2, 2,
     EXPR_YES},
    {"two centres", PLANE "potential -1/sqrt((x - 1)^2 + y^2) - 0.7/sqrt((x + 1)^2 + y^2)\n", 0, 2,
     2, EXPR_YES},
    {"free on the sphere", SPHERE, 3, 6, 0, EXPR_YES},
    {"spherical pendulum", SPHERE "potential 9.81*cos(a)\n", 1, 2, 1, EXPR_YES},
    {"Neumann",
     SPACE "potential (x^2 + 2*y^2 + 3.5*z^2)/2\nconstraint s: x^2 + y^2 + z^2 = 1.3125\n", 0, 2, 2,
     EXPR_YES},
    {"geodesics of the ellipsoid", SPACE "constraint s: x^2 + y^2/1.69 + z^2/0.64 = 1.6\n", 0, 2, 2,
     EXPR_YES},
    {"double pendulum",
     "coord a, b\nkinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\n"
     "potential -9.81*(2*cos(a) + cos(b))\n",
     0, 1, 1, EXPR_YES},
    {"Lagrange's top",
     "coord th, ps, ph\nkinetic 0.25*(th'^2 + sin(th)^2*ps'^2) + 0.15*(ph' + cos(th)*ps')^2\n"
     "potential 2*cos(th)\n",
     2, 4, 1, EXPR_YES},
    {"asymmetric body", BODY "kinetic (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2\n", 3, 7, 1, EXPR_YES},
    {"symmetric body", BODY "kinetic (w1^2 + w2^2 + 2.3*w3^2)/2\n", 4, 10, 0, EXPR_YES},
    {"spherical body", BODY "kinetic (w1^2 + w2^2 + w3^2)/2\n", 6, 20, 0, EXPR_YES},
    {"heavy asymmetric body", BODY "kinetic (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2\npotential 2*cos(th)\n",
     1, 2, 1, EXPR_YES},
    {"sleigh with its mass above the blade",
     "coord x, y, f\nkinetic (x'^2 + y'^2)/2 + 0.15*f'^2\n" BLADE, 5, 14, 0, EXPR_YES},
    {"Chaplygin's sleigh",
     "coord x, y, f\nkinetic ((x' - 0.4*sin(f)*f')^2 + (y' + 0.4*cos(f)*f')^2)/2 + "
     "0.15*f'^2\n" BLADE,
     2, 3, 0, EXPR_NO},
    {"Suslov",
     BODY "kinetic (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2 + 0.3*w1*w3 + 0.2*w2*w3\nconstraint c: w3 = 0\n",
     0, 1, 1, EXPR_NO},
    {"rolling disc",
     "coord x, y, ps, th, ph\nkinetic (x'^2 + y'^2 + (cos(th)*th')^2)/2 + 0.125*(th'^2 + "
     "(sin(th)*ps')^2) + 0.25*(ph' + ps'*cos(th))^2\npotential sin(th)\n"
     "constraint a: x'*cos(ps) + y'*sin(ps) + ph' + ps'*cos(th) = 0\n"
     "constraint b: -x'*sin(ps) + y'*cos(ps) - th'*sin(th) = 0\n",
     2, 4, 1, EXPR_YES},
    // e/m B = 0.8: (x' - 0.8 y), (y' + 0.8 x) and the angular momentum with it
    {"charge in a uniform field", PLANE "force x = 0.8*y'\nforce y = -0.8*x'\n", 3, 6, 0, EXPR_YES},
    {"damped oscillator", PLANE "potential (x^2 + y^2)/2\nforce x = -0.1*x'\nforce y = -0.1*y'\n",
     0, 0, 0, EXPR_NO},
};

typedef struct subject
{
  base_notes* notes;
  base_arena* arena;
  model* model;
  mech_system* system;
  geom_structure* r;
} subject;

// every coordinate at its place of `start`, params as they are
static subject look(const char* text, double scale)
{
  static const double start[] = {0.5, 0.7, 0.9, 1.1, 0.3};
  subject s = {.notes = base_notes_new(), .arena = base_arena_new()};
  const lang_limits limits = lang_limits_default();
  const lang_tree* tree =
      lang_parse("test.zw", text, strlen(text), NULL, &limits, s.arena, s.notes);
  s.model = tree ? model_build(tree, 0, NULL, s.notes) : NULL;
  s.system = s.model ? mech_derive(s.model, s.notes) : NULL;
  if (!s.system) {
    check_fail(__FILE__, __LINE__, "%s", base_notes_reason(s.notes, 0));
    return s;
  }
  expr symbol[64];
  double value[64] = {0};
  int n = 0;
  symbol[n++] = s.model->t;
  for (int i = 0; i < s.model->coords; i++) {
    value[n] = scale * start[i];
    symbol[n++] = s.model->coord[i].q;
    symbol[n++] = s.model->coord[i].v;
  }
  for (int i = 0; i < s.model->params; i++) {
    value[n] = s.model->param[i].number;
    symbol[n++] = s.model->param[i].symbol;
  }
  s.r = geom_structure_find(s.system, n, symbol, value);
  return s;
}

static void done(subject* s)
{
  geom_structure_free(s->r);
  mech_free(s->system);
  model_free(s->model);
  base_arena_free(s->arena);
  base_notes_free(s->notes);
}

static void compare(const char* name, const char* what, int got, int want)
{
  if (got != want) check_fail(__FILE__, __LINE__, "%s: %s %d, want %d", name, what, got, want);
}

TEST(classical_systems_have_the_integrals_that_theory_says)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const row* x = &rows[i];
    subject s = look(x->text, 1);
    if (s.r && s.r->unsuited) check_fail(__FILE__, __LINE__, "%s: %s", x->name, s.r->unsuited);
    if (s.r && !s.r->unsuited) {
      compare(x->name, "linear integrals", s.r->linear.dimension, x->k);
      compare(x->name, "quadratic integrals", s.r->quadratic.dimension, x->m);
      compare(x->name, "beyond products", s.r->quadratic.dimension - s.r->products, x->l);
      compare(x->name, "measure", s.r->measure, x->measure);
      // Noether: where nothing is held and forces have a potential, each gives a linear integral
      if (!strstr(x->text, "constraint") && !strstr(x->text, "force"))
        compare(x->name, "symmetries", s.r->symmetries.dimension, x->k);
      compare(x->name, "certain", s.r->linear.sure && s.r->quadratic.sure, true);
      // functions that the library does not hold: cos(s f) with any s, Legendre's
      const bool open = strstr(x->name, "Chaplygin") || strstr(x->name, "disc");
      compare(x->name, "formulas of linear ones", s.r->closed_linear, open ? 0 : x->k);
      compare(x->name, "formulas of others", s.r->closed_quadratic, x->l);
      for (int k = 0; k < s.r->closed_linear; k++) CHECK(s.r->linear_of[k].rate < 1e-9);
      for (int k = 0; k < s.r->closed_quadratic; k++) CHECK(s.r->quadratic_of[k].rate < 1e-9);
    }
    done(&s);
  }
}

TEST(units_do_not_change_what_is_kept)
{
  // Kepler's problem with lengths of 1e8, masses of 1e-3, times of 1e4
  subject s =
      look("coord x, y\nkinetic 1e-3*(x'^2 + y'^2)/2\npotential -1e13/sqrt(x^2 + y^2)\n", 1e8);
  if (s.r) {
    CHECK_INT(s.r->linear.dimension, 1);
    CHECK_INT(s.r->quadratic.dimension, 4);
    CHECK(s.r->quadratic.sure);
  }
  done(&s);
}

// Of a free motion in n dimensions n (n + 1)/2 linear integrals and n (n + 1)^2 (n + 2)/12
// quadratic ones are known: 825 for nine, whose equations take longer than it is worth. No number
// is said then, where a bound from a few degrees would be below the truth.
TEST(what_takes_too_long_to_count_is_not_known)
{
  subject s = look("coord x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]\nkinetic (x[0]'^2 + "
                   "x[1]'^2 + x[2]'^2 + x[3]'^2 + x[4]'^2 + x[5]'^2 + "
                   "x[6]'^2 + x[7]'^2 + x[8]'^2)/2\n",
                   1);
  if (s.r) {
    CHECK(s.r->linear.sure && s.r->linear.dimension == 45);
    CHECK(!s.r->quadratic.sure && s.r->quadratic.dimension == -1);
  }
  CHECK(s.r);
  done(&s);
}

TEST(what_has_no_such_integrals_is_refused_with_the_reason)
{
  static const char* const texts[][2] = {{"coord x\nkinetic x'^2/2\npotential cos(t)*x\n", "time"},
                                         {"coord x, y\nkinetic (x'^2 - y'^2)/2\n", "not positive"},
                                         {PLANE "force x = -x'*abs(x')\n", "not linear"},
                                         {PLANE "constraint c: x'^2 + y'^2 = 1\n", "not linear"},
                                         {PLANE "constraint c: x' - y = 1\n", "moves by itself"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    subject s = look(texts[i][0], 1);
    if (s.r && (!s.r->unsuited || !strstr(s.r->unsuited, texts[i][1])))
      check_fail(__FILE__, __LINE__, "%s: %s", texts[i][0], s.r->unsuited ? s.r->unsuited : "-");
    done(&s);
  }
}

static void check_text(const subject* s, expr e, const char* want)
{
  base_text text = {0};
  expr_print(s->model->pool, &text, e);
  CHECK_TEXT(text.at, want);
  base_text_free(&text);
}

TEST(integrals_are_written_as_in_books)
{
  subject s = look(PLANE "potential -1/sqrt(x^2 + y^2)\n", 1);
  if (s.r && s.r->closed_linear == 1 && s.r->closed_quadratic == 3) {
    check_text(&s, s.r->linear_of[0].value, "x*y' - y*x'");
    check_text(&s, s.r->linear_of[0].field[0], "-y");
    check_text(&s, s.r->quadratic_of[1].value, "x'*(x*y' - y*x') + y/sqrt(x^2 + y^2)");
    check_text(&s, s.r->quadratic_of[2].value, "y'*(x*y' - y*x') - x/sqrt(x^2 + y^2)");
  } else {
    check_fail(__FILE__, __LINE__, "formulas are missing");
  }
  done(&s);
}

// p_x' = reaction sin f: the momentum of a symmetry that is not admissible is not kept
TEST(symmetries_of_the_sleigh_have_their_momentum_equations)
{
  subject s = look("coord x, y, f\nkinetic (x'^2 + y'^2)/2 + 0.15*f'^2\n" BLADE, 1);
  CHECK_INT(s.r->closed_symmetries, 3);
  if (s.r->closed_symmetries == 3) {
    check_text(&s, s.r->symmetry[0].field[0], "1");
    check_text(&s, s.r->symmetry[0].value, "x'");
    check_text(&s, s.r->symmetry[0].lost, "reaction(b)*sin(f)");
    check_text(&s, s.r->symmetry[2].field[0], "-y");
    check_text(&s, s.r->symmetry[2].field[2], "1");
  }
  done(&s);
}

// -m k stands in it as a number: it is said that it holds for these params
TEST(formulas_that_hold_for_these_params_only_are_told)
{
  subject s = look("param m = 2, k = 3\ncoord r, phi\nkinetic m*(r'^2 + r^2*phi'^2)/2\npotential "
                   "-k/r\n",
                   1);
  CHECK_INT(s.r->closed_quadratic, 3);
  if (s.r->closed_quadratic == 3) {
    CHECK(!s.r->linear_of[0].fitted && !s.r->quadratic_of[0].fitted);
    CHECK(s.r->quadratic_of[1].fitted && s.r->quadratic_of[2].fitted);
  }
  done(&s);
}

// In (th', w2, n) the density of the disc is sin th, so that in psi', th', phi' it is sin(th)^2,
// which is det S but for a number. That of the sleigh is 1 in (v, f'), and y' = v sin f.
TEST(densities_of_invariant_measures_are_found)
{
  static const struct
  {
    const char *name, *text, *density;
    double power;
    bool multiplier;
  } of[] = {
      {"disc",
       "coord x, y, ps, th, ph\nkinetic (x'^2 + y'^2 + (cos(th)*th')^2)/2 + 0.125*(th'^2 + "
       "(sin(th)*ps')^2) + 0.25*(ph' + ps'*cos(th))^2\npotential sin(th)\n"
       "constraint a: x'*cos(ps) + y'*sin(ps) + ph' + ps'*cos(th) = 0\n"
       "constraint b: -x'*sin(ps) + y'*cos(ps) - th'*sin(th) = 0\n",
       "1", 1, false},
      {"sleigh", "coord x, y, f\nkinetic (x'^2 + y'^2)/2 + 0.15*f'^2\n" BLADE, "1", 0.5, true},
      {"Suslov", BODY "kinetic (w1^2 + 1.7*w2^2 + 2.3*w3^2)/2\nconstraint c: w3 = 0\n", "sin(th)",
       0.5, true}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    subject s = look(of[i].text, 1);
    CHECK(s.r && s.r->density != EXPR_NONE);
    if (s.r && s.r->density != EXPR_NONE) {
      check_text(&s, s.r->density, of[i].density);
      CHECK_NEAR(s.r->power, of[i].power, 0);
      compare(of[i].name, "reducing multiplier", s.r->multiplier, of[i].multiplier);
    }
    done(&s);
  }
}
