// The equations of rolling about the contact against Lagrange's with multipliers: pairs of surfaces
// on a base that moves, with a swinging and a driven mass on board; solved, and as they are
// printed.
#include "lang/lang.h"
#include "mech/compare.h"
#include "mech/consistent.h"

enum { STATES = 100, TRIALS = 3000 };

static const char before[] =
    "surface egg(u, v) = (0.7*cos(v)*cos(u), 0.5*cos(v)*sin(u), 0.6*sin(v) + 0.05*cos(v)^2)\n"
    "coord alpha\n"
    "body B mass 2 inertia (0.3, 0.4, 0.5, 0.02, 0.03, -0.01) at (0.05, 0.02, 0.1)\n"
    "particle bob mass 0.3 = (0.2*sin(alpha), 0.1, 0.2*cos(alpha)) in B\n"
    "particle slider mass 0.2 = (0.1*sin(4*t), 0, 0.1) in B\n"
    "gravity (0.3, 0, -9.81)\n"
    "force alpha = -0.2*alpha - 0.1*alpha'\n"
    "frame F = world at (0.1*sin(3*t), 0.2*t, 0.1*cos(t)) rotated z(0.5*t) y(0.2*sin(2*t)) "
    "x(t^2)\n";

// said in the coordinates of the body, not in the paper's
static const char others[] = "force (0.5, 0.2*t, -0.3) in world at bob\n"
                             "torque (0.1, 0, 0.2) in B on B\n";

static const char* const pairs[][2] = {
    {"sphere(0.6)", "plane"},
    {"ellipsoid(0.7, 0.5, 0.6)", "plane"},
    {"torus(0.5, 0.2)", "plane"},
    {"circle(0.5)", "plane"},
    {"paraboloid(0.5, 0.8)", "plane"},
    {"egg", "plane"},
    {"sphere(0.6)", "sphere(2) inside"},
    {"sphere(0.6)", "cylinder(2) inside"},
    {"sphere(0.1)", "cone(0.6) inside"},
    {"sphere(0.3)", "torus(2, 0.5)"},
    {"sphere(0.3)", "ellipsoid(2, 1.5, 1.8) inside"},
    {"ellipsoid(0.7, 0.5, 0.6)", "sphere(2)"},
    {"torus(0.5, 0.2)", "paraboloid(3, 4)"},
    {"plane", "sphere(1)"},
    {"circle(0.5)", "sphere(2)"},
    {"egg", "ellipsoid(3, 2.5, 2.8)"},
};

static model* build(const char* body, const char* base, bool more)
{
  char text[2000];
  snprintf(text, sizeof text, "%s%sroll B as %s on F as %s at c\n", before, more ? others : "",
           body, base);
  base_notes* notes = base_notes_new();
  base_arena* arena = base_arena_new();
  lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse("text", text, strlen(text), NULL, &limits, arena, notes);
  model* m = tree ? model_build(tree, 0, NULL, notes) : NULL;
  if (!m) check_fail(__FILE__, __LINE__, "%s on %s: %s", body, base, base_notes_text(notes, 0));
  base_arena_free(arena);
  base_notes_free(notes);
  return m;
}

static mech_equations* equations(mech_system* s, const char* name)
{
  base_notes* notes = base_notes_new();
  const mech_form* form = mech_form_find(name);
  mech_equations* e = form->derive(s, &(mech_choice){0}, notes);
  if (!e) check_fail(__FILE__, __LINE__, "%s: %s", name, base_notes_text(notes, 0));
  base_notes_free(notes);
  return e;
}

// is the contact a point, well away from conforming?
static bool touches(const hand* h, const hand_state* a)
{
  const model_contact* c = &h->m.contact[0];
  for (int k = 0; k < c->guards; k++)
    if (!(hand_get(h, a, c->guard[k].g) > 0.01)) return false;
  return true;
}

// that of Lagrange's multipliers along axis k of the contact
static double contact_force(const hand* h, const hand_state* a, int k)
{
  const model_contact* c = &h->m.contact[0];
  double force = 0;
  int at = 0;
  for (int i = 0; i < h->m.constraints; i++) {
    if (!h->m.constraint[i].contact) continue;
    for (int j = 0; j < 3; j++)
      force += hand_get(h, a, h->m.reaction[i]) * hand_get(h, a, c->along[at][j]) *
               hand_get(h, a, c->axis[k][j]);
    at++;
  }
  return force;
}

// The equations as printed, in the paper's variables: with the accelerations of Lagrange's
// equations in the state, do they hold? Returns the largest residual over the largest term.
static double printed_off(const hand* h, const mech_equations* f, const expr turn_rate[3],
                          const hand_state* a)
{
  static const char* const speeds[3] = {"c.sigma", "c.tau", "c.n"};
  static const char* const rates[3] = {"c.sigma'", "c.tau'", "c.n'"};
  const model_contact* c = &h->m.contact[0];
  expr_pool* p = h->m.pool;
  double size = 1, off = 0;
  hand_state at = *a;
  for (int k = 0; k < MODEL_CONTACT_COORDS; k++) {
    char name[40];
    snprintf(name, sizeof name, "%s'", c->coord[k]);
    hand_put(&at, expr_symbol(p, c->coord[k]), hand_get(h, a, c->value[k]));
    hand_put(&at, expr_symbol(p, name), hand_get(h, a, c->rate[k]));
  }
  for (int k = 0; k < 3; k++) {
    hand_put(&at, expr_symbol(p, speeds[k]), hand_get(h, a, c->speed[k]));
    hand_put(&at, expr_symbol(p, rates[k]), hand_get(h, a, turn_rate[k]));
  }
  for (int i = 0; i < f->definitions; i++) {
    const double value = hand_get(h, &at, f->definition[i].right);
    hand_put(&at, f->definition[i].left, value);
    size = fmax(size, fabs(value));
  }
  for (int i = 0; i < f->count; i++) {
    const double left = hand_get(h, &at, f->equation[i].left);
    const double right = hand_get(h, &at, f->equation[i].right);
    size = fmax(size, fmax(fabs(left), fabs(right)));
    if (!(fabs(left - right) <= off)) off = fabs(left - right);
  }
  for (int k = 0; k < f->forces; k++) {
    const double force = hand_get(h, &at, f->force[k].right), wanted = contact_force(h, a, k);
    size = fmax(size, fabs(wanted));
    if (!(fabs(force - wanted) <= off)) off = fabs(force - wanted);
  }
  return off / size;
}

// accelerations and contact forces of both at random states; returns at how many
static int compare_pair(hand* h, mech_system* s, const char* what)
{
  mech_equations *e = equations(s, "lagrange"), *f = equations(s, "bychkov");
  int good = 0;
  if (e && f) {
    compare_system lagrange = compare_make(h, e), bychkov = compare_make(h, f);
    uint64_t seed = 11;
    expr turn_rate[3];
    for (int k = 0; k < 3; k++) turn_rate[k] = expr_total(h->m.pool, h->m.contact[0].speed[k]);
    for (int trial = 0; trial < TRIALS && good < STATES; trial++) {
      hand_state a;
      if (!consistent_throw(h, s, &seed, &a)) continue;
      if (!touches(h, &a)) continue;
      hand_state b = a;
      compare_solve(h, &lagrange, &a);
      // near the pole of a chart or a conforming contact no form has the digits
      if (!(compare_rounding(h, &lagrange, &a, true) < 1e-12)) continue;
      if (!(compare_rounding(h, &bychkov, &a, true) < 1e-12)) continue;
      if (h->m.contact[0].equations && good % 4 == 0) {
        const double off = printed_off(h, f, turn_rate, &a);
        if (!(off <= 1e-10)) check_fail(__FILE__, __LINE__, "%s: printed, off by %g", what, off);
      }
      compare_solve(h, &bychkov, &b);
      const double off = compare_apart(h, &b, &a, true);
      if (!(off <= 1e-10)) check_fail(__FILE__, __LINE__, "%s: off by %g", what, off);
      good++;
    }
  }
  mech_equations_free(e);
  mech_equations_free(f);
  return good;
}

TEST(bychkov_equals_lagrange_on_sixteen_pairs_of_surfaces_with_a_moving_base)
{
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char what[100];
    snprintf(what, sizeof what, "%s on %s", pairs[i][0], pairs[i][1]);
    model* m = build(pairs[i][0], pairs[i][1], i % 2);
    if (!m) continue;
    hand* h = base_alloc(sizeof *h);
    h->m = *m;
    base_notes* notes = base_notes_new();
    mech_system* s = mech_derive(&h->m, notes);
    CHECK(s != NULL);
    const int good = s ? compare_pair(h, s, what) : 0;
    if (good < STATES) check_fail(__FILE__, __LINE__, "%s: only %d states", what, good);
    mech_free(s);
    base_notes_free(notes);
    free(h);
    model_free(m);
  }
}
