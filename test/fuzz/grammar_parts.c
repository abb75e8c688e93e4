// Models of bodies, joints, springs and shapes that touch: what needs no coordinates written down.
#include "grammar.h"

enum { DEPTH = 2 }; // of values

// ---- places and directions ----------------------------------------------------------------------

static void put_body_name(fuzz_grammar* g)
{
  if (!g->bodies || fuzz_rarely(g->c, 5))
    fuzz_put(g, "world");
  else
    fuzz_put_name(g, "B", g->bodies);
}

static void put_place(fuzz_grammar* g)
{
  if (fuzz_rarely(g->c, 3))
    fuzz_put_vector(g, 1, FUZZ_CONSTANT);
  else
    fuzz_put_point(g);
}

static void put_direction(fuzz_grammar* g)
{
  static const char* const plain[] = {"z", "x", "-y", "y", "-x", "(1, 1, 0)", "(0, 0, 0)"};
  if (fuzz_rarely(g->c, 6))
    fuzz_put_vector(g, 1, FUZZ_CONSTANT);
  else
    fuzz_put(g, "%s", FUZZ_WORD(g->c, plain));
}

// a number as it stands in statements: with a unit, of a param, of a function
static void put_size(fuzz_grammar* g)
{
  static const char* const plain[] = {"0.5", "1", "p0", "0.2", "2", "(1 + p0)", "0"};
  static const char* const odd[] = {"30 [cm]", "2 [kg]",   "-1",     "3 [N/m]", "1e9",
                                    "f0(2)",   "45 [deg]", "1e-300", "t",       "p7"};
  if (g->wild && fuzz_rarely(g->c, 4))
    fuzz_put_value(g, DEPTH, FUZZ_ALL);
  else if (g->wild)
    fuzz_put(g, "%s", FUZZ_WORD(g->c, odd));
  else
    fuzz_put(g, "%s", FUZZ_WORD(g->c, plain));
}

// ---- joints -------------------------------------------------------------------------------------

static void put_mount(fuzz_grammar* g)
{
  put_body_name(g);
  if (fuzz_rarely(g->c, 3)) {
    fuzz_put(g, " at ");
    fuzz_put_vector(g, 1, FUZZ_CONSTANT);
  }
  if (fuzz_rarely(g->c, 3)) {
    fuzz_put(g, " axis ");
    put_direction(g);
  }
  if (fuzz_rarely(g->c, 6)) {
    fuzz_put(g, " normal ");
    put_direction(g);
  }
}

static void put_joint(fuzz_grammar* g)
{
  static const char* const kinds[] = {"hinge",     "slider",    "weld",   "screw", "cylindrical",
                                      "universal", "spherical", "planar", "free",  "distance"};
  const int kind = fuzz_pick(g->c, 10);
  fuzz_put(g, "joint J%d: %s ", g->joints++, kinds[kind]);
  put_mount(g);
  fuzz_put(g, " on ");
  put_mount(g);
  if (kind == 3 || (g->wild && fuzz_rarely(g->c, 8))) {
    fuzz_put(g, " pitch ");
    put_size(g);
  }
  if (kind == 9 || (g->wild && fuzz_rarely(g->c, 8))) {
    fuzz_put(g, " length ");
    put_size(g);
  }
  if (fuzz_rarely(g->c, 6)) fuzz_put(g, " as constraint");
}

static void put_couple(fuzz_grammar* g)
{
  static const char* const coords[] = {"angle", "s", "a", "b", "x", "w", "qw", "angle'", "wx"};
  fuzz_put(g, "couple K%d: ", g->constraints);
  fuzz_put_name(g, "J", g->joints ? g->joints : 1);
  fuzz_put(g, ".%s = 2*", FUZZ_WORD(g->c, coords));
  fuzz_put_name(g, "J", g->joints ? g->joints : 1);
  fuzz_put(g, ".%s", FUZZ_WORD(g->c, coords));
}

// ---- forces -------------------------------------------------------------------------------------

static void put_between(fuzz_grammar* g)
{
  fuzz_put(g, "from ");
  put_place(g);
  fuzz_put(g, " to ");
  put_place(g);
}

static void put_spring(fuzz_grammar* g)
{
  static const char* const more[] = {"length", "damping", "preload"};
  fuzz_put(g, "spring s%d: ", g->springs++);
  put_between(g);
  fuzz_put(g, " stiffness ");
  put_size(g);
  for (int n = fuzz_pick(g->c, 3); n > 0; n--) {
    fuzz_put(g, " %s ", FUZZ_WORD(g->c, more));
    put_size(g);
  }
}

static void put_pull(fuzz_grammar* g)
{
  static const char* const of[] = {"length", "rate", "force", "energy"};
  fuzz_put(g, "pull s%d: ", g->springs);
  put_between(g);
  fuzz_put(g, " = 1 - ");
  fuzz_put_name(g, "s", g->springs + 1);
  fuzz_put(g, ".%s + ", FUZZ_WORD(g->c, of));
  fuzz_put_value(g, DEPTH, FUZZ_STATE);
  g->springs++;
}

static void put_torsion(fuzz_grammar* g)
{
  static const char* const more[] = {"angle", "damping"};
  fuzz_put(g, "torsion s%d: on ", g->springs++);
  fuzz_put_name(g, "J", g->joints ? g->joints : 1);
  fuzz_put(g, " stiffness ");
  put_size(g);
  for (int n = fuzz_pick(g->c, 3); n > 0; n--) {
    fuzz_put(g, " %s ", FUZZ_WORD(g->c, more));
    put_size(g);
  }
}

static void put_rope(fuzz_grammar* g)
{
  fuzz_put(g, "rope C%d: ", g->constraints++);
  put_place(g);
  for (int n = 1 + fuzz_pick(g->c, 3); n > 0; n--) {
    fuzz_put(g, ", ");
    put_place(g);
  }
  fuzz_put(g, " length ");
  put_size(g);
  if (fuzz_rarely(g->c, 3)) fuzz_put(g, " with restitution 0.5");
}

// ---- shapes -------------------------------------------------------------------------------------

static void put_shape(fuzz_grammar* g)
{
  static const char* const shapes[] = {"sphere(0.5)",
                                       "plane",
                                       "box(1, 1, 1)",
                                       "capsule(0.1, 0.4)",
                                       "cylinder(0.5, 1)",
                                       "hull \"a.stl\"",
                                       "circle(0.5)",
                                       "box(1, 0.5)",
                                       "segment",
                                       "segment(2)",
                                       "segment (0, 0) (1, 0.2)",
                                       "polygon (0, 0) (1, 0) (0, 1)",
                                       "sphere(p0)",
                                       "box(p0, p0, 1)",
                                       "sphere(0)",
                                       "polygon (0, 0)",
                                       "capsule(-1, 1)",
                                       "polygon (0, 0) (1, 1) (2, 2)",
                                       "sphere(t)",
                                       "box(1)",
                                       "circle(1, 2)"};
  fuzz_put(g, "%s", FUZZ_WORD(g->c, shapes));
}

static void put_law(fuzz_grammar* g)
{
  static const char* const laws[] = {"friction 0.3",
                                     "restitution 0.5",
                                     "friction p0",
                                     "restitution 0.5 poisson",
                                     "restitution 0.8 energetic",
                                     "restitution 0.5 sequential",
                                     "friction 0.5 - 0.2*min(1, slip)",
                                     "friction 0.2, 0.4",
                                     "rolling friction 0.01",
                                     "friction t"};
  for (int n = fuzz_pick(g->c, 3); n > 0; n--) fuzz_put(g, " with %s", FUZZ_WORD(g->c, laws));
}

static void put_pair(fuzz_grammar* g)
{
  fuzz_put(g, "contact c%d: ", g->contacts++);
  put_body_name(g);
  fuzz_put(g, " as ");
  put_shape(g);
  fuzz_put(g, ", ");
  put_body_name(g);
  fuzz_put(g, " as ");
  put_shape(g);
  put_law(g);
}

static void put_pairs(fuzz_grammar* g)
{
  fuzz_put(g, "contacts c%d: among ", g->contacts++);
  for (int n = 1 + fuzz_pick(g->c, 3); n > 0; n--) {
    if (fuzz_rarely(g->c, 3))
      fuzz_put(g, "M[*]");
    else
      put_body_name(g);
    fuzz_put(g, " as ");
    put_shape(g);
    if (n > 1) fuzz_put(g, " and ");
  }
  put_law(g);
}

static void put_beyond(fuzz_grammar* g)
{
  static const char* const what[] = {"impact", "slip", "stop", "nothing"};
  fuzz_put(g, "beyond paradox: %s", FUZZ_WORD(g->c, what));
}

// ---- all of it ----------------------------------------------------------------------------------

static void put_function(fuzz_grammar* g)
{
  fuzz_put(g, "function f%d(a, b) = ", g->functions++);
  if (g->functions > 1 && fuzz_rarely(g->c, 3)) fuzz_put(g, "f%d(a, b) + ", g->functions - 2);
  if (g->wild && fuzz_rarely(g->c, 4)) fuzz_put(g, "f%d(a, b) + ", g->functions - 1);
  fuzz_put(g, "a*b + ");
  fuzz_put_value(g, DEPTH, FUZZ_STATE);
}

static void put_solid(fuzz_grammar* g)
{
  const int b = g->bodies++;
  switch (fuzz_pick(g->c, 7)) {
  case 0:
    fuzz_put(g, "rod B%d mass 1 from (0, 0, 0) to (1, 0, 0)", b);
    return;
  case 1:
    fuzz_put(g, "ball B%d mass 1 [kg] radius 0.5", b);
    return;
  case 2:
    fuzz_put(g, "body B%d mass 2 inertia (1, 2, 2.5) at (0.5, 0, 0)", b);
    return;
  case 3:
    fuzz_put(g, "disc B%d mass 1 radius 50 [cm]", b);
    return;
  case 4:
    fuzz_put(g, "plate B%d mass 1 corners (0, 0, 0) (1, 0, 0) (0, 1, 0)", b);
    return;
  case 5:
    fuzz_put(g, "for i in 1..3 { ball M[i] mass 1 radius 0.2 }\nball B%d mass 1 radius 0.1", b);
    return;
  default:
    fuzz_put(g, "particle B%d mass 1", b);
  }
}

static void put_result(fuzz_grammar* g)
{
  static const char* const of[] = {
      "gap(c0)",   "reaction(c0)", "friction(c0)", "slip(c0)",
      "state(c0)", "loss(c0)",     "reaction(J1)", "moment(J1)",
      "s0.length", "s0.force",     "s0.energy",    "J0.angle",
      "J0.s",      "J0.qw",        "J0.x",         "norm(reaction(J0))",
      "f0(1, 2)",  "reaction(C0)"};
  fuzz_put(g, "output o%d = %s", g->outputs++, FUZZ_WORD(g->c, of));
}

static void put_begin(fuzz_grammar* g)
{
  static const char* const what[] = {
      "pos(B0) = (0, 0, 1)", "vel(B0) = (0.3, 0, 0)", "omega(B0) = (0, 0, 1)",
      "J0.angle = 1",        "J0.angle' = 3 [rad/s]", "J0.s ~ 0.2",
      "J0.x = 10 [cm]",      "J1.angle ~ -0.7",       "J0.qw = 1",
      "J0.wx = 1",           "pos(B1) = (2, 0, 3)",   "J1.a = 0.2"};
  fuzz_put(g, "initial %s", FUZZ_WORD(g->c, what));
}

static void put_step(fuzz_grammar* g)
{
  static const char* const ways[] = {"method moreau", "method flights", "method dop853",
                                     "run 0 .. 0.1"};
  fuzz_put(g, "%s", FUZZ_WORD(g->c, ways));
}

bool fuzz_put_part(fuzz_grammar* g)
{
  static void (*const statements[])(fuzz_grammar*) = {
      put_joint,  put_spring, put_begin, put_joint, put_pull,   put_torsion, put_couple,
      put_rope,   put_pair,   put_pairs, put_solid, put_result, put_beyond,  put_function,
      put_result, put_begin,  put_pair,  put_step,  NULL,       NULL};
  void (*const put)(fuzz_grammar*) =
      statements[fuzz_pick(g->c, (int)(sizeof statements / sizeof *statements))];
  if (put) put(g);
  return put;
}

// bodies, and a joint for most of them
void fuzz_put_parts(fuzz_grammar* g)
{
  static const char* const kinds[] = {"hinge", "slider", "spherical", "free", "planar"};
  fuzz_put(g, "gravity (0, 0, -9.81)\n");
  for (int n = 1 + fuzz_pick(g->c, 3); n > 0; n--) {
    const int body = g->bodies;
    put_solid(g);
    fuzz_put(g, "\n");
    if (fuzz_rarely(g->c, 3)) continue;
    fuzz_put(g, "joint J%d: %s B%d on ", g->joints++, FUZZ_WORD(g->c, kinds), body);
    if (body > 0 && fuzz_pick(g->c, 2))
      fuzz_put(g, "B%d at (1, 0, 0)\n", body - 1);
    else
      fuzz_put(g, "world\n");
  }
}
