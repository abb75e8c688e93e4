// Pages of equations with numbers put in: whatever form, what is printed holds for the motion.
#include "check.h"
#include "lang/lang.h"
#include "out/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sheet
{
  base_arena* arena;
  base_notes* notes;
  model* m;
  mech_system* s;
  study_point* at;
} sheet;

static sheet sheet_new(const char* text)
{
  sheet x = {.arena = base_arena_new(), .notes = base_notes_new()};
  const lang_limits limits = lang_limits_default();
  const lang_tree* tree =
      lang_parse("test.zw", text, strlen(text), NULL, &limits, x.arena, x.notes);
  x.m = tree && !base_notes_errors(x.notes) ? model_build(tree, 0, NULL, x.notes) : NULL;
  x.s = x.m ? mech_derive(x.m, x.notes) : NULL;
  x.at = x.s ? study_point_solve(x.s, NULL, 0, NULL, x.notes) : NULL;
  CHECK(x.at != NULL);
  return x;
}

static void sheet_free(sheet* x)
{
  study_point_free(x->at);
  mech_free(x->s);
  model_free(x->m);
  base_notes_free(x->notes);
  base_arena_free(x->arena);
}

// symbols with their numbers, those that a page defines after those of the state
typedef struct known
{
  int count;
  expr* symbol;
  double* value;
} known;

static bool knows(const known* k, expr e)
{
  for (int i = 0; i < k->count; i++)
    if (k->symbol[i] == e) return true;
  return false;
}

static double value_of(const sheet* x, const known* k, expr e)
{
  return expr_value(x->s->pool, e, k->count, k->symbol, k->value);
}

static void tell(known* k, expr symbol, double value)
{
  k->symbol[k->count] = symbol;
  k->value[k->count++] = value;
}

// what is defined by what is known, until nothing more is found
static void read_lines(const sheet* x, const mech_equations* page, known* k)
{
  for (int found = 1; found;) {
    found = 0;
    for (int i = 0; i < page->definitions; i++) {
      const mech_equation* d = &page->definition[i];
      if (expr_kind_of(x->s->pool, d->left) != EXPR_SYMBOL || knows(k, d->left)) continue;
      const double value = value_of(x, k, d->right);
      if (isfinite(value)) tell(k, d->left, value), found++;
    }
  }
}

// the rates of speeds that are functions of the state: nobody defines those
static void read_rates(const sheet* x, const mech_equations* page, int state, known* k)
{
  expr_pool* p = x->s->pool;
  const known of_state = {state, k->symbol, k->value};
  for (int i = 0; i < page->definitions; i++) {
    const mech_equation* d = &page->definition[i];
    if (expr_kind_of(p, d->left) != EXPR_SYMBOL) continue;
    const expr rate = expr_symbol(p, base_arena_printf(x->arena, "%s'", expr_name(p, d->left)));
    const double value = value_of(x, &of_state, expr_total(p, d->right));
    if (!knows(k, rate) && isfinite(value_of(x, &of_state, d->right)) && isfinite(value))
      tell(k, rate, value);
  }
}

// the page names parts of what the form itself says whole
static known read_definitions(const sheet* x, const mech_equations* e, const mech_equations* page)
{
  known k;
  expr* symbol;
  double* value;
  const int state = k.count = study_point_symbols(x->s, x->at, x->arena, &symbol, &value);
  const size_t room = (size_t)(k.count + page->definitions + e->definitions + 1);
  k.symbol = base_arena_take(x->arena, sizeof(expr) * room);
  k.value = base_arena_take(x->arena, sizeof(double) * room);
  memcpy(k.symbol, symbol, sizeof(expr) * (size_t)k.count);
  memcpy(k.value, value, sizeof(double) * (size_t)k.count);
  read_lines(x, page, &k);
  read_rates(x, e, state, &k);
  read_lines(x, page, &k);
  return k;
}

// sum of the magnitudes of the terms
static double size_of(const sheet* x, const known* k, expr e)
{
  const expr_pool* p = x->s->pool;
  if (expr_kind_of(p, e) != EXPR_SUM) return fabs(value_of(x, k, e));
  double sum = 0;
  for (int i = 0; i < expr_arg_count(p, e); i++) sum += size_of(x, k, expr_arg(p, e, i));
  return sum;
}

static void check_lines(const sheet* x, const known* k, const char* form, int n,
                        const mech_equation* line)
{
  for (int i = 0; i < n; i++) {
    if (line[i].sense) continue;
    const double left = value_of(x, k, line[i].left), right = value_of(x, k, line[i].right);
    const double size = 1 + size_of(x, k, line[i].left) + size_of(x, k, line[i].right);
    if (!(fabs(left - right) <= 1e-11 * size))
      check_fail(__FILE__, __LINE__, "%s, line %s: %.17g = %.17g", form, line[i].label, left,
                 right);
  }
}

// every form that suits; returns how many
static int check_forms(sheet* x)
{
  int suited = 0;
  for (int f = 0; x->at && f < mech_form_count(); f++) {
    const mech_form* form = mech_form_at(f);
    if (mech_form_unsuited(form, x->s, x->arena)) continue;
    mech_equations* e = mech_equations_of(form, x->s, NULL, x->notes);
    CHECK(e != NULL);
    if (!e) continue;
    const mech_equations page = out_equations_page(x->s, e, x->arena);
    const known k = read_definitions(x, e, &page);
    check_lines(x, &k, form->name, page.count, page.equation);
    check_lines(x, &k, form->name, page.reactions, page.reaction);
    suited++;
    mech_equations_free(e);
  }
  return suited;
}

static void expect_pages(const char* text, int least)
{
  sheet x = sheet_new(text);
  CHECK(check_forms(&x) >= least);
  sheet_free(&x);
}

#define TOP                                              \
  "param A = 1, B = 2, C = 3, P = 5, m = 1.7, h = 0.4\n" \
  "frame b = world rotated "

TEST(every_page_of_a_spinning_body_holds)
{
  expect_pages("orientation Q\n" TOP "by Q\nbody K mass m inertia (A, B, C) at (0, h, 0.1) in b\n"
               "gravity (0, 0, -9.81)\ntorque (0.1, 0.2*t, 0) in b on K\n"
               "initial rotation(b) = x(0.3) y(0.4)\ninitial omega(b, b) = (1, -2, 0.5)\n",
               18);
}

TEST(every_page_in_declared_angular_velocities_holds)
{
  expect_pages("coord psi, theta, phi\n" TOP
               "z(psi) x(theta) z(phi)\nbody K mass m inertia (A, B, C) at (0, h, 0) in b\n"
               "potential P*cos(theta)\nquasi p = omega(b, b).x\nquasi q = omega(b, b).y\n"
               "quasi r = omega(b, b).z\ninitial theta = 0.5\ninitial phi = 0.3\n"
               "initial p = 0.7\ninitial q = -0.4\ninitial r = 10\n",
               19);
}

// speeds that hold time and places beside velocities
TEST(every_page_in_speeds_against_a_moving_frame_holds)
{
  expect_pages(
      "param m = 2, w = 0.7\ncoord x, y, s\nkinetic m/2*(x'^2 + y'^2 + s'^2) + 0.3*x'*s'\n"
      "potential x*y + s^2\nforce s = -0.2*s'\n"
      "quasi u = x'*cos(w*t) + y'*sin(w*t) - w*y\nquasi v = y'*cos(w*t) - x'*sin(w*t) + t*x\n"
      "constraint c: x' + 2*y' + 3*s' = sin(t)\n"
      "initial x = 0.3\ninitial y = -0.2\ninitial s = 0.1\ninitial x' = 1\n",
      17);
}

TEST(every_page_of_two_bodies_at_a_joint_holds)
{
  expect_pages(
      "param m = 1.3\nbody one mass m inertia (1, 2, 3)\nbody two mass 2 inertia (2, 1, 1.5)\n"
      "point p = (0.5, 0, 0.1) in one\npoint r = (0, -0.3, 0) in two\ngravity (0, 0, -9.81)\n"
      "constraint j: pos(p) = pos(r)\n"
      "initial rotation(one) = z(0.3)\ninitial rotation(two) = x(0.2) y(0.1)\n"
      "initial pos(one) = (0, 0, 0)\ninitial omega(one) = (0.3, -0.5, 1)\n"
      "initial omega(two) = (1, 0.2, 0.4)\ninitial vel(one) = (0.1, 0.2, 0.3)\n",
      12);
}

// a quaternion has no reaction and no rate of its own on the page
TEST(norms_of_quaternions_are_not_printed)
{
  sheet x =
      sheet_new("orientation Q\n" TOP "by Q\nbody K mass m inertia (A, B, C) at (0, h, 0) in b\n"
                "gravity (0, 0, -9.81)\ninitial omega(b, b) = (1, -2, 0.5)\n");
  static const char* const forms[] = {"maggi", "hamel",   "kane",          "appell", "lagrange",
                                      "gauss", "nielsen", "tzenov:pseudo", "udwadia"};
  for (size_t i = 0; x.at && i < sizeof forms / sizeof *forms; i++) {
    base_text text = {0};
    mech_equations* e = mech_equations_of(mech_form_find(forms[i]), x.s, NULL, x.notes);
    CHECK(e && e->reactions == 0 && e->assumptions == 0);
    if (e) out_equations(x.s, e, OUT_TEXT, &text);
    CHECK(e && !strstr(text.at, "norm") && !strstr(text.at, "Q.w''") &&
          !strstr(text.at, "Q.w^2 + "));
    CHECK(e && strstr(text.at, "Equations\n  Q.wx  "));
    mech_equations_free(e);
    base_text_free(&text);
  }
  sheet_free(&x);
}

// The speed of a car with a trailer is measured on its axle: it divides by nothing
TEST(chosen_speeds_are_defined_and_have_their_natural_size)
{
  static const char car[] =
      "param m = 3, J = 0.6, a = 0.5, d = 0.8, m2 = 1, J2 = 0.2\ncoord x, y, th, ph\n"
      "let st = 0.4*sin(2*t)\nframe C = world at (x, y, 0) rotated z(th)\n"
      "body car mass m inertia (J, J, J) at (a, 0, 0) in C\n"
      "frame T = world at (x, y, 0) rotated z(ph)\nbody tr mass m2 inertia (J2, J2, J2) at (-d, 0, "
      "0) in T\n"
      "point ax = (-d, 0, 0) in T\nconstraint rear: vel(C, C).y = 0\n"
      "constraint steer: th' = vel(C, C).x*st/a\nconstraint axle: vel(ax, T).y = 0\n"
      "force (1 - 0.3*vel(C, C).x, 0, 0) in C at C\ninitial vel(C, C).x = 1\ninitial ph = 0.2\n";
  sheet x = sheet_new(car);
  CHECK(check_forms(&x) >= 14);
  mech_equations* e = mech_equations_of(mech_form_find("maggi"), x.s, NULL, x.notes);
  base_text text = {0};
  CHECK(e && e->assumptions == 0);
  if (e) out_equations(x.s, e, OUT_TEXT, &text);
  CHECK(e && strstr(text.at, "  v = x'*cos(th) + y'*sin(th)\n  x' = v*cos(th)\n"));
  CHECK(e && strstr(text.at, "  ph' = v*sin(th - ph)/d\n"));
  mech_equations_free(e);
  base_text_free(&text);
  sheet_free(&x);
}

// what was left out is told on the page, too
TEST(pages_tell_what_a_form_leaves_out)
{
  sheet x = sheet_new("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint one: x + y = 0\n"
                      "constraint twin: 2*x + 2*y = 0\nquasi v = x' - y'\nquasi w = x' - 2*y'\n");
  mech_equations* e = mech_equations_of(mech_form_find("maggi"), x.s, NULL, x.notes);
  CHECK(e != NULL);
  static const out_style styles[] = {OUT_TEXT, OUT_LATEX, OUT_JSON};
  for (int i = 0; e && i < 3; i++) {
    base_text text = {0};
    out_equations(x.s, e, styles[i], &text);
    CHECK(strstr(text.at, "depends on the others: its reaction is taken as zero here"));
    CHECK(strstr(text.at, "is not used by this form: the first 1 are enough"));
    base_text_free(&text);
  }
  mech_equations_free(e);
  sheet_free(&x);
}
