#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(a_summary_says_what_ran_how_far_and_how_well)
{
  fixture* f = fixture_new(2);
  base_text out = {0};
  out_summary(&f->track[0], &out);
  CHECK_TEXT(out.at, "A pendulum\n"
                     "  method       dop853, tolerance 1e-10\n"
                     "  time         0 .. 0.2, 3 rows\n"
                     "  steps        12 (1 rejected), 156 evaluations\n"
                     "  restarts     2, 1 of them new choices of quasi-velocities\n"
                     "  energy       start 1.25, end 1.5, work 0.25\n"
                     "  balance      3e-13 = change - work (2e-13 of the largest energy)\n"
                     "  residuals    constraint  position    velocity\n"
                     "               rod         1.5e-16     2.5e-15\n"
                     "               twin        4.5e-16     -\n"
                     "  redundant    twin (depends on the others)\n"
                     "  guesses      x ~ 0.5 moved by 0.15\n"
                     "  events       low at t = 0.1, falling\n"
                     "  end          x = 0.25, y = -0.333333333, x' = 0.333333333, y' = -1e-20\n"
                     "  status       done, 4.2 ms\n");
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_summary_counts_what_it_does_not_list)
{
  fixture* f = fixture_new(1);
  enum { MANY = 25 };
  walk_track* t = &f->track[0];
  t->happening = base_arena_take(f->arena, MANY * sizeof *t->happening);
  t->happenings = MANY;
  for (int i = 0; i < MANY; i++) t->happening[i].t = i;
  f->m.constraints = MANY;
  f->m.constraint = base_arena_take(f->arena, MANY * sizeof *f->m.constraint);
  t->residual = base_arena_take(f->arena, MANY * sizeof *t->residual);
  for (int i = 0; i < MANY; i++) {
    f->m.constraint[i].name = "c";
    t->residual[i] = (walk_residual){NAN, i == 22 ? 0.125 : 1e-16, NAN};
  }
  t->status = WALK_UNFINISHED;
  t->reason = "the step\x1b became too small";
  t->t_reached = 0.15;
  base_text out = {0};
  out_summary(t, &out);
  CHECK(strstr(out.at, "and 15 more\n"));
  CHECK(strstr(out.at, "all others  -           0.125\n"));
  CHECK(strstr(out.at, "0 .. 0.2, reached 0.15, 3 rows\n"));
  // the last row is not the end
  CHECK(!strstr(out.at, "  end "));
  CHECK(strstr(out.at, "unfinished: the step  became too small"));
  base_text_free(&out);
  fixture_free(f);
}
