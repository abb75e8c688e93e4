// What is remarked about hills: the theorems of Kelvin, Tait and Chetaev, over all signs of a
// quadratic potential.
#include "../walk/bench.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

// sum of s_k x_k^2/2 for n coordinates, s_k = -1 where `down` has bit k; each damped, or not
static study_stability* quadratic(bench* b, int n, unsigned down, bool damped)
{
  char text[1000];
  int at = 0;
  const size_t room = sizeof text;
  for (int k = 0; k < n; k++)
    at +=
        snprintf(text + at, room - (size_t)at, "coord x%d\nkinetic x%d'^2/2\npotential %sx%d^2/2\n",
                 k, k, down >> k & 1 ? "-" : "", k);
  for (int k = 0; damped && k < n; k++)
    at += snprintf(text + at, room - (size_t)at, "force x%d = -x%d'/10\n", k, k);
  *b = bench_text(text);
  return bench_stability(b, 0);
}

static bool says(const study_stability* r, const char* words)
{
  return r->remark && strstr(r->remark, words) != NULL;
}

// a minimum needs no remark; from a hill in an odd number of directions no gyroscopic force saves,
// from an even number one might; where every motion is damped none does
TEST(hills_are_remarked_by_the_number_of_directions_and_by_what_takes_energy)
{
  for (int n = 1; n <= 3; n++)
    for (unsigned down = 0; down < 1u << n; down++)
      for (int damped = 0; damped < 2; damped++) {
        bench b;
        study_stability* r = quadratic(&b, n, down, damped);
        const int falls = __builtin_popcount(down);
        if (r) {
          CHECK(r->verdict == (falls ? STUDY_UNSTABLE : STUDY_STABLE));
          CHECK(says(r, "an odd number") == (!damped && falls % 2));
          CHECK(says(r, "take energy from every motion: unstable") == (damped && falls));
          CHECK(!says(r, "gyroscopic stabilisation"));
          char told[40];
          snprintf(told, sizeof told, "in %d direction%s", falls, falls == 1 ? "" : "s");
          if (r->remark) CHECK(says(r, told));
        }
        study_stability_free(r);
        bench_free(&b);
      }
}
