// The motion as a power series in time: y = (q, v, work), order by order.
//
// With q and v known to order k the jets give M, F, A and c to that order, and
//   K x = r,   K = ( M  A^T )   x = (    a    )   r = ( F )
//                  ( A   0  )       ( -Lambda )       ( c )
// is solved as a product of series: K_0 x_k = r_k - sum_(j=1..k) K_j x_(k-j), with one factored
// matrix for all orders. Then v_(k+1) = a_k / (k + 1), q_(k+1) = v_k / (k + 1), and the same for
// the work. M may be singular as long as K_0 is not: as long as it is positive along what A leaves
// free.
#include "rate/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_inverted = rate_series_inverted, ramp_orders = rate_series_ramp_orders };

static void* take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count + 1) * size);
}

// ---- what all engines of a program share --------------------------------------------------------

static void release(void* thing)
{
  rate_series_shared* s = thing;
  code_jet_free(s->eom);
  code_jet_free(s->power);
  code_jet_free(s->watches);
  code_series_free(s->native);
  free(s);
}

static rate_series_shared* make_shared(const engine_program* p, int order)
{
  rate_series_shared* s = base_alloc(sizeof *s);
  s->eom = code_jet_new(engine_full_equations(p), order, p->n + p->m);
  s->power = code_jet_new_of(p->energy, 1, (int[]){engine_power}, order, 0);
  s->watches = code_jet_new(p->watches, order, 0);
  if (code_outputs(p->watches) == 0 || !code_jet_is_smooth(s->watches)) {
    code_jet_free(s->watches);
    s->watches = NULL;
  }
  s->native = rate_series_native_new(p, order, !code_jet_is_steady(s->power, 0));
  return s;
}

static const rate_series_shared* shared_of(const engine* e, int order)
{
  const struct by
  {
    const engine_program* program;
    long order;
  } by = {e->program, order};
  const base_key key = {"series", &by, sizeof by};
  void* found;
  base_kept_open(e->s->kept);
  if (!base_kept_find(e->s->kept, key, &found)) {
    found = make_shared(e->program, order);
    base_kept_add(e->s->kept, key, found, release);
  }
  base_kept_unlock(e->s->kept);
  return found;
}

// ---- of one engine ------------------------------------------------------------------------------

static double* scratch_of(engine* e, const code_jet* j)
{
  double* scratch = take(e, code_jet_scratch(j), sizeof(double));
  code_jet_clear(j, scratch);
  return scratch;
}

// Room for the jets, once they are asked for: where machine code expands all there is to expand, a
// short run would take longer to clear it than to move.
static void make_room(rate_series* s)
{
  if (s->eom_scratch) return;
  s->eom_scratch = scratch_of(s->e, s->eom);
  if (s->works) s->power_scratch = scratch_of(s->e, s->power);
}

rate_series* rate_series_new(engine* e, int order)
{
  const size_t n = (size_t)e->n, all = n + (size_t)e->m;
  const rate_series_shared* shared = shared_of(e, order);
  rate_series* s = take(e, 1, sizeof *s);
  s->e = e;
  s->order = order;
  s->eom = shared->eom;
  s->power = shared->power;
  s->watches = shared->watches;
  s->native = shared->native;
  s->works = !code_jet_is_steady(s->power, 0);
  if (!s->works) s->power_scratch = scratch_of(e, s->power); // a number: it is read there at once
  if (s->watches) s->watch_scratch = scratch_of(e, s->watches);
  s->start = take(e, (size_t)e->program->inputs, sizeof(double));
  s->motion = take(e, (size_t)(order + 1) * (2 * n + 1), sizeof(double));
  s->row = take(e, (size_t)e->m, sizeof(int));
  s->product = take(e, n * n + 2 * n * (size_t)e->m, sizeof *s->product);
  s->K = take(e, all * all, sizeof(double));
  s->K0 = take(e, all * all, sizeof(double));
  s->multiplier = take(e, (size_t)(order * e->m), sizeof(double));
  s->ramp = take(e, (size_t)(ramp_orders * e->p), sizeof(double));
  s->inverse = take(e, all * all, sizeof(double));
  s->scale = take(e, all, sizeof(double));
  s->x = take(e, all, sizeof(double));
  s->sum = take(e, all, sizeof(double));
  s->pivot = take(e, all, sizeof(int));
  return s;
}

// ---- the linear problem -------------------------------------------------------------------------

static void add_product(rate_series* s, int output, int unknown, int row)
{
  if (code_jet_is_steady(s->eom, output)) return;
  s->product[s->products++] = (code_jet_product){output, s->e->program->inputs + unknown, row};
}

// the products K_j x_(k-j), for the rows that are active now
static void list_products(rate_series* s)
{
  const engine* e = s->e;
  const int n = e->n;
  if (s->listed && s->rows == e->mode.rows &&
      memcmp(s->row, e->mode.row, sizeof(int) * (size_t)e->mode.rows) == 0)
    return;
  s->listed = true;
  s->rows = e->mode.rows;
  if (e->mode.rows) memcpy(s->row, e->mode.row, sizeof(int) * (size_t)e->mode.rows);
  s->products = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) add_product(s, rate_eom_M(e->program, i, j), j, i);
  for (int r = 0; r < s->rows; r++)
    for (int j = 0; j < n; j++) {
      add_product(s, rate_eom_A(e->program, s->row[r], j), j, n + r);
      add_product(s, rate_eom_A(e->program, s->row[r], j), n + r, j);
    }
}

static double coefficient(const rate_series* s, int output, int k)
{
  return code_jet_out(s->eom, s->eom_scratch, output)[k];
}

// the entries at order 0, of all rows
static void read_matrix(rate_series* s)
{
  const engine* e = s->e;
  const int n = e->n, all = n + e->m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s->K0[i * all + j] = coefficient(s, rate_eom_M(e->program, i, j), 0);
  for (int r = 0; r < e->m; r++)
    for (int j = 0; j < n; j++)
      s->K0[(n + r) * all + j] = coefficient(s, rate_eom_A(e->program, r, j), 0);
}

// a power of two that brings `most` near `size` without rounding
double rate_series_scale(double size, double most)
{
  int exponent = 0;
  if (most > 0 && size > 0 && isfinite(size / most)) frexp(size / most, &exponent);
  return ldexp(1, exponent);
}

// with its coordinates weighed, and its constraint rows and columns brought to the size of M
int rate_series_factor(rate_series* s)
{
  const engine* e = s->e;
  const int n = e->n, all = n + s->rows, full = n + e->m;
  const double* w = e->work.weight;
  double size = 0;
  for (int i = 0; i < n; i++) {
    s->scale[i] = w[i];
    for (int j = 0; j < n; j++) {
      const double m = w[i] * s->K0[i * full + j] * w[j];
      s->K[i * all + j] = m;
      size = fmax(size, fabs(m));
    }
  }
  for (int r = 0; r < s->rows; r++) {
    const double* row = s->K0 + (n + s->row[r]) * full;
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(row[j] * w[j]));
    s->scale[n + r] = rate_series_scale(size, most);
    for (int j = 0; j < n; j++) {
      const double a = s->scale[n + r] * row[j] * w[j];
      s->K[(n + r) * all + j] = a;
      s->K[j * all + n + r] = a;
    }
    for (int k = 0; k < s->rows; k++) s->K[(n + r) * all + n + k] = 0;
  }
  return num_lu(all, s->K, s->pivot) ? 0 : 1;
}

// all orders share it: for small systems the inverse is quicker than as many solutions
static void invert(rate_series* s)
{
  const int all = s->e->n + s->rows;
  for (int j = 0; j < all && all <= most_inverted; j++) {
    double* column = s->inverse + j * all;
    for (int i = 0; i < all; i++) column[i] = i == j;
    num_lu_solve(all, s->K, s->pivot, column);
  }
}

// y = sum over the columns of the inverse
static void multiply(int n, const double* inverse, const double* x, double* y)
{
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int j = 0; j < n; j++, inverse += n)
    for (int i = 0; i < n; i++) y[i] += inverse[i] * x[j];
}

// x_k into s->x and beside the inputs of the jet
static void solve(rate_series* s, int k)
{
  const engine* e = s->e;
  const int n = e->n, all = n + s->rows;
  for (int i = 0; i < all; i++) s->sum[i] = 0;
  code_jet_products(s->eom, s->eom_scratch, k, s->products, s->product, s->sum);
  for (int i = 0; i < n; i++)
    s->x[i] = s->scale[i] * (coefficient(s, rate_eom_F(e->program, i), k) - s->sum[i]);
  for (int r = 0; r < s->rows; r++)
    s->x[n + r] =
        s->scale[n + r] * (coefficient(s, rate_eom_c(e->program, s->row[r]), k) - s->sum[n + r]);
  if (all <= most_inverted)
    multiply(all, s->inverse, s->x, s->sum);
  else
    num_lu_solve(all, s->K, s->pivot, memcpy(s->sum, s->x, sizeof(double) * (size_t)all));
  for (int i = 0; i < all; i++) s->x[i] = s->scale[i] * s->sum[i];
  code_jet_set_all(s->eom, s->eom_scratch, e->program->inputs, all, k, s->x);
}

// ---- inputs -------------------------------------------------------------------------------------

static void set_both(rate_series* s, int first, int count, int k, const double* value)
{
  code_jet_set_all(s->eom, s->eom_scratch, first, count, k, value);
  if (s->works) code_jet_set_all(s->power, s->power_scratch, first, count, k, value);
}

// a param on its way: coefficients of the quintic about x in [0, 1)
static void expand_ramp(const engine_ramp* r, double t, double rest, double c[ramp_orders])
{
  const double x = engine_ramp_phase(r, t, rest);
  for (int k = 0; k < ramp_orders; k++) c[k] = 0;
  if (!(x >= 0 && x < 1)) return;
  const double y = 1 - x, d = r->to - r->from;
  const double taylor[ramp_orders] = {
      x * x * x * (10 + x * (-15 + 6 * x)), 30 * x * x * y * y, 30 * x * y * (1 - 2 * x),
      10 * (1 + 6 * x * (x - 1)),           15 * (2 * x - 1),   6};
  double power = 1;
  for (int k = 0; k < ramp_orders; k++, power *= r->length) c[k] = d * taylor[k] / power;
}

void rate_series_ramp(const rate_series* s, int param, int k, double of[3])
{
  const double* c = s->ramp + param * ramp_orders;
  of[0] = k < ramp_orders ? c[k] : 0;
  of[1] = k + 1 < ramp_orders ? (k + 1) * c[k + 1] : 0;
  of[2] = k + 2 < ramp_orders ? (k + 1) * (k + 2) * c[k + 2] : 0;
}

// time and params at order k
void rate_series_given(const rate_series* s, const code_jet* j, double* scratch, int k)
{
  const engine* e = s->e;
  if (k <= 2) code_jet_set(j, scratch, 0, k, k == 1);
  for (int i = 0; i < e->p && k <= ramp_orders; i++) {
    const int par = 1 + 2 * e->n + i, rate = par + e->p, rate2 = rate + e->p;
    double of[3];
    rate_series_ramp(s, i, k, of);
    code_jet_set(j, scratch, par, k, of[0]);
    code_jet_set(j, scratch, rate, k, of[1]);
    code_jet_set(j, scratch, rate2, k, of[2]);
  }
}

// everything at order 0
static void set_inputs(rate_series* s)
{
  set_both(s, 0, s->e->program->inputs, 0, s->e->in);
}

// ---- the recurrence -----------------------------------------------------------------------------

// the power at order k, with the accelerations and reactions just found
static double power_at(rate_series* s, int k)
{
  const engine* e = s->e;
  const double* power = code_jet_out(s->power, s->power_scratch, 0);
  if (!s->works) return k ? 0 : power[0];
  if (e->program->work_needs_reactions) {
    for (int r = 0; r < e->m; r++) s->sum[r] = 0;
    for (int r = 0; r < s->rows; r++) s->sum[s->row[r]] = -s->x[e->n + r];
    code_jet_set_all(s->power, s->power_scratch, 1 + 3 * e->n + 3 * e->p, e->m, k, s->sum);
  }
  code_jet_set_all(s->power, s->power_scratch, 1 + 2 * e->n + 3 * e->p, e->n, k, s->x);
  code_jet_run(s->power, k, s->power_scratch);
  return power[k];
}

int rate_series_refuse(rate_series* s, const char* why)
{
  snprintf(s->e->reason, sizeof s->e->reason, "the motion has no power series: %s", why);
  if (s->eom_scratch) code_jet_clear(s->eom, s->eom_scratch);
  if (s->power_scratch) code_jet_clear(s->power, s->power_scratch);
  return 1;
}

int rate_series_jets(rate_flow* f, const double* y, int order, double* c)
{
  rate_series* s = f->series;
  engine* e = s->e;
  const int n = e->n, width = 2 * n + 1;
  make_room(s);
  set_inputs(s);
  memcpy(c, y, sizeof(double) * (size_t)width);
  for (int k = 0; k < order; k++) {
    double *here = c + k * width, *next = here + width;
    if (k > 0) {
      rate_series_given(s, s->eom, s->eom_scratch, k);
      if (s->works) rate_series_given(s, s->power, s->power_scratch, k);
      set_both(s, 1, 2 * n, k, here);
    }
    code_jet_run(s->eom, k, s->eom_scratch);
    if (k == 0) {
      read_matrix(s);
      if (rate_series_factor(s))
        return rate_series_refuse(s, "the equations for accelerations and reactions are singular");
      invert(s);
    }
    solve(s, k);
    for (int r = 0; r < s->rows; r++) s->multiplier[k * e->m + r] = s->x[n + r];
    for (int i = 0; i < n; i++) {
      next[i] = here[n + i] / (k + 1);
      next[n + i] = s->x[i] / (k + 1);
    }
    next[2 * n] = power_at(s, k) / (k + 1);
  }
  for (int i = 0; i < width; i++)
    if (!isfinite(c[order * width + i]))
      return rate_series_refuse(s, "something in it is not smooth");
  return 0;
}

void rate_series_prepare(rate_series* s, double t, const double* y)
{
  engine* e = s->e;
  engine_state(e, t, y, y + e->n);
  list_products(s);
  for (int i = 0; i < e->p; i++)
    expand_ramp(&e->mode.ramp[i], e->in[0], e->t_rest, s->ramp + i * ramp_orders);
}

void rate_series_keep(rate_series* s, double t, int order, const double* c)
{
  const engine* e = s->e;
  s->t = t;
  s->expanded = order;
  if (!s->watches) return;
  memcpy(s->start, e->in, sizeof(double) * (size_t)e->program->inputs);
  memcpy(s->motion, c, sizeof(double) * (size_t)((order + 1) * (2 * e->n + 1)));
}
