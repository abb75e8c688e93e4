// How many operations the equations of motion take.
#include "bench.h"

#include "check.h"

static int operations(const char* name)
{
  bench b = bench_file(name);
  CHECK(b.system != NULL);
  study_point* p = b.system ? study_point_solve(b.system, NULL, 0, NULL, b.notes) : NULL;
  CHECK(p != NULL);
  const int count = p ? p->operations : -1;
  study_point_free(p);
  bench_free(&b);
  return count;
}

TEST(the_whipple_bicycle_takes_fewer_than_three_thousand_operations)
{
  const int count = operations("whipple_bicycle");
  CHECK(count > 0 && count < 3000);
}

// from the energy alone it takes more than eight hundred
TEST(what_frames_carry_is_added_up_once)
{
  const int count = operations("gimbal_on_ship");
  CHECK(count > 0 && count < 500);
}
