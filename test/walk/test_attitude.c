// Bodies in space over long times: attitudes by quaternions, the energy of rolling wheels.
#include "bench.h"

#include <stdio.h>

#include "check.h"

// the angle between two attitudes is twice the distance of their quaternions
static double attitude_error(const walk_track* t, int row)
{
  static const char* const off[4] = {"off_w", "off_x", "off_y", "off_z"};
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += pow(bench_value(t, row, off[i]), 2);
  return 2 * sqrt(sum);
}

TEST(a_free_symmetric_body_follows_its_closed_form)
{
  bench b = bench_file("free_symmetric_body");
  const double at[] = {10, 100, 300};
  walk_track* t = bench_run(&b, 1e-15, 3, at);
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(bench_value(t, i, "off_norm"), 0, 1e-15);
    CHECK_NEAR(attitude_error(t, i), 0, 1e-12);
  }
  walk_track_free(t);
  bench_free(&b);
}

TEST(the_whipple_bicycle_on_rolling_wheels_keeps_its_energy_for_ten_seconds)
{
  bench b = bench_file("whipple_rolling");
  const double at[] = {0, 2.5, 5, 7.5, 10};
  walk_track* t = bench_run(&b, 1e-12, 5, at);
  CHECK_INT(t->table.rows, 5);
  for (int i = 1; i < 5; i++) CHECK_NEAR(bench_value(t, i, "E") / bench_value(t, 0, "E"), 1, 1e-12);
  for (int k = 0; k < b.model->constraints; k++) {
    if (!isnan(t->residual[k].position)) CHECK_NEAR(t->residual[k].position, 0, 1e-10);
    if (!isnan(t->residual[k].velocity)) CHECK_NEAR(t->residual[k].velocity, 0, 1e-10);
  }
  walk_track_free(t);
  bench_free(&b);
}

// turns of a fifth of a radian: far from exact, but the norm is one and its rate nothing
TEST(by_time_steps_a_quaternion_keeps_its_norm_and_the_rate_of_it)
{
  static const char* const floors[] = {"", "constraint floor: pos(S).z >= -1\n",
                                       "constraint wall: pos(S).x = 0\n"};
  for (int k = 0; k < 3; k++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "coord x, z\norientation Q\nframe F = world at (x, 0, z) rotated by Q\n"
        "body S mass 1 inertia (3, 4, 2) at (0, 0, 0) in F\n%sinitial omega(F, F) = (3, 5, 0.1)\n"
        "output norm = Q.w^2 + Q.x^2 + Q.y^2 + Q.z^2 - 1\n"
        "output rate = Q.w*Q.w' + Q.x*Q.x' + Q.y*Q.y' + Q.z*Q.z'\nrun 0 .. 2\n",
        floors[k]);
    bench b = bench_text(text);
    walk_options o = walk_options_default();
    o.method = "moreau";
    // ends of steps, between which rows lie on chords
    o.step = 0.03125;
    const double at[] = {0.5, 1, 1.5, 2};
    o.at_count = 4;
    o.at = at;
    walk_track* t = b.system ? walk_run(b.system, &o, b.notes) : NULL;
    CHECK(t && t->status == WALK_DONE && t->table.rows == 4);
    for (int i = 0; t && i < t->table.rows; i++) {
      CHECK_NEAR(bench_value(t, i, "norm"), 0, 1e-14);
      CHECK_NEAR(bench_value(t, i, "rate"), 0, 1e-14);
    }
    walk_track_free(t);
    bench_free(&b);
  }
}
