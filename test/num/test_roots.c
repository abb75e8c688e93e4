// Roots on an interval: nasty functions with known answers.
#include "check.h"
#include "num/num.h"

#include <stdio.h>
#include <stdlib.h>

// in [0, 1)
static double drawn(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

typedef double plain(double t);

static int calls;

static double call(void* context, double t)
{
  calls++;
  return (*(plain**)context)(t);
}

static double f_line(double t)
{
  return t - 0.3;
}
static double f_sine(double t)
{
  return sin(t);
}
static double f_fast(double t)
{
  return sin(100 * t);
}
static double f_pair(double t)
{
  return (t - 0.5) * (t - 0.500001) * exp(t);
}
static double f_near_miss(double t)
{
  return (t - 0.5) * (t - 0.5) + 1e-9;
}
static double f_touch(double t)
{
  return (t - 0.37) * (t - 0.37) * (2 + sin(t));
}
static double f_touch_below(double t)
{
  return cos(t) - 1;
}
static double f_triple(double t)
{
  double u = t - 0.61;
  return u * u * u * exp(-t);
}
static double f_quadruple(double t)
{
  double u = t - 0.25;
  return -u * u * u * u;
}
static double f_mixed(double t)
{
  return (t + 0.5) * (t - 0.25) * (t - 0.25) * (t - 0.75) * (t - 0.750001);
}
static double f_zero(double t)
{
  (void)t;
  return 0;
}
static double f_constant(double t)
{
  (void)t;
  return 3;
}
static double f_noise(double t)
{
  // what is left of 1 = sin^2 + cos^2
  return sin(t) * sin(t) + cos(t) * cos(t) - 1;
}
static double f_steep(double t)
{
  return tanh(200 * (t - 0.123456));
}
static double f_decay(double t)
{
  return exp(-30 * t) - 1e-9;
}
static double f_ladder(double t)
{
  return exp(12 * t) * sin(20 * t);
}
static double f_kink(double t)
{
  return fabs(t - 0.2) - 0.1;
}
static double f_jump(double t)
{
  return t < 0.7071 ? -1 : 2;
}
static double f_log(double t)
{
  return log(t - 0.1);
}
static double f_never(double t)
{
  (void)t;
  return NAN;
}
static double f_ends(double t)
{
  return t * (1 - t);
}
static double f_chatter(double t)
{
  // a sine with noise of 1e-14
  return sin(3 * t) + 1e-14 * sin(1e9 * t);
}
static double f_rough(double t)
{
  // a sine with noise of 1e-9
  return sin(3 * t) + 1e-9 * sin(1e9 * t);
}
static double f_spike(double t)
{
  double u = (t - 0.4321) / 0.01;
  return exp(-u * u) - 0.5;
}
static double f_expanded(double t)
{
  // (t - 1/2)^6 multiplied out: rounding of 1e-17 around a flat touch
  double c[] = {1, -3, 3.75, -2.5, 0.9375, -0.1875, 0.015625}, s = 0;
  for (int i = 0; i < 7; i++) s = s * t + c[i];
  return s;
}
static double f_tiny(double t)
{
  return 1e-250 * (t - 0.3);
}
static double f_huge(double t)
{
  return 1e250 * (t - 0.3);
}
static double f_overflow(double t)
{
  // from -1 to almost the largest number
  return exp(709.7 * t) - 2;
}
static double f_at_the_top(double t)
{
  return 1.7e308 * sin(7 * t - 1);
}

typedef struct expected
{
  const char* name;
  plain* f;
  double a, b;
  int n;
  double t[6];
  int direction[6];
  double within; // of the places; touching places are known to the root of the rounding only
} expected;

static const expected table[] = {
    {"line", f_line, 0, 1, 1, {0.3}, {1}, 1e-14},
    {"sine", f_sine, 1, 7, 2, {3.141592653589793, 6.283185307179586}, {-1, 1}, 1e-13},
    {"pair", f_pair, 0, 1, 2, {0.5, 0.500001}, {-1, 1}, 1e-13},
    {"near miss", f_near_miss, 0, 1, 0, {0}, {0}, 0},
    {"touch", f_touch, 0, 1, 1, {0.37}, {0}, 1e-8},
    {"touch below", f_touch_below, -1, 1.5, 1, {0}, {0}, 1e-8},
    {"touch at the middle", f_touch_below, -1, 1, 1, {0}, {0}, 1e-8},
    {"triple", f_triple, 0, 1, 1, {0.61}, {1}, 1e-5},
    {"quadruple", f_quadruple, 0, 1, 1, {0.25}, {0}, 1e-4},
    {"mixed", f_mixed, -1, 1, 4, {-0.5, 0.25, 0.75, 0.750001}, {1, 0, -1, 1}, 1e-8},
    {"zero", f_zero, 0, 1, 0, {0}, {0}, 0},
    {"constant", f_constant, 0, 1, 0, {0}, {0}, 0},
    {"steep", f_steep, 0, 1, 1, {0.123456}, {1}, 1e-14},
    {"decay", f_decay, 0, 1, 1, {0.69077552789821370521}, {-1}, 1e-12},
    {"ladder",
     f_ladder,
     0.1,
     0.7,
     4,
     {0.15707963267948966, 0.31415926535897931, 0.47123889803846897, 0.62831853071795862},
     {-1, 1, -1, 1},
     1e-13},
    {"kink", f_kink, 0, 1, 2, {0.1, 0.3}, {-1, 1}, 1e-14},
    {"jump", f_jump, 0, 1, 1, {0.7071}, {1}, 1e-12},
    {"log", f_log, 0, 2, 1, {1.1}, {1}, 1e-13},
    {"never", f_never, 0, 1, 0, {0}, {0}, 0},
    {"ends", f_ends, 0, 1, 2, {0, 1}, {1, -1}, 0},
    {"chatter", f_chatter, 0.5, 1.5, 1, {1.0471975511965976}, {-1}, 1e-13},
    {"rough", f_rough, 0.5, 1.5, 1, {1.0471975511965976}, {-1}, 1e-9},
    {"spike",
     f_spike,
     0,
     1,
     2,
     {0.4321 - 0.00832554611157698, 0.4321 + 0.00832554611157698},
     {1, -1},
     1e-13},
    {"tiny", f_tiny, 0, 1, 1, {0.3}, {1}, 1e-14},
    {"huge", f_huge, 0, 1, 1, {0.3}, {1}, 1e-14},
    {"overflow", f_overflow, 0, 1, 1, {0.00097667631472446}, {1}, 1e-13},
    {"at the top", f_at_the_top, 0, 1, 2, {1 / 7., 0.5916560933699705}, {1, -1}, 1e-12},
    {"far away", f_sine, 1e6, 1e6 + 3, 1, {1000000.3575641671}, {1}, 1e-9},
    {"short", f_sine, 3.14159265, 3.14159266, 1, {3.141592653589793}, {-1}, 1e-14},
};

TEST(roots_of_nasty_functions_are_all_found)
{
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    const expected* e = &table[k];
    num_root out[20];
    plain* f = e->f;
    calls = 0;
    int n = num_roots(call, &f, e->a, e->b, 1e-14, 20, out);
    printf("# %s: %d roots, %d evaluations\n", e->name, n, calls);
    CHECK_INT(n, e->n);
    for (int i = 0; i < n && i < e->n; i++) {
      CHECK_NEAR(out[i].t, e->t[i], e->within);
      CHECK_INT(out[i].direction, e->direction[i]);
    }
  }
}

TEST(roots_of_a_fast_wave_are_all_found_in_order)
{
  num_root out[100];
  plain* f = f_fast;
  double pi = acos(-1);
  int n = num_roots(call, &f, 0.001, 1.0001, 1e-13, 100, out);
  CHECK_INT(n, 31);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(out[i].t, (i + 1) * pi / 100, 1e-13);
    CHECK_INT(out[i].direction, i % 2 ? 1 : -1);
  }
  // too little room: the first ones
  n = num_roots(call, &f, 0.001, 1.0001, 1e-13, 3, out);
  CHECK_INT(n, 3);
  CHECK_NEAR(out[2].t, 3 * pi / 100, 1e-13);
}

TEST(roots_of_pure_rounding_are_none_and_cheap)
{
  num_root out[50];
  plain* f = f_noise;
  calls = 0;
  int n = num_roots(call, &f, 0, 3, 1e-12, 50, out);
  printf("# noise: %d roots, %d evaluations\n", n, calls);
  CHECK_INT(n, 0);
  CHECK(calls < 3000);
}

// a slow motion at the size of its own rounding: relative noise of a thousandth
static double shaking(double t)
{
  static uint64_t seed = 11;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return -1e-14 * (2 + t - 0.3 * t * t + 2e-3 * (double)(seed >> 11) / 9007199254740992.0);
}

static double noise_of_shaking(void* context)
{
  (void)context;
  return 1e-12;
}

TEST(what_is_known_to_be_noise_is_left_soon)
{
  num_root out[50];
  plain* f = shaking;
  calls = 0;
  CHECK_INT(num_roots_beyond(call, noise_of_shaking, &f, 0, 1, 1e-12, 50, out), 0);
  printf("# shaking: %d evaluations\n", calls);
  CHECK(calls < 400);
  // what stands out of the noise is found as ever
  f = f_line;
  CHECK_INT(num_roots_beyond(call, noise_of_shaking, &f, 0, 1, 1e-12, 50, out), 1);
}

TEST(roots_of_a_flat_touch_in_rounding_stay_near_it)
{
  num_root out[50];
  plain* f = f_expanded;
  calls = 0;
  int n = num_roots(call, &f, 0, 1.1, 1e-12, 50, out);
  printf("# expanded: %d roots, %d evaluations\n", n, calls);
  for (int i = 0; i < n; i++) CHECK_NEAR(out[i].t, 0.5, 5e-3);
  CHECK(n >= 1);
  CHECK(calls < 20100);
}

TEST(smooth_functions_cost_few_evaluations)
{
  num_root out[4];
  plain* f = f_line;
  calls = 0;
  CHECK_INT(num_roots(call, &f, 0, 1, 1e-12, 4, out), 1);
  CHECK(calls <= 30);
  f = f_constant;
  calls = 0;
  CHECK_INT(num_roots(call, &f, 0, 1, 1e-12, 4, out), 0);
  CHECK(calls <= 20);
}

static double product_of_three(void* context, double t)
{
  const double* r = context;
  return (t - r[0]) * (t - r[1]) * (t - r[2]) * (2 + cos(3 * t));
}

// two of the roots are as close as 1e-7
TEST(roots_of_random_products_are_all_found)
{
  uint64_t seed = 7;
  for (int run = 0; run < 2000; run++) {
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = drawn(&seed);
    double gap = pow(10, -7 * drawn(&seed));
    r[1] = r[0] + gap;
    num_root out[10];
    double sorted[3] = {r[0], r[1], r[2]};
    for (int i = 0; i < 3; i++)
      for (int j = i + 1; j < 3; j++)
        if (sorted[j] < sorted[i]) {
          double t = sorted[i];
          sorted[i] = sorted[j];
          sorted[j] = t;
        }
    double close = fmin(sorted[1] - sorted[0], sorted[2] - sorted[1]);
    if (close < 5e-8) continue;
    int n = num_roots(product_of_three, sorted, -0.5, 2.5, 1e-13, 10, out);
    CHECK_INT(n, 3);
    for (int i = 0; i < 3 && i < n; i++) {
      CHECK_NEAR(out[i].t, sorted[i], 1e-12);
      CHECK_INT(out[i].direction, i == 1 ? -1 : 1);
    }
  }
}

// a gap between two places, which are known to roundings, that closes on its way
typedef struct closing
{
  double from, gap, speed, bend, place, other;
} closing;

static double closing_gap(void* context, double t)
{
  const closing* c = context;
  calls++;
  const double s = t - c->from;
  const volatile double place = c->place + (c->speed - c->bend * s) * s,
                        other = c->other + c->place, moved = other + 0.3 * c->speed * s;
  return c->gap + (c->place - place) + (moved - other);
}

TEST(gaps_little_above_their_rounding_are_found_to_close)
{
  uint64_t seed = 5;
  int dear = 0;
  for (int run = 0; run < 3000; run++) {
    double x[6];
    for (int i = 0; i < 6; i++) x[i] = drawn(&seed);
    // from thirty to three million roundings, closed somewhere on the way
    const double size = 3e-15 * pow(10, 5 * x[0]), length = pow(10, -2 - 4 * x[1]);
    closing c = {.from = 0.5 + x[2], .place = 0.4 + 0.1 * x[3], .other = 0.5};
    c.speed = size / length;
    c.bend = 0.3 * x[4] * c.speed / length;
    c.gap = 0.4 * size * (0.01 + 0.9 * x[5]);
    num_root out[10];
    calls = 0;
    const int n = num_roots(closing_gap, &c, c.from, c.from + length, 1e-15, 10, out);
    dear += calls > 2000 && size > 1e-13;
    int falling = 0;
    for (int i = 0; i < n; i++) falling += out[i].direction < 0;
    for (int i = 0; i < n; i++) CHECK_NEAR(closing_gap(&c, out[i].t), 0, 2e-15);
    if (fmin(c.gap, -closing_gap(&c, c.from + length)) > 1e-14) CHECK(falling > 0);
  }
  printf("# %d of 3000 dear\n", dear);
  CHECK_INT(dear, 0);
}

// a root has a tail that halving lowers by little, and is no rounding: what wiggles beside it is
typedef struct beside_root
{
  double at, slope, shift, along, size, speed, phase;
} beside_root;

static double wiggle(void* context, double t)
{
  const beside_root* c = context;
  return c->slope * sqrt(fabs(t - c->at)) + c->shift + c->along * t +
         c->size * sin(c->speed * t + c->phase);
}

TEST(what_wiggles_beside_a_root_is_not_taken_for_rounding)
{
  enum { samples = 5000 };
  uint64_t seed = 4;
  for (int run = 0; run < 2000; run++) {
    double x[7];
    for (int i = 0; i < 7; i++) x[i] = drawn(&seed);
    beside_root c = {1.2 * x[0] - 0.1,   x[1] - 0.5,    0,       x[5] - 0.5,
                     pow(10, -3 * x[2]), 3 + 60 * x[3], 6 * x[4]};
    c.shift = -wiggle(&c, x[6]);
    num_root out[256];
    const int n = num_roots(wiggle, &c, 0, 1, 1e-13, 256, out);
    int crossings = 0, seen = 0;
    for (int i = 0; i < n; i++) crossings += out[i].direction != 0;
    double before = wiggle(&c, 0);
    for (int i = 1; i <= samples; i++) {
      const double now = wiggle(&c, (double)i / samples);
      seen += before * now < 0;
      if (now != 0) before = now;
    }
    CHECK(crossings >= seen);
  }
}

typedef struct wave
{
  double a[6], w[6], p[6];
} wave;

static double wave_at(void* context, double t)
{
  const wave* v = context;
  double s = 0;
  for (int i = 0; i < 6; i++) s += v->a[i] * sin(v->w[i] * t + v->p[i]);
  return s;
}

TEST(no_sign_change_of_random_waves_is_missed)
{
  uint64_t seed = 12345;
  long found = 0;
  for (int run = 0; run < 300; run++) {
    wave v;
    double* all = v.a;
    for (int i = 0; i < 18; i++) all[i] = drawn(&seed);
    for (int i = 0; i < 6; i++) v.w[i] *= 25, v.p[i] *= 6.3, v.a[i] -= 0.5;
    num_root out[200];
    int n = num_roots(wave_at, &v, 0, 3, 1e-12, 200, out), k = 0;
    double before = wave_at(&v, 0);
    for (int i = 1; i <= 6000; i++) {
      double t = i * 0.0005, now = wave_at(&v, t);
      if (before * now < 0) {
        // the roots of this stretch: an odd number, in the right direction
        while (k < n && out[k].t < t - 0.0005) k++;
        CHECK(k < n && out[k].t <= t);
        if (k < n) CHECK_INT(out[k].direction, now > 0 ? 1 : -1);
        found++;
      }
      before = now;
    }
    for (int i = 0; i < n; i++) CHECK_NEAR(wave_at(&v, out[i].t), 0, 1e-10);
    for (int i = 1; i < n; i++) CHECK(out[i].t > out[i - 1].t);
  }
  CHECK(found > 3000);
}
