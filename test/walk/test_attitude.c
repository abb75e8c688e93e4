// Bodies in space over long times: attitudes by quaternions, the energy of rolling wheels.
#include "bench.h"

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
