// A plain stretch of one run by one thread: steps of gpu_step.cu, each put back on the constraints,
// until something watched is about to happen or the end is one step away. As sweep/convoy.c has it.

#define SETTLED   1e-12
#define UNSETTLED 1e-9
enum { CHANGES = 3 };

static __device__ void point_of(const run* r, double t, const double* y, double* in)
{
  in[0] = t;
  for (int i = 0; i < STATE; i++) in[1 + i] = y[i];
  for (int i = 1 + STATE; i < INPUTS; i++) in[i] = r->rest[i - 1 - STATE];
}

static __device__ bool slopes(run* r, double t, const double* y, double* k)
{
  double in[INPUTS], out[OUTPUTS];
  point_of(r, t, y, in);
  rates(in, out);
  for (int i = 0; i < PLACES; i++) k[i] = out[PLACES + 1 + i];
  for (int i = 0; i < PLACES; i++) k[PLACES + i] = out[i];
  if (WORK) k[TOTAL - 1] = out[POWER];
  for (int i = 0; i < WATCHES; i++)
    if (!(out[FIRST_WATCH + i] > 0)) r->passed = true;
  return out[PLACES] > 0;
}

#if PUTS_PLACES || PUTS_SPEEDS
// d is added to x: is another change needed, and was this one small?
static __device__ bool change(const double* d, double* x, bool* small)
{
  double most = 0, size = 0;
  for (int i = 0; i < PLACES; i++) {
    x[i] += d[i];
    most = d[i] == d[i] ? fmax(most, fabs(d[i])) : INFINITY;
    if (most == INFINITY) break;
    size = fmax(size, fabs(x[i]));
  }
  *small = most <= UNSETTLED * size;
  return most > SETTLED * size;
}
#endif

static __device__ bool settle(run* r, double t, double* y)
{
  bool fine = true;
#if PUTS_PLACES || PUTS_SPEEDS
  double in[INPUTS], d[PLACES + 1];
  bool small = true;
  point_of(r, t, y, in);
#if PUTS_PLACES
  for (int i = 0, more = 1; i < CHANGES && more; i++) {
    places(in, d);
    more = change(d, in + 1, &small);
    fine = fine && d[PLACES] > 0;
  }
  fine = fine && small;
#endif
#if PUTS_SPEEDS
  for (int i = 0, more = 1; i < (STRAIGHT ? 1 : CHANGES) && more; i++) {
    speeds(in, d);
    more = change(d, in + 1 + PLACES, &small);
    fine = fine && d[PLACES] > 0;
  }
  fine = fine && (STRAIGHT || small);
#endif
  for (int i = 0; i < STATE; i++) y[i] = in[1 + i];
#else
  (void)r;
  (void)t;
  (void)y;
#endif
  return fine;
}

// from: t, t_end, longest step, y, the rest of the inputs; to: how it ended, t, steps tried, work, y
static __device__ void follow(const double* from, double* to)
{
  run r;
  int trials = 0, how = LOST;
  r.t = from[0];
  r.t_end = from[1];
  r.longest = from[2];
  r.rest = from + 3 + STATE;
  r.t_carry = r.seen[0] = r.seen[1] = 0;
  r.log_error = LOG_LEAST_ERROR;
  r.passed = false;
  for (int i = 0; i < TOTAL; i++) {
    r.y[i] = i < STATE ? from[3 + i] : 0;
    r.carry[i] = 0;
  }
  see(r.y, 1, r.seen);
  if (slopes(&r, r.t, r.y, r.k[0])) {
    r.h = first_step(&r);
    while ((how = advance(&r, &trials)) == MADE)
      for (int i = 0; i < TOTAL; i++) r.k[0][i] = r.k[12][i];
  }
  to[0] = how;
  to[1] = r.t;
  to[2] = trials;
  to[3] = WORK ? r.y[TOTAL - 1] : 0;
  for (int i = 0; i < STATE; i++) to[4 + i] = r.y[i];
}

#ifdef __cplusplus
extern "C"
#endif
__global__ void zwang_stretch(long long count, const double* from, double* to)
{
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) follow(from + i * (INPUTS + 2), to + i * (4 + STATE));
}
