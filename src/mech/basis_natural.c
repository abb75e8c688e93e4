// Quasi-velocities with a size of their own: the velocity along a direction of some coordinates.
#include "mech/basis_work.h"
#include "mech/linear.h"

#include <stdlib.h>
#include <string.h>

// A null vector z that no number leads, as that of a blade (cos, sin, ...) times anything, is
// measured on those of its entries whose squares add up to c^2 without the state: with z/c for z,
//   v = sum over these j of z_j q_j',
// the speed along a unit vector of these coordinates. It divides by nothing, and what is left of
// the other velocities at v = 0 is fixed by the constraints and the other v. All of Z and R are one
// inverse then:
//   [S; W] [R Z] = 1

enum { most_entries = 3 };

typedef struct measure
{
  int count, at[most_entries];
  expr square;
} measure;

// c with c^2 = e, for products of even powers; EXPR_NONE where e is none
static expr root_of(expr_pool* p, expr e)
{
  long k;
  if (e == expr_int(p, 1)) return e;
  if (expr_kind_of(p, e) == EXPR_POWER && expr_is_int(p, expr_arg(p, e, 1), &k) && k % 2 == 0)
    return expr_pow(p, expr_arg(p, e, 0), expr_int(p, k / 2));
  if (expr_kind_of(p, e) != EXPR_PRODUCT) return EXPR_NONE;
  expr root = expr_int(p, 1);
  for (int i = 0; i < expr_arg_count(p, e); i++)
    root = expr_mul(p, root, root_of(p, expr_arg(p, e, i)));
  return root;
}

static bool try_entries(const mech_basis_work* w, const expr* z, int stride, measure* m)
{
  const mech_system* s = w->s;
  expr sum = s->zero[0];
  for (int i = 0; i < m->count; i++) {
    const expr x = z[m->at[i] * stride];
    if (x == s->zero[0]) return false;
    sum = expr_add(s->pool, sum, expr_mul(s->pool, x, x));
  }
  m->square = mech_tidy(s, sum);
  return m->square != s->zero[0] && !mech_is_of_state(s, m->square);
}

// the next choice of as many coordinates, ascending; false after the last
static bool next_entries(int n, measure* m)
{
  int i = m->count - 1;
  while (i >= 0 && m->at[i] == n - m->count + i) i--;
  if (i < 0) return false;
  m->at[i]++;
  for (int j = i + 1; j < m->count; j++) m->at[j] = m->at[j - 1] + 1;
  return true;
}

static bool find_measure(const mech_basis_work* w, const expr* z, int stride, measure* m)
{
  const int n = w->s->n;
  for (int count = 1; count <= most_entries && count <= n; count++) {
    *m = (measure){.count = count};
    for (int i = 0; i < count; i++) m->at[i] = i;
    do
      if (try_entries(w, z, stride, m)) return true;
    while (next_entries(n, m));
  }
  return false;
}

// rows W of the null vectors; false where one has no measure
static bool find_rows(mech_basis_work* w, expr* W)
{
  const mech_system* s = w->s;
  expr_pool* p = s->pool;
  const int n = s->n, l = w->b->l;
  int doubtful = 0;
  for (int i = 0; i < (n - w->k) * n; i++) W[i] = s->zero[0];
  for (int c = 0; c < n - w->k; c++) {
    const expr* z = w->b->Z + w->declared + c;
    if (expr_is_number(p, z[w->free[c] * l])) {
      W[c * n + w->free[c]] = expr_int(p, 1);
      continue;
    }
    measure m;
    doubtful++;
    if (!find_measure(w, z, l, &m)) return false;
    const expr root = root_of(p, m.square), by = root ? root : m.square;
    for (int i = 0; i < m.count; i++)
      W[c * n + m.at[i]] = mech_tidy(s, expr_div(p, z[m.at[i] * l], by));
  }
  return doubtful > 0;
}

// [S; W] inverted; false where that divides by anything of the state
static bool invert_rows(mech_basis_work* w, const expr* W)
{
  const mech_system* s = w->s;
  const int n = s->n, k = w->k, open = n - k, l = w->b->l;
  expr *K = mech_basis_take(w, n * n), *B = mech_basis_take(w, n * n),
       *Y = mech_basis_take(w, n * n), D;
  memcpy(K, w->S, sizeof(expr) * (size_t)(k * n));
  memcpy(K + k * n, W, sizeof(expr) * (size_t)(open * n));
  for (int i = 0; i < n * n; i++) B[i] = expr_int(s->pool, i % (n + 1) == 0);
  if (mech_linear_fraction(s, n, n, K, B, Y, &D) != MECH_SOLVED) return false;
  D = mech_tidy(s, D);
  if (D == s->zero[0] || mech_is_of_state(s, D)) return false;
  w->b->D = expr_int(s->pool, 1);
  for (int j = 0; j < n; j++)
    for (int c = 0; c < n; c++) {
      const expr x = mech_tidy(s, expr_div(s->pool, Y[j * n + c], D));
      if (c < k)
        w->right[j * k + c] = x;
      else
        w->b->Z[j * l + w->declared + c - k] = x;
    }
  return true;
}

bool mech_basis_natural(mech_basis_work* w)
{
  if (!w->s->small) return false;
  expr* W = mech_basis_take(w, (w->s->n - w->k) * w->s->n);
  if (!find_rows(w, W) || !invert_rows(w, W)) return false;
  w->natural = W;
  return true;
}
