// Groups that are coupled at an instant, and systems divided into them.
#include "bench.h"
#include "check.h"
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char crate[] = "coord x, y\n"
                            "particle c mass 1 = (x, y, 0) in world\n"
                            "force x = 3*sin(7*t)\n"
                            "force y = -9.81\n"
                            "constraint floor: pos(c).y >= 0 with friction 0.2\n";
static const char block[] = "coord u, w\n"
                            "particle p mass 2 = (u, w, 0) in world\n"
                            "force w = -19.62\n"
                            "force u = 5*cos(5*t)\n"
                            "constraint table: pos(p).y >= 0 with friction 0.15\n";

static engine* engine_of(bench* b)
{
  return b->system ? contact_engine_new_large(b->system, b->notes) : NULL;
}

static int coord(const bench* b, const char* name)
{
  return model_coord_find(b->model, name);
}

// are two coordinates of the model in one group?
static bool together(const char* text, const char* one, const char* other)
{
  bench b = bench_text(text);
  engine* e = engine_of(&b);
  CHECK(e != NULL);
  const bool same = e && e->program->groups.of_coord[coord(&b, one)] ==
                             e->program->groups.of_coord[coord(&b, other)];
  engine_free(e);
  bench_free(&b);
  return same;
}

#define TWO "coord a, b\nkinetic (a'^2 + b'^2)/2\n"

TEST(springs_and_drag_couple_no_groups)
{
  CHECK(!together(TWO "potential (a - b)^2\nforce a = -0.1*(a' - b') - sign(a')\n", "a", "b"));
  CHECK(!together(TWO "force a = -sign(a')*b^2\nforce b = -abs(b')*b' - a'\n", "a", "b"));
}

TEST(masses_constraints_and_corners_couple)
{
  CHECK(together("coord a, b\nkinetic (a'^2 + b'^2 + a'*b')/2\nforce a = -sign(a')\n", "a", "b"));
  CHECK(together(TWO "constraint c: a - 2*b = 0\nforce a = -sign(a')\n", "a", "b"));
  CHECK(together(TWO "constraint c: a' >= b'\n", "a", "b"));
  CHECK(together(TWO "force a = -sign(a' - b')\n", "a", "b"));
  CHECK(together(TWO "force a = -abs(b')\nforce b = -sign(b')\n", "a", "b"));
}

TEST(reactions_and_what_holds_with_a_contact_couple)
{
  CHECK(together("coord a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2\nconstraint h: a = 1\n"
                 "force b = -0.1*abs(reaction(h))*b'\nforce c = -sign(c')\n",
                 "a", "b"));
  CHECK(together("coord a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2\nconstraint rail: a >= 0\n"
                 "constraint grip: b' - c' = 0 while rail\n",
                 "a", "b"));
  // whichever is written first
  CHECK(together("coord a, b, c\nkinetic (a'^2 + b'^2 + c'^2)/2\n"
                 "constraint grip: b' - c' = 0 while rail\nconstraint rail: a >= 0\n",
                 "a", "b"));
}

// a corner of time alone stands in two groups and couples nothing
TEST(corners_of_time_couple_nothing)
{
  CHECK(!together(TWO "force a = abs(sin(3*t)) - sign(a')\nforce b = abs(sin(3*t))\n", "a", "b"));
}

TEST(a_system_of_one_group_has_no_parts)
{
  bench b = bench_text(block);
  engine* e = engine_of(&b);
  CHECK(e && e->program->groups.count == 1 && !e->parts);
  engine_free(e);
  bench_free(&b);
}

TEST(groups_in_which_nothing_switches_are_one_part)
{
  bench b = bench_text("coord a, b, c, d\nkinetic (a'^2 + b'^2 + c'^2 + d'^2)/2\n"
                       "potential a^2 + b^2 + c^2\nforce d = -sign(d')\nconstraint g: d >= -1\n");
  engine* e = engine_of(&b);
  CHECK(e && e->program->groups.count == 4 && e->parts == 2);
  if (e) {
    CHECK(e->part[0].n == 3 && e->part[1].n == 1);
    CHECK(e->part_of_coord[coord(&b, "d")] == 1 && e->part[1].m == 1);
    CHECK(!e->part[0].e->unilateral && e->part[1].e->unilateral->count == 1);
  }
  engine_free(e);
  bench_free(&b);
}

// numbers that are the same in every run
static double random_number(uint64_t* seed)
{
  double x;
  engine_shake(&x, 1, &(double){0}, 1, NULL, seed);
  return x;
}

// The same state decided by parts and by the whole: what holds, accelerations and reactions.
static void decide_both_ways(bench* b, engine* parts, engine* whole, uint64_t* seed)
{
  double state[20];
  const int n = parts->n;
  for (int i = 0; i < 2 * n; i++) state[i] = random_number(seed);
  // both stand on what carries them, now and then at rest
  for (int side = 0; side < 2; side++) {
    const char *up = side ? "w" : "y", *along = side ? "u" : "x";
    state[coord(b, up)] = state[n + coord(b, up)] = 0;
    if (random_number(seed) > 0) state[n + coord(b, along)] = 0;
  }
  const double t = random_number(seed);
  engine* both[2] = {parts, whole};
  for (int k = 0; k < 2; k++) {
    engine_state(both[k], t, state, state + n);
    CHECK(!contact_first_sides(both[k]) && !contact_inequality_decide(both[k], true, NULL, NULL));
    engine_set_aside(both[k]);
    CHECK(!contact_sides(both[k]) && !contact_accelerations(both[k]));
    contact_reactions(both[k]);
  }
  for (int i = 0; i < n; i++) CHECK_NEAR(parts->a[i], whole->a[i], 1e-10);
  for (int k = 0; k < parts->m; k++) {
    CHECK(parts->mode.active[k] == whole->mode.active[k]);
    CHECK_NEAR(parts->lambda[k], whole->lambda[k], 1e-10);
  }
}

TEST(parts_decide_as_the_whole_does)
{
  char text[2000];
  snprintf(text, sizeof text, "%s%s%s", crate, block,
           "coord z\nkinetic z'^2/2\npotential 4*(x - u)^2 + 3*(z - x)^2\n");
  bench b = bench_text(text);
  engine* parts = engine_of(&b);
  engine* whole = b.system ? contact_engine_new_leaps(b.system, false, b.notes) : NULL;
  CHECK(parts && whole && parts->parts == 3 && !whole->parts);
  uint64_t seed = 5;
  for (int turn = 0; parts && whole && turn < 200; turn++)
    decide_both_ways(&b, parts, whole, &seed);
  engine_free(parts);
  engine_free(whole);
  bench_free(&b);
}

// what happens to one group leaves the answer of another as it is: not even asked
TEST(a_group_that_nothing_touches_keeps_its_answer)
{
  char text[2000];
  snprintf(text, sizeof text, "%s%s", crate, block);
  bench b = bench_text(text);
  engine* e = engine_of(&b);
  CHECK(e && e->parts == 2);
  if (e && e->parts == 2) {
    const double zero[4] = {0};
    engine_state(e, 0.1, zero, zero);
    CHECK(!contact_first_sides(e) && !contact_inequality_decide(e, true, NULL, NULL));
    bool kept[20];
    memcpy(kept, e->mode.active, (size_t)e->m);
    // at this time both would slip
    engine_time(e, 0.22);
    contact_before before = contact_before_keep(e);
    e->v[coord(&b, "u")] = 1;
    bool* touched = contact_touched_since(e, &before);
    const int p = e->part_of_coord[coord(&b, "u")];
    CHECK(touched[p] && !touched[1 - p]);
    CHECK(!contact_inequality_decide(e, true, NULL, touched));
    for (int k = 0; k < e->m; k++)
      if (e->part_of_row[k] != p) CHECK(e->mode.active[k] == kept[k]);
    free(touched);
    contact_before_free(&before);
  }
  engine_free(e);
  bench_free(&b);
}

// every coordinate, constraint, inequality and corner of a divided system stands in a part
static bool is_divided(const char* name)
{
  bench b = bench_file(name);
  engine* e = engine_of(&b);
  int coords = 0, rows = 0, inequalities = 0;
  bool* corner = base_alloc(e ? (size_t)e->program->modes.count + 1 : 1);
  for (int p = 0; e && p < e->parts; p++) {
    const engine_part* part = &e->part[p];
    coords += part->n;
    rows += part->m;
    inequalities += part->e->unilateral ? part->e->unilateral->count : 0;
    for (int i = 0; i < part->e->program->modes.count; i++) corner[part->corner[i]] = true;
  }
  const bool divided = e && e->parts;
  if (divided) {
    CHECK(coords == e->n && rows == e->m && e->parts > 1);
    CHECK(inequalities == (e->unilateral ? e->unilateral->count : 0));
    for (int i = 0; i < e->program->modes.count; i++) CHECK(corner[i]);
  }
  free(corner);
  engine_free(e);
  bench_free(&b);
  return divided;
}

TEST(parts_of_the_gallery_are_whole)
{
  CHECK(bench_gallery(is_divided) > 0);
}

#define BALLS                                                             \
  "ball one mass 1 radius 0.1\nball two mass 1 radius 0.1\n"              \
  "roll one as sphere(0.1) on world as plane at c with restitution 0.4\n" \
  "slide two as sphere(0.1) on world as plane at d with friction 0.2\n"   \
  "gravity (0, 0, -9.81)\nparam k = 2\n"                                  \
  "force (-k*(one.x - two.x), 0, 0) in world at one\n"

// impacts have no law for the friction of a contact that cannot let go: of the same motion, that is
TEST(what_lands_may_stand_beside_other_friction)
{
  bench b = bench_text(BALLS);
  engine* e = engine_of(&b);
  CHECK(e && e->parts == 2);
  engine_free(e);
  bench_free(&b);
  bench tied = bench_text(BALLS "constraint tie: pos(one).x - pos(two).x = 1\n");
  CHECK(!tied.system && strstr(bench_first_error(&tied), "impacts are not modelled beside"));
  bench_free(&tied);
}

// what holds while another constraint does follows it; where there are parts, in those that are
// struck alone
TEST(links_follow_the_constraints_they_hold_with)
{
  static const char two[] =
      "coord a, b, c, d\nkinetic (a'^2 + b'^2 + c'^2 + d'^2)/2\nconstraint rail: a >= 0\n"
      "constraint grip: b' - a'/2 = 0 while rail\nconstraint edge: c >= 0\n"
      "constraint hook: d' + c' = 0 while edge\n";
  enum { rail, grip, edge, hook };
  for (int divided = 0; divided < 2; divided++) {
    bench b = bench_text(two);
    engine* e = divided ? engine_of(&b) : contact_engine_new_leaps(b.system, false, b.notes);
    CHECK(e && !e->parts == !divided);
    for (int set = 0; e && set < 4; set++) {
      bool closing[2] = {true, false};
      e->mode.active[rail] = set & 1;
      e->mode.active[edge] = set >> 1;
      e->mode.active[grip] = !(set & 1);
      e->mode.active[hook] = !(set >> 1);
      contact_regime_follow(e, closing);
      CHECK_INT(e->mode.active[grip], set & 1);
      CHECK_INT(e->mode.active[hook], divided ? !(set >> 1) : set >> 1);
    }
    engine_free(e);
    bench_free(&b);
  }
}
