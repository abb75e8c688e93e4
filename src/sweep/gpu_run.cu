// One run of a sweep by one thread, from its params to its end: steps of gpu_step.cu. Events are
// looked for at points of the dense output of each step, and located on it.

// Where events change the state more depends on seeing them: steps are looked at more closely. A run
// in which one may have been missed is made elsewhere, as is one in which they come too close.
enum { LOOKS = JUMPS ? 16 : 4, HALVINGS = 80, MOST_JUMPS = 10000 };
#define CLOSE 1e-7

// rates of the state from those of the kernel: places from q', speeds from u'; are they right?
static __device__ bool slopes(run* r, double t, const double* y, double* k)
{
  double in[INPUTS], out[OUTPUTS];
  in[0] = t;
  for (int i = 0; i < STATE; i++) in[1 + i] = y[i];
  for (int i = 0; i < AXES; i++) in[1 + STATE + i] = r->p[i];
  rates(in, out);
  for (int i = 0; i < PLACES; i++) k[i] = out[SPEEDS + 1 + i];
  for (int i = 0; i < SPEEDS; i++) k[PLACES + i] = out[i];
  if (WORK) k[TOTAL - 1] = out[SPEEDS + PLACES + WORK];
  bool right = out[SPEEDS] > 0;
  for (int i = 0; i < WATCHES; i++) right = right && out[FIRST_WATCH + i] > 0;
  return right;
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
  r->log_error = LOG_LEAST_ERROR;
  r->seen[0] = r->seen[1] = 0;
  see(r->y, 1, r->seen);
  for (int i = 0; i < TOTAL; i++) r->carry[i] = 0;
  if (WORK) r->y[TOTAL - 1] = 0;
  double in[INPUTS], energies[2];
  point_of(r, r->t, r->y, in);
  energy(in, energies);
  r->H = energies[0];
  r->largest = fmax(fabs(energies[0]), fabs(energies[1]));
  return sick == 0 && r->t_end > r->t && slopes(r, r->t, r->y, r->k[0]);
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
  looks(in, g);
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

enum { GOES_ON, STOPS_HERE, JUMPS_HERE, UNSURE };

// what is known of the events: their values at the last look and the one before
typedef struct known
{
  double t[2], g[2][EVENTS];
  int count[EVENTS];
} known;

// may an event that keeps its sign have passed through zero and back between the last three looks?
static __device__ bool is_missed(const known* w, int e, double t, double g)
{
  const double sign = w->g[1][e] < 0 ? -1 : 1, a = sign * w->g[0][e], c = sign * g;
  return a > 0 && c > 0 &&
         dips(a, sign * w->g[1][e], c, w->t[1] - w->t[0], t - w->t[0]);
}

static __device__ void look_back(known* w, double t, const double* g)
{
  w->t[0] = w->t[1];
  w->t[1] = t;
  for (int e = 0; e < EVENTS; e++) {
    w->g[0][e] = w->g[1][e];
    w->g[1][e] = g[e];
  }
}

// What happens in the last step, in the order of time within each look. Where the run stops or the
// state changes it is put there; *which then changes it.
static __device__ int happen(run* r, known* w, double* time, int* which)
{
  curve c;
  double next[EVENTS], at[EVENTS];
  if (!draw(r, &c)) return GOES_ON;
  for (int look = 0; look < LOOKS; look++) {
    const double a = (double)look / LOOKS, b = (double)(look + 1) / LOOKS;
    const double t = r->t_old + b * r->h_done;
    double stop = 2, jump = 2;
    watch(r, &c, b, next);
    for (int e = 0; e < EVENTS; e++) {
      at[e] = passes(e, w->g[1][e], next[e]) ? locate(r, &c, e, a, b, w->g[1][e], next[e]) : 2;
      if (STOPS(e)) stop = fmin(stop, at[e]);
      if (JUMP(e) >= 0 && at[e] <= jump) {
        if (at[e] <= 1 && at[e] == jump) return UNSURE;
        jump = at[e];
        *which = e;
      }
      if (at[e] > 1 && is_missed(w, e, t, next[e])) return UNSURE;
    }
    if (stop <= 1 && stop == jump) return UNSURE;
    const double first = fmin(stop, jump);
    for (int e = 0; e < EVENTS; e++) {
      if (at[e] > 1 || at[e] > first) continue;
      w->count[e]++;
      for (int i = 0; i < TIMES; i++)
        if (TIME_EVENT(i) == e && TIME_WHICH(i) == w->count[e])
          time[i] = r->t_old + at[e] * r->h_done;
    }
    look_back(w, t, next);
    if (first > 1) continue;
    double y[TOTAL];
    state_at(r, &c, first, y);
    for (int i = 0; i < TOTAL; i++) r->y[i] = y[i];
    r->t = r->t_old + first * r->h_done;
    return stop < jump ? STOPS_HERE : JUMPS_HERE;
  }
  return GOES_ON;
}

// The values at the state of the run, from which events are looked for. One look before it lies on
// the tangent, so that the first looks tell, too, what may have been missed.
static __device__ void begin_looks(const run* r, known* w)
{
  double in[INPUTS], y[TOTAL], g[EVENTS];
  const double little = 1e-4 * r->h;
  point_of(r, r->t, r->y, in);
  looks(in, w->g[1]);
  for (int i = 0; i < STATE; i++) y[i] = r->y[i] + little * r->k[0][i];
  point_of(r, r->t + little, y, in);
  looks(in, g);
  w->t[0] = r->t - little;
  w->t[1] = r->t;
  for (int e = 0; e < EVENTS; e++) w->g[0][e] = 2 * w->g[1][e] - g[e];
}

#if JUMPS
// The state behind event e, from which the steps begin anew; false where that is for others. Energy
// that the event gives or takes is nobody's work. The event itself is on the side it now moves to;
// where others change sides they happen at once.
static __device__ bool leap(run* r, known* w, int e)
{
  double in[INPUTS], out[JUMPS * STATE], energies[2], before, sides[EVENTS];
  point_of(r, r->t, r->y, in);
  looks(in, sides);
  changed(in, out);
  energy(in, energies);
  before = energies[0];
  for (int i = 0; i < STATE; i++) {
    r->y[i] = out[JUMP(e) * STATE + i];
    r->carry[i] = 0;
  }
  point_of(r, r->t, r->y, in);
  energy(in, energies);
  r->H += energies[0] - before;
  r->largest = fmax(r->largest, fmax(fabs(energies[0]), fabs(energies[1])));
  r->t_carry = 0;
  r->log_error = LOG_LEAST_ERROR;
  see(r->y, 1, r->seen);
  if (!(r->t < r->t_end)) return true;
  if (!slopes(r, r->t, r->y, r->k[0])) return false;
  r->h = first_step(r);
  begin_looks(r, w);
  for (int i = 0; i < EVENTS; i++)
    if (i != e && !(sides[i] * w->g[1][i] > 0)) return false;
  const double was = w->g[1][e], rate = was - w->g[0][e];
  w->g[1][e] = rate > 0 ? 1e-300 : -1e-300;
  return rate != 0;
}
#endif
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
  known w;
#if JUMPS
  double last = -INFINITY;
  int jumps = 0;
#endif
  begin_looks(&r, &w);
  for (int e = 0; e < EVENTS; e++) w.count[e] = 0;
  for (int i = 0; i < TIMES; i++) result[COLUMNS + i] = NAN;
#endif
  while (r.t < r.t_end) {
    if (advance(&r, &trials) != MADE) return 0;
#if EVENTS
    int which = 0;
    const int what = happen(&r, &w, result + COLUMNS, &which);
    if (what == UNSURE) return 0;
    if (what == STOPS_HERE) break;
#if JUMPS
    if (what == JUMPS_HERE) {
      if (r.t - last < CLOSE * (r.t_end - r.t) || ++jumps > MOST_JUMPS || !leap(&r, &w, which)) return 0;
      last = r.t;
      continue;
    }
#endif
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
    if (!TIME_WHICH(i)) result[COLUMNS + i] = w.count[TIME_EVENT(i)];
#endif
  return trials;
}

// behind the values of all runs: which one each thread takes
#ifdef __cplusplus
extern "C"
#endif
__global__ void zwang_runs(long long count, const double* value, double* result, int* trials)
{
  const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const long long i = ((const int*)(value + count * AXES))[thread];
  trials[i] = follow(value + i * AXES, result + i * (COLUMNS + TIMES));
}
