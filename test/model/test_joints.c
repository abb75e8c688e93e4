// Joints against the frames and constraints that they stand for.

#include <string.h>

#include "check.h"
#include "given.h"

static const char bodies[] =
    "param l = 0.4 [m], k = 0.4\ngravity (1, 2, -9.81)\ncoord z0 [m]\nframe W = "
    "world at (0, 0, z0) rotated x(0.2)\n"
    "particle P mass 1 = (0, 0, 0) in W\n";

static given with(const char* more)
{
  return given_both(bodies, more);
}

static void are_the_same(const char* one, const char* other)
{
  given_are_alike(bodies, one, other);
}

#define BODY(FRAME) \
  "body B mass 2 inertia (0.1, 0.2, 0.4, 0.01, 0.02, 0.03) at (0.1, 0.2, 0.3)" FRAME "\n"
#define IN_F BODY(" in F")

TEST(joints_along_the_axes_of_bodies_are_plain_turns)
{
  are_the_same(
      BODY("") "joint j: hinge B at (l, 0, 0) on W at (0, 0, 0.1)\n",
      "coord a\nframe G = W at (0, 0, 0.1) rotated z(a)\nframe F = G at (-l, 0, 0)\n" IN_F);
  are_the_same(BODY("") "joint j: hinge B axis -y on W axis -y\n",
               "coord a\nframe F = W rotated y(-a)\n" IN_F);
  are_the_same(BODY("") "joint j: slider B axis x on W axis x\n",
               "coord s\nframe F = W at (s, 0, 0)\n" IN_F);
  are_the_same(BODY("") "joint j: screw B axis x on W axis x pitch l\n",
               "coord a\nframe F = W at (l*a/(2*pi), 0, 0) rotated x(a)\n" IN_F);
  are_the_same(BODY("") "joint j: cylindrical B axis y on W axis y\n",
               "coord a, s\nframe F = W at (0, s, 0) rotated y(a)\n" IN_F);
  are_the_same(BODY("") "joint j: universal B axis y on W axis x\n",
               "coord a, b\nframe F = W rotated x(a) y(b)\n" IN_F);
  are_the_same(BODY("") "joint j: planar B on W\n",
               "coord x, y, a\nframe F = W at (x, y, 0) rotated z(a)\n" IN_F);
  are_the_same(BODY("") "joint j: weld B at (0, 0, l) on W\n", "frame F = W at (0, 0, -l)\n" IN_F);
}

// the frame of the joint on W has z along x and x along y: W's axes turned z(90) x(90)
TEST(joints_with_other_axes_on_either_side_turn_twice)
{
  are_the_same(BODY("") "joint j: hinge B on W axis x\n",
               "coord a\nframe F = W rotated z(pi/2) x(pi/2) z(a)\n" IN_F);
  are_the_same(BODY("") "joint j: hinge B axis x on W\n",
               "coord a\nframe F = W rotated z(a) x(-pi/2) z(-pi/2)\n" IN_F);
  are_the_same(BODY("") "joint j: hinge B normal y on W\n",
               "coord a\nframe F = W rotated z(a) z(-pi/2)\n" IN_F);
}

TEST(joints_along_any_direction_turn_about_it)
{
  are_the_same(
      BODY("") "joint j: cylindrical B axis (1, 1, 0) on W axis (2, 2, 0)\n",
      "coord a, s\nframe F = W at (s/sqrt(2), s/sqrt(2), 0) rotated z(pi/4) x(a) z(-pi/4)\n" IN_F);
  are_the_same(BODY("") "joint j: hinge B axis (0, -l, -l) on W axis (0, -1, -1)\n",
               "coord a\nframe F = W rotated x(3*pi/4) z(a) x(-3*pi/4)\n" IN_F);
}

// turns with the same first part of their quaternion are not the same
TEST(joints_along_mirrored_directions_are_two)
{
  are_the_same("body C mass 3 inertia (0.3, 0.1, 0.2) at (l, 0, 0)\n" BODY(
                   "") "joint i: hinge B axis (1, 1, 0) on W axis (1, 1, 0)\n"
                       "joint j: hinge C axis (-1, 1, 0) on W axis (-1, 1, 0)\n",
               "coord a, b\nframe F = W rotated z(pi/4) x(a) z(-pi/4)\n"
               "frame G = W rotated z(3*pi/4) x(b) z(-3*pi/4)\n"
               "body C mass 3 inertia (0.3, 0.1, 0.2) at (l, 0, 0) in G\n" IN_F);
}

TEST(spherical_and_free_joints_are_orientations)
{
  are_the_same(BODY("") "joint j: spherical B on W at (0, l, 0)\n",
               "orientation j\nframe F = W at (0, l, 0) rotated by j\n" IN_F);
  are_the_same(BODY("") "joint j: free B on W\n",
               "coord x, y, z\norientation j\nframe F = W at (x, y, z) rotated by j\n" IN_F);
}

#define PAIR                                                                                \
  "coord a, b, c, x\nframe F = W at (x, 0, 0) rotated z(a) x(b)\nframe G = W at (0, 1, 0) " \
  "rotated z(c)\n"                                                                          \
  "particle Q mass 1 = (1, 0, 0) in F\nparticle R mass 1 = (1, 0, 0) in G\n"
#define ENDS \
  "point U = (l, 0.2, 0) in F\npoint V = (0, 0, 0.3) in G\nlet d = pos(U, G) - pos(V, G)\n"
#define AXES                                                                       \
  "point O = (0, 0, 0) in F\npoint X = (1, 0, 0) in F\npoint Z = (0, 0, 1) in F\n" \
  "point O2 = (0, 0, 0) in G\n"                                                    \
  "let z = pos(Z, G) - pos(O, G)\nlet ex = pos(X, G) - pos(O, G)\n"

TEST(joints_between_frames_are_constraints)
{
  are_the_same(PAIR "joint j: hinge F at (l, 0.2, 0) on G at (0, 0, 0.3)\n",
               PAIR ENDS AXES "constraint d.x = 0\nconstraint d.y = 0\nconstraint d.z = 0\n"
                              "constraint z.x = 0\nconstraint z.y = 0\n");
  are_the_same(PAIR "joint j: slider F at (l, 0.2, 0) on G at (0, 0, 0.3)\n",
               PAIR ENDS AXES "constraint d.x = 0\nconstraint d.y = 0\nconstraint z.x = 0\n"
                              "constraint z.y = 0\nconstraint ex.y = 0\n");
  are_the_same(PAIR "joint j: spherical F at (l, 0.2, 0) on G at (0, 0, 0.3)\n",
               PAIR ENDS "constraint d.x = 0\nconstraint d.y = 0\nconstraint d.z = 0\n");
  are_the_same(PAIR "joint j: distance F at (l, 0.2, 0) on G at (0, 0, 0.3) length 2*l\n",
               PAIR ENDS "constraint norm(d) = 2*l\n");
}

TEST(the_second_joint_of_a_body_closes_a_loop)
{
  given g =
      with(BODY("") "joint i: spherical B on W\njoint j: spherical B at (l, 0, 0) on world\n");
  CHECK_TEXT(given_errors(&g), "");
  // the norm, and three of the loop
  CHECK_INT(g.m->constraints, 4);
  given_free(&g);
}

static void is_refused(const char* text, const char* reason)
{
  given_is_refused(bodies, text, reason);
}

TEST(wrong_joints_are_refused)
{
  is_refused(BODY("") "joint j: hinge B on nobody\n", "unknown frame `nobody`");
  is_refused(BODY("") "joint j: hinge B axis (0, 0, 0) on W\n",
             "an axis has a direction, this is zero");
  is_refused(BODY("") "joint j: hinge B axis z normal -z on W\n",
             "the normal of a joint is not along its axis");
  is_refused(BODY("") "joint j: universal B axis z on W\n",
             "the axes of a universal joint cross at right angles");
  is_refused(BODY("") "joint j: screw B on W\n",
             "a screw has a pitch: the way it makes in one turn");
  is_refused(BODY("") "joint j: hinge B at (z0, 0, 0) on B\n",
             "a definition in a circle: `B` needs `j` needs `B`");
  is_refused(BODY("") "joint j: hinge B axis (z0, 0, 0) on W\n",
             "an axis cannot depend on coordinates");
  is_refused(PAIR "joint j: screw F on G pitch 1\n",
             "a joint of the kind `screw` places a body: it closes no loop");
  is_refused(PAIR "joint j: spherical F on G at (0, 0, 1)\n",
             "the joint `j` can never hold: its two ends are always apart");
  is_refused(PAIR "joint j: distance F on G\n", "a distance has a length");
  is_refused(PAIR "joint j: hinge F on F\n", "a joint joins two bodies, `F` is named twice");
}

// ---- forces -------------------------------------------------------------------------------------

// two expressions of outputs are the same at any state
static void says_the_same(const char* text, const char* one, const char* other)
{
  given g = with(text);
  CHECK_TEXT(given_errors(&g), "");
  for (unsigned trial = 1; trial <= 5 && g.m; trial++) {
    const motion at = {trial, 0.3 * trial};
    CHECK_NEAR(given_value(&g, given_output(&g, one), at),
               given_value(&g, given_output(&g, other), at), 1e-10);
  }
  given_free(&g);
}

static void says_the_same_vector(const char* text)
{
  says_the_same(text, "one.x", "other.x");
  says_the_same(text, "one.y", "other.y");
  says_the_same(text, "one.z", "other.z");
}

#define ARM                                                                     \
  "body C mass 3 inertia (0.3, 0.1, 0.2) at (l, 0, 0)\njoint i: hinge B on W\n" \
  "joint j: universal C at (-l, 0, 0) axis y on B at (0, l, 0) axis x\n"

// Newton for all that the joint carries: the centre of B is at (0.1, 0.2, 0.3)
TEST(the_force_of_a_joint_moves_what_it_carries)
{
  says_the_same_vector(BODY("") ARM "point c = (0.1, 0.2, 0.3) in B\npoint e = (l, 0, 0) in C\n"
                                    "let G = (1, 2, -9.81)\n"
                                    "output one = reaction(i)\n"
                                    "output other = 2*(acc(c) - G) + 3*(acc(e) - G)\n");
  says_the_same_vector(BODY("") ARM "point e = (l, 0, 0) in C\n"
                                    "output one = reaction(j)\n"
                                    "output other = 3*(acc(e) - (1, 2, -9.81))\n");
}

// what acts from outside, at a point and between points on both sides and on one
TEST(forces_from_outside_are_not_those_of_the_joint)
{
  says_the_same_vector(BODY(
      "") ARM "point e = (l, 0, 0) in C\npoint f = (0, l, l) in C\nforce (3, t, 1) in B at f\n"
              "point o = (2, 1, 0)\nspring s: from o to f stiffness 7 length 0.1 damping 2\n"
              "pull inside: from e to f = 5\nconstraint rod: norm(pos(f) - pos(o)) = 1\n"
              "let way = (pos(f) - pos(o))/s.length\n"
              "point b = (0, 0, 0) in B\npoint bx = (1, 0, 0) in B\n"
              "point by = (0, 1, 0) in B\npoint bz = (0, 0, 1) in B\n"
              "let F = (3*(pos(bx) - pos(b)) + t*(pos(by) - pos(b)) + pos(bz) - pos(b))*1 [N/m]\n"
              "output one = reaction(j)\noutput other = 3 [kg]*(acc(e) - (1, 2, -9.81)) - F + "
              "(s.force - reaction(rod))*way\n");
}

// a hinge has the same axis on both
TEST(moments_are_told_in_the_axes_of_a_frame)
{
  given g = with(BODY("") "joint i: hinge B on W\noutput one = moment(i, W)\n"
                          "output two = moment(i, B)\noutput three = moment(i)\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(given_same(&g, given_output(&g, "one.z"), given_output(&g, "two.z")));
  CHECK(given_same(&g, given_output(&g, "one.x"), given_output(&g, "three.x")));
  CHECK(!given_same(&g, given_output(&g, "one.z"), given_output(&g, "three.z")));
  CHECK(!given_same(&g, given_output(&g, "one.x"), given_output(&g, "two.x")));
  given_free(&g);
}

TEST(forces_of_joints_that_place_are_results)
{
  is_refused(BODY("") "joint j: hinge B on W\nforce j.angle = reaction(j).x\n",
             "the force of `j`, which places a body, follows from the motion");
  is_refused(BODY("") "joint j: hinge B on W\nlet F = moment(j)\n",
             "the force of `j`, which places a body, follows from the motion");
  is_refused(BODY("") "joint j: hinge B on W\noutput F = moment(j, nobody)\n",
             "unknown frame `nobody`");
  is_refused(PAIR "constraint c: a = b\noutput F = reaction(c, F)\n",
             "`reaction` takes a frame for joints only");
}

// a door on two hinges
TEST(a_joint_that_holds_already_has_no_equations)
{
  given g = with(BODY("") "joint i: hinge B on W\njoint j: hinge B at (0, 0, 1) on W at (0, 0, 1)\n"
                          "output F = reaction(j)\noutput other = moment(i)\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK_INT(g.m->constraints, 0);
  CHECK(strstr(given_notes(&g), "holds already") != NULL);
  CHECK(given_output(&g, "F.x") == expr_int(g.m->pool, 0));
  given_free(&g);
}

TEST(torsion_springs_ropes_and_couplings_are_what_they_stand_for)
{
  are_the_same(BODY("") "joint j: hinge B on W\ntorsion s: on j stiffness 3 angle 0.2 damping 0\n",
               "coord a\nframe F = W rotated z(a)\n" IN_F "potential 3/2*(a - 0.2)^2\n");
  are_the_same(PAIR "rope r: Q, (0, 0, 1), R length 3*l\n",
               PAIR "constraint 3*l >= norm(pos(Q) - (0, 0, 1)) + norm(pos(R) - (0, 0, 1))\n");
  are_the_same(PAIR "couple gear: a = -3*c\n", PAIR "constraint gear: a = -3*c\n");
}

// ---- shapes -------------------------------------------------------------------------------------

TEST(shapes_have_the_inertia_of_textbooks)
{
  are_the_same("box B size (0.1, 0.2, k) mass 12 at (1, 0, 0)\n",
               "body B mass 12 inertia (0.04 + k^2, 0.01 + k^2, 0.05) at (1, 0, 0)\n");
  are_the_same("box B size (0.1, 0.2, k) density 100\n", "box B size (0.1, 0.2, k) mass 2*k\n");
  are_the_same("cylinder B radius 0.1 length k mass 12\n",
               "body B mass 12 inertia (0.03 + k^2, 0.03 + k^2, 0.06)\n");
  are_the_same("cylinder B radius 0.1 length k axis (0, 2, 0) density 100/pi\n",
               "body B mass k inertia (k*(0.03 + k^2)/12, k*0.005, k*(0.03 + k^2)/12)\n");
  are_the_same("cone B radius 0.1 length k axis (1, 0, 0) density 300/pi\n",
               "body B mass k inertia (k*0.003, k*(0.0015 + 3/80*k^2), k*(0.0015 + 3/80*k^2))\n");
  are_the_same("shell B radius 0.1 density 25/pi\n",
               "body B mass 1 inertia (0.02/3, 0.02/3, 0.02/3)\n");
  are_the_same("ball B radius 0.1 density 750/pi\n", "ball B mass 1 radius 0.1\n");
  are_the_same("rod B density 3 from (k, 0, 0) to (k, 0, 2) in W\n",
               "rod B mass 6 from (k, 0, 0) to (k, 0, 2) in W\n");
  are_the_same("plate B density 3 corners (0, 0, 0) (2, 0, 0) (1, k, 0) in W\n",
               "plate B mass 6*k corners (0, 0, 0) (2, 0, 0) (1, k, 0) in W\n");
  are_the_same("disc B density 3/pi radius k normal (0, 0, 1)\n",
               "disc B mass 3*k^2 radius k normal (0, 0, 1)\n");
}

// a thin rod about its end: m k^2/3, about its middle m k^2/12
TEST(inertia_may_be_given_about_another_point)
{
  are_the_same("body B mass 3 inertia (k^2, k^2, 0) at (0, 0, k/2) about (0, 0, 0)\n",
               "body B mass 3 inertia (k^2/4, k^2/4, 0) at (0, 0, k/2)\n");
}

TEST(frames_turn_about_any_direction)
{
  are_the_same("coord a\nframe F = W at (l, 0, 0) rotated about (1, 1, 0) by a\n" IN_F,
               "coord a\nframe F = W at (l, 0, 0) rotated z(pi/4) x(a) z(-pi/4)\n" IN_F);
  are_the_same("coord a\nframe F = W rotated about (0, -2, 0) by 2*a\n" IN_F,
               "coord a\nframe F = W rotated y(-2*a)\n" IN_F);
}

TEST(observers_see_what_moves_against_them)
{
#define SEEN PAIR "point U = (0.1*sin(t), x, 0.3) in F\n"
  says_the_same_vector(SEEN
                       "output one = vel(U relative to F)\noutput other = (0.1*cos(t), x', 0)\n");
  says_the_same_vector(SEEN
                       "output one = acc(U) relative to F\noutput other = (-0.1*sin(t), x'', 0)\n");
  says_the_same_vector(
      SEEN "output one = omega(F relative to W)\noutput other = omega(F, W) - omega(W, W)\n");
  says_the_same_vector(SEEN "output one = pos(U relative to G)\noutput other = pos(U, G)\n");
  says_the_same_vector(SEEN "point X = (0, 0, 1) in F\npoint O = (0, 0, 0) in F\n"
                            "output one = axis(F, z)\noutput other = pos(X) - pos(O)\n");
}

TEST(wrong_shapes_are_refused)
{
  is_refused("box B size (1, 2) mass 1\n", "the size of a box is written (a, b, c)");
  is_refused("box B size (1, -2, 3) mass 1\n", "an edge cannot be negative, this is -2");
  is_refused("box B mass 1\n", "`size` is missing");
  is_refused("cylinder B radius 1 mass 1 density 2 length 1\n",
             "a body has a mass or a density, not both");
  is_refused("cone B radius 1 mass 1\n", "`length` is missing");
  is_refused("cone B radius 1 length 2 axis (0, z0, 0) mass 1\n",
             "an axis cannot depend on coordinates");
  is_refused("shell B radius 1\n", "`mass` is missing");
  is_refused("shell B radius 1 density 1 [kg/m^3]\n",
             "a density is in [kg/m^2], this is in [kg/m^3]");
  is_refused("body B mass 1 inertia (1, 1, 1) about (0, 0, 2)\n",
             "about its centre of mass the body would have a negative moment of inertia");
  is_refused("frame F = W rotated about (0, 0, 0) by 1\n", "an axis has a direction, this is zero");
  is_refused("output o = axis(W, l)\n", "the axis of a frame is `x`, `y` or `z`");
  is_refused("output o = norm(W relative to W)\n", "unknown function `norm_relative`");
}

// found by slips of the pen: inside a part the word of the kind was read as that name
TEST(a_thing_in_a_part_may_have_the_name_of_a_kind_of_joint)
{
  given g = given_text("part Leg() {\n  rod shin mass 1 from (0, 0, 0) to (0, 0, -1)\n"
                       "  joint knee: spherical shin on base\n  point foot = (0, 0, -1) in shin\n"
                       "  spring spherical: from foot to base stiffness 3 length 0.1\n}\n"
                       "put Leg() on world as l\nrun 0 .. 1\n");
  CHECK_TEXT(given_errors(&g), "");
  if (g.m) CHECK_INT(g.m->coords, 4);
  given_free(&g);
}
