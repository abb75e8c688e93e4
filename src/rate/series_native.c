// The power series of the motion by machine code: the recurrence of series.c in one kernel.
//
// The kernel knows all rows of constraints. Those that are not active have zeros for rows and
// columns of the inverse, and so no reactions, whatever their equations say.
#include "rate/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill_plan(const engine_program* p, int* K, int* r, int* input, double* sign)
{
  const int n = p->n, m = p->m, all = n + m, acceleration = 1 + 2 * n + 3 * p->p;
  for (int i = 0; i < all * all; i++) K[i] = -1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) K[i * all + j] = rate_eom_M(p, i, j);
    r[i] = rate_eom_F(p, i);
    input[i] = acceleration + i;
    sign[i] = 1;
  }
  for (int k = 0; k < m; k++) {
    for (int j = 0; j < n; j++) K[(n + k) * all + j] = K[j * all + n + k] = rate_eom_A(p, k, j);
    r[n + k] = rate_eom_c(p, k);
    input[n + k] = acceleration + n + k;
    sign[n + k] = -1;
  }
}

code_series* rate_series_native_new(const engine_program* p, int order, bool works)
{
  const int all = p->n + p->m;
  const size_t cells = (size_t)(all * all), n = (size_t)all;
  int* places = base_alloc((cells + 2 * n + 1) * sizeof *places);
  double* sign = base_alloc((n + 1) * sizeof *sign);
  int *r = places + cells, *input = r + n;
  fill_plan(p, places, r, input, sign);
  code_series* native = code_series_new(&(code_series_plan){.of = engine_full_equations(p),
                                                            .unknowns = all,
                                                            .K = places,
                                                            .r = r,
                                                            .also = works ? p->energy : NULL,
                                                            .output = engine_power,
                                                            .input = input,
                                                            .sign = sign,
                                                            .order = order});
  free(places);
  free(sign);
  return native;
}

// room with noughts in it
static double* scratch_of(engine* e, const code_series* of)
{
  return base_arena_take(e->arena, (code_series_scratch(of) + 1) * sizeof(double));
}

// made where it is asked for first: a kernel of accelerations may do without
static void make_room(rate_series* s)
{
  engine* e = s->e;
  const size_t n = (size_t)(e->n + e->m);
  if (s->native_scratch) return;
  s->native_scratch = scratch_of(e, s->native);
  s->right = base_arena_take(e->arena, (n + 1) * sizeof(double));
  s->whole = base_arena_take(e->arena, (n * n + 1) * sizeof(double));
}

// the inverse with its scales taken back, and x at order 0
static void invert(rate_series* s)
{
  const engine* e = s->e;
  const int n = e->n, all = n + s->rows, full = n + e->m;
  if (s->rows < e->m) memset(s->whole, 0, sizeof(double) * (size_t)(full * full));
  for (int i = 0; i < full; i++) s->x[i] = 0;
  for (int j = 0; j < all; j++) {
    const int to = j < n ? j : n + s->row[j - n];
    for (int i = 0; i < all; i++) s->sum[i] = i == j ? s->scale[j] : 0;
    num_lu_solve(all, s->K, s->pivot, s->sum);
    for (int i = 0; i < all; i++) {
      const int at = i < n ? i : n + s->row[i - n];
      const double entry = s->scale[i] * s->sum[i];
      s->whole[at * full + to] = entry;
      s->x[at] += entry * s->right[to];
    }
  }
}

static void set_inputs(const rate_series* s, const code_series* of, double* scratch, int k,
                       const double* state)
{
  const engine* e = s->e;
  const int n = e->n, p = e->p;
  code_series_set(of, scratch, 1, 2 * n, state);
  if (k <= 2) code_series_set(of, scratch, 0, 1, &(double){k == 1});
  for (int i = 0; i < p && k <= rate_series_ramp_orders; i++) {
    double ramp[3];
    rate_series_ramp(s, i, k, ramp);
    for (int d = 0; d < 3; d++) code_series_set(of, scratch, 1 + 2 * n + i + d * p, 1, &ramp[d]);
  }
}

// coefficients k + 1 of the state
static void advance(const rate_series* s, int k, const double* row, const double* here,
                    double* next)
{
  const int n = s->e->n;
  for (int i = 0; i < n; i++) next[i] = here[n + i] / (k + 1);
  for (int i = 0; i < n; i++) next[n + i] = row[i] / (k + 1);
  // a power that is a number is the jet's
  const double power = s->works ? row[n + s->e->m]
                       : k      ? 0
                                : code_jet_out(s->power, s->power_scratch, 0)[0];
  next[2 * n] = power / (k + 1);
  for (int r = 0; s->watches && r < s->rows; r++)
    s->multiplier[k * s->e->m + r] = row[n + s->row[r]];
}

bool rate_series_native_expand(rate_series* s, const double* y, int order, double* c)
{
  const engine* e = s->e;
  const int width = 2 * e->n + 1;
  make_room(s);
  memcpy(c, y, sizeof(double) * (size_t)width);
  code_series_start(s->native, s->native_scratch, e->in, s->K0, s->right);
  if (rate_series_factor(s)) return false;
  invert(s);
  code_series_begin(s->native, s->native_scratch, s->whole, s->x);
  for (int k = 0; k < order; k++, c += width) {
    if (k > 0) {
      set_inputs(s, s->native, s->native_scratch, k, c);
      code_series_run(s->native, s->native_scratch, k);
    }
    advance(s, k, code_series_row(s->native, s->native_scratch, k), c, c + width);
  }
  for (int i = 0; i < width; i++)
    if (!isfinite(c[i])) return false;
  return true;
}

// ---- from accelerations -------------------------------------------------------------------------

static void release(void* series)
{
  code_series_free(series);
}

// null where the recurrence is cheaper
static code_series* make_direct(const rate_series* s, rate_lanes_outputs now)
{
  const int n = s->e->n;
  int* r = base_alloc((size_t)(n + 2) * sizeof *r);
  for (int i = 0; i < n; i++) r[i] = now.depends[i] ? now.put_rate[i] : now.put[i];
  r[n] = now.power;
  r[n + 1] = now.guard;
  code_series* direct = code_series_new(&(code_series_plan){
      .of = now.kernel, .unknowns = n + 1, .r = r, .starts = 1, .order = s->order + 1});
  free(r);
  if (direct && code_series_cost(direct) <= code_series_cost(s->native)) return direct;
  code_series_free(direct);
  return NULL;
}

// that of the kernel, for all engines that have it
static const code_series* direct_of(rate_series* s, rate_lanes_outputs now)
{
  engine* e = s->e;
  const struct by
  {
    const code_kernel* kernel;
    long order;
  } by = {now.kernel, s->order};
  const base_key key = {"direct", &by, sizeof by};
  void* found;
  const bool own = engine_has_attached(e, now.kernel);
  if (own)
    base_kept_lock(e->s->kept);
  else
    base_kept_open(e->s->kept);
  if (own || !base_kept_find(e->s->kept, key, &found)) {
    found = make_direct(s, now);
    if (!own)
      engine_keep(e, key, found, release);
    else if (found)
      engine_attach(e, release, found);
  }
  base_kept_unlock(e->s->kept);
  return found;
}

void rate_series_direct_make(rate_flow* f)
{
  rate_series* s = f->series;
  const engine* e = s->e;
  const rate_lanes_outputs now = rate_lanes_now(f->abreast);
  // events may ask for reactions, which only the other way finds
  if (!now.kernel || (s->watches && e->mode.rows)) return;
  s->direct = direct_of(s, now);
  if (!s->direct) return;
  s->direct_of = now.kernel;
  s->direct_scratch = scratch_of(s->e, s->direct);
  s->direct_right = base_arena_take(e->arena, (size_t)(e->n + 2) * sizeof(double));
}

// of coordinates and velocities: coefficients k that the kernel gives, and k + 1 of the others
static void advance_direct(int n, const bool* depends, int k, const double* row, double* here,
                           double* next)
{
  for (int i = 0; i < n; i++) {
    if (depends[i] && k > 0) here[n + i] = row[i];
    next[i] = (depends[i] ? row[i] : here[n + i]) / (k + 1);
    next[n + i] = row[i] / (k + 1);
  }
  next[2 * n] = row[n] / (k + 1);
}

bool rate_series_direct_expand(rate_flow* f, const double* y, int order, double* c)
{
  rate_series* s = f->series;
  const engine* e = s->e;
  const int n = e->n, width = 2 * n + 1;
  const rate_lanes_outputs now = f->abreast ? rate_lanes_now(f->abreast) : (rate_lanes_outputs){0};
  if (now.kernel != s->direct_of) return false;
  double* scratch = s->direct_scratch;
  memcpy(c, y, sizeof(double) * (size_t)width);
  code_series_start(s->direct, scratch, e->in, NULL, s->direct_right);
  if (!(s->direct_right[n + 1] > 0)) return false;
  code_series_begin(s->direct, scratch, NULL, s->direct_right);
  bool any = false;
  for (int i = 0; i < n; i++) any |= now.depends[i];
  for (int k = 0; k < order; k++, c += width) {
    if (k > 0) {
      set_inputs(s, s->direct, scratch, k, c);
      code_series_run(s->direct, scratch, k);
    }
    const double* row = code_series_row(s->direct, scratch, k);
    advance_direct(n, now.depends, k, row, c, c + width);
  }
  // the last coefficients of dependent velocities
  if (any) {
    set_inputs(s, s->direct, scratch, order, c);
    code_series_run(s->direct, scratch, order);
    const double* row = code_series_row(s->direct, scratch, order);
    for (int i = 0; i < n; i++)
      if (now.depends[i]) c[n + i] = row[i];
  }
  for (int i = 0; i < width; i++)
    if (!isfinite(c[i])) return false;
  return true;
}
