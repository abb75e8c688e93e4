// Inequalities that stand open and still at their limit, where dry friction holds the motion.
#include "bench.h"

#include <stdint.h>
#include <stdio.h>

#include "check.h"

// A mass m is driven by p + k t and rubs with F > |p|. It runs into a wall, or slows down to a
// limit of its speed from inside, and stands there from t1 on: nothing presses. At t2 friction
// gives way: either the limit holds from there on, or the mass leaves the wall along k s^3/6m. In a
// well a force F towards the wall, which turns about there, holds it instead, and the run ends
// before.
typedef struct stand
{
  double m, p, F, x0, v0, k, across;
  double t1, place, t2, end;
  bool wall, well, away;
} stand;

static double drawn(uint64_t* seed, double from, double to)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

// place and speed before it stands
static double place_of(const stand* s, double t)
{
  const double force = s->p + (s->wall && !s->well ? s->F : -s->F);
  return s->x0 + s->v0 * t + (force / 2 + s->k * t / 6) * t * t / s->m;
}

static double speed_of(const stand* s, double t)
{
  const double force = s->p + (s->wall && !s->well ? s->F : -s->F);
  return s->v0 + (force + s->k * t / 2) * t / s->m;
}

static stand draw(uint64_t seed)
{
  drawn(&seed, 0, 1);
  stand s = {.m = drawn(&seed, 0.5, 2), .F = drawn(&seed, 1, 4), .x0 = drawn(&seed, 0.1, 0.4)};
  s.p = drawn(&seed, -0.8, 0.8) * s.F;
  s.wall = drawn(&seed, 0, 1) < 0.7;
  s.well = drawn(&seed, 0, 1) < 0.3 && s.wall;
  s.away = drawn(&seed, 0, 1) < 0.5 && s.wall;
  // else the limit of the speed is taken to hold as soon as it is met, which the laws allow as well
  if (!s.wall) s.p = -fabs(s.p);
  s.t2 = drawn(&seed, 4, 8);
  s.k = (s.away ? s.F - s.p : -s.F - s.p) / s.t2;
  s.across = drawn(&seed, -1, 1);
  s.v0 = (s.wall ? -1 : 0.3) * drawn(&seed, 1.1, 2) * sqrt(4 * s.x0 * s.F / s.m);
  double low = 0, high = s.wall ? 2 * s.x0 / -s.v0 : s.t2;
  for (int turn = 0; turn < 60; turn++) {
    const double middle = (low + high) / 2;
    if ((s.wall ? place_of(&s, middle) : speed_of(&s, middle)) > 0)
      low = middle;
    else
      high = middle;
  }
  s.t1 = low;
  s.place = place_of(&s, s.t1);
  s.end = s.well ? s.t2 - 0.05 : s.t2 + 1;
  return s;
}

// along a line that rests, that moves, or beside another coordinate on axes that turn
static const char turning[] =
    "coord r, s\nlet x = r*cos(0.7*t) - s*sin(0.7*t)\nlet y = r*sin(0.7*t) + s*cos(0.7*t)\n"
    "initial y = 0.3\ninitial y' = %.17g\n";
static const char* const charts[] = {"coord r\nlet x = r\nlet y = 0\n",
                                     "coord r\nlet x = r - 0.6*t + 0.23*sin(1.9*t)\nlet y = 0\n",
                                     turning};

static bench write(const stand* s, int chart)
{
  char text[1200], coords[300];
  snprintf(coords, sizeof coords, charts[chart], s->across);
  snprintf(text, sizeof text,
           "param F = %.17g, p = %.17g, k = %.17g\n%s"
           "particle P mass %.17g = (x, y, 0) in world\n"
           "force (-F*sign(%s) + p + k*t, 0, 0) in world at P\n"
           "constraint limit: %s >= 0\n"
           "initial x = %.17g\ninitial x' = %.17g\n"
           "output place = x\noutput speed = x'\n"
           "run 0 .. %.17g\n",
           s->F, s->p, s->k, coords, s->m, s->well ? "x" : "x'", s->wall ? "x" : "x'", s->x0, s->v0,
           s->end);
  return bench_text(text);
}

static bool is_told(const walk_track* t, int i, const char* name, double at, double nearly)
{
  return i < t->happenings && strcmp(walk_happening_name(t, &t->happening[i]), name) == 0 &&
         fabs(t->happening[i].t - at) <= nearly;
}

// what happens, and nothing else does; where it stands meanwhile, and where it goes
static bool moves(const stand* s, const walk_track* t, double nearly)
{
  int told = 0;
  bool fine = t && t->status == WALK_DONE;
  if (fine && s->wall) fine = is_told(t, told++, "impact of limit", s->t1, nearly);
  if (fine && !s->away && s->end > s->t2)
    fine = is_told(t, told++, "engagement of limit", s->t2, nearly);
  fine = fine && t->happenings == told && t->table.rows == 4;
  for (int row = 0; fine && row < 4; row++) {
    const double since = bench_value(t, row, "t") - s->t2,
                 by = s->away && since > 0 ? s->k * since * since / (2 * s->m) : 0;
    fine = fabs(bench_value(t, row, "place") - s->place - by * since / 3) <= nearly &&
           fabs(bench_value(t, row, "speed") - by) <= nearly;
  }
  return fine;
}

TEST(what_friction_holds_at_a_limit_neither_closes_nor_opens_in_any_coordinates)
{
  static const char* const methods[] = {"dop853", "adams", "bdf"};
  static const double tolerances[] = {1e-9, 1e-10, 1e-12};
  for (uint64_t seed = 1; seed <= 24; seed++) {
    const stand s = draw(seed);
    const double at[] = {s.t1 + 0.3 * (s.t2 - s.t1), s.t1 + 0.6 * (s.t2 - s.t1), s.t2 - 0.1, s.end};
    for (int way = 0; way < 9; way++) {
      const double tolerance = tolerances[(seed + (uint64_t)way) % 3];
      bench b = write(&s, way % 3);
      walk_track* t = bench_run_by(&b, methods[way / 3], tolerance, 4, at);
      if (!moves(&s, t, 1e4 * tolerance)) {
        check_fail(__FILE__, __LINE__, "seed %d, %s, coordinates %d: status %d, %d happenings",
                   (int)seed, methods[way / 3], way % 3, t ? (int)t->status : -1,
                   t ? t->happenings : -1);
        for (int i = 0; t && i < t->happenings; i++)
          check_fail(__FILE__, __LINE__, "%s at %.9g", walk_happening_name(t, &t->happening[i]),
                     t->happening[i].t);
      }
      walk_track_free(t);
      bench_free(&b);
    }
  }
}
