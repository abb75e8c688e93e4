// A conserved or falling energy proves stability where linearisation is silent.
//
// H is constant where nothing does work, and falls where forces only take energy; the constraints
// at both levels and the momenta p_k = dT/dv . eta_k of symmetries (of ignorable coordinates:
// dT/dq_i') along which no force acts stay as they are: c_r. At a steady motion
//   E = H - sum mu_r c_r
// is stationary; where its second variation is definite on the changes that keep c, less those
// along which neighbours of the same kind lie, the motion is stable (Lagrange, Dirichlet; Routh
// 1877 with ignorable coordinates; Arnold 1966, Simo, Lewis, Marsden 1991; with forces that take
// energy Kelvin, Tait, Chetaev). Where it only vanishes along some, forms of higher degree decide
// (stability_form.c).
#include "study/energy.h"

#include "study/slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double idle = 1e-10;     // power against the size of its terms
static const double constancy = 1e-9; // rates of momenta
static const double margin = 1e-9;    // of a sign against the largest entry
static const double away[4] = {0.01, 0.1, 1e-3, 1e-4};
enum { looks = 6, more_looks = 60 };
// parts of an energy times squares of coordinates from which on its second derivatives are numbers
static const double many_bends = 1e5;

static double* doubles(base_arena* a, int count)
{
  return base_arena_take(a, sizeof(double) * (size_t)(count + 1));
}

static expr symbol(const engine* e, int j)
{
  return j < e->n ? e->s->q[j] : e->s->v[j - e->n];
}

// momentum of field k
static expr momentum(engine* e, const study_symmetry* s, int k)
{
  expr_pool* p = e->s->pool;
  const int n = e->n;
  expr sum = expr_int(p, 0);
  for (int i = 0; i < n; i++) {
    expr eta = expr_double(p, s->c[k * n + i]);
    for (int j = 0; j < n; j++)
      if (s->C[(k * n + i) * n + j] != 0)
        eta = expr_add(p, eta, expr_mul(p, expr_double(p, s->C[(k * n + i) * n + j]), e->s->q[j]));
    sum = expr_add(p, sum, expr_mul(p, eta, expr_diff(p, e->model->T, e->s->v[i])));
  }
  return sum;
}

// by q and v at the engine's state; they are freed
static void slopes_by_numbers(study_slopes* s, const engine* e, double* out)
{
  int* input = base_alloc(sizeof(int) * (size_t)(2 * e->n + 1));
  study_slopes_inputs(e, input);
  study_slopes_at(s, 2 * e->n, input, 2 * e->n, out);
  study_slopes_free(s);
  free(input);
}

// slopes of x by q and v at the engine's state
static void slope_of(engine* e, expr x, double* out)
{
  study_slopes* large = study_slopes_new(e, 1, &x, 2 * e->n);
  if (large) {
    slopes_by_numbers(large, e, out);
    return;
  }
  for (int j = 0; j < 2 * e->n; j++)
    out[j] = engine_value(e, expr_diff(e->s->pool, x, symbol(e, j)));
}

// ---- what stays as it is ------------------------------------------------------------------------

// which of the momenta do not change at the engine's state
static void look_at_momenta(engine* e, int count, const expr* p, bool* constant)
{
  double* slope = base_alloc(sizeof(double) * (size_t)(2 * e->n + 1));
  for (int k = 0; k < count; k++) {
    double rate = 0, size = 0;
    slope_of(e, p[k], slope);
    for (int j = 0; j < 2 * e->n; j++) {
      const double term = slope[j] * (j < e->n ? e->v[j] : e->a[j - e->n]);
      rate += term;
      size += fabs(term);
    }
    constant[k] = constant[k] && fabs(rate) <= constancy * (size + 1e-6);
  }
  free(slope);
}

// a state around `here` on the constraints, its accelerations found; false where there is none
static bool shake(engine* e, const double* here, double by, uint64_t* seed)
{
  bool moved;
  for (int i = 0; i < 2 * e->n; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    e->q[i] = here[i] + by * ((double)(*seed >> 11) / 4503599627370496.0 - 1);
  }
  e->factored = false;
  if (engine_project(e, &moved) || contact_accelerations(e)) return false;
  engine_kept_reactions(e);
  return true;
}

// the power of forces at the engine's state, and the size of its terms
static double power_at(const study_energy* y, double* size)
{
  engine* e = y->l->e;
  double out[engine_energies];
  bool given = false;
  code_run(e->program->energy, e->in, out, e->work.scratch);
  *size = 0;
  for (int i = 0; i < e->n; i++) {
    const double Q = engine_value(e, e->model->Q[i]);
    given = given || Q != 0;
    *size += fabs(Q * e->v[i]);
  }
  for (int i = 0; i < e->n && !given; i++) *size += fabs(e->F[i] * e->v[i]);
  return y->pull ? engine_value(e, y->power) : out[engine_power];
}

// what forces do at states around the engine's; `constant`: the momenta that stay as they are
static void find_work(study_energy* y, int count, const expr* momenta, bool* constant)
{
  engine* e = y->l->e;
  const size_t bytes = sizeof(double) * (size_t)(2 * e->n);
  double* here = base_alloc(bytes + 1);
  memcpy(here, e->q, bytes);
  uint64_t seed = 1788;
  y->work = e->program->forces_feel ? STUDY_WORK_OTHER : STUDY_WORK_NONE;
  y->complete = y->holonomic = true;
  for (int r = 0; r < e->mode.rows; r++)
    y->holonomic = y->holonomic && e->model->constraint[e->mode.row[r]].order == 0;
  for (int r = 0; r < e->mode.rows; r++)
    if (e->model->constraint[e->mode.row[r]].order > 1 || !engine_is_ideal(e, e->mode.row[r]))
      y->work = STUDY_WORK_OTHER;
  for (int turn = 0; turn < more_looks && y->work < STUDY_WORK_GIVES; turn++) {
    if (turn == looks && y->work == STUDY_WORK_NONE) break;
    if (!shake(e, here, away[turn % 4], &seed)) {
      y->work = STUDY_WORK_OTHER;
      break;
    }
    double size;
    const double power = power_at(y, &size);
    if (power > idle * size) y->work = STUDY_WORK_GIVES;
    if (power < -idle * size && y->work == STUDY_WORK_NONE) y->work = STUDY_WORK_UNPROVED;
    y->complete = y->complete && power < -idle * size;
    if (turn < 2) look_at_momenta(e, count, momenta, constant);
  }
  memcpy(e->q, here, bytes);
  e->factored = false;
  free(here);
}

// what was seen at single states, against what is known of all around
static void prove_work(study_energy* y)
{
  // a power that is small against those of other forces is one as well
  if (y->work == STUDY_WORK_NONE && study_power_is_somewhere(y->l, y->power))
    y->work = STUDY_WORK_UNPROVED;
  // forces that give energy at a distance may still take it nearer by
  if ((y->work == STUDY_WORK_UNPROVED || y->work == STUDY_WORK_GIVES) &&
      study_power_takes(y->l, y->power))
    y->work = STUDY_WORK_TAKES;
}

static void list_constants(study_energy* y, int momenta, const expr* p, const bool* constant)
{
  engine* e = y->l->e;
  y->c = base_arena_take(y->arena, sizeof(expr) * (size_t)(2 * e->mode.rows + momenta + 1));
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r], order = e->model->constraint[k].order;
    if (order == 0) y->c[y->rows++] = e->s->f0[k];
    if (order <= 1) y->c[y->rows++] = e->s->f1[k];
  }
  for (int k = 0; k < momenta; k++)
    if (constant[k]) y->c[y->rows++] = p[k];
}

// ---- the second variation -----------------------------------------------------------------------

// mu with dH = sum mu_r dc_r, of least norm; false where there is none
static bool balance(study_energy* y)
{
  engine* e = y->l->e;
  const int N = 2 * e->n;
  double *slope = doubles(y->arena, N), size = 0, left = 0;
  y->dc = doubles(y->arena, y->rows * N);
  y->mu = doubles(y->arena, y->rows);
  slope_of(e, e->s->H, slope);
  for (int j = 0; j < e->n && y->pull; j++) slope[j] -= engine_value(e, y->pull[j]);
  for (int r = 0; r < y->rows; r++) slope_of(e, y->c[r], y->dc + r * N);
  if (y->rows) {
    num_null* f = num_null_new(y->rows, N);
    num_null_factor(f, y->rows, N, y->dc, 1e-9);
    num_null_solve_t(f, y->dc, slope, y->mu);
    num_null_free(f);
  }
  for (int j = 0; j < N; j++) {
    double off = slope[j];
    for (int r = 0; r < y->rows; r++) {
      off -= y->dc[r * N + j] * y->mu[r];
      size = fmax(size, fabs(y->dc[r * N + j] * y->mu[r]));
    }
    size = fmax(size, fabs(slope[j]));
    left = fmax(left, fabs(off));
  }
  return left <= 1e-8 * (1 + size);
}

// the slopes of x, to be differentiated by numbers; null where x is short
static study_slopes* bends(const study_energy* y, expr x)
{
  engine* e = y->l->e;
  expr_pool* p = e->s->pool;
  const int n = e->n;
  const expr one = expr_int(p, 1);
  if ((double)n * n * (double)expr_size(p, 1, &x) < many_bends || x == EXPR_NONE) return NULL;
  expr *by = base_alloc(sizeof(expr) * (size_t)(4 * n + 1)), *slope = by + 2 * n;
  for (int j = 0; j < 2 * n; j++) by[j] = symbol(e, j);
  expr_pullback(p, 1, &x, &one, 2 * n, by, slope);
  for (int j = 0; j < n && y->pull; j++) slope[j] = expr_sub(p, slope[j], y->pull[j]);
  study_slopes* s = study_slopes_new(e, 2 * n, slope, 2 * n);
  free(by);
  return s;
}

double study_energy_bend(const study_energy* y, expr x, double* out)
{
  engine* e = y->l->e;
  const int N = 2 * e->n;
  double size = 0;
  study_slopes* large = bends(y, x);
  if (large) {
    slopes_by_numbers(large, e, out);
    for (int i = 0; i < N * N; i++) size = fmax(size, fabs(out[i]));
    return size;
  }
  for (int i = 0; i < N; i++) {
    const expr slope = study_energy_slope(y, x, i);
    for (int j = 0; j <= i; j++) {
      out[i * N + j] = out[j * N + i] = engine_value(e, expr_diff(e->s->pool, slope, symbol(e, j)));
      size = fmax(size, fabs(out[i * N + j]));
    }
  }
  return size;
}

static void second_variation(study_energy* y)
{
  engine* e = y->l->e;
  expr_pool* p = e->s->pool;
  const int N = 2 * e->n;
  expr E = e->s->H;
  for (int r = 0; r < y->rows; r++)
    E = expr_sub(p, E, expr_mul(p, expr_double(p, y->mu[r]), y->c[r]));
  y->H = doubles(y->arena, N * N);
  y->size = study_energy_bend(y, E, y->H);
}

// of `count` directions X (count by N) those that keep c, as rows of D
static void remove_neighbours(study_energy* y, int count, const double* X)
{
  const int N = 2 * y->l->n, m = y->rows;
  double* K = base_alloc(sizeof(double) * (size_t)(m * count + count * count + 1));
  double* Z = K + m * count;
  // against the terms they are made of, and the largest of the row: those that keep c are rounding
  for (int r = 0; r < m; r++)
    for (int k = 0; k < count; k++) {
      double sum = 0, size = 0, row = 0, length = 0;
      for (int j = 0; j < N; j++) {
        sum += y->dc[r * N + j] * X[k * N + j];
        size += fabs(y->dc[r * N + j] * X[k * N + j]);
        row = fmax(row, fabs(y->dc[r * N + j]));
        length = fmax(length, fabs(X[k * N + j]));
      }
      K[r * count + k] = fabs(sum) > fmax(1e-9 * size, 1e-10 * row * length) ? sum : 0;
    }
  y->removed = count ? study_steady_null(count, m, K, 0, 1e-8, Z) : 0;
  y->D = doubles(y->arena, y->removed * N);
  for (int h = 0; h < y->removed; h++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < count; k++) y->D[h * N + j] += Z[k * y->removed + h] * X[k * N + j];
  free(K);
}

// Y: what keeps c and is not removed
static void find_changes(study_energy* y)
{
  const int N = 2 * y->l->n, count = y->rows + y->removed;
  double* rows = base_alloc(sizeof(double) * (size_t)(count * N + 1));
  memcpy(rows, y->dc, sizeof(double) * (size_t)(y->rows * N));
  memcpy(rows + y->rows * N, y->D, sizeof(double) * (size_t)(y->removed * N));
  y->Y = doubles(y->arena, N * N);
  y->k = study_steady_null(N, count, rows, 0, 1e-9, y->Y);
  free(rows);
}

// eigenvalues of Y^T H Y and the directions of those that are nothing or negative
static bool count_signs(study_energy* y)
{
  const int N = 2 * y->l->n, k = y->k;
  double* S = base_alloc(sizeof(double) * (size_t)(k * k + 2 * k + 1));
  double *re = S + k * k, *im = re + k;
  for (int i = 0; i < N; i++)
    for (int m = 0; m < k; m++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += y->H[i * N + j] * y->Y[j * k + m];
      for (int h = 0; h < k; h++) S[h * k + m] += y->Y[i * k + h] * sum;
    }
  const bool fine = isfinite(y->size) && num_eigen(k, S, re, im);
  for (int h = 0; h < k && fine; h++) {
    y->plus += re[h] > margin * y->size;
    y->minus += re[h] < -margin * y->size;
  }
  y->zero = fine ? k - y->plus - y->minus : 0;
  // null space of S as a whole: single vectors of a multiple zero would not be independent
  double *V = doubles(y->arena, k * k), *clean = doubles(y->arena, k * k);
  for (int i = 0; i < k * k; i++) clean[i] = fabs(S[i]) > 1e-12 * y->size ? S[i] : 0;
  const int z = y->zero ? study_steady_null(k, k, clean, 0, 10 * margin, V) : 0;
  y->null = doubles(y->arena, N * (z + 1));
  for (int i = 0; i < N; i++)
    for (int h = 0; h < z; h++)
      for (int m = 0; m < k; m++) y->null[i * z + h] += y->Y[i * k + m] * V[m * z + h];
  const bool told = fine && z == y->zero;
  free(S);
  return told;
}

static bool is_definite(const study_energy* y)
{
  return y->zero == 0 && (y->minus == 0 || y->plus == 0);
}

// the signs with the constants listed; `choose`: multipliers that they leave free are chosen
static bool tell_signs(study_energy* y, int directions, const double* X, bool choose)
{
  if (!balance(y)) return false;
  second_variation(y);
  remove_neighbours(y, directions, X);
  find_changes(y);
  if (choose && y->k > 0) study_energy_choose(y);
  return y->k > 0 && count_signs(y);
}

bool study_energy_signs(study_linear* l, const study_symmetry* s, int count, const double* family,
                        base_arena* arena, study_energy* y)
{
  engine* e = l->e;
  const int N = 2 * e->n, g = s->count;
  *y = (study_energy){.l = l, .arena = arena, .E = e->s->H};
  if (e->s->H == EXPR_NONE) return false;
  expr* p = base_arena_take(arena, sizeof(expr) * (size_t)(g + 3));
  bool* constant = base_arena_take(arena, (size_t)g + 3);
  for (int k = 0; k < g; k++) p[k] = momentum(e, s, k);
  model_turning((model*)e->model, p + g);
  for (int k = 0; k < g + 3; k++) constant[k] = !expr_is_number(e->s->pool, p[k]);
  study_energy_take_potential(y);
  find_work(y, g + 3, p, constant);
  prove_work(y);
  if (y->work >= STUDY_WORK_GIVES || study_linear_at(l)) return false;
  const int directions = family ? count : g;
  double* X = doubles(arena, directions * N);
  for (int k = 0; k < directions; k++) {
    if (!family) study_symmetry_at(s, k, e->q, e->v, X + k * N);
    for (int j = 0; family && j < N; j++) X[k * N + j] = family[j * count + k];
  }
  // turns that no field of the symmetries is: where they decide, and nothing else does
  study_energy more = *y;
  list_constants(y, g, p, constant);
  const bool told = tell_signs(y, directions, X, false);
  if (told && is_definite(y)) return true;
  list_constants(&more, g + 3, p, constant);
  if (more.rows == y->rows || !tell_signs(&more, directions, X, true) || !is_definite(&more))
    return told;
  *y = more;
  return true;
}

bool study_energy_is_reversible(const study_energy* y)
{
  engine* e = y->l->e;
  const int n = e->n;
  double *here = base_alloc(sizeof(double) * (size_t)(3 * n + 1)), *a = here + 2 * n;
  memcpy(here, e->q, sizeof(double) * (size_t)(2 * n));
  uint64_t seed = 1987;
  bool even = true;
  for (int turn = 0; turn < looks && even; turn++) {
    even = shake(e, here, 0.1, &seed);
    memcpy(a, e->a, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) e->v[i] = -e->v[i];
    e->factored = false;
    even = even && !contact_accelerations(e);
    double size = 0, off = 0;
    for (int i = 0; i < n && even; i++) {
      size = fmax(size, fabs(a[i]));
      off = fmax(off, fabs(a[i] - e->a[i]));
    }
    even = even && off <= 1e-9 * size;
  }
  memcpy(e->q, here, sizeof(double) * (size_t)(2 * n));
  e->factored = false;
  free(here);
  return even;
}
