// The limit of instants that accumulate, told by their pauses and speeds.
#include "contact/contact.h"

#include "check.h"

#include <math.h>

// the time left after the last of `count` instants behind a first one, each after `pause` and left
// with `speed`
static double left_after(int count, const double* pause, const double* speed)
{
  contact_accumulation a;
  double t = 1, left = 0;
  contact_accumulation_forget(&a);
  contact_accumulation_note(&a, t, speed[0] * pause[0] / pause[1], 0);
  for (int k = 0; k < count; k++) {
    t += pause[k];
    left = contact_accumulation_note(&a, t, speed[k], 0);
  }
  return left;
}

TEST(pauses_and_speeds_that_fall_alike_tell_their_limit)
{
  double pause[6], speed[6];
  for (int k = 0; k < 6; k++) {
    pause[k] = pow(0.35, k);
    speed[k] = 5 * pow(0.35, k);
  }
  CHECK_NEAR(left_after(6, pause, speed), pow(0.35, 6) / (1 - 0.35), 1e-12);
}

// A wall is hit by a ball, which hits the floor meanwhile and loses most of its speed by friction:
// the next pause is short, and those behind it are not.
TEST(a_blow_from_elsewhere_tells_no_limit)
{
  static const double pause[] = {3.27e-3, 1.0086e-3, 2.276e-5, 1.2492e-5},
                      speed[] = {3.5e-3, 1.1e-3, 1.42e-5, 4.37e-6};
  CHECK_NEAR(left_after(4, pause, speed), 0, 0);
  static const double by_chance[] = {0.08, 4.65e-4}, fallen[] = {1.16e-4, 1.52e-5};
  CHECK_NEAR(left_after(2, by_chance, fallen), 0, 0);
}

// of two that take turns the speeds go to and fro, and the pauses do not
TEST(speeds_that_go_to_and_fro_tell_no_limit)
{
  double pause[8], speed[8];
  for (int k = 0; k < 8; k++) {
    pause[k] = pow(0.66, k);
    speed[k] = pow(0.67, k) * (k % 2 ? 1.003 : 0.997);
  }
  const double left = pow(0.66, 8) / (1 - 0.66);
  CHECK_NEAR(left_after(8, pause, speed), left, 1e-12 * left);
}

// In the pause after the last one what is left of it counts. Without a limit that is known, the
// next ones are taken to be slower as the last one was.
TEST(what_is_left_within_a_pause)
{
  contact_accumulation a;
  contact_accumulation_forget(&a);
  CHECK_NEAR(contact_accumulation_left(&a, 1), 0, 0);
  contact_accumulation_note(&a, 1, 4, 0);
  contact_accumulation_note(&a, 2, 2, 0);
  CHECK_NEAR(contact_accumulation_left(&a, 2.1), 0, 0);
  contact_accumulation_note(&a, 2.5, 1, 0);
  CHECK(isnan(a.limit));
  CHECK_NEAR(contact_accumulation_left(&a, 2.6), 0.4, 1e-14);
  CHECK_NEAR(contact_accumulation_left(&a, 2.8), 0, 0);
  contact_accumulation_note(&a, 2.75, 0.5, 0);
  CHECK_NEAR(contact_accumulation_left(&a, 2.8), 0.2, 1e-14);
}
