// One run of a sweep by one thread, compiled together with the kernels of a model (above) and the
// table of coefficients of num/dop853_table.h. Where there is no CUDA it is plain C.
//
// Steps of Dormand and Prince, order 8(5,3), controlled as num/lanes_kernel.h does. Events are
// looked for at four points of the dense output of each step, and located on it.

#define STATE  (PLACES + SPEEDS)
#define INPUTS (1 + STATE + AXES)
// the state, and the work of the forces, which has no say in the steps
#define TOTAL  (STATE + WORK)
#define LEAST  1e-16
#define TINY   2.2204460492503131e-16
enum { SLOPES = EVENTS ? 16 : 13, MOST_TROUBLE = 12, MOST_STEPS = 1000000, LOOKS = 4, HALVINGS = 80 };

typedef struct run
{
  double t, t_carry, t_end, h, error_old, longest;
  double y[TOTAL], carry[TOTAL], p[AXES];
  double k[SLOPES][TOTAL];
  double seen[2];
  // the last step
  double t_old, h_done, y_old[TOTAL];
  // energies at the start
  double H, largest;
} run;

// rates of the state from those of the kernel: places from q', speeds from u'; are they right?
static __device__ bool slopes(const run* r, double t, const double* y, double* k)
{
  double in[INPUTS], out[SPEEDS + 1 + PLACES + WORK];
  in[0] = t;
  for (int i = 0; i < STATE; i++) in[1 + i] = y[i];
  for (int i = 0; i < AXES; i++) in[1 + STATE + i] = r->p[i];
  rates(in, out);
  double sick = 0;
  for (int i = 0; i < PLACES; i++) k[i] = out[SPEEDS + 1 + i];
  for (int i = 0; i < SPEEDS; i++) k[PLACES + i] = out[i];
  if (WORK) k[TOTAL - 1] = out[SPEEDS + PLACES + WORK];
  for (int i = 0; i < STATE; i++) sick += 0 * k[i];
  return out[SPEEDS] > 0 && sick == 0;
}

static __device__ void point_of(const run* r, double t, const double* y, double* in)
{
  in[0] = t;
  for (int i = 0; i < STATE; i++) in[1 + i] = y[i];
  for (int i = 0; i < AXES; i++) in[1 + STATE + i] = r->p[i];
}

// ---- the start ----------------------------------------------------------------------------------

static __device__ bool is_met(const double* left)
{
  bool met = true;
  for (int i = 0; i < ROWS; i++) met = met && fabs(left[i]) <= 1e-11;
  return met;
}

static __device__ bool begin(run* r)
{
  double out[2 + STATE + ROWS + BOUNDS];
  start(r->p, out);
  for (int i = 0; i < BOUNDS; i++)
    if (!(out[2 + STATE + ROWS + i] >= 0)) return false;
  for (int i = 0; i < STATE; i++) r->y[i] = out[2 + i];
  if (!is_met(out + 2 + STATE)) {
#if NEAREST
    double near[CHANGES + 1 + SPEEDS + ROWS];
    nearest(r->p, near);
    if (!(near[CHANGES] > 0) || !is_met(near + CHANGES + 1 + SPEEDS)) return false;
    for (int i = 0; i < SPEEDS; i++) r->y[PLACES + i] = near[CHANGES + 1 + i];
#else
    return false;
#endif
  }
  r->t = out[0];
  r->t_end = out[1];
  double sick = 0 * r->t + 0 * r->t_end;
  for (int i = 0; i < STATE; i++) sick += 0 * r->y[i];
  r->longest = BY_TIME ? (r->t_end - r->t) / 501 : r->t_end - r->t;
  r->t_carry = 0;
  r->error_old = 1e-4;
  r->seen[0] = r->seen[1] = 0;
  for (int i = 0; i < TOTAL; i++) r->carry[i] = 0;
  if (WORK) r->y[TOTAL - 1] = 0;
  double in[INPUTS], energies[2];
  point_of(r, r->t, r->y, in);
  energy(in, energies);
  r->H = energies[0];
  r->largest = fmax(fabs(energies[0]), fabs(energies[1]));
  return sick == 0 && r->t_end > r->t && slopes(r, r->t, r->y, r->k[0]);
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
    most = fmax(most, fabs(x[i]) / unit_of(i, fabs(r->y[i]), seen));
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
  for (int i = 0; i < STATE; i++) w[i] = (r->k[1][i] - r->k[0][i]) / h0;
  const double most = fmax(d1, most_of(r, w, seen));
  const double h1 = most <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / most, 0.125);
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
    if (i < STATE) sick += 0 * sum;
  }
  see(r->y, 1, seen);
  see(y_new, 1, seen);
  for (int i = 0; i < STATE; i++) {
    const double e5 = e_0 * K(0) + e_5 * K(5) + e_6 * K(6) + e_7 * K(7) + e_8 * K(8) +
                      e_9 * K(9) + e_10 * K(10) + e_11 * K(11);
    const double e3 = (b_0 - w_0) * K(0) + b_5 * K(5) + b_6 * K(6) + b_7 * K(7) +
                      (b_8 - w_8) * K(8) + b_9 * K(9) + b_10 * K(10) + (b_11 - w_11) * K(11);
    const double slope = fmax(fabs(K(0)), fabs(K(11)));
    const double unit =
        fmax(unit_of(i, fmax(fabs(r->y[i]), fabs(y_new[i])), seen), 8 * TINY * h * slope);
    most5 = fmax(most5, fabs(e5) / unit);
    most3 = fmax(most3, fabs(e3) / unit);
    sick += 0 * (e5 + e3);
  }
  fine = slopes(r, t_new, y_new, r->k[12]) && fine && sick == 0;
  if (!fine) return INFINITY;
  if (most5 == 0) return 0;
  return h * most5 / sqrt(1 + 0.01 * (most3 / most5) * (most3 / most5));
}

// one step with as many trials as it takes; false where no step is possible
static __device__ bool advance(run* r, int* trials)
{
  bool rejected = false;
  int trouble = 0;
  for (;;) {
    const double limit = fmin(r->t + r->longest, r->t_end), left = limit - r->t, wish = r->h;
    const bool last = wish >= left * (1 - 1e-12);
    const double h = last ? left : 2 * wish > left ? left / 2 : wish;
    if (!(h >= 1e-300) || (!last && h < 16 * TINY * fabs(r->t))) return false;
    const double add = h + r->t_carry, t_new = last ? limit : r->t + add;
    double y_new[TOTAL], carried[TOTAL], seen[2] = {r->seen[0], r->seen[1]};
    const double e = attempt(r, h, t_new, y_new, carried, seen);
    if (++*trials > MOST_STEPS) return false;
    if (e <= 1) {
      const double f = 0.9 * pow(fmax(e, 1e-14), 0.008 - 0.125) * pow(r->error_old, 0.04);
      double next = h * fmin(fmax(f, 1.0 / 3), 6.0);
      if (rejected) next = fmin(next, h);
      r->h = h < wish ? fmax(next, wish) : next;
      r->error_old = fmax(e, 1e-4);
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
      return true;
    }
    rejected = true;
    if (e == INFINITY && ++trouble > MOST_TROUBLE) return false;
    r->h = e == INFINITY ? h / 2 : h * fmax(0.9 * pow(e, -0.125), 1.0 / 6);
  }
}

// ---- events -------------------------------------------------------------------------------------

#if EVENTS
typedef struct curve
{
  double r1[TOTAL], r2[TOTAL], r3[TOTAL], r4[TOTAL], r5[TOTAL], r6[TOTAL], r7[TOTAL];
} curve;

// three more stages, and the polynomial of the last step in Hairer's nested form
static __device__ bool draw(run* r, curve* c)
{
  double w[STATE];
  bool fine = true;
  double(*k)[TOTAL] = r->k;
  const double h = r->h_done, t = r->t;
  const double* y = r->y_old;
#define MORE(NUMBER, C, SUM)                                         \
  do {                                                               \
    for (int i = 0; i < STATE; i++) w[i] = y[i] + h * (SUM);         \
    fine = slopes(r, r->t_old + (C)*h, w, r->k[NUMBER]) && fine;     \
  } while (0)
  (void)t;
  MORE(13, c13, a13_0 * K(0) + a13_6 * K(6) + a13_7 * K(7) + a13_8 * K(8) + a13_9 * K(9) +
                    a13_10 * K(10) + a13_11 * K(11) + a13_12 * K(12));
  MORE(14, c14, a14_0 * K(0) + a14_5 * K(5) + a14_6 * K(6) + a14_7 * K(7) + a14_10 * K(10) +
                    a14_11 * K(11) + a14_12 * K(12) + a14_13 * K(13));
  MORE(15, c15, a15_0 * K(0) + a15_5 * K(5) + a15_6 * K(6) + a15_7 * K(7) + a15_8 * K(8) +
                    a15_12 * K(12) + a15_13 * K(13) + a15_14 * K(14));
  for (int i = 0; i < TOTAL; i++) {
    double high[4];
    for (int p = 0; p < 4; p++) {
      double sum = d[p][0] * K(0);
      for (int j = 1; j < 12; j++) sum += d[p][j] * K(j + 4);
      high[p] = h * sum;
    }
    c->r1[i] = r->y[i] - y[i];
    c->r2[i] = h * K(0) - c->r1[i];
    c->r3[i] = c->r1[i] - h * K(12) - c->r2[i];
    c->r4[i] = high[0];
    c->r5[i] = high[1];
    c->r6[i] = high[2];
    c->r7[i] = high[3];
  }
  return fine;
}

static __device__ void state_at(const run* r, const curve* c, double x, double* y)
{
  const double z = 1 - x;
  for (int i = 0; i < TOTAL; i++) {
    double p = c->r4[i] + x * (c->r5[i] + z * (c->r6[i] + x * c->r7[i]));
    p = c->r1[i] + z * (c->r2[i] + x * (c->r3[i] + z * p));
    y[i] = x >= 1 ? r->y[i] : r->y_old[i] + x * p;
  }
}

static __device__ void watch(const run* r, const curve* c, double x, double* g)
{
  double y[TOTAL], in[INPUTS];
  state_at(r, c, x, y);
  point_of(r, r->t_old + x * r->h_done, y, in);
  watches(in, g);
}

// the place between a and b where event e passes through zero, by halving with a step of the secant
// in between
static __device__ double locate(const run* r, const curve* c, int e, double a, double b, double ga,
                                double gb)
{
  double g[EVENTS];
  for (int i = 0; i < HALVINGS && b - a > 4 * TINY * (fabs(a) + fabs(b)); i++) {
    double x = i % 3 == 2 ? (a + b) / 2 : b - gb * (b - a) / (gb - ga);
    if (!(x > a && x < b)) x = (a + b) / 2;
    watch(r, c, x, g);
    if (g[e] == 0) return x;
    if ((g[e] < 0) == (ga < 0)) {
      a = x;
      ga = g[e];
    } else {
      b = x;
      gb = g[e];
    }
  }
  return b;
}

static __device__ bool passes(int e, double before, double after)
{
  const bool up = before < 0 && after >= 0, down = before > 0 && after <= 0;
  return (up && DIRECTION(e) >= 0) || (down && DIRECTION(e) <= 0);
}

// What happens in the last step, in the order of time within each look; true where the run stops.
// g: values of the events at its beginning, then at its end.
static __device__ bool happen(run* r, double* g, int* count, double* time)
{
  curve c;
  double next[EVENTS], at[EVENTS];
  if (!draw(r, &c)) return false;
  for (int look = 0; look < LOOKS; look++) {
    const double a = (double)look / LOOKS, b = (double)(look + 1) / LOOKS;
    double stop = 2;
    watch(r, &c, b, next);
    for (int e = 0; e < EVENTS; e++) {
      at[e] = passes(e, g[e], next[e]) ? locate(r, &c, e, a, b, g[e], next[e]) : 2;
      if (STOPS(e)) stop = fmin(stop, at[e]);
    }
    for (int e = 0; e < EVENTS; e++) {
      g[e] = next[e];
      if (at[e] > 1 || at[e] > stop) continue;
      count[e]++;
      for (int i = 0; i < TIMES; i++)
        if (TIME_EVENT(i) == e && TIME_WHICH(i) == count[e])
          time[i] = r->t_old + at[e] * r->h_done;
    }
    if (stop > 1) continue;
    double y[TOTAL];
    state_at(r, &c, stop, y);
    for (int i = 0; i < TOTAL; i++) r->y[i] = y[i];
    r->t = r->t_old + stop * r->h_done;
    return true;
  }
  return false;
}
#endif

// Has energy changed by the work of the forces alone? As sweep/bundle.c has it.
static __device__ bool is_trusted(const run* r, const double* in)
{
  double energies[2];
  energy(in, energies);
  const double H = energies[0], work = WORK ? r->y[TOTAL - 1] : 0;
  const double largest = fmax(fmax(r->largest, fabs(H)), fmax(fabs(energies[1]), fabs(work)));
  return fabs(H - r->H - work) <= ALLOWED * (largest > 0 ? largest : 1);
}

// ---- the runs -----------------------------------------------------------------------------------

// the whole run; the trials made, 0 where it must be made elsewhere
static __device__ int follow(const double* value, double* result)
{
  run r;
  int trials = 0;
  for (int i = 0; i < AXES; i++) r.p[i] = value[i];
  if (!begin(&r)) return 0;
  r.h = first_step(&r);
#if EVENTS
  double g[EVENTS], in0[INPUTS];
  int count[EVENTS];
  point_of(&r, r.t, r.y, in0);
  watches(in0, g);
  for (int e = 0; e < EVENTS; e++) count[e] = 0;
  for (int i = 0; i < TIMES; i++) result[COLUMNS + i] = NAN;
#endif
  while (r.t < r.t_end) {
    if (!advance(&r, &trials)) return 0;
#if EVENTS
    if (happen(&r, g, count, result + COLUMNS)) break;
#endif
    for (int i = 0; i < TOTAL; i++) r.k[0][i] = r.k[12][i];
  }
  double in[INPUTS], out[BEFORE + COLUMNS + 1];
  point_of(&r, r.t, r.y, in);
  results(in, out);
  if (BEFORE && !(out[BEFORE ? BEFORE - 1 : 0] > 0)) return 0;
  if (!is_trusted(&r, in)) return 0;
  for (int i = 0; i < COLUMNS; i++) result[i] = out[BEFORE + i];
#if EVENTS
  for (int i = 0; i < TIMES; i++)
    if (!TIME_WHICH(i)) result[COLUMNS + i] = count[TIME_EVENT(i)];
#endif
  return trials;
}

#ifdef __cplusplus
extern "C"
#endif
__global__ void zwang_runs(long long count, const double* value, double* result, int* trials)
{
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) trials[i] = follow(value + i * AXES, result + i * (COLUMNS + TIMES));
}
