// The end of a step put back on the constraints, as sweep/settle.c has it.

#define SETTLED   1e-12
#define UNSETTLED 1e-9
enum { TURNS = 3 };

static __device__ void point_of(const run* r, double t, const double* y, double* in);

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
  for (int i = 0, more = 1; i < TURNS && more; i++) {
    places(in, d);
    more = change(d, in + 1, &small);
    fine = fine && d[PLACES] > 0;
  }
  fine = fine && small;
#endif
#if PUTS_SPEEDS
  for (int i = 0, more = 1; i < (STRAIGHT ? 1 : TURNS) && more; i++) {
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
