// Steps of one run by one thread, compiled together with the kernels of a model (above) and the table
// of coefficients of step/dop853_table.h. Where there is no CUDA it is plain C.
//
// Steps of Dormand and Prince, order 8(5,3), controlled as step/lanes_kernel.h does. Whoever makes
// them has
//   PLACES, SPEEDS, WORK   sizes: of q, of u, and 1 where the work of the forces is carried along
//   SLOPES                 how many are kept
//   OWN                    further fields of a run
//   BEFORE_END             1: the step to the end is not made
//   FORGET(r), PASSED(r)   something watched happens in the step that is tried
//   slopes(), settle()     rates of a state; the end of a step put where the motion may be; are they
//                          right?
//
// What steers the steps needs few digits: single precision, and a reciprocal that is roughly right.
// The operations of doubles are what a GPU has least of.

#define STATE (PLACES + SPEEDS)
// the state, and the work of the forces, which has no say in the steps
#define TOTAL (STATE + WORK)
#define LEAST 1e-16
#define TINY  2.2204460492503131e-16
// of an error of 1e-2, and how much longer than the first step the next may be: as step/lanes.c has
// it, so that the steps are the same ones
#define LOG_LEAST_ERROR -6.64385619f
#define MOST_GROWTH     20.0
enum { MOST_TROUBLE = 12, MOST_STEPS = 1000000 };

typedef struct run
{
  double t, t_carry, t_end, h, longest;
  float log_error; // of the last step: log2 of its error
  double y[TOTAL], carry[TOTAL];
  double k[SLOPES][TOTAL];
  double seen[2];
  // the last step
  double t_old, h_done, y_old[TOTAL];
  OWN
} run;

static __device__ bool slopes(run* r, double t, const double* y, double* k);
static __device__ bool settle(run* r, double t, double* y);
static __device__ bool grazes(const run* r);

// As step/lanes_kernel.h has it: a parabola through a, b, c at times 0, B, C comes down to zero, or
// near it, between them and rises again.
#define NEAR 0.1
static __device__ bool dips(double a, double b, double c, double B, double C)
{
  const double left = (b - a) / B, right = (c - b) / (C - B), bend = (right - left) / C;
  const double down = left - bend * B, up = right + bend * (C - B);
  return down < 0 && up > 0 && !(a - down * down / (4 * bend) > NEAR * b);
}

static __device__ void see(const double* y, double factor, double* seen)
{
  for (int i = 0; i < STATE; i++) {
    const int kind = i >= PLACES;
    seen[kind] = fmax(seen[kind], factor * fabs(y[i]));
  }
}

static __device__ double unit_of(int i, double y, const double* seen)
{
  const double rel = fmax(0.1 * TOLERANCE, 4 * TINY);
  return fmax(rel * (y + fmin(seen[i >= PLACES], 1.0)), LEAST);
}

static __device__ double most_of(const run* r, const double* x, const double* seen)
{
  double most = 0;
  for (int i = 0; i < STATE; i++)
    most = fmax(most, fabs(x[i]) * roughly_over(unit_of(i, fabs(r->y[i]), seen)));
  return most;
}

// Hairer, Norsett and Wanner II.4
static __device__ double first_step(run* r)
{
  double seen[2] = {0, 0}, w[STATE];
  const double span = r->t_end - r->t;
  see(r->y, 1, seen);
  see(r->k[0], 1e-3 * span, seen);
  const double d0 = most_of(r, r->y, seen), d1 = most_of(r, r->k[0], seen);
  const double least = 1e4 * TINY * fmax(fabs(r->t), fmin(span, 1.0));
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  h0 = fmin(fmax(h0, least), span);
  for (int i = 0; i < STATE; i++) w[i] = r->y[i] + h0 * r->k[0][i];
  if (!slopes(r, r->t + h0, w, r->k[1])) return h0 / 16;
  const double per_h0 = 1 / h0;
  double sick = 0;
  for (int i = 0; i < STATE; i++) {
    w[i] = (r->k[1][i] - r->k[0][i]) * per_h0;
    sick += 0 * w[i];
  }
  if (sick != 0) return h0 / 16;
  const double most = fmax(d1, most_of(r, w, seen));
  const double h1 = most <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : exp2f(-0.125f * log2f((float)(100 * most)));
  return fmin(fmax(fmin(100 * h0, h1), least), span);
}

// ---- a step -------------------------------------------------------------------------------------

#define K(NUMBER) k[NUMBER][i]
#define STAGE(NUMBER, C, SUM)                                     \
  do {                                                            \
    for (int i = 0; i < STATE; i++) w[i] = r->y[i] + h * (SUM);   \
    fine = slopes(r, r->t + (C)*h, w, r->k[NUMBER]) && fine;      \
  } while (0)

// y_new and its error in units of the tolerance; infinite where the rates are not right
static __device__ double attempt(run* r, double h, double t_new, double* y_new, double* carried,
                                 double* seen)
{
  double w[STATE];
  bool fine = true;
  double(*k)[TOTAL] = r->k;
  STAGE(1, c1, a1_0 * K(0));
  STAGE(2, c2, a2_0 * K(0) + a2_1 * K(1));
  STAGE(3, c3, a3_0 * K(0) + a3_2 * K(2));
  STAGE(4, c4, a4_0 * K(0) + a4_2 * K(2) + a4_3 * K(3));
  STAGE(5, c5, a5_0 * K(0) + a5_3 * K(3) + a5_4 * K(4));
  STAGE(6, c6, a6_0 * K(0) + a6_3 * K(3) + a6_4 * K(4) + a6_5 * K(5));
  STAGE(7, c7, a7_0 * K(0) + a7_3 * K(3) + a7_4 * K(4) + a7_5 * K(5) + a7_6 * K(6));
  STAGE(8, c8, a8_0 * K(0) + a8_3 * K(3) + a8_4 * K(4) + a8_5 * K(5) + a8_6 * K(6) + a8_7 * K(7));
  STAGE(9, c9, a9_0 * K(0) + a9_3 * K(3) + a9_4 * K(4) + a9_5 * K(5) + a9_6 * K(6) +
                   a9_7 * K(7) + a9_8 * K(8));
  STAGE(10, c10, a10_0 * K(0) + a10_3 * K(3) + a10_4 * K(4) + a10_5 * K(5) + a10_6 * K(6) +
                     a10_7 * K(7) + a10_8 * K(8) + a10_9 * K(9));
  STAGE(11, 1, a11_0 * K(0) + a11_3 * K(3) + a11_4 * K(4) + a11_5 * K(5) + a11_6 * K(6) +
                   a11_7 * K(7) + a11_8 * K(8) + a11_9 * K(9) + a11_10 * K(10));
  double most5 = 0, most3 = 0, sick = 0;
  for (int i = 0; i < TOTAL; i++) {
    const double k0 = K(0);
    const double slope =
        k0 + (b_5 * (K(5) - k0) + b_6 * (K(6) - k0) + b_7 * (K(7) - k0) + b_8 * (K(8) - k0) +
              b_9 * (K(9) - k0) + b_10 * (K(10) - k0) + b_11 * (K(11) - k0));
    const double add = h * slope + r->carry[i], sum = r->y[i] + add, part = sum - r->y[i];
    y_new[i] = sum;
    carried[i] = (r->y[i] - (sum - part)) + (add - part);
  }
  fine = settle(r, t_new, y_new) && fine;
  see(y_new, 1, seen);
  fine = slopes(r, t_new, y_new, r->k[12]) && fine;
  for (int i = 0; i < STATE; i++) {
    // of the differences to the first slope, as there
    const double k0 = K(0), d5 = K(5) - k0, d6 = K(6) - k0, d7 = K(7) - k0, d8 = K(8) - k0,
                 d9 = K(9) - k0, d10 = K(10) - k0, d11 = K(11) - k0;
    const double e5 = e_5 * d5 + e_6 * d6 + e_7 * d7 + e_8 * d8 + e_9 * d9 + e_10 * d10 + e_11 * d11;
    const double e3 = b_5 * d5 + b_6 * d6 + b_7 * d7 + (b_8 - w_8) * d8 + b_9 * d9 + b_10 * d10 +
                      (b_11 - w_11) * d11;
    const double slope = fmax(fabs(K(0)), fabs(K(11)));
    const double unit =
        fmax(unit_of(i, fmax(fabs(r->y[i]), fabs(y_new[i])), seen), 8 * TINY * h * slope);
    const double per_unit = roughly_over(unit);
    most5 = fmax(most5, fabs(e5) * per_unit);
    most3 = fmax(most3, fabs(e3) * per_unit);
    sick += 0 * ((e5 + e3) + (y_new[i] + K(12)));
  }
  if (!fine || sick != 0) return INFINITY;
  if (most5 == 0) return 0;
  const float ratio = (float)(most3 * roughly_over(most5));
  return h * most5 / sqrtf(1 + 0.01f * ratio * ratio);
}

enum { LOST, MADE, LEFT, ENDED };

// One step with as many trials as it takes: MADE, or LOST where no step is possible; LEFT before
// one in which something watched happens, ENDED before the one to the end.
static __device__ int advance(run* r, int* trials)
{
  bool rejected = false;
  int trouble = 0;
  for (;;) {
    const double limit = fmin(r->t + r->longest, r->t_end), left = limit - r->t, wish = r->h;
    const bool last = wish >= left * (1 - 1e-12);
    const double h = last ? left : 2 * wish > left ? left / 2 : wish;
    if (!(h >= 1e-300) || (!last && h < 16 * TINY * fabs(r->t))) return LOST;
    if (last && limit >= r->t_end && BEFORE_END) return ENDED;
    FORGET(r);
    const double add = h + r->t_carry, t_new = last ? limit : r->t + add;
    double y_new[TOTAL], carried[TOTAL], seen[2] = {r->seen[0], r->seen[1]};
    const double e = attempt(r, h, t_new, y_new, carried, seen);
    if (++*trials > MOST_STEPS) return LOST;
    if ((e <= 1 || e == INFINITY) && PASSED(r)) return LEFT;
    if (e <= 1) {
      const float log_e = log2f((float)fmax(e, 1e-14));
      const double f = 0.9f * exp2f((0.008f - 0.125f) * log_e + 0.04f * r->log_error);
      double next = h * fmin(fmax(f, 1.0 / 3), *trials == 1 ? MOST_GROWTH : 6.0);
      if (rejected) next = fmin(next, h);
      r->h = h < wish ? fmax(next, wish) : next;
      r->log_error = fmaxf(log_e, LOG_LEAST_ERROR);
      r->t_old = r->t;
      r->t_carry = last ? 0 : add - (t_new - r->t);
      r->t = t_new;
      r->h_done = h;
      for (int i = 0; i < TOTAL; i++) {
        r->y_old[i] = r->y[i];
        r->y[i] = y_new[i];
        r->carry[i] = carried[i];
      }
      r->seen[0] = seen[0];
      r->seen[1] = seen[1];
      return MADE;
    }
    rejected = true;
    if (e == INFINITY && ++trouble > MOST_TROUBLE) return LOST;
    r->h = e == INFINITY ? h / 2 : h * fmax((double)(0.9f * exp2f(-0.125f * log2f((float)e))), 1.0 / 6);
  }
}

