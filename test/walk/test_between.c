// A ball that bounces between the ground and another ball, with friction in space: both come to the
// end of their bounces at one instant, near which one of the slips ends.
#include "bench.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double drawn(uint64_t* seed, double from, double to)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

static void draw(uint64_t seed, size_t room, char* text)
{
  int n = snprintf(text, room, "gravity (0, 0, -9.81)\n");
  drawn(&seed, 0, 1);
  for (int i = 1; i <= 2; i++) {
    const double m = drawn(&seed, 0.2, 1), x = drawn(&seed, -0.03, 0.03),
                 y = drawn(&seed, -0.03, 0.03), u = drawn(&seed, -0.05, 0.05),
                 v = drawn(&seed, -0.05, 0.05);
    n += snprintf(text + n, room - (size_t)n,
                  "ball b[%d] mass %.3f radius 0.1\ninitial pos(b[%d]) = (%.4f, %.4f, %.2f)\n"
                  "initial vel(b[%d]) = (%.4f, %.4f, 0)\ninitial omega(b[%d]) = (0, 0, 0)\n",
                  i, m, i, x, y, 0.22 * i, i, u, v, i);
  }
  const double mu = drawn(&seed, 0.1, 0.6), e = drawn(&seed, 0.05, 0.35);
  snprintf(text + n, room - (size_t)n,
           "contacts c: among b[*] as sphere(0.1) and world as plane with friction %.3f with "
           "restitution %.3f\noutput v = vel(b[1])\noutput w = omega(b[1])\noutput u = vel(b[2])\n"
           "run 0 .. 0.25\n",
           mu, e);
}

static walk_track* run(bench* b, const char* text, double h)
{
  *b = bench_text(text);
  walk_options o = walk_options_default();
  o.points = 2;
  o.contacts = h > 0 ? WALK_CONTACTS_UNSAID : WALK_CONTACTS_EVENTS;
  o.method = h > 0 ? "moreau" : NULL;
  o.step = h;
  return b->system ? walk_run(b->system, &o, b->notes) : NULL;
}

// as by steps of time, which are far from exact, and without energy that comes from nowhere
TEST(bounces_between_two_end_where_a_slip_does)
{
  static const char* const columns[] = {"v.x", "v.y", "v.z", "w.x", "w.y", "w.z", "u.x", "u.y"};
  int rested = 0;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    char text[2048];
    bench b, c;
    draw(seed, sizeof text, text);
    walk_track *t = run(&b, text, 0), *s = run(&c, text, 5e-5);
    const bool fine = t && s && t->status == WALK_DONE && s->status == WALK_DONE;
    if (!fine) check_fail(__FILE__, __LINE__, "%s\n%s", t ? t->reason : "refused", text);
    if (fine) CHECK_NEAR(t->energy_balance, 0, 1e-9 * t->energy_scale);
    for (int k = 0; fine && k < 8; k++)
      CHECK_NEAR(bench_value(t, t->table.rows - 1, columns[k]),
                 bench_value(s, s->table.rows - 1, columns[k]), 1.5e-3);
    for (int k = 0; fine && k < t->happenings; k++)
      rested += strncmp(walk_happening_name(t, &t->happening[k]), "rest of", 7) == 0;
    walk_track_free(t);
    walk_track_free(s);
    bench_free(&b);
    bench_free(&c);
  }
  CHECK(rested >= 8);
}
