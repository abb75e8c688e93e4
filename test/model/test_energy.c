// Energies and momenta: textbook formulas, and bodies against particles with the same moments.

#include "check.h"
#include "given.h"

// T of the model, and the formula in the output T0; likewise V0
static void same_energy(const char* text)
{
  given g = given_text(text);
  CHECK_TEXT(given_errors(&g), "");
  if (g.m) {
    expr T = given_output(&g, "T0"), V = given_output(&g, "V0");
    CHECK(T != EXPR_NONE);
    if (T != EXPR_NONE) CHECK(given_same(&g, g.m->T, T));
    if (V != EXPR_NONE) CHECK(given_same(&g, g.m->V, V));
  }
  given_free(&g);
}

TEST(kinetic_energy_of_the_double_pendulum)
{
  same_energy("param m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, g = 9.81\ncoord a, b\n"
              "frame A = world rotated z(a)\n"
              "frame B = A at (0, -l1, 0) rotated z(b - a)\n"
              "particle P mass m1 = (0, -l1, 0) in A\n"
              "particle Q mass m2 = (0, -l2, 0) in B\n"
              "gravity (0, -g, 0)\n"
              "output T0 = (m1 + m2)*l1^2*a'^2/2 + m2*l2^2*b'^2/2 + m2*l1*l2*a'*b'*cos(a - b)\n"
              "output V0 = -(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)\n");
}

TEST(weight_along_the_axes_of_a_slope_and_of_a_turning_frame)
{
  same_energy("param m = 2, al = 0.3, w = 0.7, g = 9.81\ncoord x, y\n"
              "frame slope = world rotated z(al)\nframe turns = slope rotated z(w*t)\n"
              "particle P mass m = (x, y, 0) in world\n"
              "gravity (0, -g, 0) in turns\noutput T0 = m/2*(x'^2 + y'^2)\n"
              "output V0 = m*g*(y*cos(al + w*t) - x*sin(al + w*t))\n");
}

TEST(kinetic_energy_of_the_heavy_top)
{
  same_energy("param m = 2, A = 0.3, C = 0.2, l = 0.5, g = 9.81\ncoord psi, theta, phi\n"
              "frame F = world rotated z(psi) x(theta) z(phi)\n"
              "body B mass m inertia (A, A, C) at (0, 0, l) in F\n"
              "gravity (0, 0, -g)\n"
              "output T0 = (A + m*l^2)/2*(theta'^2 + psi'^2*sin(theta)^2) + "
              "C/2*(phi' + psi'*cos(theta))^2\n"
              "output V0 = m*g*l*cos(theta)\n");
}

TEST(kinetic_energy_of_the_skater_with_moving_arms)
{
  same_energy("param m = 3.5, l = 0.2, la = 0.7, a = 1\ncoord x, y, q\n"
              "frame S = world at (x, y, 0) rotated z(q)\n"
              "rod R mass m from (0, l, 0) to (0, l + la*sin(a), -la*cos(a)) in S\n"
              "stage { set a = 0 over 1 }\n"
              "let ux = -q'*l\nlet wx = -q'*(l + la*sin(a))\n"
              "let wy = la*cos(a)*a'\nlet wz = la*sin(a)*a'\n"
              "let vx = x'*cos(q) + y'*sin(q)\nlet vy = y'*cos(q) - x'*sin(q)\n"
              "let a1 = (vx + ux, vy, 0)\nlet b1 = (vx + wx, vy + wy, wz)\n"
              "output T0 = m/6*(dot(a1, a1) + dot(a1, b1) + dot(b1, b1))\n");
}

TEST(kinetic_energy_holds_the_motion_of_the_base)
{
  same_energy("param m = 2, w = 3\ncoord r\n"
              "frame F = world rotated z(w*t)\n"
              "particle P mass m = (r, 0, 0) in F\n"
              "output T0 = m/2*(r'^2 + r^2*w^2)\n");
}

TEST(products_of_inertia_are_elements_of_the_tensor)
{
  same_energy("param m = 2\ncoord x, a, b, c\n"
              "frame F = world at (x, 0, a) rotated z(a) x(b) y(c)\n"
              "body B mass m inertia (5, 6, 7, 0.5, -0.4, 0.3) at (0.1, x, 0.2) in F\n"
              "let w = omega(B, F)\n"
              "let L = (5*w.x + 0.5*w.y - 0.4*w.z, 0.5*w.x + 6*w.y + 0.3*w.z, "
              "-0.4*w.x + 0.3*w.y + 7*w.z)\n"
              "output T0 = m/2*dot(vel(B), vel(B)) + dot(w, L)/2\n");
}

TEST(a_particle_has_half_its_mass_times_the_square_of_its_velocity)
{
  same_energy("param m = 2, a = 1\ncoord x, y, p, q\n"
              "frame F = world at (x, t, y) rotated x(p) z(q + t)\n"
              "frame G = F at (0, y, 1) rotated y(a) z(p)\n"
              "particle P mass m = (x*y, a, sin(q)) in G\n"
              "stage { set a = 2 over 1 }\n"
              "gravity (1, t, -9.81)\n"
              "output T0 = m/2*dot(vel(P), vel(P))\n"
              "output V0 = -m*dot((1, t, -9.81), pos(P))\n");
}

// ---- bodies against particles -------------------------------------------------------------------

static const char scene[] = "param m = 2, r = 0.6, a = 1\ncoord x, y, p, q, b\n"
                            "frame F = world at (x, t*y, y) rotated x(p) z(q + t)\n"
                            "frame G = F at (0, y, 1) rotated y(a) z(p)\n"
                            "point O = (x, 1, t) in world\n"
                            "stage { set a = 2 over 1 }\n"
                            "gravity (1, 2, -9.81)\n"
                            "output P = momentum()\noutput L = angmomentum(O)\n"
                            "output L0 = angmomentum()\n";

// both descriptions give the same energies and momenta
static void same_system(const char* body, const char* particles)
{
  given one = {0}, two = {0};
  base_text text = {0};
  base_text_printf(&text, "%s%s", scene, body);
  one = given_text(text.at);
  text.n = 0;
  base_text_printf(&text, "%s%s", scene, particles);
  two = given_text(text.at);
  base_text_free(&text);
  CHECK_TEXT(given_errors(&one), "");
  CHECK_TEXT(given_errors(&two), "");
  for (unsigned seed = 1; one.m && two.m && seed <= 4; seed++) {
    motion at = {seed, 0.3};
    double T = given_value(&two, two.m->T, at), V = given_value(&two, two.m->V, at);
    CHECK_NEAR(given_value(&one, one.m->T, at), T, 1e-11 * (1 + T));
    CHECK_NEAR(given_value(&one, one.m->V, at), V, 1e-11 * (1 + fabs(V)));
    CHECK_INT(one.m->outputs, 9);
    for (int i = 0; i < one.m->outputs; i++) {
      double want = given_value(&two, two.m->output[i].value, at);
      CHECK_NEAR(given_value(&one, one.m->output[i].value, at), want, 1e-11 * (1 + fabs(want)));
    }
  }
  given_free(&one);
  given_free(&two);
}

// two points of Gauss integrate squares along the rod exactly
TEST(a_rod_with_moving_ends_equals_its_quadrature)
{
  same_system("rod R mass m from (x, 0, a) to (y*b, 1 - a, sin(p)) in G\n",
              "let s1 = 1/2 - 1/sqrt(12)\nlet s2 = 1/2 + 1/sqrt(12)\n"
              "let A = (x, 0, a)\nlet B = (y*b, 1 - a, sin(p))\n"
              "particle P1 mass m/2 = A + s1*(B - A) in G\n"
              "particle P2 mass m/2 = A + s2*(B - A) in G\n");
}

TEST(a_plate_with_moving_corners_equals_its_quadrature)
{
  same_system("plate R mass m corners (x, 0, a) (y*b, 1 - a, sin(p)) (0, b, 2) in G\n",
              "let s1 = 1/2 - 1/sqrt(12)\nlet s2 = 1/2 + 1/sqrt(12)\n"
              "let A = (x, 0, a)\nlet B = (y*b, 1 - a, sin(p)) - A\nlet C = (0, b, 2) - A\n"
              "particle P1 mass m/4 = A + s1*B + s1*C in G\n"
              "particle P2 mass m/4 = A + s1*B + s2*C in G\n"
              "particle P3 mass m/4 = A + s2*B + s1*C in G\n"
              "particle P4 mass m/4 = A + s2*B + s2*C in G\n");
}

// four points at r/sqrt(2) have the moments of a disc
TEST(a_disc_with_a_turning_normal_equals_particles_of_the_same_moments)
{
  same_system("disc D mass m radius r normal (0, -2*sin(b), 2*cos(b)) at (x, 1, a) in G\n",
              "frame H = G at (x, 1, a) rotated x(b)\nlet k = r/sqrt(2)\n"
              "particle P1 mass m/4 = (k, 0, 0) in H\nparticle P2 mass m/4 = (-k, 0, 0) in H\n"
              "particle P3 mass m/4 = (0, k, 0) in H\nparticle P4 mass m/4 = (0, -k, 0) in H\n");
}

TEST(a_disc_with_a_fixed_slanted_normal_equals_particles_of_the_same_moments)
{
  same_system("disc D mass m radius r normal (1, 1, 0) at (x, 1, a) in G\n",
              "frame H = G at (x, 1, a) rotated z(pi/4) y(pi/2)\nlet k = r/sqrt(2)\n"
              "particle P1 mass m/4 = (k, 0, 0) in H\nparticle P2 mass m/4 = (-k, 0, 0) in H\n"
              "particle P3 mass m/4 = (0, k, 0) in H\nparticle P4 mass m/4 = (0, -k, 0) in H\n");
}

// six points at r*sqrt(3/5) have the moments of a ball
TEST(a_ball_equals_particles_of_the_same_moments)
{
  same_system("ball B mass m radius r at (0, x, y*t) in G\n",
              "frame H = G at (0, x, y*t)\nlet k = r*sqrt(3/5)\n"
              "particle P1 mass m/6 = (k, 0, 0) in H\nparticle P2 mass m/6 = (-k, 0, 0) in H\n"
              "particle P3 mass m/6 = (0, k, 0) in H\nparticle P4 mass m/6 = (0, -k, 0) in H\n"
              "particle P5 mass m/6 = (0, 0, k) in H\nparticle P6 mass m/6 = (0, 0, -k) in H\n");
}

TEST(the_momentum_is_the_mass_times_the_velocity_of_the_centre)
{
  given g = given_text("coord x, y\nparticle A mass 2 = (x, 0, 0) in world\n"
                       "particle B mass 3 = (x, y, 0) in world\n"
                       "output p = momentum()\noutput L = angmomentum(A).z\n"
                       "output px = 5*x'\noutput py = 3*y'\noutput Lz = 3*(0*y' - y*x')\n");
  CHECK_TEXT(given_errors(&g), "");
  CHECK(given_output(&g, "p.x") == given_output(&g, "px"));
  CHECK(given_output(&g, "p.y") == given_output(&g, "py"));
  CHECK(given_output(&g, "L") == given_output(&g, "Lz"));
  given_free(&g);
}

TEST(energies_written_by_hand_are_added_to_those_of_the_bodies)
{
  same_energy("param m = 2, k = 5\ncoord x, y\nparticle P mass m = (x, 0, 0) in world\n"
              "kinetic y'^2/2\npotential k*x^2/2\npotential x*y\n"
              "gravity (0, 0, -9.81)\n"
              "output T0 = m/2*x'^2 + y'^2/2\noutput V0 = k*x^2/2 + x*y\n"
              "output E = energy() - kinetic() - potential()\n");
}

TEST(planar_chains_keep_their_energy_short)
{
  base_text text = {0};
  base_text_add(&text, "param m = 1, l = 1\nframe L0 = world\n");
  enum { LINKS = 20 };
  for (int i = 1; i <= LINKS; i++)
    base_text_printf(&text,
                     "coord q%d\nframe L%d = L%d at (%s, 0, 0) rotated z(q%d)\n"
                     "particle P%d mass m = (l, 0, 0) in L%d\n",
                     i, i, i - 1, i == 1 ? "0" : "l", i, i, i);
  given g = given_text(text.at);
  CHECK_TEXT(given_errors(&g), "");
  // one cosine for each pair of links, not products of sines and cosines
  if (g.m) CHECK(expr_size(g.m->pool, 1, &g.m->T) < 12 * LINKS * LINKS);
  base_text_free(&text);
  given_free(&g);
}
