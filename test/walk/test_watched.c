// Events over every kind of constraint and everything they may watch, by each method: found at the
// same instant, in as many steps as without them.
//
// A system runs freely once; what is to be watched is an output there. Its value at an instant
// becomes the threshold of an event, which every method must then find at that instant.
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct watched_system
{
  const char *name, *text; // without events
  const char* watch[6];    // what passes a threshold on the way
  const char* no_gauss16;  // why that method does not take it; null where it does
} watched_system;

static const watched_system systems[] = {
    {"a bead on a straight wire, one velocity a multiple of the other",
     "coord x, y\nparticle P mass 1 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
     "constraint c: y = 0.3*x + 0.2*sin(t)\ninitial x ~ 0.36\nrun 0 .. 1\n",
     .watch = {"x", "y'", "reaction(c)", "kinetic()", "y''", "potential()"}},
    {"a bead on a circle, no velocity once and for all dependent",
     "coord x, y\nparticle P mass 2 = (x, y, 0) in world\ngravity (0, -9.81, 0)\n"
     "constraint c: x^2 + y^2 = 1\ninitial x = 0.8\ninitial y ~ -0.6\ninitial x' = 0.3\n"
     "run 0 .. 1\n",
     .watch = {"x", "y'", "reaction(c)", "kinetic()", "x''", "potential()"}},
    {"a ladder in maximal coordinates",
     "coord x, y, phi\nframe F = world at (x, y, 0) rotated z(phi)\n"
     "rod bar mass 1 from (-1, 0, 0) to (1, 0, 0) in F\ngravity (0, -9.81, 0)\n"
     "point foot = (1, 0, 0) in F\npoint top = (-1, 0, 0) in F\n"
     "constraint wall: pos(top).x = 0\nconstraint floor: pos(foot).y = 0\n"
     "initial phi = -1.2\ninitial x ~ 0.36\ninitial y ~ 0.93\nrun 0 .. 0.8\n",
     .watch = {"phi", "y'", "reaction(wall)", "reaction(floor)", "acc(foot).x", "kinetic()"}},
    {"a ladder that is released from the wall",
     "coord x, y, phi\nframe F = world at (x, y, 0) rotated z(phi)\n"
     "rod bar mass 1 from (-1, 0, 0) to (1, 0, 0) in F\ngravity (0, -9.81, 0)\n"
     "point foot = (1, 0, 0) in F\npoint top = (-1, 0, 0) in F\n"
     "constraint wall: pos(top).x = 0\nconstraint floor: pos(foot).y = 0\n"
     "initial phi = -1.2\ninitial x ~ 0.36\ninitial y ~ 0.93\n"
     "stage against { until reaction(wall) <= 0 }\nstage free { release wall }\nrun 0 .. 0.8\n",
     .watch = {"phi", "y'", "reaction(floor)", "kinetic()", "acc(foot).x"}},
    {"a blade",
     "coord x, y, th\nframe S = world at (x, y, 0) rotated z(th)\n"
     "body load mass 2 inertia (0.3, 0.3, 0.3) at (0.5, 0, 0) in S\n"
     "constraint blade: vel(S, S).y = 0\nforce th = -0.8*th'\n"
     "initial x' ~ -0.4\ninitial th' = 1.5\nrun 0 .. 1.5\n",
     .watch = {"th", "y'", "reaction(blade)", "kinetic()", "x''"}},
    {"a body that does not spin about its own axis (Suslov)",
     "coord p, q, r\nframe F = world rotated z(p) x(q) z(r)\n"
     "body B mass 1.3 inertia (1.5, 0.65, 1) at (0.3, -0.2, 0.1) in F\ngravity (0, 0, -9.81)\n"
     "constraint c: omega(B, F).z = 0\ninitial p = -0.27\ninitial q = 1.38\ninitial r = -0.6\n"
     "initial omega(B, F).x = 1\ninitial omega(B, F).y = -1.6\nrun 0 .. 0.4\n",
     .watch = {"q", "p'", "reaction(c)", "kinetic()", "q''"}},
    {"an upright disc that rolls",
     "coord x, y, ph, th\nkinetic (x'^2 + y'^2)*0.75 + 0.03*ph'^2 + 0.06*th'^2\n"
     "constraint rx: x' = 0.4*cos(ph)*th'\nconstraint ry: y' = 0.4*sin(ph)*th'\n"
     "force th = 0.1\ninitial ph = 0.2\ninitial ph' = 0.9\ninitial th' = 2.5\nrun 0 .. 1.2\n",
     .watch = {"x", "y'", "reaction(rx)", "reaction(ry)", "x''", "kinetic()"}},
    {"a ball that rolls in an ellipsoid, by a contact",
     "ball b mass 1 radius 0.2\nframe bowl = world\ngravity (0, 0, -9.81)\n"
     "roll b as sphere(0.2) on bowl as ellipsoid(1.5, 1.2, 1) inside at c\n"
     "initial pos(b).x = 0.5\ninitial pos(b).y = 0.2\ninitial pos(b).z ~ -0.7\n"
     "initial vel(b).x = 0.3\ninitial vel(b).y = 0.6\ninitial omega(b).z = 2\nrun 0 .. 0.5\n",
     .watch = {"pos(b).x", "vel(b).y", "reaction(c).z", "kinetic()", "acc(b).z"},
     .no_gauss16 = "singular position at the start"},
    {"a coin held on a table and from slipping by three constraints",
     "coord x, y, z, al, be, ga\nframe tilt = world at (x, y, z) rotated z(al) x(be)\n"
     "frame coin = tilt rotated z(ga)\n"
     "disc D mass 1 radius 0.5 normal (0, 0, 1) at (0, 0, 0) in coin\n"
     "point low = (0, -0.5, 0) in tilt\ngravity (0, 0, -9.81)\n"
     "let slip = vel(coin) + cross(omega(coin), pos(low) - pos(coin))\n"
     "constraint touch: pos(low).z = 0\nconstraint gx: slip.x = 0\nconstraint gy: slip.y = 0\n"
     "initial be = 1.2\ninitial be' = 0.1\ninitial al' = 1\ninitial ga' = 3\ninitial z ~ 0.5\n"
     "run 0 .. 1\n",
     .watch = {"be", "al'", "reaction(touch)", "reaction(gx)", "acc(coin).z", "kinetic()"}},
    {"a crank with one constraint too many",
     "coord a, b, c\nframe A = world rotated z(a)\nframe B = world at (2, 0, 0) rotated z(b)\n"
     "frame C = A at (1, 0, 0) rotated z(c)\nrod k mass 1 from (0, 0, 0) to (1, 0, 0) in A\n"
     "rod r mass 1 from (0, 0, 0) to (1, 0, 0) in B\nrod o mass 2 from (0, 0, 0) to (2, 0, 0) in "
     "C\n"
     "point p = (2, 0, 0) in C\npoint q = (1, 0, 0) in B\n"
     "constraint closex: pos(p).x = pos(q).x\nconstraint closey: pos(p).y = pos(q).y\n"
     "constraint level: a + c = 0\ngravity (0, -9.81, 0)\n"
     "initial a = 1\ninitial b ~ 1\ninitial c ~ -1\ninitial a' = 2\nrun 0 .. 0.4\n",
     .watch = {"a", "b'", "kinetic()", "a''", "acc(p).x"},
     .no_gauss16 = "a constraint follows from the others"},
    {"two rods in maximal coordinates",
     "coord x0, y0, a0, x1, y1, a1\nframe B0 = world at (x0, y0, 0) rotated z(a0)\n"
     "frame B1 = world at (x1, y1, 0) rotated z(a1)\ngravity (0, -9.81, 0)\n"
     "rod R0 mass 2 from (-0.25, 0, 0) to (0.25, 0, 0) in B0\n"
     "rod R1 mass 1.8 from (-0.27, 0, 0) to (0.27, 0, 0) in B1\n"
     "point H0 = (-0.25, 0, 0) in B0\npoint T0 = (0.25, 0, 0) in B0\n"
     "point H1 = (-0.27, 0, 0) in B1\npoint E = (0.27, 0, 0) in B1\n"
     "constraint hx: pos(H0).x = 0\nconstraint hy: pos(H0).y = 0\n"
     "constraint jx: pos(H1).x = pos(T0).x\nconstraint jy: pos(H1).y = pos(T0).y\n"
     "force a0 = -0.4*a0' - 3*a0\nforce a1 = -4*(a1 - a0)\n"
     "initial a0 = -1.3\ninitial a0' = 1.5\ninitial a1 = -0.7\ninitial a1' = 1.3\nrun 0 .. 0.5\n",
     .watch = {"pos(E).x", "vel(E).y", "reaction(hx)", "reaction(jy)", "acc(E).x", "energy()"}},
};

enum { kinds = sizeof systems / sizeof *systems };

static double span_of(const char* text)
{
  return atof(strstr(text, "run 0 .. ") + strlen("run 0 .. "));
}

static bench with(const watched_system* s, const char* statement)
{
  char text[3000];
  snprintf(text, sizeof text, "%s%s\n", s->text, statement);
  return bench_text(text);
}

// value of what is watched at t in the free motion, and there a moment later
static void measure(const watched_system* s, const char* watch, double t, double value[2])
{
  char output[200];
  snprintf(output, sizeof output, "output w = %s", watch);
  bench b = with(s, output);
  const double at[2] = {t, t + 1e-3};
  walk_track* k = bench_run_by(&b, "dop853", 1e-12, 2, at);
  for (int i = 0; i < 2; i++) value[i] = bench_value(k, i, "w");
  walk_track_free(k);
  bench_free(&b);
}

// far more than any of these motions needs: a run that does not get on ends here
static bool is_short(void* context, const walk_progress* p)
{
  (void)context;
  return p->steps < 2000;
}

static walk_track* run(bench* b, const char* method)
{
  walk_options o = walk_options_default();
  o.method = method;
  o.progress = is_short;
  return walk_run(b->system, &o, b->notes);
}

static long free_steps(const watched_system* s, const char* method)
{
  bench b = with(s, "");
  walk_track* t = run(&b, method);
  const long steps = t ? t->counts.steps + t->counts.rejected : 0;
  walk_track_free(t);
  bench_free(&b);
  return steps;
}

// an event at the instant t
static void look(const watched_system* s, const char* watch, double t, const char* method,
                 const char* code)
{
  double value[2];
  measure(s, watch, t, value);
  const double rate = (value[1] - value[0]) / 1e-3;
  char event[300];
  snprintf(event, sizeof event, "event passes: %s = %.17g report", watch, value[0]);
  if (code) setenv("ZWANG_CODE", code, 1);
  bench b = with(s, event);
  walk_track* k = run(&b, method);
  unsetenv("ZWANG_CODE");
  if (!k && s->no_gauss16 && !strcmp(method, "gauss16") &&
      strstr(bench_first_error(&b), s->no_gauss16)) {
    bench_free(&b);
    return;
  }
  const long made = k ? k->counts.steps + k->counts.rejected : 0;
  bool found = false;
  for (int i = 0; k && i < k->happenings; i++)
    found = found || (k->happening[i].event == 0 && fabs(k->happening[i].t - t) < 1e-6);
  if (!k || k->status != WALK_DONE || !found || !(fabs(rate) > 1e-3))
    check_fail(__FILE__, __LINE__, "%s, %s by %s: %s, rate %g, %s", s->name, watch, method,
               found ? "found" : "not found", rate, k ? k->reason : bench_first_error(&b));
  if (k && strcmp(k->method, method) != 0)
    check_fail(__FILE__, __LINE__, "%s, %s: %s became %s: %s", s->name, watch, method, k->method,
               k->method_why);
  const long may = 2 * free_steps(s, method) + 20;
  if (made > may)
    check_fail(__FILE__, __LINE__, "%s, %s by %s: %ld steps, %ld at most", s->name, watch, method,
               made, may);
  walk_track_free(k);
  bench_free(&b);
}

static void look_at_all(const char* method)
{
  static const char* code[] = {NULL, "interp"};
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < kinds; i++)
      for (int k = 0; k < 6 && systems[i].watch[k]; k++)
        for (int late = 0; late < 2; late++) {
          const double t = (late ? 0.85 : 0.4) * span_of(systems[i].text);
          look(&systems[i], systems[i].watch[k], t, method, code[c]);
        }
}

TEST(events_are_found_by_series_whatever_they_watch)
{
  look_at_all("taylor");
}

TEST(events_are_found_by_gauss16_whatever_they_watch)
{
  look_at_all("gauss16");
}

TEST(events_are_found_by_dop853_whatever_they_watch)
{
  look_at_all("dop853");
}
