// The first state in long arithmetic: Newton's method on a regular choice of 2n equations, then
// Krawczyk's test (R. Krawczyk 1969): with Y near the inverse of the slopes at the middle of X,
//   K = mid - Y f(mid) + (1 - Y f'(X)) (X - mid)   inside X   proves that X holds exactly one root.
// Equations in the order of their rank: what the model says, the constraints, and where these leave
// a freedom the numbers handed in, which are taken as exact.
#include "certify/start.h"

#include <arb_mat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// a row that the ones before it give to this share of its length says nothing new
static const double new_share = 1e-6;
// Newton's steps double the digits: far more than ever are needed
enum { newton_steps = 40 };

typedef struct choice
{
  const certify_system* c;
  int n;         // equations: 2 n of the system
  int* row;      // numbers of equations; -1 - j: unknown j is as handed in
  double* basis; // orthonormal rows found so far
  arb_ptr handed;
} choice;

static void values(const certify_system* c, certify_series* s, const arb_t t, arb_srcptr y,
                   slong bits)
{
  arb_ptr* input = base_alloc(sizeof(arb_ptr) * (size_t)(2 * c->n + 1));
  arb_ptr all = _arb_vec_init(2 * c->n + 1);
  arb_set(all, t);
  _arb_vec_set(all + 1, y, 2 * c->n);
  for (int i = 0; i <= 2 * c->n; i++) input[i] = all + i;
  s->bits = bits;
  certify_series_extend(s, 0, input);
  _arb_vec_clear(all, 2 * c->n + 1);
  free(input);
}

// ---- which equations ----------------------------------------------------------------------------

// takes the row in if it says something new
static bool take(choice* h, int* found, double* row, int number)
{
  const int n = h->n;
  double length = 0;
  for (int j = 0; j < n; j++) length = fmax(length, fabs(row[j]));
  if (!(length > 0) || !isfinite(length)) return false;
  for (int j = 0; j < n; j++) row[j] /= length;
  double before = 0, after = 0;
  for (int j = 0; j < n; j++) before += row[j] * row[j];
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < *found; i++) {
      double dot = 0;
      for (int j = 0; j < n; j++) dot += h->basis[i * n + j] * row[j];
      for (int j = 0; j < n; j++) row[j] -= dot * h->basis[i * n + j];
    }
  for (int j = 0; j < n; j++) after += row[j] * row[j];
  if (!(after > new_share * new_share * before)) return false;
  for (int j = 0; j < n; j++) h->basis[*found * n + j] = row[j] / sqrt(after);
  h->row[(*found)++] = number;
  return true;
}

static bool choose(choice* h, const certify_series* s)
{
  const int n = h->n;
  int found = 0;
  double* row = base_alloc(sizeof(double) * (size_t)n);
  for (int e = 0; e < h->c->equations && found < n; e++) {
    for (int j = 0; j < n; j++)
      row[j] = arf_get_d(arb_midref(s->c[h->c->slope[e * n + j]]), ARF_RND_NEAR);
    take(h, &found, row, e);
  }
  for (int j = 0; j < n && found < n; j++) {
    memset(row, 0, sizeof(double) * (size_t)n);
    row[j] = 1;
    take(h, &found, row, -1 - j);
  }
  free(row);
  return found == n;
}

// ---- Newton and Krawczyk ------------------------------------------------------------------------

// residuals f and slopes J of the chosen equations at y, as the series holds them
static void problem(const choice* h, const certify_series* s, arb_srcptr y, arb_mat_t f,
                    arb_mat_t J, slong bits)
{
  const int n = h->n;
  for (int i = 0; i < n; i++) {
    const int e = h->row[i];
    for (int j = 0; j < n; j++) {
      if (e >= 0)
        arb_set(arb_mat_entry(J, i, j), s->c[h->c->slope[e * n + j]]);
      else
        arb_set_si(arb_mat_entry(J, i, j), j == -1 - e);
    }
    if (e >= 0)
      arb_set(arb_mat_entry(f, i, 0), s->c[h->c->equation[e]]);
    else
      arb_sub(arb_mat_entry(f, i, 0), y + (-1 - e), h->handed + (-1 - e), bits);
  }
}

static void keep_middles(arb_ptr y, int n)
{
  for (int j = 0; j < n; j++) mag_zero(arb_radref(y + j));
}

static bool newton(const choice* h, certify_series* s, const arb_t t, arb_ptr y, slong bits)
{
  const int n = h->n;
  arb_mat_t f, J, d;
  arb_mat_init(f, n, 1);
  arb_mat_init(J, n, n);
  arb_mat_init(d, n, 1);
  bool met = false;
  for (int k = 0; k < newton_steps && !met; k++) {
    values(h->c, s, t, y, bits);
    problem(h, s, y, f, J, bits);
    for (int i = 0; i < n; i++) mag_zero(arb_radref(arb_mat_entry(f, i, 0)));
    for (int i = 0; i < n * n; i++) mag_zero(arb_radref(arb_mat_entry(J, i / n, i % n)));
    if (!arb_mat_solve(d, J, f, bits)) break;
    met = true;
    for (int j = 0; j < n; j++) {
      arb_ptr step = arb_mat_entry(d, j, 0);
      if (!arb_is_finite(step)) met = false;
      arb_sub(y + j, y + j, step, bits);
      // beside 1: starts are given in sensible units, and Krawczyk's test judges
      if (arf_cmpabs_2exp_si(arb_midref(step), -bits + 24) > 0) met = false;
    }
    keep_middles(y, n);
  }
  arb_mat_clear(f);
  arb_mat_clear(J);
  arb_mat_clear(d);
  return met;
}

static bool krawczyk(const choice* h, certify_series* s, const arb_t t, arb_ptr y, slong bits)
{
  const int n = h->n;
  arb_mat_t f, J, Y, G;
  arb_ptr X = _arb_vec_init(n);
  arb_mat_init(f, n, 1);
  arb_mat_init(J, n, n);
  arb_mat_init(Y, n, n);
  arb_mat_init(G, n, n);
  values(h->c, s, t, y, bits);
  problem(h, s, y, f, J, bits);
  bool inside = arb_mat_inv(Y, J, bits);
  for (int i = 0; i < n * n; i++) mag_zero(arb_radref(arb_mat_entry(Y, i / n, i % n)));
  arb_mat_mul(f, Y, f, bits); // Y f(mid)
  for (int j = 0; j < n; j++) {
    arb_set(X + j, y + j);
    mag_t wide;
    mag_init(wide);
    arb_get_mag(wide, arb_mat_entry(f, j, 0));
    mag_mul_2exp_si(wide, wide, 1);
    arb_add_error_mag(X + j, wide);
    arb_add_error_2exp_si(X + j, -bits + 8);
    mag_clear(wide);
  }
  values(h->c, s, t, X, bits);
  arb_mat_t unused;
  arb_mat_init(unused, n, 1);
  problem(h, s, X, unused, J, bits);
  arb_mat_mul(G, Y, J, bits);
  for (int i = 0; i < n && inside; i++) {
    arb_t sum, part;
    arb_init(sum);
    arb_init(part);
    arb_sub(sum, y + i, arb_mat_entry(f, i, 0), bits);
    for (int j = 0; j < n; j++) {
      arb_neg(part, arb_mat_entry(G, i, j));
      if (i == j) arb_add_ui(part, part, 1, bits);
      arb_t off;
      arb_init(off);
      mag_set(arb_radref(off), arb_radref(X + j));
      arb_addmul(sum, part, off, bits);
      arb_clear(off);
    }
    inside = arb_contains_interior(X + i, sum);
    arb_clear(sum);
    arb_clear(part);
  }
  _arb_vec_set(y, X, n);
  arb_mat_clear(unused);
  _arb_vec_clear(X, n);
  arb_mat_clear(f);
  arb_mat_clear(J);
  arb_mat_clear(Y);
  arb_mat_clear(G);
  return inside;
}

// the equations that were not chosen must not contradict the others
static bool is_consistent(const choice* h, certify_series* s, const arb_t t, arb_srcptr y,
                          bool proves, slong bits)
{
  values(h->c, s, t, y, bits);
  for (int e = 0; e < h->c->equations; e++) {
    arb_ptr f = s->c[h->c->equation[e]];
    if (arb_contains_zero(f)) continue;
    // without a proof: to a third of the digits of the doubles that were handed in
    if (proves || arf_cmpabs_2exp_si(arb_midref(f), -18) > 0) return false;
  }
  return true;
}

const char* certify_start_find(const certify_system* c, const arb_t t, const double* q,
                               const double* v, bool proves, slong bits, arb_ptr y)
{
  const int n = 2 * c->n;
  choice h = {.c = c, .n = n};
  h.row = base_alloc(sizeof(int) * (size_t)n);
  h.basis = base_alloc(sizeof(double) * (size_t)(n * n));
  h.handed = _arb_vec_init(n);
  for (int j = 0; j < n; j++) arb_set_d(h.handed + j, j < c->n ? q[j] : v[j - c->n]);
  _arb_vec_set(y, h.handed, n);
  certify_series s;
  certify_series_open(&s, &c->start, 0);
  values(c, &s, t, y, bits);
  const char* why = NULL;
  if (!choose(&h, &s))
    why = "the start is not determined";
  else if (!newton(&h, &s, t, y, bits))
    why = "the start was not found to all digits";
  else if (proves && !krawczyk(&h, &s, t, y, bits))
    why = "that the start obeys its equations was not proved";
  else if (!is_consistent(&h, &s, t, y, proves, bits))
    why = "the equations of the start contradict each other";
  certify_series_close(&s);
  _arb_vec_clear(h.handed, n);
  free(h.basis);
  free(h.row);
  return why;
}

double certify_start_drift(const certify_system* c, const arb_t t, arb_srcptr y, slong bits)
{
  certify_series s;
  certify_series_open(&s, &c->start, 0);
  values(c, &s, t, y, bits);
  double most = 0;
  for (int e = c->equations - c->levels; e < c->equations; e++) {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, s.c[c->equation[e]]);
    most = fmax(most, mag_get_d(size));
    mag_clear(size);
  }
  certify_series_close(&s);
  return most;
}
