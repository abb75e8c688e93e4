// The first step from where the right-hand side has no value: halved until two orders agree, and
// until nobody objects.
#include "step/step.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

// y' = -(y - s(t))/t^2 + s'(t), fast at first; y = s on the solution that begins at rest
typedef struct slow
{
  double bend;     // s = t^2 cos(bend t)
  double longest;  // that is accepted
  double shortest; // that is worth it
  int asked;
} slow;

static double curve(const slow* c, double t)
{
  return t * t * cos(c->bend * t);
}

static int rhs(void* context, double t, const double* y, double* dy)
{
  const slow* c = context;
  if (t == 0) return 1;
  dy[0] = -(y[0] - curve(c, t)) / (t * t) + 2 * t * cos(c->bend * t) -
          c->bend * t * t * sin(c->bend * t);
  return 0;
}

static bool is_worth(void* context, double h)
{
  return h > ((const slow*)context)->shortest;
}

static bool guess(void* context, double h, double* Y)
{
  double c[STEP_ONSET_POINTS];
  (void)context;
  step_radau_points(STEP_ONSET_POINTS, c);
  for (int j = 0; j < STEP_ONSET_POINTS; j++) Y[j] = c[j] * c[j] * h * h;
  return true;
}

static void widths(void* context, double h, double* width)
{
  (void)context;
  width[0] = 1e-4 * h * h;
}

static bool accept(void* context, double h, const double* y)
{
  slow* c = context;
  c->asked++;
  CHECK_NEAR(y[0], curve(c, h), 1e-9);
  return h <= c->longest;
}

static double found(slow* c, double h, double* end)
{
  static const double tolerance[1] = {1e-11}, y[1] = {0};
  const step_ode ode = {.n = 1, .rhs = rhs, .context = c, .rel_tol = 1e-11, .abs_tol = tolerance};
  double* room = base_alloc(sizeof(double) * step_onset_room(1));
  step_onset o = {.ode = &ode,
                  .y = y,
                  .context = c,
                  .is_worth = is_worth,
                  .guess = guess,
                  .widths = widths,
                  .accept = accept};
  const double length = step_onset_find(&o, h, room);
  for (int k = 0; k <= 4 && isfinite(length); k++) {
    step_onset_value(&o, k / 4.0, end);
    CHECK_NEAR(*end, curve(c, length * k / 4), 1e-9);
  }
  free(room);
  return length;
}

TEST(an_onset_is_as_long_as_both_orders_agree)
{
  double end;
  slow straight = {.longest = 1}, bent = {.bend = 20, .longest = 1};
  CHECK_NEAR(found(&straight, 0.5, &end), 0.5, 0);
  CHECK_INT(straight.asked, 1);
  const double length = found(&bent, 0.5, &end);
  CHECK(length < 0.5 && length > 0.5 / 64);
  CHECK_NEAR(end, curve(&bent, length), 1e-9);
}

TEST(an_onset_is_halved_until_nobody_objects_or_it_is_not_worth_it)
{
  double end;
  slow careful = {.longest = 0.1}, short_of = {.longest = 0.1, .shortest = 0.2};
  CHECK_NEAR(found(&careful, 0.5, &end), 0.0625, 0);
  CHECK_INT(careful.asked, 4);
  CHECK(isnan(found(&short_of, 0.5, &end)));
}
