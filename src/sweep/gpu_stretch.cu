// A plain stretch of one run by one thread: steps of gpu_step.cu, each put back on the constraints,
// until something watched is about to happen or the end is one step away. As sweep/convoy.c has it.

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
  // of the stages that grazes() looks at
  const int stage = ++r->stage, kept = stage == 5 ? 1 : stage == 9 ? 2 : stage == 10 ? 3 : 4;
  for (int i = 0; i < WATCHES; i++) {
    const double value = out[FIRST_WATCH + i];
    if (!(value > 0)) r->passed = true;
    if (kept < 4 || stage == 12) r->g[kept][i] = value;
  }
  return out[PLACES] > 0;
}

// may something watched pass zero and come back between the stages of the step that was tried?
static __device__ bool grazes(const run* r)
{
  bool grazed = false;
  for (int i = 0; i < WATCHES; i++) {
    const double begin = r->g[0][i], third = r->g[1][i], half = r->g[2][i], late = r->g[3][i],
                 end = r->g[4][i];
    grazed = grazed || dips(begin, third, half, c5, c9) ||
             dips(third, half, late, c9 - c5, c10 - c5) ||
             dips(half, late, end, c10 - c9, 1 - c9) || dips(begin, half, end, c9, 1);
  }
  return grazed;
}

static __device__ void keep_last(run* r)
{
  for (int i = 0; i < WATCHES; i++) r->g[0][i] = r->g[4][i];
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
  r.stage = 11;
  if (slopes(&r, r.t, r.y, r.k[0])) {
    keep_last(&r);
    r.h = first_step(&r);
    while ((how = advance(&r, &trials)) == MADE) {
      keep_last(&r);
      for (int i = 0; i < TOTAL; i++) r.k[0][i] = r.k[12][i];
    }
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
